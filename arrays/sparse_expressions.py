"""Functions of the elements of several sparse arrays, which are computed when somebody looks.

    a + 2 * b - c    of three patterns    ->    Joint({x: a, y: b, z: c}, x + 2 * y - z, 0)

Of arrays with one pattern a function of the elements is that function of the vectors of values, and
of the value elsewhere. Where the patterns differ, it is a `Joint`: a graph over single elements, so
that a whole expression goes through all of its arrays once. It becomes entries by a program of the
compiler (`sparse_programs.py`) or, where there is none or little is computed, by the runtime: the
patterns are united, each vector of values brought to the union, and the function is one of vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.array.elementwise_operations import Elementwise, elementwise
from diablo.array.evaluation import DEFAULT, Options
from diablo.array.expression_graph import Node, broadcast, leaf
from diablo.array.lazy_array import Array
from diablo.array.sparse_entries import ELEMENT, Entries, aligned, same, spread
from diablo.array.sparse_joints import Content, Joint, substituted
from diablo.array.sparse_pattern import coordinates_of, united
from diablo.array.sparse_programs import by_program

_MOST_OPERANDS = 16
"""How many arrays an expression joins at most: what is made of more is computed in parts."""
_MOST_OPERATIONS = 200


def function_of(operation: Elementwise, operands: Sequence[Content | Node]) -> Content:
    """Return an elementwise function of operands of which at least one is sparse.

    Raises
    ------
    ValueError
        If it is no sparse array: a function of the fill value and the elements of a dense array
        that are not all alike.
    """
    shape: tuple[int, ...] = ()
    for operand in operands:
        shape = broadcast(shape, operand.shape)
    fill = _fill_of(operation, operands)
    given = [_ready(operand, shape) for operand in operands]
    if sum(len(o.places) for o in given if isinstance(o, Joint)) > _MOST_OPERANDS:
        given = [entries_of(o) if isinstance(o, Joint) else o for o in given]
    own = [operand for operand in given if isinstance(operand, Entries)]
    if own and not any(isinstance(operand, Joint) for operand in given):
        first = own[0].pattern
        if all(
            o.pattern.identity is first.identity and o.pattern.order == first.order for o in own
        ):
            nodes = [
                operand.values if isinstance(operand, Entries) else _at(operand, first, shape)
                for operand in given
                if not isinstance(operand, Joint)
            ]
            return Entries(first, elementwise(operation, *nodes), fill)
    places: dict[Node, Entries | Node] = {}
    elements: list[Node] = []
    count = 1
    for operand in given:
        if isinstance(operand, Joint):
            places.update(operand.places)
            elements.append(operand.element)
            count += operand.count
        elif isinstance(operand, Entries):
            places[operand.place] = operand
            elements.append(operand.place)
        elif not operand.shape:
            elements.append(operand)
        else:
            place = Node(ELEMENT, (), None, (), operand.dtype)
            places[place] = operand
            elements.append(place)
    return Joint(shape, places, elementwise(operation, *elements), fill, count)


def _ready(operand: Content | Node, shape: tuple[int, ...]) -> Content | Node:
    """Return an operand that may stand in a joint of a shape."""
    if isinstance(operand, Node):
        return operand
    if isinstance(operand, Joint) and operand.shape == shape and operand.count < _MOST_OPERATIONS:
        return operand
    return spread(entries_of(operand), shape)


def _fill_of(operation: Elementwise, operands: Sequence[Content | Node]) -> Any:
    """Return a function of the fill values; a `ValueError` if it is not the same everywhere."""
    values = [o if isinstance(o, Node) else leaf(np.asarray(o.fill, o.dtype)) for o in operands]
    with np.errstate(all="ignore"):
        fill = np.asarray(Array(elementwise(operation, *values)))
    if not fill.ndim:
        return fill
    if not fill.size:
        return np.zeros((), fill.dtype)
    if not same(fill, fill.reshape(-1)[0]).all():
        name = operation.name
        raise ValueError(f"{name} of a sparse and a dense array is dense here: use `to_dense`")
    return fill.reshape(-1)[0]


def _at(operand: Node, pattern: Any, shape: tuple[int, ...]) -> Node:
    """Return a dense array at the entries of a pattern; a number is one everywhere."""
    if not operand.shape:
        return operand
    dense = np.broadcast_to(np.asarray(Array(operand)), shape)
    return leaf(dense[tuple(coordinates_of(pattern))])


def entries_of(content: Content, options: Options = DEFAULT) -> Entries:
    """Return the entries of what is given, computed if they are not there."""
    if isinstance(content, Entries):
        return content
    return by_program(content, options) or by_patterns(content)


def by_patterns(joint: Joint) -> Entries:
    """Unite the patterns of a joint, and compute with vectors over the union."""
    own = [place for place, operand in joint.places.items() if isinstance(operand, Entries)]
    given = [joint.places[place] for place in own]
    pattern, at = united([operand.pattern for operand in given if isinstance(operand, Entries)])
    vectors: dict[Node, Node] = {}
    for place, places in zip(own, at, strict=True):
        operand = joint.places[place]
        assert isinstance(operand, Entries)
        vectors[place] = aligned(operand, places)
    for place, operand in joint.places.items():
        if isinstance(operand, Node):
            vectors[place] = _at(operand, pattern, joint.shape)
    return Entries(pattern, substituted(joint.element, vectors), joint.fill)
