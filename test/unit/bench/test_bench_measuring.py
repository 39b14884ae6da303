# What is measured, and that wrong answers are seen.
import time
from typing import Any

import answers
import measuring
import numpy as np
import pytest
from answers import Table, difference
from case_table import Case, Work, by_hand
from group_questions import data
from measuring import DIABLO, MOST_IN_A_ROW, Figures, Settings, later_calls, measure, measure_apart
from memory_peaks import peaks_in_child, set_back
from numpy_groups import Groups
from peers import Text
from scipy import sparse


def test_numbers_and_arrays():
    assert difference(2.0, 2.0 + 1e-12) is None
    assert difference(2.0, 2.1) is not None
    assert difference(np.arange(3.0), np.arange(3.0)) is None
    assert difference(np.arange(3.0), np.arange(4.0)) == "shape (4,), not (3,)"
    assert difference((1, np.ones(2)), (1, np.ones(2))) is None
    assert difference(np.array([1.0, np.nan]), np.array([1.0, np.nan])) is None
    assert difference(np.array([1.0, np.nan]), np.array([1.0, 2.0])) is not None
    assert difference(np.array([1.0, 2.0]), np.array([1.0, np.nan])) is not None
    assert difference((1, np.ones(2)), (1, np.zeros(2))) is not None


def test_sparse_arrays():
    one = sparse.random_array((20, 20), density=0.2, rng=np.random.default_rng(0)).tocsr()
    assert difference(one, one.tocoo()) is None
    assert difference(one, one * 2) is not None
    assert difference(one, sparse.csr_array((20, 21))) is not None


@pytest.mark.parametrize("sorted_up_to", [0, 1000])
def test_rows_in_any_order(monkeypatch: pytest.MonkeyPatch, sorted_up_to: int):
    monkeypatch.setattr(answers, "_SORTED", sorted_up_to)
    keys, names = np.arange(4), np.array(["a", "b", "c", "a"], object)
    values = np.array([1.5, 2.5, np.nan, 4.5])
    expected = Table((keys, names, values))
    turned = [c[::-1] for c in (keys, names, values)]
    assert difference(expected, turned) is None
    assert difference(expected, [turned[0], turned[1], turned[2] * (1 + 1e-12)]) is None
    # The same values beside other keys, and the same strings beside others.
    assert difference(expected, (keys, names, values[[1, 0, 2, 3]])) is not None
    assert difference(expected, (keys, names[[1, 0, 2, 3]], values)) is not None
    assert difference(expected, [c[:3] for c in turned]) is not None
    assert difference(expected, turned[:2]) is not None


@pytest.mark.parametrize("most", [10, 10**9])
def test_groups_by_hand(most: int):
    generator = np.random.default_rng(0)
    first, second = generator.integers(0, most, 50), generator.integers(0, 3, 50)
    values = generator.random(50)
    groups = Groups([first, second])
    expected: dict[Any, list[float]] = {}
    for k, l, v in zip(first.tolist(), second.tolist(), values, strict=True):  # noqa: E741
        expected.setdefault((k, l), []).append(v)
    rows = list(expected.items())
    keys = [[key[p] for key, _ in rows] for p in (0, 1)]
    made = [*groups.keys, groups.sum(values), groups.max(values), groups.count]
    wanted = [*keys, *[[f(v) for _, v in rows] for f in (sum, max, len)]]
    assert difference(Table(wanted), made) is None


def test_the_data_of_the_database_benchmark():
    table = data(1_000_000, strings=True)
    ids = {name: table[name] for name in ("id1", "id3")}
    assert all(isinstance(column, Text) for column in ids.values())
    assert set(ids["id1"].objects()) == {f"id{k:03d}" for k in range(1, 101)}
    assert len(ids["id3"].objects()[0]) == len("id0000000001")
    bounds = {"id4": (1, 100), "id5": (1, 100), "id6": (1, 10_000), "v1": (1, 5), "v2": (1, 15)}
    for name, (least, most) in bounds.items():
        assert (table[name].min(), table[name].max()) == (least, most)
    v3 = table["v3"]
    assert 99.9 < v3.max() <= 100
    assert np.array_equal(v3, v3.round(6))


def _case(**ways: Any) -> Case:
    source = "input n: Int; n + 1"
    return Case("one", "arrays", lambda scale: Work("", source, {"n": 1}, ways))


def test_what_is_wrong_is_no_figure():
    def fails() -> Any:
        raise ValueError("not today")

    found = measure(
        _case(NumPy=by_hand(lambda: 2), Python=by_hand(lambda: 3), SciPy=lambda: fails),
        Settings(repeats=2, memory=False, spell=1e9),
    )["contenders"]
    assert len(found[DIABLO]["later"]) == len(found["NumPy"]["later"]) == 2 * MOST_IN_A_ROW
    assert found["Python"]["wrong"] == "3 at (), not 2 (1 differ)"
    assert found["SciPy"]["wrong"] == "ValueError: not today"
    assert found["Python"]["later"] == found["SciPy"]["later"] == []


def test_a_wrong_program_is_seen():
    found = measure(_case(NumPy=by_hand(lambda: 5)), Settings(repeats=2, memory=False))
    assert found["contenders"][DIABLO]["wrong"] == "2 at (), not 5 (1 differ)"


def test_short_calls_alone_are_made_in_a_row():
    figures = Figures()
    later_calls(lambda: time.sleep(0.06), figures, Settings())
    assert len(figures.later) == 1
    later_calls(lambda: None, figures, Settings(spell=1e9))
    assert len(figures.later) == len(figures.processors) == 1 + MOST_IN_A_ROW


@pytest.mark.parametrize(("seconds", "calls"), [(0.0, MOST_IN_A_ROW), (1e9, 5 * MOST_IN_A_ROW)])
def test_later_calls_end_when_their_time_does(seconds: float, calls: int):
    settings = Settings(repeats=5, memory=False, seconds=seconds, spell=1e9)
    found = measure(_case(NumPy=by_hand(lambda: 2)), settings)["contenders"]
    assert [len(one["later"]) for one in found.values()] == [calls, calls]


def test_peaks_of_memory():
    def way() -> Any:
        prepared = np.ones(40 << 17)  # 40 MiB, which do not count
        del prepared
        return lambda: np.ones(16 << 17)

    first, later = peaks_in_child(way, 20)
    assert first is not None
    if set_back():
        assert 15 << 20 < first < 24 << 20
        assert later is not None
        assert 15 << 20 < later < 24 << 20


def test_nothing_is_known_of_a_child_that_fails_or_hangs(capfd: pytest.CaptureFixture[str]):
    def fails() -> Any:
        raise ValueError("not today")

    assert peaks_in_child(lambda: fails, 20) == (None, None)
    assert "not today" in capfd.readouterr().err
    assert peaks_in_child(lambda: lambda: time.sleep(30), 0.1) == (None, None)


def test_a_process_of_its_own():
    found = measure_apart("sums into cells", Settings(scale=1e-4, repeats=1, threads=1))
    figures = found["contenders"][DIABLO]
    assert figures["wrong"] is None
    assert figures["first"] > figures["later"][0]
    assert found["size"] == "500 rows"


def test_a_process_that_takes_too_long():
    found = measure_apart("sums into cells", Settings(limit=0.01))
    assert found["contenders"][DIABLO]["wrong"] == "took longer than 0 s"
    assert found["field"] == "rows"


def test_results_are_put_together():
    class Result:
        collected = 0

        def collect(self) -> None:
            self.collected += 1

    parts = Result(), Result()
    assert measuring.complete(parts) is parts
    assert [part.collected for part in parts] == [1, 1]
