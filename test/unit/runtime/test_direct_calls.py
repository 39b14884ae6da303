"""Calls of machine code by a function written for the signature, and what it leaves to others."""

from typing import Any, cast

import numpy as np
import pytest

from diablo.runtime.kernels.direct_calls import direct_call
from diablo.runtime.kernels.machine_code import Entry
from diablo.runtime.kernels.signature import Signature

Calls = list[tuple[Any, ...]]


class Recorder:
    """Takes the place of machine code."""

    def __init__(self, calls: Calls):
        self.run = calls.append

    def pack(self, *arguments: Any) -> tuple[Any, ...]:
        return arguments


def caller(text: str, calls: Calls, limit: int = 100) -> Any:
    return direct_call(Signature.parse(text), cast("Entry", Recorder(calls)), limit)


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


def test_work_that_may_be_shared_is_done_in_one_piece():
    calls: Calls = []
    call = caller("i64 f64[0] -> f64[0] rows 0", calls)
    assert call(3, np.ones(3)).shape == (3,)
    assert calls[0][-2:] == (0, 3)


LOCKED = np.ones(3)
LOCKED.flags.writeable = False


@pytest.mark.parametrize(
    "arguments",
    [
        (3, LOCKED),
        (3, np.ones(2)),
        (3, np.ones(3, np.float32)),
        (3, np.ones((3, 1))),
        (2, np.ones(4)[::2]),
        (2, [1.0, 2.0]),
        (0, np.ones(0)),
        (-1, np.ones(3)),
        (100, np.ones(100)),
    ],
    ids=["locked", "short", "type", "rank", "strides", "list", "empty", "negative", "shared"],
)
def test_what_is_left_to_others(arguments: tuple[Any, ...]):
    calls: Calls = []
    assert caller("i64 f64[0] -> f64[0] rows 0", calls)(*arguments) is NotImplemented
    assert not calls


@pytest.mark.parametrize("arguments", [(), ("x", np.ones(3)), (3, np.ones(3), 1)])
def test_arguments_that_cannot_be_passed(arguments: tuple[Any, ...]):
    calls: Calls = []
    with pytest.raises((TypeError, ValueError)):
        caller("i64 f64[0] -> f64[0] rows 0", calls)(*arguments)
    assert not calls
