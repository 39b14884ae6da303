# Kernels as PTX: every kind of them is taken by the assembler, for each kind of GPU, and fits.
from functools import cache
from itertools import product
from typing import Any

import pytest
from gpu_kernels import gpu_module, is_on_gpu
from kernel_oracle import parse_kernel
from random_kernels import random_kernel
from sparse_kernels import KERNELS
from sparse_updates import UPDATES
from test_gpu_kernels import DTYPES, HELD_BACK, HISTOGRAM, PLANES, line
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64

from diablo.diagnostics import Diagnostic, InputError, listening
from diablo.dialects.functions.scalar_functions import FUNCTIONS, Overload, ScalarFunction
from diablo.lowering.gpu import ptx_assembly
from diablo.lowering.gpu.compile_device_kernel import compile_device_kernel, compile_sliced_product
from diablo.lowering.gpu.convert_gpu_to_nvvm import ConvertGPUToNVVMPass
from diablo.lowering.gpu.ptx_assembly import (
    PROCESSORS,
    UnknownProcessorError,
    assemble,
    find_assembler,
)
from diablo.lowering.gpu.ptx_text import KNOWN, ptx_text
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.passes.analyses.refused import Refused
from diablo.tools import ptx_report

needs_assembler = pytest.mark.skipif(
    find_assembler() is None, reason="needs ptxas, of the package nvidia-cuda-nvcc-cu12"
)


def functions_of(type: str) -> dict[str, str]:
    """A kernel for each function on numbers that has machine code, by name."""
    texts: dict[str, str] = {}
    for name, function in FUNCTIONS.items():
        overload = function.floating if type.startswith("f") else function.integer
        if overload is None or overload.gives not in ("same", "boolean"):
            continue
        if overload.expansion is None and not overload.intrinsic:
            continue
        operands = ", ".join(["%x"] * function.arity)
        result = "i1" if overload.gives == "boolean" else type
        if overload.operation is not None:
            body = f"%y = {overload.operation.name} {operands} : {type}"
        else:
            types = ", ".join([type] * function.arity)
            body = f'%y = comprehension.number_call "{name}" ({operands}) : ({types}) -> {result}'
        text = line("map parallel", body, "%y", type, f"tensor<?x{result}>")
        texts[name] = text.replace(f"yield %y : {type}", f"yield %y : {result}")
    return texts


def is_computed_in_f64(name: str) -> bool:
    """Return whether what a function does with an f32 is what it does with an f64, but for the
    exponential, which stands for all of those."""
    overload = FUNCTIONS[name].floating
    return name != "exp" and overload is not None and overload.expansion is not None


def complex_functions() -> dict[str, str]:
    """A kernel for each function on complex numbers that has machine code, by name."""
    type = "complex<f64>"
    texts: dict[str, str] = {}
    for name, function in FUNCTIONS.items():
        overload = function.complex
        if overload is None or overload.expansion is None:
            continue
        result = {"boolean": "i1", "part": "f64"}.get(overload.gives, type)
        if overload.operation is not None:
            body = f"%y = {overload.operation.name} %x : {type}"
        else:
            body = f'%y = comprehension.number_call "{name}" (%x) : ({type}) -> {result}'
        text = line("map parallel", body, "%y", type, f"tensor<?x{result}>")
        texts[name] = text.replace(f"yield %y : {type}", f"yield %y : {result}")
    return texts


