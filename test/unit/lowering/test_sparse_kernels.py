# Kernels over sparse tiles four ways: what they mean, over regions, in NumPy, as machine code.
from functools import partial
from typing import Any

import numpy as np
import pytest
from kernel_oracle import load_numpy
from sparse_kernels import KERNELS, ROWS, VECTOR, SparseKernel
from sparse_updates import UPDATES
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.parser import Parser

from diablo.dialects.encodings import dense_rank, is_sparse
from diablo.dialects.multiloop import LoopOp
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.lowering.sparse_storage.convert_tensor_block_to_sparse_storage import (
    ConvertTensorBlockToSparseStoragePass,
)
from diablo.lowering.sparse_storage.region_functions import convert_functions
from diablo.passes.analyses.refused import Refused
from diablo.passes.interpreter.interpreted_values import Array, dtype_of, to_value
from diablo.passes.interpreter.interpreter import Interpreter
from diablo.registry import new_context
from diablo.runtime.arrays.patterns import layout
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.compiled import compiled
from diablo.runtime.native import thread_team, work_seen

LETTERS = "nmk"


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 0)
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 1)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")


def parse(text: str) -> tuple[ModuleOp, func.FuncOp]:
    module = Parser(new_context(), text, "kernel.mlir").parse_module()
    module.verify()
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    return module, function


def random_arguments(
    kernel: SparseKernel, function: func.FuncOp, seed: int
) -> tuple[list[Any], dict[str, int]]:
    """Dense arrays for all arguments that are tensors; many elements of sparse ones are zero."""
    rng = np.random.default_rng(seed)
    extents = {letter: int(rng.integers(1, 7)) for letter in LETTERS}
    arrays: list[Any] = []
    for name, argument in zip(kernel.types, function.args, strict=False):
        assert isinstance(argument.type, TensorType)
        shape = tuple(extents[letter] for letter in kernel.shapes[name])
        array = rng.integers(-4, 5, shape) / 2
        if is_sparse(argument.type):
            array[rng.random(shape) < rng.choice([0.3, 0.7, 1.0])] = 0
        arrays.append(array.astype(dtype_of(argument.type.get_element_type())))
    return arrays, extents


def tiles(function: func.FuncOp, arrays: list[Any]) -> list[Any]:
    result: list[Any] = []
    for array, argument in zip(arrays, function.args, strict=False):
        if is_sparse(argument.type):
            assert isinstance(argument.type, TensorType)
            result.append(SparseTile.from_dense(array, dense_rank(argument.type)))
        else:
            result.append(array)
    return result


def plain(value: Any) -> Any:
    if isinstance(value, Array):
        return value.to_numpy()
    return value.toarray() if isinstance(value, SparseTile) else value


def interpreted(module: ModuleOp, arguments: list[Any]) -> Any:
    interpreter = Interpreter(module)
    function = interpreter.functions["kernel"]
    values = [to_value(a, b.type) for a, b in zip(arguments, function.args, strict=True)]
    (result,) = interpreter.call(function, values)
    return plain(result)


