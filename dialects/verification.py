"""Checks that the verifiers of several dialects share, each with a one-sentence message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException


def listed(attributes: Iterable[Attribute]) -> str:
    """Types as a message shows them: `(index, f64)`."""
    return f"({', '.join(str(attribute) for attribute in attributes)})"


def verify_step(step: IntegerAttr | None) -> None:
    """Raise a `VerifyException` if a range with this step would not end."""
    if step is not None and step.value.data == 0:
        raise VerifyException("the step of a range cannot be 0")


def verify_positions(positions: Sequence[int], count: int, what: str) -> None:
    """Raise a `VerifyException` unless each of `positions` counts one of `count` things."""
    for position in positions:
        if not 0 <= position < count:
            raise VerifyException(f"{what} {position} is out of range, there are {count}")
