"""The test command: `python -m diablo.tools.check` runs every check of the repository.

ruff (lint and format), lit and pytest run one after the other, and pyright beside pytest; the
closing line of each is repeated at the end, and the exit code is 0 only if all of them passed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from time import perf_counter
from typing import TextIO

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
    # The types are checked with what time tests leave that wait for Spark.
    together = {"pyright", "pytest"} <= {*names}
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(1) as executor:
        for name in names:
            if not together or name not in ("pyright", "pytest"):
                outcomes.append(run_check(name, more.get(name, [])))
            elif name == "pytest":
                output = StringIO()
                types = executor.submit(run_check, "pyright", [], output)
                outcomes += [run_check(name, more.get(name, [])), types.result()]
                print(output.getvalue(), end="")
    print("\n=== summary")
    for outcome in outcomes:
        verdict = "passed" if outcome.passed else "FAILED"
        print(f"{outcome.name:<8} {verdict} {outcome.seconds:6.1f} s  {outcome.closing_line}")
    sys.exit(0 if all(outcome.passed for outcome in outcomes) else 1)


def run_check(name: str, options: list[str], output: TextIO | None = None) -> Outcome:
    """Run one check, pass its output on, and keep its closing line.

    One whose output goes elsewhere comes after others that want the processor.
    """
    command = [*CHECKS[name], *options]
    print(f"\n=== {name}: {' '.join(command)}", flush=True, file=output)
    # The tools of this environment come before others of the same name.
    scripts = os.path.dirname(sys.executable)
    program = os.path.join(scripts, command[0])
    if not os.path.exists(program):
        message = f"{command[0]} is not installed (pip install -e '.[dev]')"
        return Outcome(name, False, message, 0.0)
    path = os.pathsep.join([scripts, os.environ.get("PATH", "")])
    # Hundreds of processes are started: without bytecode each would compile all modules anew,
    # which takes longer than what most of them are started for.
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    started = perf_counter()
    closing_line = ""
    with subprocess.Popen(
        [program, *command[1:]],
        cwd=ROOT,
        env={**inherited, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        if output is not None:
            os.setpriority(os.PRIO_PROCESS, process.pid, 19)
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True, file=output)
            closing_line = line.strip() or closing_line
    return Outcome(name, process.returncode == 0, closing_line, perf_counter() - started)
