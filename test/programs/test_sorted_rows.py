"""Rows are put in the order that a program asks for, and cut, however the program runs."""

from __future__ import annotations

import re
from functools import cmp_to_key
from typing import Any, cast

import numpy as np
import pytest

import diablo
from diablo.diagnostics import CompileError
from diablo.frontend.checking.program_interface import SEED
from diablo.passes.interpreter.interpreter import interpret
from diablo.runtime import rows
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.tile_mode import TILES
from diablo.runtime.program import sort_rows
from diablo.runtime.rows import sorting
from diablo.runtime.rows.lists import Lists
from fuzzing.trial import Trial

NAN = float("nan")
INPUTS: dict[str, tuple[str, Any]] = {
    "V": ("vector[Double]", np.array([2.0, NAN, -0.0, 5.0, 0.0, 5.0, -1.0])),
    "A": ("matrix[Int]", np.array([[3, 1, 2], [1, 3, 3]])),
    "L": ("list[(Int,Double)]", [(2, 1.0), (0, 2.0), (2, 0.5), (9, 2.0), (0, NAN), (2, 1.0)]),
    "W": ("list[String]", ["b", "a", "", "ab", "a"]),
    "E": ("list[(Int,Double)]", []),
    "K": ("map[String,Int]", {"x": 2, "a": 1, "m": 2}),
    "k": ("Int", 3),
}
PROGRAMS: dict[str, tuple[str, Any]] = {
    "numbers, of which NaN is last": ("[ v | (i,v) <- V, order by v ]", [-1, 0, 0, 2, 5, 5, NAN]),
    "and last as well": ("[ i | (i,v) <- V, order by v desc ]", [3, 5, 0, 2, 4, 6, 1]),
    "the first ones": ("[ i | (i,v) <- V, order by v desc, limit k ]", [3, 5, 0]),
    "none": ("[ i | (i,v) <- V, order by v desc, limit k-7 ]", []),
    "fewer than there are asked for": (
        "[ v | (i,v) <- V, v > 1.0, order by v, limit 9 ]",
        [2, 5, 5],
    ),
    "without an order": ("[ (j,a) | ((i,j),a) <- A, limit 4 ]", [(0, 3), (1, 1), (2, 2), (0, 1)]),
    "a list as it is given": ("[ v | (i,v) <- L, limit 2 ]", [1.0, 2.0]),
    "ties, row by row": ("[ (i,j) | ((i,j),a) <- A, order by a ]", None),
    "ties of a list": (
        "[ (i,x) | (i,x) <- L, order by i desc ]",
        [(9, 2.0), (2, 1.0), (2, 0.5), (2, 1.0), (0, 2.0), (0, NAN)],
    ),
    "two keys": (
        "[ (i,x) | (i,x) <- L, order by i, x desc ]",
        [(0, 2.0), (0, NAN), (2, 1.0), (2, 1.0), (2, 0.5), (9, 2.0)],
    ),
    "a tuple": (
        "[ (i,x) | (i,x) <- L, order by (x,i) desc, limit 3 ]",
        [(9, 2.0), (0, 2.0), (2, 1.0)],
    ),
    "what is computed": ("[ i | (i,x) <- L, order by x > 0.7 desc, -i ]", [9, 2, 2, 0, 2, 0]),
    "strings": ("[ w | w <- W, order by w desc ]", ["b", "ab", "a", "a", ""]),
    "their lengths": ("[ w | w <- W, order by w.length, w, limit 3 ]", ["", "a", "a"]),
    "no rows": ("([ x | (i,x) <- E, order by x ], [ i | (i,x) <- E, limit 2 ])", ([], [])),
    "a map": ("[ s | (s,n) <- K, order by n desc ]", ["m", "x", "a"]),
    "pairs of rows": ("[ (i,w) | (i,x) <- L, w <- W, order by w desc, i, limit 5 ]", None),
    "groups": (
        "[ (i, +/x) | (i,x) <- L, x > 0.0, group by i, order by +/x desc, i ]",
        [(2, 2.5), (0, 2.0), (9, 2.0)],
    ),
    "within each group": (
        "[ (i, [ y | y <- x, order by y desc, limit 2 ]) | (i,x) <- L, group by i, order by i ]",
        [(0, [2.0, NAN]), (2, [1.0, 1.0]), (9, [2.0])],
    ),
    "a list of what a row has": (
        "[ (k, [ y | y <- [3.0*k, 1.0*k, 2.5], order by y ]) | i <- 0..3, let k = i/2,"
        " group by k ]",
        [(0, [0.0, 0.0, 2.5]), (1, [1.0, 2.5, 3.0])],
    ),
    "as many of each row as it says": (
        "[ [ y | y <- x, order by y, limit i+1 ] | (i,x) <- L, group by i, order by i ]",
        [[2.0], [0.5, 1.0, 1.0], [2.0]],
    ),
    "sorted, then sorted": (
        "var S = [ (i,x) | (i,x) <- L, order by x ]; [ i | (i,x) <- S, order by i, limit 4 ]",
        [0, 0, 2, 2],
    ),
    "sorted, then cut": (
        "var S = [ x | (i,x) <- L, order by x ]; [ 2.0*x | x <- S, limit 2 ]",
        [1, 2],
    ),
    "sorted, then cut behind a test": (
        "var S = [ x | (i,x) <- L, order by x ]; [ x | x <- S, x > 0.7, limit 2 ]",
        [1, 1],
    ),
    "a row of them": ("var S = [ (x,i) | (i,x) <- L, order by x ]; S[1]", None),
    "a sum of the first ones": ("+/[ x | (i,x) <- L, order by x desc, limit 2 ]", 4.0),
    "the last one of each index": ("tensor(3)[ (i,x) | (i,x) <- L, i < 3, order by x desc ]", None),
    "a map of them": (
        "var m = map[ (i,x) | (i,x) <- L, order by x desc ]; [ r | r <- m, order by r ]",
        None,
    ),
    "in an ordered loop": (
        "var s = 0.0; for x in [ x | (i,x) <- L, i > 0, order by x ] do s = 0.5*s + x; s",
        0.5 * (0.5 * (0.5 * 0.5 + 1.0) + 1.0) + 2.0,
    ),
    "a vector": ("(sort(V), argsort(V), argsort(argsort(V)))", None),
    "a vector without elements": ("sort(tensor(0)[ (i,1.0) | i <- 1..0 ])", []),
    "lists": ("(sort(W), argsort(W), sort(L))", None),
    "from inside of a row": (
        "[ (i, +/[ x | (h,x) <- L, h == i, order by x desc, limit 1 ]) | i <- 0..2, order by i ]",
        None,
    ),
}


