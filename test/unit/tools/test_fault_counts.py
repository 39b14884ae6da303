"""The table of what was tried on Spark and how it ended: what an entry has, and what it may say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from faults.counts import COUNTS

TABLE: dict[str, dict[str, Any]] = json.loads(COUNTS.read_text())
KILLED = [name for name in TABLE if "s killed, " in name]
REMOVED = [name for name in TABLE if "files removed, " in name]
RANDOM = [name for name in TABLE if name.startswith("random programs from ")]


@pytest.mark.parametrize("name", KILLED + REMOVED)
def test_rounds_end_with_the_result_or_a_clear_error(name: str):
    counts = TABLE[name]
    done = counts["removed" if name in REMOVED else "killed"]
    assert done == counts["equal"] + counts["error"] > 0
    assert counts["wrong"] == counts["hung"] == counts["other"] == 0


@pytest.mark.parametrize("where", ["local-cluster[2,1,1024]", "standalone"])
def test_executors_and_workers_were_killed_in_each_phase(where: str):
    phases = {name.partition(",")[0] for name in KILLED if name.endswith("local[2,8]")}
    assert len(phases) == 9
    for kind in ("executors", "workers"):
        assert all(TABLE[f"{phase}, {kind} killed, {where}"]["killed"] >= 2 for phase in phases)


def test_as_many_as_were_asked_for():
    on_clusters = [TABLE[name]["killed"] for name in KILLED if not name.endswith("local[2,8]")]
    assert sum(on_clusters) >= 100
    on_spark = [TABLE[name]["programs"] for name in RANDOM if " on local[" in name]
    assert sum(on_spark) >= 5_000
    spilled = TABLE["spilling, local-cluster of 2"]
    assert spilled["equal"] == 1
    assert spilled["MB of the input"] >= 4 * spilled["MB of an executor"]


@pytest.mark.parametrize("name", RANDOM)
def test_what_random_programs_have_found_on_spark_is_mended(name: str):
    counts = TABLE[name]
    outcomes = counts["outcomes"]
    assert sum(outcomes.values()) == counts["programs"]
    assert outcomes.keys() <= {"same", "failed alike", "refused", "wrong", "crash", "timeout"}
    if "runs" in counts:
        assert counts["runs"] == sum(counts["runs by join and block size"].values())
    if " on local[" in name:
        found = {kind: outcomes[kind] for kind in ("wrong", "crash") if kind in outcomes}
        assert counts.get("mended", {}) == found


def test_long_loops_and_drivers_that_were_killed():
    loops = [counts for name, counts in TABLE.items() if name.startswith("iterations of a loop, ")]
    assert max(counts["iterations"] for counts in loops) >= 1_000
    assert all(counts["equal"] == 1 and not counts["grown"] for counts in loops)
    drivers = [counts for name, counts in TABLE.items() if name.startswith("drivers killed ")]
    assert sum(counts["killed"] for counts in drivers) >= 40
    assert all(counts["equal"] == counts["rounds"] for counts in drivers)
    assert not any(counts["wrong"] for counts in drivers)
