"""Sums of products in the notation of Einstein, two operands at a time."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Any, cast

import numpy as np

from diablo.array.expression_graph import Node
from diablo.array.fold_operations import contracted, folded
from diablo.array.lazy_array import Array, node_of
from diablo.array.view_operations import diagonal as _diagonal
from diablo.array.view_operations import indexed, permuted

__all__ = ["einsum"]

Term = tuple[Node, str]


def einsum(subscripts: Any, /, *operands: Any) -> Array:
    """Return the sum of products that subscripts say, as `"ij,jk->ik"`.

    Products of several operands are computed by twos, in the order that NumPy finds cheap. As
    NumPy's, it also takes each operand with a list of numbers for its axes, and a last list for
    those of the result: `einsum(a, [0, 1], b, [1, 2], [0, 2])`.

    Raises
    ------
    ValueError
        If the subscripts do not fit.
    """
    subscripts, operands = spelled((subscripts, *operands))
    nodes = [node_of(operand) for operand in operands]
    given, result = subscripts_of(subscripts, [node.ndim for node in nodes])
    sizes = sizes_of(given, [node.shape for node in nodes])
    terms = [
        _without_repeats(*_unrepeated(node, text, sizes))
        for node, text in zip(nodes, given, strict=True)
    ]
    for pair in pair_order(terms, result):
        chosen = [terms[k] for k in pair]
        for k in sorted(pair, reverse=True):
            del terms[k]
        left = {letter for _, text in terms for letter in text} | {*result}
        terms.append(_combined(chosen, left))
    ((node, text),) = terms
    node, text = _summed(node, text, {*result})
    return Array(permuted(node, [text.index(letter) for letter in result]))


_LETTERS = ascii_uppercase + ascii_lowercase
"""Of numbers for axes, in the order of the numbers: that is the one of the axes of a result."""


def spelled(arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Return the subscripts and the operands, of which the axes may be given as numbers.

    Raises
    ------
    ValueError
        If there are no such numbers, or others.
    """
    if isinstance(arguments[0], str):
        return arguments[0], arguments[1:]
    count = len(arguments) // 2
    texts = [_letters(axes) for axes in arguments[1 : 2 * count : 2]]
    result = f"->{_letters(arguments[-1])}" if len(arguments) % 2 else ""
    return ",".join(texts) + result, arguments[: 2 * count : 2]


def _letters(axes: Any) -> str:
    if not isinstance(axes, Sequence):
        raise ValueError("subscripts are a text, or a list of numbers behind each operand")
    letters: list[str] = []
    for axis in cast("Sequence[Any]", axes):
        if axis is not Ellipsis and not (isinstance(axis, int) and 0 <= axis < len(_LETTERS)):
            raise ValueError(f"{axis!r} is no number of an axis, from 0 to {len(_LETTERS) - 1}")
        letters.append("..." if axis is Ellipsis else _LETTERS[axis])
    return "".join(letters)


def subscripts_of(subscripts: str, ranks: list[int]) -> tuple[list[str], str]:
    """Return the letters of each operand, of which the ranks are given, and of the result.

    Raises
    ------
    ValueError
        If they do not fit.
    """
    text = subscripts.replace(" ", "")
    if "..." in text:
        text = _named(text, ranks)
    if "." in text:
        raise ValueError(f"'.' is no axis: an ellipsis has three of them, in {subscripts!r}")
    inputs, arrow, result = text.partition("->")
    given = inputs.split(",")
    letters = "".join(given)
    if not arrow:
        result = "".join(sorted({c for c in letters if letters.count(c) == 1}))
    if len(given) != len(ranks):
        raise ValueError(
            f"there are subscripts for {len(given)} operands, and {len(ranks)} operands"
        )
    for each, rank in zip(given, ranks, strict=True):
        if len(each) != rank:
            raise ValueError(f"'{each}' names {len(each)} axes of an operand that has {rank}")
    if not {*result} <= {*letters} or len({*result}) < len(result):
        raise ValueError(f"'{result}' is no result of '{inputs}'")
    return given, result


