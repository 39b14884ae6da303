# Lazy arrays: what is computed when, by which programs and kernels, and what costs nothing.
import copy
import pickle
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import diablo.array as da
from diablo.array import evaluation
from diablo.array.array_programs import program_for
from diablo.array.evaluation import ProgramStep, steps_of
from diablo.array.expression_graph import pending
from diablo.array.graph_structure import structure_of
from diablo.diagnostics import InputError
from diablo.passes import merge_kernel_calls

Array = NDArray[Any]


def _steps(*arrays: Any) -> list[Any]:
    nodes = [array.node for array in arrays]
    return steps_of(pending(nodes), nodes)


def _structures(*arrays: Any) -> list[Any]:
    steps = [step for step in _steps(*arrays) if isinstance(step, ProgramStep)]
    return [structure_of(step.order, step.outputs) for step in steps]


def _kernels(*arrays: Any) -> int:
    """Return how many kernels the one program of some arrays has."""
    (structure,) = _structures(*arrays)
    return str(program_for(structure, distributed=False).module).count("func.func private @kernel")


def _matrix(rows: int = 20, columns: int = 30) -> Array:
    return np.random.default_rng(rows).random((rows, columns))


def _local(array: Any) -> Array:
    return array.compute(engine="local").to_numpy()


# ---- whole expressions are few kernels -------------------------------------------------


ONE_KERNEL: dict[str, Callable[[Any, Any], Any]] = {
    "elementwise": lambda a, b: da.sqrt(a * 2 + b) / (a - 1),
    "a fold": lambda a, b: da.sum((a - b) ** 2, axis=0),
    "a fold to a number": lambda a, b: da.max(da.abs(a - b)),
    "the same twice": lambda a, b: (a + b) * (a + b) - (a + b),
    "parts": lambda a, b: a[1:, :] - a[:-1, :] + b[:-1, :],
    "views of what is computed": lambda a, b: da.flip((a + b).T, axis=0)[::2] * 3,
    "rows beside columns": lambda a, b: a * b[0, :] + b[:, 1][:, None],
    "a choice": lambda a, b: da.where(a > b, a, 0),
    "numbers everywhere": lambda a, b: da.zeros((20, 30)) + da.ones((20, 30)) * a,
    "a stack that is cut": lambda a, b: da.reshape(a, (4, 5, 30))[:, 1] + 1,
    "products": lambda a, b: a @ b.T,
    "a sum of products": lambda a, b: da.einsum("ij,ij->i", a, b),
}


@pytest.mark.parametrize("name", ONE_KERNEL)
def test_an_expression_is_one_kernel(name: str):
    x, y = _matrix(), _matrix() + 1
    lazy = ONE_KERNEL[name](da.asarray(x), da.asarray(y))
    assert _kernels(lazy) == 1
    expected = np.asarray(ONE_KERNEL[name](da.asarray(x), da.asarray(y)))
    np.testing.assert_allclose(_local(lazy), expected, rtol=1e-12)


def test_what_is_needed_first_is_a_kernel_of_its_own():
    x = _matrix()
    a = da.asarray(x)
    assert _kernels(a - da.sum(a, axis=0)) == 2
    assert _kernels(a - da.mean(a, axis=0)) == 2  # The means are not divided for each row.
    np.testing.assert_allclose(_local(a - da.mean(a, axis=0)), x - x.mean(axis=0))


def test_what_two_folds_share_is_computed_once():
    a = da.asarray(_matrix())
    root = da.exp(a)
    text = da.explain(da.sum(root), da.max(root), level="tensor_block")
    assert text.count("math.exp") == 1


def test_a_row_that_all_rows_need_is_computed_once():
    a, b = da.asarray(_matrix()), da.asarray(_matrix()[0])
    text = da.explain(a * da.exp(b), level="tensor_block")
    assert text.count("tensor_block.map") == 2
    assert "parallel(d0 < " in text.partition("math.exp")[0]


def test_operands_of_a_library_are_arrays():
    a, b = da.asarray(_matrix()), da.asarray(_matrix())
    text = da.explain((a + 1) @ b.T, level="tensor_block")
    assert text.count("tensor_block.map") == 1
    assert "tensor_block.reduce add" in text
    cut = da.explain(a[:, ::2] @ b[:, ::2].T, level="tensor_block")
    assert cut.count("tensor_block.map") == 2


def test_equal_expressions_are_one():
    a = da.asarray(_matrix())
    text = da.explain((da.exp(a) + 1) * (da.exp(a) + 1), level="tensor_block")
    assert text.count("math.exp") == 1


