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
FOLDER_OF_TESTS = Path(__file__).parents[2] / "lowering" / "emit-pyspark"
PROGRAMS = sorted(FOLDER_OF_TESTS.glob("*.diablo"))
"""The inputs of the emitter's own tests."""

LARGE = ("mg",)
"""The programs that are looked at for one pipeline: they take seconds each."""

NEEDLESS = re.compile(
    r"\b(\w+) == \1\b|\band True\b|\bTrue and\b|\bmin\((\w+), \2\)|\bmax\(.*, 0\)"
    r"|[*/] 1(?:\.0)?\b(?!\.)|- 0\.0\b|\+ 0\b(?!\.)|float\(float|int\(int"
    r"|\b(\w+) - \3\b|maximum\(\w+_(?:origin|extent), 0\)| [-+] \d+ [-+] \d+\b(?!\.)"
    r"|\b0\.0 \+ total"
)
"""What says nothing: `n == n`, `x * 1`, `n - 1 + 1`, the greater of a size and zero.

Zero is added to numbers that may be -0.0; a sum begins with one.
"""

MOVED = re.compile(r"^ +(\w+) = .*\n +\w+ = \1\n +del \1$", re.MULTILINE)
"""What is assigned for the sake of another variable."""

DISTRIBUTED = re.compile(r"\w+\.(?:filter|map|flatMap)\(|\w+\(sc\b|window\(")
"""What begins with an RDD, or is told the context."""

IDENTITIES = re.compile(
    r"(?:add|sub)(?: nsw)? i64 \S+, 0$|add(?: nsw)? i64 0, |mul(?: nsw)? i64 (?:\S+, 1$|1, )"
    r"|(?:add|sub|mul)(?: nsw)? i64 -?\d+, -?\d+$"
    r'|@"llvm\.[su](?:min|max)\.i64"\(i64 (?:(\S+), i64 \1\)|-?\d+, i64 -?\d+\))',
    re.MULTILINE,
)
"""What computes nothing, or what is known."""


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


@pytest.mark.parametrize(("prefix", "tail"), [("condition = ", ""), ("if ", ":")])
def test_long_conditions_are_cut_before_their_operators(prefix: str, tail: str) -> None:
    tests = [f"a_long_name_{k} >= {k}" for k in range(6)]
    assert statement(prefix, " and ".join(tests), 4, tail) == [
        f"    {prefix}(",
        f"        {tests[0]}",
        *[f"        and {test}" for test in tests[1:]],
        f"    ){tail}",
    ]


def test_an_index_is_no_tuple() -> None:
    lines = statement("x = ", f'compiled(kernel, LLVM["{"k" * 90}"], 1)', 0)
    call = ast.parse("\n".join(lines)).body[0].value  # type: ignore
    assert call.args[1].slice.value == "k" * 90
    lines = statement("x = ", f"table[{'k' * 60}, {'l' * 60}]", 0)
    assert max(map(len, lines)) <= WIDTH
    assert len(ast.parse("\n".join(lines)).body[0].value.slice.elts) == 2  # type: ignore


@pytest.mark.sampled(48)
@pytest.mark.parametrize(
    ("path", "pipeline"),
    [
        pytest.param(path, pipeline, id=f"{path.stem}-{pipeline}")
        for path in (*EXAMPLES, *PROGRAMS)
        for pipeline in ("diablo-to-spark", "diablo-to-local")
        if path.stem not in LARGE or pipeline == "diablo-to-spark"
    ],
)
def test_programs_keep_to_the_width(
    path: Path, pipeline: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([str(path), "-p", pipeline, "-t", "pyspark"]) == 0
    text = capsys.readouterr().out
    compile(text, "program.py", "exec")
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []
    python, *functions = re.split(r'^LLVM\["\w+"\] = r"""$(.*?)^"""$', text, flags=re.M | re.S)
    python += "".join(functions[1::2])
    assert [line for line in python.splitlines() if NEEDLESS.search(line)] == []
    assert not re.search(r"\(\w+ >= 0\) &", python)
    assert _repeated(python) == []
    assert MOVED.findall(python) == []
    assert _with_gaps(python) == []
    assert _unread(python) == []
    assert str(path.parent) not in text
    kernels = re.findall(r"^def (kernel_.*?)\(", python, re.MULTILINE)
    assert kernels == [f"kernel_{number}" for number in range(len(kernels))]
    assert re.findall(r"\barg\d+\b", python) == []
    for function in functions[::2]:
        assert IDENTITIES.findall(function) == []
        numbers = list(map(int, re.findall(r'(?:%"|^)\.(\d+)', function, re.M)))
        assert set(numbers) == set(range(1, max(numbers) + 1))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", sorted(FOLDER_OF_TESTS.glob("*.mlir")), ids=lambda path: path.stem)
def test_modules_keep_to_the_width(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([str(path), "--split-input-file", "-t", "pyspark{llvm=false}"])  # Some are refused.
    for text in capsys.readouterr().out.split("// -----"):
        compile(text, "program.py", "exec")
        assert [line for line in text.splitlines() if len(line) > WIDTH] == []
        assert str(path.parent) not in text


def _with_gaps(text: str) -> list[str]:
    """The names with a number of a function that has none with the number before."""
    found: list[str] = []
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        nodes = list(ast.walk(function))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        for name in names:
            base, _, number = name.rpartition("_")
            if base and number.isdigit() and not base.startswith(("kernel", "loop")):
                before = base if number == "1" else f"{base}_{int(number) - 1}"
                if before not in names:
                    found.append(f"{function.name}: {name}")
    return found


def _repeated(text: str) -> list[str]:
    """Return what stands for tiles or rows of the workers, and is written twice in a block."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            statements = body if isinstance(body, list) else []
            values = [ast.unparse(s.value) for s in statements if isinstance(s, ast.Assign)]
            values = [value for value in values if DISTRIBUTED.match(value)]
            found += [value for value in {*values} if values.count(value) > 1]
    return found


def _unread(text: str) -> list[str]:
    """The names but `_` that a function assigns and nothing in it reads."""
    found: list[str] = []
    for function in [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]:
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        assigned = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        found += [f"{function.name}: {name}" for name in sorted(assigned - read - {"_"})]
    return found


def test_text_without_machine_code(capsys: pytest.CaptureFixture[str]) -> None:
    path = FOLDER / "row_sums.diablo"
    assert run([str(path), "-t", "pyspark{llvm=false}"]) == 0
    text = capsys.readouterr().out
    assert "LLVM" not in text


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


@pytest.mark.parametrize("pipeline", ["diablo-to-spark", "diablo-to-local"])
def test_the_source_keeps_its_names(
    pipeline: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "names.diablo"
    program.write_text(
        "input A: vector[Double]; input n: Int; input steps: Int;"
        "var x = tensor*(n)[ (i,a*2.0) | (i,a) <- A, i < n-1 ];"
        "var k = 1; while (k < steps) { k = k*3 + k%7 };"
        "(x, k)"
    )
    assert run([str(program), "-p", pipeline, "-t", "pyspark"]) == 0
    text = capsys.readouterr().out
    assert re.findall(r"\b(?:steps|x)_\d+\b", text) == []
    if pipeline == "diablo-to-local":
        assert re.search(r"while k < steps:\n +if not other_steps:", text)
