"""Groups whose rows are grouped again: by all keys at once where nothing else reads the groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from counted_operations import operations

from diablo.diagnostics import Diagnostic, listening
from fuzzing.trial import Trial, Way

HEAD = "input L: list[(Int,Int,Double)]; "
ROWS = "(k,l,x) <- L, let g = (l,x), group by k ]"
SUMS = f"[ (k, [ (l, +/x) | (l,x) <- g, group by l ]) | {ROWS}"
FLAT = [
    SUMS,
    f"[ (k, [ (l, +/x, x.length, max/x) | (l,x) <- g, group by l ]) | {ROWS}",
    "[ (k, [ (m, +/x) | (l,x) <- g, let m = l%2, group by m ])"
    " | (k,l,x) <- L, k > 0, let g = (l,x), group by k ]",
    f"[ (k, [ (l, k*x.length) | (l,x) <- g, group by l ].length) | {ROWS}",
    f"[ (k, +/[ s | (l,s) <- [ (l, max/x) | (l,x) <- g, group by l ] ]) | {ROWS}",
    f"[ (k, [ (l, [ y*2.0 | y <- x ]) | (l,x) <- g, group by l ]) | {ROWS}",
    f"[ (k, [ (l, [ (m, +/x) | (m,x) <- h, group by m ])"
    f" | (l,x) <- g, let h = (x > 0.0, x), group by l ]) | {ROWS}",
    "[ (z, [ (l, k.length) | (l,k) <- g, group by l ])"
    " | (k,l,x) <- L, let z = x/(1.0*k), let g = (l,k), group by z ]",
    "[ (a, b, [ (l, +/x) | (l,x) <- g, group by l ])"
    " | (k,l,x) <- L, let g = (l,x), group by (a,b): (k,k%2) ]",
    f"tensor*(4)[ (k, [ (l, +/x) | (l,x) <- g, group by l ]) | {ROWS}",
]
LISTS = [
    f"[ (k, [ (l, +/x) | (l,x) <- g, x > 0.0, group by l ]) | {ROWS}",
    f"[ (k, [ (l, +/x) | (l,x) <- g, group by l, +/x > 1.0 ]) | {ROWS}",
    f"[ (k, g.length, [ (l, +/x) | (l,x) <- g, group by l ]) | {ROWS}",
    f"[ (k, [ (l, +/x/(1.0 + abs(+/[ w | (m,w) <- g ]))) | (l,x) <- g, group by l ]) | {ROWS}",
    f"[ (k, [ (m, +/x) | (l,x) <- g, group by m: l+k ]) | {ROWS}",
]
PASSES = ["convert-diablo-to-comprehension", "expand-reads", "comprehension-normalize"]
WAYS = [
    Way(whole=True, block_sizes=(None, None), threads=(1, 3), compile="always"),
    Way(whole=True, block_sizes=(None,), compile="never"),
    Way(block_sizes=(3,)),
]


def rows(count: int) -> dict[str, Any]:
    rng = np.random.default_rng(count)
    columns = [rng.integers(0, most, count).tolist() for most in (4, 3, 9)]
    return {"L": [(k, m, (x - 4) * 0.5) for k, m, x in zip(*columns, strict=True)]}


@pytest.mark.sampled(16)
@pytest.mark.parametrize("program", [*FLAT, *LISTS])
def test_nested_groups(program: str) -> None:
    found: list[Diagnostic] = []
    with listening(found.append):
        Trial(HEAD + program, rows(40)).variant(WAYS[0]).lower("spark")
    flat = any("are made by all keys at once" in remark.message for remark in found)
    assert flat == (program in FLAT)
    for count in (0, 1, 40):
        outcome = Trial(HEAD + program, rows(count)).run(WAYS)
        assert outcome.verdict == "same", (count, str(outcome))


def test_the_rows_of_outer_groups_are_not_gone_through_again() -> None:
    # What is gone through a second time is what the inner groups are, of which there are few.
    for count in (50, 200):
        found = operations(HEAD + SUMS, rows(count), [*PASSES, "flatten-groups"])
        assert found["comprehension.reduce"] <= 12
        assert found["comprehension.group_by"] <= 2
        before = operations(HEAD + SUMS, rows(count), PASSES)
        assert before["comprehension.collect"] > found["comprehension.collect"]
