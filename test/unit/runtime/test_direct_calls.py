"""Calls of machine code by a function written for the signature, and what it leaves to others."""

from typing import Any, cast

import numpy as np
import pytest

from diablo.kernel_signature import Signature
from diablo.runtime.kernels import direct_calls
from diablo.runtime.kernels.direct_calls import direct_call
from diablo.runtime.native import thread_team
from diablo.runtime.native.machine_code import Entry

Calls = list[tuple[Any, ...]]


class Recorder:
    """Takes the place of machine code."""

    def __init__(self, calls: Calls):
        self.run = calls.append

    def pack(self, *arguments: Any) -> tuple[Any, ...]:
        return arguments


def caller(text: str, calls: Calls) -> Any:
    return direct_call(Signature.parse(text), cast("Entry", Recorder(calls)))


def test_addresses_sizes_and_strides_are_passed():
    calls: Calls = []
    call = caller("i64 f64[0,?] f64 -> f64[0,=3] ~f64[0] f64() whole 0", calls)
    array = np.ones((5, 4))
    table, total = call(np.int64(5), array, 2)
    assert table.shape == (5, 3)
    assert total.dtype == np.float64
    (passed,) = calls
    assert passed[:6] == (5, array.ctypes.data, 5, 4, 4, 2.0)
    assert passed[7:10] == (5, 3, 3)
    assert passed[11] == 5


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Return what threads are handed; three of them share from ten points on."""
    calls: Calls = []

    def share(entry: Entry, pieces: Calls, points: int) -> None:
        calls.extend(pieces)

    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 10)
    monkeypatch.setattr(direct_calls, "WORTH_SHARING", 10)
    monkeypatch.setattr(direct_calls, "share", share)
    return calls


def test_large_work_is_shared(shared: Calls):
    calls: Calls = []
    call = caller("i64 f64[0,?] -> f64[0] i64(add) rows 0", calls)
    array = np.ones((12, 2))
    result, _ = call(12, array)
    assert not calls
    assert result.shape == (12,)
    assert [piece[-2:] for piece in shared] == [(0, 4), (4, 8), (8, 12)]
    assert {piece[:5] for piece in shared} == {(12, array.ctypes.data, 12, 2, 2)}
    assert {piece[5:7] for piece in shared} == {(result.ctypes.data, 12)}
    first = shared[0][7]
    assert [piece[7] - first for piece in shared] == [0, 64, 128]
    call(9, array)
    assert len(calls) == 1


def test_points_with_many_reads_are_more_work(shared: Calls):
    calls: Calls = []
    call = caller("i64 f64[?] -> f64[0] rows 0 reads 27", calls)
    call(3, np.ones(3))
    assert len(shared) == 3
    call(2, np.ones(3))
    assert len(calls) == 1


def test_work_that_may_not_be_shared(shared: Calls):
    calls: Calls = []
    caller("i64 f64[0] -> f64[0] whole 0", calls)(50, np.ones(50))
    assert len(calls) == 1
    assert not shared


def test_small_work_is_done_in_one_piece():
    calls: Calls = []
    call = caller("i64 f64[0] -> f64[0] rows 0", calls)
    assert call(3, np.ones(3)).shape == (3,)
    assert calls[0][-2:] == (0, 3)


@pytest.mark.parametrize(
    "arguments",
    [
        (3, np.ones(2)),
        (3, np.ones(3, np.float32)),
        (3, np.ones((3, 1))),
        (2, np.ones(4)[::2]),
        (2, [1.0, 2.0]),
        (0, np.ones(0)),
        (-1, np.ones(3)),
    ],
    ids=["short", "type", "rank", "strides", "list", "empty", "negative"],
)
def test_what_is_left_to_others(arguments: tuple[Any, ...]):
    calls: Calls = []
    assert caller("i64 f64[0] -> f64[0] rows 0", calls)(*arguments) is NotImplemented
    assert not calls


def test_an_array_that_nothing_may_write_to_is_read():
    calls: Calls = []
    locked = np.ones(3)
    locked.flags.writeable = False
    caller("i64 f64[0] -> f64[0] rows 0", calls)(3, locked)
    assert calls[0][1] == locked.ctypes.data


@pytest.mark.parametrize("arguments", [(), ("x", np.ones(3)), (3, np.ones(3), 1)])
def test_arguments_that_cannot_be_passed(arguments: tuple[Any, ...]):
    calls: Calls = []
    with pytest.raises((TypeError, ValueError)):
        caller("i64 f64[0] -> f64[0] rows 0", calls)(*arguments)
    assert not calls


@pytest.mark.parametrize(
    ("output", "makes_parts"),
    [
        ("f64[0]", False),
        ("~f64[=512]() f64[0]", False),
        ("~f64[=512,0]() f64[0]", True),
        ("f64[=9](add)", True),
        ("f64(add)", False),
    ],
)
def test_pieces_that_make_something_of_their_own_are_one_for_each_thread(
    output: str, makes_parts: bool, monkeypatch: pytest.MonkeyPatch
):
    assert Signature.parse(f"i64 f64[0] -> {output} rows 0").makes_parts == makes_parts
    monkeypatch.setenv("DIABLO_THREADS", "2")
    shared: list[int] = []
    monkeypatch.setattr(
        direct_calls, "share", lambda entry, calls, points: shared.append(len(calls))
    )
    size = 1 << 21
    caller(f"i64 f64[0] -> {output} rows 0", [])(size, np.ones(size))
    assert shared == [2 if makes_parts else 2 * thread_team.PIECES_EACH]
