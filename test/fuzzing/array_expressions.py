"""Random expressions of lazy arrays, computed lazily and by NumPy.

    trial = draw(choose)    ->    trial.lazy, trial.numpy, trial.text

`choose(n)` is a number below n: of a random generator, or of hypothesis, which shrinks it.
Functions that round, compare or cut are given numbers that both sides compute exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Choose = Callable[[int], int]

DTYPES = [
    "float64",
    "float64",
    "float64",
    "int64",
    "int32",
    "bool",
    "float32",
    "int8",
    "int16",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "complex128",
    "complex64",
]
SPECIALS = (np.nan, np.inf, -np.inf, -0.0)


@dataclass
class Twin:
    """An array of both kinds, how it was written, and whether both computed it exactly."""

    lazy: Any
    numpy: Any
    text: str
    exact: bool = True
    size: float = 0.0
    """The greatest number on the way here: how far both may be apart is measured by it."""

    @property
    def kind(self) -> str:
        """The kind of NumPy's type."""
        return self.numpy.dtype.kind


@dataclass
class Trial:
    """The arrays of an expression so far."""

    da: Any
    choose: Choose
    given: Callable[[Any], Any]
    """Makes a lazy array of one of NumPy's."""
    twins: list[Twin] = field(default_factory=list[Twin])

    def pick(self, items: Sequence[Any]) -> Any:
        """One of several."""
        return items[self.choose(len(items))]

    def twin(self) -> Twin:
        """One of the arrays, mostly a late one."""
        late = self.choose(3) > 0
        return self.pick(self.twins[-3:] if late else self.twins)

    def of_one(
        self, text: str, function: Callable[[Any, Any], Any], twin: Twin, *, exact: bool = True
    ) -> None:
        """Compute something of an array both ways."""
        self._add(text, function, [twin], exact=exact)

    def of_two(
        self,
        text: str,
        function: Callable[[Any, Any, Any], Any],
        one: Twin,
        other: Twin,
        *,
        exact: bool = True,
    ) -> None:
        """Compute something of two arrays both ways."""
        self._add(text, function, [one, other], exact=exact)

    def of_three(
        self, text: str, function: Callable[[Any, Any, Any, Any], Any], used: Sequence[Twin]
    ) -> None:
        """Compute something of three arrays both ways."""
        self._add(text, function, used)

    def _add(
        self,
        text: str,
        function: Callable[..., Any],
        used: Sequence[Twin],
        *,
        exact: bool = True,
    ) -> None:
        """Compute something of arrays both ways, if NumPy does."""
        with np.errstate(all="ignore"):
            try:
                expected = np.asarray(function(np, *[t.numpy for t in used]))
            except (TypeError, ValueError, IndexError, OverflowError):
                return
            if expected.size > 5000 or expected.ndim > 5:
                return
        found = function(self.da, *[t.lazy for t in used])
        size = max([t.size for t in used] + [_magnitude(expected)])
        exact = exact and all(t.exact for t in used)
        self.twins.append(Twin(found, expected, text.format(*[t.text for t in used]), exact, size))


def _magnitude(value: Any) -> float:
    if value.dtype.kind not in "fc" or not value.size:
        return 0.0
    finite = np.abs(value[np.isfinite(value)].astype(np.complex128))
    return float(finite.max()) if finite.size else 0.0


def leaf(trial: Trial) -> None:
    """An array of some type and shape, in some order in memory."""
    choose = trial.choose
    rank = trial.pick((0, 1, 1, 2, 2, 3))
    extents = (1, 2, 3, 5, 12) if choose(12) else (0, 1, 3)
    shape = tuple(trial.pick(extents) for _ in range(rank))
    name = trial.pick(DTYPES)
    rng = np.random.default_rng(choose(1000))
    value: Any = rng.integers(-20, 20, shape)
    if name == "bool":
        value = value > 0
    elif name.startswith("uint"):
        value = np.abs(value)
    elif name.startswith(("float", "complex")):
        value = value / 4
        if name.startswith("complex"):
            value = value + 1j * (rng.integers(-8, 8, shape) / 4)
        elif choose(4) == 0 and value.size:
            value = np.array(value)
            value.reshape(-1)[rng.integers(0, value.size)] = trial.pick(SPECIALS)
    value = np.asarray(value).astype(name)
    order = choose(4)
    if order == 0 and value.ndim > 1:
        value = np.asfortranarray(value)
    elif order == 1 and value.ndim:
        value = np.repeat(value, 2, -1)[..., ::2]
    elif order == 2 and value.size and value.ndim:
        axis = choose(value.ndim)
        value = np.broadcast_to(value.take([0], axis), shape)
    trial.twins.append(
        Twin(trial.given(value), value, f"{name}{list(shape)}", True, _magnitude(value))
    )