def _named(text: str, ranks: list[int]) -> str:
    """Return subscripts with letters that nobody uses for the axes that an ellipsis stands for."""
    inputs, arrow, result = text.partition("->")
    given = inputs.split(",")
    if len(given) != len(ranks):
        raise ValueError(f"there are subscripts for {len(given)} operands, not {len(ranks)}")
    sizes = [rank - len(each) + 3 for each, rank in zip(given, ranks, strict=True)]
    counts = [size for each, size in zip(given, sizes, strict=True) if "..." in each]
    most = max(counts, default=0)
    if min(counts, default=0) < 0:
        raise ValueError(f"'{text}' names more axes than an operand has")
    if not arrow:
        letters = inputs.replace(".", "").replace(",", "")
        result = "..." + "".join(sorted({c for c in letters if letters.count(c) == 1}))
    free = [letter for letter in ascii_letters if letter not in text][:most]
    if len(free) < most:
        raise ValueError(f"'{text}' leaves no letters for the axes of an ellipsis")
    named = [
        each.replace("...", "".join(free[most - size :]))
        for each, size in zip(given, sizes, strict=True)
    ]
    return f"{','.join(named)}->{result.replace('...', ''.join(free))}"


def sizes_of(texts: Sequence[str], shapes: Sequence[Sequence[int]]) -> dict[str, int]:
    """Return the extent that each letter stands for: 1 only if all its axes have that.

    Raises
    ------
    ValueError
        If the axes of a letter have different extents.
    """
    sizes: dict[str, int] = {}
    for text, shape in zip(texts, shapes, strict=True):
        own: dict[str, int] = {}
        for letter, extent in zip(text, shape, strict=True):
            known = sizes.get(letter, 1)
            is_one = 1 in (extent, known) and own.get(letter, extent) == extent
            if extent != known and not is_one:
                raise ValueError(f"axes '{letter}' have extents {known} and {extent}")
            own[letter] = extent
            sizes[letter] = extent if known == 1 else known
    return sizes


def _unrepeated(node: Node, text: str, sizes: dict[str, int]) -> Term:
    """Return an operand without axes of extent 1 that others have more places along."""
    own = [extent == sizes[letter] for letter, extent in zip(text, node.shape, strict=True)]
    if all(own):
        return node, text
    part = indexed(node, tuple([slice(None) if is_own else 0 for is_own in own]))
    return part, "".join([letter for letter, is_own in zip(text, own, strict=True) if is_own])


def _without_repeats(node: Node, text: str) -> Term:
    """Return an operand whose letters differ: of two equal ones the diagonal is left."""
    while len({*text}) < len(text):
        letter = next(c for c in text if text.count(c) > 1)
        first, second = [k for k, c in enumerate(text) if c == letter][:2]
        rest = [k for k in range(len(text)) if k not in (first, second)]
        node = _diagonal(permuted(node, [*rest, first, second]), 0)
        text = "".join(text[k] for k in rest) + letter
    return node, text


def pair_order(terms: Sequence[tuple[Any, str]], result: str) -> list[tuple[int, ...]]:
    """Return which operands, each with its letters, are combined one after the other."""
    if len(terms) < 2:
        return []
    if len(terms) == 2:
        return [(0, 1)]
    shapes = [np.broadcast_to(np.float64(0), node.shape) for node, _ in terms]
    text = f"{','.join(t for _, t in terms)}->{result}"
    path: Any = np.einsum_path(text, *shapes, optimize="greedy")[0]
    found: list[tuple[int, ...]] = []
    for step in path[1:]:
        first, *others = sorted(step)
        found.append((first, *others))
    # Three and more at once are combined by twos as well.
    return found if all(len(step) == 2 for step in found) else [(0, 1)] * (len(terms) - 1)


def _combined(terms: list[Term], left: set[str]) -> Term:
    """Return the product of two operands, summed over what nobody else has."""
    (one, first), (other, second) = terms
    kept = [c for c in dict.fromkeys(first + second) if c in left]
    gone = [c for c in dict.fromkeys(first + second) if c not in left]
    for letter in gone:
        # What only one has is summed before.
        if letter not in second:
            one, first = _summed(one, first, {*first} - {letter})
        elif letter not in first:
            other, second = _summed(other, second, {*second} - {letter})
    gone = [c for c in gone if c in first]
    dims = {letter: k for k, letter in enumerate([*kept, *gone])}
    node = contracted(one, other, [dims[c] for c in first], [dims[c] for c in second], len(kept))
    return node, "".join(kept)


def _summed(node: Node, text: str, kept: set[str]) -> Term:
    axes = tuple([k for k, c in enumerate(text) if c not in kept])
    if not axes:
        return node, text
    return folded("add", node, axes, keepdims=False), "".join(c for c in text if c in kept)
