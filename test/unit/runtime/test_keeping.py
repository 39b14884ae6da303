"""What a call keeps on Spark is let go with it: with stand-ins for RDDs and broadcasts."""

from __future__ import annotations

from typing import Any

import pytest

from diablo.runtime.engines.keeping import Kept, current, keeping, release_dead
from diablo.runtime.engines.lazy_records import LazyRecords
from diablo.runtime.program import Iterations, broadcast, release


class FakeBroadcast:
    def __init__(self, value: Any):
        self.value = value
        self.destroyed = False
        self.held = True

    def unpersist(self) -> None:
        self.held = False

    def destroy(self) -> None:
        self.destroyed = True


class FakeContext:
    def broadcast(self, value: Any) -> FakeBroadcast:
        return FakeBroadcast(value)

    def parallelize(self, records: list[Any]) -> list[Any]:
        return records


class FakeRDD:
    """Stands for its JVM twin as well, whose only parents are `parents`."""

    def __init__(self, number: int = 0, parents: tuple[FakeRDD, ...] = ()):
        self.number = number
        self.parents = parents
        self.kept = True
        self.ctx = FakeContext()
        self._jrdd = self

    def id(self) -> int:
        return self.number

    def rdd(self) -> FakeRDD:
        return self

    def dependencies(self) -> FakeRDD:
        return self

    def size(self) -> int:
        return len(self.parents)

    def apply(self, index: int) -> FakeRDD:
        return self.parents[index]

    def unpersist(self) -> None:
        self.kept = False

    def collect(self) -> list[int]:
        return [1, 2]


def test_a_call_lets_go_of_all_if_no_result_is_lazy():
    rdd = FakeRDD()
    with keeping() as kept:
        kept.add_rdd(rdd)
        shared = broadcast(FakeContext(), 5)
        kept.leave_to([])
    assert not rdd.kept
    assert shared.destroyed
    assert current() is None


def test_a_call_that_fails_lets_go_of_all():
    rdd = FakeRDD()

    def call() -> None:
        with keeping() as kept:
            kept.add_rdd(rdd)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call()
    assert not rdd.kept


def test_a_lazy_result_keeps_what_it_is_made_of():
    needed, other = FakeRDD(1), FakeRDD(2)
    result = FakeRDD(4, (FakeRDD(3, (needed,)), needed))
    kept = Kept()
    kept.add_rdd(needed)
    kept.add_rdd(other)
    kept.leave_to([result])
    assert needed.kept
    assert not other.kept
    records = LazyRecords(result)
    records.needs(kept)
    del kept
    assert records.collect() == [1, 2]
    assert needed.kept
    records.collected(lambda: [7])
    assert not needed.kept
    assert records.rdd() == [7]  # Made of what was collected.


def test_a_result_that_nobody_has_any_more_keeps_nothing():
    needed = FakeRDD(1)
    records, kept = LazyRecords(FakeRDD(2, (needed,))), Kept()
    kept.add_rdd(needed)
    records.needs(kept)
    del kept, records
    release_dead()  # As the next call does.
    assert not needed.kept


def test_an_rdd_that_was_handed_out_is_left_to_spark():
    needed = FakeRDD(1)
    records, kept = LazyRecords(FakeRDD(2, (needed,))), Kept()
    kept.add_rdd(needed)
    records.needs(kept)
    records.rdd()
    del kept, records
    release_dead()
    assert needed.kept


def test_a_loop_that_carries_nothing_destroys_its_broadcasts():
    loop = Iterations()
    first = loop.broadcast(FakeContext(), 1)
    loop.carry()
    second = loop.broadcast(FakeContext(), 2)
    assert first.destroyed
    assert not second.destroyed


def test_a_loop_lets_go_of_what_functions_of_the_runtime_send():
    """As they do where one side of a join meets each batch of the other."""
    with keeping() as kept:
        before = broadcast(FakeContext(), 0)
        loop = Iterations()
        first = broadcast(FakeContext(), 1)
        loop.carry()
        second = broadcast(FakeContext(), 2)
        release(second)
        carried = _Carried()
        third = broadcast(FakeContext(), 3)
        for _ in range(10):
            loop.carry(carried)
        assert first.destroyed
        assert not third.held
        assert not third.destroyed  # Spark sends its name with what is carried.
        for _ in range(10):
            loop.carry(_Carried())
        assert third.destroyed
        assert not before.destroyed
        assert kept.loose == [before]
    kept.release()
    assert before.destroyed


def test_an_outer_loop_lets_go_of_what_an_inner_one_left():
    outer = Iterations()
    inner = Iterations(outer)
    left = inner.broadcast(FakeContext(), 1)
    for _ in range(9):
        outer.carry(_Carried())
    assert left.held
    last = inner.keep(_Carried())
    assert outer.carry(last) is last
    assert not left.held
    assert not left.destroyed  # Spark sends its name with what was made of it.
    assert last.kept
    for _ in range(10):
        outer.carry(_Carried())
    assert left.destroyed


def test_the_broadcasts_of_a_value_are_there_for_as_long_as_it_is_carried():
    loop, lasting = Iterations(), _Carried()
    shared = [loop.broadcast(FakeContext(), 0)]
    for step in range(1, 41):
        loop.carry(lasting)
        shared.append(loop.broadcast(FakeContext(), step))
    assert [one.held for one in shared] == [False] * 40 + [True]
    assert not any(one.destroyed for one in shared)
    for _ in range(10):
        loop.carry(_Carried())
    assert [one.destroyed for one in shared] == [True] * 40 + [False]


def test_a_result_that_was_computed_keeps_the_names_of_its_broadcasts():
    kept, made = Kept(), Kept()
    shared = FakeBroadcast(1)
    kept.add_broadcast(shared)
    kept.leave_broadcasts_to(made)
    kept.release()
    assert not shared.held
    assert not shared.destroyed
    made.release()
    assert shared.destroyed


def test_short_loops_in_one_another_cut_the_lineage():
    cut, outer = 0, Iterations()
    for _ in range(25):
        inner = Iterations(outer)
        values = [_Carried() for _ in range(4)]
        for value in values[:3]:
            inner.carry(value)
        outer.carry(values[3])
        cut += sum(value.checkpoints for value in values)
    assert cut == 25 * 4 // 12


def test_what_an_inner_loop_has_cut_is_not_cut_by_the_outer_one():
    outer = Iterations()
    for _ in range(9):
        inner = Iterations(outer)
        values = [_Carried() for _ in range(21)]
        for value in values[:20]:
            inner.carry(value)
        outer.carry(values[20])
        assert [value.checkpoints for value in values] == [0] * 9 + [1] + [0] * 9 + [1] + [0]


class _Carried(FakeRDD):
    def __init__(self) -> None:
        super().__init__()
        self.checkpoints = 0
        del self._jrdd
        self.is_cached = False

    def persist(self) -> _Carried:
        self.is_cached = True
        return self

    def localCheckpoint(self) -> None:
        self.checkpoints += 1