_EXACT = [
    "negative",
    "positive",
    "square",
    "sign",
    "isnan",
    "isinf",
    "isfinite",
    "logical_not",
    "floor",
    "ceil",
    "trunc",
    "round",
    "abs",
]
_SMOOTH = ["exp", "sin", "cos", "tanh", "sqrt", "expm1", "atan", "log1p", "asinh", "sinh"]
_BINARY = ["add", "subtract", "multiply", "maximum", "minimum"]
_DISCRETE = [
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "floor_divide",
    "remainder",
    "divide",
    "copysign",
]


def _name(xp: Any, name: str) -> Any:
    return getattr(xp, name)


def unary(trial: Trial) -> None:
    """A function of one array."""
    twin = trial.twin()
    names = [*_EXACT, *_SMOOTH] if twin.exact else [*_SMOOTH, "negative", "square"]
    name = trial.pick(names)
    exact = name in _EXACT and not (twin.kind == "c" and name in ("abs", "sign", "square"))
    # Of integers of 8 bits NumPy makes floats of 16, which overflow here and there.
    if name in _SMOOTH and (twin.kind == "c" or twin.numpy.dtype.itemsize == 1):
        return
    if name in ("sign", "round", "floor", "ceil", "trunc") and twin.kind in "bc":
        return
    trial.of_one(f"{name}({{}})", lambda xp, x: _name(xp, name)(x), twin, exact=exact)


def binary(trial: Trial) -> None:
    """A function of two arrays, or of an array and a number."""
    one, other = trial.twin(), trial.twin()
    exact = one.exact and other.exact
    name = trial.pick([*_BINARY, *_DISCRETE] if exact else _BINARY)
    if "c" in (one.kind, other.kind) and name in ("maximum", "minimum", "divide", "less"):
        return
    is_exact = not ("c" in (one.kind, other.kind) and name in ("multiply", "divide"))
    if trial.choose(3) == 0:
        number: Any = trial.pick((2, 3, -1, 0, 1)) if one.kind in "iuf" else 2.5
        if one.kind == "u":
            number = abs(number)
        if name in ("floor_divide", "remainder") and number == 0:
            return
        operators: dict[str, Callable[[Any], Any]] = {
            "add": lambda x: x + number,
            "subtract": lambda x: number - x,
            "multiply": lambda x: x * number,
            "divide": lambda x: x / number,
            "less": lambda x: x < number,
            "remainder": lambda x: x % number,
            "floor_divide": lambda x: x // number,
            "equal": lambda x: x == number,
        }
        operator = operators.get(name)
        if operator is not None:
            trial.of_one(f"{name}({{}}, {number})", lambda xp, x: operator(x), one, exact=is_exact)
        return
    trial.of_two(
        f"{name}({{}}, {{}})", lambda xp, x, y: _name(xp, name)(x, y), one, other, exact=is_exact
    )


def choice(trial: Trial) -> None:
    """A choice between the elements of two arrays."""
    conditions = [t for t in trial.twins if t.kind == "b" and t.exact]
    if not conditions:
        return
    used = trial.pick(conditions), trial.twin(), trial.twin()
    trial.of_three("where({}, {}, {})", lambda xp, c, x, y: xp.where(c, x, y), used)


def conversion(trial: Trial) -> None:
    """Elements as others of a wider type."""
    twin = trial.twin()
    name = trial.pick(("float64", "int64", "float32", "complex128", "bool", "int16"))
    if not np.can_cast(twin.numpy.dtype, name) and not (name == "bool" and twin.exact):
        return
    trial.of_one(f"astype({{}}, {name})", lambda xp, x: xp.astype(x, np.dtype(name)), twin)


