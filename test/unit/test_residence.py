"""Arrays that stay with Spark from call to call: how often they are sent, and when they go."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Generator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
import diablo.array as da
from diablo import residence
from diablo.diagnostics import InputError, RunError
from diablo.runtime.arrays.tiles import split
from diablo.runtime.engines import block_store
from diablo.runtime.engines.keeping import release_dead
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.spark import spark_context
from diablo.runtime.program import data
from diablo.runtime.results import DistributedArray
from diablo.runtime.results.result_types import Rows, RowsOfSpark

MASTER = "local[2]"
TWICE = "input A: matrix[Double]; A + A"
A = np.arange(1100.0 * 1000).reshape(1100, 1000) % 97.0
on_spark = pytest.mark.spark


def compiled(text: str, **options: Any) -> diablo.Program:
    return diablo.compile(text, engine="spark", master=MASTER, **options)


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shapes of the arrays that are cut into tiles, to be sent."""
    shapes: list[tuple[int, ...]] = []

    def counted(array: Any, block_size: int | None) -> Any:
        shapes.append(array.shape)
        return split(array, block_size)

    monkeypatch.setattr(data, "split", counted)
    return shapes


@pytest.fixture(autouse=True)
def nothing_is_left() -> Generator[None]:
    yield
    release_dead()
    assert not _files()


def _files() -> list[Path]:
    return [file for root in block_store._own_roots() for file in root.glob("*/*")]  # pyright: ignore[reportPrivateUsage]


@on_spark
def test_what_spark_has_is_not_sent_again(cut: list[tuple[int, ...]]):
    twice, product = compiled(TWICE), compiled("input A: matrix[Double]; A.t @ A")
    with diablo.distribute(A, MASTER) as held:
        assert held.shape == A.shape
        assert cut == [A.shape]
        once = twice(A=held)
        again = twice(A=once)  # A result, which is computed where it is.
        np.testing.assert_array_equal(again.to_numpy(), 4 * A)
        np.testing.assert_allclose(product(A=held).to_numpy(), A.T @ A)
        assert cut == [A.shape]
        np.testing.assert_array_equal(once.to_numpy(), 2 * A)
        once.close()
    assert not _files()


@pytest.mark.sampled(2)
@on_spark
@pytest.mark.parametrize("value", [A > 7.0, A.astype(np.float32), A.astype(int) % 5, 1j * A])
def test_elements_of_all_types(value: Any):
    kind = {"b": "Boolean", "f": "Float", "i": "Int", "c": "Complex"}[value.dtype.kind]
    with diablo.distribute(value, MASTER) as held:
        found = compiled(f"input A: matrix[{kind}]; A.t")(A=held).to_numpy()
    assert found.dtype == value.dtype
    np.testing.assert_array_equal(found, value.T)


@pytest.mark.sampled(2)
@on_spark
@pytest.mark.parametrize(
    ("dtype", "held_as"),
    [(">f8", "f8"), ("e", "f4"), ("g", "f8"), (">i2", "i2"), ("G", "c16"), (">c8", "c8")],
)
def test_elements_that_programs_have_not_are_converted(dtype: str, held_as: str):
    """They are as in a local call, and in blocks, columns and sessions as in arrays."""
    value = (np.arange(12.0).reshape(3, 4) / 4.0).astype(dtype)
    with diablo.distribute(value, MASTER) as held:
        assert held.dtype == np.dtype(held_as)
        np.testing.assert_array_equal(held.to_numpy(), value)
    blocks = spark_context(MASTER).parallelize([((0, 0), value[:, :2]), ((0, 1), value[:, 2:])])
    with diablo.distribute(blocks) as held:
        np.testing.assert_array_equal(held.to_numpy(), value)
    with diablo.distribute((np.arange(3), value[:, 1].copy()), MASTER) as rows:
        np.testing.assert_array_equal(rows.to_numpy()[1], value[:, 1])
    if value.dtype.kind != "c":
        large = np.tile(value, (400, 300))
        program = compiled("input A: matrix[Double]; +/[ a | ((i,j),a) <- A ]")
        with program.session():
            assert program(A=large) == diablo.compile(program.text)(A=large)


