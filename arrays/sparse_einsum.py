"""Sums of products in the notation of Einstein, of operands of which some are sparse.

"ij,j->i"      a function of the elements at one place, folded: one kernel, no product
"bij,bjk->bik" a product of matrices: those of a stack stand along the diagonal of one
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from diablo.array.einsum import pair_order, sizes_of, spelled, subscripts_of
from diablo.array.sparse_array import SparseArray, as_sparse_operand
from diablo.array.sparse_entries import Entries, of_coordinates
from diablo.array.sparse_selection import diagonal_of


class _Term(NamedTuple):
    """An operand, and a letter for each of its axes, all of which differ."""

    array: Any
    text: str


def einsum(subscripts: Any, /, *operands: Any) -> Any:
    """Return the sum of products that subscripts say: sparse, unless a product with a dense one.

    The axes may also be given as numbers, see `diablo.array.einsum`.

    Raises
    ------
    ValueError
        If the subscripts do not fit, or a fill value is not 0 where matrices are multiplied.
    """
    subscripts, operands = spelled((subscripts, *operands))
    given = [as_sparse_operand(operand) for operand in operands]
    texts, result = subscripts_of(subscripts, [array.ndim for array in given])
    sizes = sizes_of(texts, [array.shape for array in given])
    terms = [
        _without_repeats(*_unrepeated(array, text, sizes))
        for array, text in zip(given, texts, strict=True)
    ]
    for pair in pair_order([(term.array, term.text) for term in terms], result):
        one, other = [terms[k] for k in pair]
        terms = [term for k, term in enumerate(terms) if k not in pair]
        left = {letter for term in terms for letter in term.text} | {*result}
        terms.append(_combined(one, other, left, sizes))
    ((array, text),) = terms
    array, text = _summed(array, text, {*result})
    return _permuted(array, text, result)


def _unrepeated(array: Any, text: str, sizes: dict[str, int]) -> _Term:
    """Return an operand without axes of extent 1 that others have more places along."""
    own = [k for k, letter in enumerate(text) if array.shape[k] == sizes[letter]]
    if len(own) == len(text):
        return _Term(array, text)
    rest = array.reshape(tuple([array.shape[k] for k in own]))
    return _Term(rest, "".join([text[k] for k in own]))


def _without_repeats(array: Any, text: str) -> _Term:
    """Return an operand whose letters differ: of two equal ones the diagonal is left."""
    while len({*text}) < len(text):
        letter = next(c for c in text if text.count(c) > 1)
        first, second = [k for k, c in enumerate(text) if c == letter][:2]
        rest = [k for k in range(len(text)) if k not in (first, second)]
        array = diagonal(array, first, second)
        text = "".join(text[k] for k in rest) + letter
    return _Term(array, text)


def diagonal(array: Any, first: int, second: int, offset: int = 0) -> Any:
    """Return the elements of a diagonal of two axes with one axis for it, the last one."""
    if not isinstance(array, SparseArray):
        return array.diagonal(offset, first, second)
    rest = [e for axis, e in enumerate(array.shape) if axis not in (first, second)]
    rows, columns = array.shape[first] + min(offset, 0), array.shape[second] - max(offset, 0)
    shape = (*rest, max(0, min(rows, columns)))

    def taken(entries: Entries) -> Entries:
        return diagonal_of(entries, first, second, offset)

    return array.moved(shape, taken)


def _combined(one: _Term, other: _Term, left: set[str], sizes: dict[str, int]) -> _Term:
    """Return the product of two operands, summed over what nobody else has."""
    if not isinstance(one.array, SparseArray) and not isinstance(other.array, SparseArray):
        kept = "".join([c for c in dict.fromkeys(one.text + other.text) if c in left])
        subscripts = f"{one.text},{other.text}->{kept}"
        return _Term(np.einsum(subscripts, one.array, other.array), kept)
    # What only one has is summed before.
    one = _summed(*one, left | {*other.text})
    other = _summed(*other, left | {*one.text})
    for whole, part in ((one, other), (other, one)):
        if not part.text and not isinstance(whole.array, SparseArray):
            return _summed(whole.array * part.array.to_dense(), whole.text, left)
        if isinstance(whole.array, SparseArray) and {*part.text} <= {*whole.text}:
            return _of_places(whole, part, left)
    return _of_matrices(one, other, left, sizes)


def _of_places(whole: _Term, part: _Term, left: set[str]) -> _Term:
    """Return a product whose second operand has no other letters: one at each place."""
    letters = [c for c in whole.text if c in part.text]
    spread = _permuted(part.array, part.text, "".join(letters)).reshape(
        tuple(
            [
                extent if c in letters else 1
                for c, extent in zip(whole.text, whole.array.shape, strict=True)
            ]
        )
    )
    if isinstance(spread, SparseArray) or whole.array.fill_value != 0:
        return _summed(whole.array * spread, whole.text, left)
    # Beside elements that are not stored products are 0, also with infinity.
    values = np.asarray(spread)
    if not np.isfinite(values).all():
        raise ValueError("products with infinity or NaN are dense: use `to_dense`")
    return _summed(whole.array * values, whole.text, left)


def _of_matrices(one: _Term, other: _Term, left: set[str], sizes: dict[str, int]) -> _Term:
    """Return a product of matrices, (stack, rows) by (stack, summed), and that by columns."""
    shared = [c for c in one.text if c in other.text]
    stack, summed = [c for c in shared if c in left], [c for c in shared if c not in left]
    rows = [c for c in one.text if c not in shared]
    columns = [c for c in other.text if c not in shared]
    if not isinstance(one.array, SparseArray):
        return _of_matrices(other, one, left, sizes)
    text = "".join([*stack, *rows, *columns])
    count, height, inner, width = [
        prod([sizes[c] for c in letters]) for letters in (stack, rows, summed, columns)
    ]
    first = _permuted(one.array, one.text, "".join([*stack, *rows, *summed]))
    second = _permuted(other.array, other.text, "".join([*stack, *summed, *columns]))
    blocks = first.reshape((count, height, inner))
    found = _stacked(blocks) @ second.reshape((count * inner, width))
    return _Term(found.reshape(tuple([sizes[c] for c in text])), text)


def _stacked(blocks: SparseArray) -> SparseArray:
    """Return the matrices of a stack along the diagonal of one."""
    count, height, inner = blocks.shape
    if count == 1:
        return blocks.reshape((height, inner))

    def along(entries: Entries) -> Entries:
        block, row, column = entries.prune().coordinates()
        places = (block * height + row, block * inner + column)
        return of_coordinates(shape, places, entries.in_order(), entries.fill)

    if blocks.fill_value != 0:
        fill = blocks.fill_value
        raise ValueError(f"products are of arrays that are mostly 0, not {fill}")
    shape = (count * height, count * inner)
    return blocks.moved(shape, along)


def _summed(array: Any, text: str, kept: set[str]) -> _Term:
    axes = tuple([k for k, c in enumerate(text) if c not in kept])
    if not axes:
        return _Term(array, text)
    made = array.sum(axis=axes)
    # Sums of products have the type of these, and no wider one.
    return _Term(made.astype(array.dtype), "".join([c for c in text if c in kept]))


def _permuted(array: Any, text: str, wanted: str) -> Any:
    order = [text.index(letter) for letter in wanted]
    return array if order == list(range(len(text))) else array.transpose(order)
