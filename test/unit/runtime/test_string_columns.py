"""Columns of strings as bytes, against columns of objects."""

import mmap
import operator
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import diablo
from diablo.diagnostics import RunError
from diablo.lowering.numpy.numpy_pairs import OF_ALL_PAIRS
from diablo.runtime import rows
from diablo.runtime.io.arrow_strings import arrow_strings
from diablo.runtime.io.arrow_tables import column_of
from diablo.runtime.io.inputs import load
from diablo.runtime.io.text_input import read_lines
from diablo.runtime.io.wanted import WantedRows
from diablo.runtime.native import written_loops
from diablo.runtime.ordering import ascending_order
from diablo.runtime.results.aliases import detach
from diablo.runtime.rows import (
    encoded_columns,
    group_reduce,
    join,
    string_column,
    string_kernels,
    string_numbers,
    string_spans,
    strings,
)
from diablo.runtime.rows.adjacent_strings import AdjacentStrings
from diablo.runtime.rows.coded_strings import CodedStrings
from diablo.runtime.rows.columns import concat_columns
from diablo.runtime.rows.string_column import Strings, StringsOfOneLength
from diablo.runtime.rows.string_spans import PADDING
from diablo.runtime.value_kinds import ScalarKind

PIECES = [
    *("a", "b", "A", " ", "  ", "é", "Σ", "ß", "\0", "\U0001f600", "\ud800", "\n", "\x1c", "İ"),
    *("word", "abcdefgh", "abcdefghijklmnop"),
]
ASCII = [piece for piece in PIECES if piece.isascii()]


@pytest.fixture(autouse=True)
def _from_the_first_string_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written_loops, "WORTH_COMPILING", 0)
    monkeypatch.setattr(string_spans, "FEW", 0)


def objects(values: list[str]) -> Any:
    return np.array(values, object)


def column(values: list[str]) -> Strings:
    found = Strings.of(values)
    assert found is not None
    return found


class Drawn:
    """Two columns of words, one of them in any order, each as bytes and as objects; scalars."""

    def __init__(self, seed: int):
        self.draw = random.Random(seed)
        self.pieces = self.draw.sample(ASCII if seed % 2 else PIECES, 4)
        self.count = self.draw.randrange(1, 30)
        self.a = [self.word() for _ in range(self.count)]
        self.b = [self.word() for _ in range(self.count)]
        self.s, self.t = self.word(), self.word()
        order = np.array([self.draw.randrange(self.count) for _ in self.a])
        self.A = column(self.a).take(order)
        self.a = [self.a[k] for k in order]
        self.B = column(self.b)
        self.X, self.Y = objects(self.a), objects(self.b)

    def word(self) -> str:
        return "".join(self.draw.choices(self.pieces, k=self.draw.randrange(5)))


def lists(batch: Any) -> list[Any]:
    return [part.tolist() for part in batch]


@pytest.fixture(params=range(40))
def drawn(request: pytest.FixtureRequest) -> Drawn:
    return Drawn(request.param)


def test_as_columns(drawn: Drawn):
    a, b = drawn.A, drawn.B
    assert a.tolist() == list(a) == np.asarray(a).tolist() == drawn.a
    assert [a[k] for k in range(len(a))] == drawn.a
    assert a[2:5].tolist() == drawn.a[2:5]
    chosen = np.array([w > drawn.s for w in drawn.a])
    assert a[chosen].tolist() == [w for w in drawn.a if w > drawn.s]
    assert pickle.loads(pickle.dumps(a)).tolist() == a.compacted().tolist() == drawn.a
    assert concat_columns([a, b, a[:0]]).tolist() == drawn.a + drawn.b
    assert concat_columns([a, drawn.Y]).tolist() == drawn.a + drawn.b
    assert (a + "x" + b).tolist() == [v + "x" + w for v, w in zip(drawn.a, drawn.b, strict=True)]
    assert ("x" + a).tolist() == ["x" + w for w in drawn.a]
    assert (a < drawn.s).tolist() == (drawn.s > a).tolist() == [w < drawn.s for w in drawn.a]


