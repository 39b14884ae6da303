"""The local engine's RDDs: PySpark's meaning, on lists."""

import gc
import threading
from time import sleep
from weakref import ReferenceType, ref

import numpy as np
import pytest

from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.local_rdd import LocalRDD


@pytest.fixture(params=[1, 3])
def sc(request: pytest.FixtureRequest):
    with LocalContext(request.param) as context:
        yield context


def test_records_keep_their_order(sc: LocalContext):
    rdd = sc.parallelize(range(7))
    assert rdd.collect() == list(range(7))
    assert rdd.map(lambda x: x * x).collect() == [x * x for x in range(7)]
    assert rdd.flatMap(range).collect() == [y for x in range(7) for y in range(x)]
    assert rdd.filter(lambda x: x % 2).collect() == [1, 3, 5]
    assert rdd.keyBy(lambda x: -x).collect()[1] == (-1, 1)
    assert rdd.mapPartitions(lambda part: [sum(part)]).reduce(lambda a, b: a + b) == 21
    assert rdd.glom().getNumPartitions() == rdd.getNumPartitions() <= sc.defaultParallelism
    assert (rdd.count(), rdd.first(), rdd.take(2)) == (7, 0, [0, 1])


def test_pairs(sc: LocalContext):
    left = sc.parallelize([((0,), 1), ((1,), 2), ((0,), 3)])
    right = sc.parallelize([((2,), "c"), ((0,), "a")])
    assert left.mapValues(lambda v: -v).collectAsMap() == {(0,): -3, (1,): -2}
    assert left.reduceByKey(lambda a, b: a - b).collect() == [((0,), -2), ((1,), 2)]
    assert left.groupByKey().collect() == [((0,), [1, 3]), ((1,), [2])]
    assert left.cogroup(right).collect() == [
        ((0,), ([1, 3], ["a"])),
        ((1,), ([2], [])),
        ((2,), ([], ["c"])),
    ]
    assert left.groupWith(right, left).collectAsMap()[(0,)] == ([1, 3], ["a"], [1, 3])
    assert left.join(right).collect() == [((0,), (1, "a")), ((0,), (3, "a"))]
    assert left.keys().collect() == [(0,), (1,), (0,)]
    assert left.values().collect() == [1, 2, 3]
    assert left.flatMapValues(range).count() == 6
    assert sorted(left.partitionBy(2).collect()) == sorted(left.collect())


def _zips(one: LocalRDD, other: LocalRDD, groups: list[object]) -> bool:
    """Whether the records of each partition were put together where they are; checks the groups."""
    joined = one.cogroup(other)
    assert joined.collect() == groups
    sizes = [len(part) for part in joined.partitions]
    return sizes == [len(part) for part in one.partitions]


def test_what_is_keyed_alike_stays_where_it_is():
    sc = LocalContext(2)
    one = LocalRDD(sc, [[(1, "a")], [(2, "b"), (3, "c")], [(0, "d")]])
    other = one.mapValues(str.upper)
    paired = [(k, ([v], [v.upper()])) for k, v in one.collect()]
    assert _zips(one, other, paired)
    assert _zips(LocalRDD(sc, []), LocalRDD(sc, []), [])
    # Other partitions, another order, a key in two records, or one that the other has not.
    assert not _zips(one, sc.parallelize(other.collect(), 2), paired)
    assert not _zips(one, LocalRDD(sc, [*other.partitions[:1], *other.partitions[:0:-1]]), paired)
    twice = LocalRDD(sc, [[(1, "a")], [(1, "b")], []])
    assert not _zips(twice, twice, [(1, (["a", "b"], ["a", "b"]))])
    lacks = LocalRDD(sc, [[(1, "A")], [(2, "B"), (4, "C")], [(0, "D")]])
    unpaired = [*paired[:2], (3, (["c"], [])), paired[3], (4, ([], ["C"]))]
    assert not _zips(one, lacks, unpaired)


