"""Functions of `Strings`, in machine code or over all bytes at once.

Each returns None where it has no way that is faster than through Python's strings: then
`rows.strings` takes that. Scalars stand for all rows, and are given as Python's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.memory_limit import reserve
from diablo.runtime.rows import string_spans
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_characters import characters
from diablo.runtime.rows.string_column import Strings, joined, of_text
from diablo.runtime.rows.string_spans import PADDING, Spans, padded

Array = NDArray[Any]

_SPACE = np.zeros(256, np.bool_)
"""The bytes that are white space to Python, of ASCII's."""
_SPACE[[code for code in range(128) if chr(code).isspace()]] = True

_CONTROLS = range(1, 32)
"""Bytes that texts hardly have, but for some at the ends of lines."""

_MATCHES = {"eq": (False, False), "starts_with": (True, False), "ends_with": (True, True)}
"""The functions that look for a string in another one: in a part of it, and whether at its end."""
_ORDERS = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}
"""The functions that compare strings."""
_MIRRORED = {
    operator.eq: operator.eq,
    operator.ne: operator.ne,
    operator.lt: operator.gt,
    operator.le: operator.ge,
    operator.gt: operator.lt,
    operator.ge: operator.le,
}


@cache
def _spaces_beyond_ascii() -> Sequence[bytes]:
    return [chr(code).encode() for code in range(128, 1 << 16) if chr(code).isspace()]


def compared(compare: Callable[[Any, Any], Any], a: Any, b: Any) -> Array | None:
    """`compare` of the strings, as the operator compares them."""
    if isinstance(a, Strings):
        return a.compared(compare, b)
    return b.compared(_MIRRORED[compare], a) if isinstance(b, Strings) else None


def concat(a: Any, b: Any, at: str) -> Strings | None:
    """`a`, then `b`."""
    return joined(a, b, at) if isinstance(a, Strings) or isinstance(b, Strings) else None


def length(a: Strings) -> Array:
    """The number of characters."""
    return a.spans.lengths if a.is_ascii else string_spans.characters(a.spans)


def contains(a: Any, b: Any) -> Array | None:
    """Return whether `b` occurs in `a`."""
    places = _places(a, b)
    return None if places is None else places >= 0


def index_of(a: Any, b: Any) -> Array | None:
    """Return where `b` first occurs in `a`, or -1."""
    places = _places(a, b)
    if places is None or not isinstance(a, Strings) or a.is_ascii:
        return places if isinstance(a, Strings) else None
    # The characters of what is before it.
    before = Spans(a.spans.data, a.spans.starts, np.maximum(places, 0))
    return np.where(places > 0, string_spans.characters(before), places)


def _places(a: Any, b: Any) -> Array | None:
    if isinstance(b, str) and isinstance(a, Strings):
        if not b:
            return np.zeros(len(a), np.int64)
        return string_spans.places_of(a.spans, string_spans.one(b))
    if not isinstance(b, Strings):
        return None
    if isinstance(a, str):
        return string_spans.places_of(string_spans.one(a).take(np.zeros(len(b), np.int64)), b.spans)
    if not isinstance(a, Strings) or len(b) != len(a):
        return None
    return string_spans.places_of(a.spans, b.spans)


def of_all_pairs(name: str, a: Strings, b: Strings) -> Array | None:
    """Return a function of two strings, by its name, of each of `a` with each of `b`.

    None if it has no loop over pairs.
    """
    one, other = a.spans, b.spans
    if name in _MATCHES:
        part, at_end = _MATCHES[name]
        made = string_spans.matched(one, other, part=part, at_end=at_end, all_pairs=True)
    elif name in _ORDERS:
        made = _ORDERS[name](string_spans.compared(one, other, all_pairs=True), 0)
    elif name == "ne":
        made = ~string_spans.matched(one, other, all_pairs=True)
    elif name == "contains":
        made = string_spans.places_of(one, other, all_pairs=True) >= 0
    else:
        return None
    return made.reshape(len(a), len(b))


def starts_with(a: Any, b: Any) -> Array | None:
    """Return whether `a` begins with `b`."""
    return _has_at_end(a, b, last=False)


def ends_with(a: Any, b: Any) -> Array | None:
    """Return whether `a` ends with `b`."""
    return _has_at_end(a, b, last=True)


def _has_at_end(a: Any, b: Any, *, last: bool) -> Array | None:
    return a.matched(b, part=True, at_end=last) if isinstance(a, Strings) else None


def lower(a: Strings) -> Strings | None:
    """In lower case."""
    return _in_case(a, bytes.lower, str.lower)


