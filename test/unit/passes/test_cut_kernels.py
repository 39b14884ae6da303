# Which kernels are called for a part of their rows at a time.
import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

from diablo.kernel_signature import Cut
from diablo.passes.analyses.loops.cut_kernels import cut_of
from diablo.registry import new_context

V, M = "tensor<?xf64>", "tensor<?x?xf64>"


def found(arguments: str, body: str, results: str) -> Cut | None:
    text = f"func.func private @kernel_0({arguments}) -> {results} {{ {body} }}"
    kernel = Parser(new_context(), f"builtin.module {{ {text} }}").parse_module().ops.first
    assert isinstance(kernel, func.FuncOp)
    kernel.verify()
    return cut_of(kernel)


def mapped(result: str, ins: str, values: str = "", extent: str = "%n", more: str = "") -> str:
    return (
        f"{result} = tensor_block.map parallel(d0 < {extent}) {more} ins({ins}) -> {V} {{\n"
        f"^bb0(%i: index, %u: f64{values}): tensor_block.yield %u : f64 }}\n"
    )


def test_rows_of_what_is_read_by_rows():
    body = mapped("%y", f"%x[d0] : {V}") + f"func.return %y : {V}"
    assert found(f"%a: f64, %n: index, %x: {V}", body, V) == Cut(1, (2,))


def test_a_fold_for_each_row_reads_all_of_what_it_reads_elsewhere():
    body = f"""%y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
        ins(%A[d0, d1] : {M}, %x[d1] : {V}) -> {V} {{
      ^bb0(%i: index, %j: index, %a: f64, %b: f64):
        %c = arith.mulf %a, %b : f64
        tensor_block.yield %c : f64
      }}
      func.return %y : {V}"""
    assert found(f"%n: index, %m: index, %A: {M}, %x: {V}", body, V) == Cut(0, (2,))


def test_numbers_of_parts_are_combined():
    body = f"""{mapped("%y", f"%x[d0] : {V}")}
      %s = tensor_block.reduce max reduced(d0 < %n) ins(%y[d0] : {V}, %x[d0] : {V}) -> f64 {{
      ^bb0(%i: index, %a: f64, %b: f64):
        tensor_block.yield %a : f64
      }}
      func.return %s : f64"""
    assert found(f"%n: index, %x: {V}", body, "f64") == Cut(0, (1,), None, ("max",))


def test_the_index_of_a_row_is_counted_from_the_first_one():
    body = f"""%y = tensor_block.map parallel(d0 < %n) offsets(%o) ins(%x[d0] : {V}) -> {V} {{
      ^bb0(%i: index, %u: f64):
        %k = arith.index_cast %i : index to i64
        %f = arith.sitofp %k : i64 to f64
        tensor_block.yield %f : f64
      }}
      func.return %y : {V}"""
    assert found(f"%o: index, %n: index, %x: {V}", body, V) == Cut(1, (2,), 0)
    without = body.replace("offsets(%o)", "")
    assert found(f"%o: index, %n: index, %x: {V}", without, V) is None


TWICE = mapped("%y", f"%x[d0] : {V}") + mapped("%z", f"%y[d0] : {V}")


@pytest.mark.parametrize(
    "body",
    [
        # Neighbours, and the whole of what is cut elsewhere.
        mapped("%y", f"%x[d0 - 1] : {V}") + f"func.return %y : {V}",
        mapped("%y", f"%x[d0] : {V}, %A[d0, d0] : {M}", ", %v: f64") + f"func.return %y : {V}",
        # How many rows there are is known to more than the loop.
        f"%m = arith.addi %n, %n : index\n{mapped('%y', f'%x[d0] : {V}', extent='%m')}"
        f"func.return %y : {V}",
        TWICE.replace("%y[d0]", "%y[d0 + 1]") + f"func.return %z : {V}",
        # There is nothing to be cut.
        f"func.return %x : {V}",
    ],
)
def test_what_cannot_be_cut(body: str):
    assert found(f"%n: index, %x: {V}, %A: {M}", body, V) is None


TOTAL = f"""%s = tensor_block.reduce add reduced(d0 < %n) ins(%y[d0] : {V}) -> f64 {{
  ^bb0(%i: index, %a: f64): tensor_block.yield %a : f64
}}
"""


def test_several_results_are_cut_alike():
    body = TWICE + f"func.return %y, %z : {V}, {V}"
    assert found(f"%n: index, %x: {V}", body, f"({V}, {V})") == Cut(0, (1,), None, ("", ""))
    body = TWICE + TOTAL + f"func.return %z, %s : {V}, f64"
    assert found(f"%n: index, %x: {V}", body, f"({V}, f64)") == Cut(0, (1,), None, ("", "add"))


def test_a_number_that_rows_are_made_of_is_known_behind_all_of_them():
    late = mapped("%w", f"%x[d0] : {V}").replace("yield %u", "yield %s")
    body = TWICE + TOTAL + late + f"func.return %w, %s : {V}, f64"
    assert found(f"%n: index, %x: {V}", body, f"({V}, f64)") is None
