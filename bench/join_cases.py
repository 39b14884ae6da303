"""Cases of joins: one of integers alone, and the five of the h2o database benchmark.

The tables of the benchmark: x has N rows, the others (small, medium, big) N/1e6, N/1e3 and N rows,
each with keys that occur once; nine of ten keys occur on both sides. id1, id2 and id3 are keys of
the small, the medium and the big table, and id4, id5 and id6 ("id…") the same as strings. In j1 to
j3 and j5 the tables have either the integers or the strings, in j4 both, as published. A program
says a left join as the sum of what matches, so that it has 0 where nothing does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from answers import Table
from case_table import Work, by_hand, case, random_of, rows, shown
from peers import Column, Text, given, queries

_ROWS = 1e6


def _positions(keys: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the wanted values are among keys that occur once, and whether they are there."""
    if keys.dtype.kind == "i":  # and not much larger than they are many
        places = np.full(max(keys.max(), wanted.max()) + 1, -1)
        places[keys] = np.arange(len(keys))
        found = places[wanted]
        return found, found >= 0
    # Python's dictionary finds strings ten times as fast as NumPy sorts them.
    numbers = dict(zip(keys.tolist(), range(len(keys)), strict=True))
    found = np.fromiter((numbers.get(name, -1) for name in wanted.tolist()), np.int64, len(wanted))
    return found, found >= 0


def _product_sum(scale: float, count: float, others: float) -> Work:
    many, few = rows(count, scale), rows(others, scale, least=10)
    generator = random_of("join")
    keys, values = generator.integers(0, few, many), generator.random(many)
    names, prices = generator.permutation(few), generator.random(few)
    source = """
        input L: list[(Int,Double)]; input M: list[(Int,Double)];
        +/[ x*y | (k,x) <- L, (j,y) <- M, j == k ]
    """

    def numpy() -> float:
        found, _ = _positions(names, keys)
        return float(values @ prices[found])

    tables = {"l": {"k": keys, "x": values}, "m": {"k": names, "y": prices}}
    ways = {"NumPy": by_hand(numpy)} | queries(
        tables,
        "select sum(x*y) from l join m using (k)",
        lambda pl, t: t["l"].join(t["m"], on="k").select((pl.col("x") * pl.col("y")).sum()),
        lambda pd, t: _pandas_product(t["l"].merge(t["m"], on="k")),
    )
    inputs = {name.upper(): given(columns) for name, columns in tables.items()}
    return Work(f"{shown(many)} with {shown(few)} rows", source, inputs, ways)


def _pandas_product(joined: Any) -> Any:
    return (joined.x * joined.y).sum()


@case("joins", "join, sum of products")
def join_sum(scale: float) -> Work:
    return _product_sum(scale, 5e6, 1e5)


@case("joins", "join, rows")
def join_rows(scale: float) -> Work:
    many, few = rows(1e7, scale), rows(1e6, scale, least=10)
    generator = random_of("join rows")
    keys, values = generator.integers(0, few, many), generator.random(many)
    names, prices = generator.permutation(few), generator.random(few)
    source = """
        input L: list[(Int,Double)]; input M: list[(Int,Double)];
        [ (k,x,y) | (k,x) <- L, (j,y) <- M, j == k ]
    """

    def numpy() -> Table:
        found, _ = _positions(names, keys)
        return Table((keys, values, prices[found]))

    tables = {"l": {"k": keys, "x": values}, "m": {"k": names, "y": prices}}
    ways = {"NumPy": by_hand(numpy)} | queries(
        tables,
        "select k, x, y from l join m using (k)",
        lambda pl, t: t["l"].join(t["m"], on="k"),
        lambda pd, t: t["l"].merge(t["m"], on="k"),
    )
    inputs = {name.upper(): given(columns) for name, columns in tables.items()}
    return Work(f"{shown(many)} with {shown(few)} rows", source, inputs, ways)


@dataclass(frozen=True)
class _Join:
    """Which table x is joined with, and how."""

    table: str
    left: bool = False
    both: bool = False
    """Whether the tables have the keys as integers and as strings."""
    dask: bool = False


JOINS = {
    "j1": _Join("small"),
    "j2": _Join("medium", dask=True),
    "j3": _Join("medium", left=True),
    "j4": _Join("medium", both=True),
    "j5": _Join("big"),
}
_KEYS = {"small": 1, "medium": 2, "big": 3}
_LEAST = {"small": 10, "medium": 20, "big": 40}