@on_spark
def test_another_type_goes_through_the_driver_and_workers_cut_anew(cut: list[tuple[int, ...]]):
    with diablo.distribute(A.astype(int), MASTER, block_size=700) as held:
        np.testing.assert_array_equal(compiled(TWICE)(A=held).to_numpy(), 2 * A)
        assert cut == [A.shape] * 2
        other = compiled("input A: matrix[Int]; A + A", block_size=600)
        np.testing.assert_array_equal(other(A=held).to_numpy(), 2 * A)
        assert cut == [A.shape] * 2
        with pytest.raises(InputError, match="A: 2 dimensions"):
            compiled("input A: vector[Int]; A")(A=held)


def parts(array: Any, rows: list[int], columns: list[int]) -> list[Any]:
    """Pairs of a position and a block, which begin at these rows and columns."""
    return [
        ((i, j), array[top:bottom, left:right])
        for i, (top, bottom) in enumerate(pairwise([*rows, array.shape[0]]))
        for j, (left, right) in enumerate(pairwise([*columns, array.shape[1]]))
    ]


@on_spark
def test_blocks_of_an_rdd(cut: list[tuple[int, ...]]):
    """They are never collected, of whatever extents they are."""
    program = compiled("input A: matrix[Double]; A.t + 1.0")
    for rows, columns, edge in (([0, 600], [0, 600], 600), ([0, 100, 900], [0, 20, 640], None)):
        rdd = spark_context(MASTER).parallelize(parts(A, rows, columns), 3)
        with program.session():
            np.testing.assert_array_equal(program(A=rdd).to_numpy(), A.T + 1.0)
        with diablo.distribute(rdd) as held:
            assert held.shape == A.shape
            assert edge in (None, held.block_size)
    assert not cut


@on_spark
def test_blocks_of_an_rdd_and_lazy_arrays(cut: list[tuple[int, ...]]):
    lazy = da.asarray(spark_context(MASTER).parallelize(parts(A, [0, 700], [0, 700]))) * 2.0
    found = compiled(TWICE)(A=lazy.compute())
    np.testing.assert_array_equal(found.to_numpy(), 4.0 * A)
    with diablo.distribute(lazy.to_rdd(block_size=450)) as held:
        assert held.block_size == 450
        np.testing.assert_array_equal(held.to_numpy(), 2.0 * A)
    assert not cut
    lazy.to_numpy()
    assert sum(block.shape == (300, 300) for _, block in lazy.to_rdd(block_size=300).collect()) == 9


@on_spark
def test_sparse_blocks_and_vectors_of_an_rdd():
    sc = spark_context(MASTER)
    matrix = sparse.random_array((400, 300), density=0.2, rng=np.random.default_rng(0)).tocsr()
    v = np.arange(300.0)
    product = compiled("input A: matrix[Double]; input v: vector[Double]; A @ v")
    vector = sc.parallelize([(0, v[:200]), (np.int64(1), v[200:])])
    for rows, columns in (([0, 250], [0, 250]), ([0, 90, 300], [0, 10])):
        rdd = sc.parallelize(parts(matrix, rows, columns))
        found = product(A=rdd, v=vector)
        np.testing.assert_allclose(found.to_numpy(), matrix @ v)
        with diablo.distribute(rdd, block_size=70) as held:
            assert held.is_sparse
            assert held.block_size == 70
            with diablo.distribute(held.to_rdd()) as again:
                np.testing.assert_array_equal(again.to_scipy().toarray(), matrix.toarray())
    np.testing.assert_array_equal(np.asarray(da.asarray(vector)), v)
    with diablo.distribute(sc.parallelize([((0, 0), np.empty((0, 4)))])) as held:
        assert held.to_numpy().shape == (0, 4)


