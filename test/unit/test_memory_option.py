"""`memory=` and the warning of many rows, as callers meet them."""

import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import InputError, RunError
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.program import run_main as running
from diablo.tools.run_tool.run_driver import run

CROSS = """
input L: list[(Int,Double)];
+/[ a*b | (i,a) <- L,
          (j,b) <- L, a < b ];
"""


@pytest.fixture(autouse=True)
def numpy_makes_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code makes no rows that are not asked for, and may have seen a kernel often."""
    monkeypatch.setenv("DIABLO_COMPILE", "never")


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


ROWS = "input L: list[(Int,Double)];\n"
LARGE = {
    "group": ROWS + "[ (i, +/a) | (i,a) <- L, group by i ];",
    "lists": ROWS + "[ (i, [ x | x <- a ]) | (i,a) <- L, group by i ];",
    "join": ROWS + "[ (i, a*b) | (i,a) <- L, (j,b) <- L, i == j ];",
    "map": ROWS + "[ (i, a*2.0+1.0) | (i,a) <- L ];",
    "filter": ROWS + "[ (i, a) | (i,a) <- L, a > 1.0 ];",
    "fold": ROWS + "max/[ toString(a) | (i,a) <- L, i % 2 == 0 ];",
    "distinct": ROWS + "[ a | (i,a) <- L, group by a ];",
    "conditional": ROWS + "[ if (i % 2 == 0) a else 0.0 | (i,a) <- L ];",
    "strings": ROWS + "[ toString(i) | (i,a) <- L ];",
    "table": ROWS + "var M: map[Int,Double] = map();\nfor (i,a) in L do M[i] += a;\nM;",
    "scatter": "input n: Int; input A: vector[Int]; var H = tensor(n)[ (i,0) | i <- 0..n-1 ];\n"
    "for i = 0, n-1 do H[A[i]] += 1;\nH;",
    "range": "input n: Int;\n[ i*i | i <- 1..n ];",
    "array": "input n: Int; input A: vector[Int];\ntensor(n)[ (i, 2*a) | (i,a) <- A ];",
}
"""What takes more than 20 MB of 2,200,000 rows."""


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block_size", [None, 10_000])
@pytest.mark.parametrize("name", LARGE)
def test_every_large_operation_is_refused(
    name: str, block_size: int | None, monkeypatch: pytest.MonkeyPatch
):
    # Of many small partitions few are worked on at a time, and that may be within the limit.
    monkeypatch.setattr(running, "local_context", lambda: LocalContext(2))
    count = 2_200_000
    keys = np.arange(count) * 7919 % (10**9 + 7)
    inputs = {"L": (keys, np.arange(count) / 7.0), "n": count, "A": keys % count}
    program = diablo.compile(LARGE[name], memory="15m", block_size=block_size)
    with pytest.raises(RunError) as error:
        program(**{key: inputs[key] for key in program.inputs})
    first, *_ = str(error.value).splitlines()
    assert re.match(r"<program>:\d+:\d+: error: .*\d+(\.\d+)? [MK]iB", first)


def warnings_of(text: str, given: Any = None, **options: Any) -> list[str]:
    """Return what a program over 400 rows, or those given, warns of."""
    program = diablo.compile(text, **options)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        program(L=rows(400) if given is None else given)
    # What earlier tests left behind may be collected here, and warn of itself.
    own = [warning for warning in found if issubclass(warning.category, diablo.CompileWarning)]
    return [str(warning.message) for warning in own]


@pytest.mark.parametrize("block_size", [None, 50])
def test_many_rows_are_warned_of_where_they_are_made(block_size: int | None):
    (text,) = warnings_of(CROSS, block_size=block_size)
    first, line, carets, hint = text.splitlines()
    some = "160000 rows of 400 and 400" if block_size is None else r"\d+ rows or more"
    assert re.fullmatch(
        f"<program>:4:11: warning: this is about to make {some}, more than 8 times what the inputs "
        r"have \(400\) and what can come of these rows \(1\)",
        first,
    )
    assert line[carets.index("^") : carets.rindex("^") + 1] == "(j,b) <- L"
    assert hint.startswith("  hint: ")


def test_the_warning_comes_before_the_rows(monkeypatch: pytest.MonkeyPatch):
    program, repeat = diablo.compile(CROSS), np.repeat
    steps: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(warnings, "warn", lambda *_, **__: steps.append("warning"))
        patch.setattr(np, "repeat", lambda *_: steps.append("rows") or repeat(*_))
        program(L=rows(400))
    assert steps[:2] == ["warning", "rows"]
    with pytest.warns(diablo.CompileWarning) as found:
        program(L=rows(500))
    assert found[0].filename == __file__


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block_size", [None, 50])
@pytest.mark.parametrize(
    ("qualifiers", "warned"),
    [
        ("[ (i,+/b) | (i,a) <- L, (j,b) <- L, a < b, group by i ]", True),
        ("[ (i,j,+/b) | (i,a) <- L, (j,b) <- L, group by (i,j) ]", False),
        ("[ (a,b) | (i,a) <- L, (j,b) <- L, i % 7 == j*j % 3 ]", True),
        ("[ (a,b) | (i,a) <- L, (j,b) <- L, i < j, j < i+3 ]", True),
        ("[ (a,b) | (i,a) <- L, (j,b) <- L, i < j ]", False),
        ("[ (a,b) | (i,a) <- L, (j,b) <- L, i != j ]", False),
        ("[ (a,b) | (i,a) <- L, (j,b) <- L ]", False),
        ("[ (a,b) | (i,a) <- L, (j,b) <- L, i == j ]", False),
        ("[ (i,j) | (i,a) <- L, j <- 0..(i*40), j % 1000 == 3 ]", True),
        ("[ (i,j) | (i,a) <- L, j <- 0..(i*40) ]", False),
    ],
)
def test_only_rows_that_are_not_asked_for_are_warned_of(
    qualifiers: str, warned: bool, block_size: int | None
):
    found = warnings_of(f"input L: list[(Int,Double)];\n{qualifiers};", block_size=block_size)
    assert len(found) == warned


@pytest.mark.sampled(2)
@pytest.mark.spark
@pytest.mark.parametrize(
    ("text", "warned"),
    [
        (CROSS, True),
        ("input L: list[(Int,Double)];\n[ (i,+/b) | (i,a) <- L, (j,b) <- L, group by i ];", True),
        ("input L: list[(Int,Double)];\n[ (a,b) | (i,a) <- L, (j,b) <- L ];", False),
        ("input L: list[(Int,Double)];\n+/[ a*b | (i,a) <- L, (j,b) <- L, i == j ];", False),
    ],
)
def test_what_workers_make_is_known_when_they_are_done(text: str, warned: bool):
    program = diablo.compile(text, engine="spark", master="local[2]", block_size=50)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = program(L=rows(400))
        if hasattr(result, "to_list"):
            result.to_list()
    texts = [str(w.message) for w in found if issubclass(w.category, diablo.CompileWarning)]
    assert len(texts) == warned
    assert not warned or "160000 rows or more" in texts[0]


def test_a_place_is_warned_of_once_a_call():
    loop = "var s = 0.0; var k = 0;\nwhile (k < 3) {{ k += 1; s += {} }};\ns;"
    lines = CROSS.strip().split("\n", 1)
    assert len(warnings_of(lines[0] + "\n" + loop.format(lines[1]))) == 1


EQUAL = """
input L: list[(Int,Double)];
var s = 0.0; var k = 0;
while (k < 3) { k += 1; s += +/[ a*b | (i,a) <- L, (j,b) <- L, i == j ]; };
s;
"""


@pytest.mark.parametrize("block_size", [None, 50])
@pytest.mark.parametrize(("partners", "warned"), [(20, True), (4, False)])
def test_the_rows_of_equal_keys_are_counted_in_each_step(
    partners: int, warned: bool, block_size: int | None
):
    keys, values = rows(40_000)
    found = warnings_of(EQUAL, (keys // partners, values), block_size=block_size)
    assert len(found) == warned


@pytest.mark.parametrize(
    "pairs",
    [
        "+/[ +/[ x*y | (j,y) <- V, j < 20 ] | (i,x) <- V, i < 20 ]",
        "+/[ if (x < y) x else y | (i,x) <- V, i < 20, (j,y) <- V, j < 20 ]",
    ],
)
def test_rows_that_a_guard_drops_are_not_paired(pairs: str):
    values = np.arange(200_000) / 7.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = diablo.compile(f"input V: vector[Double]; {pairs};", memory="200m")(V=values)
    some = values[:20]
    whole = np.minimum.outer(some, some) if "if" in pairs else np.outer(some, some)
    assert result == pytest.approx(whole.sum())


def test_few_rows_are_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        diablo.compile(CROSS)(L=rows(200))


def test_strict_programs_end_where_they_would_be_warned():
    with pytest.raises(RunError) as error:
        diablo.compile(CROSS, strict=True)(L=rows(400))
    first, line, carets, _ = str(error.value).splitlines()
    assert first.startswith("<program>:4:11: error: this is about to make 160000 rows")
    assert line[carets.index("^") : carets.rindex("^") + 1] == "(j,b) <- L"


@pytest.mark.parametrize(
    "step",
    [
        "s = s + s",
        'if (startsWith(s, "a")) s = s + s',
        's = replace(s, "b", s)',
        "L = [ w + w | w <- L ]",
        "L = [ w + s | w <- L ]; s = s + s",
    ],
)
def test_strings_that_a_loop_doubles_are_counted(step: str):
    text = f"""
        var s = "ab"; var L = ["a", "b"];
        for i = 0, 75 do {{
            {step};
        }};
        length(s) + +/[ length(w) | w <- L ];
    """
    with pytest.raises(RunError, match=r"<program>:4:.* string.* of \d+ characters would take"):
        diablo.compile(text, memory="20m")()


def test_a_result_that_is_wanted_later_is_counted():
    text = "input n: Int; tensor(n)[ (i,[ j | j <- 0..n ]) | i <- 0..n-1 ];"
    program = diablo.compile(text, memory="20m")
    assert len(program(n=30)[3]) == 31
    large = program(n=3000)
    with pytest.raises(RunError, match=r"3000 lists of .* would take .* of the 20 MiB"):
        large.to_numpy()


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


def test_machine_code_makes_no_rows_in_between(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    left, right = rows(3000)
    total = diablo.compile(CROSS, memory="50m")(L=(left, right))
    assert total == pytest.approx(((right.sum() ** 2) - (right**2).sum()) / 2)


def test_what_memory_does_not_suffice_for_is_left_to_numpy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    text = "input L: list[(Int,Double)];\n[ (i,j) | (i,a) <- L, (j,b) <- L ];"
    with pytest.raises(RunError) as error:
        diablo.compile(text, memory="20m")(L=rows(3000))
    assert "a join of 3000 with 3000 rows, which makes 9000000 rows" in str(error.value)


def test_a_block_that_is_too_large_is_an_error_with_its_line_and_one_that_fits(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("DIABLO_TILES", "apart")
    text = "input A: matrix[Double];\n\ntensor*(A.rows,A.cols)[ ((i,j),exp(a)) | ((i,j),a) <- A ];"
    program = diablo.compile(text, block_size=3000, memory="30m")
    A = np.ones((3000, 3000))
    with pytest.raises(RunError) as error:
        program(A=A)
    first, line, _ = str(error.value).splitlines()
    assert first.startswith("<program>:3:1: error: ")
    assert "would take 68.7 MiB, and " in first
    found = re.search(r"; a block size of (\d+) needs less \(it is 3000\)$", first)
    assert found is not None
    assert line.strip().startswith("tensor*(A.rows")
    smaller = diablo.compile(text, block_size=int(found[1]))
    np.testing.assert_allclose(smaller(A=A).to_numpy(), np.e)
