"""What emitted programs call: each piece by itself, on records made by hand."""

from __future__ import annotations

import pickle
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diablo.diagnostics import Diagnostic, listening, report
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.block_sizes import SizesByName, parse_block_size
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.io.arguments import WantedArray, WantedScalar
from diablo.runtime.program import (
    Iterations,
    batch,
    choose_block_size,
    cogroup,
    combine,
    distribute,
    distribute_rows,
    gather,
    gather_rows,
    hash_rows,
    here,
    index_rows,
    keys,
    moved,
    on_groups,
    on_rows,
    on_tiles,
    partition_count,
    rekey,
    replicate,
    route,
    run_as_script,
    tiles,
    wrap,
)
from diablo.runtime.program import data as program_data
from diablo.runtime.program.combining import Accumulator
from diablo.runtime.program.tile_functions import crop, inside
from diablo.runtime.results.result_types import DistributedArray, cut_when_asked


class Cluster:
    """A context that is not the local engine's."""

    defaultParallelism = 4


def test_the_block_size_makes_few_large_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_block_size(LocalContext(1), None, dense=[(100, 100)]) is None
    assert choose_block_size(Cluster(), 7, dense=[(100, 100)]) == 7
    any_integer: Any = np.int64(7)
    assert choose_block_size(Cluster(), any_integer, dense=[(100, 100)]) == 7
    assert choose_block_size(Cluster(), None, dense=[(100, 100), (100,)]) == 50
    assert choose_block_size(Cluster(), None, dense=[(100,)]) == 25
    assert choose_block_size(Cluster(), None, dense=[(100_000, 100_000)]) == 4096
    # A far longer vector does not make the matrix one tile; one beside few elements is cut itself.
    assert choose_block_size(Cluster(), None, dense=[(4000, 4000), (1_000_000,)]) == 2000
    assert choose_block_size(Cluster(), None, dense=[(400, 400), (1_000_000,)]) == 250_000
    assert choose_block_size(Cluster(), None, sparse=[(100_000, 100_000)]) == 50_000
    full = SparseTile.from_dense(np.ones((8, 8)), 0)
    monkeypatch.setattr(program_data, "LARGEST_TILE", 4)
    assert choose_block_size(Cluster(), None, sparse=[full]) == 2
    assert choose_block_size(Cluster(), None, sparse=[np.ones((8, 8))]) == 4
    assert choose_block_size(Cluster(), None, sparse=[SparseTile.from_dense(np.eye(8), 0)]) == 4
    monkeypatch.undo()
    assert choose_block_size(Cluster(), None, points=[(200, 200)]) == 100
    assert choose_block_size(Cluster(), None, points=[(-3,)]) == 1
    # A tall matrix is cut into as many as run at a time, a square one so that all are busy.
    assert choose_block_size(Cluster(), None, dense=[(400_000, 5)]) == 100_000
    three = Cluster()
    three.defaultParallelism = 3
    assert choose_block_size(three, None, dense=[(90, 90)]) == 30
    assert choose_block_size(Cluster(), None, later=[2, 1]) == 1024
    assert choose_block_size(Cluster(), None, dense=[(100_000,)], later=[2]) == 25_000
    assert choose_block_size(Cluster(), None, dense=[(2000, 2000)], later=[1]) == 1000
    assert choose_block_size(Cluster(), None) == 1
    # What is smaller than a tile anyway leaves the others as they are.
    assert choose_block_size(Cluster(), None, dense=[(100_000, 50), (50,), (1,)]) == 25_000
    assert choose_block_size(Cluster(), None, dense=[(100_000,), (0,)], points=[(1, 2)]) == 25_000
    assert partition_count(Cluster(), 5) == 4
    # Arrays that are cut alike have the size of the first of them that is named.
    each = {"v": 9, "A": 7}
    assert choose_block_size(Cluster(), each, dense=[(100, 100)], of=("A", "C")) == 7
    assert choose_block_size(Cluster(), each, dense=[(100, 100)], of=("A", "v")) == 9
    assert choose_block_size(Cluster(), each, dense=[(100,)], of=("w",)) == 25
    assert choose_block_size(Cluster(), each, dense=[(100, 100)]) == 50
    assert partition_count(LocalContext(3), None) == 1


