"""Runs the checks and the measurements, prints them, and writes them down.

Nothing but xDSL, NumPy, SciPy, llvmlite and CuPy is needed. A check that fails is a line of the
report, so that one run says all there is to be mended.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from diablo.diagnostics import InputError
from diablo.runtime.device.device import DEVICE, STAND_IN, Device
from diablo.runtime.device.found_device import find_device
from gpu_checking.gpu_benchmarks import Measured, measurements
from gpu_checking.gpu_correctness import Checked, checks

_ROOT = Path(__file__).resolve().parents[2]
_RESULTS = _ROOT / "bench" / "results" / "gpu"
_PACKAGES = ("xdsl", "numpy", "scipy", "llvmlite", "cupy-cuda12x", "cupy-cuda13x")


def run(argv: Sequence[str]) -> int:
    """Run the command and return its exit code: 1 if a result is wrong."""
    arguments = _arguments(argv)
    if arguments.stand_in:
        os.environ[DEVICE] = STAND_IN
    try:
        device = find_device()
    except InputError as error:
        print(f"gpu_check: error: {error}", file=sys.stderr)
        return 2
    print(f"device: {device.name}")
    checked = list(_checked(device, arguments.only, arguments.scale))
    measured: list[Measured] = []
    report = None if arguments.stand_in else _report_path(device, arguments.output)

    def write() -> None:
        # After each measurement, so that a run that is cut off leaves what it has found.
        if report is not None:
            report.write_text(json.dumps(_report(device, checked, measured), indent=1) + "\n")

    write()
    if not arguments.no_benchmark:
        given = arguments.scale, arguments.problem, arguments.only
        for each in measurements(device, *given, profile=arguments.profile):
            print(f"  {each}", flush=True)
            for kernel in each.kernels:
                print(f"    {kernel}", flush=True)
            measured.append(each)
            write()
    wrong = [each for each in checked if each.failure]
    failed = [each for each in measured if each.failure]
    print(f"{len(checked)} checks, {len(wrong)} wrong; {len(measured)} measured")
    if report is not None:
        print(f"written: {report}")
    return 1 if wrong or failed else 0


def _checked(device: Device, only: Sequence[str], scale: float) -> Sequence[Checked]:
    done: list[Checked] = []
    for each in checks(device, only, scale):
        if each.failure:
            print(f"  wrong: {each.name}: {each.failure}", flush=True)
        elif each.left:
            print(f"  right: {each.name} (on the processor: {'; '.join(each.left)})", flush=True)
        else:
            print(f"  right: {each.name}", flush=True)
        done.append(each)
    return done


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="gpu_check", description=(__doc__ or "").split("\n")[0])
    add = parser.add_argument
    add("--stand-in", action="store_true", help="let the processor stand in for the GPU")
    add("--no-benchmark", action="store_true", help="check the results alone")
    add("--only", action="append", default=[], metavar="NAME", help="what has NAME in its name")
    add("--scale", type=float, default=1.0, help="arrays so many times as large (default: 1)")
    add("--problem", default="C", metavar="CLASS", help="the class of CG and MG (default: C)")
    add("--profile", action="store_true", help="time the kernels of what is measured as well")
    add("-o", "--output", type=Path, default=_RESULTS, help="the folder of the report")
    return parser.parse_args(argv)


def _report_path(device: Device, folder: Path) -> Path:
    """Where the report of now is written; its folder exists then."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", device.name).strip("-").lower()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}-{datetime.now(UTC):%Y%m%d-%H%M%S}.json"


def _report(
    device: Device, checked: Sequence[Checked], measured: Sequence[Measured]
) -> dict[str, Any]:
    return {
        "device": device.name,
        "memory": device.total_bytes,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "packages": {package: found for package in _PACKAGES if (found := _version(package))},
        "checks": [asdict(each) for each in checked],
        "measured": [each.figures() for each in measured],
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def main() -> int:
    """Run the command on the arguments of the process."""
    return run(sys.argv[1:])
