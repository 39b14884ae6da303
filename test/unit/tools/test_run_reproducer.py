"""What an internal error of `diablo-run` leaves behind can be run again."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from diablo.api import Program
from diablo.tools.run_tool.run_driver import run


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("a mistake\nin two lines")

    monkeypatch.setattr(Program, "run", fail)
    return monkeypatch


def left_behind(capsys: pytest.CaptureFixture[str]) -> Path:
    found = re.search(r"diablo-run --run-reproducer (\S+)\)", capsys.readouterr().err)
    assert found is not None
    return Path(found[1])


def test_it_fails_again_and_then_runs_as_the_command_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], failing: pytest.MonkeyPatch
):
    program = tmp_path / "odd\nname: 'x'\nn;.diablo"
    program.write_text("input n: Int;\ninput s: String;\n(n+1, s);\n")
    failing.setenv("DIABLO_THREADS", "1")
    assert run([str(program), "--set", "n=41", "--set", "s=a  b", "--block-size=3"]) == 1
    path = left_behind(capsys)
    first, second, *_ = path.read_text().splitlines()
    assert first.startswith("// env DIABLO_")
    assert first.endswith(f"diablo-run {path} --set n=41 --set 's=a  b' --block-size=3")
    assert second.startswith("// made by: diablo-run ")
    assert "// ValueError: a mistake" in path.read_text()
    assert run(["--run-reproducer", str(path)]) == 1
    left_behind(capsys).unlink()
    failing.undo()
    os.environ.pop("DIABLO_THREADS", None)
    failing.setenv("DIABLO_THREADS", "2")
    assert run(["--run-reproducer", str(path)]) == 0
    assert capsys.readouterr().out == "42\na  b\n"
    assert os.environ["DIABLO_THREADS"] == "1"
    path.unlink()


def test_other_files_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.diablo"
    path.write_text("1;")
    assert run(["--run-reproducer", str(path)]) == 2
    assert "is no reproducer: its first line is not '// diablo-run" in capsys.readouterr().err
    assert run(["--run-reproducer", str(tmp_path / "no")]) == 2
    assert "cannot read" in capsys.readouterr().err