def test_folds_are_of_what_has_been_reshaped():
    x = np.random.default_rng(2).standard_normal((4, 5, 6))
    joined = (da.asarray(x).T + 1).reshape((30, 4))
    text = da.explain(joined.sum(axis=0, keepdims=True), level="tensor_block")
    assert "reshape of NumPy's" not in text
    for axis in (None, 0, -1, (0, 1)):
        for keepdims in (False, True):
            expected = (x.T + 1).reshape((30, 4)).max(axis=axis, keepdims=keepdims)
            np.testing.assert_array_equal(
                da.max(joined, axis=axis, keepdims=keepdims).to_numpy(), expected
            )
    # An axis that is made of a part of another one needs the elements in order.
    apart = (da.asarray(x).T + 1).reshape((12, 10)).sum(axis=0)
    assert "reshape of NumPy's" in da.explain(apart, level="tensor_block")
    np.testing.assert_allclose(apart.to_numpy(), (x.T + 1).reshape((12, 10)).sum(axis=0))


def test_one_number_of_another_shape_takes_no_memory():
    ones = da.ones((10**6, 10**6))
    assert float(da.sum(ones.reshape(-1))) == 1e12
    summed = (ones * 2 + 1).reshape((10**3, 10**9)).sum(axis=0)
    tracemalloc.start()
    assert (summed[:2] == 3000).all()
    assert (summed.to_numpy()[-2:] == 3000).all()
    assert (summed[2:4] == 3000).all()
    given = da.asarray(np.broadcast_to(np.arange(3.0)[:, None], (3, 10**9)))
    assert float((given[:, 5:7] + 1).sum()) == 12
    # The same program, of what lies in memory in the other order.
    assert float((given.T[5:7] + 1).sum()) == 12
    assert tracemalloc.get_traced_memory()[1] < 1 << 26
    tracemalloc.stop()


def test_truth_values_of_no_extent_fit_any():
    a, none = da.zeros((0, 3)), np.zeros((0, 0), np.bool_)
    assert a[none].shape == (0,)
    assert da.sparse(np.zeros((0, 3)))[none].shape == (0,)


def test_products_that_are_not_summed_keep_the_sign_of_zeros():
    a, b = np.array([0.0, -1.0]), np.array([-0.0, 2.0])
    found = da.linalg.outer(da.asarray(a), da.asarray(b)).to_numpy()
    assert np.signbit(found).tolist() == [[True, False], [False, True]]
    turned = da.einsum("i,jk->kij", da.asarray(a), da.asarray([b])).to_numpy()
    np.testing.assert_array_equal(turned, np.einsum("i,jk->kij", a, [b]))


# ---- structures ------------------------------------------------------------------------


def test_sizes_and_numbers_are_no_part_of_a_structure():
    def key(extent: int, number: float) -> Any:
        a = da.asarray(np.zeros((extent, 50)))
        (structure,) = _structures((a[3:, 10:40] + number).sum(axis=0))
        return structure.key

    assert key(100, 2.5) == key(200, 7.5)
    assert key(100, 2.5) != key(5, 2.5)  # Small extents are written out.
    assert key(100, 2.5) != key(50, 2.5)  # Equal ones may be one.


def test_a_structure_is_compiled_once(monkeypatch: pytest.MonkeyPatch):
    from diablo.array import array_programs

    made: list[Any] = []
    original = array_programs.written

    def counted(structure: Any, *, distributed: bool) -> Any:
        made.append(structure)
        return original(structure, distributed=distributed)

    monkeypatch.setattr(array_programs, "written", counted)
    array_programs._programs.clear()  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setenv("DIABLO_CACHE", "off")
    for extent in (40, 50, 60):
        x = np.arange(float(extent))
        np.testing.assert_allclose(_local((da.asarray(x) * 3 + 1) / 7), (x * 3 + 1) / 7)
    assert len(made) == 1


def test_work_decides_who_computes(monkeypatch: pytest.MonkeyPatch):
    ran: list[Any] = []
    original = evaluation._run  # pyright: ignore[reportPrivateUsage]

    def noted(structure: Any, options: Any) -> Any:
        ran.append(structure)
        return original(structure, options)

    monkeypatch.setattr(evaluation, "_run", noted)
    monkeypatch.setattr(evaluation, "WORTH_A_PROGRAM", 1 << 18)
    monkeypatch.delenv("DIABLO_COMPILE", raising=False)
    x = np.arange(50_000.0)
    for _ in range(6):
        (da.asarray(x) * 5 - 2).to_numpy()
        (da.asarray(x[:100]) * 5 - 2).to_numpy()
    assert 0 < len(ran) < 6


