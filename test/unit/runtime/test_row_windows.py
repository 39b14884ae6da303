"""Windows of rows at run time, of one batch and of several, are those of the interpreter."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from xdsl.parser import Parser

import diablo.array as da
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import new_context
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.ordering import without_gaps
from diablo.runtime.program.row_windows import window_rows
from diablo.runtime.rows import windowing
from diablo.runtime.rows.batches import all_rows, take
from diablo.runtime.rows.windowing import window

COLUMNS = "i64, f64, i64, i1, f64"
FUNCTIONS = {
    "number": "i64", "size": "i64", "first_peer": "i64", "last_peer": "i64", "peers_before": "i64",
    "shift 1 by %n": "f64, i1", "shift 3 by %n": "i1, i1", "first 1": "f64", "last 3": "i1",
    "whole add 2": "i64", "whole and 3": "i1", "whole max 4": "f64",
    "scan add 2": "i64", "scan add 4": "f64", "scan mul 4": "f64", "scan or 3": "i1",
    "scan max 1": "f64", "fold add 2 of %n": "i64", "fold add 4 of %n": "f64",
    "fold min 1 of %n": "f64", "fold and 3 of %n": "i1",
    "quantile linear 4 at %q": "f64", "quantile lower 1 at %q": "f64",
    "quantile higher 4 at %q": "f64", "quantile nearest 4 at %q": "f64",
    "quantile midpoint 4 at %q": "f64",
}  # fmt: skip
SIZES = (-(2**62), -2, 0, 1, 2, 3, 17, 64, 2**62)


def _module(keys: list[int], by: list[tuple[int, bool]]) -> Any:
    places = [f"{column} desc" if down else f"{column}" for column, down in by]
    bag, made = f"!comprehension.bag<{COLUMNS}>", ", ".join(FUNCTIONS.values())
    result = f"!comprehension.bag<{COLUMNS}, {made}>"
    text = f"""
    func.func @main(%rows: {bag} {{diablo.name = "rows"}}, %n: index {{diablo.name = "n"}},
                    %q: f64 {{diablo.name = "q"}}) -> {result} {{
      %w = tensor_block.window %rows keys {keys} by [{", ".join(places)}]
          functions [{", ".join(FUNCTIONS)}] : {bag} -> {result}
      func.return %w : {result}
    }}"""
    return Parser(new_context(), text).parse_module()


def _functions(size: int, part: float) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for text in FUNCTIONS:
        words = [word for word in text.split() if word not in ("by", "of", "at")]
        given = {"%n": size, "%q": part}
        found.append(tuple(int(w) if w.isdecimal() else given.get(w, w) for w in words))
    return found


def _batch(rng: np.random.Generator, count: int, groups: int) -> tuple[Any, ...]:
    return (
        rng.integers(0, groups, count),
        rng.choice([1.0, -0.0, 0.0, np.nan, np.inf], count),
        rng.integers(-(2**62), 2**62, count),
        rng.random(count) < 0.5,
        rng.integers(-3, 4, count).astype(np.float64),
    )


def _rows(batch: Any) -> list[tuple[Any, ...]]:
    return list(zip(*[column.tolist() for column in batch], strict=True))


def _plain(rows: Any) -> list[tuple[Any, ...]]:
    """Rows without the sign of zero, which the order of a sum decides."""
    return [tuple(v + 0.0 if isinstance(v, float) else v for v in row) for row in rows]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("keys", [[], [0], [1], [3, 0]])
@pytest.mark.parametrize("by", [[], [(1, True)], [(4, False), (0, True)]])
@pytest.mark.parametrize("mode", ["always", "never"])
def test_windows_are_those_of_the_interpreter(
    keys: list[int], by: list[tuple[int, bool]], mode: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setenv("DIABLO_THREADS", "2")
    module = _module(keys, by)
    random = Random(f"{keys} {by}")
    rng = np.random.default_rng(random.randrange(2**32))
    for count in (0, 1, 3, 12, 40):
        size, part = random.choice(SIZES), random.choice([0.0, 0.3, 0.5, 0.875, 1.0])
        batch = _batch(rng, count, random.choice([1, 4, 40]))
        (expected,) = interpret(module, {"rows": _rows(batch), "n": size, "q": part})
        found = window(batch, keys, by, _functions(size, part))
        cuts = np.sort(rng.integers(0, count + 1, 4))
        parts = [take(batch, places) for places in np.split(np.arange(count), cuts)]
        rdd = LocalContext().parallelize(parts, 3)
        apart = all_rows(window_rows(rdd, keys, by, _functions(size, part)).collect())
        for rows in (found, apart if apart is not None else found):
            assert [column.dtype for column in rows[:5]] == [column.dtype for column in batch]
            np.testing.assert_equal(_plain(_rows(rows)), _plain(expected))


@pytest.mark.parametrize("mode", ["always", "never"])
def test_long_and_short_groups_are_folded_alike(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    rng = np.random.default_rng(0)
    keys = np.repeat(np.arange(60), rng.integers(1, 200, 60))
    values = rng.integers(-4, 5, len(keys)).astype(np.float64)
    order = rng.permutation(len(keys))
    batch = keys[order], values[order]
    functions = [("scan", "add", 1), ("fold", "add", 1, 5), ("fold", "add", 1, 90)]
    *_, running, few, many = window(batch, [0], [], functions)
    for group in range(60):
        own = batch[1][batch[0] == group]
        sums = np.concatenate([np.zeros(1), np.cumsum(own)])
        ends = np.arange(1, len(sums))
        np.testing.assert_array_equal(running[batch[0] == group], sums[1:])
        for size, found in ((5, few), (90, many)):
            expected = sums[1:] - sums[np.maximum(ends - size, 0)]
            np.testing.assert_array_equal(found[batch[0] == group], expected)
    whole = window((values,), [], [], [("fold", "max", 0, 100)])[-1]
    expected = [values[max(0, k - 99) : k + 1].max() for k in range(len(values))]
    np.testing.assert_array_equal(whole, expected)


def test_keys_that_lie_apart_in_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    both = np.array([[0, 9], [1, 8], [0, 7], [1, 6]])
    functions = [("number",), ("shift", 1, 1), ("scan", "add", 1), ("quantile", "lower", 1, 1.0)]
    *_, places, before, _, sums, most = window((both[:, 0], both[:, 1] * 1.0), [0], [], functions)
    assert places.tolist() == [0, 0, 1, 1]
    assert before.tolist() == [9.0, 8.0, 9.0, 8.0]
    assert sums.tolist() == [9.0, 8.0, 16.0, 14.0]
    assert most.tolist() == [9.0, 8.0, 9.0, 8.0]


def test_strings_are_shifted_and_are_keys():
    words = np.array(["b", "a", "b", ""], dtype=object)
    batch = words, np.arange(4)
    rows = window(batch, [0], [(1, True)], [("shift", 0, 1), ("last", 0), ("number",)])
    assert [list(column) for column in rows[3:]] == [[True, False, False, False],
                                                     ["b", "a", "b", ""], [1, 0, 0, 0]]  # fmt: skip


@pytest.mark.parametrize(
    ("dtype", "monoids"),
    [("int8", "add min max"), ("uint8", "add min max"), ("uint32", "add max"),
     ("uint64", "add min"), ("int64", "add max mul"), ("float32", "add min max mul"),
     ("complex128", "add"), ("bool", "and or")],
)  # fmt: skip
def test_machine_code_folds_all_types(
    dtype: str, monoids: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    most = 9 if np.dtype(dtype).kind in "fc" else 2**62
    batch = rng.integers(0, 5, 60), rng.integers(0, most, 60).astype(dtype)
    functions = [(name, monoid, 1, *size) for monoid in monoids.split()
                 for name, *size in (("scan",), ("fold", 3))]  # fmt: skip
    made: list[Any] = []
    for mode in ("always", "never"):
        monkeypatch.setenv("DIABLO_COMPILE", mode)
        made.append(window(batch, [0], [], functions)[2:])
    for found, expected in zip(*made, strict=True):
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)


def test_rows_are_not_sorted_by_their_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for functions of the rows before each, nor again for those of the last rows."""
    sorts: list[Any] = []

    def sorted_by(rows: Any, by: Any = "groups") -> Any:
        sorts.append(by)
        return np.argsort(rows, kind="stable") if by == "groups" else None

    monkeypatch.setattr(windowing, "stable_order", sorted_by)
    monkeypatch.setattr(windowing, "sorted_positions", sorted_by)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    batch = np.array([2, 0, 2, 0]), np.array([1.0, 2.0, 3.0, 4.0])
    functions = [("number",), ("shift", 1, 1), ("scan", "add", 1), ("fold", "max", 1, 2),
                 ("quantile", "linear", 1, 0.5)]  # fmt: skip
    *_, places, before, there, sums, most, medians = window(batch, [0], [], functions)
    assert sorts == [[]]  # By nothing.
    assert places.tolist() == [0, 0, 1, 1]
    assert before.tolist() == [1.0, 2.0, 1.0, 2.0]
    assert there.tolist() == [False, False, True, True]
    assert sums.tolist() == [1.0, 2.0, 4.0, 6.0]
    assert most.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert medians.tolist() == [2.0, 3.0, 2.0, 3.0]
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    window(batch, [0], [], functions)
    assert "groups" in sorts


