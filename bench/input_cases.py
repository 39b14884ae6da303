"""Cases of what a program is given as Python has it: rows in a list, strings in one, a data frame.

Peers are given the same, and make their tables of it each time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from importlib import import_module
from typing import Any

from answers import Table
from case_table import Way, Work, by_hand, case, random_of, rows, shown
from peers import Text, pandas_frame

_GROUPS = """
    input L: list[(KEY,Int,Double)];
    [ (k, +/n, mean/x) | (k,n,x) <- L, group by k ]
"""


def _table(name: str, scale: float) -> dict[str, Any]:
    count = rows(2e5, scale, least=200)
    generator = random_of(name)
    keys = generator.integers(0, 1000, count)
    return {
        "k": Text([f"key{k:04d}" for k in range(1000)], keys),
        "n": generator.integers(0, 100, count),
        "x": generator.random(count),
    }


def _with(module: str, use: Callable[[Any], Any]) -> Way:
    return lambda: lambda: use(import_module(module))


def _in_python(given: list[tuple[Any, int, float]]) -> Table:
    found: dict[Any, list[Any]] = defaultdict(lambda: [0, 0.0, 0])
    for k, n, x in given:
        group = found[k]
        group[0] += n
        group[1] += x
        group[2] += 1
    groups = found.values()
    return Table((list(found), [g[0] for g in groups], [g[1] / g[2] for g in groups]))


def _in_pandas(frame: Any) -> Any:
    grouped = frame.groupby("k", as_index=False, sort=False)
    return grouped.agg(n=("n", "sum"), x=("x", "mean"))


def _in_polars(pl: Any, frame: Any) -> Any:
    return frame.lazy().group_by("k").agg(pl.sum("n"), pl.mean("x")).collect()


_NAMES = ["k", "n", "x"]


def _of_tuples(scale: float, key: str) -> Work:
    table = _table("tuples", scale)
    keys = table["k"].objects() if key == "String" else table["k"].codes
    given = list(zip(keys.tolist(), table["n"].tolist(), table["x"].tolist(), strict=True))
    ways = {
        "Python": by_hand(lambda: _in_python(given)),
        "pandas": _with("pandas", lambda pd: _in_pandas(pd.DataFrame(given, columns=_NAMES))),
        "Polars": _with(
            "polars",
            lambda pl: _in_polars(pl, pl.DataFrame(given, schema=_NAMES, orient="row")),
        ),
    }
    return Work(f"{shown(len(given))} rows", _GROUPS.replace("KEY", key), {"L": given}, ways)


@case("inputs", "tuples of numbers")
def tuples_of_numbers(scale: float) -> Work:
    return _of_tuples(scale, "Int")


@case("inputs", "tuples with strings")
def tuples_with_strings(scale: float) -> Work:
    return _of_tuples(scale, "String")


@case("inputs", "data frame")
def data_frame(scale: float) -> Work:
    frame = pandas_frame(_table("frame", scale))
    source = _GROUPS.replace("KEY", "String")

    def python() -> Table:
        columns = [frame[name].tolist() for name in _NAMES]
        return _in_python(list(zip(*columns, strict=True)))

    ways = {
        "Python": by_hand(python),
        "pandas": by_hand(lambda: _in_pandas(frame)),
        "Polars": _with("polars", lambda pl: _in_polars(pl, pl.from_pandas(frame))),
    }
    return Work(f"{shown(len(frame))} rows", source, {"L": frame}, ways)


@case("inputs", "list of strings")
def list_of_strings(scale: float) -> Work:
    words = _table("words", scale)["k"].objects().tolist()
    source = "input W: list[String]; [ (w, count/one) | w <- W, let one = 1, group by w ]"

    def python() -> Table:
        counts = Counter(words)
        return Table((list(counts), list(counts.values())))

    def polars(pl: Any) -> Any:
        return pl.DataFrame({"w": words}).lazy().group_by("w").agg(pl.len()).collect()

    ways = {
        "Python": by_hand(python),
        "Polars": _with("polars", polars),
        "pandas": _with("pandas", lambda pd: pd.Series(words).value_counts().reset_index()),
    }
    return Work(f"{shown(len(words))} strings", source, {"W": words}, ways)