def test_nobody_looks_for_programs_of_many_small_operations(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DIABLO_COMPILE", raising=False)
    monkeypatch.setattr(evaluation, "structure_of", None)  # It is not called.
    a = da.asarray(np.arange(10.0))
    b = a
    for _ in range(4000):  # More elements than make it worth a look, but few in each.
        b = b + 1
    assert b.to_numpy().tolist() == [4000.0 + k for k in range(10)]
    monkeypatch.undo()
    seen: list[Any] = []
    original = evaluation.structure_of
    monkeypatch.setattr(evaluation, "structure_of", lambda *s: seen.append(s) or original(*s))
    c = da.asarray(np.arange(1000.0))
    for _ in range(40):
        c = c + 1
    c.compute()
    assert seen


def test_several_arrays_are_one_program():
    a = da.asarray(_matrix())
    one, other = da.sum(a + 1), da.max(a + 1)
    assert len(_structures(one, other)) == 1
    da.compute(one, other, engine="local")
    assert one.is_computed
    assert other.is_computed


def test_what_numpy_computes_stands_between_programs():
    x = _matrix()
    lazy = da.sort(da.asarray(x) * 2, axis=0)[::-1] + 1
    kinds = [isinstance(step, ProgramStep) for step in _steps(lazy)]
    assert kinds == [True, False, True]
    np.testing.assert_allclose(_local(lazy), np.sort(x * 2, axis=0)[::-1] + 1)
    assert "_sorted of NumPy's" in da.explain(da.sort(da.asarray(x)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint32", "int8"])
def test_sorting_keeps_the_order_of_equal_elements(dtype: str):
    x = np.random.default_rng(1).integers(0, 50, (3, 500)).astype(dtype)
    np.testing.assert_array_equal(da.sort(da.asarray(x)).to_numpy(), np.sort(x))
    if np.dtype(dtype).kind == "f":
        x = x * np.where(np.arange(500) % 3, 1, -1).astype(dtype)
        x[0, :9] = np.nan
        x[1, ::7] = -0.0
        found, expected = da.sort(da.asarray(x)).to_numpy(), np.sort(x, kind="stable")
        np.testing.assert_array_equal(found, expected)
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(expected)[numbers])


# ---- views cost nothing ----------------------------------------------------------------


VIEWS: dict[str, Callable[[Any, Any], Any]] = {
    "part": lambda xp, a: a[2:9:3, ::-1],
    "row": lambda xp, a: a[3],
    "new axis": lambda xp, a: a[:, None, ..., 0],
    "transposed": lambda xp, a: xp.permute_dims(a, (1, 0)),
    "repeated": lambda xp, a: xp.broadcast_to(a, (4, *a.shape)),
    "cut": lambda xp, a: xp.reshape(a, (2, a.shape[0] // 2, a.shape[1])),
    "flipped": lambda xp, a: xp.flip(a),
    "diagonal": lambda xp, a: xp.linalg.diagonal(a),
    "views of views": lambda xp, a: xp.flip(a[1:, ::2].T, axis=1)[None, ::2],
}


@pytest.mark.parametrize("engine", [None, "local"])
@pytest.mark.parametrize("name", VIEWS)
def test_a_view_moves_no_byte(name: str, engine: Any):
    x = _matrix(20, 30)
    view = VIEWS[name](da, da.asarray(x)).compute(engine=engine).to_numpy()
    np.testing.assert_array_equal(view, VIEWS[name](np, x))
    assert np.shares_memory(view, x)


@pytest.mark.parametrize("name", VIEWS)
def test_kernels_read_through_views(name: str):
    x = _matrix(20, 30)
    lazy = da.sum(VIEWS[name](da, da.asarray(x)) * 2)
    assert _kernels(lazy) == 1
    text = da.explain(lazy, level="tensor_block")
    assert "tensor_block.map" not in text  # No array is made for the view.
    np.testing.assert_allclose(float(lazy), (VIEWS[name](np, x) * 2).sum())


def test_a_view_of_what_is_computed_is_no_copy():
    result = (da.asarray(_matrix()) + 1).T.compute(engine="local").to_numpy()
    assert not result.flags.owndata


def test_a_small_part_is_all_that_is_computed():
    lazy = da.exp(da.asarray(_matrix()))[2:4, 0]
    text = da.explain(lazy, level="tensor_block")
    assert "parallel(d0 < %" in text
    assert "d1 < " not in text


def test_an_array_in_another_order_is_read_where_it_is():
    x = np.asfortranarray(_matrix())
    (structure,) = _structures(da.asarray(x) + 1)
    (argument,) = structure.arguments()[:1]
    assert np.shares_memory(argument, x)
    np.testing.assert_array_equal(_local(da.asarray(x) + 1), x + 1)


# ---- laziness --------------------------------------------------------------------------


def test_nothing_is_computed_before_it_is_looked_at():
    a = da.asarray(_matrix())
    lazy = [
        a + 1,
        da.sort(a),
        da.linalg.inv(a[:20, :20]),
        da.fft.fft(a),
        a @ a.T,
        da.unique_values(a),
    ]
    assert not any(array.is_computed for array in lazy)
    assert lazy[0].shape == (20, 30)
    assert not lazy[0].is_computed
    assert repr(lazy[0]).startswith("array([[")
    assert lazy[0].is_computed


@pytest.mark.parametrize(
    ("function", "shape", "dtype"),
    [
        (lambda a: da.linalg.svd(a).U, (20, 20), "float64"),
        (lambda a: da.linalg.svd(a, full_matrices=False).Vh, (20, 30), "float64"),
        (lambda a: da.linalg.qr(a).R, (20, 30), "float64"),
        (lambda a: da.fft.rfft(a), (20, 16), "complex128"),
        (lambda a: da.fft.irfftn(a), (20, 58), "float64"),
        (lambda a: da.argsort(a), (20, 30), "int64"),
        (lambda a: da.concat([a, a], axis=1), (20, 60), "float64"),
        (lambda a: da.take(a, da.asarray([1, 2]), axis=1), (20, 2), "float64"),
        (lambda a: a[da.asarray([[0, 1]]), :, None], (1, 2, 30, 1), "float64"),
        (lambda a: a[[]], (0, 30), "float64"),
        (lambda a: a[:, None, da.asarray([0, 1])], (20, 1, 2), "float64"),
        (lambda a: da.cumulative_sum(a, axis=1, include_initial=True), (20, 31), "float64"),
        (lambda a: da.mean(a, axis=(0, 1), keepdims=True), (1, 1), "float64"),
        (lambda a: da.repeat(a, 2, axis=0), (40, 30), "float64"),
    ],
)
def test_shapes_are_known_before(function: Callable[..., Any], shape: Any, dtype: str):
    lazy = function(da.asarray(_matrix()))
    assert lazy.shape == shape
    assert lazy.dtype == np.dtype(dtype)
    assert not lazy.is_computed
    assert lazy.to_numpy().shape == shape
    assert lazy.to_numpy().dtype == np.dtype(dtype)


def test_a_shape_that_depends_on_the_data_is_computed_when_it_is_asked_for():
    a = da.asarray(np.asarray([3.0, -1.0, 2.0]))
    positive = a[a > 0]
    assert not positive.is_computed
    assert positive.shape == (2,)
    np.testing.assert_array_equal((positive * 2).to_numpy(), [6, 4])


def test_what_is_computed_is_kept():
    a = da.asarray(_matrix())
    total = da.sum(a)
    total.compute()
    assert not _steps(total)
    assert len(pending([(total + 1).node])) == 1


@pytest.mark.parametrize("count", [2000, 10_000])
def test_deep_graphs_do_not_recurse(count: int):
    a = da.asarray(np.ones(3))
    for _ in range(count):
        a = a + 1
    np.testing.assert_array_equal(a.to_numpy(), [count + 1] * 3)


def test_a_graph_of_many_operations_is_several_programs():
    a = da.asarray(np.ones(10))
    for _ in range(1100):
        a = a * 1.0 + 1
    assert len(_steps(a)) == 5
    np.testing.assert_array_equal(_local(a), np.full(10, 1101.0))


def test_threads_share_arrays():
    from concurrent.futures import ThreadPoolExecutor

    x = np.arange(1000.0)
    for engine in (None, "local"):
        shared = da.asarray(x) * 2
        for _ in range(20):
            shared = da.sort(shared + 1)

        def total(k: int, base: Any = shared, engine: Any = engine) -> float:
            return float((base + k).sum().compute(engine=engine))

        with ThreadPoolExecutor(4) as pool:
            totals = list(pool.map(total, range(12)))
        assert totals == [float((x * 2 + 20 + k).sum()) for k in range(12)]


def test_small_operations_cost_little():
    x = np.ones(10)

    def once() -> float:
        a = da.asarray(x)
        return float(((a + 1) * 2 - a / 4).sum())

    once()
    begin = time.process_time()
    for _ in range(300):
        once()
    # Five operations; the bound is one that busy machines keep.
    assert (time.process_time() - begin) / 300 / 5 < 400e-6


# ---- mutation --------------------------------------------------------------------------


def test_assignment_changes_nobody_else():
    x = np.arange(6.0)
    a = da.asarray(x)
    b, view = a + 0, a[::2]
    a[1:3] = 9
    a[da.asarray([5])] = -1
    a[a == 0] = 7
    np.testing.assert_array_equal(a.to_numpy(), [7, 9, 9, 3, 4, -1])
    np.testing.assert_array_equal(b.to_numpy(), x)
    np.testing.assert_array_equal(view.to_numpy(), x[::2])
    np.testing.assert_array_equal(x, np.arange(6.0))


def test_views_of_what_is_assigned_to_stay():
    a = da.asarray(np.zeros(4))
    a[0] = 1
    view = a[::-1]
    a[1] = 2
    np.testing.assert_array_equal((view + a).to_numpy(), [1, 2, 0, 1])


@pytest.mark.parametrize("engine", [None, "local"])
def test_a_failed_assignment_leaves_all_as_it_was(engine: Any):
    a = da.asarray(np.zeros(3))
    a[0] = 1
    before = da.asarray(a, copy=True)
    a[da.asarray([0, 8]) + da.asarray([0, 1])] = 5
    with pytest.raises(IndexError, match="out of bounds"):
        (a + 1).compute(engine=engine)
    np.testing.assert_array_equal(before.to_numpy(), [1, 0, 0])


def test_operators_with_an_assignment():
    a = da.asarray(np.arange(4))
    b = a
    a += 1
    np.testing.assert_array_equal(b.to_numpy(), [1, 2, 3, 4])
    with pytest.raises(TypeError, match="cannot become"):
        a /= 2
    with pytest.raises(ValueError, match="cannot become"):
        a += np.ones((2, 4), int)


def test_results_are_nobodys_to_write():
    result = (da.asarray(np.ones(3)) + 1).to_numpy()
    assert not result.flags.writeable
    copied = np.array(da.asarray(np.ones(3)))
    copied[0] = 5


# ---- others ----------------------------------------------------------------------------


def test_operators_take_numpy_on_either_side():
    x = _matrix()
    a = da.asarray(x)
    for lazy, expected in (
        (x + a, x + x),
        (a - x, x - x),
        (x @ a.T, x @ x.T),
        (np.float32(2) * a, np.float32(2) * x),
        (2**a, 2**x),
        (x < a, x < x),
    ):
        assert isinstance(lazy, da.Array)
        np.testing.assert_allclose(lazy.to_numpy(), expected)


def test_functions_of_numpy():
    x = _matrix()
    a = da.asarray(x)
    for function in (
        lambda v: np.exp(v),
        lambda v: np.add(v, 1),
        lambda v: np.mean(v, axis=0),
        lambda v: np.std(v, ddof=1),
        lambda v: np.concatenate([v, v], axis=1),
        lambda v: np.where(v > 0.5, v, 0),
        lambda v: np.transpose(v),
        lambda v: np.cumsum(v, axis=0),
        lambda v: np.linalg.inv(v[:20, :20]),
        lambda v: v.sum(axis=1) + v.std(ddof=1),
        lambda v: v.reshape(30, 20).transpose(1, 0).mean(axis=0, keepdims=True),
        lambda v: np.add.reduce(v, axis=1),
    ):
        lazy = function(a)
        assert isinstance(lazy, da.Array)
        np.testing.assert_allclose(lazy.to_numpy(), function(x), rtol=1e-6)
    # What has no lazy counterpart is NumPy's.
    np.testing.assert_allclose(np.percentile(a, 30), np.percentile(x, 30))
    np.testing.assert_allclose(np.median(a, axis=0), np.median(x, axis=0))


def test_stacks_of_matrices_are_products_of_a_library():
    x, y = np.ones((3, 4, 5)), np.ones((3, 5, 6))
    (step,) = _steps(da.asarray(x) @ da.asarray(y))
    assert not isinstance(step, ProgramStep)
    (step,) = _steps(da.asarray(x.astype(int)) @ da.asarray(y.astype(int)))
    assert isinstance(step, ProgramStep)


@pytest.mark.parametrize("engine", [None, "local"])
def test_floats_that_programs_do_not_know(engine: Any):
    x = np.arange(12, dtype=np.float16).reshape(3, 4)
    a = da.asarray(x)
    for lazy, expected in (
        (a * 2 + np.float32(1), x * 2 + np.float32(1)),
        (da.where(a > 1, a, np.ones((3, 4))), np.where(x > 1, x, np.ones((3, 4)))),
        (da.astype(a[:, ::2], da.float64).T + 1, x[:, ::2].T.astype(float) + 1),
        (da.sum(a, axis=0), x.sum(axis=0)),
    ):
        found = lazy.compute(engine=engine).to_numpy()
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def test_inputs_of_other_kinds():
    import scipy.sparse

    import diablo

    sparse = scipy.sparse.csr_array(np.eye(4))
    np.testing.assert_array_equal((da.asarray(sparse) + 1).to_numpy(), np.eye(4) + 1)
    result = diablo.compile("input A: matrix[Double]; tensor(4,4)[ ((i,j), a+1) | ((i,j),a) <- A ]")
    made = result(A=np.eye(4))
    np.testing.assert_array_equal((da.asarray(made) * 2).to_numpy(), (np.eye(4) + 1) * 2)
    assert da.from_dlpack(np.arange(3)).shape == (3,)
    assert np.from_dlpack(da.asarray(np.arange(3)) + 1).tolist() == [1, 2, 3]
    assert da.asarray([[1, da.asarray(2)]]).shape == (1, 2)
    with pytest.raises(TypeError, match="numbers or truth values"):
        da.asarray(["a"])
    lazy = da.asarray([1, 2])
    assert da.asarray(lazy) is lazy
    assert da.asarray(lazy, copy=True) is not lazy
    with pytest.raises(TypeError, match="masked"):
        da.asarray(np.ma.masked_less([1.0, 2.0], 1.5))
    assert da.asarray(np.ma.masked_less([1.0, 2.0], 0)).shape == (2,)


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("ij,jk->ik", [(3, 4), (4, 5)]),
        ("ij,jk,kl->il", [(3, 4), (4, 5), (5, 6)]),
        ("ii->i", [(4, 4)]),
        ("ii", [(4, 4)]),
        ("ij->ji", [(3, 4)]),
        ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
        ("ij,ij->", [(3, 4), (3, 4)]),
        ("i,j->ij", [(3,), (4,)]),
        ("ijk,k->ij", [(2, 3, 4), (4,)]),
        ("ij,kl->i", [(2, 3), (4, 5)]),
        ("...ij,...jk->...ik", [(2, 1, 3, 4), (5, 4, 3)]),
        ("ij,ij->i", [(1, 4), (3, 1)]),
    ],
)
@pytest.mark.parametrize("engine", [None, "local"])
def test_sums_of_products(text: str, shapes: list[Any], engine: Any):
    rng = np.random.default_rng(1)
    values = [rng.random(shape) for shape in shapes]
    lazy = da.einsum(text, *map(da.asarray, values)).compute(engine=engine)
    np.testing.assert_allclose(lazy.to_numpy(), np.einsum(text, *values))


def test_sums_of_products_of_numbered_axes():
    x, y = _matrix(3, 4), _matrix(4, 5)
    for made in (da.asarray, da.sparse):
        a, b = made(x), made(y)
        for axes in ([0, 1], [1, 2], [0, 2]), ([1, 0], [0, 30]), ([..., 7], [7, 1]):
            given = [part for pair in zip((a, b), axes, strict=False) for part in pair]
            expected = [part for pair in zip((x, y), axes, strict=False) for part in pair]
            given, expected = [*given, *axes[2:]], [*expected, *axes[2:]]
            for einsum in (np.einsum, da.einsum):
                np.testing.assert_allclose(einsum(*given).to_numpy(), np.einsum(*expected))
        for wrong in ((a, [0, 99]), (a, b), (a,)):
            with pytest.raises(ValueError, match="number"):
                da.einsum(*wrong)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3, 4), (4, 5)),
        ((4,), (4, 5)),
        ((3, 4), (4,)),
        ((4,), (4,)),
        ((2, 3, 4), (4, 5)),
        ((2, 1, 3, 4), (1, 6, 4, 5)),
        ((2, 3, 4), (2, 4, 1)),
        ((2, 3, 4), (4,)),
        ((4,), (2, 4, 5)),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "int16", "bool", "complex64"])
