"""Rows with columns that machine code has no values of: numbers stand for these."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.row_kernel_signature import RowSignature
from diablo.runtime.rows import compiled_rows, encoded_columns, string_column
from fuzzing.trial import Trial, Way

WAYS = [
    Way(block_sizes=(None,), compile="always", threads=(1,), whole=True),
    Way(block_sizes=(None,), compile="always", threads=(3,), whole=True),
    Way(block_sizes=(None, 3), compile="always", threads=(2,)),
]
KEYED = [
    "[ (k, +/x, count/x) | (k,t,x) <- L, group by k ]",
    "[ (k, t, max/x) | (k,t,x) <- L, group by (k,t) ]",
    "[ (k, n, +/x) | (k,t,x) <- L, let n = x % 3, group by (k,n) ]",
    "[ k | (k,t,x) <- L, group by k ]",
    "[ (k,t,x,y) | (k,t,x) <- L, (j,y) <- M, j == k ]",
    "[ (t,j,y) | (k,t,x) <- L, (j,y) <- M, j == k, x > y ]",
    "[ (k,t,x,y) | (k,t,x) <- L, (j,y) <- M, j == t, k == j ]",
    "+/[ x*y | (k,t,x) <- L, (j,y) <- M, j == k ]",
    "[ (t, +/y) | (k,t,x) <- L, (j,y) <- M, j == k, group by t ]",
    "[ (k,t,x,+/[ y | (j,y) <- M, j == k ]) | (k,t,x) <- L ]",
    "[ (k,j,x,y) | (k,t,x) <- L, (j,y) <- M, x == y ]",
    "[ (k,t) | (k,t,x) <- L, x % 2 == 0 ]",
    "var m: map[String,Int] = map(); for (k,t,x) in L do m[k] += x; m",
    "var m: map[String,String] = map(); for (k,t,x) in L do m[k] := t; m",
]
"""Of which each is run with strings as keys; the last one keeps what is assigned last."""


def _words(draw: random.Random, count: int, most: int) -> list[str]:
    pieces = ["", "a", "b", "ß", "\\0", "\U0001f600", "abcdefghijklmnopq", "abcdefghijklmnopr"]
    words = ["".join(draw.choices(pieces, k=draw.randrange(4))) for _ in range(most)]
    return draw.choices(words, k=count)


def _inputs(draw: random.Random, left: int, right: int, most: int) -> dict[str, Any]:
    words = _words(draw, 2 * left + right, most)
    numbers = [draw.randrange(5) for _ in range(left + right)]
    return {
        "L": list(zip(words[:left], words[left : 2 * left], numbers, strict=False)),
        "M": list(zip(words[2 * left :], numbers[left:], strict=True)),
    }


@pytest.mark.sampled(12)
@pytest.mark.parametrize("program", KEYED)
def test_as_the_interpreter_says(program: str) -> None:
    text = f"input L: list[(String,String,Int)]; input M: list[(String,Int)]; {program}"
    draw = random.Random(program)
    for left, right, most in [(0, 0, 1), (0, 3, 2), (1, 1, 1), (30, 20, 4), (40, 0, 9)]:
        inputs = _inputs(draw, left, right, most)
        outcome = Trial(text, inputs).run(WAYS)
        assert outcome.verdict == "same", (inputs, outcome)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("type", ["String", "list[Int]", "Complex128"])
def test_what_is_only_collected_may_be_anything(type: str) -> None:
    text = f"""input L: list[({type},Int)]; input M: list[(Int,Double)];
               ([ (v,x) | (v,x) <- L, x > 3 ], [ (v,y) | (v,x) <- L, (j,y) <- M, j == x ],
                [ (v,v,x,v) | (v,x) <- L, x != 5 ], [ (x,v,v) | (v,x) <- L, x < 9 ])"""
    made: dict[str, Any] = {
        "String": lambda n: "x" * n,
        "list[Int]": lambda n: list(range(n)),
        "Complex128": lambda n: complex(n, 1),
    }
    inputs = {
        "L": [(made[type](n), n) for n in range(9)],
        "M": [(n % 5, 0.5 * n) for n in range(9)],
    }
    outcome = Trial(text, inputs).run(WAYS)
    assert outcome.verdict == "same", outcome


@pytest.fixture
def signatures(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The signatures of the kernels that have run as machine code with numbers for values."""
    found: list[str] = []
    encode = encoded_columns.encode

    def noted(signature: RowSignature, arguments: Any) -> Any:
        if signature.encodes:
            found.append(str(signature))
        return encode(signature, arguments)

    monkeypatch.setattr(compiled_rows, "encode", noted)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    return found


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        ("[ (k,+/x) | (k,t,x) <- L, group by k ]", "(code0,-,i64) -> keyed(code0;i64:add)"),
        (
            "[ (k,t,y) | (k,t,x) <- L, (j,y) <- M, j == k ]",
            "(code0,-,row) (code0,i64) -> rows(row0.0+1,i64)",
        ),
        ("[ t | (k,t,x) <- L, x > 1 ]", "(-,-,i64,row) -> some(row0.1)"),
        ("[ (t,k,x,t) | (k,t,x) <- L, x > 1 ]", "(-,-,i64,row) -> some(row0.1+0,i64,row0.1)"),
    ],
)
def test_signatures(program: str, wanted: str, signatures: list[str]) -> None:
    text = f"input L: list[(String,String,Int)]; input M: list[(String,Int)]; {program}"
    rows = [("a", "u", 1), ("b", "v", 2), ("a", "w", 3)]
    diablo.compile(text)(L=rows, M=[("a", 7)])
    assert signatures
    assert signatures[0].startswith(wanted)
    assert str(RowSignature.parse(signatures[0])) == signatures[0]