@pytest.mark.sampled(4)
@on_spark
@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "A: there is no block"),
        ([7], "A: a record is of type int, and no pair of a position and a block"),
        ([((0, -1), A)], r"A: \(0, -1\) is no position"),
        ([((), np.array(7.0))], r"A: \(\) is no position"),
        ([((0, 0), "a")], r"A: the block at \(0, 0\) is of type str, and no array"),
        ([(0, A)], "A: the block at 0 is an array of float64 with 2 dimensions"),
        ([((0, 0), A), ((0, 0), A)], r"A: there are two blocks at \(0, 0\)"),
        ([((0, 0), A), ((1, 1), A)], r"A: there is no block at \(0, 1\)"),
        (
            [((0, 0), A), ((0, 1), A[1:])],
            r"A: along dimension 0 the block at \(0, 0\) has 1100 elements, and that at \(0, 1\)",
        ),
        ([((0, 0), A), ((0, 1), A > 1.0)], "differ in their dimensions, in the type"),
        (
            [((0, 0), A), ((0, 1), np.ma.masked_greater(A, 95.0))],
            r"A: the block at \(0, 1\): \d+ elements are masked; give filled",
        ),
        ([((0, 0), A.astype("M8[s]"))], r"A: the block at \(0, 0\) is an array of datetime64"),
    ],
)
def test_blocks_that_make_up_no_array(records: list[Any], message: str):
    rdd = spark_context(MASTER).parallelize(records, 1)
    with pytest.raises(InputError, match=message):
        compiled("input A: matrix[Double]; A.t")(A=rdd)
    with pytest.raises(InputError, match=r"with Spark on local\[2\], and not on local\[3\]"):
        diablo.distribute(rdd, "local[3]")