def whole(text: str) -> tuple[str, dict[str, Any]]:
    """A program with the inputs that it uses."""
    words = text.replace("Int", "")
    used = {name: given for name, given in INPUTS.items() if name in words}
    lines = [f"input {name}: {type};" for name, (type, _) in used.items()]
    return " ".join([*lines, text]), {name: value for name, (_, value) in used.items()}


def shown(value: Any) -> Any:
    """A result whose lists keep their order, with rows of scalars; NaN is the same as itself."""
    for method in ("to_list", "to_numpy", "tolist"):
        if hasattr(value, method):
            return shown(getattr(value, method)())
    if isinstance(value, list):
        return [shown(part) for part in cast("list[Any]", value)]
    if isinstance(value, tuple):
        parts: list[Any] = []
        for part in map(shown, cast("tuple[Any, ...]", value)):
            parts += part if isinstance(part, tuple) else (part,)
        return parts[0] if len(parts) == 1 else tuple(parts)
    return "NaN" if isinstance(value, float) and value != value else value


def interpreted(program: str, inputs: dict[str, Any]) -> Any:
    """Return what the reference interpreter gives, in the order that it gives."""
    module = Trial(program, inputs).variant().lower("diablo")
    return shown(tuple(interpret(module, {SEED: 0, **Trial(program, inputs).inputs})))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", PROGRAMS)
