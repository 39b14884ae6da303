"""The command line of `python -m diablo.tools.fuzz`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import get_args

from diablo.passes.analyses.plans.distribution_plan import JOINS
from diablo.runtime.native.compile_mode import CompileMode
from diablo.runtime.program.run_main import Engine
from fuzzing.writer import Family

_DESCRIPTION = """\
Run random programs in several ways and compare what they give: the interpreter, the local engine
at several block sizes, with machine code from the first call on, and the pipeline with a pass left
out. With --grammar, give the compiler random texts instead. Failures are made small and written to
files."""


@dataclass(frozen=True)
class FuzzArguments:
    """What the command line says."""

    count: int
    seed: int
    grammar: bool
    family: Family | None
    """What programs are about; `None`: all families in turn."""
    having: str
    """What the text of a program must hold to be run."""
    engine: Engine
    master: str | None
    device: str | None
    join: str | None
    """How distributed arrays come together wherever that is possible, if it is not chosen."""
    strips: bool
    """Whether operations over the same rows are computed in strips wherever that is possible."""
    compile: CompileMode | None
    threads: Sequence[int]
    runs: int | None
    """In how many of its ways each program is run, each in one block size; `None`: in all."""
    out: Path
    record: Path | None
    """A table of counts, in which those of this run are to be."""
    seconds: float
    most: int
    shrink_seconds: float
    replay: Path | None


def parse_arguments(argv: Sequence[str] | None) -> FuzzArguments:
    """Parse the command line; a mistake in it ends the process with exit code 2."""
    parser = argparse.ArgumentParser(prog="python -m diablo.tools.fuzz", description=_DESCRIPTION)
    add = parser.add_argument
    add("--count", type=_natural, default=1000, metavar="N", help="how many programs (1000)")
    add("--seed", type=_natural, default=0, metavar="S", help="the first program's number (0)")
    add("--grammar", action="store_true", help="random texts for the compiler instead")
    add("--family", choices=get_args(Family), help="what programs are about (all in turn)")
    add("--having", default="", metavar="TEXT", help="only programs that hold TEXT")
    add("--engine", choices=("local", "spark"), default="local", help="what runs the programs")
    add("--master", help="Spark's master, such as local[2]")
    add(
        "--device",
        choices=("gpu", "gpu:0,1", "gpu:all"),
        nargs="?",
        const="gpu",
        help="run the kernels on DIABLO_DEVICE (stand-in), or on several",
    )
    add("--join", choices=JOINS, help="how distributed arrays come together (chosen)")
    add("--strips", action="store_true", help="compute in strips wherever that is possible")
    add("--compile", choices=get_args(CompileMode), help="when machine code is used (mixed)")
    add("--threads", type=_counts, metavar="N,…", help="numbers of threads (1 or 2 or 3)")
    add("--runs", type=_count, metavar="N", help="runs of each program, drawn from all (all)")
    add("--out", type=Path, default=Path("fuzz-failures"), metavar="DIR", help="for failures")
    add("--record", type=Path, metavar="FILE", help="write the counts into a table, as JSON")
    add("--seconds", type=float, default=inf, metavar="S", help="stop after so long")
    add("--most", type=_natural, default=20, metavar="N", help="stop after N failures (20)")
    add("--shrink", type=float, default=30.0, metavar="S", help="seconds for each failure (30)")
    add("--replay", type=Path, metavar="FILE", help="run the program of a failure again")
    given = parser.parse_args(argv)
    return FuzzArguments(
        given.count,
        given.seed,
        given.grammar,
        given.family,
        given.having,
        given.engine,
        given.master,
        given.device,
        given.join,
        given.strips,
        given.compile,
        given.threads or (),
        given.runs,
        given.out,
        given.record,
        given.seconds,
        given.most,
        given.shrink,
        given.replay,
    )


def _counts(text: str) -> Sequence[int]:
    counts = [_natural(word) for word in text.split(",")]
    if not all(counts):
        raise argparse.ArgumentTypeError("0 threads compute nothing")
    return counts


def _count(text: str) -> int:
    number = _natural(text)
    if not number:
        raise argparse.ArgumentTypeError("0 runs compare nothing")
    return number


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return number