def test_products_of_matrices(left: Any, right: Any, dtype: str):
    rng = np.random.default_rng(2)
    x, y = (rng.integers(0, 5, shape).astype(dtype) for shape in (left, right))
    for engine in (None, "local"):
        lazy = (da.asarray(x) @ da.asarray(y)).compute(engine=engine)
        assert lazy.dtype == np.dtype(dtype)
        np.testing.assert_allclose(lazy.to_numpy(), x @ y, rtol=1e-6)


@pytest.mark.parametrize("mode", ["always", "never"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint8", "int64", "uint32"])
def test_divisions_and_shifts_of_every_number(
    dtype: str, mode: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    if dtype.startswith("float"):
        numbers = [0.0, -0.0, 1, -1, 2.5, -2.5, 7, -7, 1e-40, np.inf, -np.inf, np.nan]
        names = ["floor_divide", "remainder", "divide", "copysign"]
    else:
        limits = np.iinfo(dtype)
        numbers = [0, 1, 2, 3, 7, 100, limits.max, limits.min]
        numbers += [-1, -2, -7] if limits.min < 0 else [200]
        names = ["floor_divide", "remainder", "left_shift", "right_shift"]
    x, y = np.meshgrid(np.asarray(numbers, dtype), np.asarray(numbers, dtype))
    lazy = [getattr(np, name)(da.asarray(x), da.asarray(y)) for name in names]
    da.compute(*lazy, engine="local")
    with np.errstate(all="ignore"):
        for name, array in zip(names, lazy, strict=True):
            expected = getattr(np, name)(x, y)
            np.testing.assert_array_equal(array.to_numpy(), expected)
            if expected.dtype.kind == "f":
                signs = np.signbit(array.to_numpy()) == np.signbit(expected)
                assert (signs | np.isnan(expected)).all(), name


def test_divisions_by_a_number_that_is_written_are_machine_code():
    x = np.arange(-50, 50)
    for lazy, expected in (
        (da.asarray(x) % 7, x % 7),
        (da.asarray(x) // -7, x // -7),
        (da.asarray(x) << 3, x << 3),
    ):
        (structure,) = _structures(lazy)
        assert [node.dtype for node in structure.inputs] == [x.dtype]
        np.testing.assert_array_equal(_local(lazy), expected)
    (one,), (other,) = _structures(da.asarray(x) % 7), _structures(da.asarray(x) % 9)
    assert one.key != other.key


def test_too_many_indices_are_counted():
    with pytest.raises(IndexError, match=r"^2 indices for an array of 1 dimension$"):
        da.asarray(np.zeros(3))[0, 1]


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ((5,), "out of bounds for axis 0"),
        ((0, 0, 0), "3 indices"),
        ((..., ...), "a single ellipsis"),
        ((np.asarray([0.5]),), "integers or truth values"),
        ((np.zeros((4, 4), bool),), "truth values of shape"),
        ((0, np.zeros(3, bool)), "truth values of shape"),
        ((np.zeros((3, 4), bool), 0), "3 indices"),
        (([0, 1], [0, 1, 2]), "cannot be broadcast"),
    ],
)
def test_wrong_indices_are_told_at_once(index: Any, message: str):
    with pytest.raises(IndexError, match=message):
        da.asarray(np.zeros((3, 4)))[index]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a: a + np.ones(7), "cannot be broadcast"),
        (lambda a: a @ a, "cannot be multiplied"),
        (lambda a: da.reshape(a, (5, 5)), "cannot have the shape"),
        (lambda a: da.concat([a, a.T]), "cannot be concatenated"),
        (lambda a: a.compute(engine="abacus"), "there is no engine"),
        (lambda a: a.to_device("gpu"), "there is no device"),
        (lambda a: da.max(a[:0]), "nothing has no max"),
        (lambda a: da.einsum("ij,jk", a), "2 operands"),
        (lambda a: da.tensordot(a, a, axes=3), "3 axes of arrays of 2"),
        (lambda a: da.tensordot(a, a, axes=([0], [0, 1])), "1 axes of one array"),
        (lambda a: da.full((2,), "x"), "numbers or truth values"),
        (lambda a: da.explain(a, level="text"), "there is no level"),
        (lambda a: da.isdtype(a.dtype, "number"), "there is no kind"),
    ],
)
def test_what_cannot_be_is_said_at_once(function: Callable[..., Any], message: str):
    from diablo import InputError

    with pytest.raises((ValueError, TypeError, InputError), match=message):
        function(da.asarray(np.zeros((3, 4))))


