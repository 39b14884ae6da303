# The emitted NumPy source: which form it takes, and that it is right on tiles of all kinds.
import itertools
from typing import Any

import numpy as np
import pytest
from kernel_oracle import load_numpy, parse_kernel

from diablo.diagnostics import CompileError, RunError
from diablo.lowering.numpy.kernel_to_numpy import emit_numpy_kernel
from diablo.runtime.arrays.tiles import SparseTile
from diablo.runtime.kernels import arithmetic


def contract(
    left: str, right: str, parallel: int, rank: int, types: tuple[str, str, str], product: str = ""
) -> str:
    """A contraction that adds products; `left` and `right` are letters such as `ik`."""
    space = "ijklm"[:rank]
    points = ", ".join(space)
    maps = ", ".join(f"affine_map<({points}) -> ({', '.join(x)})>" for x in (left, right))
    extents = ", ".join(f"%n{d}" for d in space)
    body = product or "%p = arith.mulf %x, %y : f64"
    return f"""func.func private @k(%a: {types[0]}, %b: {types[1]},
        {", ".join(f"%n{d}: index" for d in space)}) -> {types[2]} {{
      %c = "tensor_block.reduce"(%a, %b, {extents}) <{{monoid = "add",
          parallel = {parallel} : i64, indexing_maps = [{maps}],
          operandSegmentSizes = array<i32: 2, {rank}, 0, 0>}}> ({{
      ^body({", ".join(f"%{d}: index" for d in space)}, %x: f64, %y: f64):
        {body}
        "tensor_block.yield"(%p) : (f64) -> ()
      }}) : ({types[0]}, {types[1]}, {", ".join(["index"] * rank)}) -> {types[2]}
      func.return %c : {types[2]}
    }}"""


def tensor_type(rank: int, dense: int | None = None) -> str:
    storage = "" if dense in (None, rank) else f", #tensor_block.storage<dense = {dense}>"
    return f"tensor<{'?x' * rank}f64{storage}>"


def tile(array: Any, dense: int) -> Any:
    return array if dense == array.ndim else SparseTile.from_dense(array, dense)


@pytest.mark.parametrize(
    ("left", "right", "parallel", "text"),
    [
        ("ik", "kj", 2, "matrix_products.product(a[:ni, :nk], b[:nk, :nj])"),
        ("ki", "kj", 2, "matrix_products.product(a[:nk, :ni].T, b[:nk, :nj])"),
        ("ik", "jk", 2, "matrix_products.product(a[:ni, :nk], b[:nj, :nk].T)"),
        ("kj", "ki", 2, "matrix_products.product(b[:nk, :ni].T, a[:nk, :nj])"),
        ("ij", "j", 1, "matrix_products.product(a[:ni, :nj], b[:nj])"),
        ("j", "ji", 1, "matrix_products.product(b[:nj, :ni].T, a[:nj])"),
        ("i", "i", 0, "dot_products.dot(a[:ni], b[:ni])"),
        ("ikl", "klj", 2, "np.tensordot"),
        ("ij", "ij", 0, "dot_products.dot(a[:ni, :nj], b[:ni, :nj])"),
        ("ijk", "ijk", 0, "dot_products.dot("),
        ("ij", "ji", 0, "np.tensordot"),
        ("ij", "ij", 1, "np.einsum"),
        ("ilk", "ijl", 3, "np.einsum"),
    ],
)
def test_products_are_library_calls(left: str, right: str, parallel: int, text: str):
    rank = len({*left, *right})
    types = (tensor_type(len(left)), tensor_type(len(right)), _result(parallel))
    function = parse_kernel(contract(left, right, parallel, rank, types))
    assert text in emit_numpy_kernel(function)
    _check_contract(function, left, right, parallel, (len(left), len(right)), parallel)


def _result(parallel: int, dense: int | None = None) -> str:
    return tensor_type(parallel, dense) if parallel else "f64"