def view(trial: Trial) -> None:
    """A part, or another arrangement, of an array."""
    twin = trial.twin()
    shape = twin.numpy.shape
    rank = len(shape)
    which = trial.choose(8)
    if which < 3 and rank:
        index: list[Any] = []
        for extent in shape:
            what = trial.choose(6)
            if what == 0 and extent:
                index.append(trial.choose(2 * extent) - extent)
            elif what == 1:
                index.append(slice(None, None, -1))
            elif what == 2:
                index.append(slice(trial.choose(extent + 1), None, trial.pick((1, 2, 3))))
            elif what == 3:
                index.append(slice(None, trial.choose(4) - 4))
            elif what == 4:
                index += [None, slice(None)]
            else:
                index.append(slice(None))
        if trial.choose(4) == 0:
            index = [*index[:-1], Ellipsis]
        chosen = tuple(index)
        trial.of_one(f"{{}}[{chosen}]", lambda xp, x: x[chosen], twin)
    elif which == 3:
        axes = tuple(np.random.default_rng(trial.choose(50)).permutation(rank).tolist())
        trial.of_one(f"permute({{}}, {axes})", lambda xp, x: xp.permute_dims(x, axes), twin)
    elif which == 4:
        wanted = (trial.pick((1, 2, 3)), *[4 if extent == 1 else extent for extent in shape])
        trial.of_one(f"broadcast({{}}, {wanted})", lambda xp, x: xp.broadcast_to(x, wanted), twin)
    elif which == 5:
        trial.of_one("flip({})", lambda xp, x: xp.flip(x), twin)
    elif which == 6:
        new = trial.pick(((-1,), (2, -1), (-1, 3), (1, -1, 2)))
        trial.of_one(f"reshape({{}}, {new})", lambda xp, x: xp.reshape(x, new), twin)
    elif rank >= 2:
        offset = trial.choose(3) - 1
        trial.of_one(
            f"diagonal({{}}, {offset})", lambda xp, x: xp.linalg.diagonal(x, offset=offset), twin
        )


def fold(trial: Trial) -> None:
    """A fold along axes, or a scan."""
    twin = trial.twin()
    rank = twin.numpy.ndim
    axis: Any = trial.pick([None, *range(-rank, rank)])
    keepdims = trial.choose(2) == 0
    name = trial.pick(
        ("sum", "prod", "max", "min", "any", "all", "mean", "var", "count_nonzero", "scan", "nan")
    )
    if name == "nan":
        name = trial.pick(("nansum", "nanmax", "nanmin", "nanmean"))
        if not twin.exact:
            return
    is_truth = name in ("any", "all", "count_nonzero")
    if is_truth and not twin.exact:
        return
    if name.endswith(("max", "min")) and twin.kind == "c":
        return
    if name == "scan":
        if rank and trial.choose(2):
            along = trial.choose(rank)
            trial.of_one(
                f"cumulative_sum({{}}, {along})",
                lambda xp, x: xp.cumulative_sum(x, axis=along),
                twin,
                exact=twin.kind in "biu",
            )
        return
    exact = (
        is_truth
        or name.endswith(("max", "min"))
        or (twin.kind in "biu" and name in ("sum", "prod"))
    )
    trial.of_one(
        f"{name}({{}}, {axis}, {keepdims})",
        lambda xp, x: _name(xp, name)(x, axis=axis, keepdims=keepdims),
        twin,
        exact=exact,
    )


def product(trial: Trial) -> None:
    """A product of matrices."""
    one, other = trial.twin(), trial.twin()
    if not (np.isfinite(one.numpy).all() and np.isfinite(other.numpy).all()):
        return  # Libraries leave out products with zeros, or do not.
    exact = one.kind in "biu" and other.kind in "biu"
    if trial.choose(3) == 0:
        other = Twin(other.lazy.T, other.numpy.T, f"{other.text}.T", other.exact, other.size)
    which = trial.choose(3)
    if which == 0:
        trial.of_two("{} @ {}", lambda xp, x, y: x @ y, one, other, exact=exact)
    elif which == 1:
        axes = trial.choose(2)
        trial.of_two(
            f"tensordot({{}}, {{}}, {axes})",
            lambda xp, x, y: xp.tensordot(x, y, axes=axes),
            one,
            other,
            exact=exact,
        )
    else:
        trial.of_two("vecdot({}, {})", lambda xp, x, y: xp.vecdot(x, y), one, other, exact=exact)


