"""Random expressions of block matrices, computed by NumPy as well.

twins = draw(lambda n: rng.integers(n), 10);  twins[-1].differs()    ->    what differs, or nothing
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import diablo.blocks as blocks

Choose = Callable[[int], int]
_EXTENTS = (0, 1, 2, 5, 7)
_SPECIALS = (np.nan, np.inf, -np.inf, -0.0, 1e300)


@dataclass
class Twin:
    """A block matrix and what NumPy has for it: zeros where blocks are not there."""

    lazy: Any
    numpy: NDArray[Any]
    text: str

    def differs(self) -> str:
        """Say how the two differ, or nothing."""
        found = self.lazy.to_numpy()
        if found.shape != self.numpy.shape or found.dtype != self.numpy.dtype:
            return f"{self.text}: {found.dtype}{found.shape}, {self.numpy.dtype}{self.numpy.shape}"
        if found.dtype.kind in "fc":
            if not np.allclose(found, self.numpy, rtol=1e-6, atol=1e-6, equal_nan=True):
                return f"{self.text}:\n{found}\nis not\n{self.numpy}"
        elif not np.array_equal(found, self.numpy):
            return f"{self.text}:\n{found}\nis not\n{self.numpy}"
        return ""


def draw(choose: Choose, most: int) -> list[Twin]:
    """Return matrices, each computed of some of those before it."""
    extents = _EXTENTS[choose(5)], _EXTENTS[choose(5)]
    size = (1, 2, 3, 16)[choose(4)]
    twins = [_input(choose, extents, size, number) for number in range(2)]
    for _ in range(1 + choose(most)):
        with np.errstate(all="ignore"):
            twins.append(_STEPS[choose(len(_STEPS))](choose, twins))
    return twins


def _input(choose: Choose, shape: tuple[int, int], size: int, number: int) -> Twin:
    values: Any = np.random.default_rng(choose(1000)).integers(-3, 4, shape)
    kind = choose(4)
    if kind == 0:
        values = values.astype(np.float64) / 2
        if values.size and choose(4) == 0:
            values[choose(shape[0]), choose(shape[1])] = _SPECIALS[choose(5)]
    elif kind == 1:
        values = values.astype(np.float32)
    elif kind == 2:
        values = values.astype(np.int64)
    else:
        values = values.astype(np.float64)
    size = size if choose(3) else (1, 2, 3, 16)[choose(4)]
    return Twin(blocks.from_numpy(values, block_size=size), values, f"x{number}")


def _one(choose: Choose, twins: list[Twin]) -> Twin:
    return twins[len(twins) - 1 - choose(min(4, len(twins)))]


def _mapped(choose: Choose, twins: list[Twin]) -> Twin:
    one = _one(choose, twins)
    name, function = _MAPS[choose(len(_MAPS))]
    i, j = np.indices(one.numpy.shape)
    expected = np.broadcast_to(function(one.numpy, i, j), one.numpy.shape)
    return Twin(one.lazy.map(function), expected, f"{name}({one.text})")


_MAPS: list[tuple[str, Callable[[Any, Any, Any], Any]]] = [
    ("double", lambda e, i, j: e * 2),
    ("next", lambda e, i, j: e + 1),
    ("negative", lambda e, i, j: 0 - e),
    ("sine", lambda e, i, j: np.sin(e)),
    ("upper", lambda e, i, j: e * (i <= j)),
    ("place", lambda e, i, j: e - i + 2 * j),
    ("positive", lambda e, i, j: np.maximum(e, 0)),
]


def _paired(choose: Choose, twins: list[Twin]) -> Twin:
    one, other = _one(choose, twins), _one(choose, twins)
    shapes = zip(one.numpy.shape, other.numpy.shape, strict=True)
    if any(a != b and 1 not in (a, b) for a, b in shapes):
        other = one
    sign = choose(3)
    symbol = "+-*"[sign]
    text = f"({one.text} {symbol} {other.text})"
    match sign:
        case 0:
            return Twin(one.lazy + other.lazy, one.numpy + other.numpy, text)
        case 1:
            return Twin(one.lazy - other.lazy, one.numpy - other.numpy, text)
        case _:
            # An infinite element beside a block that is not there is multiplied with nothing.
            found = one.numpy * other.numpy
            if one.lazy.is_sparse or other.lazy.is_sparse:
                missing = np.zeros(found.shape, np.bool_)
                for each in (one, other):
                    missing |= ~_there(each)
                found = np.where(missing, np.zeros((), found.dtype), found)
            return Twin(one.lazy * other.lazy, found, text)


def _there(twin: Twin) -> NDArray[np.bool_]:
    size, shape = twin.lazy.block_size, twin.numpy.shape
    grown = np.repeat(np.repeat(twin.lazy.blocks, size, 0), size, 1)
    return grown[: shape[0], : shape[1]]


def _beside(choose: Choose, twins: list[Twin]) -> Twin:
    one = _one(choose, twins)
    row = np.linspace(0, 1, one.numpy.shape[1])
    return Twin(one.lazy + row, np.add(one.numpy, row), f"({one.text} + row)")


def _transposed(choose: Choose, twins: list[Twin]) -> Twin:
    one = _one(choose, twins)
    return Twin(one.lazy.T, one.numpy.T, f"{one.text}.T")


def _cut(choose: Choose, twins: list[Twin]) -> Twin:
    one = _one(choose, twins)
    parts: list[slice] = []
    for extent in one.numpy.shape:
        start, stop = choose(extent + 1), choose(extent + 1)
        step = (1, 2, -1, 3)[choose(4)]
        parts.append(slice(start if choose(2) else None, stop if choose(2) else None, step))
    found = one.lazy[parts[0], parts[1]]
    return Twin(found, one.numpy[parts[0], parts[1]], f"{one.text}[{parts}]")


def _filtered(choose: Choose, twins: list[Twin]) -> Twin:
    one = _one(choose, twins)
    chosen = [
        [choose(extent) for _ in range(choose(4) if extent else 0)] for extent in one.numpy.shape
    ]
    rows, columns = (np.asarray(places, np.int64) for places in chosen)
    found = one.lazy.filter(rows, columns)
    return Twin(found, one.numpy[np.ix_(rows, columns)], f"{one.text}.filter({chosen})")


def _banded(choose: Choose, twins: list[Twin]) -> Twin:
    one = _one(choose, twins)
    lower = choose(9) - 4
    upper = lower + choose(4)
    i, j = np.indices(one.numpy.shape)
    kept = (j - i >= lower) & (j - i <= upper)
    expected = np.where(kept, one.numpy, np.zeros((), one.numpy.dtype))
    return Twin(
        one.lazy.sparsify_band(lower, upper), expected, f"{one.text}.band({lower}, {upper})"
    )


def _summed(choose: Choose, twins: list[Twin]) -> Twin:
    one, axis = _one(choose, twins), choose(2)
    expected = one.numpy.sum(axis=axis, keepdims=True)
    return Twin(one.lazy.sum(axis=axis), expected, f"{one.text}.sum({axis})")


def _multiplied(choose: Choose, twins: list[Twin]) -> Twin:
    one, other = _one(choose, twins), _one(choose, twins)
    if one.numpy.shape[1] != other.numpy.shape[0]:
        other = Twin(one.lazy.T, one.numpy.T, f"{one.text}.T")
    finite = np.isfinite(one.numpy).all() and np.isfinite(other.numpy).all()
    if not finite and (one.lazy.is_sparse or other.lazy.is_sparse):
        return one  # Which terms there are depends on the blocks.
    text = f"({one.text} @ {other.text})"
    return Twin(one.lazy @ other.lazy, one.numpy @ other.numpy, text)


def _contracted(choose: Choose, twins: list[Twin]) -> Twin:
    one, other = _one(choose, twins), _one(choose, twins)
    if one.numpy.shape[1] != other.numpy.shape[0] or not one.numpy.shape[1]:
        return one

    def greatest(left: Any, right: Any) -> Any:
        return blocks.max(left + right)

    found = blocks.contract(one.lazy, other.lazy, greatest)
    expected = (one.numpy[:, :, None] + other.numpy[None]).max(axis=1)
    return Twin(found, expected, f"max({one.text} + {other.text})")


_STEPS: list[Callable[[Choose, list[Twin]], Twin]] = [
    _mapped,
    _paired,
    _beside,
    _transposed,
    _cut,
    _filtered,
    _banded,
    _banded,
    _summed,
    _multiplied,
    _contracted,
]
