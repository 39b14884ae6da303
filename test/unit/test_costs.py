"""The edges of tiles: as many as there are tasks, and no more than one tile may have."""

from __future__ import annotations

from math import ceil, prod

import pytest

from diablo.costs import common_edge, largest_edge, rounds_of_elements, soonest_edge


@pytest.mark.parametrize(
    ("dims", "tasks", "edge"),
    [
        ((1000,), 4, 250),
        ((1000, 1000), 4, 500),
        # Three tiles for two tasks take as long as two of them.
        ((1000,), 2, 500),
        # A tall matrix is cut along its rows, into as many tiles as there are tasks.
        ((1000, 10), 4, 250),
        ((1000, 1000), 1, 1000),
        ((1,), 8, 1),
        ((0, 0), 8, 1),
        ((), 8, 1),
    ],
)
def test_soonest_edge(dims: tuple[int, ...], tasks: int, edge: int) -> None:
    assert soonest_edge(dims, tasks) == edge


@pytest.mark.parametrize("tasks", [1, 2, 3, 4, 7, 8])
@pytest.mark.parametrize("dims", [(100,), (97, 31), (5, 5, 5), (1000, 3), (64, 64)])
def test_no_edge_is_done_much_sooner(dims: tuple[int, ...], tasks: int) -> None:
    found = rounds_of_elements(dims, soonest_edge(dims, tasks), tasks)
    counts = range(1, 2 * ceil(tasks ** (1 / len(dims))) + tasks + 1)
    best = min(rounds_of_elements(dims, ceil(max(dims) / count), tasks) for count in counts)
    assert best <= found <= 1.1 * best
    assert found >= prod(dims) / tasks * 0.999


def test_rounds_of_elements() -> None:
    # Four tiles of 25 for three tasks: one of them does two.
    assert rounds_of_elements((10, 10), 5, 3) == 50
    assert rounds_of_elements((10, 10), 5, 4) == 25
    assert rounds_of_elements((10, 10), 100, 4) == 100


def test_arrays_that_meet_have_one_edge() -> None:
    assert common_edge([], 4) == 1
    assert common_edge([((1000, 1000), 10**6), ((1000,), 1000)], 4) == 500
    assert common_edge([((1000,), 1000), ((1000, 1000), 10**6)], 4) == 500


def test_the_array_with_most_elements_is_not_made_late() -> None:
    """A far longer vector asks for larger tiles than the matrix, which would be a single one."""
    matrix, vector = ((1000, 1000), 10**6), ((100_000,), 10**5)
    assert soonest_edge((100_000,), 4) == 25_000
    assert common_edge([matrix, vector], 4) == 500


@pytest.mark.parametrize(
    ("dims", "elements", "edge"),
    [
        ((10, 10), 100, None),
        ((10, 10), 99, 9),
        ((10, 1000), 100, 10),
        ((2, 1000), 100, 50),
        ((1000,), 100, 100),
        ((), 1, None),
    ],
)
def test_largest_edge(dims: tuple[int, ...], elements: int, edge: int | None) -> None:
    found = largest_edge(dims, elements)
    assert found == edge
    if found is not None:
        assert prod(min(found, extent) for extent in dims) <= elements