def must_not_run(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")


@pytest.mark.sampled(12)
@pytest.mark.parametrize("kernel", [*KERNELS, *UPDATES], ids=lambda kernel: kernel.name)
def test_all_levels_agree(kernel: SparseKernel):
    module, function = parse(kernel.text)
    numpy_function = load_numpy(function)
    native = compile_kernel(function)
    run = compiled(must_not_run, native.llvm_ir, str(native.signature))
    over_regions = module.clone()
    ConvertTensorBlockToSparseStoragePass().apply(new_context(), over_regions)
    over_regions.verify()
    assert any(op.name == "sparse_storage.unpack" for op in over_regions.walk())
    for seed in range(6):
        arrays, extents = random_arguments(kernel, function, seed)
        scalars = [extents[name] for name in kernel.extents]
        expected = interpreted(module, [*arrays, *scalars])
        np.testing.assert_allclose(interpreted(over_regions, [*arrays, *scalars]), expected)
        given = [*tiles(function, arrays), *scalars]
        got = run(*given)
        np.testing.assert_allclose(plain(got), expected, rtol=1e-12)
        same = numpy_function(*given)
        np.testing.assert_allclose(plain(got), plain(same), rtol=1e-12)
        assert np.asarray(plain(got)).dtype == np.asarray(plain(same)).dtype
        if isinstance(got, SparseTile):
            assert isinstance(same, SparseTile)
            assert got.nnz == same.nnz
            assert got.dense_rank == same.dense_rank


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_loops_over_regions_become_loops_over_buffers(kernel: SparseKernel):
    module, _ = parse(kernel.text)
    ConvertTensorBlockToSparseStoragePass(split=True).apply(new_context(), module)
    convert_functions(module)
    module.verify()
    assert not any(op.name.startswith("sparse_storage.") for op in module.walk())


def test_larger_tiles_than_are_read():
    """What lies beyond the extents is left out, here and in NumPy."""
    kernel = next(k for k in KERNELS if k.name == "row_sums")
    module, function = parse(kernel.text)
    native = compile_kernel(function)
    run = compiled(load_numpy(function), native.llvm_ir, str(native.signature))
    over_regions = module.clone()
    ConvertTensorBlockToSparseStoragePass().apply(new_context(), over_regions)
    array = np.arange(1.0, 21.0).reshape(4, 5)
    expected = (array[:3, :2] ** 2).sum(axis=1)
    np.testing.assert_allclose(interpreted(over_regions, [array, 3, 2, 1]), expected)
    np.testing.assert_allclose(run(SparseTile.from_dense(array, 1), 3, 2, 1), expected)


def test_other_tiles_are_left_to_numpy():
    kernel = next(k for k in KERNELS if k.name == "row_sums")
    _, function = parse(kernel.text)
    native = compile_kernel(function)
    calls: list[int] = []
    run = compiled(lambda *_: calls.append(1), native.llvm_ir, str(native.signature))
    array = np.ones((2, 3))
    run(SparseTile.from_dense(array, 0), 2, 3, 1)
    run(SparseTile.from_dense(array.astype(np.float32), 1), 2, 3, 1)
    run(array, 2, 3, 1)
    assert len(calls) == 3
    run(SparseTile.from_dense(array, 1), 2, 3, 1)
    assert len(calls) == 3


def test_rows_are_shared_by_entries():
    from diablo.runtime.kernels.compiled_sparse import _pieces
    from diablo.sparse_kernel_signature import SparseSignature

    array = np.zeros((8, 50))
    array[1] = 1.0
    array[5:] = 1.0
    tile = SparseTile.from_dense(array, 1)
    signature = SparseSignature.parse("f64{1}[1,2] i64 i64 -> f64[1] rows @0 of 1*2")
    pieces = _pieces(tile, signature, 200)
    assert [b for _, b in pieces[:-1]] == [a for a, _ in pieces[1:]]
    assert pieces[0][0] == 0
    assert pieces[-1][1] == 8
    entries = [int(tile.indptr[b] - tile.indptr[a]) for a, b in pieces]
    assert max(entries) <= 100


def refused(text: str) -> str:
    with pytest.raises(Refused) as refusal:
        compile_kernel(parse(text)[1])
    return str(refusal.value)


def test_refusals():
    texts = {kernel.name: kernel.text for kernel in KERNELS}
    rows = texts["row_sums"]
    assert "elements that are not stored contribute" in refused(
        rows.replace("%v = arith.mulf %a, %a : f64", "%v = math.exp %a : f64")
    )
    assert "elements that are not stored contribute" in refused(
        rows.replace("reduce add", "reduce max")
    )
    assert "read beside the point" in refused(rows.replace("%A[d0, d1]", "%A[d0, d1 - 1]"))
    plus = texts["both_stored"].replace("%v = arith.mulf %a, %b", "%v = arith.addf %a, %b")
    plus = plus.replace("%B[d0, d1]", "%B[d1, d0]")
    assert "no input has the pattern of the result" in refused(plus)
    chain = texts["conditional_total"].replace("in %x\n", "in %x probe\n")
    chain = chain.replace("f64, index, f64>", "f64, index, f64, i1>")
    assert "looked up in another way" in refused(chain)
    divided = texts["count"].replace(
        "%v = arith.extui %there : i1 to i64",
        "%w = arith.divsi %a, %a : i64\n%v = arith.select %there, %w, %zero : i64",
    )
    assert refused(divided) == "an integer division may fail"


def test_library_products_stay_with_the_library():
    text = f"""func.func private @kernel(%A: {ROWS}, %x: {VECTOR}, %n: index, %m: index)
        -> {VECTOR} {{
      %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
          ins(%A[d0, d1] : {ROWS}, %x[d1] : {VECTOR}) -> {VECTOR} {{
      ^bb0(%i: index, %j: index, %a: f64, %b: f64):
        %v = arith.mulf %a, %b : f64
        tensor_block.yield %v : f64
      }}
      func.return %r : {VECTOR}
    }}"""
    assert refused(text) == "a library's sparse product is faster"
    plus = text.replace("reduce add", "reduce max").replace("mulf", "minimumf")
    assert "elements that are not stored contribute" in refused(plus)


def test_signatures():
    found: dict[str, str] = {}
    for kernel in KERNELS:
        native = compile_kernel(parse(kernel.text)[1])
        found[kernel.name] = str(native.signature)
    assert found["row_sums"] == "f64{1}[1,2] i64 i64 i64 -> f64[1] rows @0"
    assert found["column_sums"] == "f64{1}[1,2] i64 i64 i64 -> f64[2] whole @0"
    assert found["total"] == "f64{1}[1,2] i64 i64 i64 -> f64(add) rows @0"
    assert found["total_of_coordinates"].endswith("-> f64() whole @0")
    assert found["times_matrix"].endswith("-> f64[2,4] rows @0*4 of 2*4*3")
    assert found["scaled"] == "f64{1}[2,3] f64[3] i64 i64 i64 -> f64{1}@0 rows @0"
    assert found["two_steps"].endswith("-> f64[2] ~f64[3] whole @0")
    assert found["conditional_total"].endswith("-> f64(add) rows @0")


def test_many_points_are_worth_compiling_at_once(monkeypatch: pytest.MonkeyPatch):
    """Where NumPy would make a large tile dense it is not called."""
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 1 << 22)
    monkeypatch.setattr(work_seen, "_points_seen", {})
    size = 1 << 12
    tile = SparseTile.from_positions(np.array([1, size]), np.ones(2), (size, size), 1)
    for name, numpy_runs in (("times_matrix", False), ("row_sums", True), ("scaled", True)):
        text = next(kernel.text for kernel in KERNELS if kernel.name == name)
        native = compile_kernel(parse(text)[1])
        calls: list[int] = []
        run = compiled(partial(noted, calls), native.llvm_ir, str(native.signature))
        dense = {"scaled": [np.ones(size)], "times_matrix": [np.ones((size, 1))]}
        run(tile, *dense.get(name, []), size, size, 1)
        assert bool(calls) == numpy_runs


