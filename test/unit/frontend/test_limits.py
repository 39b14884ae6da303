# What is too large for the machine is an error with its place, and no failure of the compiler.
import pytest

import diablo
from diablo.diagnostics import CompileError, RunError


def tensor_of(rank: int) -> str:
    indices = [f"i{axis}" for axis in range(rank)]
    ranges = ", ".join(f"{index} <- 0..0" for index in indices)
    return f"tensor({','.join('1' * rank)})[ (({','.join(indices)}),1.0) | {ranges} ]"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("input A: array65[Double]; A", "1:10: error: an array has at most 64 dimensions"),
        (tensor_of(65), "1:1: error: an array has at most 64 dimensions"),
        ('var s = "a\\ud800"; s', "1:9: error: half of a surrogate pair is no character"),
        ('var s = "a\ud800"; s', "1:9: error: half of a surrogate pair is no character"),
        ("'\\udc00'", "1:1: error: half of a surrogate pair is no character"),
    ],
)
def test_what_cannot_be_compiled(program: str, message: str):
    with pytest.raises(CompileError) as raised:
        diablo.compile(program)
    assert message in str(raised.value)


@pytest.mark.parametrize("block_size", [None, 3])
@pytest.mark.parametrize(
    "program",
    [
        "+/[ i | i <- 0..9223372036854775807 ]",
        "+/[ i | i <- -9223372036854775807..9223372036854775807 ]",
    ],
)
def test_a_range_that_no_number_counts(program: str, block_size: int | None):
    with pytest.raises(CompileError) as raised:
        diablo.compile(program, block_size=block_size)()
    assert "1:1: error: a range or an array here has more than 9223372036854775807" in str(
        raised.value
    )


def test_64_dimensions_are_not_too_many():
    assert diablo.compile(tensor_of(64))().ndim == 64


def test_two_escapes_are_one_character():
    assert diablo.compile('"\\ud83d\\ude00".length')() == 1


@pytest.mark.parametrize(
    "program",
    [
        "tensor(9223372036854775807)[ (i,1.0) | i <- 0..3 ]",
        "tensor(4000000000,4000000000)[ ((i,i),1.0) | i <- 0..3 ]",
    ],
)
def test_what_memory_cannot_hold(program: str):
    with pytest.raises(RunError, match=r"memory|would take"):
        diablo.compile(program)()


def test_the_largest_index_is_no_limit_for_guards():
    assert diablo.compile("+/[ 1 | i <- 0..9223372036854775807, i < 3 ]")() == 3