def upper(a: Strings) -> Strings | None:
    """In upper case."""
    return _in_case(a, bytes.upper, str.upper)


def _in_case(
    a: Strings, of_bytes: Callable[[bytes], bytes], of_text: Callable[[str], str]
) -> Strings | None:
    if not a.is_ascii:
        return _of_whole(a, of_text)
    column = a.compacted() if a.wastes() else a
    data, starts, lengths = column.spans
    return Strings(
        Spans(padded(of_bytes(data[:-PADDING].tobytes())), starts, lengths), is_ascii=True
    )


def replace(a: Any, b: Any, c: Any, at: str) -> Strings | None:
    """`a` with `c` in the place of each `b`, which are scalars."""
    if not (isinstance(a, Strings) and isinstance(b, str) and isinstance(c, str)):
        return None
    if not b or "\0" in b or "\0" in c:
        return None

    wanted, made = [part.encode(errors="surrogatepass") for part in (b, c)]
    held = _held(a)
    if held is None:
        return None
    size = 2 * len(held) + held.count(wanted) * max(0, len(made) - len(wanted))
    reserve(size, "{} strings of {} bytes", len(a), size, at=at)
    spans = string_spans.separated(padded(held.replace(wanted, made)[:-1]), 0)
    return Strings(spans, is_ascii=a.is_ascii and c.isascii())


def _held(a: Strings) -> bytes | None:
    """The bytes of all strings, with a NUL behind each; None if one holds a NUL, or none is."""
    held = a.compacted().spans.data[:-PADDING].tobytes()
    return held if len(a) and held.count(0) == len(a) else None


def _of_whole(a: Strings, function: Callable[[str], str]) -> Strings | None:
    """Return what `function` makes of all strings at once, if none holds a NUL: it parts them."""
    text = a.text()
    if text.count("\0") != len(a):
        return None
    reserve(2 * len(text), "{} strings of {} characters", len(a), len(text))
    return of_text(function(text), len(a))


def trim(a: Strings) -> Strings | None:
    """Without white space at the ends, of ASCII's: None where there may be other."""
    if not a.is_ascii:
        held = a.spans.data.tobytes()
        if any(space in held for space in _spaces_beyond_ascii()):
            return None
    return a.moved(*string_spans.trimmed(a.spans, _SPACE)[1:])


def split(a: Any, separator: Any) -> Lists | None:
    """The parts between the separators, one for all; those of the empty one are the characters."""
    if not (isinstance(a, Strings) and isinstance(separator, str)):
        return None
    if not separator:
        found = characters(a)
        return Lists.of_lengths((Strings(found.each(), is_ascii=a.is_ascii),), found.counts)
    if len(separator) == 1 and separator.isascii():
        return _parts(a.spans, ord(separator), a)
    return _split_by_several(a, separator.encode(errors="surrogatepass"))


def _parts(strings: Spans, separator: int, a: Strings) -> Lists:
    spans, counts = string_spans.parts(strings, separator)
    return Lists.of_lengths((Strings(spans, is_ascii=a.is_ascii),), counts)


def _split_by_several(a: Strings, separator: bytes) -> Lists | None:
    """The parts between separators of several bytes, for which a byte that is nowhere stands in."""
    if 0 in separator:  # It would reach from a string into the next one.
        return None
    text = _held(a)
    if text is None:
        return None
    free = next((code for code in _CONTROLS if bytes([code]) not in text), None)
    if free is None:
        return None
    reserve(2 * len(text), "the parts of {} strings", len(a))
    marked = text.replace(separator, bytes([free]))[:-1]
    return _parts(string_spans.separated(padded(marked), 0), free, a)


def char_at(a: Any, position: Any) -> Array | None:
    """The code point at a position; None if one is outside."""
    if not isinstance(a, Strings) or not _inside(position, position, length(a) - 1):
        return None
    if not a.is_ascii:
        return characters(a).codes(position)
    return a.spans.data.take(a.spans.starts + position).astype(np.int32)


def substring(a: Any, start: Any, end: Any) -> Strings | None:
    """From `start` to before `end`; None if that is outside."""
    if not isinstance(a, Strings) or not _inside(start, end, length(a)):
        return None
    if not a.is_ascii:
        return Strings(characters(a).between(start, end), is_ascii=False)
    size = np.broadcast_to(np.asarray(end - start, np.int64), len(a))
    return a.moved(a.spans.starts + start, np.ascontiguousarray(size))


def _inside(start: Any, end: Any, most: Array) -> bool:
    """Whether all of 0, `start`, `end` and `most` are in order."""
    starts = np.asarray(start)
    return bool(((starts >= 0) & (starts <= end) & (end <= most)).all())