def complex_kernels(part: str) -> dict[str, str]:
    """Kernels of every form over complex numbers whose parts are of a type."""
    type = f"complex<{part}>"
    vector = f"tensor<?x{type}>"
    quotient = f"%c = complex.conj %x : {type}\n%y = complex.div %x, %c : {type}"
    rows = f"tensor<?x?x{type}, #tensor_block.storage<dense = 1>>"
    return {
        f"sparse_{part}": f"""func.func private @k(%A: {rows}, %x: {vector}, %n: index, %m: index)
            -> {vector} {{
          %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
              ins(%A[d0, d1] : {rows}, %x[d1] : {vector}) -> {vector} {{
          ^body(%i: index, %j: index, %a: {type}, %b: {type}):
            %c = complex.mul %a, %b : {type}
            tensor_block.yield %c : {type}
          }}
          func.return %r : {vector}
        }}""",
        f"sum_{part}": line("reduce add reduced", "", "%x", type, type),
        f"quotient_{part}": line("map parallel", quotient, "%y", type, vector),
        f"stencil_{part}": f"""func.func private @k(%a: {vector}, %n: index) -> {vector} {{
          %r = tensor_block.map parallel(d0 < %n)
              ins(%a[d0 + 1] : {vector}, %a[d0] : {vector}) -> {vector} {{
          ^body(%i: index, %x: {type}, %y: {type}):
            %z = complex.mul %x, %y : {type}
            tensor_block.yield %z : {type}
          }}
          func.return %r : {vector}
        }}""",
    }


def random_texts() -> list[str]:
    texts: list[str] = []
    for seed in range(20):
        text = random_kernel(seed).text
        try:
            compile_kernel(parse_kernel(text))
        except Refused:
            continue
        texts.append(text)
    return texts


def box_of_neighbours() -> str:
    """A stencil that reads 27 elements at once."""
    box = "tensor<?x?x?xf64>"
    steps = [f"d0 + {i - 1}, d1 + {j - 1}, d2 + {k - 1}" for i, j, k in product(range(3), repeat=3)]
    reads = ", ".join(f"%a[{step}] : {box}".replace("+ -", "- ") for step in steps)
    elements = ", ".join(f"%x{number}: f64" for number in range(27))
    sums = "\n".join(
        f"%s{number} = arith.addf %{'s' if number > 1 else 'x'}{number - 1}, %x{number} : f64"
        for number in range(1, 27)
    )
    return f"""func.func private @k(%a: {box}, %n: index) -> {box} {{
      %r = tensor_block.map parallel(d0 < %n, d1 < %n, d2 < %n) ins({reads}) -> {box} {{
      ^body(%i: index, %j: index, %l: index, {elements}):
        {sums}
        tensor_block.yield %s26 : f64
      }}
      func.return %r : {box}
    }}"""


GROUPS = ("types", "planes", "sparse", "random", "functions", "complex")


@cache
def kernels(group: str) -> dict[str, str]:
    match group:
        case "types":
            return {
                **{f"add_{t}": line("reduce add reduced", "", "%x", t, t) for t in DTYPES},
                **{f"max_{t}": line("reduce max reduced", "", "%x", t, t) for t in DTYPES},
                "and": line("reduce and reduced", "", "%x", "i1", "i1"),
                "mul": line("reduce mul reduced", "", "%x", "f32", "f32"),
                **{
                    f"count_{t}": HISTOGRAM.replace("TYPE", t).replace("VALUE", "arith.constant 1")
                    for t in ("i64", "i32", "i16", "i8")
                },
            }
        case "planes":
            texts = {name: text for name, (text, _) in PLANES.items()}
            return {**texts, "neighbours": box_of_neighbours()}
        case "sparse":
            known = [k for k in (*KERNELS, *UPDATES) if k.name not in HELD_BACK]
            return {kernel.name: kernel.text for kernel in known}
        case "complex":
            return {**complex_functions(), **complex_kernels("f64"), **complex_kernels("f32")}
        case "random":
            return dict(enumerate(random_texts()))  # pyright: ignore
        case _:
            return {
                f"{name}_{type}": text
                for type in ("f64", "f32", "i64")
                for name, text in functions_of(type).items()
                if type != "f32" or not is_computed_in_f64(name)
            }


def ptx_of(texts: dict[Any, str]) -> str:
    """All kernels in one text."""
    together = ModuleOp([])
    for name, text in texts.items():
        own = "@kernel(" if "@kernel(" in text else "@k("
        module = gpu_module(text.replace(own, f"@k_{name}("))
        assert is_on_gpu(module), name
        for op in list(module.ops):
            op.detach()
            together.body.block.add_op(op)
    ConvertGPUToNVVMPass().apply(Context(), together)
    return ptx_text(together)