def _check_contract(
    function: Any, left: str, right: str, parallel: int, dense: tuple[int, int], dense_out: int
) -> None:
    rng = np.random.default_rng(1)
    letters = sorted({*left, *right})
    extents = dict(zip(letters, (3, 4, 5, 2), strict=False))
    for larger in (0, 2):
        arrays = [
            np.where(rng.random(shape) < 0.6, rng.normal(size=shape), 0.0)
            for shape in ([extents[d] + larger for d in x] for x in (left, right))
        ]
        a, b = (
            x[tuple(slice(extents[d]) for d in letters)]
            for x, letters in zip(arrays, (left, right), strict=True)
        )
        expected = np.einsum(f"{left},{right}->{''.join(letters[:parallel])}", a, b)
        tiles = [tile(x, d) for x, d in zip(arrays, dense, strict=True)]
        got = load_numpy(function)(*tiles, *extents.values())
        if dense_out < parallel:
            assert isinstance(got, SparseTile)
            assert got.dense_rank == dense_out
            got = got.toarray()
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)
        assert np.shape(got) == expected.shape


SPARSE_CASES = [
    (left, right, parallel, dense, out)
    for left, right, parallel in [
        ("ik", "kj", 2),
        ("ki", "kj", 2),
        ("ik", "jk", 2),
        ("kj", "ki", 2),
        ("ij", "j", 1),
        ("j", "ji", 1),
        ("ji", "j", 1),
        ("i", "i", 0),
        ("ij", "ij", 0),
        ("ijl", "lk", 3),
        ("ij", "ij", 1),
    ]
    for dense in itertools.product(range(len(left) + 1), range(len(right) + 1))
    if dense != (len(left), len(right))
    for out in {0, parallel, min(1, parallel)}
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("left", "right", "parallel", "dense", "out"), SPARSE_CASES)
def test_sparse_products(left: str, right: str, parallel: int, dense: tuple[int, int], out: int):
    rank = len({*left, *right})
    types = (
        tensor_type(len(left), dense[0]),
        tensor_type(len(right), dense[1]),
        _result(parallel, out),
    )
    function = parse_kernel(contract(left, right, parallel, rank, types))
    text = emit_numpy_kernel(function)
    if not parallel:
        assert "sparse_points.union(" in text
    elif left != right:
        both_sparse = dense[0] < len(left) and dense[1] < len(right)
        # A tile times a vector is a product of its own: such tiles are used again.
        assert "arithmetic.matrix(" in text or (
            "sparse_products.product(" in text and not both_sparse
        )
    _check_contract(function, left, right, parallel, dense, out)


def test_a_body_that_is_no_product_is_reduced_in_chunks(monkeypatch: pytest.MonkeyPatch):
    text = contract(
        "ik", "kj", 2, 3, ("tensor<?x?xf64>",) * 3, product="%p = arith.minimumf %x, %y : f64"
    )
    function = parse_kernel(text)
    assert "arithmetic.chunks(ni, nj * nk)" in emit_numpy_kernel(function)
    monkeypatch.setattr(arithmetic, "CHUNK_ELEMENTS", 7)
    a, b = np.random.default_rng(2).random((2, 6, 6))
    expected = np.minimum(a[:, :, None], b[None]).sum(1)
    np.testing.assert_allclose(load_numpy(function)(a, b, 6, 6, 6), expected)


DIVISION = """func.func private @k(%a: tensor<?xi64>, %b: tensor<?xi64>, %n: index)
    -> tensor<?xi64> {
  %r = "tensor_block.map"(%a, %b, %n) <{
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      operandSegmentSizes = array<i32: 2, 1, 0, 0>}> ({
  ^body(%i: index, %x: i64, %y: i64):
    %zero = arith.constant 0 : i64
    %live = arith.cmpi sgt, %x, %zero : i64
    %v = scf.if %live -> (i64) {
      %q = arith.divsi %x, %y : i64 loc("p.diablo":3:7)
      %s = arith.remsi %q, %y : i64 loc("p.diablo":3:9)
      scf.yield %s : i64
    } else {
      scf.yield %x : i64
    }
    "tensor_block.yield"(%v) : (i64) -> ()
  }) : (tensor<?xi64>, tensor<?xi64>, index) -> tensor<?xi64>
  func.return %r : tensor<?xi64>
}"""


def test_a_guard_protects_a_division():
    kernel = load_numpy(parse_kernel(DIVISION))
    a, b = np.array([7, -1, 0, 9]), np.array([2, 0, 0, -2])
    np.testing.assert_array_equal(kernel(a, b, 4), [1, -1, 0, 0])


def test_a_division_by_zero_is_an_error_with_its_place():
    kernel = load_numpy(parse_kernel(DIVISION))
    with pytest.raises(RunError, match=r"p\.diablo:3:7: integer division by zero"):
        kernel(np.array([1, 1]), np.array([1, 0]), 2)


