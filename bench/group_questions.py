"""The group-by questions of the h2o database benchmark, and its data, by their published recipe.

N rows, of which K = 100 to a group of the small keys: id1, id2 ("id001" to "id100"), id4, id5 are
of K values, id3 ("id0000000001", …) and id6 of N/K; v1 is 1 to 5, v2 1 to 15, v3 a Double below
100 with six digits. Questions 6 and 8 ask for a median and for the largest two, which the
language has no reduction for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from answers import Table
from case_table import Work, by_hand, case, random_of, rows, shown
from numpy_groups import Groups
from peers import Column, Text, given, queries

_ROWS = 1e6
_STRINGS = {"id1": "id{:03d}", "id2": "id{:03d}", "id3": "id{:010d}"}


@dataclass(frozen=True)
class Question:
    """What is asked of each group, as each contender says it."""

    keys: tuple[str, ...]
    values: tuple[str, ...]
    program: str
    """The values of a row of the result."""
    sql: str
    polars: Callable[[Any], Sequence[Any]]
    numpy: Callable[[Groups, dict[str, Any]], Sequence[np.ndarray]]
    pandas: dict[str, tuple[str, str]] | None = None
    lets: str = ""
    """Qualifiers before the groups are made."""
    after: str = ""
    """Qualifiers of each group."""
    query: str | None = None
    """The whole query, where a group has several rows; `sql` is what they have then."""
    repeated: Callable[[Groups, dict[str, Any]], np.ndarray] | None = None
    """The numbers of the groups that the rows of the result are of, where groups have several."""


def _correlation(g: Groups, t: dict[str, Any]) -> list[np.ndarray]:
    x, y = t["v1"], t["v2"]
    n, sx, sy = g.count, g.sum(x), g.sum(y)
    top = n * g.sum(x * y) - sx * sy
    return [top**2 / ((n * g.sum(x * x) - sx * sx) * (n * g.sum(y * y) - sy * sy))]


_IDS = ("id1", "id2", "id3", "id4", "id5", "id6")
QUESTIONS = {
    "q1": Question(
        ("id1",),
        ("v1",),
        "+/v1",
        "sum(v1)::bigint",
        lambda pl: [pl.sum("v1")],
        lambda g, t: [g.sum(t["v1"])],
        {"v1": ("v1", "sum")},
    ),
    "q2": Question(
        ("id1", "id2"),
        ("v1",),
        "+/v1",
        "sum(v1)::bigint",
        lambda pl: [pl.sum("v1")],
        lambda g, t: [g.sum(t["v1"])],
        {"v1": ("v1", "sum")},
    ),
    "q3": Question(
        ("id3",),
        ("v1", "v3"),
        "+/v1, mean/v3",
        "sum(v1)::bigint, avg(v3)",
        lambda pl: [pl.sum("v1"), pl.mean("v3")],
        lambda g, t: [g.sum(t["v1"]), g.mean(t["v3"])],
        {"v1": ("v1", "sum"), "v3": ("v3", "mean")},
    ),
    "q4": Question(
        ("id4",),
        ("v1", "v2", "v3"),
        "mean/v1, mean/v2, mean/v3",
        "avg(v1), avg(v2), avg(v3)",
        lambda pl: [pl.mean("v1", "v2", "v3")],
        lambda g, t: [g.mean(t[v]) for v in ("v1", "v2", "v3")],
        {v: (v, "mean") for v in ("v1", "v2", "v3")},
    ),
    "q5": Question(
        ("id6",),
        ("v1", "v2", "v3"),
        "+/v1, +/v2, +/v3",
        "sum(v1)::bigint, sum(v2)::bigint, sum(v3)",
        lambda pl: [pl.sum("v1", "v2", "v3")],
        lambda g, t: [g.sum(t[v]) for v in ("v1", "v2", "v3")],
        {v: (v, "sum") for v in ("v1", "v2", "v3")},
    ),
    "q6": Question(
        ("id4", "id5"),
        ("v3",),
        "(s[(n-1)/2] + s[n/2])/2.0, sqrt((+/xx - n*mean/v3*(mean/v3))/(n-1))",
        "median(v3), stddev(v3)",
        lambda pl: [pl.median("v3").alias("median"), pl.std("v3").alias("sd")],
        lambda g, t: [g.median(t["v3"]), g.deviation(t["v3"])],
        {"median": ("v3", "median"), "sd": ("v3", "std")},
        lets="let xx = v3*v3",
        after="let n = count/v3, let s = [ v | v <- v3, order by v ]",
    ),
    "q7": Question(
        ("id3",),
        ("v1", "v2"),
        "max/v1 - min/v2",
        "max(v1) - min(v2)",
        lambda pl: [(pl.max("v1") - pl.min("v2")).alias("r")],
        lambda g, t: [g.max(t["v1"]) - g.min(t["v2"])],
    ),
    "q8": Question(
        ("id6",),
        ("v3",),
        "v",
        "v3",
        lambda pl: [pl.col("v3").top_k(2)],
        lambda g, t: [g.largest(t["v3"], 2)[1]],
        after="v <- [ v | v <- v3, order by v desc, limit 2 ]",
        query="select id6, v3 from (select id6, v3, row_number() over "
        "(partition by id6 order by v3 desc) as place from x) where place <= 2",
        repeated=lambda g, t: g.largest(t["v3"], 2)[0],
    ),
    "q9": Question(
        ("id2", "id4"),
        ("v1", "v2"),
        "top*top/((n*(+/xx) - sx*sx)*(n*(+/yy) - sy*sy))",
        "corr(v1, v2)^2",
        lambda pl: [(pl.corr("v1", "v2") ** 2).alias("r")],
        _correlation,
        lets="let xy = v1*v2, let xx = v1*v1, let yy = v2*v2",
        after="let n = 1.0*(count/v1), let sx = +/v1, let sy = +/v2, let top = n*(+/xy) - sx*sy",
    ),
    "q10": Question(
        _IDS,
        ("v1", "v3"),
        "+/v3, count/v1",
        "sum(v3), count(*)",
        lambda pl: [pl.sum("v3"), pl.len()],
        lambda g, t: [g.sum(t["v3"]), g.count],
        {"v3": ("v3", "sum"), "count": ("v1", "size")},
    ),
}


def data(count: int, strings: bool) -> dict[str, Column]:
    """The table; id1 to id3 are strings, as the benchmark has them, or their numbers."""
    # Fewer rows have fewer groups, so that the groups are as large.
    small = min(100, max(count // 200, 2))
    large = max(count // 100, 2)
    generator = random_of("h2o groups")
    values = {"id1": small, "id2": small, "id3": large, "id4": small, "id5": small, "id6": large}
    table: dict[str, Column] = {
        name: generator.integers(1, most + 1, count) for name, most in values.items()
    }
    if strings:
        for name, form in _STRINGS.items():
            words = [form.format(k) for k in range(values[name] + 1)]
            table[name] = Text(words, np.asarray(table[name]))
    table["v1"] = generator.integers(1, 6, count)
    table["v2"] = generator.integers(1, 16, count)
    table["v3"] = np.round(generator.random(count) * 100, 6)
    return table


def _type(name: str, column: Column) -> str:
    if isinstance(column, Text):
        return "String"
    return "Double" if column.dtype.kind == "f" else "Int"


def _work(question: Question, scale: float, strings: bool) -> Work:
    count = rows(_ROWS, scale, least=1000)
    table = data(count, strings)
    read = {name: table[name] for name in (*question.keys, *question.values)}
    keys = ", ".join(question.keys)
    pattern = ", ".join(read)
    qualifiers = [f"({pattern}) <- L", question.lets, f"group by ({keys})", question.after]
    types = ",".join(_type(name, column) for name, column in read.items())
    source = f"""
        input L: list[({types})];
        [ ({keys}, {question.program}) | {", ".join(filter(None, qualifiers))} ]
    """
    # Python's strings are sorted far slower than bytes.
    plain = {n: c.fixed() if isinstance(c, Text) else c for n, c in read.items()}

    def numpy() -> Table:
        groups = Groups([plain[key] for key in question.keys])
        of = slice(None) if question.repeated is None else question.repeated(groups, plain)
        return Table([*[key[of] for key in groups.keys], *question.numpy(groups, plain)])

    def polars(pl: Any, tables: Any) -> Any:
        grouped = tables["x"].group_by(*question.keys).agg(*question.polars(pl))
        return grouped if question.repeated is None else grouped.explode(*question.values)

    def pandas(_: Any, tables: Any) -> Any:
        grouped = tables["x"].groupby(list(question.keys), as_index=False, sort=False)
        assert question.pandas is not None
        return grouped.agg(**question.pandas)

    sql = question.query or f"select {keys}, {question.sql} from x group by {keys}"
    ways = {"NumPy": by_hand(numpy)}
    ways |= queries({"x": read}, sql, polars, pandas if question.pandas else None)
    return Work(f"{shown(count)} rows", source, {"L": given(read)}, ways)


def add_questions(of: str, strings: bool) -> None:
    """Make the questions cases of a field."""
    for name, question in QUESTIONS.items():
        if strings and not _STRINGS.keys() & set(question.keys):
            continue
        kind = "strings" if strings else "integers"

        def make(scale: float, question: Question = question) -> Work:
            return _work(question, scale, strings)

        case(of, f"h2o {name}, {kind}")(make)
