"""Programs over columns of strings that are held as bytes, against the interpreter."""

from __future__ import annotations

import random
from typing import Any

import pytest

import diablo
from diablo.runtime.native import written_loops
from diablo.runtime.rows import string_spans
from diablo.runtime.rows.string_column import Strings
from fuzzing.trial import Trial, Way

WAYS = [Way(block_sizes=(None,), whole=True), Way(block_sizes=(None, 3))]
PIECES = ["", "a", "b", "B", " ", "word", "é", "ß", "\0", "\U0001f600", "abcdefghijklmnopq", "12"]
PROGRAMS = [
    "[ (w, w.length, v.length) | w <- L, let v = 1, group by w ]",
    "[ (k, +/n, max/w) | (w,n) <- M, let k = w.toLower, group by k ]",
    "[ (w, k, +/n) | (w,n) <- M, let k = n % 2, group by (w,k) ]",
    "[ (w, n) | w <- L, (v,n) <- M, w == v ]",
    '[ w+n.toString | (w,n) <- M, w.contains("a"), w >= "a" ]',
    "[ p+w | w <- L, p <- w.split(s), p != w ]",
    '[ (w.trim, w.toUpper, w.replace("a",s), w.indexOf("b"), "<"+w+">") | w <- L ]',
    "[ (w.startsWith(s), w.endsWith(s), w < v, w.contains(v)) | w <- L, (v,n) <- M, n > 2 ]",
    "[ if (w.length > 1) w.substring(0,2) else s | w <- L ]",
    "var m: map[String,Int] = map(); for (w,n) in M do m[w] += n; (m, [ m[w] | w <- L ])",
    'var t = ""; for w in L do t += w; var V = tensor*(9)[ (n,w) | (w,n) <- M ]; (t, V)',
]


@pytest.fixture(autouse=True)
def _from_the_first_string_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written_loops, "WORTH_COMPILING", 0)
    monkeypatch.setattr(string_spans, "FEW", 0)


def _words(draw: random.Random, count: int) -> list[str]:
    pieces = draw.sample(PIECES, 4)
    return ["".join(draw.choices(pieces, k=draw.randrange(4))) for _ in range(count)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", PROGRAMS)
def test_as_the_interpreter_says(program: str) -> None:
    text = f"input L: list[String]; input M: list[(String,Int)]; input s: String; {program}"
    draw = random.Random(program)
    for left, right in [(0, 3), (1, 1), (12, 9), (30, 20)]:
        pairs = [(word, draw.randrange(9)) for word in _words(draw, right)]
        inputs = {"L": _words(draw, left), "M": pairs, "s": draw.choice(PIECES)}
        outcome = Trial(text, inputs).run(WAYS)
        assert outcome.verdict == "same", (inputs, outcome)


def test_no_object_is_made_for_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the list that is given to the groups that are left."""
    made: list[int] = []
    tolist = Strings.tolist

    def noted(column: Strings) -> list[str]:
        made.append(len(column))
        return tolist(column)

    monkeypatch.setattr(Strings, "tolist", noted)
    text = """
    input L: list[String]; input R: list[(String,Int)];
    [ (p, +/n) | w <- L, w.startsWith("a"), p <- w.toLower.split(" "), (v,n) <- R, v == p+"!",
                 group by p ]
    """
    words = ["a B", "a C", "b", "A"] * 50
    pairs = [("a!", 1), ("b!", 2), ("c!", 3)]
    found = diablo.compile(text)(L=words, R=pairs).to_list()
    assert sorted(found) == [("a", 100), ("b", 100), ("c", 150)]
    assert max(made) == 3


@pytest.mark.spark
def test_on_spark() -> None:
    text = """
    input L: list[String];
    [ (p, +/n) | w <- L, p <- w.toLower.split(" "), let n = p.length, group by p ]
    """
    words = ["a B", "\U0001f600 a", "b\0", "é A"] * 5
    here = diablo.compile(text)(L=words).to_list()
    program = diablo.compile(text, engine="spark", master="local[2]")
    assert sorted(program(L=words).to_list()) == sorted(here)


def test_what_is_no_string_is_an_error() -> None:
    program = diablo.compile("input L: list[String]; [ w | w <- L ]")
    wrong: list[Any] = ["a", 1, "b"]
    with pytest.raises(diablo.InputError, match="1 in row 2 is not a string"):
        program(L=wrong)


def test_a_result_keeps_what_it_needs() -> None:
    words = ["x" * 1000] * 100 + ["y"]
    found = diablo.compile('input L: list[String]; [ w | w <- L, w == "y" ]')(L=words)
    (column,) = found.records.collect()[0]
    assert isinstance(column, Strings)
    assert column.nbytes < 1000
    assert found.to_list() == ["y"]
    assert found.to_numpy()[0].tolist() == ["y"]
