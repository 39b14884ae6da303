"""Keep the jobs of a loop of the driver ready, for arrays of some extents.

    preparations = Preparations(jobs)
    prepared = preparations.prepare(arguments)
    loop(*arguments, prepared.table)            # the loop's machine code does the jobs
    preparations.give_back(prepared)            # for the next call with such arrays

To plan the calls of kernels (`planned_loops.py`) takes as long as to make them from Python once, so
that is done once for arguments of some extents; the memory of arrays is another one for each call.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Any, cast

import numpy as np

from diablo.kernel_signature import Dimension
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import thread_count
from diablo.runtime.program.loop_steps import LoopJobs
from diablo.runtime.program.planned_loops import Prepared, plan

_MOST_KEPT = 4
"""For how many kinds of arguments a loop is ready at most."""
_MOST_REFUSED = 64
"""Of how many kinds it is known at most that there is no machine code for them."""


def _forget_oldest(kept: OrderedDict[Hashable, Any], most: int) -> None:
    while len(kept) > most:
        try:
            kept.popitem(last=False)
        except KeyError:  # Another thread has let it go.
            return


class Preparations:
    """The preparations of a loop that are not in use."""

    def __init__(self, jobs: LoopJobs):
        self.jobs = jobs
        self._kept: OrderedDict[Hashable, Prepared] = OrderedDict()
        self._refused: OrderedDict[Hashable, None] = OrderedDict()
        self._equal = [
            (one, other)
            for words in jobs.equal
            for one, other in [map(Dimension.parse, words)]
            if one is not None and other is not None
        ]

    def are_refused(self, arguments: Sequence[Any]) -> bool:
        """Whether it is known that some kernel has no machine code for such arguments.

        Also if the extents that the loop carries are not the same in each iteration.
        """
        for one, other in self._equal:
            if one.of(arguments) < 0 or one.of(arguments) != other.of(arguments):
                return True
        return bool(self._refused) and self._key(arguments) in self._refused

    def prepare(self, arguments: Sequence[Any]) -> Prepared | None:
        """Make ready what the machine code is given.

        Arrays that the loop writes are the arguments themselves. None where a kernel has no machine
        code for them.
        """
        if not all(a.flags.carray for a in arguments if isinstance(a, np.ndarray)):
            return None
        if not all(np.isfinite(arguments[number]).all() for number in self.jobs.finite):
            return None
        key = self._key(arguments)
        prepared = self._kept.pop(key, None)
        if prepared is not None and all(ref() is not None for ref in prepared.lasting or ()):
            prepared.begin(arguments)
            return prepared
        made = plan(self.jobs, arguments, key)
        if made is None:
            self._refused[key] = None
            _forget_oldest(self._refused, _MOST_REFUSED)
        return made

    def give_back(self, prepared: Prepared) -> None:
        """Keep what another call may use."""
        prepared.arrays = []
        if prepared.lasting is None:
            return
        self._kept[prepared.key] = prepared
        _forget_oldest(self._kept, _MOST_KEPT)

    def _key(self, arguments: Sequence[Any]) -> Hashable:
        extents = self.jobs.extents
        # A child process has none of the threads that jobs of its parent know.
        parts: list[Hashable] = [os.getpid(), thread_count()]
        for number, value in enumerate(arguments):
            if isinstance(value, np.ndarray):
                array = cast("Array", value)
                parts.append((array.shape, array.dtype))
            elif isinstance(value, SparseTile):
                # Programs store an array in another layout anew for each call.
                same = value if number in self.jobs.multiplied else value.pattern
                parts.append((id(same), address_of(value.elements), value.dense_rank, value.dtype))
            else:
                parts.append(value if number in extents else None)
        return tuple(parts)