@on_spark
def test_arrays_that_never_meet_have_blocks_of_their_own(cut: list[tuple[int, ...]]):
    v = np.arange(2.0 * A.size)
    text = """
        input A: matrix[Double]; input v: vector[Double];
        var B = tensor*(A.rows,A.cols)[ ((i,j), 2.0*a) | ((i,j),a) <- A ];
        var w = tensor*(v.length)[ (i, x+1.0) | (i,x) <- v ];
        (B, w)
    """
    with pytest.warns(diablo.CompileWarning, match="block size of B: it is 700 and not 500"):
        B, w = compiled(text, block_size={"A": 700, "B": 500, "w": 1_000_000})(A=A, v=v)
    assert (B.block_size, w.block_size) == (700, 1_000_000)
    np.testing.assert_array_equal(B.to_numpy(), 2.0 * A)
    np.testing.assert_array_equal(w.to_numpy(), v + 1.0)
    cut.clear()
    with diablo.distribute(A, MASTER, 600) as held, diablo.distribute(v, MASTER) as vector:
        B, w = compiled(text)(A=held, v=vector)
        assert (B.block_size, w.block_size) == (600, v.size // 2)
        np.testing.assert_array_equal(w.to_numpy(), v + 1.0)
    assert cut == [A.shape, v.shape]


@on_spark
def test_sparse_arrays_and_layouts():
    matrix = sparse.random_array((400, 300), density=0.2, rng=np.random.default_rng(0)).tocsr()
    product = compiled(
        "input A: matrix[Double]; input x: vector[Double]; A.t @ (A @ x)",
        layout="form = compressed, orders = [[1, 0]]",
    )
    x = np.arange(300.0)
    with diablo.distribute(matrix, MASTER) as held:
        assert held.is_sparse
        np.testing.assert_allclose(product(A=held, x=x).to_numpy(), matrix.T @ (matrix @ x))
        np.testing.assert_allclose(held.to_scipy().toarray(), matrix.toarray())


@on_spark
def test_arrays_that_are_read_on_the_driver_and_whole():
    v = np.arange(1000.0)
    text = """
        input A: matrix[Double]; input v: vector[Double]; input k: vector[Int];
        tensor*(A.rows)[ (i, +/x) | ((i,j),a) <- A, let x = a*v[j]*v[3]*k[j], group by i ]
    """
    k = np.arange(1000)
    with diablo.distribute(A, MASTER) as held, diablo.distribute(v, MASTER) as vector:
        found = compiled(text)(A=held, v=vector, k=k).to_numpy()
    np.testing.assert_allclose(found, A @ (v * v[3] * k))


@on_spark
def test_what_is_held_is_not_written_into():
    with diablo.distribute(A, MASTER) as held:
        with pytest.raises(ValueError, match="read-only"):
            held[0, 0] = 5.0
        result = compiled(TWICE)(A=held)
        result[0, 0] = -1.0  # A result is, and then it is this one that programs are given.
        found = compiled(TWICE)(A=result).to_numpy()
        assert found[0, 0] == -2.0
        assert pickle.loads(pickle.dumps(held)).to_numpy()[1, 1] == A[1, 1]


@on_spark
def test_what_is_closed_is_gone():
    held = diablo.distribute(A, MASTER)
    lazy = compiled(TWICE)(A=held)
    held.close()
    held.close()
    with pytest.raises(RunError, match="was closed"):
        held.to_numpy()
    with pytest.raises(RunError, match="A: this was closed"):
        compiled(TWICE)(A=held)
    lazy.close()
    for closed in (held, lazy):
        assert repr(closed) == str(closed) == "<1100 x 1000 array of float64, closed>"
        assert "array of float64, closed" in closed._repr_html_()
    rows = diablo.distribute({"k": [1, 2], "x": [0.5, 1.5]}, MASTER)
    sums = compiled(SUMS)(L=rows)
    for closed, text in ((rows, "list[<k: Int, x: Double>]"), (sums, "map[Int, Double]")):
        closed.close()
        assert repr(closed) == f"<{text}, closed>"
        assert "Double" in closed._repr_html_()


@pytest.fixture(params=["files", "bytes"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have blocks kept in files, or as bytes."""
    serializer = spark_context(MASTER)._unbatched_serializer
    monkeypatch.setattr(serializer, "in_files", request.param == "files")


@on_spark
@pytest.mark.usefixtures("way")
def test_a_lazy_result_outlives_what_is_closed():
    """It keeps what it is made of until it has been collected, and then nothing is kept."""
    before, files = _held(), _files()
    with diablo.distribute(A, MASTER) as held, compiled(TWICE)(A=held).compute() as twice:
        lazy = compiled(TWICE)(A=twice)
        forgotten = compiled(TWICE)(A=held)
    with pytest.raises(RunError, match="was closed"):
        twice.to_numpy()
    assert not _held() <= before
    np.testing.assert_array_equal(lazy.to_numpy(), 4 * A)
    assert not _held() <= before
    forgotten.close()
    assert _held() <= before
    assert _files() <= files


@on_spark
@pytest.mark.usefixtures("way")
def test_lazy_rows_outlive_what_is_closed():
    before, files = _held(), _files()
    with diablo.distribute((KEYS, VALUES), MASTER) as rows:
        sums = compiled(SUMS)(L=rows)
    assert sums.to_dict() == EXPECTED
    del sums
    release_dead()
    assert _held() <= before
    assert _files() <= files


@on_spark
def test_a_result_holds_what_it_is_made_of():
    lazy = compiled(TWICE)(A=diablo.distribute(A, MASTER))
    release_dead()
    np.testing.assert_array_equal(lazy.to_numpy(), 2 * A)


@on_spark
def test_a_session(cut: list[tuple[int, ...]]):
    program = compiled("input A: matrix[Double]; input x: Double; x*A")
    with program.session() as held:
        for x in range(3):
            np.testing.assert_array_equal(held(A=A, x=x).to_numpy(), x * A)
        assert cut == [A.shape]
        with program.session():
            program(A=A, x=1).to_numpy()
        program(A=A[:3], x=1).to_numpy()  # Too small to be worth it.
        assert cut == [A.shape, (3, 1000)]
    program(A=A, x=1).to_numpy()
    assert cut == [A.shape, (3, 1000), A.shape]


@on_spark
def test_a_session_is_entered_again(cut: list[tuple[int, ...]]):
    program = compiled("input A: matrix[Double]; input x: Double; x*A")
    session = program.session()
    for times in (1, 2):
        with session, session as held:
            for x in range(2):
                np.testing.assert_array_equal(held(A=A, x=x).to_numpy(), x * A)
        assert cut == [A.shape] * times


@on_spark
def test_a_session_that_fails_holds_nothing():
    program = compiled(TWICE)

    def fail() -> None:
        with program.session():
            program(A=A).to_numpy()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()


@on_spark
def test_a_lazy_result_outlives_its_session():
    """It keeps what it is made of, in files or not, and nothing else is kept."""
    program, before = compiled(TWICE), _held()
    with program.session():
        result = program(A=A)
        np.testing.assert_array_equal(program(A=A).to_numpy(), 2 * A)
    np.testing.assert_array_equal(result.to_numpy(), 2 * A)
    result.close()
    assert _held() <= before


SUMS = "input L: list[(Int,Double)]; map*[ (r, +/x) | (k,x) <- L, group by r: k % 10 ]"
KEYS = np.arange(30_000)
VALUES = np.arange(30_000.0) % 7
EXPECTED = {r: VALUES[r::10].sum() for r in range(10)}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows are cut into batches, to be sent."""
    lengths: list[int] = []

    def counted(sc: Any, rows: Any, *arguments: Any, **options: Any) -> Any:
        if not isinstance(rows, RowsOfSpark):
            lengths.append(len(rows[0]))
        return sent_rows(sc, rows, *arguments, **options)

    sent_rows = data.distribute_rows
    monkeypatch.setattr(data, "distribute_rows", counted)
    monkeypatch.setattr(residence, "distribute_rows", counted)
    monkeypatch.setitem(program_globals(), "distribute_rows", counted)
    return lengths


def program_globals() -> dict[str, Any]:
    """Return where emitted programs find what they call."""
    return sys.modules["diablo.runtime.program"].__dict__


def _held() -> set[int]:
    """Return what Spark keeps, by number: what others have left may go at any time."""
    context: Any = spark_context(MASTER)
    return {int(number) for number in context._jsc.getPersistentRDDs().keySet().toArray()}


def _files() -> set[Path]:
    """Return the files of blocks of this process that there are."""
    roots = block_store._own_roots()  # pyright: ignore[reportPrivateUsage]
    return {file for root in roots for file in root.rglob("*.block")}


@on_spark
def test_rows_are_sent_once(sent: list[int]):
    program, before = compiled(SUMS), _held()
    for given in (
        (KEYS, VALUES),
        list(zip(KEYS.tolist(), VALUES.tolist(), strict=True)),
        {"k": KEYS, "x": VALUES},
        np.array(list(zip(KEYS, VALUES, strict=True)), [("k", "i8"), ("x", "f8")]),
    ):
        sent.clear()
        with diablo.distribute(given, MASTER) as rows:
            assert isinstance(rows, Rows)
            assert len(_held() - before) == 1
            for _ in range(3):
                assert program(L=rows).to_dict() == EXPECTED
            assert sent == [30_000]
        assert _held() <= before
    with pytest.raises(RunError, match="L: this was closed"):
        program(L=rows)


@on_spark
def test_workers_convert_rows_that_are_held(sent: list[int]):
    record = compiled("input R: list[<x: Double, k: Int>]; +/[ r.x | r <- R, r.k < 10 ]")
    strings = compiled('input W: list[String]; [ w | w <- W, w < "b" ]')
    with diablo.distribute({"k": KEYS.astype(np.int32), "x": KEYS}, MASTER) as rows:
        assert record(R=rows) == 45.0
        assert compiled(SUMS)(L=rows).to_dict() == {r: float(KEYS[r::10].sum()) for r in range(10)}
        with pytest.raises(InputError, match="R: the table has no column 'y'"):
            compiled("input R: list[<y: Double, k: Int>]; +/[ r.y | r <- R ]")(R=rows)
        with pytest.raises(InputError, match="W: "):
            strings(W=rows)
        assert sent == [30_000]
        # In this process they are a list like any other.
        assert diablo.compile(SUMS)(L=rows).to_dict()[0] == float(KEYS[::10].sum())
    with diablo.distribute(["a", "b", "ab"], MASTER) as words:
        assert sorted(strings(W=words)) == ["a", "ab"]


@on_spark
def test_rows_of_indices_and_a_value_are_a_sparse_array():
    rows = np.array([0, 3, 2, 3]), np.array([1, 0, 5, 0]), np.array([1.0, 2.0, 3.0, 4.0])
    with diablo.distribute(rows, MASTER, 2, shape=(4, 6)) as matrix:
        expected = np.zeros((4, 6))
        expected[3, 0], expected[0, 1], expected[2, 5] = 6, 1, 3
        np.testing.assert_array_equal(matrix.to_numpy(), expected)
        assert matrix.is_sparse
        assert matrix.nnz == 3
        np.testing.assert_array_equal(compiled(TWICE)(A=matrix).to_numpy(), 2 * expected)
    with pytest.raises(RunError, match="the index 5 lies outside dimension 1, which has 5"):
        diablo.distribute(rows, MASTER, shape=(4, 5))
    with pytest.raises(InputError, match="an entry has 2 indices, and the shape 1 dimension"):
        diablo.distribute(rows, MASTER, shape=(4,))
    with pytest.raises(InputError, match="an entry is integers, then a number"):
        diablo.distribute((rows[2], rows[0]), MASTER, shape=(4,))


@on_spark
@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((True,), r"the shape is \(True,\), and must have an integer for each"),
        ("ab", "the shape is 'ab', and must have an integer for each dimension, from 0 on"),
        (5, "the shape is 5, and must have an integer"),
        ((5.5, 5), r"the shape is \(5.5, 5\), and must have an integer"),
        ((-1, 5), r"the shape is \(-1, 5\), and must have an integer"),
        ((2**40, 2**40), rf"of dimensions \({2**40}, {2**40}\) is too large for 64-bit"),
        ((2**63, 2), rf"of dimensions \({2**63}, 2\) is too large for 64-bit"),
        ((2**62, 4), rf"of dimensions \({2**62}, 4\) is too large for 64-bit"),
    ],
)
def test_what_is_no_shape(shape: Any, message: str):
    rows = np.array([0, 3]), np.array([1, 0]), np.array([1.0, 2.0])
    with pytest.raises(InputError, match=message):
        diablo.distribute(rows, MASTER, shape=shape)


@pytest.mark.parametrize("engine", ["auto", "spark"])
def test_what_is_no_master(engine: Any):
    not_one: Any = 5
    with pytest.raises(InputError, match="5 is not a Spark master"):
        diablo.distribute(A, not_one)
    with pytest.raises(InputError, match="5 is not a Spark master"):
        diablo.compile("1 + 1", engine=engine, master=not_one)()


@on_spark
def test_a_session_holds_rows(sent: list[int]):
    program, few = compiled(SUMS), (KEYS[:100], VALUES[:100])
    before = _held()
    with program.session():
        for _ in range(3):
            assert program(L=(KEYS, VALUES)).to_dict() == EXPECTED
        assert sent == [30_000]
        assert len(_held() - before) == 1
        program(L=few)  # They take no longer to be sent again.
        assert len(_held() - before) == 1
    assert _held() <= before


@on_spark
def test_a_map_of_spark_is_not_sent_again(sent: list[int]):
    made = compiled(SUMS)(L=(KEYS, VALUES))
    program = compiled("input M: map[Int,Double]; +/[ x | (k,x) <- M, k > 0 ]")
    sent.clear()
    with diablo.distribute(made, MASTER) as held:
        assert program(M=held) == program(M=held) == VALUES.sum() - EXPECTED[0]
        assert sent == []
    with pytest.raises(InputError, match="a map of this process is sent in each call"):
        diablo.distribute(diablo.compile(SUMS)(L=(KEYS, VALUES)))


def test_in_this_process_nothing_is_held():
    program = diablo.compile(TWICE)
    with program.session():
        found = program(A=A).compute()
    np.testing.assert_array_equal(program(A=found).to_numpy(), 4 * A)
    found.close()
    with LocalContext(2) as here:
        array = DistributedArray(here.parallelize([((0, 0), A)]), A.shape, 2, np.float64)
        assert not array.is_with_spark
        with array:
            assert array.compute().sum() == A.sum()


@pytest.mark.parametrize(
    ("value", "block_size", "message"),
    [
        ([["a"]], None, "an array of numbers or Booleans is wanted"),
        (([1.0, 2.0], [3.0]), None, "the array: the rows are of different lengths"),
        (np.ma.masked_equal([1.0, 2.0], 2.0), None, "the array: 1 element is masked"),
        ([(1, 2.0)], 5, "rows have none"),
        ([(1, 2.0), (1,)], None, "the rows are tuples of different lengths"),
        ([(1, [2.0])], None, "column 2 holds other than numbers, Booleans or strings"),
        ({"k": [1, 2], "x": [1.0]}, None, "the rows: the columns are of different lengths"),
        (7, None, "which has dimensions"),
        ([1.0], 0, "the block size is 0, and must be at least 1"),
        ([1.0], {"A": 5}, "the block size is {'A': 5}, and must be an integer"),
    ],
)
def test_what_cannot_be_held(value: Any, block_size: int | None, message: str):
    with pytest.raises(InputError, match=message):
        diablo.distribute(value, MASTER, block_size)