def test_arrays_travel_with_their_elements():
    lazy = da.asarray(np.arange(3)) + 1
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(lazy)).to_numpy(), [1, 2, 3])
    assert copy.copy(lazy) is not lazy
    assert lazy.__array_namespace__(api_version="2024.12") is da
    with pytest.raises(ValueError, match="no version"):
        lazy.__array_namespace__(api_version="1999.1")


@pytest.mark.parametrize("block_size", [1, 3, 16])
def test_blocks(block_size: int):
    x = _matrix(7, 9)
    a = da.asarray(x)
    lazy = da.sum(a[1:] * a[:-1], axis=1) @ a[1:]
    found = lazy.compute(engine="local", block_size=block_size).to_numpy()
    np.testing.assert_allclose(found, (x[1:] * x[:-1]).sum(axis=1) @ x[1:])


def test_the_package_is_loaded_by_its_name_alone():
    import subprocess
    import sys

    code = "import sys, diablo; print('numpy' in sys.modules, 'diablo.array' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def test_arrays_of_a_device_are_brought_here():
    x = np.arange(6.0).reshape(2, 3)

    class OnDevice:
        __cuda_array_interface__ = {**x.__array_interface__}

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            raise TypeError("implicit conversion to a NumPy array is not allowed")

    class CuPys(OnDevice):
        def get(self) -> Any:
            return x

    class PyTorchs(OnDevice):
        def cpu(self) -> Any:
            return self

        def numpy(self) -> Any:
            return x

    class Others(OnDevice):
        def __dlpack__(self, **options: Any) -> Any:
            return x.__dlpack__()

        def __dlpack_device__(self) -> Any:
            return x.__dlpack_device__()

    for given in (CuPys(), PyTorchs(), Others()):
        np.testing.assert_array_equal((da.asarray(given) + 1).to_numpy(), x + 1)
        np.testing.assert_array_equal(da.sparse(given).to_numpy(), x)
    with pytest.raises(TypeError, match="is on a GPU"):
        da.asarray(OnDevice())


