"""Cases of rows in order: all of them by one key or two, and the first hundred."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import Table
from case_table import Work, by_hand, case, random_of, rows, shown
from peers import given, queries


@case("rows", "top 100, vector")
def top_of_a_vector(scale: float) -> Work:
    values = random_of("top of a vector").standard_normal(rows(1e7, scale, least=400))
    source = "input V: vector[Double]; [ (i,v) | (i,v) <- V, order by v desc, limit 100 ]"

    def numpy() -> Table:
        found = np.argpartition(values, -100)[-100:]
        return Table((found, values[found]))

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": {"i": np.arange(len(values)), "v": values}},
        "select i, v from t order by v desc limit 100",
        lambda pl, t: t["t"].top_k(100, by="v"),
        lambda pd, t: t["t"].nlargest(100, "v"),
    )
    return Work(shown(len(values)), source, {"V": values}, ways)


@case("rows", "top 100, list")
def top_of_a_list(scale: float) -> Work:
    count = rows(1e7, scale, least=400)
    generator = random_of("top of a list")
    table = {"k": generator.integers(0, count, count), "x": generator.random(count)}
    source = "input L: list[(Int,Double)]; [ (k,x) | (k,x) <- L, order by x, limit 100 ]"

    def numpy() -> Table:
        found = np.argpartition(table["x"], 100)[:100]
        return Table((table["k"][found], table["x"][found]))

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select k, x from t order by x limit 100",
        lambda pl, t: t["t"].bottom_k(100, by="x"),
        lambda pd, t: t["t"].nsmallest(100, "x"),
    )
    return Work(f"{shown(count)} rows", source, {"L": given(table)}, ways)


def _sorted(values: np.ndarray, type: str) -> Work:
    source = f"input V: vector[{type}]; [ v | (i,v) <- V, order by v ]"
    ways = {"NumPy": by_hand(lambda: Table([np.sort(values)]))} | queries(
        {"t": {"v": values}},
        "select v from t order by v",
        lambda pl, t: t["t"].sort("v"),
        lambda pd, t: t["t"].sort_values("v"),
    )
    return Work(shown(len(values)), source, {"V": values}, ways)


@case("rows", "sorted doubles")
def sorted_doubles(scale: float) -> Work:
    return _sorted(random_of("sorted doubles").standard_normal(rows(1e7, scale)), "Double")


@case("rows", "sorted integers")
def sorted_integers(scale: float) -> Work:
    count = rows(1e7, scale)
    return _sorted(random_of("sorted integers").integers(0, 1 << 40, count), "Int")


@case("rows", "order by two keys")
def two_keys(scale: float) -> Work:
    count = rows(1e6, scale)
    generator = random_of("order by two keys")
    table: dict[str, Any] = {
        "k": generator.integers(0, 1000, count),
        "x": generator.random(count),
        "y": generator.random(count),
    }
    source = """
        input L: list[(Int,Double,Double)];
        [ (k,x,y) | (k,x,y) <- L, order by k, x desc ]
    """

    def numpy() -> Table:
        order = np.lexsort((-table["x"], table["k"]))
        return Table([column[order] for column in table.values()])

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select k, x, y from t order by k, x desc",
        lambda pl, t: t["t"].sort(["k", "x"], descending=[False, True]),
        lambda pd, t: t["t"].sort_values(["k", "x"], ascending=[True, False]),
    )
    return Work(f"{shown(count)} rows", source, {"L": given(table)}, ways)