def test_block_sizes_that_decide_nothing_are_told_of():
    sizes = SizesByName({"A": 7, "B": 7, "C": 9, "x": 5, "y": 6})
    assert choose_block_size(Cluster(), sizes, dense=[(100, 100)], of=("C", "B", "A")) == 7
    assert choose_block_size(Cluster(), sizes, points=[(100,)]) == 25
    array = DistributedArray.of_tile(np.arange(9.0), np.float64)
    array.name = "y"
    cut_when_asked(array, sizes)
    told: list[Diagnostic] = []
    with listening(told.append):
        sizes.report_unused()
    assert [(found.message, found.hint) for found in told] == [
        (
            "block size of C: it is 7 and not 9",
            "blocks of C meet those of A, whose size they have",
        ),
        (
            "block size of x: nothing is cut by it",
            "Spark has no blocks of x: it is with the driver, or never stored",
        ),
    ]


def test_block_sizes_of_a_command_line():
    assert parse_block_size("500") == 500
    assert parse_block_size("A=500, v=1000") == {"A": 500, "v": 1000}
    for text in ("5x", "A=5,v", "A="):
        with pytest.raises(ArgumentTypeError, match=f"'{text}' is no number, nor one for each"):
            parse_block_size(text)


@pytest.mark.parametrize("block_size", [1, 3, 7, None])
def test_arrays_survive_being_distributed(block_size: int | None) -> None:
    array = np.arange(35.0).reshape(7, 5) * (np.arange(5) % 2)
    with LocalContext(2) as sc:
        dense = distribute(sc, array, block_size)
        whole = gather(dense, (7, 5), block_size, np.float64)
        np.testing.assert_array_equal(whole, array)
        sparse = distribute(sc, array, block_size, dense_rank=1)
        assert all(isinstance(tile, SparseTile) for _, tile in sparse.collect())
        whole = gather(sparse, (7, 5), block_size, np.float64, dense_rank=1)
        assert isinstance(whole, SparseTile)
        np.testing.assert_array_equal(whole.toarray(), array)
        # A sparse input of a program that wants it dense.
        again = distribute(sc, whole, block_size)
        np.testing.assert_array_equal(gather(again, (7, 5), block_size, np.float64), array)
        places = [coords for coords, _ in tiles(sc, (7, 5), block_size).collect()]
        assert places == [coords for coords, _ in dense.collect()]


@pytest.mark.parametrize("block_size", [1, 3, None])
def test_rows_survive_being_distributed(block_size: int | None) -> None:
    with LocalContext(2) as sc:
        columns = (np.arange(5), np.arange(5) / 2)
        found = gather_rows(distribute_rows(sc, columns, block_size), "i8", "f8")
        for column, expected in zip(found, columns, strict=True):
            np.testing.assert_array_equal(column, expected)
        for bounds in ((0, 9, 1), (1, 9, 3), (5, 1, -2), (3, 2, 1)):
            lower, upper, step = bounds
            (numbers,) = gather_rows(index_rows(sc, *bounds, block_size), "i8")
            end = upper + (1 if step > 0 else -1)
            np.testing.assert_array_equal(numbers, np.arange(lower, end, step))
        (none,) = gather_rows(distribute_rows(sc, (np.zeros(0, np.int64),), block_size), "i8")
        assert none.shape == (0,)


def test_on_tiles_tells_the_place_and_cuts_broadcasts() -> None:
    def kernel(o0: int, o1: int, e0: int, e1: int, tile: Any, vector: Any, scale: float) -> Any:
        return (o0, o1), (e0, e1), (tile + vector[:, None]) * scale

    with LocalContext(1) as sc:
        shared = sc.broadcast(np.arange(5.0))
        run = on_tiles(kernel, (5, 4), 3, shared, 2.0, crops=[(0,)], to_keys=(1,))
        key, (origins, extents, tile) = run(((1, 0), np.zeros((2, 3))))
    assert key == (0,)
    assert (origins, extents) == ((3, 0), (2, 3))
    np.testing.assert_array_equal(tile, np.full((2, 3), [[6.0], [8.0]]))
    assert on_tiles(lambda o, e: e, (5,), 3)(((1,), None)) == ((1,), 2)
    assert on_tiles(lambda o, e: e, (5,), 3, to_keys=())(((1,), None)) == 2