@pytest.mark.parametrize(
    ("outputs", "looked_for"),
    [("rows(row0.0,i64)", True), ("groups(code0;i64:add)", False), ("f64(add)", True)],
)
def test_strings_are_looked_for_among_those_of_one_side(outputs: str, looked_for: bool) -> None:
    """What is on the other side alone gets no number, unless the result has it."""
    arguments = "(code0,i64,row) (code0,i64)" if "row0" in outputs else "(code0,i64) (code0,i64)"
    text = f"{arguments} -> {outputs} over 0 weight 1 matches 1.0"
    left, right = (string_column.Strings.of_any(words) for words in (["c", "a", "c"], ["b", "a"]))
    given = [(left, np.arange(3)), (right, np.arange(2))]
    encoded = encoded_columns.encode(RowSignature.parse(text), given)
    assert encoded is not None
    codes = [batch[0].tolist() for batch in encoded.arguments]
    if looked_for:
        assert codes == [[-1, 1, -1], [0, 1]]
        assert not encoded.dictionaries
    else:
        assert codes == [[0, 1, 0], [2, 1]]
        assert encoded.dictionaries[0].tolist() == ["c", "a", "b"]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("program", [KEYED[4], KEYED[7], KEYED[9]])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_joins_by_many_strings(
    program: str, threads: str, signatures: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against NumPy's way: more strings than a table is made for at first, on both sides."""
    monkeypatch.setenv("DIABLO_THREADS", threads)
    draw = random.Random(program)
    words = [f"{'x' * (n % 40)}{n}" for n in range(9000)]
    keys, others = draw.choices(words, k=6000), draw.choices(words, k=5000)
    left = (np.array(keys), np.array(draw.choices(words[:20], k=6000)), np.arange(6000) % 7)
    right = (np.array(others), np.arange(5000) % 11)
    text = f"input L: list[(String,String,Int)]; input M: list[(String,Int)]; {program}"
    compiled = diablo.compile(text)
    found = compiled(L=left, M=right)
    found = found if isinstance(found, int) else sorted(found.to_list())
    assert signatures
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    expected = compiled(L=left, M=right)
    assert found == (expected if isinstance(expected, int) else sorted(expected.to_list()))


def test_computing_with_strings_is_numpys(signatures: list[str]) -> None:
    program = diablo.compile(
        "input L: list[(String,Int)]; [ (k.toUpper(), x) | (k,x) <- L, x > 1 ]"
    )
    assert program(L=[("abc", 1), ("ab", 2)]).to_list() == [("AB", 2)]
    assert not signatures


def test_no_object_is_made_for_a_row(
    signatures: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of strings that lie in bytes those of the result lie there too."""
    made: list[int] = []
    tolist = string_column.Strings.tolist

    def noted(column: string_column.Strings) -> list[str]:
        made.append(len(column))
        return tolist(column)

    monkeypatch.setattr(string_column.Strings, "tolist", noted)
    keys = string_column.Strings.of_any([f"key {n % 7}" for n in range(1000)])
    program = diablo.compile("input L: list[(String,Int)]; [ (k,+/x) | (k,x) <- L, group by k ]")
    result = program(L=(keys, np.arange(1000)))
    assert len(result) == 7
    assert len(signatures) == 1
    assert not made


def test_more_rows_than_numbers(signatures: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    program = diablo.compile("input L: list[(String,Int)]; [ (k,+/x) | (k,x) <- L, group by k ]")
    monkeypatch.setattr(encoded_columns, "MOST_NUMBERS", 3)
    rows = [("a", 1), ("b", 2), ("a", 3)]
    assert sorted(program(L=rows).to_list()) == [("a", 4), ("b", 2)]