def test_a_single_value_of_each_key_is_reduced_already():
    sc = LocalContext(2)
    one = LocalRDD(sc, [[(1, 5)], [(2, 6), (3, 7)]])
    assert one.reduceByKey(lambda a, b: a + b) is one
    twice = LocalRDD(sc, [[(1, 5)], [(2, 6), (1, 7)]])
    assert twice.reduceByKey(lambda a, b: a + b).collect() == [(1, 12), (2, 6)]


def test_partitions(sc: LocalContext):
    rdd = sc.union([sc.parallelize([1, 2], 2), sc.parallelize([3]), sc.emptyRDD()])
    assert rdd.getNumPartitions() == 3
    assert rdd.union(rdd).coalesce(2).getNumPartitions() == 2
    assert rdd.coalesce(1).collect() == [1, 2, 3]
    numbered = rdd.mapPartitionsWithIndex(lambda n, part: [(n, x) for x in part])
    assert numbered.collect() == [(0, 1), (1, 2), (2, 3)]
    assert sc.parallelize([], 3).mapPartitions(lambda part: [len(list(part))]).collect() == [0]


def test_folds(sc: LocalContext):
    rdd = sc.parallelize([1, 2, 3, 4])
    assert rdd.fold(0, lambda a, b: a + b) == 10
    assert rdd.aggregate(0, lambda a, b: a + b, max) in (10, 7, 4)
    assert sc.emptyRDD().fold(5, max) == 5
    with pytest.raises(ValueError, match="empty"):
        sc.emptyRDD().reduce(max)
    with pytest.raises(ValueError, match="empty"):
        sc.emptyRDD().first()


def test_keeping_is_free(sc: LocalContext):
    rdd = sc.parallelize([1])
    assert rdd.persist() is rdd.cache() is rdd.unpersist() is rdd
    rdd.localCheckpoint()
    assert sc.broadcast([1]).value == [1]
    assert isinstance(rdd, LocalRDD)
    assert rdd.context is sc


def test_an_error_reaches_the_caller_as_it_is(sc: LocalContext):
    with pytest.raises(ZeroDivisionError):
        sc.parallelize([1, 0, 2]).map(lambda x: 1 // x)
    assert sc.parallelize([1, 2]).map(lambda x: x).count() == 2


def test_nothing_runs_on_after_an_error():
    begun, failed, ended = threading.Event(), threading.Event(), list[int]()

    def task(number: int) -> int:
        if number == 0:
            begun.wait(10)
            failed.set()
            raise ZeroDivisionError
        begun.set()
        failed.wait(10)
        sleep(0.05)
        ended.append(number)
        return number

    with LocalContext(2) as sc:
        with pytest.raises(ZeroDivisionError):
            sc.parallelize(range(8), 8).map(task)
        count = len(ended)
        assert count >= 1
    assert len(ended) == count


def test_an_error_holds_no_results_of_others():
    class Result:
        pass

    results: list[ReferenceType[Result]] = []

    def task(number: int) -> Result:
        if number:
            raise ZeroDivisionError
        result = Result()
        results.append(ref(result))
        return result

    gc.disable()
    try:
        with LocalContext(2) as sc, pytest.raises(ZeroDivisionError):
            sc.parallelize(range(2), 2).map(task)
        assert [result() for result in results] == [None]
    finally:
        gc.enable()


def test_partitions_run_at_the_same_time():
    with LocalContext(2) as sc:
        both = threading.Barrier(2, timeout=10)
        sc.parallelize([1, 2]).foreach(lambda _: both.wait())


def test_one_record_runs_in_the_caller():
    with LocalContext(4) as sc:
        here = threading.get_ident()
        assert sc.parallelize([0]).map(lambda _: threading.get_ident()).first() == here


def test_operations_inside_a_task_do_not_wait_for_threads():
    with LocalContext(2) as sc:
        nested = sc.parallelize(range(4)).map(lambda x: sc.parallelize(range(x)).map(abs).count())
        assert nested.collect() == [0, 1, 2, 3]


def test_arrays_are_records():
    with LocalContext() as sc:
        rdd = sc.parallelize([((i,), np.full(3, float(i))) for i in range(4)])
        total = rdd.map(lambda record: record[1]).reduce(np.add)
        assert total.tolist() == [6.0, 6.0, 6.0]