@needs_assembler
@pytest.mark.sampled(8)
@pytest.mark.parametrize("part", range(4), ids="each fourth from {}".format)
@pytest.mark.parametrize("group", GROUPS)
def test_every_kind_of_kernel_fits(group: str, part: int):
    texts = dict(list(kernels(group).items())[part::4])
    ptx = ptx_of(texts)
    known = 0
    for processor in PROCESSORS:
        try:
            uses = assemble(ptx, processor)
        except UnknownProcessorError:
            continue
        known += 1
        assert len(uses) >= len(texts)
        for use in uses:
            assert use.spilled == 0, use
            assert use.stack == 0, use
            assert use.registers <= 128, use
            assert use.shared <= (32 << 10 if "count" in use.kernel else 256), use
    assert known >= 2


PAIRS = "!comprehension.bag<i64, f64>"
COMPLEX_PAIRS = "!comprehension.bag<i64, complex<f64>>"
ROWS = {
    "groups": f"""func.func private @k(%v: {PAIRS}) -> {PAIRS} {{
      %g = tensor_block.group_reduce %v keys 1 monoids(add) : {PAIRS}
      func.return %g : {PAIRS}
    }}""",
    "complex groups": f"""func.func private @k(%v: {COMPLEX_PAIRS}) -> {COMPLEX_PAIRS} {{
      %g = tensor_block.group_reduce %v keys 1 monoids(add) : {COMPLEX_PAIRS}
      func.return %g : {COMPLEX_PAIRS}
    }}""",
    "join": f"""func.func private @k(%v: {PAIRS}, %w: {PAIRS}) -> {PAIRS} {{
      %j = tensor_block.join %v[0], %w[0] : {PAIRS}, {PAIRS}
          -> !comprehension.bag<i64, f64, i64, f64>
      %p = tensor_block.extend %j to [0, 4] : !comprehension.bag<i64, f64, i64, f64> -> {PAIRS} {{
      ^bb0(%k: i64, %x: f64, %l: i64, %y: f64):
        %z = arith.mulf %x, %y : f64
        tensor_block.yield %z : f64
      }}
      func.return %p : {PAIRS}
    }}""",
    "products": HISTOGRAM.replace("scatter_reduce add", "scatter_reduce mul")
    .replace("TYPE", "f64")
    .replace("VALUE", "arith.constant 2.0"),
    "sums": HISTOGRAM.replace("TYPE", "f64").replace("VALUE", "arith.constant 1.0"),
    "complex sums": HISTOGRAM.replace("TYPE", "complex<f64>").replace(
        "VALUE", "comprehension.complex_constant #complex.number<:f64 1.0, 2.0>"
    ),
}


@pytest.mark.sampled(4)
@needs_assembler
@pytest.mark.parametrize("name", ROWS)
def test_kernels_that_sort_and_scan_fit(name: str):
    ptx = compile_device_kernel(parse_kernel(ROWS[name])).write_ptx()
    uses = [use for processor in ("sm_80", "sm_90") for use in assemble(ptx, processor)]
    assert len(uses) >= 10
    for use in uses:
        assert use.spilled == 0, use
        assert use.stack == 0, use
        assert use.registers <= (104 if "complex" in name else 80), use
        assert use.shared <= 40 << 10, use


@pytest.mark.sampled(2)
@needs_assembler
@pytest.mark.parametrize("element", [f32, f64])
def test_products_in_slices_fit(element: Any):
    made = compile_sliced_product(element)
    assert (made.most + 1) * element.size == max(made.kernel.shared) == 110 << 10
    uses = [
        use for processor in PROCESSORS for use in _assembled(made.kernel.write_ptx(), processor)
    ]
    assert len(uses) >= 4
    for use in uses:
        assert use.spilled == 0, use
        assert use.stack == 0, use
        assert use.registers <= 64, "two blocks of 512 threads have room in a multiprocessor"


def _assembled(ptx: str, processor: str) -> list[Any]:
    try:
        return assemble(ptx, processor)
    except UnknownProcessorError:
        return []


