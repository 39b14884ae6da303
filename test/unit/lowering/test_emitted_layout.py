"""Emitted programs keep to lines of 100 characters, and are cut where a person would cut them."""

import ast
import re
from pathlib import Path

import pytest

from diablo.lowering.pyspark.long_statements import WIDTH, statement
from diablo.lowering.python_text import comment
from diablo.tools.opt_tool.opt_driver import run

FOLDER = Path(__file__).parents[3] / "examples"
EXAMPLES = sorted([*FOLDER.glob("*.diablo"), *FOLDER.glob("nas/*.diablo")])

NEEDLESS = re.compile(
    r"\b(\w+) == \1\b|\band True\b|\bTrue and\b|\bmin\((\w+), \2\)|\bmax\(.*, 0\)"
    r"|\* 1\b(?!\.)|\+ 0\b(?!\.)|float\(float|int\(int"
)
"""What says nothing: `n == n`, `x * 1`, the greater of a size and zero."""


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("one two", 9, "# one two"),
        ("one two three", 9, "# one …"),
        ("one two three", 11, "# one two …"),
        ("one two three", 10, "# one …"),
        ("onetwothree", 8, "# onet …"),
    ],
)
def test_comments_are_cut_after_words(text: str, width: int, expected: str) -> None:
    assert comment(text, width) == expected
    assert len(expected) <= width


@pytest.mark.parametrize("prefix", ["", "x = ", "a_long_name_for_a_result = "])
def test_long_messages_are_several_literals(prefix: str) -> None:
    message = "words of a message " * 12
    lines = statement(prefix, f"require(n == m, \"{message}\", (n, '{message}'))", 4)
    assert max(map(len, lines)) <= WIDTH
    call = ast.parse("\n".join(["if True:", *lines])).body[0].body[0].value  # type: ignore
    assert ast.literal_eval(call.args[1]) == message
    assert ast.literal_eval(call.args[2].elts[1]) == message


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_keep_to_the_width(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([str(path), "-t", "pyspark{llvm=false}"]) == 0
    text = capsys.readouterr().out
    assert "LLVM" not in text
    compile(text, "program.py", "exec")
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []
    assert [line for line in text.splitlines() if NEEDLESS.search(line)] == []
    assert str(FOLDER) not in text
    kernels = re.findall(r"^def (kernel_.*?)\(", text, re.MULTILINE)
    assert kernels == [f"kernel_{number}" for number in range(len(kernels))]
    assert re.findall(r"\barg\d+\b", text) == []


def test_the_text_is_the_same_wherever_it_is_compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts: list[str] = []
    for name in ("here", "there"):
        program = tmp_path / name / "quotients.diablo"
        program.parent.mkdir()
        program.write_text(
            "input A: vector[Int]; input n: Int; var B = tensor(n)[ (i,10/a) | (i,a) <- A ]; B"
        )
        assert run([str(program), "-t", "pyspark"]) == 0
        texts.append(capsys.readouterr().out)
    assert 'at="quotients.diablo:1:' in texts[0]
    assert texts[0] == texts[1]


def test_monoids_keep_to_the_width(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "first.diablo"
    program.write_text(
        "input L: list[(Int,Double)]; [ (k,argmax/r) | (k,v) <- L, let r = (v,v), group by k ]"
    )
    assert run([str(program), "-t", "pyspark{llvm=false}"]) == 0
    text = capsys.readouterr().out
    assert "UserMonoid(" in text
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []
