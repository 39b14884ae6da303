"""Sums of floats of 32 bits are added up in 64, and then rounded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo

MANY = 400_000
NUMBERS = np.random.default_rng(5).random(MANY, dtype=np.float32)
KEYS = np.arange(MANY) % 2

PROGRAMS = {
    "vector": "input F: vector[Float];\nvar s = +/[ x | (i,x) <- F ];",
    "squares": "input F: vector[Float];\nvar s = +/[ x*x | (i,x) <- F ];",
    "loop": "input F: vector[Float];\nvar s = 0.0f;\nfor (i,x) in F do s += x;",
    "list": "input L: list[Float];\nvar s = +/[ x | x <- L, x > 0.25f ];",
}
WIDE = NUMBERS.astype(np.float64)
SUMS = {
    "vector": WIDE.sum(),
    "squares": (WIDE * WIDE).sum(),
    "loop": WIDE.sum(),
    "list": WIDE[WIDE > 0.25].sum(),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("compile", ["always", "never"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_sum_is_the_nearest_number(
    name: str, compile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", compile)
    given: dict[str, Any] = {"L" if name == "list" else "F": NUMBERS}
    total = diablo.compile(PROGRAMS[name], engine="local")(**given)
    assert total == np.float32(SUMS[name])


def test_sums_of_groups_are_the_nearest_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    program = "input L: list[(Int,Float)];\nvar s = [ (k, +/x, max/x) | (k,x) <- L, group by k ];"
    groups = diablo.compile(program, engine="local")(L=(KEYS, NUMBERS))
    wanted = [
        (k, np.float32(WIDE[k::2].sum()), NUMBERS[k::2].max())
        for k in range(2)
    ]  # fmt: skip
    assert sorted(map(tuple, groups)) == wanted