def test_crop_of_a_sparse_array() -> None:
    array = np.diag(np.arange(1.0, 6.0))
    part = crop(SparseTile.from_dense(array, 1), (1, 2), (3, 2))
    assert isinstance(part, SparseTile)
    np.testing.assert_array_equal(part.toarray(), array[1:4, 2:4])


def test_rekey_copies_and_drops() -> None:
    send = rekey((0, -1), (4, 5), 2)
    record = ((1, 7), "tile")
    assert send(record) == [((1, 0), record), ((1, 1), record), ((1, 2), record)]
    assert send(((2, 0), "outside")) == []
    assert inside((4, 5), 2)(((1, 2), None))
    assert not inside((4, 5), 2)(((1, 3), None))


def test_groups_are_matched_and_combined() -> None:
    def kernel(*arguments: Any) -> float:
        return arguments[-2] * arguments[-1]

    left = [((0, 1), 3.0), ((0, 0), 2.0)]
    right = [((0, 5), 10.0), ((1, 5), 100.0)]
    run = on_groups(kernel, [moved(0, 2), moved(2, 1)], (9, 9, 4), 2, monoid="add")
    assert run(((0, 5), (left, right))) == ((0, 5), 2.0 * 10.0 + 3.0 * 100.0)
    # A diagonal: only the tile with equal coordinates is read.
    pick = on_groups(lambda o, e, tile: tile, [moved(0, 0)], (9,), 2)
    assert pick(((3,), ([((3, 2), "no"), ((3, 3), "yes")],))) == ((3,), "yes")


def test_groups_of_rows_are_one_batch() -> None:
    def kernel(origin: int, extent: int, rows: Any, tile: float) -> Any:
        return origin, extent, rows[0].tolist(), rows[0].dtype, tile

    run = on_groups(kernel, [keys, batch("i8"), here], (5,), 3)
    parts = [(np.array([1, 2]),), (np.array([7]),)]
    assert run(((1,), ([None], parts, [4.0]))) == ((1,), (3, 2, [1, 2, 7], np.int64, 4.0))
    assert run(((0,), ([None], [], [4.0]))) == ((0,), (0, 3, [], np.int64, 4.0))
    count = on_groups(lambda rows: len(rows[0]), [batch("i8")], to_keys=())
    assert count(((0,), (parts,))) == 3


def test_tiles_that_are_replicated_keep_their_coordinates_in_front() -> None:
    copies = replicate((5, 3), 2)(((7,), "tile"))
    assert [key for key, _ in copies] == [(7, i, j) for i in range(3) for j in range(2)]
    assert {tile for _, tile in copies} == {"tile"}
    assert replicate((5,), None)(((0,), "tile")) == [((0, 0), "tile")]
    assert replicate((0,), 2)(((0,), "tile")) == [((0, 0), "tile")]


def test_groups_have_the_whole_of_dimensions_behind_their_key() -> None:
    def kernel(*arguments: Any) -> Any:
        return arguments

    run = on_groups(kernel, [here, here], (5, 9), 3)
    assert run(((1,), (["a"], ["b"]))) == ((1,), (3, 0, 2, 9, "a", "b"))


def test_route_drops_what_is_outside() -> None:
    rows = (np.array([4, 0, -1, 5, 3]), np.array([0, 1, 0, 0, 9]), np.arange(5.0))
    found = route((0, 1), (5, 2), 2)(rows)
    assert [(key, part[2].tolist()) for key, part in found] == [((0, 0), [1.0]), ((2, 0), [0.0])]
    (everything,) = route((0,), (6,), None, fold="add")(rows)
    assert everything == ((0,), rows)  # nothing moves, and whoever makes the tile drops rows


def test_route_folds_rows_before_they_move() -> None:
    rows = (np.array([1, 3, 1, 9]), np.array([1.0, 2.0, 3.0, 4.0]))
    found = route((0,), (4,), 2, fold="add")(rows)
    assert [(key, [c.tolist() for c in part]) for key, part in found] == [
        ((0,), [[1], [4.0]]),
        ((1,), [[3], [2.0]]),
    ]


