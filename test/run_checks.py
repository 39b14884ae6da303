"""The test command: `python -m diablo.tools.check` runs every check of the repository.

ruff (lint and format), lit and pytest run one after the other, and pyright beside pytest; the
closing line of each is repeated at the end, and the exit code is 0 only if all of them passed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from time import perf_counter
from typing import IO

ROOT = Path(__file__).resolve().parent.parent

CHECKS: dict[str, list[str]] = {
    "ruff": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "pyright": ["pyright"],
    "lit": ["lit", "-v", "test"],
    "pytest": ["pytest", "-n", "auto", "--dist", "worksteal", "test"],
}
"""The command of each check."""


@dataclass
class Outcome:
    """How a check ended."""

    name: str
    passed: bool
    closing_line: str
    seconds: float


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m diablo.tools.check", description=__doc__)
    parser.add_argument("checks", nargs="*", help=f"some of {', '.join(CHECKS)} (default: all)")
    parser.add_argument(
        "--all-cases", action="store_true", help="every case of tests of which some are a sample"
    )
    arguments = parser.parse_args()
    names: list[str] = arguments.checks or list(CHECKS)
    for name in names:
        if name not in CHECKS:
            parser.error(f"there is no check '{name}'; there are {', '.join(CHECKS)}")
    more = {"pytest": ["--all-cases"]} if arguments.all_cases else {}
    # The types are checked while tests wait for Spark.
    beside = ["pyright"] if {"pyright", "pytest"} <= {*names} else []
    outcomes = [
        outcome
        for name in names
        if name not in beside
        for outcome in run_check(name, more.get(name, []), beside if name == "pytest" else ())
    ]
    print("\n=== summary")
    for outcome in outcomes:
        verdict = "passed" if outcome.passed else "FAILED"
        print(f"{outcome.name:<8} {verdict} {outcome.seconds:6.1f} s  {outcome.closing_line}")
    sys.exit(0 if all(outcome.passed for outcome in outcomes) else 1)


def run_check(name: str, options: list[str], beside: Sequence[str] = ()) -> list[Outcome]:
    """Run one check, pass its output on, and keep its closing line.

    Those `beside` it run at the same time, with what time of the processor it leaves, and their
    output comes after its own.
    """
    with ExitStack() as stack:
        # One whose output waits must not wait itself until somebody reads it.
        files = [stack.enter_context(TemporaryFile("w+", errors="replace")) for _ in beside]
        running = [_Running(name, options), *map(_Running, beside, repeat(()), files)]
        return [each.finish() for each in running]


class _Running:
    """A check that has been started."""

    def __init__(self, name: str, options: Sequence[str], output: IO[str] | None = None):
        self.name = name
        self.command = [*CHECKS[name], *options]
        self.output = output
        self.started = perf_counter()
        # The tools of this environment come before others of the same name.
        scripts = os.path.dirname(sys.executable)
        program = os.path.join(scripts, self.command[0])
        self.is_installed = os.path.exists(program)
        if not self.is_installed:
            return
        path = os.pathsep.join([scripts, os.environ.get("PATH", "")])
        # Hundreds of processes are started: without bytecode each would compile all modules anew,
        # which takes longer than what most of them are started for.
        inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(
            [program, *self.command[1:]],
            cwd=ROOT,
            env={**inherited, "PATH": path},
            stdout=output or subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        if output is not None:
            os.setpriority(os.PRIO_PROCESS, self.process.pid, 10)
        self.ended = 0.0
        self.watch = Thread(target=self._note_the_end)
        self.watch.start()

    def _note_the_end(self) -> None:
        self.process.wait()
        self.ended = perf_counter()

    def finish(self) -> Outcome:
        """Print what it says until it ends."""
        print(f"\n=== {self.name}: {' '.join(self.command)}", flush=True)
        if not self.is_installed:
            message = f"{self.command[0]} is not installed (pip install -e '.[dev]')"
            return Outcome(self.name, False, message, 0.0)
        if self.output is not None:
            self.watch.join()
            self.output.seek(0)
        closing_line = ""
        for line in self.output or self.process.stdout or ():
            print(line, end="", flush=True)
            closing_line = line.strip() or closing_line
        self.watch.join()
        passed = self.process.returncode == 0
        return Outcome(self.name, passed, closing_line, self.ended - self.started)
