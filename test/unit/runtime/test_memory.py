"""The memory of large arrays: used again, bounded, let go of, and taken over."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.memory import SMALLEST, Pool

F8 = np.dtype(np.float64)
LARGE = (SMALLEST // 8,)


def place(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def test_memory_of_dead_arrays_is_used_again() -> None:
    pool = Pool(idle=3600.0)  # However slow the machine is.
    array = pool.empty(LARGE, F8)
    view, before = array[1:], place(array)
    del array
    assert place(pool.empty(LARGE, F8)) != before  # The view still needs it.
    del view
    gc.collect()
    again = pool.empty((2, LARGE[0] // 2), F8)
    assert pool.statistics.reused == 1
    assert again.flags.carray
    assert again.shape == (2, LARGE[0] // 2)


def test_small_arrays_are_left_to_the_allocator() -> None:
    pool = Pool()
    assert pool.empty((3,), F8).flags.owndata
    assert pool.statistics.fresh == 0


@pytest.mark.parametrize("count", [0, 3, LARGE[0] - 1, LARGE[0], LARGE[0] + 1, 5 * LARGE[0] + 7])
def test_numbers_are_those_of_arange(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_pool", Pool())
    numbers = memory.numbers(count)
    assert numbers.dtype == np.int64
    assert np.array_equal(numbers, np.arange(count))
    # Few are left to the allocator, many take memory of the pool.
    assert numbers.flags.owndata == (count < LARGE[0])


def test_a_block_fits_only_arrays_of_about_its_size() -> None:
    pool = Pool()
    pool.empty((2 * LARGE[0],), F8)
    pool.empty(LARGE, F8)
    assert pool.statistics.fresh == 2


def test_what_waits_is_bounded() -> None:
    pool = Pool(most_waiting=3 * SMALLEST)
    arrays = [pool.empty(LARGE, F8) for _ in range(5)]
    assert pool.statistics.used == 5 * SMALLEST
    del arrays
    assert pool.statistics.used == 0
    assert pool.statistics.waiting == 3 * SMALLEST
    pool.clear()
    assert pool.statistics.waiting == 0


def test_records_keep_their_fields() -> None:
    pool, record = Pool(), np.dtype([("x", "f8"), ("pair", [("i", "i8"), ("b", "?")])])
    array = pool.empty((SMALLEST // record.itemsize + 1,), record)
    assert array.dtype == record
    array[...] = (0.5, (3, True))
    assert pool.statistics.used > 0
    del array
    assert pool.statistics.used == 0


def test_an_idle_pool_lets_go() -> None:
    pool = Pool(idle=0.01)
    pool.empty(LARGE, F8)
    _assert_let_go(pool)


def test_threads_share_a_pool() -> None:
    pool = Pool()

    def work(mark: int) -> None:
        for _ in range(50):
            array = pool.empty(LARGE, F8)
            array[:] = mark
            assert (array == mark).all()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pool.statistics.used == 0
    assert pool.statistics.fresh + pool.statistics.reused == 4 * 50
    # A thread holds its last array until it has the next one.
    assert pool.statistics.fresh <= 4 * 2


@pytest.mark.parametrize("shape", [(6, 4), (3, 2, 4), (3, 2, 2, 2), (6, 2, 2)])
def test_a_result_takes_the_memory_that_is_offered(shape: tuple[int, ...]) -> None:
    array = np.zeros((6, 4))
    result = memory.into(array, lambda: memory.empty(shape, F8))
    assert place(result) == place(array)
    assert result.shape == shape
    # Once only, and only during the call.
    assert place(memory.empty(shape, F8)) != place(array)


@pytest.mark.parametrize("shape", [(4, 6), (24,), (2, 3, 4, 2), (8, 3)])
def test_a_result_of_another_shape_does_not(shape: tuple[int, ...]) -> None:
    array = np.zeros((6, 4))
    result = memory.into(array, lambda: memory.empty(shape, F8))
    assert not np.may_share_memory(result, array)


def test_what_is_no_array_in_order_is_left_alone() -> None:
    array = np.zeros((4, 6)).T
    result = memory.into(array, lambda: memory.empty((6, 4), F8))
    assert not np.may_share_memory(result, array)
    frozen = np.zeros(5)
    frozen.flags.writeable = False
    assert memory.into(frozen, lambda: memory.copied(frozen)) is not frozen


def test_a_copy_may_be_the_array_itself() -> None:
    array = np.arange(4.0)
    assert memory.into(array, lambda: memory.copied(array)) is array
    other = memory.copied(array)
    assert other is not array
    np.testing.assert_array_equal(other, array)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "end", ["", "import atexit; atexit.register(lambda: memory.empty(shape, F8))", "1 / 0"]
)
def test_a_process_ends_while_arrays_live(end: str) -> None:
    text = f"""
import numpy as np
from diablo.runtime.arrays import memory
F8, shape = np.dtype(np.float64), (1 << 20,)
kept = memory.empty(shape, F8)
class Late:
    def __del__(self):
        self.array = None
        memory.empty(shape, F8)
late = Late()
late.array = memory.empty(shape, F8)
cycle = [memory.empty(shape, F8)]
cycle.append(cycle)
{end}
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, timeout=60)
    assert done.returncode == (end == "1 / 0"), done.stderr


def test_a_block_is_given_back_while_the_pool_is_at_work() -> None:
    pool = Pool()
    array = pool.empty(LARGE, F8)
    with pool._lock:  # pyright: ignore[reportPrivateUsage]  (as in a collection inside of `take`)
        del array
    assert pool.statistics.used == 0
    assert pool.statistics.waiting == SMALLEST


def _assert_let_go(pool: Pool) -> None:
    """Wait until nothing waits in a pool; fail if that does not come."""
    for _ in range(1000):
        if not pool.statistics.waiting:
            break
        time.sleep(0.01)
    assert pool.statistics.waiting == 0


def test_a_pool_is_watched_however_long_the_system_takes_for_a_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fresh = memory.np.empty

    def slow(*arguments: Any) -> Any:
        time.sleep(0.1)
        return fresh(*arguments)

    pool = Pool(idle=0.01)
    with monkeypatch.context() as patched:
        patched.setattr(memory.np, "empty", slow)
        array = pool.empty(LARGE, F8)
    del array
    _assert_let_go(pool)


def test_an_idle_pool_lets_go_of_what_dies_later() -> None:
    pool = Pool(idle=0.01)
    array = pool.empty(LARGE, F8)
    time.sleep(0.1)
    del array
    _assert_let_go(pool)