def test_equal_rows_share_a_bucket() -> None:
    rng = np.random.default_rng(0)
    whole = rng.integers(-9, 9, 200)
    real = np.where(whole == 0, -0.0, whole / 4)
    zeros = np.where(real == 0, 0.0, real)
    buckets: dict[tuple[int, float], int] = {}
    for column in (real, zeros):
        for (bucket,), part in hash_rows((0, 1), 3)((whole, column)):
            for key in zip(part[0].tolist(), part[1].tolist(), strict=True):
                assert buckets.setdefault(key, bucket) == bucket
    assert set(buckets.values()) == {0, 1, 2}
    ((key, part),) = hash_rows((), 3)((whole,))
    assert len(part[0]) == 200
    assert key == hash_rows((), 3)((whole[:1],))[0][0]


@pytest.mark.parametrize("monoid", ["add", "mul", "min", "max"])
def test_combining_sparse_tiles_is_combining_what_they_stand_for(monoid: str) -> None:
    rng = np.random.default_rng(1)
    a, b = (np.where(rng.random((4, 5)) < 0.5, rng.normal(size=(4, 5)), 0.0) for _ in range(2))
    ufunc = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}[monoid]
    tiles = [SparseTile.from_dense(x, 1) for x in (a, b)]
    found = combine(monoid)(*tiles)
    np.testing.assert_allclose(found.toarray(), ufunc(a, b))
    np.testing.assert_allclose(combine(monoid)(a, tiles[1]), ufunc(a, b))


def test_an_accumulator_leaves_its_inputs_alone() -> None:
    parts = [np.ones(3) for _ in range(4)]
    total = Accumulator("add")
    for part in parts:
        total.add(part)
    np.testing.assert_array_equal(total.value, np.full(3, 4.0))
    for part in parts:
        np.testing.assert_array_equal(part, np.ones(3))


def test_few_rows_that_only_the_driver_reads_stay_with_it() -> None:
    few = (np.arange(100), np.arange(100.0))
    cluster: Any = Cluster()
    stayed = distribute_rows(cluster, few, 25, may_stay=True)
    assert isinstance(stayed.ctx, LocalContext)
    np.testing.assert_array_equal(gather_rows(stayed, "i8", "f8")[1], few[1])
    sent: list[Any] = []
    cluster.parallelize = lambda batches, count: sent.append((batches, count))
    distribute_rows(cluster, few, 25)
    distribute_rows(cluster, (np.arange(20_000),), 25, may_stay=True)
    assert [count for _, count in sent] == [4, 4]


def test_cogroup_of_any_number_of_inputs() -> None:
    with LocalContext(2) as sc:
        a = sc.parallelize([((0,), 1), ((1,), 2), ((0,), 3)])
        b = sc.parallelize([((1,), 4)])
        assert dict(cogroup(2, a).collect()) == {(0,): ([1, 3],), (1,): ([2],)}
        assert dict(cogroup(2, a, b, b).collect())[(1,)] == ([2], [4], [4])


class FakeRDD:
    def __init__(self) -> None:
        self.calls: list[str] = []
        self.is_cached = False

    def persist(self) -> FakeRDD:
        self.is_cached = True
        self.calls.append("persist")
        return self

    def unpersist(self) -> None:
        self.calls.append("unpersist")

    def localCheckpoint(self) -> None:
        self.calls.append("checkpoint")


def test_a_loop_lets_go_of_what_is_old() -> None:
    loop = Iterations()
    values = [FakeRDD() for _ in range(20)]
    for value in values:
        assert loop.carry(value) is value
    assert values[0].calls == ["persist", "unpersist"]
    assert values[9].calls == ["persist", "checkpoint", "unpersist"]
    assert values[18].calls == ["persist", "unpersist"]
    assert values[19].calls == ["persist", "checkpoint"]


def test_a_loop_keeps_what_belongs_to_another() -> None:
    outer, inner = Iterations(), Iterations()
    shared = outer.keep(FakeRDD())
    inner.carry(shared)
    for _ in range(19):
        inner.carry(FakeRDD())
    assert shared.calls == ["persist"]


