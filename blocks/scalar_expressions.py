"""What traced functions compute, of numbers and of whole arrays.

    evaluated(exp(l) + 1, {l: array})    ->    an array, which is lazy if the other is
    vanishes(l * exp(r), {l})            ->    True: it is zero where `l` is

An expression is a graph of `Scalar`s. Nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from diablo.blocks.traced_scalars import Aggregate, Scalar

_CHOICES = {"where"}
_SAMPLES: tuple[tuple[Any, ...], ...] = ((-2.5, 0.0, 1.0, 4.0), (-3, 0, 1, 6), (False, True))
"""Numbers with which functions are tried, by what they may be functions of."""


def nodes_of(result: Any, *, stops_at_aggregates: bool = False) -> Iterator[Scalar]:
    """Generate the scalars that one is computed of, each behind its operands."""
    done: set[int] = set()
    stack: list[tuple[Any, bool]] = [(result, False)]
    while stack:
        node, is_entered = stack.pop()
        if not isinstance(node, Scalar) or id(node) in done:
            continue
        if is_entered or (stops_at_aggregates and isinstance(node, Aggregate)):
            done.add(id(node))
            yield node
            continue
        stack.append((node, True))
        stack += [(operand, False) for operand in reversed(node.operands)]


def parameters_of(result: Any) -> set[str]:
    """Return the names of the parameters that a scalar is computed of."""
    return {node.name for node in nodes_of(result) if node.apply is None}


def evaluated(
    result: Any,
    values: Mapping[str, Any],
    fold: Callable[[Aggregate], Any] | None = None,
    read: Callable[..., Any] | None = None,
) -> Any:
    """Return what an expression gives for values of its parameters.

    `fold` computes the aggregates; `read` is called instead of what reads a global.
    """
    if not isinstance(result, Scalar):
        return result
    found: dict[int, Any] = {}
    for node in nodes_of(result, stops_at_aggregates=fold is not None):
        if isinstance(node, Aggregate) and fold is not None:
            found[id(node)] = fold(node)
        elif node.apply is None:
            found[id(node)] = values[node.name]
        else:
            operands = [found[id(o)] if isinstance(o, Scalar) else o for o in node.operands]
            apply = read if read is not None and node.name == "read" else node.apply
            found[id(node)] = apply(*operands)
    return found[id(result)]


def vanishes(result: Any, absent: frozenset[str]) -> bool:
    """Return whether an expression is zero wherever some of its parameters are.

    A product with zero is zero, whatever the other factor: where a block is not there, nothing is
    multiplied with it.
    """
    unknown = object()
    found: dict[int, Any] = {}
    for node in nodes_of(result):
        if node.apply is None:
            found[id(node)] = 0.0 if node.name in absent else unknown
            continue
        if node.name == "read" or isinstance(node, Aggregate):
            found[id(node)] = unknown
            continue
        operands = [found[id(o)] if isinstance(o, Scalar) else o for o in node.operands]
        zeros = [operand is not unknown and _is_zero(operand) for operand in operands]
        if any(zeros) and any(zeros[k] for k in _annihilating(node.apply, len(operands))):
            found[id(node)] = 0.0
        elif node.name in _CHOICES:
            condition, *branches = operands
            if condition is unknown:
                found[id(node)] = 0.0 if all(zeros[1:]) else unknown
            else:
                found[id(node)] = branches[0] if condition else branches[1]
        elif unknown in operands:
            found[id(node)] = unknown
        else:
            found[id(node)] = _computed(node, operands, unknown)
    value = found[id(result)] if isinstance(result, Scalar) else result
    return value is not unknown and _is_zero(value)


@cache
def _annihilating(apply: Callable[..., Any], count: int) -> tuple[int, ...]:
    """Return which operands of a function of two make it zero by being that, as a factor does.

    It is found by computing, of all numbers that it is a function of. That a quotient of zeros is
    no number counts for nothing.
    """
    if count != 2:
        return ()
    found: list[int] = []
    for place in range(count):
        tried = [_vanishes_with(apply, place, samples) for samples in _SAMPLES]
        if True in tried and False not in tried:
            found.append(place)
    return tuple(found)


def _vanishes_with(apply: Callable[..., Any], place: int, samples: tuple[Any, ...]) -> bool | None:
    """Return whether a function of zero and samples is zero; None if it is of other numbers."""
    zero = np.asarray(type(samples[0])(0))[()]
    for sample in samples:
        operands = [np.asarray(sample)[()]] * 2
        operands[place] = zero
        try:
            with np.errstate(all="ignore"):
                result = apply(*operands)
        except (TypeError, ValueError, ArithmeticError):
            return None
        if not _is_zero(result) and not (_is_zero(sample) and result != result):
            return False
    return True


def _computed(node: Scalar, operands: list[Any], unknown: Any) -> Any:
    assert node.apply is not None
    try:
        with np.errstate(all="ignore"):
            return node.apply(*[np.asarray(o)[()] for o in operands])
    except (TypeError, ValueError, ArithmeticError):
        return unknown  # It computes with numbers of another type than these zeros.


def _is_zero(value: Any) -> bool:
    return bool(value == 0)


def type_of(result: Any, types: Mapping[str, np.dtype[Any]]) -> np.dtype[Any]:
    """Return the type of the numbers that an expression gives."""
    values = {name: np.ones((1, 1), dtype) for name, dtype in types.items()}

    def read(array: Any, *_: Any) -> Any:
        return np.ones((1, 1), array.dtype)

    def fold(node: Aggregate) -> Any:
        assert node.apply is not None
        inner = evaluated(node.operands[0], values, read=read)
        return np.ones((1, 1), fold_type(node.name, np.asarray(inner).dtype))

    with np.errstate(all="ignore"):
        found: Any = np.asarray(evaluated(result, values, fold, read))
    return found.dtype


def fold_type(name: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of a fold of numbers of a type, by NumPy's name for it."""
    return np.asarray(getattr(np, name)(np.ones(1, dtype))).dtype