def test_rows_stand_in_order(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, wanted = PROGRAMS[name]
    program, inputs = whole(text)
    expected = interpreted(program, inputs)
    if wanted is not None:
        assert expected == shown(wanted)
    assert shown(diablo.compile(program)(**inputs)) == expected
    monkeypatch.setenv(TILES, "apart")
    for block in (1, 2, 7):
        found = shown(diablo.compile(program, block_size=block)(**inputs))
        assert found == expected, f"with blocks of {block}"


@pytest.mark.spark
@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_spark(name: str) -> None:
    program, inputs = whole(PROGRAMS[name][0])
    run = diablo.compile(program, block_size=2, engine="spark", master="local[2]")
    assert shown(run(**inputs)) == interpreted(program, inputs)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[ x | x <- L, order by x, y <- L ]", "a generator stands before `order by`"),
        ("[ x | x <- L, order by x, let y = x ]", "`let` stands before `order by`"),
        ("[ x | x <- L, order by x, group by x ]", "`group` stands before `order by`"),
        ("[ x | x <- L, limit 2, x > 1 ]", "`limit` stands last"),
        ("[ x | x <- L, order by x descending ]", "followed by desc: order by k desc"),
        ("[ x | x <- L, order by ]", "expected an expression, found `]`"),
        ("sort(3)", "`sort` puts a vector or a list in order, and this is Int"),
        ("sort(tensor(1,1)[ ((0,0),1.0) | x <- L ])", "sort its rows"),
        ("argsort([ 1j*x | x <- L ])", "complex numbers have no order"),
        ("sort(L, L)", "`sort` takes 1 argument"),
    ],
)
def test_clauses_have_their_places(text: str, message: str) -> None:
    with pytest.raises(CompileError, match=re.escape(message)):
        diablo.compile(f"input L: list[Int]; {text}")


def sorted_plainly(batch: tuple[Any, ...], by: sorting.Keys) -> list[int]:
    """The positions of rows in order, by comparisons alone."""

    def compare(i: int, j: int) -> int:
        for column, down in by:
            a, b = batch[column][i], batch[column][j]
            if a != a or b != b:
                if (a != a) != (b != b):
                    return 1 if a != a else -1
            elif a != b:
                return -1 if (a < b) != down else 1
        return 0

    return sorted(range(len(batch[0])), key=cmp_to_key(compare))


def random_column(random: np.random.Generator, count: int) -> Any:
    match random.integers(9):
        case 0:
            return random.integers(-3, 3, count)
        case 1:
            return random.integers(-(2**62), 2**62, count) * 2
        case 2:
            return random.normal(size=count)
        case 3:
            return random.choice([0.0, -0.0, NAN, 1.5, -np.inf, np.inf], count)
        case 4:
            return random.choice([True, False], count)
        case 5:
            return random.integers(0, 2**64 - 1, count, dtype=np.uint64)
        case 6:
            return random.normal(size=count).astype(np.float32)
        case 7:
            return np.array([str(n) for n in random.integers(0, 9, count)], object)
        case _:
            return np.sort(random.integers(0, 5, count).astype(np.int8))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_all_kinds_of_keys(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "_CHUNK", 16)
    monkeypatch.setattr(sorting, "_LEAST_ROOM", 8)
    random = np.random.default_rng(seed)
    for _ in range(150):
        count, width = int(random.integers(0, 120)), int(random.integers(1, 4))
        batch = tuple(random_column(random, count) for _ in range(width))
        by = [
            (int(random.integers(width)), bool(random.integers(2)))
            for _ in range(random.integers(1, 4))
        ]
        limit = [None, int(random.integers(-1, count + 3)), int(random.integers(0, 6))][
            random.integers(3)
        ]
        column = int(random.integers(width))
        kept = [None, [column], [sorting.PLACE], [column, sorting.PLACE]]
        to = kept[random.integers(len(kept))]
        order = sorted_plainly(batch, by)[: None if limit is None else max(limit, 0)]
        found = sorting.sort(batch, by, limit, to)
        whole = (*batch, np.arange(count))  # The place is the last one of these.
        for column, source in zip(
            found, batch if to is None else map(whole.__getitem__, to), strict=True
        ):
            assert column.dtype == source.dtype
            # Of zeros the signs are compared as well.
            assert [*map(repr, column)] == [*map(repr, source[order])], (batch, by, limit, to)


