"""Checks that the verifiers of several dialects share, each with a one-sentence message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, Region
from xdsl.utils.exceptions import VerifyException

_ROW_BOUNDS = ("one", "left", "right", "both")


def listed(attributes: Iterable[Attribute]) -> str:
    """Types as a message shows them: `(index, f64)`."""
    return f"({', '.join(str(attribute) for attribute in attributes)})"


def verify_body(
    body: Region,
    arguments: Sequence[Attribute],
    results: Sequence[Attribute],
    end: type[Operation],
) -> None:
    """Raise a `VerifyException` unless `body` takes `arguments` and ends by yielding `results`."""
    if body.block.arg_types != tuple(arguments):
        raise VerifyException(
            f"expected a body with arguments {listed(arguments)}, "
            f"got {listed(body.block.arg_types)}"
        )
    last = body.block.last_op
    if not isinstance(last, end):
        raise VerifyException(f"the body must end with '{end.name}'")
    if last.operand_types != tuple(results):
        raise VerifyException(
            f"the body must yield {listed(results)}, but it yields {listed(last.operand_types)}"
        )


def verify_step(step: IntegerAttr | None) -> None:
    """Raise a `VerifyException` if a range with this step would not end."""
    if step is not None and step.value.data == 0:
        raise VerifyException("the step of a range cannot be 0")


def verify_row_bound(bound: StringAttr | IntegerAttr | None) -> None:
    """Raise a `VerifyException` unless a bound of rows is a number or one of a few words."""
    match bound:
        case StringAttr(data=word) if word not in _ROW_BOUNDS:
            raise VerifyException(f"at_most is one of {', '.join(_ROW_BOUNDS)}, not {word}")
        case IntegerAttr() if bound.value.data < 0:
            raise VerifyException(f"at_most is no negative number, but {bound.value.data}")
        case _:
            pass


def verify_positions(positions: Sequence[int], count: int, what: str) -> None:
    """Raise a `VerifyException` unless each of `positions` counts one of `count` things."""
    for position in positions:
        if not 0 <= position < count:
            raise VerifyException(f"{what} {position} is out of range, there are {count}")


def verify_fixed_dimensions(dimensions: Sequence[int], indices: int, rank: int) -> None:
    """Raise a `VerifyException` unless as many indices fix ascending dimensions of `rank`."""
    if len(dimensions) != indices:
        raise VerifyException(f"{len(dimensions)} dimensions are fixed at {indices} indices")
    verify_positions(dimensions, rank, "dimension")
    if sorted(set(dimensions)) != list(dimensions):
        raise VerifyException("the dimensions of a slice must ascend")


def verify_slice(dimensions: Sequence[int], indices: int, rank: int) -> None:
    """Raise a `VerifyException` unless indices fix some of `rank` dimensions and leave some."""
    verify_fixed_dimensions(dimensions, indices, rank)
    if not 0 < len(dimensions) < rank:
        raise VerifyException(
            f"a slice fixes some of {rank} dimensions and leaves some, got {len(dimensions)}"
        )