PAIRS = ["eq", "ne", "lt", "le", "gt", "ge", "concat"]
PAIRS += ["contains", "starts_with", "ends_with", "index_of", "split"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", PAIRS)
def test_functions_of_two(name: str, drawn: Drawn):
    function = getattr(strings, name)
    a, b, x, y, s = drawn.A, drawn.B, drawn.X, drawn.Y, drawn.s
    for given, same in [((a, b), (x, y)), ((a, s), (x, s)), ((s, a), (s, x)), ((a, y), (x, y))]:
        found, expected = function(*given), function(*same)
        assert found.tolist() == expected.tolist()
        assert getattr(found, "dtype", None) == getattr(expected, "dtype", None)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", PAIRS)
def test_functions_of_numpys_strings(name: str, drawn: Drawn):
    """They are compared where they are, and become bytes for all else."""
    function = getattr(strings, name)
    array = np.array(drawn.a)
    column, same = Strings.over_array(array), objects(array.tolist())
    assert isinstance(column, StringsOfOneLength)
    for scalar in (drawn.s, drawn.a[0], array[0].item(), "", drawn.a[0][:1] + "\0"):
        found = function(column, scalar)
        assert found.tolist() == function(same, scalar).tolist()
    assert function(column, drawn.B).tolist() == function(same, drawn.Y).tolist()
    chosen = np.flatnonzero(np.arange(drawn.count) % 2)
    assert column.take(chosen).tolist() == column[chosen].tolist() == same[chosen].tolist()
    assert pickle.loads(pickle.dumps(column)).tolist() == list(column) == same.tolist()


def test_filters_make_no_bytes_of_numpys_strings(monkeypatch: pytest.MonkeyPatch):
    column = Strings.over_array(np.array(["ab", "b", "a"]))
    assert column is not None

    def refused(*_: Any) -> Any:
        raise AssertionError("bytes were made")

    with monkeypatch.context() as patched:
        patched.setattr(string_spans, "of_one_length", refused)
        assert (column == "a").tolist() == [False, False, True]
        assert strings.starts_with(column, "a").tolist() == [True, False, True]
        assert column[np.array([2, 0])].tolist() == ["a", "ab"]
        with pytest.raises(AssertionError, match="bytes"):
            strings.ends_with(column, "b")
    assert strings.ends_with(column, "b").tolist() == [True, True, False]


def test_results_do_not_share_a_callers_strings():
    array = np.array(["ab", "b"])
    column = Strings.over_array(array)
    (kept,) = detach((column,), {"L": (array,)})
    array[0] = "zz"
    assert kept.tolist() == ["ab", "b"]


def test_what_is_written_to_numpys_strings_changes_all_or_nothing():
    array = np.array(["ab", "b"])
    column = Strings.over_array(array)
    assert column is not None
    array[0] = "a"
    assert (column == "a").tolist() == [True, False]
    assert column.numbered() is not None  # Bytes are made.
    array[0] = "zz"
    assert column.tolist() == column[:].tolist() == [column[0], column[1]] == ["a", "b"]
    assert (column == "a").tolist() == (column.take([0, 1]) == "a").tolist() == [True, False]


@pytest.mark.parametrize("threads", ["1", "2", "3"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_strings_at_places(threads: str, dtype: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    words = ["a", "", "bcd", "é" * 9]
    places = np.array([3, 3, 0, 1, 2], dtype)
    taken = column(words).take(places)
    assert taken.tolist() == [words[k] for k in places]
    assert (taken == words[3]).tolist() == [True, True, False, False, False]
    assert strings.ends_with(taken, "d").tolist() == [False] * 4 + [True]
    assert column(words).take([1, 2]).tolist() == words[1:3]


def test_functions_of_one(drawn: Drawn):
    a, x = drawn.A, drawn.X
    for name in ("length", "lower", "upper", "trim"):
        function = getattr(strings, name)
        assert function(a).tolist() == function(x).tolist()
    assert lists([strings.replace(a, drawn.s, drawn.t)]) == lists(
        [strings.replace(x, drawn.s, drawn.t)]
    )


def test_positions_inside_and_outside(drawn: Drawn):
    zeros = np.zeros(drawn.count, np.int64)
    calls = [("substring", 0, 1), ("substring", 1, 2), ("substring", 2, 1), ("char_at", 0)]
    calls += [("substring", zeros, strings.length(drawn.A)), ("to_int",)]
    for name, *more in calls:
        results: list[Any] = []
        for given in (drawn.A, drawn.X):
            try:
                results.append(getattr(strings, name)(given, *more).tolist())
            except RunError as error:
                results.append(str(error))
        assert results[0] == results[1]


def test_groups_and_joins(drawn: Drawn):
    a, b, x, y, n = drawn.A, drawn.B, drawn.X, drawn.Y, np.arange(drawn.count)
    for given, same, keys, monoids in [
        ((a,), (x,), 1, ()),
        ((a, n), (x, n), 1, ("add",)),
        ((a, b), (x, y), 1, ("any",)),
        ((a, n, b), (x, n, y), 1, ("add", "any")),
        ((a, b, n), (x, y, n), 2, ("add",)),
    ]:
        expected = lists(group_reduce(same, keys, monoids))
        assert lists(group_reduce(given, keys, monoids)) == expected
    expected = lists(join((x, n), (y, n), [0], [0]))
    for left, right in [(a, b), (a, y), (x, b)]:
        assert lists(join((left, n), (right, n), [0], [0])) == expected


def test_many_distinct_strings():
    """The table grows several times, and words agree in more than their first eight bytes."""
    draw = random.Random(3)
    words = [f"a long prefix {draw.randrange(30_000)}" for _ in range(40_000)]
    ((found,), (expected,)) = group_reduce((column(words),), 1, ()), (sorted(set(words)),)
    assert found.tolist() == expected
    words = ["", "\0", "\0\0", "a\0", "a", "a" * 8, "a" * 8 + "\0", "a" * 16]
    ((found,), (expected,)) = group_reduce((column(words),), 1, ()), (sorted(set(words)),)
    assert found.tolist() == expected


@pytest.mark.parametrize("threads", ["1", "2", "3"])
@pytest.mark.parametrize(
    "form", ["{0}", "{1}{0}", "a common beginning {1} {0}", "{0:04d}\0{1}", "é{1}"]
)
def test_order_of_distinct_strings(form: str, threads: str, monkeypatch: pytest.MonkeyPatch):
    """Of few and of many groups that agree in what has been compared."""
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    draw = random.Random(4)
    for count, most in ((1, 5), (2, 5), (70, 3), (3000, 100), (3000, 10**12)):
        texts = [form.format(k, "ab" * (k % most)) for k in draw.sample(range(10**6), count)]
        words = [*{text[: draw.randrange(200)] for text in texts}]
        order = string_spans.ascending(Strings.of_any(words).spans)
        assert [words[k] for k in order] == sorted(words)


def test_groups_leave_no_room_for_bytes_beside_them(monkeypatch: pytest.MonkeyPatch):
    """Many words, of which pairs agree: then they are sorted by bytes and groups apart."""
    monkeypatch.setattr(string_spans, "_BITS", 24)
    words = [f"{k // 2:010d}{'b' * 9}{k % 2}" for k in random.Random(1).sample(range(5000), 5000)]
    order = string_spans.ascending(Strings.of_any(words).spans)
    assert [words[k] for k in order] == sorted(words)


@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_threads_copy_strings(threads: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    draw = random.Random(7)
    for longest in (1, 3, 20):
        left, right = [
            [draw.choice("abc") * draw.randrange(longest) for _ in range(500)] for _ in "ab"
        ]
        one, other = Strings.of_any(left), Strings.of_any(right)
        assert (one + other).tolist() == [a + b for a, b in zip(left, right, strict=True)]
        assert one.take(np.arange(0, 500, 3)).compacted().tolist() == left[::3]


def check_numbers(words: list[str]) -> None:
    """Equal strings have one number, in the order in which they first come."""
    texts = list(map(str.encode, words))
    data = np.frombuffer(b"ab" + b"".join(texts) + bytes(string_spans.PADDING), np.uint8)
    ends = np.cumsum([7, *map(len, texts)])
    forms = [string_spans.Adjacent(data[2:], ends.astype(type), 7) for type in (np.int32, np.int64)]
    for places in (Strings.of_any(words).spans, *forms):
        found = string_numbers.numbered(places)
        assert found is not None
        codes, distinct = found
        expected: dict[str, int] = {}
        assert codes.tolist() == [expected.setdefault(word, len(expected)) for word in words]
        assert Strings(distinct, is_ascii=True).tolist() == list(expected)


@pytest.mark.parametrize(
    ("count", "most"), [(0, 1), (1, 1), (5, 5), (100, 3), (2000, 9), (2000, 999)]
)
@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_threads_number_strings_alike(
    count: int, most: int, threads: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    monkeypatch.setattr(string_numbers, "SAMPLE", 32)
    monkeypatch.setattr(string_numbers, "_FIRST_ROOM", 4)
    draw = random.Random(count)
    words = [f"{'long ' * (k % 5)}{k}" for k in draw.choices(range(most), k=count)]
    check_numbers(words)


@pytest.mark.parametrize("most", [3, 90, 1500])
def test_what_later_threads_find_comes_behind(most: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", "3")
    monkeypatch.setattr(string_numbers, "are_few", lambda _: True)
    monkeypatch.setattr(string_numbers, "_FIRST_ROOM", 4)
    words = [f"{'long ' * (k % 5)}{k * k % most}" for k in range(2000)]
    check_numbers(words)


@pytest.mark.parametrize(
    "form",
    [
        "k{:d}",
        "code{:04d}",
        "product_code{:04d}",
        "{:04d}{:04d}99999999",
        "{:04d}, of which {:d} more",
        "a rather long string, number {:d}",
    ],
)
def test_strings_that_differ_in_few_characters_begin_to_look_apart(
    form: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DIABLO_THREADS", "1")
    words = [form.format(k, k) for k in range(4000)]
    begun: list[Any] = []
    table = string_numbers._Table  # pyright: ignore[reportPrivateUsage]

    class Noted(table):
        def __init__(self, *given: Any):
            super().__init__(*given)
            begun.append(self)

    monkeypatch.setattr(string_numbers, "_Table", Noted)
    codes, distinct = string_numbers.numbered(column([*words, *words]).spans) or ([], None)
    assert list(codes) == [*range(4000), *range(4000)]
    assert distinct is not None
    assert len(distinct.starts) == 4000
    (whole,) = [one for one in begun if one.count == 4000]
    # Who begins in used slots goes on to the end of them.
    free = np.flatnonzero(whole._slots == -1)
    assert np.diff(free).max() < 100


def test_distinct_strings_are_ordered_without_numbers():
    words = ["b", "", "é", "a" * 20, "a" * 19 + "b", "a"]
    strings = column(words)
    assert strings.order_of_distinct() is None
    order = ascending_order([strings])
    assert [words[k] for k in cast(Any, order)] == sorted(words)
    numbers = strings.numbered()
    assert numbers is not None
    distinct = numbers[1]
    assert cast(Any, ascending_order([distinct])).tolist() == cast(Any, order).tolist()
    assert distinct.order_of_distinct() is not None
    assert ascending_order([distinct.distinct_ones(cast(Any, order))]) is None


@pytest.mark.parametrize("threads", ["1", "2", "3"])
@pytest.mark.parametrize("words", [[], [""], ["a b", "", " ", "c", "é  d"], ["a b c"] * 9])
def test_threads_split_strings(threads: str, words: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    parts = strings.split(Strings.of_any(words), " ")
    assert parts.tolist() == [word.split(" ") for word in words]


@pytest.mark.parametrize("threads", ["1", "2", "3"])
@pytest.mark.parametrize("longest", [1, 2, 5])
def test_strings_are_found_among_others(
    threads: str, longest: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    draw = random.Random(5)
    words = [f"{'long ' * (k % longest)}{k}" for k in draw.choices(range(900), k=1000)]
    held, sought = column(words[:600]), column([*words[300:], "", "none"])
    found = held.indexed()
    assert found is not None
    codes, index = found
    numbers = dict(zip(words[:600], codes.tolist(), strict=True))
    assert len(set(numbers.values())) == len(numbers)
    assert all(numbers[word] == code for word, code in zip(words, codes.tolist(), strict=False))
    expected = [numbers.get(word, -1) for word in sought.tolist()]
    assert -1 in expected
    for _ in range(2):  # The second time it is known.
        assert expected == cast(Any, sought.codes_in(index)).tolist()
    few = column(["b", "none", words[0]] * 2)
    assert few.numbered() is not None
    assert cast(Any, few.codes_in(index)).tolist() == [-1, -1, numbers[words[0]]] * 2


@pytest.mark.parametrize("few", [False, True])
def test_columns_share_numbers(few: bool, monkeypatch: pytest.MonkeyPatch):
    """Whether their strings are brought together first, or what is distinct of them alone."""
    monkeypatch.setattr(string_numbers, "are_few", lambda _: few)
    left, right = ["b", "a", "b", "é" * 20], ["c", "b", "é" * 20, "c"]
    for words in ([left, right], [left, []], [[], right], [right, left, right]):
        found = encoded_columns.numbered([Strings.of_any(each) for each in words])
        assert found is not None
        parts, distinct = found
        assert [distinct.take(part).tolist() for part in parts] == words
        assert len(set(distinct.tolist())) == len(distinct)


_SPELT = ["12", " 3\n", "-0.0", "+.5", "1e-320", "0.1", "9007199254740993", "1" * 30, "-inf", "2e9"]


def test_numbers_that_strings_spell():
    """Those that machine code leaves are read as the others."""
    found = strings.to_double(Strings.of_any(_SPELT))
    assert found.tobytes() == np.array([float(text) for text in _SPELT]).tobytes()
    whole = ["7", " 8 ", "+9", "-000000000000000000000000012", "9223372036854775807"]
    assert strings.to_int(Strings.of_any(whole)).tolist() == [int(text) for text in whole]


@pytest.mark.parametrize(
    ("convert", "texts", "message"),
    [
        (strings.to_int, ["1", "2.5", "x"], "a.diablo:1:2: '2.5' is no integer"),
        (strings.to_int, ["1", "9223372036854775808"], "does not fit in 64 bits"),
        (strings.to_double, ["1", "", "x"], "a.diablo:1:2: '' is no number"),
        (strings.to_double, ["1_0"], "'1_0' is no number"),
    ],
)
def test_what_spells_no_number(convert: Any, texts: list[str], message: str):
    with pytest.raises(RunError, match=re.escape(message)):
        convert(Strings.of_any(texts), "a.diablo:1:2")


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint64])
def test_digits_of_integers(dtype: Any):
    values = np.array([0, 100, 7, 2**63 - 1, 2**63 + 5], np.uint64).astype(dtype)
    found = strings.from_int(values[:4])
    assert isinstance(found, Strings)
    assert found.tolist() == [str(value) for value in values[:4].tolist()]
    assert strings.from_unsigned(values).tolist() == [str(value) for value in values.tolist()]
    assert strings.from_int(values[:0]).tolist() == []
    nothing = Strings.of_any(["1"])[:0]
    for convert in (strings.to_int, strings.to_double, strings.trim, strings.length):
        assert convert(nothing).tolist() == []
    for separator in ("", ",", ", "):
        assert strings.split(nothing, separator).tolist() == []


@pytest.mark.parametrize("separator", ["", ", ", "é", "ab", "aa", "€𝄞", "b\0"])
@pytest.mark.parametrize("more", ["", "\0", "\ud800", "".join(map(chr, range(1, 32)))])
def test_parts_between_any_separators(separator: str, more: str):
    words = ["", "a, b,, ", "aaabab", "é€𝄞é", ", ", "€𝄞€€𝄞" + more, ""]
    for positions in ([0, 1, 2, 3, 4, 5, 6], [4, 1, 1], []):
        column = Strings.of_any(words).take(np.array(positions, np.int64))
        found = strings.split(column, separator).tolist()
        given = [words[position] for position in positions]
        assert found == [word.split(separator) if separator else list(word) for word in given]


@pytest.mark.parametrize("words", [["aé", "€𝄞b", "ß\x7f"], ["\uffff\U0010ffffa", "\u07ff\u0800"]])
def test_places_in_strings_beyond_ascii(words: list[str]):
    column = Strings.of_any(words).take(np.array([1, 0, 1]))
    given = [words[1], words[0], words[1]]
    for start, end in ((0, 1), (1, 2), (np.array([0, 1, 1]), np.array([2, 1, 2]))):
        found = string_kernels.substring(column, start, end)
        assert found is not None
        places = zip(given, *np.broadcast_arrays(start, end, given)[:2], strict=True)
        assert found.tolist() == [word[first:last] for word, first, last in places]
    for position in (0, 1, np.array([1, 0, 0])):
        codes = string_kernels.char_at(column, position)
        assert codes is not None
        places = zip(given, np.broadcast_to(position, 3), strict=True)
        assert codes.tolist() == [ord(word[place]) for word, place in places]
    assert string_kernels.substring(column, 0, 4) is None
    assert string_kernels.char_at(column, 3) is None


@pytest.mark.parametrize("space", [" ", "\x85", "\xa0", "\u2003"])
def test_white_space_beyond_ascii(space: str):
    """Only of columns that have such is the end of each string looked at by Python."""
    words = [f" {space}é ", "é", f"{space}", f"a{space}ß"]
    column = Strings.of_any(words)
    assert (string_kernels.trim(column) is None) == (space != " ")
    assert strings.trim(column).tolist() == [word.strip() for word in words]


def test_separators_of_any_length_have_machine_code():
    """None is left to Python, but where strings have all bytes that could stand for one."""
    column = Strings.of_any(["a, b", "é"])
    for separator in ("", ", ", "é"):
        assert string_kernels.split(column, separator) is not None
    every = Strings.of_any(["".join(map(chr, range(1, 32)))])
    assert string_kernels.split(every, ", ") is None
    assert string_kernels.split(every, "") is not None


def test_few_strings_stay_objects(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(written_loops, "WORTH_COMPILING", 10**12)
    monkeypatch.setattr(string_spans, "WORTH_LINKING", 10**12)
    assert Strings.of(["a", "b"]) is None
    assert Strings.lines("a\nb") is None
    monkeypatch.setattr(written_loops, "WORTH_COMPILING", 0)
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    assert Strings.of(["a", "b"]) is None


def test_long_strings_are_as_much_work_as_many(monkeypatch: pytest.MonkeyPatch):
    counted: list[int] = []
    monkeypatch.setattr(string_spans, "repaid_loop", lambda count, *_, **__: counted.append(count))
    words, texts = ["a word"] * 1000, ["many words " * 100] * 1000
    for values in (words, texts, words[:3], np.array(texts)):
        (Strings.of_array if isinstance(values, np.ndarray) else Strings.of)(values)
    assert counted == [1000, 137_500, 3, 137_500]


def test_what_another_process_has_compiled_is_used_sooner(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(written_loops, "WORTH_COMPILING", 10**12)
    monkeypatch.setattr(string_spans, "WORTH_LINKING", 0)
    for kept in (False, True):
        monkeypatch.setattr(written_loops, "is_kept", lambda *_, kept=kept: kept)
        assert (Strings.of(["a", "b"]) is not None) == kept
    monkeypatch.setattr(string_spans, "FEW", 3)
    assert Strings.of(["a", "b"]) is None


@pytest.mark.parametrize(
    "words",
    [["a", "", "abc"], ["é", "a", ""], ["", ""], ["a\0b", "a\0", "\0"], ["\ud800", "a"]],
)
@pytest.mark.parametrize("order", ["<", ">"])
def test_numpys_strings(words: list[str], order: str):
    array = np.array(words).astype(np.array(words).dtype.newbyteorder(order))
    found = Strings.of_array(array)
    assert found is not None
    assert found.tolist() == array.tolist()
    assert found.is_ascii == all(map(str.isascii, words))
    every_other = Strings.of_array(np.repeat(array, 2)[::2])
    assert every_other is not None
    assert every_other.tolist() == array.tolist()


def test_they_travel_to_where_nothing_is_compiled():
    sent = pickle.dumps(column(["a", "é", "", "\ud800\0"])[1:])
    code = (
        "import pickle, sys\n"
        f"found = pickle.loads({sent!r})\n"
        "assert type(found).__name__ == 'ndarray', type(found)\n"
        "assert found.tolist() == ['é', '', '\\ud800\\0']\n"
    )
    environment = {"DIABLO_COMPILE": "never", "PYTHONPATH": str(Path(__file__).parents[3])}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


@pytest.mark.parametrize("text", ["", "\n", "a", "a\n", "a\r\nb c\n\n", "é\0\nb"])
def test_lines_of_files(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "lines.txt"
    path.write_text(text, encoding="utf-8", newline="")
    (found,) = read_lines(str(path))
    assert isinstance(found, Strings)
    monkeypatch.setattr(string_spans, "FEW", 10**12)
    (expected,) = read_lines(str(path))
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("type", ["string", "large_string"])
@pytest.mark.parametrize("words", [["a", "", "bc", "d" * 20], ["é", "", "\0", "ab"], [""] * 3])
def test_strings_one_behind_the_other(type: str, words: list[str], monkeypatch: pytest.MonkeyPatch):
    arrow = pytest.importorskip("pyarrow")
    monkeypatch.setattr(string_spans, "WORTH_TAKING", 0)
    for begin, end in ((0, None), (1, None), (1, 3)):
        column = arrow_strings(column_of(arrow.array(words, type)[begin:end], "W"))
        assert isinstance(column, AdjacentStrings)
        expected = words[begin:end]
        positions = np.array([1, 0, 1], np.int32)
        # Its places are not looked at for those that are taken, nor its bytes.
        with monkeypatch.context() as context:
            context.setattr(string_spans.Adjacent, "spans", None)
            context.setattr(string_spans, "are_ascii", None)
            taken = column.take(positions)
            assert len(column) == len(expected)
            assert column.take(positions.astype(np.int64)).tolist() == taken.tolist()
            numbers, distinct = cast("tuple[Any, Strings]", column.numbered())
            assert distinct.take(numbers).tolist() == expected
            assert numbers.max() + 1 == len(distinct) == len(set(expected))
            for one in (*words, "d" * 8, "d" * 9, "xd", "\0\0"):
                assert (column == one).tolist() == [word == one for word in expected]
                begins = [word.startswith(one) for word in expected]
                assert column.matched(one, part=True).tolist() == begins
                ends = [word.endswith(one) for word in expected]
                assert column.matched(one, part=True, at_end=True).tolist() == ends
        wanted = [expected[k] for k in positions]
        assert taken.tolist() == column.take(positions.astype(np.int64)).tolist() == wanted
        assert taken.is_ascii == column.is_ascii == "".join(expected).isascii()
        both = Strings.concat([taken, column])
        assert both.tolist() == wanted + expected
        assert both.is_ascii == column.is_ascii
        assert column.take(positions).tolist() == column[positions].tolist() == wanted
        assert column[:2].tolist() == expected[:2]
        assert column[-1] == expected[-1]
        assert pickle.loads(pickle.dumps(column)).tolist() == expected


@pytest.mark.parametrize("behind", [0, 1, 15, 16, 17, 4096])
def test_bytes_are_read_where_they_lie_if_there_is_room_behind(behind: int):
    pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    whole = np.frombuffer(pages, np.uint8)
    text = np.frombuffer(b"some text", np.uint8)
    size, end = len(text), len(whole) - behind
    whole[end - size : end] = text
    held = whole[:end]
    found = string_spans.bytes_of(memoryview(held), end - size, end)
    assert found[:-PADDING].tobytes() == b"some text"
    assert len(found) == size + PADDING
    found.sum()  # All of it can be read.
    is_shared = np.may_share_memory(found, whole)
    assert is_shared == (behind >= PADDING and behind != 4096)
    more = string_spans.bytes_of(memoryview(whole), end - size, end)
    assert np.may_share_memory(more, whole) == (behind >= PADDING)
    assert string_spans.bytes_of(None, 0, 0).tolist() == [0] * PADDING


@pytest.mark.parametrize("text", ["", "a", "a" * 8, "é", "a" * 8 + "é", "é" * 3 + "a" * 9])
def test_all_bytes_are_looked_at_for_other_characters(text: str):
    data = string_spans.padded(text.encode())
    data[-PADDING:] = 255
    assert string_spans.are_ascii(data) == text.isascii()


def coded(form: str, values: list[str]) -> Strings | None:
    """The strings as a column of numbers of a dictionary."""
    arrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    if form == "categories":
        kinds = [*sorted(set(values)), "none's"]
        return arrow_strings(pandas.Series(pandas.Categorical(values, categories=kinds)))
    if form == "chunks":
        halves = [arrow.array(part).dictionary_encode() for part in (values[:3], values[3:])]
        return arrow_strings(column_of(arrow.chunked_array(halves), "W"))
    if form == "equal ones":
        twice = arrow.array([*values, *values], "large_string")
        codes = [k + len(values) * (k % 2) for k in range(len(values))]
        made = arrow.DictionaryArray.from_arrays(arrow.array(codes, "uint8"), twice)
        return arrow_strings(column_of(made, "W"))
    return arrow_strings(column_of(arrow.array(["", *values]).dictionary_encode()[1:], "W"))


CODED = ("categories", "chunks", "equal ones", "slice")


@pytest.mark.parametrize("form", CODED)
def test_strings_by_their_numbers(form: str):
    words = ["b", "a", "b", "", "é" * 9, "a", "b"]
    found = coded(form, words)
    assert isinstance(found, CodedStrings)
    assert found.tolist() == list(found) == words
    assert [found[k] for k in range(-1, 3)] == [words[k] for k in range(-1, 3)]
    for index in (slice(1, 4), np.array([4, 0, 4]), np.array(words) == "b"):
        for part in (found[index], found.take(np.arange(7)[index])):
            assert isinstance(part, CodedStrings)
            assert part.tolist() == objects(words)[index].tolist()
    for other in ("b", "", "c"):
        for compare in (operator.eq, operator.ne, operator.lt, operator.ge):
            expected = [compare(word, other) for word in words]
            assert compare(found, other).tolist() == expected
            assert compare(found, column([other] * 7)).tolist() == expected
        begins = strings.starts_with(found, other)
        assert begins.tolist() == [word.startswith(other) for word in words]
    assert strings.length(found).tolist() == list(map(len, words))
    assert (found + "!").tolist() == [word + "!" for word in words]
    assert found.compacted().tolist() == pickle.loads(pickle.dumps(found)).tolist() == words
    assert Strings.concat([found, column(["c"])]).tolist() == [*words, "c"]
    assert found.nbytes > 0


@pytest.mark.parametrize("form", CODED)
def test_groups_and_joins_of_strings_by_their_numbers(form: str):
    words = ["b", "a", "b", "", "é" * 9, "a", "b"]
    found = coded(form, words)
    assert isinstance(found, CodedStrings)
    numbers, distinct = cast("tuple[Any, Strings]", found.numbered())
    assert numbers.tolist() == [0, 1, 0, 2, 3, 1, 0]
    assert distinct.tolist() == ["b", "a", "", "é" * 9]
    assert cast(Any, found.codes()).codes.tolist() == [2, 1, 2, 0, 3, 1, 2]
    sums = group_reduce((found, np.ones(7, np.int64)), 1, ["add"])
    assert [list(part) for part in sums] == [["", "a", "b", "é" * 9], [1, 2, 3, 1]]
    codes, index = cast("tuple[Any, Any]", found.indexed())
    assert len(set(zip(codes.tolist(), words, strict=True))) == 4
    other = column(["c", "", "b"])
    places = dict(zip(words, codes.tolist(), strict=True))
    assert cast(Any, other.codes_in(index)).tolist() == [-1, places[""], places["b"]]
    codes, index = cast("tuple[Any, Any]", other.indexed())
    places = dict(zip(other.tolist(), codes.tolist(), strict=True))
    assert cast(Any, found.codes_in(index)).tolist() == [places.get(word, -1) for word in words]


def test_what_is_no_dictionary_of_strings():
    arrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    for values, codes in (([1, 2], [0, 1]), (["a", 1], [0]), (["a", "\ud800"], [0]), (["a"], [-1])):
        kinds = pandas.Index(np.array(values, object), dtype=object)
        given = pandas.Series(pandas.Categorical.from_codes(codes, kinds))
        assert arrow_strings(given) is None
    for values in ([1, 2], ["a", None]):
        given = arrow.array(values).dictionary_encode()
        assert arrow_strings(column_of(given, "W")) is None
    missing = arrow.DictionaryArray.from_arrays(arrow.array([0, 1]), arrow.array(["a", None]))
    assert arrow_strings(column_of(missing, "W")) is None
    # pandas' codes may be written to.
    held = pandas.Series(["a", "b", "a"] * 3, dtype="category")
    found = arrow_strings(held)
    assert found is not None
    held.iloc[0] = "b"
    assert found.tolist() == ["a", "b", "a"] * 3
    assert not found.wastes()


def test_strings_that_waste_bytes_are_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(string_column, "_LOOKED_AT", 2)
    whole = column(["a word of a text", "b", "", "another word"])
    assert not whole.wastes()
    assert not whole.take(np.array([3, 0])).wastes()
    large = column(["", *"abc", "a word" * 99])
    assert not large.wastes()
    assert not large.take(np.array([0, 1, 2, 4])).wastes()
    assert large.take(np.array([0, 1, 2, 3])).wastes()
    assert large.take(np.zeros(0, np.int64)).wastes()


@pytest.mark.parametrize(("count", "slots"), [(3, 64), (1000, 1 << 14), (3000, 1 << 15)])
def test_tables_of_few_strings_have_slots_to_spare(count: int, slots: int):
    found = column([f"k{n}" for n in range(count)]).indexed()
    assert found is not None
    (table,) = found[1]._tables  # pyright: ignore[reportPrivateUsage]
    assert len(table._slots) == slots


def test_distinct_strings_are_not_numbered_again(monkeypatch: pytest.MonkeyPatch):
    words = ["b", "a", "b", "é" * 9, "a"]
    found = column(words).numbered()
    assert found is not None
    numbers, distinct = found
    assert [numbers.tolist(), distinct.tolist()] == [[0, 1, 0, 2, 1], ["b", "a", "é" * 9]]
    with monkeypatch.context() as context:
        context.setattr(string_numbers, "numbered", None)
        for known in (distinct, distinct.compacted()):
            again = known.numbered()
            assert again is not None
            assert again[0].tolist() == [0, 1, 2]
            assert again[1] is known
            codes = known.codes()
            assert codes is not None
            assert codes.codes.tolist() == [1, 0, 2]
    # What is made of them is not distinct.
    twice, beside = distinct.take(np.array([0, 0])), Strings.concat([distinct, distinct])
    for made, expected in ((twice, [0, 0]), (beside, [0, 1, 2] * 2)):
        again = made.numbered()
        assert again is not None
        assert again[0].tolist() == expected


def test_what_arrow_holds(tmp_path: Path):
    pandas = pytest.importorskip("pandas")
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    words = ["a", "é", "", "x\0y"] * 3
    for dtype in ("string", "string[pyarrow]"):
        found = arrow_strings(pandas.Series(words, dtype=dtype)[2:7])
        assert isinstance(found, Strings)
        assert found.tolist() == words[2:7]
    assert arrow_strings(pandas.Series(["a", None], dtype="string")) is None
    assert arrow_strings(pandas.Series(words, dtype=object)) is None
    assert arrow_strings(pandas.Series([1, 2])) is None
    parquet.write_table(arrow.table({"w": words}), tmp_path / "w.parquet")
    (found,) = load(tmp_path / "w.parquet", WantedRows(("U",), ScalarKind("string")))
    assert isinstance(found, Strings)
    assert found.tolist() == words


@pytest.mark.parametrize("name", sorted(OF_ALL_PAIRS))
@pytest.mark.parametrize("pieces", [PIECES, ASCII])
@pytest.mark.parametrize("rows_first", [True, False])
def test_functions_of_all_pairs(name: str, pieces: list[str], rows_first: bool) -> None:
    generator = random.Random(name)
    one, other = (
        ["".join(generator.choices(pieces, k=generator.randrange(4))) for _ in range(count)]
        for count in (23, 17)
    )
    wanted = [[getattr(strings, name)(a, b) for b in other] for a in one]
    expected = np.array(wanted if rows_first else np.transpose(wanted)).ravel()
    for make in (column, objects):
        found = strings.of_all_pairs(name, make(one), make(other), rows_first=rows_first)
        np.testing.assert_array_equal(found, expected)
    assert string_kernels.of_all_pairs(name, column(one), column(other)) is not None


@pytest.mark.parametrize("mode", ["always", "never"])
def test_strings_of_a_tile_are_a_column_where_that_pays(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    texts = np.array([["a b", "", "ä c"], ["x", "y z w", "𝄞 b"]], object)
    i, j, found = rows.to_rows(texts)
    assert isinstance(found, Strings) == (mode == "always")
    assert [list(column) for column in (i, j, found)] == [
        [0, 0, 0, 1, 1, 1],
        [0, 1, 2] * 2,
        texts.reshape(-1).tolist(),
    ]
    lists = np.array([[1], [2, 3]], object)
    assert rows.to_rows(lists)[1] is not None
    assert not isinstance(rows.to_rows(lists)[1], Strings)
    (none,) = rows.to_rows(np.array([], object), to=(1,))
    assert not isinstance(none, Strings)


def test_words_of_a_vector_are_counted_as_those_of_a_list(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    lines = ["the cat", "a  cat", "", "the the a", "cat"]
    source = """input D: vector[String];
        [ (w, count/i) | (w,i) <- [ (w,i) | (i,d) <- D, w <- d.split(" "), group by (w,i) ],
          group by w, order by w ]"""
    wanted = [("", 2), ("a", 2), ("cat", 3), ("the", 2)]
    for given in (lines, np.array(lines, object), np.array(lines)):
        assert diablo.compile(source)(D=given).to_list() == wanted