# ---- what long expressions and many elements cost ----------------------------------------


@pytest.mark.parametrize("mode", ["always", "never"])
def test_windows_that_cancel_out(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    x = np.arange(12.0) + 1
    back = da.translate(da.pad(da.asarray(x), ((1, 1),)), (-1,))
    expected = np.append(x, [0, 0]) * 2
    np.testing.assert_array_equal((back * 2).compute(engine="local").to_numpy(), expected)
    np.testing.assert_array_equal(((back * 2)[::3]).compute(engine="local"), expected[::3])


def test_floats_of_32_bits_are_added_up_as_wider_ones(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    x = np.random.default_rng(0).random((1 << 21, 2), dtype="f4") + np.float32(1000)
    exact = x.astype("f8")
    a = da.asarray(x) * 1
    for found, expected in [
        (a.mean(), exact.mean()),
        (a.std(), exact.std()),
        (a.std(axis=0), exact.std(axis=0)),
        ((a + 1).sum(axis=0), (exact + 1).sum(axis=0)),
    ]:
        assert found.dtype == np.float32
        np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-6)


def test_arrays_between_the_steps_of_a_kernel_are_let_go(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    x = np.ones(1 << 17, "c16")  # NumPy computes kernels of complex numbers.
    peaks: list[int] = []
    for count in (10, 40):
        a = da.asarray(x)
        for _ in range(count):
            a = a * (1 + 0.01j) + 0.5
        a.compute(engine="local")
        again = da.asarray(x + 1)
        for _ in range(count):
            again = again * (1 + 0.01j) + 0.5
        tracemalloc.start()
        again.compute(engine="local")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + x.nbytes


def test_kernels_are_merged_in_a_time_that_grows_with_their_number(monkeypatch: pytest.MonkeyPatch):
    looks = 0
    postpone = merge_kernel_calls.postpone_uses

    def counted(calls: Any) -> bool:
        nonlocal looks
        looks += 1
        return postpone(calls)

    monkeypatch.setattr(merge_kernel_calls, "postpone_uses", counted)
    counts: list[int] = []
    for steps in (10, 40):
        looks = 0
        matrix, v = da.asarray(np.eye(9)), da.ones(9)
        for _ in range(steps):
            v = matrix @ v
            v = v / da.linalg.vector_norm(v)
        da.explain(v)
        counts.append(looks)
    assert 0 < counts[1] <= 5 * counts[0]


def test_products_of_blas_are_no_reason_to_compile(monkeypatch: pytest.MonkeyPatch):
    ran: list[Any] = []
    original = evaluation._run  # pyright: ignore[reportPrivateUsage]

    def noted(structure: Any, options: Any) -> Any:
        ran.append(structure)
        return original(structure, options)

    monkeypatch.setattr(evaluation, "_run", noted)
    monkeypatch.setattr(evaluation, "WORTH_A_PROGRAM", 1 << 18)
    monkeypatch.delenv("DIABLO_COMPILE", raising=False)
    matrix = da.asarray(np.random.default_rng(0).random((512, 512)))
    for _ in range(8):
        (matrix @ da.ones(512) + 0.125).to_numpy()
    assert not ran
    for _ in range(4):
        (matrix * 3 + 0.125).to_numpy()
    assert ran


# ---- functions that NumPy has beside the standard -----------------------------------------


NUMPY_NAMES: dict[str, Callable[[Any, Any], Any]] = {
    "transpose": lambda m, x: [m.transpose(x), m.transpose(x, (1, 0))],
    "edge": lambda m, x: m.pad(x, ((1, 2), (0, 3)), mode="edge"),
    "reflect": lambda m, x: m.pad(x, 2, mode="reflect"),
    "ramp": lambda m, x: m.pad(x, 2, mode="linear_ramp", end_values=3),
    "constant": lambda m, x: m.pad(x, 2, mode="constant", constant_values=7),
    "constants": lambda m, x: m.pad(x, 1, mode="constant", constant_values=((1, 2), (3, 4))),
    "gradient": lambda m, x: m.gradient(x),
    "of one axis": lambda m, x: [m.gradient(x, 2.0, axis=1), m.gradient(x, axis=0, edge_order=2)],
    "of places": lambda m, x: m.gradient(x, 2.0, np.arange(6.0) ** 2),
    "quantile": lambda m, x: [m.quantile(x, q=0.3), m.nanquantile(x, q=[0.1, 0.5], axis=0)],
}


@pytest.mark.parametrize("name", NUMPY_NAMES)
def test_functions_of_numpys_in_the_namespace(name: str):
    x = np.random.default_rng(0).random((5, 6))
    expected, found = NUMPY_NAMES[name](np, x), NUMPY_NAMES[name](da, da.asarray(x))
    pairs = (
        [(expected, found)] if isinstance(found, da.Array) else zip(expected, found, strict=True)
    )
    for one, other in pairs:
        assert (other.shape, other.dtype) == (one.shape, one.dtype)
        np.testing.assert_allclose(other.to_numpy(), one)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda a: da.pad(a, 1, "edge", foo=1), "unsupported keyword arguments"),
        (lambda a: da.pad(a, 1, foo=1), "takes no foo in the mode 'constant'"),
        (lambda a: da.pad(a, 1, "none"), "mode 'none' is not supported"),
        (lambda a: da.gradient(a, 1, 2, 3), "3 distances are given for 2 axes"),
        (lambda a: da.gradient(a[:1], axis=0), "axis 0 has 1 elements"),
        (lambda a: da.reshape(a.T, (12,), copy=False), "it needs a copy"),
    ],
)
def test_what_these_functions_refuse(use: Callable[[Any], Any], message: str):
    with pytest.raises((TypeError, ValueError), match=message):
        use(da.asarray(np.ones((3, 4))))


def test_functions_are_pickled():
    for module in (da, da.linalg):
        for name in module.__all__:
            function = getattr(module, name)
            if callable(function):
                assert pickle.loads(pickle.dumps(function)) is function


def test_reshapes_and_conversions_copy_if_asked():
    x = np.arange(6.0)
    a = da.asarray(x)
    copies = [da.reshape(a, (2, 3), copy=True), da.astype(a, np.float64), a.astype("f8")]
    views = [da.reshape(a, (2, 3), copy=False), da.astype(a, np.float64, copy=False)]
    x[0] = 7
    assert [float(da.reshape(b, (6,))[0]) for b in (*copies, *views)] == [0, 0, 0, 7, 7]
    assert da.asarray(2**63).dtype == np.uint64


@pytest.mark.parametrize("size", [0, -1, "x", 1.5])
def test_block_sizes_are_looked_at_before_anything_is_computed(size: Any):
    with pytest.raises(InputError, match="the block size is"):
        da.asarray([1.0]).compute(block_size=size)
