# Assignments to lazy arrays: what they change, which memory they write to, and what is kept.
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import diablo.array as da

COUNT = 1 << 17
ENGINES = pytest.mark.parametrize("engine", [None, "local"])


def _look(array: Any, engine: Any) -> Any:
    return array.compute(engine=engine).to_numpy()


# ---- in place ---------------------------------------------------------------------------


def _copies(statements: Callable[[Any], Any]) -> float:
    """Return how many arrays were there at most besides the one that is assigned to."""
    c = da.zeros(COUNT)
    c[0] = 1
    statements(c)  # What is loaded and compiled is taken once.
    tracemalloc.start()
    try:
        statements(c)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak / (8 * COUNT)


def _looked_at(c: Any) -> None:
    for k in range(20):
        c[k + 1] = float(c[k]) + 1
    assert float(c[20]) == 21


def _recurrence(c: Any) -> None:
    for k in range(20):
        c[k + 1] = c[k] + 1
    assert float(c[20]) == 21


def _a_view_that_was_dropped(c: Any) -> None:
    part = c[3:5].compute()
    del part
    c[0] = 1
    assert c[0].to_numpy() == 1


IN_PLACE = {
    "looked at": _looked_at,
    "a recurrence": _recurrence,
    "a view that was dropped": _a_view_that_was_dropped,
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_assignments_write_to_the_memory_of_the_array(name: str):
    assert _copies(IN_PLACE[name]) < 0.3


def test_the_memory_is_the_same():
    c = da.zeros(COUNT)
    c[0] = 1
    address = c.to_numpy().ctypes.data
    for k in range(5):
        c[k] = c[k + 1] * 2
        assert c.to_numpy().ctypes.data == address


def test_what_was_assigned_to_is_kept_when_a_part_is_looked_at():
    c = da.zeros(COUNT)
    c[0] = 1
    other = da.zeros(COUNT)
    other[0] = 1
    view = other[1:3]
    other[1] = 2
    assert float(c[0]) == 1
    assert c.is_computed
    np.testing.assert_array_equal(view.to_numpy(), [0, 0])
    assert not other.is_computed  # Nothing of it was looked at, but of what it was.


# ---- copies -----------------------------------------------------------------------------


@ENGINES
def test_who_looks_keeps_what_there_was(engine: Any):
    c = da.zeros(8)
    c[0] = 1
    elements = _look(c, engine)
    part = c[:2].compute()
    waiting = c + 0
    below = c[::-1]
    sums = c.sum() + 0
    array = np.asarray(c)
    c[0] = 7
    assert _look(c, engine)[0] == 7
    c[:] = 9
    for old in (elements[0], part[0], waiting[0], below[-1], sums, array[0]):
        assert old == 1


@ENGINES
def test_a_root_of_what_waits_is_still_there(engine: Any):
    c = da.zeros(8)
    c[0] = 1
    _look(c, engine)
    c[1] = c[0] + 1
    between = c[:3]
    total = between + 10
    c[2] = 5
    del c
    np.testing.assert_array_equal(_look(total, engine), [11, 12, 10])
    np.testing.assert_array_equal(_look(between, engine), [1, 2, 0])


@ENGINES
def test_arrays_of_the_caller_are_not_written_to(engine: Any):
    x = np.zeros(8)
    c = da.asarray(x)
    c[0] = 1
    assert _look(c, engine)[0] == 1
    assert not x.any()
    view = da.asarray(np.zeros((2, 4))[0])
    view[0] = 1
    assert _look(view, engine).tolist() == [1, 0, 0, 0]


@ENGINES
def test_parts_of_itself_are_what_they_were_before(engine: Any):
    c, x = da.asarray(np.arange(8.0)), np.arange(8.0)
    c[0], x[0] = 3, 3
    _look(c, engine)
    c[1:] = c[:-1]
    x[1:] = x[:-1].copy()
    c[::-1] = c
    x[:] = x[::-1].copy()
    c[c > 2] = c[c > 2] * 2
    x[x > 2] *= 2
    np.testing.assert_array_equal(_look(c, engine), x)


@ENGINES
def test_persisted_elements_are_not_written_to(engine: Any):
    c = da.zeros(8)
    c[0] = 1
    with c.persist(engine=engine) as kept:
        c[0] = 2
        assert _look(c, engine)[0] == 2
        assert kept[0] == 1
    assert kept[0] == 1


@ENGINES
def test_a_failed_assignment_leaves_what_was_there(engine: Any):
    c = da.zeros(8)
    c[0] = 1
    _look(c, engine)
    c[1] = 2
    c[2] = c[1] + 1
    total = c.sum() * 1  # It waits for what the failing computation writes to.
    c[da.asarray([8]) + 1] = 5
    for _ in range(2):
        with pytest.raises(IndexError, match="out of bounds"):
            da.compute(c + 1, total, engine=engine)
    assert _look(total, engine) == 6


@ENGINES
def test_what_fails_beside_an_assignment_leaves_it(engine: Any):
    c = da.zeros(8)
    c[0] = 1
    _look(c, engine)
    c[1] = 2
    both = c[:2].sum() + da.asarray(np.ones(3))[da.asarray([9])]
    for _ in range(2):
        with pytest.raises(IndexError, match="out of bounds"):
            both.compute(engine=engine)
    assert _look(c, engine).tolist() == [1, 2, 0, 0, 0, 0, 0, 0]


# ---- random ones ------------------------------------------------------------------------


def _index(rng: np.random.Generator, extent: int) -> Any:
    match int(rng.integers(5)):
        case 0:
            return int(rng.integers(extent))
        case 1:
            return slice(int(rng.integers(extent)), None, int(rng.integers(1, 4)))
        case 2:
            return slice(None, None, -1)
        case 3:
            return rng.integers(0, extent, 3)
        case _:
            return rng.random(extent) > 0.5


def _differences(seed: int, engine: Any, steps: int = 30) -> list[str]:
    """Return where arrays are not what NumPy's copies of them are, after random statements."""
    rng = np.random.default_rng(seed)
    held: list[tuple[Any, Any]] = []
    seen: list[tuple[Any, Any]] = []
    for _ in range(2):
        x = rng.integers(0, 9, 6).astype(float)
        held.append((da.asarray(x.copy()), x))
    for _ in range(steps):
        lazy, x = held[rng.integers(len(held))]
        other, y = held[rng.integers(len(held))]
        match int(rng.integers(9)):
            case 0 | 1 | 2:
                index = _index(rng, len(x))
                lazy[index] = 3.0
                x[index] = 3.0
            case 3 if len(y) == len(x):
                index = _index(rng, len(x))
                if isinstance(index, np.ndarray):
                    continue  # Of one place that is assigned to twice the order is not said.
                given = y[index] + 1
                lazy[index] = other[index] + 1
                x[index] = given
            case 4:
                held.append((lazy[1:], x[1:].copy()) if len(x) > 3 else (lazy + 1, x + 1))
            case 5:
                held.append((lazy[::-1] * 2, x[::-1] * 2))
            case 6:
                assert float(lazy[0]) == x[0]
            case 7:
                made = _look(lazy, engine) if rng.integers(2) else _look(lazy[1:], engine)
                seen.append((made, made.copy()))
            case _:
                if len(held) > 2:
                    held.pop(int(rng.integers(len(held))))
        if rng.integers(6) == 0 and seen:
            seen.pop(int(rng.integers(len(seen))))
        if rng.integers(10) == 0:
            da.compute(*[lazy for lazy, _ in held[::2]], engine=engine)
    wrong = [
        f"{k}: {x}" for k, (a, x) in enumerate(held) if not np.array_equal(_look(a, engine), x)
    ]
    return wrong + [f"seen: {x}" for made, x in seen if not np.array_equal(made, x)]


def test_random_assignments_are_those_of_numpy():
    assert [k for k in range(150) if _differences(k, None)] == []


def test_random_assignments_between_programs_are_those_of_numpy():
    assert [k for k in range(25) if _differences(k, "local", 15)] == []
