"""Programs against the same by hand in NumPy and SciPy, and against whoever else is installed.

    python bench/run.py [--only NAME …] [--scale 0.1] [--repeats 5] [--threads 2]
                        [--compare FILE|COMMIT|last] [-o FOLDER | --no-record] [--list]

For each case, in a process of its own: the first call, the shortest of later ones, which take
turns with those of the peers, and the most memory of either (see memory_peaks.py). Results are
compared before later calls are timed; one that is wrong, or no result, makes the exit code 1. What
was found is kept in bench/results/runs: a JSON file of each run, with a page and a chart beside it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import history
import peers
import reports
from case_table import Case, all_cases
from measuring import DIABLO, Settings, measure_apart


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    made.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="parts of names, fields"
    )
    made.add_argument("--without", nargs="+", default=[], metavar="PEER")
    made.add_argument("--scale", type=float, default=1.0, help="the size of inputs (default: 1)")
    made.add_argument("--repeats", type=int, default=5, help="later calls at most (default: 5)")
    made.add_argument("--threads", type=int, default=peers.thread_count(), help="default: all")
    made.add_argument("--no-memory", action="store_true", help="measure time alone")
    made.add_argument("--compare", metavar="RUN", help="a file, a commit, or last")
    made.add_argument(
        "-o", dest="folder", type=Path, default=history.RUNS, help="default: %(default)s"
    )
    made.add_argument("--no-record", action="store_true", help="write nothing")
    made.add_argument("--list", action="store_true", help="show the cases, and measure nothing")
    return made


def chosen(only: Sequence[str]) -> list[Case]:
    """The cases of which the field is named, or a part of the name."""
    cases = all_cases().values()
    return [
        case
        for case in cases
        if not only or any(part == case.field or part.lower() in case.name.lower() for part in only)
    ]


def write(record: history.Record, folder: Path) -> list[Path]:
    """Keep a record, with its page and its chart, and give the files."""
    path = history.keep(record, folder)
    page, chart = path.with_suffix(".md"), path.with_suffix(".png")
    if reports.can_draw():
        reports.draw(record, chart)
    written = [path, page, *([chart] if chart.exists() else [])]
    page.write_text(
        reports.markdown(record, chart.name if chart.exists() else None), encoding="utf-8"
    )
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, keep, and compare."""
    options = parser().parse_args(arguments)
    cases = chosen(options.only)
    if options.list or not cases:
        print("\n".join(f"{case.field:<10}{case.name}" for case in cases) or "no such case")
        return 0 if cases else 2
    before = None
    if options.compare is not None:
        try:
            before = history.earlier(options.compare, options.folder)
        except ValueError as error:
            parser().error(str(error))
    settings = Settings(
        scale=options.scale,
        repeats=options.repeats,
        threads=options.threads,
        memory=not options.no_memory,
        without=tuple(options.without),
    )
    load = [os.getloadavg()[0]]
    print(f"{settings.threads} threads, scale {settings.scale:g}, load {load[0]:.2f}")
    for who, modules in peers.missing().items():
        print(f"without {who}: {modules} is not installed")
    if not reports.can_draw():
        print("without a chart: matplotlib is not installed")
    print(reports.HEADING)
    found: list[Any] = []
    for case in cases:
        found.append(measure_apart(case.name, settings))
        print(reports.line(found[-1]), flush=True)
    record = history.new_record(settings, [*load, os.getloadavg()[0]], found)
    if before is not None:
        print("\n".join(["", *history.changes(before, record)]))
    if not options.no_record:
        print("\nwritten: " + ", ".join(str(path) for path in write(record, options.folder)))
    return int(any(case["contenders"][DIABLO]["wrong"] for case in found))


if __name__ == "__main__":
    sys.exit(main())
