"""Numbers that stand for those of a matrix while a function of Python's is called once.

    traced(lambda l, r: np.exp(l) * r + 1, ("l", "r"))    ->    (exp(l) * r) + 1, as a graph

What the function computes is written down, and computed for all elements later. So it has to
compute the same for each: it may not branch on a number, nor hand one to what wants a Python
number. Where it does, the error points there.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NoReturn, cast

import numpy as np

from diablo.array import Array
from diablo.array.python_operators import COMPARISONS, OPERATORS, UNARY, Operator
from diablo.diagnostics import CompileError, Diagnostic, Span

Apply = Callable[..., Any]


class Scalar:
    """A number of each element: a parameter of the function, or what is computed of others.

    Parameters
    ----------
    name : that of a parameter, or of the operation
    apply : what computes it of numbers, and of arrays that are broadcast; none of a parameter
    operands : what it is computed of: scalars and numbers
    """

    __slots__ = ("apply", "name", "operands")

    __array_priority__ = 2000.0
    __hash__ = object.__hash__

    def __init__(self, name: str, apply: Apply | None = None, operands: tuple[Any, ...] = ()):
        self.name = name
        self.apply = apply
        self.operands = operands

    def __repr__(self) -> str:
        if self.apply is None:
            return self.name
        return f"{self.name}({', '.join(map(repr, self.operands))})"

    def astype(self, dtype: Any) -> Scalar:
        """Return the number as one of another type."""
        wanted: Any = np.dtype(dtype)

        def converted(value: Any) -> Any:
            return value.astype(wanted)

        return Scalar("astype", converted, (self,))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Scalar:
        if method != "__call__" or options or ufunc.nout != 1:
            _refuse(
                f"`{ufunc.__name__}.{method}` is no function of single numbers",
                "call the function itself, without options",
            )
        return computed(ufunc.__name__, ufunc, *inputs)

    def __array_function__(self, function: Apply, types: Any, args: Any, kwargs: Any) -> Scalar:
        if kwargs or function not in _OF_NUMBERS or not all(map(is_number, args)):
            _refuse(
                f"`{getattr(function, '__name__', function)}` is no function of single numbers",
                "use NumPy's elementwise functions, `where` and `clip`",
            )
        return computed(function.__name__, function, *args)

    # What asks for a number of Python's, or for several, while there is none yet.

    def __bool__(self) -> bool:
        _refuse(
            "the function is traced once for all elements and cannot branch on one",
            "write `np.where(condition, this, that)`; `&`, `|`, `~` for `and`, `or`, `not`; "
            "`np.minimum` and `np.maximum` for `min` and `max`",
        )

    def __float__(self) -> float:
        _refuse_number("float")

    def __int__(self) -> int:
        _refuse_number("int")

    def __complex__(self) -> complex:
        _refuse_number("complex")

    def __index__(self) -> int:
        _refuse(
            "a number of the matrix is no index of Python's here",
            "make the sequence known by `select_globals`, and index that",
        )

    def __iter__(self) -> Any:
        _refuse(
            "a number is not several that could be gone through",
            "to fold the products of a contraction, write `diablo.blocks.sum(l * r)`",
        )

    def __array__(self, *_: Any, **__: Any) -> Any:
        _refuse(
            "a number of the matrix is no array, nor an element of one",
            "compute with numbers; arrays are made known by `select_globals`",
        )


class Aggregate(Scalar):
    """A fold, by name, of the numbers that meet at an element of a contraction."""

    __slots__ = ()

    @property
    def is_sum(self) -> bool:
        """Whether it is the sum, which products are added up to."""
        return self.name == "sum"


class Globals:
    """What `select_globals` made known, by name: `g.weights[i]`."""

    __slots__ = ("_arrays",)

    def __init__(self, arrays: Mapping[str, Any]):
        self._arrays = arrays

    def __getattr__(self, name: str) -> GlobalArray:
        if name not in self._arrays:
            known = ", ".join(self._arrays) or "none"
            _refuse(f"there is no global {name!r}: {known}", "name it in `select_globals`")
        return GlobalArray(self._arrays[name])


class GlobalArray:
    """An array that all elements know, indexed by numbers; one without dimensions is a number."""

    __slots__ = ("array",)

    def __init__(self, array: Any):
        self.array = array

    def __getitem__(self, index: Any) -> Scalar:
        given = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        if len(given) != self.array.ndim or not all(map(is_number, given)):
            _refuse(
                f"a global of {self.array.ndim} dimensions is read at as many numbers, "
                f"and {len(given)} are given",
                "index it by `i`, `j` or what is computed of them",
            )
        return Scalar("read", _read, (self.array, *given))

    def _number(self) -> Scalar:
        if self.array.ndim:
            _refuse(
                f"a global of {self.array.ndim} dimensions is no number",
                "index it by `i`, `j` or what is computed of them",
            )
        return Scalar("read", _read, (self.array,))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Scalar:
        given = [each._number() if isinstance(each, GlobalArray) else each for each in inputs]
        return given[0].__array_ufunc__(ufunc, method, *given, **options)


def _read(array: Any, *index: Any) -> Any:
    """Return the elements of an array at indices, which are broadcast arrays."""
    if not index:
        return array
    places = [part.node.value if isinstance(part, Array) else part for part in index]
    axes = [_axis_of(place) for place in places]
    if None not in axes and len({*axes}) == len(axes):
        parts = [place.reshape(-1) for place in places]
        if all(map(_is_run, parts)):
            return _viewed(array, parts, axes, max(place.ndim for place in places))
    return array[index]


def _axis_of(index: Any) -> int | None:
    """Return the one axis along which an index varies, if it is an array that is there."""
    given: Any = index
    if not isinstance(index, np.ndarray) or given.dtype.kind not in "iu" or not given.size:
        return None
    axes = [axis for axis, extent in enumerate(given.shape) if extent != 1]
    return axes[0] if len(axes) == 1 else None


def _is_run(numbers: Any) -> bool:
    return int(numbers[0]) >= 0 and bool(np.all(np.diff(numbers) == 1))


def _viewed(array: Any, parts: Sequence[Any], axes: Sequence[Any], rank: int) -> Any:
    """Return a part of an array whose axes are some of those of an element."""
    for part, extent in zip(parts, array.shape, strict=True):
        if part[-1] >= extent:
            raise IndexError(f"index {part[-1]} is out of bounds for a global of extent {extent}")
    found = array[tuple([slice(int(part[0]), int(part[-1]) + 1) for part in parts])]
    order = sorted(range(len(axes)), key=lambda k: axes[k])
    if order != list(range(len(axes))):
        found = found.T
    shown: list[Any] = [None] * rank
    for axis in axes:
        shown[axis] = slice(None)
    return found[tuple(shown)]


_OF_NUMBERS: set[Any] = {np.where, np.clip, np.real, np.imag, np.round}


def is_number(value: Any) -> bool:
    """Return whether a value is a number, of each element or of Python's."""
    return isinstance(value, Scalar | bool | int | float | complex | np.generic)