def noted(calls: list[int], *_: Any) -> None:
    calls.append(1)


def test_tiles_by_columns():
    """NumPy takes them as they are, unless it would make them dense."""
    array = np.arange(12.0).reshape(3, 4)
    by_columns = layout.parse("form = compressed, orders = [[1, 0]]")
    tile = SparseTile.from_dense(array, 1).with_layout(by_columns)
    for name, numpy_runs in (("times_matrix", False), ("row_sums", True)):
        text = next(kernel.text for kernel in KERNELS if kernel.name == name)
        native = compile_kernel(parse(text)[1])
        calls: list[int] = []
        run = compiled(partial(noted, calls), native.llvm_ir, str(native.signature))
        matrix = [np.arange(8.0).reshape(4, 2)] if name == "times_matrix" else []
        result = run(tile, *matrix, 3, 4, 2)
        assert bool(calls) == numpy_runs
        if not numpy_runs:
            np.testing.assert_allclose(result, array @ matrix[0] ** 2)


def test_an_array_that_is_read_twice_at_one_place():
    text = next(kernel.text for kernel in KERNELS if kernel.name == "both_stored")
    total = next(kernel.text for kernel in KERNELS if kernel.name == "union_total")
    for kernel in (text, total):
        module, _ = parse(kernel.replace("%B[d0, d1]", "%A[d0, d1]"))
        ConvertTensorBlockToSparseStoragePass().apply(new_context(), module)
        sources = {op.source.data for op in module.walk() if isinstance(op, LoopOp)}
        assert "stored" in sources
        assert not sources & {"union", "intersect"}
        assert all(op.name != "sparse_storage.lookup" for op in module.walk())


