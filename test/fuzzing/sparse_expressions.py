"""Random expressions of sparse arrays, also computed by NumPy and by pydata's `sparse`.

    text = differences(da, choose, pydata)    ->    what is wrong, or nothing

Values, shapes and types are NumPy's; the fill value, and how many elements differ from it, are
pydata's where that library computes the same.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fuzzing.array_expressions import Trial, Twin, differs

DTYPES = ("float64", "float64", "float32", "int64", "int32", "int16", "uint8", "bool")
FILLS = (0, 0, 0, 0, 1, 2)
REFUSALS = ("is dense", "are dense", "mostly", "fill values are")
"""What the messages of functions have whose result would be no sparse array."""

OfOne = Callable[[Any, Any], Any]
OfTwo = Callable[[Any, Any, Any], Any]
"""A function of arrays, as the module that computes it has it: that is its first parameter."""
OfMoved = Callable[[Any, Any, int, int], Any]
"""One that is also given a number and an axis."""

_UNARY: list[tuple[str, OfOne]] = [
    ("-{}", lambda np, x: -x),
    ("abs({})", lambda np, x: np.abs(x)),
    ("square({})", lambda np, x: np.square(x)),
    ("{} * 2", lambda np, x: x * 2),
    ("3 - {}", lambda np, x: 3 - x),
    ("sign({})", lambda np, x: np.sign(x)),
    ("{} > 1", lambda np, x: x > 1),
]
_ROUNDED: list[tuple[str, OfOne]] = [
    ("sin({})", lambda np, x: np.sin(x)),
    ("{} / 2", lambda np, x: x / 2),
    ("exp({}) - 1", lambda np, x: np.exp(x) - 1),
]
_BINARY: list[tuple[str, OfTwo]] = [
    ("{} + {}", lambda np, x, y: x + y),
    ("{} - {}", lambda np, x, y: x - y),
    ("{} * {}", lambda np, x, y: x * y),
    ("maximum({}, {})", lambda np, x, y: np.maximum(x, y)),
    ("minimum({}, {})", lambda np, x, y: np.minimum(x, y)),
    ("{} == {}", lambda np, x, y: x == y),
    ("{} <= {}", lambda np, x, y: x <= y),
    ("{} != {}", lambda np, x, y: x != y),
]
_MOVED: list[tuple[str, OfMoved]] = [
    ("roll({}, {n}, axis={k})", lambda np, x, n, k: np.roll(x, n, axis=k)),
    ("flip({}, axis={k})", lambda np, x, n, k: np.flip(x, axis=k)),
    ("repeat({}, {n}, axis={k})", lambda np, x, n, k: np.repeat(x, n, axis=k)),
    ("repeat({}, {n})", lambda np, x, n, k: np.repeat(x, n)),
    ("tile({}, {n})", lambda np, x, n, k: np.tile(x, n)),
    ("tile({}, ({n}, 2))", lambda np, x, n, k: np.tile(x, (n, 2))),
    ("sort({}, axis={k})", lambda np, x, n, k: np.sort(x, axis=k)),
    ("diff({}, axis={k})", lambda np, x, n, k: np.diff(x, axis=k)),
    ("expand_dims({}, {k})", lambda np, x, n, k: np.expand_dims(x, k)),
    ("moveaxis({}, {k}, 0)", lambda np, x, n, k: np.moveaxis(x, k, 0)),
    ("argmax({}, axis={k})", lambda np, x, n, k: np.argmax(x, axis=k)),
    ("unstack({}, axis={k})[-1]", lambda np, x, n, k: np.unstack(x, axis=k)[-1]),
]
_FOLDS = ("sum", "max", "min", "any", "all", "mean", "prod")
_PASSING_OVER_NAN = ("nanmax", "nanmin", "nansum", "nanprod", "nanmean")


class SparseTrial(Trial):
    """The arrays so far, and of each what pydata's `sparse` has, or None."""

    def begin(self, pydata: Any) -> None:
        """Make the first arrays, all of one shape but for extents of 1."""
        self.pydata = pydata
        self.peers: list[Any] = []
        self.shape = tuple([1 + self.choose(6) for _ in range(1 + self.choose(3))])
        for _ in range(2 + self.choose(3)):
            self._draw()

    def step(self) -> None:
        """Compute something of the arrays there are."""
        try:
            self._step()
        except ValueError as error:
            if not any(text in str(error) for text in REFUSALS):
                raise

    def _draw(self) -> None:
        dtype = np.dtype(self.pick(DTYPES))
        fill = np.asarray(self.pick(FILLS), dtype)[()]
        if dtype.kind == "f" and self.choose(8) == 0:
            fill = np.asarray(self.pick((np.nan, -0.0)), dtype)[()]
        shape = tuple([1 if self.choose(12) == 0 else extent for extent in self.shape])
        lowest = 0 if dtype.kind in "bu" else -3
        density = self.pick((1, 4, 9))
        values = [
            lowest + self.choose(4 - lowest) if self.choose(10) < density else fill
            for _ in range(int(np.prod(shape)))
        ]
        array = np.asarray(values, dtype).reshape(shape)
        if dtype.kind == "f" and self.choose(6) == 0:
            array.flat[0] = self.pick((np.inf, np.nan, -0.0))
        given = self.da.sparse(array, fill_value=fill)
        if self.choose(5) == 0:
            order = list(np.argsort([self.choose(100) for _ in shape]))
            turned = np.ascontiguousarray(array.transpose(order))
            given = self.da.sparse(turned, fill_value=fill).transpose(np.argsort(order).tolist())
        size = float(np.max(np.abs(array[np.isfinite(array)].astype(float)), initial=0.0))
        name = f"[{dtype} {'x'.join(map(str, shape))} else {fill}]"
        self.twins.append(Twin(given, array, name, size=size))
        has_peer = self.pydata is not None
        self.peers.append(self.pydata.COO.from_numpy(array, fill_value=fill) if has_peer else None)

    def _sparse(self, accepts: Callable[[Twin], bool] = lambda twin: True) -> int | None:
        """Return the number of a sparse array, None if none was found in some attempts."""
        for _ in range(4):
            number = self.choose(len(self.twins))
            twin = self.twins[number]
            if isinstance(twin.lazy, self.da.SparseArray) and accepts(twin):
                return number
        return None

    def _apply(
        self, text: str, function: Callable[..., Any], used: Sequence[int], *, exact: bool = True
    ) -> None:
        """Compute something of sparse arrays in all ways."""
        before = len(self.twins)
        self._add(text, function, [self.twins[k] for k in used], exact=exact)
        if len(self.twins) == before:
            return
        peer: Any = None
        if all(self.peers[k] is not None for k in used):
            try:
                with np.errstate(all="ignore"):
                    peer = function(np, *[self.peers[k] for k in used])
            except Exception:  # It has bounds of its own, which are not ours.
                peer = None
        # Its sums of products may have a wider type than NumPy's.
        is_sparse = peer is not None and isinstance(peer, self.pydata.SparseArray)
        is_same = is_sparse and getattr(peer, "dtype", None) == self.twins[-1].numpy.dtype
        self.peers.append(peer if is_same else None)

    def _of_one(self, text: str, function: OfOne, number: int, *, exact: bool = True) -> None:
        self._apply(text, function, [number], exact=exact)

    def _of_two(
        self, text: str, function: OfTwo, one: int, other: int, *, exact: bool = True
    ) -> None:
        self._apply(text, function, [one, other], exact=exact)

    def _step(self) -> None:
        number = self._sparse()
        if number is None:
            return
        twin = self.twins[number]
        rank, shape = twin.numpy.ndim, twin.numpy.shape
        match self.choose(20):
            case 0 | 1:
                text, function = self.pick(_UNARY)
                self._of_one(text, function, number)
            case 2:
                text, function = self.pick(_ROUNDED)
                self._of_one(text, function, number, exact=False)
            case 3 | 4 | 5 | 6:
                other = self._sparse()
                if other is not None:
                    text, function = self.pick(_BINARY)
                    self._of_two(text, function, number, other)
            case 7:
                row = np.asarray([self.choose(7) - 3 for _ in range(shape[-1] if rank else 1)])
                if np.isfinite(twin.numpy).all():
                    self._of_one(f"{{}} * {row}", lambda np, x: x * row, number, exact=False)
            case 8 | 9:
                self._fold(number)
            case 10 if rank > 1:
                order = list(map(int, np.argsort([self.choose(100) for _ in shape])))
                text = f"{{}}.transpose({order})"
                self._of_one(text, lambda np, x: x.transpose(order), number)
            case 11:
                self._parts(number)
            case 12 | 13:
                self._products(number)
            case 14:
                other = self._sparse(lambda t: t.numpy.shape == shape)
                if other is not None and rank:
                    axis = self.choose(rank)
                    name = self.pick(("concat", "stack"))
                    self._of_two(
                        f"{name}([{{}}, {{}}], axis={axis})",
                        lambda np, x, y: getattr(np, name)([x, y], axis=axis),
                        number,
                        other,
                    )
            case 15 | 16 | 17 if rank and twin.numpy.size < 400:
                self._moved(number)
            case 18:
                self._nan_fold(number)
            case _:
                self._of_two("{}[{} > 0]", lambda np, x, y: x[y > 0], number, number)

    def _fold(self, number: int) -> None:
        """Combine elements along axes."""
        array: Any = self.twins[number].numpy
        name = self.pick(_FOLDS)
        axes = [k for k in range(array.ndim) if self.choose(2)]
        axis = None if not axes or self.choose(4) == 0 else tuple(axes)
        keepdims = bool(self.choose(2))
        if name in ("sum", "mean", "prod") and not np.isfinite(array).all():
            return
        if name == "prod" and array.size > 30:
            return
        self._of_one(
            f"{{}}.{name}(axis={axis}, keepdims={keepdims})",
            lambda np, x: getattr(x, name)(axis=axis, keepdims=keepdims),
            number,
            exact=name not in ("sum", "mean", "prod") or array.dtype.kind in "biu",
        )

    def _moved(self, number: int) -> None:
        """Move elements, copy them, or put them in order."""
        array: Any = self.twins[number].numpy
        axis, times = self.choose(array.ndim), 1 + self.choose(3)
        text, function = self.pick(_MOVED)
        if "diff" in text and not np.isfinite(array).all():
            return
        if ("argmax" in text or "unstack" in text) and (array.ndim == 1 or not array.shape[axis]):
            return  # Single numbers, or none.
        shown = text.replace("{n}", str(times)).replace("{k}", str(axis))
        self._of_one(shown, lambda np, x: function(np, x, times, axis), number)

    def _nan_fold(self, number: int) -> None:
        """Combine elements along an axis, and pass over NaN."""
        array: Any = self.twins[number].numpy
        name = self.pick(_PASSING_OVER_NAN)
        axis = self.choose(array.ndim) if array.ndim and self.choose(3) else None
        if not array.size or (name == "nanprod" and array.size > 30) or np.isinf(array).any():
            return
        if array.dtype.kind == "b" and name != "nansum":
            return
        self._of_one(
            f"{name}({{}}, axis={axis})",
            lambda np, x: getattr(np, name)(x, axis=axis),
            number,
            exact=name in ("nanmax", "nanmin"),
        )

    def _parts(self, number: int) -> None:
        """Take a part, or give the elements another shape."""
        array: Any = self.twins[number].numpy
        if self.choose(3) == 0:
            self._of_one("{}.reshape(-1)", lambda np, x: x.reshape(-1), number)
            return
        index: list[Any] = []
        for extent in array.shape:
            match self.choose(6):
                case 0 if extent:
                    index.append(self.choose(extent))
                case 4 if extent:
                    index.append([self.choose(extent) for _ in range(self.choose(4))])
                case 5:
                    index.append(np.asarray([self.choose(2) == 0 for _ in range(extent)], np.bool_))
                case 1:
                    index.append(slice(None, None, self.pick((-1, 2, 1, -2))))
                case 2 if extent:
                    index.append(slice(self.choose(extent), None))
                case _:
                    index.append(slice(None))
        if self.choose(4) == 0:
            index.insert(self.choose(len(index) + 1), None)
        try:
            array[tuple(index)]
        except IndexError:  # Places along several axes that do not fit each other.
            return
        if any(isinstance(part, slice) for part in index):
            self._of_one(f"{{}}[{index}]", lambda np, x: x[tuple(index)], number)

    def _products(self, number: int) -> None:
        """Multiply matrices, or sum products."""
        twin = self.twins[number]
        if not np.isfinite(twin.numpy).all() or twin.numpy.dtype.kind == "b" or twin.size > 1e6:
            return
        x: Any = twin.numpy
        if x.ndim == 3 and self.choose(2):
            self._of_two(
                "{} @ {}.swapaxes(1, 2)",
                lambda np, x, y: x @ y.swapaxes(1, 2),
                number,
                number,
                exact=False,
            )
        elif x.ndim == 2 and self.choose(2):
            rows = 1 + self.choose(3)
            count = rows * x.shape[1]
            dense = np.asarray([self.choose(7) - 3.0 for _ in range(count)])
            dense = dense.reshape(x.shape[1], rows)[:, 0 if self.choose(2) else slice(None)]
            match self.choose(3):
                case 0:
                    self._of_one("{} @ dense", lambda np, x: x @ dense, number, exact=False)
                case 1:
                    self._of_one("dense.T @ {}.T", lambda np, x: dense.T @ x.T, number, exact=False)
                case _:
                    self._of_two("{} @ {}.T", lambda np, x, y: x @ y.T, number, number, exact=False)
        elif 0 < x.ndim < 4:
            letters = "ijk"[: x.ndim]
            result = "".join([c for c in letters if self.choose(2)])
            text = f"{letters},{letters}->{result}"
            self._of_two(
                f"einsum({text!r}, {{}}, {{}})",
                lambda np, x, y: np.einsum(text, x, y),
                number,
                number,
                exact=False,
            )