def computed(name: str, apply: Apply, *operands: Any) -> Scalar:
    """Return what an operation computes of numbers."""
    given = tuple(
        [each._number() if isinstance(each, GlobalArray) else each for each in operands]  # pyright: ignore[reportPrivateUsage]
    )
    for each in given:
        if not is_number(each):
            _refuse(
                f"`{name}` of a number of the matrix and a {type(each).__name__}",
                "an array is made known by `select_globals`, and read at numbers",
            )
    return Scalar(name, apply, given)


def _methods(operator: Operator) -> tuple[Apply, Apply]:
    def forward(self: Any, other: Any) -> Scalar:
        return computed(operator.ufunc, operator.apply, self, other)

    def backward(self: Any, other: Any) -> Scalar:
        return computed(operator.ufunc, operator.apply, other, self)

    return forward, backward


def _method(operator: Operator) -> Apply:
    def method(self: Any) -> Scalar:
        return computed(operator.ufunc, operator.apply, self)

    return method


for _kind in (Scalar, GlobalArray):
    for _operator in OPERATORS:
        _forward, _backward = _methods(_operator)
        setattr(_kind, f"__{_operator.method}__", _forward)
        setattr(_kind, f"__r{_operator.method}__", _backward)
    for _operator in COMPARISONS:
        setattr(_kind, f"__{_operator.method}__", _methods(_operator)[0])
    for _operator in UNARY:
        setattr(_kind, f"__{_operator.method}__", _method(_operator))


