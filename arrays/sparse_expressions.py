"""Functions of the elements of several sparse arrays, which are computed when somebody looks.

    a + 2 * b - c    of three patterns    ->    Joint({x: a, y: b, z: c}, x + 2 * y - z, 0)

Of arrays with one pattern a function of the elements is that function of the vectors of values, and
of the value elsewhere. Where the patterns differ, it is a `Joint`: a graph over single elements, so
that a whole expression goes through all of its arrays once. It becomes entries by a program of the
compiler (`sparse_programs.py`) or, where there is none or little is computed, by the runtime: the
patterns are united, each vector of values brought to the union, and the function is one of vectors.
What is deferred among its arrays is computed first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from diablo.array.elementwise_operations import Elementwise, elementwise
from diablo.array.evaluation import DEFAULT, Options
from diablo.array.expression_graph import Node, broadcast, leaf
from diablo.array.lazy_array import Array
from diablo.array.met_products import MEETING, meets, met
from diablo.array.sparse_entries import ELEMENT, Entries, aligned, number_of, same, spread
from diablo.array.sparse_joints import Content, Deferred, Joint, Turned, is_deep, substituted
from diablo.array.sparse_pattern import check_size, coordinates_of, united
from diablo.array.sparse_programs import by_program
from diablo.context_values import Holding
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.variants import transposed

_MOST_OPERANDS = 16
"""How many arrays an expression joins at most: what is made of more is computed in parts."""
_MOST_OPERATIONS = 200


class NoFillValueError(ValueError):
    """A function of fill values and dense arrays that gives several values."""


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
    if not shape:
        return _of_numbers(operation, operands)
    operands = _with_numbers(operands)
    fill = _fill_of(operation, operands)
    if operation.name in MEETING and (found := _met(operation, operands, shape)) is not None:
        return found
    given = [_ready(operand, shape) for operand in operands]
    if sum(len(o.places) for o in given if isinstance(o, Joint)) > _MOST_OPERANDS:
        given = [entries_of(o) if isinstance(o, Joint) else o for o in given]
    own = [operand for operand in given if isinstance(operand, Entries)]
    if own and _have_one_pattern(own) and not any(isinstance(o, Joint | Deferred) for o in given):
        first = own[0].pattern
        nodes = [
            operand.values if isinstance(operand, Entries) else _at(operand, first, shape)
            for operand in given
            if not isinstance(operand, Joint | Deferred)
        ]
        return Entries(first, elementwise(operation, *nodes), fill)
    places: dict[Node, Entries | Deferred | Node] = {}
    elements: list[Node] = []
    count = 1
    for operand in given:
        if isinstance(operand, Joint):
            places.update(operand.places)
            elements.append(operand.element)
            count += operand.count
        elif not isinstance(operand, Node):
            places[operand.place] = operand
            elements.append(operand.place)
        elif not operand.shape:
            elements.append(operand)
        else:
            place = Node(ELEMENT, (), None, (), operand.dtype)
            places[place] = operand
            elements.append(place)
    return Joint(shape, places, elementwise(operation, *elements), fill, count)


def _met(
    operation: Elementwise, operands: Sequence[Content | Node], shape: tuple[int, ...]
) -> Deferred | None:
    """Return a product of which an operand is repeated along axes; None if there is no such."""
    if any(isinstance(operand, Node) or operand.fill != 0 for operand in operands):
        return None
    if all(operand.shape == shape for operand in operands):
        return None
    check_size(shape)

    places = [Node(ELEMENT, (), None, (), operand.dtype) for operand in operands]
    dtype = elementwise(operation, *places).dtype

    def computed(one: Entries, other: Entries) -> Entries:
        both = (one, other)
        if operation.name == "multiply" and not all(meets(e, shape, dtype) for e in both):
            return entries_of(function_of(operation, [spread(e, shape) for e in both]))
        return met(operation, one, other, shape)

    return deferred(shape, dtype, 0, computed, *[o for o in operands if not isinstance(o, Node)])


def _of_numbers(operation: Elementwise, operands: Sequence[Content | Node]) -> Deferred:
    """Return a function of single numbers, some of which have yet to be computed."""
    places = [Node(ELEMENT, (), None, (), operand.dtype) for operand in operands]
    given = [shallow(operand) for operand in operands if not isinstance(operand, Node)]

    def computed(options: Options) -> Entries:
        known = {id(operand): number_of(entries_of(operand, options)) for operand in given}
        fill = _fill_of(operation, [known.get(id(operand), operand) for operand in operands])
        (first, *_) = known.values()
        return Entries(first.pattern, leaf(np.zeros(0, fill.dtype)), fill)

    return Deferred((), elementwise(operation, *places).dtype, None, computed, given)


def _with_numbers(operands: Sequence[Content | Node]) -> Sequence[Content | Node]:
    """Return operands with leaves for single numbers, unless nothing sparse is left then."""
    found = [
        operand
        if isinstance(operand, Node) or operand.shape
        else leaf(np.asarray(number_of(entries_of(operand)).fill))
        for operand in operands
    ]
    return operands if all(isinstance(operand, Node) for operand in found) else found


def deferred(
    shape: Sequence[int],
    dtype: Any,
    fill: Any,
    compute: Callable[..., Entries],
    *operands: Content,
) -> Deferred:
    """Return what a function computes of the entries of operands, once somebody asks.

    `compute` is called with these, one argument for each.
    """
    given = [shallow(operand) for operand in operands]

    def computed(options: Options) -> Entries:
        return compute(*[entries_of(operand, options) for operand in given])

    return Deferred(tuple(shape), dtype, fill, computed, given)


def shallow(content: Content) -> Content:
    """Return what something is to be computed of, which is computed before if it is deep."""
    if not isinstance(content, Entries) and is_deep(content):
        content.found = entries_of(content)
    return content


def repeated(content: Content, shape: tuple[int, ...]) -> Content:
    """Return an array that is repeated along axes to a shape."""
    if content.shape == shape:
        return content
    check_size(shape)
    if not content.shape:
        number = number_of(entries_of(content))
        return Entries(of_positions(np.zeros(0, np.int64), shape), number.values, number.fill)

    def computed(given: Entries) -> Entries:
        return spread(given, shape)

    return deferred(shape, content.dtype, content.fill, computed, content)


def turned(content: Content, order: Sequence[int]) -> Content:
    """Return the axes in another order: of elements that are there the same elements."""
    if not isinstance(content, Entries) and content.there is not None:
        content = content.there
    if isinstance(content, Entries):
        pattern = transposed(content.pattern, order)
        return Entries(pattern, content.values, content.fill)
    if isinstance(content, Turned):
        return turned(content.content, [content.order[axis] for axis in order])

    content = shallow(content)

    def computed(options: Options) -> Entries:
        found = turned(entries_of(content, options), order)
        assert isinstance(found, Entries)
        return found

    return Turned(content, order, computed)


def _have_one_pattern(given: Sequence[Entries]) -> bool:
    """Return whether the values of arrays stand at the same positions, in the same order."""
    first = given[0].pattern
    return all(
        o.pattern.identity is first.identity and o.pattern.order == first.order for o in given
    )


def _ready(operand: Content | Node, shape: tuple[int, ...]) -> Content | Node:
    """Return an operand that may stand in a joint of a shape."""
    if isinstance(operand, Node):
        return operand
    if isinstance(operand, Joint) and (operand.count >= _MOST_OPERATIONS or operand.there):
        operand = entries_of(operand)
    return repeated(operand, shape)


def _fill_of(operation: Elementwise, operands: Sequence[Content | Node]) -> Any:
    """Return a function of the fill values; a `ValueError` if it is not the same everywhere."""
    values = [o if isinstance(o, Node) else leaf(np.asarray(o.fill, o.dtype)) for o in operands]
    node = elementwise(operation, *values)
    with np.errstate(all="ignore"):
        if all(isinstance(operand.value, np.ndarray) for operand in node.operands):
            given = [operand.value for operand in node.operands]
            fill = np.asarray(operation.evaluate(node, given), node.dtype)
        else:
            fill = np.asarray(Array(node))
    if not fill.ndim:
        return fill
    if not fill.size:
        return np.zeros((), fill.dtype)
    # Zeros of either sign are one value here, as for pydata's `sparse`: those of products.
    if not (same(fill, fill.reshape(-1)[0]) | ((fill == 0) & (fill.reshape(-1)[0] == 0))).all():
        name = operation.name
        raise NoFillValueError(
            f"{name} of a sparse and a dense array is dense here: use `to_dense`"
        )
    return fill.reshape(-1)[0]


def _at(operand: Node, pattern: Any, shape: tuple[int, ...]) -> Node:
    """Return a dense array at the entries of a pattern; a number is one everywhere."""
    if not operand.shape:
        return operand
    dense = np.broadcast_to(np.asarray(Array(operand)), shape)
    return leaf(dense[tuple(coordinates_of(pattern))])


_Computed = dict[Joint | Deferred, Entries]
_COMPUTED: ContextVar[_Computed | None] = ContextVar("_COMPUTED", default=None)
"""What has been computed for the array that is being computed: what it needs twice is there."""


def entries_of(content: Content, options: Options = DEFAULT) -> Entries:
    """Return the entries of what is given, computed if they are not there."""
    if isinstance(content, Entries):
        return content
    if content.found is not None:
        return content.found
    known = _COMPUTED.get()
    if known is None:
        with Holding(_COMPUTED, _Computed()):
            return entries_of(content, options)
    if content not in known:
        if isinstance(content, Joint):
            known[content] = _computed(ready(content, options), options)
        else:
            known[content] = content.compute(options)
    return known[content]


def is_known(content: Joint | Deferred) -> bool:
    """Return whether the entries are there, or have been computed for what is being computed."""
    return content.found is not None or content in (_COMPUTED.get() or {})


def ready(joint: Joint, options: Options) -> Joint:
    """Return a joint all of whose arrays are there, what is persisted among them."""
    joint = joint.with_persisted()
    if any(isinstance(operand, Deferred) for operand in joint.places.values()):
        places: dict[Node, Entries | Deferred | Node] = {
            place: entries_of(operand, options) if isinstance(operand, Deferred) else operand
            for place, operand in joint.places.items()
        }
        return Joint(joint.shape, places, joint.element, joint.fill, joint.count)
    return joint


def _computed(joint: Joint, options: Options) -> Entries:
    """Return the entries of a joint all of whose arrays are there."""
    given = [operand for operand in joint.places.values() if isinstance(operand, Entries)]
    if _have_one_pattern(given):
        first = given[0].pattern
        vectors = {
            place: operand.values
            if isinstance(operand, Entries)
            else _at(operand, first, joint.shape)
            for place, operand in joint.places.items()
            if not isinstance(operand, Deferred)
        }
        return Entries(first, substituted(joint.element, vectors), joint.fill)
    return by_program(joint, options) or by_patterns(joint)


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
