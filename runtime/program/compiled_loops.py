"""Loops of the driver that run as machine code, with their Python function beside them.

    loop_0 = compiled_loop(loop_0, loop_code(LLVM["loop_0"], results=(None, 1), written=(1,)))

Python's function takes the number of its steps: where they do not suffice it returns None and
what the loop carries, from which the machine code goes on. So a short loop waits for no compiler,
and a long one is Python's for about as long as compiling takes, over all calls in a process.
`DIABLO_COMPILE` forces the one or the other. A loop that calls kernels may have two codes: one that
has them in itself, for small arrays, and one that hands them to the threads that share them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

import numpy as np

from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.compile_mode import compile_mode, compiles_at_once
from diablo.runtime.native.thread_team import WORTH_SHARING, thread_count
from diablo.runtime.native.work_seen import WORTH_COMPILING, left_to_see, pays_from
from diablo.runtime.program.native_loop import LoopCode

_WORTH_CALLING = 16
"""How many times the points that threads share a kernel must have for Python to call it for that:
a call takes it as long as some 100000 points take a thread, and a step has several."""

_WORTH_COPYING = 4
"""The same where the loop's machine code copies what a step makes to what it carries."""

_WORTH_JOBS = 4
"""The same where machine code hands the kernels to threads."""

_WORK_OF_CALL = 1 << 12
"""As how much work of the loop around it a call of a loop's machine code counts.

It takes Python some 20 us to make one."""


class _PythonWork(threading.local):
    """What the loops of a thread do as Python."""

    within = 0
    """How many of them run now, and count their steps."""
    done = 0
    """The work of those that Python has ended, and that of calling those that it has not."""


_python = _PythonWork()


class CompiledLoop:
    """A callable that runs a loop; its integers are Python's.

    Parameters
    ----------
    function : the loop in Python, which takes the number of its steps besides
    code : the machine code, None where kernels cannot be a part of it
    shared : machine code whose kernels threads share, if there is such
    rank : how many dimensions the kernels go through that the loop calls, at most
    """

    def __init__(
        self,
        function: Callable[..., Any],
        code: LoopCode | None,
        shared: LoopCode | None = None,
        rank: int = 0,
    ):
        self._function = function
        self._code = code
        self._shared = shared
        self._rank = rank
        for each in (code, shared):
            if each is not None:
                each.kernel.numpy_function = function

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        points = self._points(arguments) if self._rank else 0
        code = self._code_for(points)
        weight = points if code is None else code.weight + points
        steps = -1 if code is None else self._steps(code, weight)
        if code is None or steps:
            is_over, values = self._as_python(code, steps, weight, arguments)
            if is_over:
                return _result(values)
            arguments = (*values, *arguments[len(values) :])
        found = NotImplemented if code is None else code.run(arguments)
        if found is NotImplemented:
            _, *found = _values(self._function(-1, *arguments))
        elif _python.within:
            _python.done += _WORK_OF_CALL
        return _result(found)

    def _code_for(self, points: int) -> LoopCode | None:
        """The machine code for kernels of so many points; None where Python is to call them."""
        code, shared = self._code, self._shared
        if code is None or (shared is not None and _are_shared(points, code)):
            return shared
        # Machine code copies what a step makes to what the loop carries; Python exchanges them.
        enough = (_WORTH_COPYING if code.copies else _WORTH_CALLING) * WORTH_SHARING
        return None if shared is None and thread_count() > 1 and points >= enough else code

    def _points(self, arguments: Sequence[Any]) -> int:
        """Return through how many points of an array a kernel goes at most."""
        arrays = [cast("Array", a) for a in arguments if isinstance(a, np.ndarray)]
        return max((prod(sorted(array.shape)[-self._rank :]) for array in arrays), default=0)

    def _steps(self, code: LoopCode, weight: int) -> int:
        """Return how many iterations Python does before the machine code takes over; -1 for all."""
        if code.is_compiled or compiles_at_once():
            return 0
        if compile_mode() == "never":
            return -1
        return left_to_see(code.identity, self._enough()) // weight

    def _as_python(
        self, code: LoopCode | None, steps: int, weight: int, arguments: Sequence[Any]
    ) -> tuple[bool, Sequence[Any]]:
        """Return whether Python has ended the loop, and its results or what it carries on.

        It does so many steps at most, -1 for all. What loops within the loop do as Python counts
        like its own work, as do the calls of those that are machine code, and is looked at after
        one step, then two, and so on: if the loop is machine code they are, too, and compiled once.
        """
        if steps < 0 or code is None:
            _, *values = _values(self._function(steps, *arguments))
            return True, values
        enough = self._enough()
        part = 1
        while True:
            before = _python.done
            _python.within += 1
            try:
                left, *values = _values(self._function(part, *arguments))
            finally:
                _python.within -= 1
            inner = _python.done - before
            work = (part - (left or 0)) * weight + inner
            pays = pays_from(code.identity, work, enough)
            if left is not None:
                _python.done += work - inner
                return True, values
            if pays:
                return False, values
            arguments = (*values, *arguments[len(values) :])
            still = max(1, left_to_see(code.identity, enough) * part // work)
            part = min(2 * part, still) if inner else still

    @staticmethod
    def _enough() -> int:
        """Return from how much work on the loop is compiled: later within one that may be first."""
        return 2 * WORTH_COMPILING if _python.within else WORTH_COMPILING


def _values(returned: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", returned) if isinstance(returned, tuple) else (returned,)


def _result(values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else tuple(values)


def _are_shared(points: int, code: LoopCode) -> bool:
    """Whether threads share kernels of so many points, which are not a part of the code then."""
    if thread_count() == 1:
        return False
    enough = WORTH_SHARING if code.copies else _WORTH_JOBS * WORTH_SHARING
    return compile_mode() == "always" or points >= enough


def compiled_loop(
    function: Callable[..., Any],
    code: LoopCode | None,
    shared: LoopCode | None = None,
    rank: int = 0,
) -> CompiledLoop:
    """Wrap a loop so that it runs as machine code once that pays; as for `CompiledLoop`."""
    return CompiledLoop(function, code, shared, rank)
