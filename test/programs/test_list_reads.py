"""Elements of lists and strings of rows, in machine code, and what is outside of them."""

from __future__ import annotations

from typing import Any

import pytest

import diablo
from diablo.runtime.rows import compiled_rows
from fuzzing.trial import Trial, Way

WAYS = [
    Way(whole=True, block_sizes=(None,), threads=(1, 3), compile="always"),
    Way(whole=True, block_sizes=(None,), compile="never"),
    Way(block_sizes=(3,), compile="always"),
]
LISTS = "input L: list[(Int,list[Double])]; "
PAIRS = "input L: list[(Int,list[(Int,Double)])]; "

INSIDE = [
    (LISTS, "[ (k, xs[0]) | (k,xs) <- L, xs.length > 0 ]"),
    (LISTS, "[ (k, xs[k]) | (k,xs) <- L, xs.length > k ]"),
    (LISTS, "[ (k, if (xs.length > k) xs[k] else -1.0) | (k,xs) <- L ]"),
    (LISTS, "[ (k, xs[i]-xs[xs.length-1-i]) | (k,xs) <- L, i <- 0..xs.length-1 ]"),
    (LISTS, "[ (k, xs[i]) | (k,xs) <- L, i <- -2..k, i >= 0, i < xs.length ]"),
    (LISTS, "+/[ xs[i]*xs[j] | (k,xs) <- L, i <- 0..xs.length-1, j <- i+1..xs.length-1 ]"),
    (LISTS, "+/[ xs[2*i] | (k,xs) <- L, xs.length % 2 == 1, i <- 0..xs.length/2 ]"),
    (LISTS, "[ (i, +/y) | (k,xs) <- L, i <- 0..xs.length-1, let y = xs[i], group by i ]"),
    (PAIRS, "[ (k, xs[0]._2, xs[xs.length-1]._1) | (k,xs) <- L, xs.length > 0 ]"),
    (PAIRS, "[ (k, xs[xs.length/2]) | (k,xs) <- L, xs.length > 0 ]"),
    (PAIRS, "+/[ y*j | (k,xs) <- L, i <- 0..xs.length-1, let (j,y) = xs[i], j > 0 ]"),
]
OUTSIDE = [
    (LISTS, "[ (k, xs[0]) | (k,xs) <- L ]"),
    (LISTS, "[ (k, xs[k-6]) | (k,xs) <- L, xs.length > 1 ]"),
    (LISTS, "[ (k, xs[xs.length]) | (k,xs) <- L, k == 5 ]"),
    (LISTS, "[ (k, if (xs.length >= k) xs[k] else -1.0) | (k,xs) <- L ]"),
    (LISTS, "[ (k, xs[i]) | (k,xs) <- L, i <- -1..xs.length-1 ]"),
    (LISTS, "+/[ xs[i]*xs[j] | (k,xs) <- L, i <- 0..xs.length-1, j <- i+1..xs.length ]"),
    (LISTS, "+/[ xs[2*i] | (k,xs) <- L, i <- 0..(xs.length-1)/2 ]"),
    (LISTS, "+/[ xs[4611686018427387904*i] | (k,xs) <- L, xs.length > 0, i <- 0..4 ]"),
    (LISTS, "[ (i, +/y) | (k,xs) <- L, i <- 0..k, let y = xs[i], group by i ]"),
    (PAIRS, "[ (k, xs[0]._2) | (k,xs) <- L ]"),
]