def traced(function: Apply, parameters: Sequence[str], known: Any = None) -> tuple[Any, list[Any]]:
    """Return what a function computes of numbers by these names, and the numbers.

    It may leave out the last of them. `known` is what follows them: the globals, if there are any.
    A `CompileError` says what cannot be traced, and where.
    """
    scalars = [Scalar(name) for name in parameters]
    given = [*scalars, *([] if known is None else [known])]
    count = _taken(function, len(given), parameters, known)
    code = getattr(function, "__code__", None)
    _TRACING.append(code)
    try:
        result = function(*given[:count])
    finally:
        _TRACING.pop()
    if isinstance(result, GlobalArray):
        result = result._number()  # pyright: ignore[reportPrivateUsage]
    if not is_number(result):
        raise _error(
            f"the function gives a {type(result).__name__}, which is no number",
            "it is to return the number of one element",
            _span_of_code(code),
        )
    return result, scalars


def _taken(function: Apply, most: int, parameters: Sequence[str], known: Any) -> int:
    """Return how many of the numbers a function takes: as many as have no default."""
    if isinstance(function, np.ufunc):
        return function.nin
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return parameters.index("i")  # A function of Python's that says nothing takes the elements.
    given = signature.parameters.values()
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in given):
        return most
    wanted = [
        parameter
        for parameter in given
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
    ]
    if len(wanted) > most:
        names = ", ".join([*parameters, *([] if known is None else ["globals"])])
        raise _error(
            f"the function takes {len(wanted)} numbers, and there are {most}: {names}",
            None if known is not None else "globals are made known by `select_globals`",
            _span_of_code(getattr(function, "__code__", None)),
        )
    return len(wanted)


# ---- errors --------------------------------------------------------------------------

_TRACING: list[CodeType | None] = []
"""The code of the functions that are being traced."""


def _refuse_number(kind: str) -> NoReturn:
    _refuse(
        f"there is no {kind} yet: the function is traced once for all elements",
        "use NumPy's functions, which are traced (`np.exp`, not `math.exp`), and `x.astype(…)`",
    )


def refuse(message: str, hint: str) -> NoReturn:
    """Raise an error at the place of the function that is being traced."""
    _refuse(message, hint)


def error_in(function: Apply, message: str, hint: str) -> CompileError:
    """Return an error that points to a function that was traced."""
    return _error(message, hint, _span_of_code(getattr(function, "__code__", None)))


def _refuse(message: str, hint: str) -> NoReturn:
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    here = frame.f_code.co_filename
    wanted = _TRACING[-1] if _TRACING else None
    outside: FrameType | None = None
    while frame is not None:
        if frame.f_code is wanted:
            raise _error(message, hint, _span_of_frame(frame))
        if outside is None and frame.f_code.co_filename != here:
            outside = frame
        frame = frame.f_back
    raise _error(message, hint, None if outside is None else _span_of_frame(outside))


def _span_of_frame(frame: FrameType) -> Span:
    """Return the expression that a frame is at."""
    positions = list(frame.f_code.co_positions())
    place = frame.f_lasti // 2
    line, end_line, start, end = positions[place] if place < len(positions) else (None,) * 4
    line = line or frame.f_lineno
    if start is None or end is None:
        return Span(frame.f_code.co_filename, line, 1, 2)
    # Columns are counted in bytes of UTF-8.
    text = _line(frame.f_code.co_filename, line).encode()
    first = len(text[:start].decode(errors="replace"))
    last = len(text[:end].decode(errors="replace")) if end_line == line else len(text.decode())
    return Span(frame.f_code.co_filename, line, first + 1, max(last, first + 1) + 1)


def _span_of_code(code: CodeType | None) -> Span | None:
    """Return where a function begins: its `lambda`, or the line of its `def`."""
    if code is None:
        return None
    line = code.co_firstlineno
    text = _line(code.co_filename, line)
    if code.co_name == "<lambda>":
        bodies = [at[2] for at in code.co_positions() if at[0] == line and at[2]]
        body = len(text.encode()[: min(bodies, default=None)].decode(errors="replace"))
        first = text.rfind("lambda", 0, body)
        if first >= 0:
            return Span(code.co_filename, line, first + 1, first + len("lambda") + 1)
    first = len(text) - len(text.lstrip())
    return Span(code.co_filename, line, first + 1, max(len(text), first + 1) + 1)


def _line(file: str, line: int) -> str:
    import linecache

    return linecache.getline(file, line).rstrip("\n")


def _error(message: str, hint: str | None, span: Span | None) -> CompileError:
    sources: dict[str, str] = {}
    if span is not None:
        import linecache

        text = "".join(linecache.getlines(span.file))
        span = Span(_shown(span.file), span.line, span.column, span.end_column)
        sources[span.file] = text
    return CompileError([Diagnostic("error", message, span, hint)], sources)


def _shown(file: str) -> str:
    """Return the name of a file as it is found from here."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file