def test_lists_within_rows() -> None:
    lists = Lists((np.array([3, 1, 2, 9, 8]), np.arange(5)), np.array([0, 3, 3, 5]))
    down = [(0, True)]
    assert sorting.sort_lists(lists, down, to=[0]).tolist() == [[3, 2, 1], [], [9, 8]]
    assert sorting.sort_lists(lists, [(0, False)], limit=1).tolist() == [[(1, 1)], [], [(8, 4)]]
    limits = np.array([-1, 5, 1])
    assert sorting.sort_lists(lists, down, limits, [1]).tolist() == [[], [], [3]]
    places = sorting.sort_lists(lists, down, 2, [sorting.PLACE, 0])
    assert places.tolist() == [[(0, 3), (2, 2)], [], [(0, 9), (1, 8)]]


@pytest.mark.parametrize("limit", [None, 3])
def test_places_count_the_rows_of_all_partitions(limit: int | None) -> None:
    values = np.array([2.0, 5.0, 1.0, 5.0, 3.0, 0.0])
    rows = LocalContext().parallelize([(values[:1],), (values[1:4],), (values[4:],)], 3)
    parts = sort_rows(rows, [(0, True)], limit=limit, to=[sorting.PLACE, 0]).collect()
    places, found = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    assert places.tolist() == [1, 3, 4, 0, 2, 5][:limit]
    assert found.tolist() == values[places].tolist()


@pytest.mark.parametrize(
    "text",
    [
        "[ (i,v) | (i,v) <- V, order by v desc, limit 3 ]",
        "[ (v,i) | (i,v) <- V, order by v ]",
        "argsort(V)",
    ],
)
def test_no_column_has_the_indices_of_a_sorted_vector(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, inputs = whole(text)
    expected = interpreted(program, inputs)
    wanted: list[Any] = []
    to_rows = rows.to_rows

    def listed(tile: Any, origins: Any = (), to: Any = None) -> Any:
        wanted.append(to)
        return to_rows(tile, origins, to)

    monkeypatch.setattr(rows, "to_rows", listed)
    assert shown(diablo.compile(program)(**inputs)) == expected
    assert wanted == [(1,)]


def test_few_rows_are_compared_with_the_last_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    held = _held(monkeypatch)
    values = np.random.default_rng(0).permutation(1_000_000)
    (found,) = sorting.sort((values,), [(0, False)], 10)
    assert found.tolist() == [*range(10)]
    assert sum(held) <= 3 * (1 << 12)


def test_few_rows_need_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    held = _held(monkeypatch)
    ascending = np.arange(1_000_000)
    (found,) = sorting.sort((ascending,), [(0, True)], 3)
    assert found.tolist() == [999_999, 999_998, 999_997]
    # Each row comes before all that were seen.
    assert max(held) <= 2 * (1 << 16) + 3


def _held(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note how many candidates for the first rows are sorted each time."""
    held: list[int] = []
    best = sorting._Foremost._best  # pyright: ignore[reportPrivateUsage]

    def counted(self: Any, waiting: Any) -> Any:
        held.append(sum(map(len, waiting)))
        return best(self, waiting)

    monkeypatch.setattr(sorting._Foremost, "_best", counted)  # pyright: ignore[reportPrivateUsage]
    return held
