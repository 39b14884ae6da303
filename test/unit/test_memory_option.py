"""`memory=` and the warning of many rows, as callers meet them."""

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import diablo
from diablo.diagnostics import InputError, RunError
from diablo.tools.run_tool.run_driver import run

CROSS = """
input L: list[(Int,Double)];
+/[ a*b | (i,a) <- L,
          (j,b) <- L, a < b ];
"""
PAIRS = """
input L: list[(Int,Double)];
[ (a,b) | (i,a) <- L, (j,b) <- L, i != j ];
"""


def rows(count: int) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(count), np.arange(count) / 7.0


def test_a_join_that_is_too_large_is_an_error_with_its_place():
    program = diablo.compile(CROSS, memory="50m")
    with pytest.raises(RunError) as error:
        program(L=rows(3000))
    first, line, caret = str(error.value).splitlines()
    assert first.startswith(
        "<program>:4:11: error: a join of 3000 with 3000 rows, which makes 9000000 rows, would take"
    )
    assert line[2:].index("(j,b)") == caret[2:].index("^")


def test_an_array_that_is_too_large_is_an_error_with_its_line():
    text = "input n: Int;\n  var A = tensor(n,n)[ ((i,j),1.0*i+j) | i <- 0..n-1, j <- 0..n-1 ];\nA;"
    program = diablo.compile(text, memory=10**8)
    with pytest.raises(RunError) as error:
        program(n=10**6)
    first, _, caret = str(error.value).splitlines()
    assert first.startswith(
        "<program>:2:3: error: an array of 1000000 x 1000000 would take 7.28 TiB"
    )
    assert caret.startswith("    ^^^")
    assert np.asarray(program(n=3)).shape == (3, 3)


def test_many_rows_are_warned_of_where_they_are_made():
    program = diablo.compile(CROSS)
    with pytest.warns(diablo.CompileWarning) as found:
        program(L=rows(400))
    (text,) = [str(warning.message) for warning in found]
    assert (
        "<program>:4:11: warning: this makes 160000 rows of 400 and 400, more than 8 times" in text
    )
    assert "(800 and 1)" in text or "(400 and 1)" in text


@pytest.mark.parametrize(("text", "count"), [(PAIRS, 400), (CROSS, 200)])
def test_rows_that_are_returned_or_few_are_not_warned_of(text: str, count: int):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        diablo.compile(text)(L=rows(count))


def test_wrong_sizes():
    with pytest.raises(InputError, match="the memory is 'much', and must be a size"):
        diablo.compile("1;", memory="much")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.diablo"
    path.write_text("input n: Int;\n[ i+j | i <- 1..n, j <- 1..n, i % 7 == j % 3 ];")
    assert run([str(path), "--set", "n=1000000", "--memory", "1g"]) == 1
    assert f"{path}:2:20: error: a join of " in capsys.readouterr().err
    assert run([str(path), "--set", "n=2", "--memory", "2 apples"]) == 2
    assert "the memory is '2 apples'" in capsys.readouterr().err


def test_the_system_refuses_the_command_what_is_not_counted():
    text = (
        "import resource; from diablo.runtime.memory_limit import hold_to_free_memory;"
        "hold_to_free_memory(); print(resource.getrlimit(resource.RLIMIT_DATA)[0] > 2**30)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
