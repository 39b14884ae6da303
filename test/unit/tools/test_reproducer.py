# A reproducer carries all that the failure may hang on, and runs by itself.
import os
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from diablo.tools.opt_tool.opt_arguments import OptArguments
from diablo.tools.opt_tool.opt_driver import run

INPUT = """func.func @f(%a: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %x = "other.y"(%a) : (i64) -> i64
  %y = arith.addi %x, %zero : i64
  func.return %y : i64
}
"""

MISSING = 'mlir-opt{executable="no \\" such,program"}'

FLAGS = [
    "--target=mlir",
    "--print-ir-before=dce",
    "--print-ir-after=canonicalize",
    "--print-ir-before-all",
    "--print-ir-after-all",
    "--print-ir-after-change",
    "--print-op-generic",
    "--print-debuginfo",
    "--disable-verify",
    "--allow-unregistered-dialect",
    "--remarks",
    "--max-rewrites=77",
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "input.mlir"
    path.write_text(INPUT, encoding="utf-8")
    return path


def test_every_flag_is_carried(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    again = source.with_name("again.mlir")
    monkeypatch.setenv("DIABLO_EXTRA", "a b")
    passes = f"func.func(canonicalize),{MISSING},any(cse)"
    assert run([str(source), "-p", passes, *FLAGS, f"--reproducer={again}"]) == 1
    words = shlex.split(again.read_text(encoding="utf-8").partition("\n")[0])
    assert words[:2] == ["//", "env"]
    assert "DIABLO_EXTRA=a b" in words
    rest = words[words.index("diablo-opt") + 1 :]
    pipeline = f"--pass-pipeline=builtin.module({MISSING},any(cse))"
    assert set(rest) == {str(again), pipeline, *FLAGS} - {"--target=mlir"}

    monkeypatch.delenv("DIABLO_EXTRA")
    capsys.readouterr()
    assert run(["--run-reproducer", str(again)]) == 1
    assert os.environ["DIABLO_EXTRA"] == "a b"
    said = capsys.readouterr().err
    assert "while running pass 'mlir-opt': ValueError: no \" such,program is not" in said
    assert "to see it again" not in said
    monkeypatch.delenv("DIABLO_EXTRA")


def test_options_that_are_not_carried_are_known():
    given = {flag.removeprefix("--").partition("=")[0].replace("-", "_") for flag in FLAGS}
    assert {f.name for f in fields(OptArguments)} - given == {
        *("input_file", "output_file", "frontend", "pass_pipeline", "passes", "list_passes"),
        *("split_input_file", "verify_diagnostics", "timing", "reproducer", "run_reproducer"),
    }


@pytest.mark.parametrize("name", ["limit.mlir", "limit.diablo"])
def test_a_limit_fails_again(name: str, source: Path, capsys: pytest.CaptureFixture[str]):
    again = source.with_name(name)
    limit = ["--allow-unregistered-dialect", "--max-rewrites=1"]
    assert run([str(source), "-p", "canonicalize", *limit, f"--reproducer={again}"]) == 1
    first = capsys.readouterr().err
    assert "more than 1 changes" in first
    assert run(["--run-reproducer", str(again)]) == 1
    assert capsys.readouterr().err.splitlines()[0] == first.splitlines()[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("func.func @f() { func.return }", "its first line is not '// diablo-opt FILE …'"),
        ("// rm -rf folder", "its first line is not '// diablo-opt FILE …'"),
        ("// env PATH=here diablo-opt x.mlir", "its first line is not '// diablo-opt FILE …'"),
        ('// diablo-opt "x.mlir', "its first line cannot be read: No closing quotation"),
        ("// diablo-opt x.mlir -o out", "its command gives 'output_file', which is for you to say"),
    ],
)
def test_other_files_are_not_run(
    line: str, message: str, source: Path, capsys: pytest.CaptureFixture[str]
):
    source.write_text(f"{line}\n", encoding="utf-8")
    assert run(["--run-reproducer", str(source)]) == 2
    assert f"'{source}' is no reproducer: {message}" in capsys.readouterr().err


def test_a_reproducer_is_a_file_with_its_own_passes(
    source: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["--run-reproducer"]) == 2
    assert run(["--run-reproducer", str(source), "-p", "cse"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "needs a file" in first
    assert "the passes that the file names, and no others" in second
