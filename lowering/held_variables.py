"""The variables of a Python function that is being written: which values they hold, and until when.

    r = kernel_0(n, u)                  r = kernel_0(n, u)
    s = kernel_1(n, r)          =>      s = kernel_1(n, r)
                                        del r

`Liveness` says at each place of the IR which values are needed. What the text of such a value reads
is needed as well: the variable that holds it, or those in an expression that its use will
write. One variable may hold several values, as that of a loop does. All other variables that were
assigned may go.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from xdsl.ir import Block, Operation, SSAValue

from diablo.passes.analyses.plans.liveness import Liveness

_NOTHING = frozenset[str]()


class HeldVariables:
    """What the text of each value reads, and which variables are assigned at the line at hand.

    Without `liveness` all variables stay until the function ends.
    """

    def __init__(self, liveness: Liveness | None) -> None:
        self._liveness = liveness
        self.assigned: set[str] = set()
        self._reads: dict[SSAValue, frozenset[str]] = {}
        self._kept: list[frozenset[str]] = []
        """What the writers of the ops around need besides, from the outermost."""
        self._temporaries: list[set[str]] = []
        """What each of these has assigned that holds no value of the IR."""

    def __contains__(self, value: SSAValue) -> bool:
        return value in self._reads

    # -- What is written --------------------------------------------------------------------

    def assign(self, *names: str) -> None:
        """The text has assigned some variables; a writer that is at work needs them."""
        self.assigned.update(names)
        if self._temporaries:
            self._temporaries[-1].update(names)

    def hold(self, value: SSAValue, name: str) -> None:
        """From now on `value` is read from one variable, which is there for its sake alone."""
        self._reads[value] = frozenset([name])
        if self._temporaries:
            self._temporaries[-1].discard(name)

    def inline(self, value: SSAValue, reads: frozenset[str] = _NOTHING) -> None:
        """`value` is an expression that reads some variables."""
        self._reads[value] = reads

    def read_by(self, values: Iterable[SSAValue]) -> frozenset[str]:
        """The variables that the texts of some values read."""
        return _NOTHING.union(*(self._reads.get(value, _NOTHING) for value in values))

    @property
    def temporaries(self) -> frozenset[str]:
        """The variables that the writer at work has assigned and that hold no value of the IR."""
        return frozenset(self._temporaries[-1]) if self._temporaries else _NOTHING

    # -- How long ---------------------------------------------------------------------------

    @contextmanager
    def keeping(self, names: Iterable[str] = ()) -> Generator[None]:
        """Write something that needs some variables, and its temporaries, until it is done."""
        self._kept.append(frozenset(names))
        self._temporaries.append(set())
        try:
            yield
        finally:
            self._kept.pop()
            self._temporaries.pop()

    @contextmanager
    def repeated(self) -> Generator[None]:
        """Write what runs any number of times, or not at all: nothing goes in it."""
        outside, self._liveness = self._liveness, None
        assigned = set(self.assigned)
        try:
            yield
        finally:
            self._liveness, self.assigned = outside, assigned

    def live_after(self, op: Operation) -> AbstractSet[SSAValue]:
        """The values that are needed once `op` is done."""
        return frozenset() if self._liveness is None else self._liveness.after(op)

    def live_at_start(self, block: Block) -> AbstractSet[SSAValue]:
        """The values that are needed where a block begins."""
        return frozenset() if self._liveness is None else self._liveness.at_start(block)

    def release(self, live: Iterable[SSAValue]) -> str:
        """Return the `del` of what nobody needs where the values `live` are, if there is any."""
        if self._liveness is None or not self.assigned:
            return ""
        dead = self.assigned - self.read_by(live).union(*self._kept, *self._temporaries)
        self.assigned -= dead
        return f"del {', '.join(sorted(dead))}" if dead else ""
