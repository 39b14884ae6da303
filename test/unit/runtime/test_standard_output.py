# Printing where standard output is closed, full, or a pipe that nobody reads.
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FULL = Path("/dev/full")
SUM = "var s = +/[ i | i <- 1..4 ];\ns;\n"


def _command(tool: str, tmp_path: Path) -> list[str]:
    program = tmp_path / "sum.diablo"
    program.write_text(SUM)
    if tool != "script":
        return [sys.executable, "-m", f"diablo.tools.{tool}", str(program)]
    emit = [sys.executable, "-m", "diablo.tools.opt", "-t", "pyspark", str(program)]
    script = tmp_path / "sum.py"
    with script.open("w") as file:
        subprocess.run(emit, check=True, stdout=file, cwd=ROOT)
    return [sys.executable, str(script)]


def _errors(command: list[str], redirection: str) -> tuple[int, str]:
    line = [*command, redirection]
    run = subprocess.run(
        ["sh", "-c", f'"$@" {line.pop()}', "sh", *line],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    return run.returncode, run.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tool", ["opt", "run", "script"])
def test_one_line_where_the_disk_is_full_or_nothing_is_open(tool: str, tmp_path: Path):
    command = _command(tool, tmp_path)
    code, errors = _errors(command, ">&-")
    assert (code, errors.count("\n")) == (1, 1)
    assert errors.endswith("error: standard output is closed\n")
    if FULL.exists():
        code, errors = _errors(command, f"> {FULL}")
        assert (code, errors.count("\n")) == (1, 1)
        assert "error: standard output: cannot be written: No space left" in errors


@pytest.mark.parametrize("tool", ["opt", "run", "script"])
def test_no_word_where_the_reader_has_gone(tool: str, tmp_path: Path):
    command = _command(tool, tmp_path)
    _, errors = _errors(command, "| true")
    assert errors == ""


def test_the_version_is_printed_on_standard_output():
    command = [sys.executable, "-m", "diablo.tools.opt", "--version"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.startswith("diablo-opt ")
    assert run.stderr == ""


def test_a_command_does_not_show_what_libraries_log():
    code = (
        "import logging; from diablo.runtime.io.standard_output import keep_logs_quiet;"
        "keep_logs_quiet(); logging.error('a stack trace'); logging.getLogger('py4j').error('too')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert run.stderr == ""
