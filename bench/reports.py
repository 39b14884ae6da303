"""What is made of a record: lines on the terminal, a page of Markdown, and a chart.

Ratios are a peer's time divided by the program's: above 1 the program is faster.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import peers
from history import Record, mean_ratio, ratio, shortest
from measuring import DIABLO

_BY_HAND = "NumPy, SciPy, Python"
_COLOURS = {
    _BY_HAND: "#0072b2",
    "Numba": "#56b4e9",
    "pandas": "#999999",
    "Polars": "#d55e00",
    "DuckDB": "#e69f00",
    "Dask": "#cc79a7",
    "GraphBLAS": "#009e73",
}
_MARKERS = {"Polars": "s", "DuckDB": "D", "pandas": "v", "Dask": "P", "GraphBLAS": "^"}

HEADING = f"{'':<30}{'first ms':>10}{'later ms':>10}{'MB':>12}   others: later ms, ratio, MB"


def megabytes(figures: Mapping[str, Any]) -> str:
    """The peaks of the first and of a later call."""
    peaks = figures["first_peak"], figures["later_peak"]
    if peaks == (None, None):
        return ""
    return "/".join("?" if p is None else f"{max(p, 0) / 2**20:.0f}" for p in peaks)


def milliseconds(seconds: float | None) -> str:
    """A time with three digits, or as many as it has before the point."""
    if seconds is None:
        return "-"
    found = 1e3 * seconds
    return f"{found:.0f}" if found >= 100 else f"{found:.1f}" if found >= 10 else f"{found:.2f}"


def line(case: Mapping[str, Any]) -> str:
    """A case on the terminal."""
    ours = case["contenders"][DIABLO]
    if ours["wrong"]:
        return f"{case['name']:<30}  WRONG: {ours['wrong']}"
    shown = (
        f"{case['name']:<30}{milliseconds(ours['first']):>10}"
        f"{milliseconds(shortest(ours, 'later')):>10}{megabytes(ours):>12}"
    )
    return f"{shown}   " + ", ".join(
        f"{who} {_cell(case, who, 'later')}" for who in case["contenders"] if who != DIABLO
    )


def _cell(case: Mapping[str, Any], who: str, kind: str) -> str:
    figures = case["contenders"].get(who)
    if figures is None:
        return ""
    if figures["wrong"]:
        return "wrong"
    cell = milliseconds(shortest(figures, kind))
    found = ratio(case, who, kind)
    if found is not None:
        cell += f" x{found:.2f}" if found >= 0.095 else f" x{found:.1g}"
    memory = megabytes(figures)
    return f"{cell} {memory} MB" if memory and kind == "later" else cell


def markdown(record: Record, chart: str | None = None) -> str:
    """The page of a run."""
    machine, settings = record["machine"], record["settings"]
    versions = ", ".join(f"{who} {version}" for who, version in record["versions"].items())
    missing = ", ".join(f"{who} (needs {what})" for who, what in record["missing"].items())
    load = machine["load before and after"]
    parts = [
        "# Programs and their peers",
        f"Commit {record['commit'][:9]}{' with changes' if record['changed'] else ''}, "
        f"{record['when']}. {machine['processor']}, {machine['cores']} cores, "
        f"{machine['memory'] / 2**30:.0f} GiB, {machine['system']}; {settings['threads']} threads, "
        f"scale {settings['scale']:g}; load {load[0]} before, {load[-1]} after.",
        f"{versions}. Not installed: {missing or 'none'}.",
        "Times in milliseconds: the first call (of a program with compiling it), and the shortest "
        "later one. A ratio, x1.50, is the peer's time divided by the program's: above 1 the "
        "program is faster. MB are the peaks of the first and of a later call beyond what the "
        "process held before it; the later one is a lower bound.",
    ]
    if chart is not None:
        parts.append(f"![The ratios of later calls]({chart})")
    parts.append(_table(["ratio of later calls", "mean", "least", "most", "cases"], _means(record)))
    fields = dict.fromkeys(case["field"] for case in record["cases"])
    for field in fields:
        cases = [case for case in record["cases"] if case["field"] == field]
        found = dict.fromkeys(who for case in cases for who in case["contenders"] if who != DIABLO)
        parts += [
            f"## {field.capitalize()}: later calls",
            _table(
                ["case", "size", "diablo", "MB", *found],
                [_row(case, found, "later") for case in cases],
            ),
            f"## {field.capitalize()}: first calls",
            _table(
                ["case", "diablo", *found],
                [_row(case, found, "first") for case in cases],
            ),
        ]
    return "\n\n".join(parts) + "\n"


def _means(record: Record) -> list[list[str]]:
    found: dict[str, list[float]] = {}
    for case in record["cases"]:
        for who in case["contenders"]:
            one = ratio(case, who, "later")
            if one is not None and who != DIABLO:
                found.setdefault(who, []).append(one)
    return [
        [who, *(f"{one:.2f}" for one in (mean_ratio(r), min(r), max(r))), str(len(r))]
        for who, r in found.items()
    ]


def _row(case: Mapping[str, Any], others: Mapping[str, Any], kind: str) -> list[str]:
    ours = case["contenders"][DIABLO]
    time = "wrong" if ours["wrong"] else milliseconds(shortest(ours, kind))
    head = [case["name"], case["size"], time, megabytes(ours)]
    if kind == "first":
        head = [case["name"], time]
    return [*head, *(_cell(case, who, kind) for who in others)]


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def can_draw() -> bool:
    """Whether there is matplotlib for a chart."""
    return find_spec("matplotlib") is not None


def draw(record: Record, path: Path) -> None:
    """A chart of the ratios of later calls, on a logarithmic scale, a line for each case."""
    import_module("matplotlib").use("Agg")
    pyplot: Any = import_module("matplotlib.pyplot")
    cases = [case for case in record["cases"] if not case["contenders"][DIABLO]["wrong"]]
    figure, axes = pyplot.subplots(figsize=(9, 1.6 + 0.21 * len(cases)), layout="constrained")
    points: dict[str, tuple[list[float], list[int]]] = {_BY_HAND: ([], [])}
    for place, case in enumerate(cases):
        for who in case["contenders"]:
            found = ratio(case, who, "later")
            if who != DIABLO and found is not None:
                label = _BY_HAND if who in peers.ALWAYS else who
                across, down = points.setdefault(label, ([], []))
                across.append(found)
                down.append(place)
    for who, (across, down) in points.items():
        marker = _MARKERS.get(who, "o")
        axes.scatter(across, down, s=26, marker=marker, c=_COLOURS.get(who, "k"), label=who)
    starts = [k for k in range(1, len(cases)) if cases[k]["field"] != cases[k - 1]["field"]]
    for start in starts:
        axes.axhline(start - 0.5, color="0.7", linewidth=0.8)
    axes.axvline(1.0, color="k", linewidth=1)
    axes.set_xscale("log")
    axes.set_yticks(range(len(cases)), [case["name"] for case in cases], fontsize=7)
    axes.set_ylim(len(cases) - 0.4, -0.6)
    axes.grid(axis="both", which="major", color="0.92")
    axes.set_axisbelow(True)
    axes.set_xlabel("time of the peer / time of the program (right of 1: the program is faster)")
    axes.set_title(f"Later calls, {record['commit'][:9]}, {record['settings']['threads']} threads")
    figure.legend(loc="outside lower center", ncols=5, fontsize=8)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
