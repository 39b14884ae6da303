"""Kinds of values from their texts, which are the types of the language.

    parse_kind("list[<x: Double, n: Int>]")
        ->  ListKind(TupleKind((ScalarKind("f64"), ScalarKind("i64")), ("x", "n")))

Emitted programs say so what callers give and get where the element types of columns do not: records
have names, and a tuple in a row is a tuple to the caller.
"""

from __future__ import annotations

import re

from diablo.runtime.io.wanted import Wanted, wanted_of
from diablo.runtime.value_kinds import ArrayKind, Kind, ListKind, MapKind, ScalarKind, TupleKind
from diablo.scalar_table import BY_NAME

_WORDS = re.compile(r"\w+|[^\w\s]")
_RANKS = {"vector": 1, "matrix": 2}


def wanted(text: str) -> Wanted:
    """Return what a caller must give for an input of the type that a text is."""
    return wanted_of(parse_kind(text))


def parse_kind(text: str) -> Kind:
    """Return what values of the type that a text is are made of; the inverse of `str`.

    Raises
    ------
    ValueError
        If the text is no type.
    """
    words = _WORDS.findall(text)
    words.reverse()
    try:
        kind = _kind(words)
    except (IndexError, KeyError):
        raise ValueError(f"{text!r} is no type") from None
    if words:
        raise ValueError(f"{text!r} is no type")
    return kind


def _kind(words: list[str]) -> Kind:
    """The kind that is next; `words` are those that are left, the next one last."""
    word = words.pop()
    match word:
        case "(":
            items = [_kind(words)]
            while _goes_on(words, ")"):
                items.append(_kind(words))
            return TupleKind(tuple(items))
        case "<":
            fields = [_field(words)]
            while _goes_on(words, ">"):
                fields.append(_field(words))
            return TupleKind(tuple(kind for _, kind in fields), tuple(name for name, _ in fields))
        case "list":
            (row,) = _between_brackets(words, 1)
            return ListKind(row)
        case "map":
            key, value = _between_brackets(words, 2)
            return MapKind(key, value)
        case _ if word in BY_NAME:
            return ScalarKind(BY_NAME[word].element)
        case _:
            rank = _RANKS[word] if word in _RANKS else _number_of_axes(word)
            (element,) = _between_brackets(words, 1)
            return ArrayKind(rank, element)


def _number_of_axes(word: str) -> int:
    found = re.fullmatch(r"array(\d+)", word)
    if found is None:
        raise KeyError(word)
    return int(found.group(1))


def _field(words: list[str]) -> tuple[str, Kind]:
    name = words.pop()
    _take(words, ":")
    return name, _kind(words)


def _between_brackets(words: list[str], count: int) -> list[Kind]:
    _take(words, "[")
    kinds = [_kind(words)]
    while _goes_on(words, "]"):
        kinds.append(_kind(words))
    if len(kinds) != count:
        raise KeyError(count)
    return kinds


def _goes_on(words: list[str], end: str) -> bool:
    """Take a comma, behind which there is more, or the end."""
    word = words.pop()
    if word not in (",", end):
        raise KeyError(word)
    return word == ","


def _take(words: list[str], expected: str) -> None:
    if words.pop() != expected:
        raise KeyError(expected)