def test_a_kernel_that_holds_much_shares_a_processor_with_fewer():
    reads = ", ".join(f"%a[d0 + {step}] : tensor<?xf64>" for step in range(7))
    elements = ", ".join(f"%x{number}: f64" for number in range(7))
    sums = "\n".join(
        f"%s{number} = arith.addf %{f's{number - 1}' if number else 'x0'}, %x{number % 7} : f64"
        for number in range(20)
    )
    text = f"""func.func private @k(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {{
      %r = tensor_block.map parallel(d0 < %n) ins({reads}) -> tensor<?xf64> {{
      ^body(%i: index, {elements}):
        {sums}
        tensor_block.yield %s19 : f64
      }}
      func.return %r : tensor<?xf64>
    }}"""
    assert ".minnctapersm 2" in ptx_of({"many": text})
    few = line("map parallel", "%y = arith.addf %x, %x : f64", "%y", "f64", "tensor<?xf64>")
    assert ".minnctapersm 4" in ptx_of({"few": few})


def test_functions_of_the_c_library_stay_with_the_processor(monkeypatch: pytest.MonkeyPatch):
    # A row of the table that is written out no more than by a call.
    row = ScalarFunction(Overload("np.sinh", intrinsic="sinh"))
    monkeypatch.setitem(FUNCTIONS, "called", row)
    said: list[Diagnostic] = []
    with listening(said.append):
        assert not is_on_gpu(gpu_module(functions_of("f64")["called"]))
    assert "comprehension.number_call is a call of the C library" in said[-1].message


@needs_assembler
def test_the_report_names_what_a_kernel_needs(tmp_path: Any, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ptx"
    path.write_text(ptx_of({"total": line("reduce add reduced", "", "%x", "f64", "f64")}))
    assert ptx_report.report(str(path), ["sm_80"]) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["kernel", "processor", "registers", "shared", "stack", "spilled"]
    assert first.split()[:2] == ["k_total_0", "sm_80"]
    assert first.split()[3:] == ["64", "0", "0"]
    assert second.split()[0] == "k_total_1"


@needs_assembler
def test_what_is_no_ptx_is_an_error(tmp_path: Any, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ptx"
    path.write_text("no kernel")
    assert ptx_report.report(str(path), ["sm_80"]) == 2
    said = capsys.readouterr().err
    message = "ptxas: Missing .version directive at start of the file"
    assert said.startswith(f"{path}:1:1: error: {message}\n  no kernel\n  ^^^^^^^^^\n  hint: ")
    assert "tmpxft" not in said
    with pytest.raises(UnknownProcessorError):
        assemble(".version 7.0\n.target sm_80\n.address_size 64\n", "sm_1")


@needs_assembler
def test_a_wrong_line_of_ptx_is_shown(tmp_path: Any, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ptx"
    head = ".version 7.0\n.target sm_80\n.address_size 64\n"
    path.write_text(f"{head}.entry k() {{\n  foo.u32 %r1;\n}}\n")
    assert ptx_report.report(str(path), ["sm_80"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"{path}:5:3: error: ptxas: Not a name of any known instruction: 'foo'"
    assert lines[1:3] == ["    foo.u32 %r1;", "    ^^^"]


def test_what_is_no_text_is_an_error(tmp_path: Any, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ptx"
    path.write_bytes(b"\xff\xfe")
    assert ptx_report.report(str(path), ["sm_80"]) == 2
    assert "the input is not UTF-8" in capsys.readouterr().err
    assert ptx_report.report(str(tmp_path / "none"), ["sm_80"]) == 2
    assert "cannot read" in capsys.readouterr().err


@pytest.mark.sampled(4)
@pytest.mark.parametrize("processor", KNOWN)
def test_processors_are_known_to_llvm(processor: str, capfd: pytest.CaptureFixture[str]):
    module = gpu_module(line("reduce add reduced", "", "%x", "f64", "f64"))
    ConvertGPUToNVVMPass().apply(Context(), module)
    text = ptx_text(module, processor)
    assert f".target {processor}\n" in text
    assert "not a recognized processor" not in capfd.readouterr().err


def test_without_an_assembler_the_reason_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ptx_assembly, "find_assembler", lambda: None)
    with pytest.raises(InputError, match="install the package nvidia-cuda-nvcc-cu12"):
        assemble("", "sm_80")