def test_functions_are_small_when_pickled() -> None:
    for function in (
        on_tiles(np.add, (5, 4), 3, 1.0),
        on_groups(np.add, [moved(0, 1), here, keys], (5, 4), 3, monoid="add"),
        on_rows(np.add, 1),
        rekey((0, -1), (5, 4), 3),
        route((0,), (5,), 3),
        hash_rows((0,), 3),
        combine("add"),
    ):
        assert len(pickle.dumps(function)) < 600


def test_wrap_is_arithmetic_modulo_two_to_the_64() -> None:
    assert wrap(2**63) == -(2**63)
    assert wrap(-(2**63) - 1) == 2**63 - 1
    assert wrap(5 * 2**64 - 3) == -3


def main(sc: Any, A: Any, n: int = 2, *, block_size: int | None = None) -> Any:
    """Sums."""
    return distribute(sc, A, block_size).map(on_tiles(_sum, A.shape, block_size)).count() * n


def _sum(origin: int, extent: int, tile: Any) -> Any:
    return tile.sum()


def run(*arguments: str) -> int:
    return run_as_script(
        main,
        inputs={"A": WantedArray(1, "f64"), "n": WantedScalar("i64")},
        results=["count"],
        defaults={"n": 2},
        arguments=arguments,
    )


def test_a_script_reads_inputs_and_writes_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.arange(5.0))
    assert run("--input", f"A={path}", "--block-size", "3") == 0
    assert capsys.readouterr().out == "4\n"
    result = tmp_path / "count.npy"
    assert run("--input", f"A={path}", "--set", "n=5", "--output", f"count={result}") == 0
    assert np.load(result) == 5


def test_a_script_names_inputs_as_the_program_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def renamed(sc: Any, rows_1: Any, np_1: float = 2.0, *, block_size: int | None = None) -> Any:
        return float(rows_1.sum() * np_1)

    path = tmp_path / "a.npy"
    np.save(path, np.arange(5.0))
    inputs = {"rows": WantedArray(1, "f64"), "np": WantedScalar("f64")}
    for more, expected in (([], "20.0\n"), (["--set", "np=3"], "30.0\n")):
        arguments = ["--input", f"rows={path}", *more]
        code = run_as_script(renamed, inputs, ["sum"], {"np": 2.0}, arguments)
        assert (code, capsys.readouterr().out) == (0, expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the program needs a value for A"),
        (["--input", "A=missing.npy"], "there is no such file"),
        (["--input", "B=b.npy"], "there is no input 'B'; there are A, n"),
        (["--set", "n=x"], "'x' is not"),
        (["--set", "A=1"], "give it with --input A=PATH"),
        (["--set", "n"], "--set takes NAME=VALUE, not 'n'"),
    ],
)
def test_a_script_says_what_is_wrong(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert message in line


def test_a_script_writes_all_results_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def two(sc: Any, *, block_size: int | None = None) -> Any:
        report(Diagnostic("warning", "it is late", None))
        report(Diagnostic("remark", "it is early", None))
        return 1.0, 2.0

    arguments = ["--output", "a=a.npy", "--output", "b=b.txt"]
    assert run_as_script(two, {}, ["a", "b"], arguments=arguments) == 2
    assert "error: b.txt: .txt holds strings" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    arguments = ["--output", "b=b.json"]
    assert run_as_script(two, {}, ["a", "b"], arguments=arguments) == 0
    found = capsys.readouterr()
    assert (found.out, found.err) == ("a = 1.0\n", "warning: it is late\n")
    assert Path("b.json").read_text() == "2.0\n"


def test_a_script_gives_the_parts_of_a_tuple_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    def three(sc: Any, *, block_size: int | None = None) -> Any:
        return 1.0, 2, 5

    assert run_as_script(three, {}, ["T", "x"], arguments=[], kinds={"T": "(Double, Int)"}) == 0
    assert capsys.readouterr().out == "T = (1.0, 2)\nx = 5\n"
    kinds = {"T": "<a: Double, b: (Int, Int)>"}
    assert run_as_script(three, {}, ["T"], arguments=[], kinds=kinds) == 0
    assert capsys.readouterr().out == "record(a=1.0, b=(2, 5))\n"