def differences(da: Any, choose: Callable[[int], int], pydata: Any = None) -> str:
    """Draw an expression, and say how what it gives is not what others compute, or nothing."""
    trial = SparseTrial(da, choose, operator.pos)
    trial.begin(pydata)
    for _ in range(1 + choose(7)):
        trial.step()
    texts: list[str] = []
    for twin, peer in list(zip(trial.twins, trial.peers, strict=True))[-3:]:
        text = differs(twin)
        if not text and peer is not None and isinstance(twin.lazy, da.SparseArray):
            text = _differs_from(twin, peer)
        texts += [text] if text else []
    return "\n".join(texts)


_APART = ("prod", "argmax")
"""Folds of which pydata computes the fill value in the type of the elements, which overflows, and
those of which it counts zeros."""


def _differs_from(twin: Twin, peer: Any) -> str:
    """Say how the fill value and the number of elements are not pydata's, or nothing."""
    ours, theirs = twin.lazy.fill_value, peer.fill_value
    if any(name in twin.text for name in _APART):
        return ""
    if "uint8" in twin.text and ".sum(" in twin.text:
        return ""  # As of products.
    if "einsum" in twin.text and not twin.numpy.size:
        return ""  # Of sums of no elements the terms are counted, or not.
    if not np.allclose(ours, theirs, equal_nan=True):
        return f"{twin.text}: the fill value is {ours}, not {theirs}"
    # It tells NaN from NaN by their signs, which say how a processor has come by them.
    count = peer.nnz - int(np.count_nonzero(np.isnan(peer.data))) if theirs != theirs else peer.nnz
    is_extremum = any(name in twin.text for name in ("min", "max"))
    if is_extremum and twin.numpy.dtype.kind == "f" and not twin.numpy.all():
        return ""  # The lesser of zeros of both signs is either.
    if twin.exact and twin.lazy.nnz != count:
        return f"{twin.text}: {twin.lazy.nnz} elements, not {count}, else {ours!r}"
    return ""