def test_keys_far_apart_are_numbered_without_gaps():
    keys = np.array([7, -(2**62), 7, 2**62, 0])
    codes, size, *_ = without_gaps(keys)
    assert codes.tolist() == [2, 0, 2, 3, 1]
    assert size == 4
    assert without_gaps(keys[:0]).size == 1
    unsigned = without_gaps(np.array([2**64 - 1, 0, 2**63], np.uint64))
    assert unsigned.codes.tolist() == [2, 0, 1]


@pytest.mark.parametrize("mode", ["always", "never"])
def test_values_are_carried_in_the_order_of_rows(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    t = da.table({"k": [1, 2, 1, 1, 2], "day": [3, 1, 1, 2, 0], "x": [None, 5.0, 7.0, None, None]})
    x = da.col("x")
    made = t.select(
        a=x.forward_fill().over("k"),
        b=x.backward_fill().over("k"),
        c=x.forward_fill().over("k", order_by="day"),
        d=x.backward_fill().over("k", order_by="day"),
    ).to_dict()
    assert made == {
        "a": [None, 5.0, 7.0, 7.0, 5.0],
        "b": [7.0, 5.0, 7.0, None, None],
        "c": [7.0, 5.0, 7.0, 7.0, None],
        "d": [None, 5.0, 7.0, None, 5.0],
    }