def test_an_unknown_op_is_a_located_error():
    text = """func.func private @k(%a: index) -> index {
      %b = "tensor_block.nonsense"(%a) : (index) -> index
      func.return %b : index
    }"""
    with pytest.raises(Exception, match=r"nonsense"):
        parse_kernel(text)
    text = """func.func private @k(%a: i64) -> i64 {
      %b = math.ctpop %a : i64 loc("p.diablo":2:5)
      func.return %b : i64
    }"""
    with pytest.raises(CompileError) as caught:
        emit_numpy_kernel(parse_kernel(text))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == "math.ctpop is not supported in a block kernel"
    assert diagnostic.span is not None
    assert (diagnostic.span.file, diagnostic.span.line) == ("p.diablo", 2)


ROWS = """func.func private @k(%rows: !comprehension.bag<i64, f64>, %v: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, f64) {
  %0 = "tensor_block.filter"(%rows) ({
  ^body(%key: i64, %value: f64):
    %zero = arith.constant 0.0 : f64
    %ok = arith.cmpf ogt, %value, %zero : f64
    "tensor_block.yield"(%ok) : (i1) -> ()
  }) : (!comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64>
  %1 = "tensor_block.extend"(%0) ({
  ^body(%key: i64, %value: f64):
    %index = arith.index_cast %key : i64 to index
    "tensor_block.yield"(%index) : (index) -> ()
  }) : (!comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64, index>
  %2 = "tensor_block.lookup"(%1, %v) <{columns = array<i64: 2>}>
    : (!comprehension.bag<i64, f64, index>, tensor<?xf64>)
    -> !comprehension.bag<i64, f64, index, f64>
  %3 = "tensor_block.extend"(%2) ({
  ^body(%key: i64, %value: f64, %index: index, %other: f64):
    %p = arith.mulf %value, %other : f64
    "tensor_block.yield"(%p) : (f64) -> ()
  }) : (!comprehension.bag<i64, f64, index, f64>)
    -> !comprehension.bag<i64, f64, index, f64, f64>
  %4 = "tensor_block.project"(%3) <{columns = array<i64: 2, 4>}>
    : (!comprehension.bag<i64, f64, index, f64, f64>) -> !comprehension.bag<index, f64>
  %5 = "tensor_block.group_reduce"(%4) <{keys = 1 : i64, monoids = ["add"]}>
    : (!comprehension.bag<index, f64>) -> !comprehension.bag<index, f64>
  %6 = "tensor_block.from_bag"(%5, %n) <{monoid = "add",
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}>
    : (!comprehension.bag<index, f64>, index) -> tensor<?xf64>
  %7 = "tensor_block.project"(%4) <{columns = array<i64: 1>}>
    : (!comprehension.bag<index, f64>) -> !comprehension.bag<f64>
  %8 = "tensor_block.fold"(%7) <{monoid = "max"}> : (!comprehension.bag<f64>) -> f64
  func.return %6, %8 : tensor<?xf64>, f64
}"""


def test_row_ops_call_the_row_functions():
    kernel = load_numpy(parse_kernel(ROWS))
    batch = (np.array([0, 2, 2, 1, 7]), np.array([1.0, 2.0, 3.0, -1.0, 5.0]))
    total, largest = kernel(batch, np.array([10.0, 20.0, 30.0]), 3)
    np.testing.assert_allclose(total, [10.0, 0.0, 150.0])
    assert largest == 90.0


def test_sparse_tiles_are_read_with_their_implicit_value():
    text = """func.func private @k(%a: tensor<?x?xf64, #tensor_block.storage<dense = 1>>,
        %n: index, %m: index) -> tensor<?x?xf64, #tensor_block.storage<dense = 1>> {
      %r = "tensor_block.map"(%a, %n, %m) <{indexing_maps = [affine_map<(i, j) -> (j, i)>],
          operandSegmentSizes = array<i32: 1, 2, 0, 0>}> ({
      ^body(%i: index, %j: index, %x: f64):
        %v = arith.addf %x, %x : f64
        "tensor_block.yield"(%v) : (f64) -> ()
      }) : (tensor<?x?xf64, #tensor_block.storage<dense = 1>>, index, index)
        -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
      func.return %r : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    }"""
    a = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]])
    got = load_numpy(parse_kernel(text))(SparseTile.from_dense(a, 1), 3, 2)
    assert isinstance(got, SparseTile)
    np.testing.assert_array_equal(got.toarray(), 2 * a.T)
    assert got.nnz == 3