def test_an_array_of_indices_beside_a_sparse_one():
    text = next(kernel.text for kernel in KERNELS if kernel.name == "row_sums")
    made = f"""%g = tensor_block.map parallel(d0 < %m) -> {VECTOR} {{
      ^bb0(%i: index):
        %one = arith.constant 1.0 : f64
        tensor_block.yield %one : f64
      }}
      func.return %r, %g : {VECTOR}, {VECTOR}"""
    text = text.replace(f"func.return %r : {VECTOR}", made)
    text = text.replace(f"-> ({VECTOR}) {{", f"-> ({VECTOR}, {VECTOR}) {{")
    native = compile_kernel(parse(text)[1])
    run = compiled(must_not_run, native.llvm_ir, str(native.signature))
    array = np.arange(6.0).reshape(2, 3)
    sums, ones = run(SparseTile.from_dense(array, 1), 2, 3, 1)
    np.testing.assert_allclose(sums, (array**2).sum(axis=1))
    np.testing.assert_array_equal(ones, np.ones(3))


SUM = f"""
  func.func private @kernel(%A: {ROWS}, %B: {ROWS}, %n: index, %m: index) -> {ROWS} {{
    %r = tensor_block.map parallel(d0 < %n, d1 < %m)
        ins(%A[d0, d1] : {ROWS}, %B[d0, d1] : {ROWS}) -> {ROWS} {{
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %s = arith.subf %a, %b : f64
      tensor_block.yield %s : f64
    }}
    func.return %r : {ROWS}
  }}
"""


def test_tiles_of_one_pattern_are_gone_through_once():
    _, function = parse(SUM)
    native = compile_kernel(function)
    assert "f64{1}[2,3]~@0" in str(native.signature)
    values = np.random.default_rng(3).random((4, 5))
    first = SparseTile.from_dense(np.where(values < 0.5, values, 0.0), 1)
    second = SparseTile.on_pattern(first.pattern, 3 * first.values, 1)
    found = compiled(must_not_run, native.llvm_ir, str(native.signature))(first, second, 4, 5)
    np.testing.assert_allclose(found.toarray(), -2 * first.toarray())
    assert found.pattern is first.pattern


def test_tiles_of_other_patterns_are_left_to_numpy():
    _, function = parse(SUM)
    native = compile_kernel(function)
    run = compiled(load_numpy(function), native.llvm_ir, str(native.signature))
    first = SparseTile.from_dense(np.diag([1.0, 2.0, 3.0]), 1)
    second = SparseTile.from_dense(np.eye(3, k=1), 1)
    found = run(first, second, 3, 3)
    np.testing.assert_allclose(found.toarray(), first.toarray() - second.toarray())


def test_neighbours_in_tiles_of_one_pattern_are_read_by_machine_code():
    beside = SUM.replace("%B[d0, d1]", "%B[d0 - 1, d1]").replace("arith.subf", "arith.mulf")
    native = compile_kernel(parse(beside)[1])
    first = SparseTile.from_dense(np.array([[1.0, 2.0], [3.0, 0.0]]), 1)
    second = SparseTile.on_pattern(first.pattern, 3 * first.values, 1)
    found = compiled(must_not_run, native.llvm_ir, str(native.signature))(first, second, 2, 2)
    np.testing.assert_array_equal(found.toarray(), [[0.0, 0.0], [9.0, 0.0]])
