"""Cases of lazy tables: filters, groups, joins and orders as users of data frames write them."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import Table
from case_table import Work, by_hand, case, random_of, rows, shown
from numpy_groups import Groups
from peers import Text, given_strings, queries

import diablo.array as da
from diablo.array import col


def _columns(count: int, groups: int) -> dict[str, Any]:
    generator = random_of("tables")
    return {
        "k": generator.integers(0, groups, count),
        "x": generator.random(count),
        "y": generator.standard_normal(count),
    }


def _batch(table: Any) -> Table:
    """The columns of a lazy table, computed."""
    return Table(tuple(table.to_numpy().values()))


@case("tables", "table filter")
def filtered(scale: float) -> Work:
    count = rows(5e6, scale)
    table = _columns(count, 1000)

    def numpy() -> Table:
        chosen = table["y"] > 0.0
        return Table((table["k"][chosen], table["x"][chosen]))

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select k, x from t where y > 0",
        lambda pl, t: t["t"].filter(pl.col("y") > 0).select("k", "x"),
        lambda pd, t: t["t"].loc[t["t"].y > 0, ["k", "x"]],
    )

    def source(t: Any) -> Table:
        return _batch(da.table(t).where(col("y") > 0.0).select("k", "x"))

    return Work(f"{shown(count)} rows", source, {"t": table}, ways)


@case("tables", "table groups")
def grouped(scale: float) -> Work:
    count = rows(5e6, scale, least=200)
    table = _columns(count, 1000)

    def numpy() -> Table:
        groups = Groups([table["k"]])
        return Table([*groups.keys, groups.sum(table["x"]), groups.mean(table["y"]), groups.count])

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select k, sum(x), avg(y), count(*) from t group by k",
        lambda pl, t: t["t"].group_by("k").agg(pl.sum("x"), pl.mean("y"), pl.len()),
    )

    def source(t: Any) -> Table:
        made = da.table(t).group_by("k").agg(x=col("x").sum(), y=col("y").mean(), n=da.count())
        return _batch(made)

    return Work(f"{shown(count)} rows", source, {"t": table}, ways)


@case("tables", "table join, sum")
def joined(scale: float) -> Work:
    count = rows(5e6, scale, least=200)
    few = max(count // 10, 10)
    table = _columns(count, few)
    other = {"k": random_of("keys").permutation(few), "z": random_of("prices").random(few)}
    places = np.argsort(other["k"])

    def numpy() -> float:
        return float(table["x"] @ other["z"][places[table["k"]]])

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table, "u": other},
        "select sum(x*z) from t join u using (k)",
        lambda pl, t: t["t"].join(t["u"], on="k")
        .select((pl.col("x") * pl.col("z")).sum()),
        lambda pd, t: float((lambda m: m.x @ m.z)(t["t"].merge(t["u"], on="k"))),
    )  # fmt: skip

    def source(t: Any, u: Any) -> float:
        made = da.table(t).join(u, on="k").agg(s=(col("x") * col("z")).sum())
        return float(made.to_numpy()["s"][0])

    return Work(f"{shown(count)} rows", source, {"t": table, "u": other}, ways)


@case("tables", "table order, first 100")
def ordered(scale: float) -> Work:
    count = rows(5e6, scale, least=400)
    table = _columns(count, 1000)

    def numpy() -> Table:
        found = np.argpartition(table["y"], 100)[:100]
        return Table((table["k"][found], table["y"][found]))

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select k, y from t order by y limit 100",
        lambda pl, t: t["t"].sort("y").head(100).select("k", "y"),
        lambda pd, t: t["t"].nsmallest(100, "y")[["k", "y"]],
    )

    def source(t: Any) -> Table:
        return _batch(da.table(t).order_by("y").head(100).select("k", "y"))

    return Work(f"{shown(count)} rows", source, {"t": table}, ways)


WORDS = np.array([f"word {k:05d}" for k in range(1000)])


def _rows_with_strings(count: int) -> dict[str, Any]:
    codes = random_of("strings of tables").integers(0, len(WORDS), count)
    return _columns(count, 1000) | {"s": Text(WORDS.tolist(), codes)}


@case("tables", "table filter by string")
def filtered_by_string(scale: float) -> Work:
    count = rows(2e6, scale)
    table = _rows_with_strings(count)
    fixed, given = table["s"].fixed(), table | {"s": given_strings(table["s"])}

    def numpy() -> Table:
        chosen = fixed == WORDS[7].encode()
        return Table((table["k"][chosen], table["x"][chosen]))

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        f"select k, x from t where s = '{WORDS[7]}'",
        lambda pl, t: t["t"].filter(pl.col("s") == str(WORDS[7])).select("k", "x"),
        lambda pd, t: t["t"].loc[t["t"].s == WORDS[7], ["k", "x"]],
    )

    def source(t: Any) -> Table:
        return _batch(da.table(t).where(col("s") == str(WORDS[7])).select("k", "x"))

    return Work(f"{shown(count)} rows", source, {"t": given}, ways)


@case("tables", "table left join, groups")
def joined_and_grouped(scale: float) -> Work:
    count = rows(5e6, scale, least=200)
    few = max(count // 10, 10)
    table = _columns(count, few)
    other: dict[str, Any] = {"k": random_of("keys").permutation(few)[: few // 2]}
    other["z"] = random_of("prices").random(len(other["k"]))
    other["g"] = other["k"] % 100
    places = np.full(few, -1)
    places[other["k"]] = np.arange(len(other["k"]))

    def numpy() -> Table:
        found = places[table["k"]]
        kept = found >= 0
        groups = Groups([other["g"][found[kept]]])
        return Table(
            [*groups.keys, groups.sum(table["x"][kept] * other["z"][found[kept]]), groups.count]
        )

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table, "u": other},
        "select g, sum(x*z), count(*) from t left join u using (k) where g is not null group by g",
        lambda pl, t: t["t"].join(t["u"], on="k", how="left").drop_nulls("g")
        .group_by("g").agg((pl.col("x") * pl.col("z")).sum(), pl.len()),
    )  # fmt: skip

    def source(t: Any, u: Any) -> Table:
        joined = da.table(t).join(u, on="k", how="left").drop_nulls("g")
        made = joined.group_by("g").agg(s=(col("x") * col("z")).sum(), n=da.count())
        return _batch(made)

    return Work(f"{shown(count)} rows", source, {"t": table, "u": other}, ways)


@case("tables", "table months, sums")
def grouped_by_month(scale: float) -> Work:
    count = rows(5e6, scale)
    seconds = random_of("seconds").integers(1_600_000_000, 1_700_000_000, count)
    table = {"t": (seconds * 1000).astype("M8[ms]"), "x": random_of("sums").random(count)}

    def numpy() -> Table:
        months = table["t"].astype("M8[M]").astype(np.int64) % 12 + 1
        groups = Groups([months])
        return Table([*groups.keys, groups.sum(table["x"])])

    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select cast(month(t) as bigint), sum(x) from t group by 1",
        lambda pl, t: t["t"].group_by(pl.col("t").dt.month().cast(pl.Int64)).agg(pl.sum("x")),
    )

    def source(t: Any) -> Table:
        grouped = da.table(t).group_by(month=col("t").dt.month())
        return _batch(grouped.agg(x=col("x").sum()))

    return Work(f"{shown(count)} rows", source, {"t": table}, ways)
