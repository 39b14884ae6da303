"""Cases of rows of numbers: filters, sums, groups, and the h2o questions with integer keys."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import Table
from case_table import Work, by_hand, case, random_of, rows, shown
from group_questions import add_questions
from numpy_groups import Groups
from peers import given, queries


@case("rows", "filter")
def filtered(scale: float) -> Work:
    count = rows(5e6, scale)
    generator = random_of("filter")
    keys, values = generator.integers(0, 1000, count), generator.standard_normal(count)
    source = "input L: list[(Int,Double)]; [ (k,x) | (k,x) <- L, x > 0.0 ]"

    def numpy() -> Table:
        chosen = values > 0.0
        return Table((keys[chosen], values[chosen]))

    table = {"k": keys, "x": values}
    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select k, x from t where x > 0",
        lambda pl, t: t["t"].filter(pl.col("x") > 0),
        lambda pd, t: t["t"][t["t"].x > 0],
    )
    return Work(f"{shown(count)} rows", source, {"L": given(table)}, ways)


@case("rows", "conditional sum, list")
def conditional_sum(scale: float) -> Work:
    values = random_of("conditional sum").standard_normal(rows(1e7, scale))
    source = "input L: list[Double]; +/[ x*x | x <- L, x > 0.5 ]"
    ways = {"NumPy": by_hand(lambda: np.square(values[values > 0.5]).sum())} | queries(
        {"t": {"x": values}},
        "select sum(x*x) from t where x > 0.5",
        lambda pl, t: t["t"].filter(pl.col("x") > 0.5).select((pl.col("x") ** 2).sum()),
    )
    return Work(f"{shown(len(values))} rows", source, {"L": values}, ways)


def _grouped(
    scale: float,
    count: float,
    most: int,
    keys: tuple[str, ...],
    program: str,
    aggregates: dict[str, str],
) -> Work:
    """A question about groups of random rows (k, l, x), the sums and the like of x."""
    number = rows(count, scale, least=200)
    generator = random_of(f"groups {keys} {most}")
    table = {name: generator.integers(0, most, number) for name in keys}
    table["x"] = generator.random(number)
    types = ",".join("Int" for _ in keys)
    names = ",".join(keys)
    source = f"""
        input L: list[({types},Double)];
        [ ({names}, {program}) | ({names},x) <- L, group by ({names}) ]
    """

    def numpy() -> Table:
        groups = Groups([table[key] for key in keys])
        made = {"sum": groups.sum, "mean": groups.mean, "count": lambda _: groups.count}
        return Table([*groups.keys, *[made[a](table["x"]) for a in aggregates]])

    def polars(pl: Any, tables: Any) -> Any:
        made = {"sum": pl.sum("x"), "mean": pl.mean("x"), "count": pl.len()}
        wanted = [made[a].alias(a) for a in aggregates]
        return tables["t"].group_by(*keys).agg(*wanted)

    def pandas(_: Any, tables: Any) -> Any:
        return _pandas_groups(tables["t"], keys, aggregates)

    def dask(tables: Any) -> Any:
        return tables["t"].groupby(list(keys)).x.agg(list(aggregates)).reset_index()

    asked = ", ".join(aggregates.values())
    sql = f"select {names}, {asked} from t group by {names}"
    ways = {"NumPy": by_hand(numpy)} | queries({"t": table}, sql, polars, pandas, dask)
    return Work(f"{shown(number)} rows", source, {"L": given(table)}, ways)


def _pandas_groups(frame: Any, keys: tuple[str, ...], aggregates: dict[str, str]) -> Any:
    grouped = frame.groupby(list(keys), as_index=False, sort=False)
    return grouped.agg(**{a: ("x", a) for a in aggregates})


@case("rows", "group by, sum")
def group_sum(scale: float) -> Work:
    return _grouped(scale, 5e6, 10_000, ("k",), "+/x", {"sum": "sum(x)"})


@case("rows", "group by, sum and mean")
def group_sum_mean(scale: float) -> Work:
    asked = {"sum": "sum(x)", "mean": "avg(x)"}
    return _grouped(scale, 5e6, 10_000, ("k",), "+/x, mean/x", asked)


@case("rows", "group by, two keys")
def group_two_keys(scale: float) -> Work:
    asked = {"sum": "sum(x)", "count": "count(*)"}
    return _grouped(scale, 5e6, 300, ("k", "l"), "+/x, x.length", asked)


@case("rows", "group by, many keys")
def group_many_keys(scale: float) -> Work:
    # So far apart that no table can have a place for each.
    return _grouped(scale, 2e6, 10**12, ("k",), "+/x", {"sum": "sum(x)"})


@case("rows", "nested groups")
def nested_groups(scale: float) -> Work:
    count = rows(1e6, scale, least=200)
    generator = random_of("nested")
    table = {"k": generator.integers(0, 1000, count), "l": generator.integers(0, 20, count)}
    table["x"] = generator.random(count)
    source = """
        input L: list[(Int,Int,Double)];
        [ (k, [ (l, +/x) | (l,x) <- g, group by l ]) | (k,l,x) <- L, let g = (l,x), group by k ]
    """

    def numpy() -> Table:
        groups = Groups([table["k"], table["l"]])
        return Table([*groups.keys, groups.sum(table["x"])])

    def flat(result: Any) -> Table:
        found = [(k, inner, x) for k, group in result.to_list() for inner, x in group]
        return Table([np.array(column) for column in zip(*found, strict=True)])

    # Others make the flat table, which has the same sums.
    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select k, l, sum(x) from t group by k, l",
        lambda pl, t: t["t"].group_by("k", "l").agg(pl.sum("x")),
        lambda pd, t: t["t"].groupby(["k", "l"], as_index=False).x.sum(),
    )
    return Work(f"{shown(count)} rows", source, {"L": given(table)}, ways, read=flat)


@case("rows", "distinct")
def distinct(scale: float) -> Work:
    count = rows(2e6, scale)
    values = random_of("distinct").integers(0, count // 3, count)
    source = "input L: list[Int]; [ x | x <- L, group by x ]"
    ways = {"NumPy": by_hand(lambda: Table([np.unique(values)]))} | queries(
        {"t": {"x": values}},
        "select distinct x from t",
        lambda pl, t: t["t"].unique(),
        lambda pd, t: t["t"].drop_duplicates(),
        lambda t: t["t"].drop_duplicates(),
    )
    return Work(f"{shown(count)} rows", source, {"L": values}, ways)


@case("rows", "sums into cells")
def sums_into_cells(scale: float) -> Work:
    count, cells = rows(5e6, scale), 1000
    generator = random_of("cells")
    keys, values = generator.integers(0, cells, count), generator.random(count)
    source = """
        input I: list[(Int,Double)]; input n: Int;
        var h = tensor(n)[ (i,0.0) | i <- 0..n-1 ];
        for (i,v) in I do h[i] += v;
        h
    """
    ways = {"NumPy": by_hand(lambda: np.bincount(keys, values, cells))}
    return Work(f"{shown(count)} rows", source, {"I": (keys, values), "n": cells}, ways)


add_questions("rows", strings=False)
