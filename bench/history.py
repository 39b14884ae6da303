"""The records of runs: what one holds, where they are kept, and how two are compared.

    record = new_record(settings, cases)
    path = keep(record, RUNS)                      RUNS/20260304-101500-1a2b3c4d5.json
    before = earlier("1a2b3c4", RUNS)              a file, a commit, or "last"
    print("\\n".join(changes(before, record)))

A file is one run. Figures are seconds and bytes, each later call for itself.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from math import exp, log
from pathlib import Path
from typing import Any

import peers
from case_table import ROOT
from measuring import DIABLO, Settings

RUNS = Path(__file__).parent / "results" / "runs"
Record = dict[str, Any]
_NOTABLE = 1.15
"""Beyond this factor a change is pointed out."""


def new_record(settings: Settings, load: Sequence[float], cases: Sequence[Any]) -> Record:
    """A run: its figures, and what they depend on. `load` is the machine's before and after."""
    return {
        **circumstances(load),
        "settings": asdict(settings),
        "versions": {"Python": platform.python_version(), **peers.installed()},
        "missing": peers.missing(),
        "cases": list(cases),
    }


def circumstances(load: Sequence[float]) -> Record:
    """When, of what, and on which machine something is measured."""
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _git("rev-parse", "HEAD"),
        "changed": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "system": f"{platform.system()} {platform.release()}",
            "load before and after": [round(one, 2) for one in load],
        },
    }


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def name_of(record: Record) -> str:
    """The name of a record's files, without suffix."""
    when = datetime.fromisoformat(record["when"]).strftime("%Y%m%d-%H%M%S")
    return f"{when}-{record['commit'][:9] or 'unknown'}"


def keep(record: Record, folder: Path) -> Path:
    """Write a record into the history, and give its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name_of(record)}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return path


def earlier(what: str, folder: Path) -> Record:
    """A record by its file, or the latest one of a commit, or of all ("last").

    Raises
    ------
    ValueError
        There is none.
    """
    if Path(what).is_file():
        return json.loads(Path(what).read_text(encoding="utf-8"))
    commit = "" if what == "last" else _git("rev-parse", "--verify", "--quiet", what) or what
    for path in sorted(folder.glob("*.json"), reverse=True):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["commit"].startswith(commit):
            return record
    raise ValueError(f"there is no file {what!r}, and no run of such a commit in {folder}")


def shortest(figures: Mapping[str, Any], kind: str) -> float | None:
    """The seconds of the first call, or of the shortest later one."""
    if kind == "first":
        return figures["first"]
    return min(figures["later"], default=None)


def ratio(case: Mapping[str, Any], who: str, kind: str) -> float | None:
    """The time of a peer divided by the program's: above 1 the program is faster."""
    ours = shortest(case["contenders"][DIABLO], kind)
    figures = case["contenders"].get(who)
    theirs = shortest(figures, kind) if figures and not figures["wrong"] else None
    return theirs / ours if ours and theirs else None


def mean_ratio(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, ratios)) / len(ratios))


def changes(before: Record, now: Record) -> list[str]:
    """Return what has become of each case since an earlier run, in lines of text.

    Beside it stands what has become of the first peer, which is the same code in both: how far
    that is from 1 is how much the machine has.
    """
    old = {case["name"]: case for case in before["cases"]}
    lines = [
        f"since {before['commit'][:9]} of {before['when']}; above 1: faster now",
        f"{'':<30}{'before ms':>11}{'now ms':>11}{'later':>8}{'first':>8}{'others':>8}",
    ]
    factors: list[float] = []
    for case in now["cases"]:
        was = old.get(case["name"])
        if was is None or was["size"] != case["size"]:
            why = "new" if was is None else f"was {was['size']}"
            lines.append(f"{case['name']:<30}  {why}")
            continue
        later = _factor(was, case, DIABLO, "later")
        if later is None:
            lines.append(f"{case['name']:<30}  no figures in one of the runs")
            continue
        factors.append(later)
        times = [shortest(c["contenders"][DIABLO], "later") for c in (was, case)]
        peer = next((who for who in case["contenders"] if who != DIABLO), DIABLO)
        first, others = (_factor(was, case, DIABLO, "first"), _factor(was, case, peer, "later"))
        note = "  slower" if later < 1 / _NOTABLE else "  faster" if later > _NOTABLE else ""
        lines.append(
            f"{case['name']:<30}"
            + "".join(f"{1e3 * (t or 0):>11.2f}" for t in times)
            + f"{later:>8.2f}{first or 0:>8.2f}{others or 0:>8.2f}{note}"
        )
    if factors:
        lines.append(f"{'geometric mean':<30}{'':>22}{mean_ratio(factors):>8.2f}")
    return lines


def _factor(was: Mapping[str, Any], now: Mapping[str, Any], who: str, kind: str) -> float | None:
    both = [case["contenders"].get(who) for case in (was, now)]
    times = [shortest(f, kind) if f and not f["wrong"] else None for f in both]
    return times[0] / times[1] if times[0] and times[1] else None
