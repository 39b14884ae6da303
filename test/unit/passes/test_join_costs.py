"""What it takes for arrays to meet: by hand for products of square matrices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from diablo import costs
from diablo.passes.analyses.plans.distribution_plan import Reads, make_plan, plans
from diablo.passes.analyses.plans.join_costs import OpSizes

N, TASKS = 1000, 4
BYTES = 8 * N * N
PRODUCT = Reads(3, 2, ((0, 2), (2, 1)), (False, False))
SIZES = OpSizes((N, N, N), (BYTES, BYTES), ((N, N),) * 3, BYTES, False, 1.0, 2e9, TASKS)
"""C[i,j] = A[i,k]*B[k,j], each of four tiles."""


def test_the_tiles_are_those_of_all_arrays_together() -> None:
    assert SIZES.edge == costs.soonest_edge((N, N), TASKS) == N // 2
    assert [SIZES.tiles(d) for d in range(3)] == [2, 2, 2]


@pytest.mark.parametrize(
    ("join", "computing", "moving", "stages"),
    [
        # A stays and each of its tiles makes a part, of which two are combined; B goes to the
        # driver and comes back.
        (
            "broadcast",
            1.0 / TASKS,
            2 * BYTES / costs.CROSSING_BYTES + 2 * BYTES / costs.SHUFFLED_BYTES / TASKS,
            3,
        ),
        # Each tile goes to two tiles of C, where it is folded.
        ("replicate", 1.0 / TASKS, 2 * BYTES * 2 / costs.SHUFFLED_BYTES / TASKS, 2),
        # Each goes to two of eight keys; then the two parts of each tile are combined.
        (
            "reduce",
            1.0 / TASKS,
            2 * BYTES * 2 / costs.SHUFFLED_BYTES / TASKS + BYTES * 2 / costs.SHUFFLED_BYTES / TASKS,
            3,
        ),
    ],
)
def test_ways_to_meet(join: str, computing: float, moving: float, stages: int) -> None:
    plan = plans(PRODUCT, 0)[join]
    seconds = computing + moving + stages * costs.STAGE_SECONDS
    assert SIZES.cost(plan, PRODUCT).seconds == pytest.approx(seconds)


def test_one_task_shares_nothing() -> None:
    alone = replace(SIZES, tasks=1)
    found = plans(PRODUCT, 0)["replicate"]
    assert alone.tiles(0) == 1
    assert alone.cost(found, PRODUCT).seconds == pytest.approx(
        1.0 + 2 * BYTES / costs.SHUFFLED_BYTES + 2 * costs.STAGE_SECONDS
    )


@pytest.mark.parametrize("collected", [False, True])
def test_a_matrix_and_a_vector(collected: bool) -> None:
    """The matrix need not move for the vector; each row of tiles makes two parts of the result."""
    reads = Reads(2, 1, ((0, 1), (1,)), (False, False))
    dims = ((N,), (N, N), (N,))
    sizes = OpSizes((N, N), (BYTES, 8 * N), dims, 8 * N, collected, 1.0, 2e9, TASKS)
    parts = 2 * 8 * N
    combined = parts / costs.CROSSING_BYTES
    if not collected:
        combined = parts / costs.SHUFFLED_BYTES / 2 + costs.STAGE_SECONDS
    assert sizes.cost(make_plan(reads), reads).seconds == pytest.approx(
        1.0 / TASKS + combined + costs.STAGE_SECONDS
    )


@pytest.mark.parametrize("collected", [False, True])
def test_strips_of_both_arrays(collected: bool) -> None:
    """G[i,j] = A[k,i]*B[k,j] of tall arrays: each strip makes all of the small result."""
    rows, columns = 100_000, 10
    taken, result = 8 * rows * columns, 8 * columns * columns
    reads = Reads(3, 2, ((2, 0), (2, 1)), (False, False))
    dims = ((columns, columns), (rows, columns), (rows, columns))
    sizes = OpSizes(
        (columns, columns, rows), (taken, taken), dims, result, collected, 1.0, 2e9, TASKS
    )
    assert sizes.tiles(2) == TASKS
    back = 0 if collected else result / costs.CROSSING_BYTES + costs.STAGE_SECONDS
    assert sizes.cost_in_strips(reads, 2).seconds == pytest.approx(
        1.0 / TASKS + TASKS * result / costs.CROSSING_BYTES + costs.STAGE_SECONDS + back
    )


def test_strips_of_arrays_with_other_tiles_are_cut_first() -> None:
    """The tiles of square matrices have half a row each: strips of whole rows are shuffled."""
    reads = Reads(3, 2, ((2, 0), (2, 1)), (False, False))
    moved = 2 * BYTES / costs.SHUFFLED_BYTES / 2
    assert SIZES.result < costs.MOST_COMBINED_BYTES
    assert SIZES.cost_in_strips(reads, 2).seconds == pytest.approx(
        0.5
        + moved
        + 2 * BYTES / costs.CROSSING_BYTES
        + BYTES / costs.CROSSING_BYTES
        + 4 * costs.STAGE_SECONDS
    )


def test_large_parts_are_combined_in_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Reads(3, 2, ((2, 0), (2, 1)), (False, False))
    whole = SIZES.cost_in_strips(reads, 2).seconds
    monkeypatch.setattr(costs, "MOST_COMBINED_BYTES", BYTES)
    tree = BYTES / costs.SHUFFLED_BYTES + BYTES / costs.CROSSING_BYTES + costs.STAGE_SECONDS
    by_driver = 2 * BYTES / costs.CROSSING_BYTES
    assert SIZES.cost_in_strips(reads, 2).seconds == pytest.approx(whole - by_driver + tree)
