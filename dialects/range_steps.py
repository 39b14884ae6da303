"""The step of ops that go through ranges: `range %lo to %hi step 2`."""

from __future__ import annotations

from typing import Any, Protocol

from xdsl.dialects.builtin import IntegerAttr


class Stepped(Protocol):
    """An op with a step, which is 1 if it says none."""

    @property
    def step(self) -> IntegerAttr[Any] | None:
        """The distance of two indices, if it is said."""
        ...


def step_of(op: Stepped) -> int:
    """Return the distance of two indices of a range; negative if they go down."""
    return 1 if op.step is None else op.step.value.data