def driven(trial: Trial) -> None:
    """What NumPy computes on the driver, between programs."""
    twin = trial.twin()
    which = trial.choose(5)
    if which == 0 and twin.exact and twin.numpy.ndim and twin.kind != "c":
        trial.of_one("sort({})", lambda xp, x: xp.sort(x), twin)
    elif which == 1:
        trial.of_two("concat({}, {})", lambda xp, x, y: xp.concat([x, y]), twin, trial.twin())
    elif which == 2 and twin.numpy.ndim:
        length = twin.numpy.shape[0]
        if length:
            places = [trial.choose(2 * length) - length for _ in range(3)]
            trial.of_one(f"{{}}[{places}]", lambda xp, x: x[xp.asarray(places)], twin)
    elif which == 3 and twin.numpy.ndim:
        trial.of_one("roll({}, 1)", lambda xp, x: xp.roll(x, 1), twin)
    else:
        masks = [t for t in trial.twins if t.kind == "b" and t.exact and t.numpy.ndim]
        masks = [t for t in masks if t.numpy.shape == twin.numpy.shape]
        if masks:
            trial.of_two("{}[{}]", lambda xp, x, m: x[m], twin, trial.pick(masks))


def assignment(trial: Trial) -> None:
    """An array with other elements in a part."""
    twin = trial.twin()
    if not twin.numpy.ndim or not twin.numpy.shape[0]:
        return
    start, value = trial.choose(twin.numpy.shape[0]), trial.choose(5)

    def assigned(xp: Any, x: Any) -> Any:
        other = xp.asarray(x, copy=True)
        other[start:] = value
        return other

    trial.of_one(f"{{}}[{start}:] = {value}", assigned, twin)


def placed(trial: Trial) -> None:
    """Elements by where they are: triangles, positions, and what is around an array."""
    twin = trial.twin()
    rank = twin.numpy.ndim
    which = trial.choose(5)
    k = trial.choose(4) - 2
    if which == 0 and rank >= 2:
        name = trial.pick(("tril", "triu"))
        trial.of_one(f"{name}({{}}, {k})", lambda xp, x: _name(xp, name)(x, k=k), twin)
    elif which == 1 and rank:
        before, behind = trial.choose(3), trial.choose(3)
        trial.of_one(
            f"pad({{}}, {before}, {behind})", lambda xp, x: xp.pad(x, ((before, behind),)), twin
        )
    elif which == 2 and rank and twin.kind in "if":
        count = twin.numpy.shape[-1]
        trial.of_one(f"{{}} + arange({count})", lambda xp, x: x + xp.arange(count), twin)
    elif which == 3 and rank and twin.numpy.shape[0]:
        axis = trial.choose(rank + 1)
        trial.of_one(f"stack(unstack({{}}), {axis})", lambda xp, x: xp.stack([*x], axis=axis), twin)
    elif which == 4 and rank >= 2:
        rows, columns = twin.numpy.shape[-2:]
        if twin.kind in "ifc":
            trial.of_one(
                f"{{}} * eye({rows}, {columns}, {k})",
                lambda xp, x: xp.where(xp.eye(rows, columns, k=k) != 0, x, 0),
                twin,
            )


_MAKERS = (
    *(leaf, unary, unary, binary, binary, binary, view, view, view, fold, fold, product),
    *(choice, conversion, driven, assignment, placed, placed),
)


def draw(
    da: Any, choose: Choose, most: int = 14, given: Callable[[Any], Any] | None = None
) -> Trial:
    """A random expression over a few arrays."""
    trial = Trial(da, choose, given or da.asarray)
    leaf(trial)
    leaf(trial)
    for _ in range(2 + choose(most)):
        trial.pick(_MAKERS)(trial)
    return trial


def differs(twin: Twin) -> str:
    """Say how an array is not what NumPy computed, or nothing."""
    found, expected = twin.lazy.to_numpy(), twin.numpy
    if found.shape != expected.shape or twin.lazy.shape != expected.shape:
        return f"{twin.text}: the shape is {found.shape}, not {expected.shape}"
    if found.dtype != expected.dtype or twin.lazy.dtype != expected.dtype:
        return f"{twin.text}: the type is {found.dtype}, not {expected.dtype}"
    if expected.dtype.kind in "biu":
        same = np.array_equal(found, expected)
    else:
        narrow = expected.dtype.itemsize // (2 if expected.dtype.kind == "c" else 1) < 8
        relative = 1e-3 if narrow else 1e-7
        size = max(twin.size, 1.0) if not twin.exact else 0.0
        with np.errstate(all="ignore"):
            same = np.allclose(found, expected, rtol=relative, atol=size * relative, equal_nan=True)
    return "" if same else f"{twin.text}: {found!r} instead of {expected!r}"
