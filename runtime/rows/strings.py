"""Functions of strings, on columns and on scalars.

    split(array(["a b", "c"]), " ")  ->  Lists([["a", "b"], ["c"]])
    to_int("12")                     ->  12

The names are those of `diablo.dialects.string_functions`. A scalar stands for its value in every
row; of scalars alone the result is a scalar. Where there is no result (a position outside of the
string, a text that is no number) it is a `RunError`; `at` is the place of the call.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, repeat
from sys import getsizeof
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.diagnostics import RunError
from diablo.runtime.column_types import OBJECT
from diablo.runtime.memory_limit import reserve
from diablo.runtime.rows import string_kernels, string_spans, string_values
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Strings, plain_column
from diablo.runtime.rows.string_spans import Spans

_STRING = 72
"""What a short string takes, with two references to it."""
_INTEGER = re.compile(r"\s*[+-]?[0-9]+\s*", re.ASCII)
_NUMBER = re.compile(
    r"\s*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)\s*",
    re.ASCII | re.IGNORECASE,
)


def column(strings: Any, count: int) -> Any:
    """The same strings, of which `count` are going to be taken: without an object for each."""
    if isinstance(strings, Strings) or not string_spans.available(count):
        return strings
    return Strings.of_any(strings.tolist())


def of_all_pairs(name: str, a: Any, b: Any, *, rows_first: bool) -> Any:
    """Return a function of two strings of all pairs of a row and an iteration, row after row.

    `a` has the strings of the rows if they come first, and else those of the iterations.
    """
    made = None
    if isinstance(a, Strings) and isinstance(b, Strings):
        made = string_kernels.of_all_pairs(name, a, b)
    if made is None:
        left, right = np.repeat(np.arange(len(a)), len(b)), np.tile(np.arange(len(b)), len(a))
        made = globals()[name](a[left], b[right]).reshape(len(a), len(b))
    return made.reshape(-1) if rows_first else np.ravel(made.T)


def _mapped(function: Callable[..., Any], dtype: DTypeLike, *arguments: Any) -> Any:
    """`function` of each row of the columns among the arguments, or of the scalars.

    Arrays of several dimensions are gone through element by element.
    """
    shapes = [a.shape for a in arguments if _is_column(a)]
    if not shapes:
        return function(*[_plain(a) for a in arguments])
    if max(map(len, shapes)) > 1:
        shape = np.broadcast_shapes(*shapes)
        flat = [np.broadcast_to(a, shape).reshape(-1) if _is_column(a) else a for a in arguments]
        return _mapped(function, dtype, *flat).reshape(shape)
    ((count,), *_) = shapes
    columns = sum(map(_is_column, arguments))
    made = 8 if np.dtype(dtype) != OBJECT else _STRING
    reserve(count * (8 * columns + made), "{} strings", count)
    rows = _rows(function, *arguments)
    if np.dtype(dtype) != OBJECT:
        return np.fromiter(rows, dtype, count)
    return np.array(list(rows), OBJECT)


def _rows(function: Callable[..., Any], *arguments: Any) -> Iterator[Any]:
    """`function` of each row, where there is a column among the arguments."""
    return map(function, *[a.tolist() if _is_column(a) else repeat(_plain(a)) for a in arguments])


def _is_column(value: Any) -> bool:
    return isinstance(value, np.ndarray | Strings) and cast(Any, value).ndim > 0


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _object(value: Any) -> Any:
    """A string as NumPy shall take it: of its own strings it drops NULs at the end."""
    return np.array(value, OBJECT) if isinstance(value, str) else plain_column(value)


def _compared(compare: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    if not (_is_column(a) or _is_column(b)):
        return compare(a, b)
    made = string_kernels.compared(compare, a, b)
    if made is not None:
        return made
    result = compare(_object(a), _object(b))
    return result.astype(np.bool_, copy=False) if _is_column(result) else result


def eq(a: Any, b: Any) -> Any:
    """Return whether the strings are equal."""
    return _compared(operator.eq, a, b)


def ne(a: Any, b: Any) -> Any:
    """Return whether the strings differ."""
    return _compared(operator.ne, a, b)


def lt(a: Any, b: Any) -> Any:
    """Return whether `a` comes before `b` by code points."""
    return _compared(operator.lt, a, b)


def le(a: Any, b: Any) -> Any:
    """Return whether `a` comes before `b`, or is equal."""
    return _compared(operator.le, a, b)


def gt(a: Any, b: Any) -> Any:
    """Return whether `a` comes after `b`."""
    return _compared(operator.gt, a, b)


def ge(a: Any, b: Any) -> Any:
    """Return whether `a` comes after `b`, or is equal."""
    return _compared(operator.ge, a, b)


def concat(a: Any, b: Any, *, at: str = "") -> Any:
    """`a`, then `b`."""
    if not (_is_column(a) or _is_column(b)):
        length = len(a) + len(b)
        reserve(getsizeof(a) + getsizeof(b), "a string of {} characters", length, at=at)
        return a + b
    made = string_kernels.concat(a, b, at)
    if made is not None:
        return made
    one, other = _object(a), _object(b)
    count = max(one.size, other.size)
    characters = _characters(one) * (count // max(one.size, 1))
    characters += _characters(other) * (count // max(other.size, 1))
    size = count * _STRING + characters
    reserve(size, "{} strings of {} characters", count, characters, at=at)
    return one + other


def _characters(strings: NDArray[Any]) -> int:
    """Return how many characters the strings have together."""
    return sum(map(len, strings.reshape(-1).tolist()))


def length(a: Any) -> Any:
    """The number of characters."""
    if isinstance(a, Strings):
        return string_kernels.length(a)
    return _mapped(len, np.int64, a)


def contains(a: Any, b: Any) -> Any:
    """Return whether `b` occurs in `a`."""
    made = string_kernels.contains(a, b)
    return _mapped(operator.contains, np.bool_, a, b) if made is None else made


def starts_with(a: Any, b: Any) -> Any:
    """Return whether `a` begins with `b`."""
    made = string_kernels.starts_with(a, b)
    return _mapped(str.startswith, np.bool_, a, b) if made is None else made


def ends_with(a: Any, b: Any) -> Any:
    """Return whether `a` ends with `b`."""
    made = string_kernels.ends_with(a, b)
    return _mapped(str.endswith, np.bool_, a, b) if made is None else made


def index_of(a: Any, b: Any) -> Any:
    """Return where `b` first occurs in `a`, or -1."""
    made = string_kernels.index_of(a, b)
    return _mapped(str.find, np.int64, a, b) if made is None else made


def replace(a: Any, b: Any, c: Any, *, at: str = "") -> Any:
    """`a` with `c` in the place of each `b`."""
    made = string_kernels.replace(a, b, c, at)
    return _mapped(partial(_replaced, at), OBJECT, a, b, c) if made is None else made


def _replaced(at: str, text: str, old: str, new: str) -> str:
    if len(new) > len(old):
        length = len(text) + text.count(old) * (len(new) - len(old))
        reserve(length, "a string of {} characters", length, at=at)
    return text.replace(old, new)


def lower(a: Any) -> Any:
    """In lower case."""
    made = string_kernels.lower(a) if isinstance(a, Strings) else None
    return _mapped(str.lower, OBJECT, a) if made is None else made


def upper(a: Any) -> Any:
    """In upper case."""
    made = string_kernels.upper(a) if isinstance(a, Strings) else None
    return _mapped(str.upper, OBJECT, a) if made is None else made


def trim(a: Any) -> Any:
    """Without white space at the ends."""
    made = string_kernels.trim(a) if isinstance(a, Strings) else None
    return _mapped(str.strip, OBJECT, a) if made is None else made


def from_int(a: Any) -> Any:
    """The decimal digits."""
    made = string_values.digits(cast(NDArray[Any], a)) if _is_column(a) else None
    return _mapped(str, OBJECT, a) if made is None else made


def from_complex(a: Any) -> Any:
    """Complex numbers as Python spells them: `(1+2j)`."""
    return _mapped(str, OBJECT, np.asarray(a, np.complex128) if _is_column(a) else complex(a))


def from_unsigned(a: Any) -> Any:
    """The decimal digits of an integer without a sign."""
    return from_int(a)


def from_double(a: Any) -> Any:
    """The shortest digits that read back as the same number."""
    if isinstance(a, int | float):
        return repr(float(a))
    return _mapped(repr, OBJECT, np.asarray(a, np.float64) if _is_column(a) else np.float64(a))


def from_boolean(a: Any) -> Any:
    """`true` or `false`."""
    return _mapped(_from_boolean, OBJECT, a)


def _from_boolean(value: bool) -> str:
    return "true" if value else "false"


def from_char(a: Any) -> Any:
    """The string of one character."""
    return _mapped(chr, OBJECT, a)


def split(a: Any, separator: Any) -> Any:
    """The parts of `a` between the separators: `Lists`, or a batch of one column.

    The empty separator splits into characters.
    """
    if not (_is_column(a) or _is_column(separator)):
        return (_strings(_parts(a, separator)),)
    made = string_kernels.split(a, separator)
    if made is not None:
        return made
    rows = list(_rows(_parts, a, separator))
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    return Lists.of_lengths((_strings(list(chain.from_iterable(rows))),), lengths)


def _parts(text: str, separator: str) -> list[str]:
    return text.split(separator) if separator else list(text)


def _strings(texts: list[str]) -> NDArray[Any]:
    return np.array(texts, OBJECT)


def char_at(a: Any, position: Any, at: str = "") -> Any:
    """The code point at a position."""
    made = string_kernels.char_at(a, position)
    return _mapped(_checked(_char_at, at), np.int32, a, position) if made is None else made


def substring(a: Any, start: Any, end: Any, at: str = "") -> Any:
    """From `start` to before `end`, which lie inside the string."""
    made = string_kernels.substring(a, start, end)
    return _mapped(_checked(_substring, at), OBJECT, a, start, end) if made is None else made


def to_int(a: Any, at: str = "") -> Any:
    """The integer that the digits spell."""
    return _spelt(string_values.integers, _checked(_to_int, at), np.int64, a)


def to_double(a: Any, at: str = "") -> Any:
    """The number that the text spells."""
    return _spelt(string_values.doubles, _checked(_to_double, at), np.float64, a)


def _spelt(
    read: Callable[[Spans], tuple[NDArray[Any], NDArray[Any]]],
    function: Callable[[str], Any],
    dtype: DTypeLike,
    a: Any,
) -> Any:
    """The numbers that `a` spells: those that `read` does not find are what `function` says."""
    if not isinstance(a, Strings):
        return _mapped(function, dtype, a)
    values, found = read(a.spans)
    left = np.flatnonzero(~found)
    if len(left):
        values[left] = _mapped(function, dtype, a[left])
    return values


def _checked(function: Callable[..., Any], at: str) -> Callable[..., Any]:
    """`function`, whose failures are said to have happened at `at`."""

    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except ValueError as error:
            raise RunError(f"{at}: {error}" if at else str(error)) from None

    return call


def _char_at(text: str, position: int) -> int:
    if not 0 <= position < len(text):
        raise ValueError(f"position {position} is outside a string of length {len(text)}")
    return ord(text[position])


def _substring(text: str, start: int, end: int) -> str:
    if not 0 <= start <= end <= len(text):
        where = f"the positions {start} to {end} are"
        raise ValueError(f"{where} outside a string of length {len(text)}")
    return text[start:end]


def _to_int(text: str) -> int:
    # 64 bits have 19 digits at most; Python refuses to read thousands.
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{_shown(text)} is no integer")
    value = int(text) if len(text.strip().lstrip("+-0")) < 20 else 2**63
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"{_shown(text)} does not fit in 64 bits")
    return value


def _to_double(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{_shown(text)} is no number")
    return float(text)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")
