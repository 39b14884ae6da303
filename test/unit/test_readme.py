# What README.md shows is what the tools print, and its commands run.
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import diablo
from diablo.tools.opt_tool.opt_driver import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PRODUCT = "examples/product.diablo"
LEVELS = {
    "a comprehension:": ["-p", "diablo-to-comprehension"],
    "one operation on whole arrays": ["-p", "diablo-to-tensor-block"],
    "tiles meet by key": ["-p", "diablo-to-spark"],
    "the program that runs": ["-t", "pyspark"],
}


def _run(*command: str, cwd: Path = ROOT) -> str:
    result = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("words", LEVELS)
def test_the_levels_are_as_printed(words: str, capsys: pytest.CaptureFixture[str]):
    section = README.partition(words)[2]
    block = re.search(r"^```\w+\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert block is not None
    assert run([str(ROOT / PRODUCT), *LEVELS[words]]) == 0
    printed = capsys.readouterr().out.splitlines()
    position = 0
    for line in block[1].splitlines():
        # An ellipsis stands for what is left out; the numbers of values are of no interest.
        text = ".*".join(re.escape(part.strip()) for part in line.split("…"))
        pattern = re.compile(re.sub(r"%\d+", r"%\\d+", text))
        while position < len(printed) and not pattern.search(printed[position]):
            position += 1
        assert position < len(printed), f"not printed (any more): {line}"


def _commands() -> list[str]:
    """The shell commands of README other than those that make environments."""
    text = README.replace("\\\n", " ")
    lines = [line.split("#")[0].strip() for line in re.findall(r"^    (\S.*)$", text, re.MULTILINE)]
    return [line for line in lines if line.startswith("diablo-")]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(c, marks=[pytest.mark.spark] if "spark" in c else [], id=c.split()[1])
        for c in _commands()
    ],
)
def test_the_commands_run(command: str, tmp_path: Path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    name, *arguments = shlex.split(command)
    module = "diablo.tools." + name.removeprefix("diablo-")
    _run(sys.executable, "-m", module, *arguments, cwd=tmp_path)
    for argument in arguments:
        if argument.endswith(".npy"):
            assert (tmp_path / argument.partition("=")[2]).exists()


def test_the_python_code_runs():
    code = re.search(r"^```python\n(import diablo\n.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert code is not None
    printed = _run(sys.executable, "-c", code[1])
    assert "[[4. 4.]" in printed
    assert "tensor_block.reduce" in printed


def test_the_script_is_what_readme_says():
    script = ROOT / "diablo.sh"
    assert os.access(script, os.X_OK)
    usage = subprocess.run([script], capture_output=True, text=True)
    assert usage.returncode == 2
    for command in re.findall(r"^    (\./diablo\.sh \w+)", README, re.MULTILINE):
        assert command in usage.stderr


def test_the_demo_prints_the_top_ranks():
    printed = _run(sys.executable, "examples/pagerank.py")
    assert "PageRank of 5000 packages with 27266 dependencies" in printed
    assert re.search(r"^  1\. libc6 +0\.18", printed, re.MULTILINE)


def test_the_programs_compile():
    programs = re.findall(r"^```diablo\n(input .*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(programs) == 3
    for text in programs:
        assert "spark." in diablo.compile(text).ir("spark")


def test_every_example_is_in_the_table():
    table = (ROOT / "examples" / "README.md").read_text()
    named = re.findall(r"\[\w+\]\((\w+)\.diablo\)", table)
    assert sorted(named) == sorted(path.stem for path in (ROOT / "examples").glob("*.diablo"))