def _rows(program: str) -> dict[str, Any]:
    lists: list[tuple[int, list[float]]] = [
        (1, [1.0, 2.5, 3.0]),
        (0, []),
        (5, [4.0]),
        (1, [7.0, 8.5]),
    ] * 7
    if program == LISTS:
        return {"L": lists}
    return {"L": [(k, list(enumerate(values))) for k, values in lists]}


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What machine code was called."""
    texts: list[str] = []
    run = compiled_rows._run  # pyright: ignore[reportPrivateUsage]

    def noted(signature: Any, *arguments: Any) -> Any:
        texts.append(str(signature))
        return run(signature, *arguments)

    monkeypatch.setattr(compiled_rows, "_run", noted)
    return texts


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("inputs", "program"), INSIDE)
def test_elements_of_lists(kernels: list[str], inputs: str, program: str) -> None:
    outcome = Trial(inputs + program, _rows(inputs)).run(WAYS)
    assert outcome.verdict == "same", str(outcome)
    assert any("[" in text for text in kernels)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("inputs", "program"), OUTSIDE)
def test_positions_outside(kernels: list[str], inputs: str, program: str) -> None:
    outcome = Trial(inputs + program, _rows(inputs)).run(WAYS)
    assert outcome.verdict == "failed alike", str(outcome)
    assert any("[" in text for text in kernels)


def test_empty_lists_alone_have_no_elements(kernels: list[str]) -> None:
    text = LISTS + "[ (k, +/[ xs[i] | i <- 0..k ]) | (k,xs) <- L ]"
    for k, verdict in ((-1, "same"), (0, "failed alike")):
        outcome = Trial(text, {"L": [(k, [])] * 30}).run(WAYS)
        assert outcome.verdict == verdict, str(outcome)


IN_A_ROW = [
    "[ (k, [ xs[xs.length-1-i] | i <- 0..xs.length-1 ]) | (k,xs) <- L ]",
    "[ (k, [ xs[i]-xs[i-1] | i <- 1..xs.length-1, xs[i] != 4.0 ]) | (k,xs) <- L ]",
    "[ (k, [ +/[ xs[j] | j <- 0..i, xs[j] > 2.0 ] | i <- 0..xs.length-1 ]) | (k,xs) <- L ]",
    "[ (k, [ if (i < xs.length) xs[i] else 0.0 | i <- 0..3 ], xs) | (k,xs) <- L ]",
    "[ (k, [ (i, k-i) | i <- -1..k by 2 ]) | (k,xs) <- L ]",
    "[ (k, max/[ abs(xs[i]-xs[i-1]) | i <- 1..xs.length-1 ]) | (k,xs) <- L, xs.length > 1 ]",
    "[ (k, +/[ xs[i] | i <- -1..k, i >= 0, i < xs.length ]) | (k,xs) <- L ]",
]
"""Lists and folds over ranges, which are loops in a row."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", IN_A_ROW)
def test_ranges_in_a_row(kernels: list[str], program: str) -> None:
    outcome = Trial(LISTS + program, _rows(LISTS)).run(WAYS)
    assert outcome.verdict == "same", str(outcome)
    assert not any("keyed" in text or "matches" in text for text in kernels)
    text = LISTS + program.replace("xs.length-1", "xs.length")
    if "0..xs.length" in text:
        outcome = Trial(text, _rows(LISTS)).run(WAYS)
        assert outcome.verdict == "failed alike", str(outcome)


STRINGS = "input L: list[(Int,String)]; "
ASCII = [(1, "abc"), (0, ""), (5, "x"), (1, "ebba")] * 7
WIDE = [(1, "aé€"), (0, ""), (5, "\U0001f600"), (1, "é\0ba")] * 7
OF_CHARACTERS = [
    "[ (k, +/[ if (s[i] == 'a' || s[i] == 'é') 1 else 0 | i <- 0..s.length-1 ]) | (k,s) <- L ]",
    "[ s | (k,s) <- L, &&/[ s[i] == s[s.length-1-i] | i <- 0..s.length-1 ] ]",
    "[ (k, s, toInt(s[0])) | (k,s) <- L, s.length > 0, s[0] < 'é' ]",
    "[ (toInt(c), i, +/k) | (k,s) <- L, i <- 0..s.length-1, let c = s[i], group by (c,i) ]",
    "[ (s, s.length, k+1) | (k,s) <- L, s.length > k ]",
    "[ (toInt(c), t) | (k,s) <- L, s.length > 1, let t = s, group by c: s[1] ]",
    "+/[ if (s.length > 2) toInt(s[2]) else k | (k,s) <- L ]",
]
OUTSIDE_OF_STRINGS = [
    "[ (k, toInt(s[0])) | (k,s) <- L ]",
    "[ (k, toInt(s[k-6])) | (k,s) <- L, s.length > 1 ]",
    "[ (k, +/[ if (s[i] == 'a') 1 else 0 | i <- 0..s.length ]) | (k,s) <- L ]",
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("given", [ASCII, WIDE], ids=["ascii", "wide"])
@pytest.mark.parametrize("program", OF_CHARACTERS)
def test_characters(kernels: list[str], program: str, given: list[tuple[int, str]]) -> None:
    outcome = Trial(STRINGS + program, {"L": given}).run(WAYS)
    assert outcome.verdict == "same", str(outcome)
    assert any("text" in text or "length" in text for text in kernels)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("given", [ASCII, WIDE], ids=["ascii", "wide"])
@pytest.mark.parametrize("program", OUTSIDE_OF_STRINGS)
def test_positions_outside_of_strings(
    kernels: list[str], program: str, given: list[tuple[int, str]]
) -> None:
    outcome = Trial(STRINGS + program, {"L": given}).run(WAYS)
    assert outcome.verdict == "failed alike", str(outcome)
    assert any("text" in text for text in kernels)


@pytest.mark.parametrize("given", [ASCII, WIDE], ids=["ascii", "wide"])
def test_columns_of_characters(
    kernels: list[str], monkeypatch: pytest.MonkeyPatch, given: list[tuple[int, str]]
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    program = "[ (k, if (s.length > 2) s[2] else '-') | (k,s) <- L ]"
    found = diablo.compile(STRINGS + program)(L=given).to_list()
    assert found == [(k, s[2] if len(s) > 2 else "-") for k, s in given]
    rows = [(k, s[-1]) for k, s in given if s]
    kept = diablo.compile("input L: list[(Int,Char)]; [ (k,c) | (k,c) <- L, c != 'a', k > 0 ]")
    assert kept(L=rows).to_list() == [(k, c) for k, c in rows if c != "a" and k > 0]
    assert any("(i64,int32)" in text for text in kernels)