def _halves(generator: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """n keys for either side, of which nine of ten are the same."""
    common = n - n // 10
    keys = generator.permutation(2 * n - common) + 1
    return keys[:n], np.concatenate([keys[:common], keys[n:]])


def _tables(count: int, wanted: str) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The columns of x and of the table that is joined with it, keys as integers."""
    generator = random_of("h2o joins")
    per_key = {"small": 10**6, "medium": 10**3, "big": 1}
    x: dict[str, np.ndarray] = {}
    y: dict[str, np.ndarray] = {}
    for table, number in _KEYS.items():
        n = max(count // per_key[table], min(_LEAST[table], count))
        left, right = _halves(generator, n)
        # Each key once, and then at random; the big table's keys are all once.
        drawn = np.concatenate([left, generator.choice(left, count - n)])
        x[f"id{number}"] = generator.permutation(drawn)
        if _KEYS[wanted] >= number:
            y[f"id{number}"] = right
    size = len(y[f"id{_KEYS[wanted]}"])
    y = {
        name: column if len(column) == size else generator.choice(column, size)
        for name, column in y.items()
    }
    order = generator.permutation(size)
    y = {name: column[order] for name, column in y.items()}
    x["v1"] = np.round(generator.random(count) * 100, 6)
    y["v2"] = np.round(generator.random(size) * 100, 6)
    return x, y


def _as_strings(columns: dict[str, np.ndarray], keep: bool) -> dict[str, Column]:
    """The keys as strings, instead of the integers or beside them."""
    made: dict[str, Column] = dict(columns) if keep else {}
    for name, column in columns.items():
        if not name.startswith("id"):
            made.pop(name, None)
            continue
        made[f"id{int(name[2:]) + 3}"] = _strings(column)
    return made | {n: c for n, c in columns.items() if n.startswith("v")}


def _strings(keys: np.ndarray) -> Text:
    names, codes = np.unique(keys, return_inverse=True)
    return Text([f"id{k}" for k in names.tolist()], codes)


def _joined(join: _Join, scale: float, strings: bool) -> Work:
    count = rows(_ROWS, scale, least=100)
    plain_x, plain_y = _tables(count, join.table)
    number = _KEYS[join.table]
    # Of what the other table has besides its key and its value, x has its own: that is left out.
    plain_y = {n: c for n, c in plain_y.items() if n in (f"id{number}", "v2")}
    x: dict[str, Column] = dict(plain_x)
    y: dict[str, Column] = dict(plain_y)
    if strings or join.both:
        x, y = _as_strings(plain_x, join.both), _as_strings(plain_y, join.both)
    key = f"id{number + 3}" if strings else f"id{number}"
    y = {key: y[key], "v2": y["v2"]}
    source = _program(x, y, key, join.left)
    ways = {"NumPy": by_hand(_numpy_join(x, y, key, join.left))}
    ways |= _join_queries(x, y, key, join)
    size = f"{shown(count)} with {shown(len(y[key]))} rows"
    return Work(size, source, {"X": given(x), "Y": given(y)}, ways)


def _types(columns: dict[str, Column]) -> str:
    kinds = {"O": "String", "f": "Double", "i": "Int"}
    return ",".join(
        "String" if isinstance(c, Text) else kinds[c.dtype.kind] for c in columns.values()
    )


def _program(x: dict[str, Column], y: dict[str, Column], key: str, left: bool) -> str:
    names = ",".join(x)
    inputs = f"input X: list[({_types(x)})]; input Y: list[({_types(y)})];\n"
    if left:
        return inputs + f"[ ({names}, +/[ v2 | (k,v2) <- Y, k == {key} ]) | ({names}) <- X ]"
    return inputs + f"[ ({names},v2) | ({names}) <- X, (k,v2) <- Y, k == {key} ]"


def _numpy_join(
    x: dict[str, Column], y: dict[str, Column], key: str, left: bool
) -> Callable[[], Table]:
    columns = [c.objects() if isinstance(c, Text) else c for c in x.values()]
    wanted, keys = (c.objects() if isinstance(c, Text) else c for c in (x[key], y[key]))
    values = np.asarray(y["v2"])

    def call() -> Table:
        found, there = _positions(keys, wanted)
        if left:
            return Table([*columns, np.where(there, values[found], 0.0)])
        return Table([*[c[there] for c in columns], values[found[there]]])

    return call


def _join_queries(
    x: dict[str, Column], y: dict[str, Column], key: str, join: _Join
) -> dict[str, Any]:
    names = ", ".join(f"x.{name}" for name in x)
    kind = "left" if join.left else "inner"
    value = "coalesce(y.v2, 0)" if join.left else "y.v2"

    def polars(pl: Any, tables: Any) -> Any:
        joined = tables["x"].join(tables["y"], on=key, how=kind)
        return joined.with_columns(pl.col("v2").fill_null(0.0)) if join.left else joined

    def pandas(_: Any, tables: Any) -> Any:
        joined = tables["x"].merge(tables["y"], on=key, how=kind)
        return joined.fillna({"v2": 0.0}) if join.left else joined

    def dask(tables: Any) -> Any:
        return tables["x"].merge(tables["y"], on=key, how=kind)

    return queries(
        {"x": x, "y": y},
        f"select {names}, {value} from x {kind} join y on x.{key} = y.{key}",
        polars,
        pandas,
        dask if join.dask else None,
    )


def _add_joins() -> None:
    for strings in (False, True):
        for name, join in JOINS.items():

            def make(scale: float, join: _Join = join, strings: bool = strings) -> Work:
                return _joined(join, scale, strings)

            kind = "strings" if strings else "integers"
            left = ", left" if join.left else ""
            case("joins", f"h2o {name}, {join.table}{left}, {kind}")(make)


_add_joins()
