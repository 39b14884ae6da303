# Progress on a terminal: shown when something takes long, taken away, and nothing elsewhere.
import linecache
import os
import pty
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import diablo
from diablo import api, compilations
from diablo.pass_manager import PassManager
from diablo.runtime import progress
from diablo.runtime.engines.running import running
from diablo.runtime.io import inputs
from diablo.runtime.program.run_main import run_main
from diablo.runtime.progress import Step, doing, hidden, is_shown, showing
from diablo.tools.run_tool.run_driver import run

SUM = "input n: Int;\nvar s = +/[ i*i | i <- 1..n ];\ns;\n"
DEGREES = "input G: list[(Int,Int)];\ntensor*(4)[ (i,j.length) | (i,j) <- G, group by i ];\n"


class Terminal:
    """A terminal that is stderr, and what was written to it."""

    def __init__(self):
        self._master, slave = pty.openpty()
        self.stream = os.fdopen(slave, "w", buffering=1)
        self.text = ""

    def wait_for(self, pattern: str) -> None:
        """Wait until something has been written."""
        while not re.search(pattern, self.text):
            ready, _, _ = select.select([self._master], [], [], 20)
            assert ready, f"no {pattern!r} after {self.text!r}"
            self.text += os.read(self._master, 4096).decode()

    def all(self) -> str:
        """All that was written; the terminal is closed."""
        print("<end>", end="", file=self.stream, flush=True)
        self.wait_for("<end>")
        self.close()
        return self.text.removesuffix("<end>")

    def close(self) -> None:
        if not self.stream.closed:
            self.stream.close()
            os.close(self._master)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    terminal = Terminal()
    # Not the true one, which pytest sets anew for each phase of a test.
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=terminal.stream))
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.05)
    yield terminal
    terminal.close()


def _visible(written: str) -> str:
    """Return what a terminal shows after all that was written, where \\r goes back to column 0."""
    shown: list[str] = []
    for line in written.replace("\r\n", "\n").split("\n"):
        cells: list[str] = []
        for part in line.split("\r"):
            cells[: len(part)] = part
        shown.append("".join(cells).rstrip())
    return "\n".join(shown)


def test_what_is_done_is_shown_and_taken_away(terminal: Terminal):
    with showing():
        with doing("reading G"):
            terminal.wait_for(r"reading G \[00:00\]")
            with doing("sorting"):
                terminal.wait_for(r"sorting \[")
        with doing("writing"):
            terminal.wait_for("writing")
    assert _visible(terminal.all()) == ""
    assert not is_shown()


def test_only_what_can_be_counted_has_a_bar(terminal: Terminal):
    with showing():
        with doing("reading"):
            terminal.wait_for("reading")
        assert "|" not in terminal.text
        step = Step("compiling", total=4)
        with doing(step):
            step.begin("cse")
            terminal.wait_for(r"compiling: cse \| +\| 0/4 \[")
            step.begin("dce")
            terminal.wait_for(r"compiling: dce \|█+ +\| 1/4 \[")


def test_the_true_stderr_is_drawn_on(terminal: Terminal, monkeypatch: pytest.MonkeyPatch):
    # tqdm asks the true one, and no other, for its size; a pseudo-terminal has none.
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    with showing(), doing("reading"):
        terminal.wait_for("reading")


def test_nothing_before_the_delay(terminal: Terminal):
    with showing(delay=600), doing("reading"):
        time.sleep(0.05)
    assert terminal.all() == ""


def test_nothing_unless_wanted(terminal: Terminal):
    with showing(False), doing("reading"):
        assert not is_shown()
        assert not _threads()
    assert terminal.all() == ""


@pytest.mark.parametrize("closed", [False, True])
def test_nothing_without_a_terminal(closed: bool, monkeypatch: pytest.MonkeyPatch):
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as stream:
        if closed:
            stream.close()
        monkeypatch.setattr(sys, "stderr", stream)
        with showing(delay=0), doing("reading"), hidden():
            assert not is_shown()
            assert not _threads()
        monkeypatch.undo()
    assert os.read(reader, 100) == b""
    os.close(reader)


def test_nothing_without_stderr(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stderr", None)
    with showing(delay=0), doing("reading"):
        assert not is_shown()


def test_the_outermost_shows(terminal: Terminal):
    with showing():
        with showing():
            assert len(_threads()) == 1
        assert is_shown()
        assert len(_threads()) == 1
    assert not _threads()


def test_it_is_taken_away_after_an_error(terminal: Terminal):
    def divide() -> int:
        with showing(), doing("dividing"):
            terminal.wait_for("dividing")
            return 1 // 0

    with pytest.raises(ZeroDivisionError):
        divide()
    assert _visible(terminal.all()) == ""
    assert not _threads()


def test_a_terminal_that_is_gone_is_no_error(terminal: Terminal):
    with showing(), doing("reading"):
        terminal.wait_for("reading")
        terminal.close()
        time.sleep(0.05)


def test_messages_stand_on_lines_of_their_own(terminal: Terminal):
    with showing(), doing("reading"):
        terminal.wait_for("reading")
        with hidden():
            print("a warning", file=terminal.stream)
    assert _visible(terminal.all()) == "a warning\n"


def test_a_long_text_stays_on_its_line(terminal: Terminal):
    with showing(), doing("reading \x1b[2J" + 200 * "x"):
        terminal.wait_for("…")
    written = terminal.all()
    assert "\x1b[2J" not in written
    assert max(len(line) for line in re.split(r"[\r\n]", written)) < 80


def test_tqdm_is_loaded_when_it_appears(terminal: Terminal):
    code = (
        "import sys, time; from diablo.runtime.progress import showing\n"
        "with showing(delay=600): pass\n"
        "print('tqdm' in sys.modules)\n"
        "with showing(delay=0):\n"
        "    while 'tqdm' not in sys.modules: time.sleep(0.01)\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=terminal.stream, text=True, timeout=60, check=True
    )
    assert done.stdout == "False\n"


# ---- programs ------------------------------------------------------------------------------


def test_a_call_shows_the_pass_at_work(terminal: Terminal, monkeypatch: pytest.MonkeyPatch):
    program = diablo.compile(SUM, progress=True)
    run_pass: Callable[..., None] = getattr(PassManager, "_run_pass")  # noqa: B009

    def slow(manager: PassManager, index: int, step: Any, *others: Any) -> None:
        if index in (0, 5):
            total = len(manager.passes)
            terminal.wait_for(rf"compiling: {step.name} \|[ █▏▎▍▌▋▊▉]+\| {index}/{total} \[")
        run_pass(manager, index, step, *others)

    monkeypatch.setattr(PassManager, "_run_pass", slow)
    compilations.forget()
    assert program(n=10) == 385
    assert _visible(terminal.all()) == ""


def test_a_call_shows_its_line():
    text = "def main(sc, *, block_size=None):\n    # s.diablo:7: s;\n    return step()\n"
    file = "<compiled from s.diablo>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    seen: list[str] = []

    def step() -> int:
        activity = running(None)
        watcher = threading.Thread(target=lambda: seen.append(activity().text))
        watcher.start()
        watcher.join()
        return 1

    names: dict[str, Any] = {"step": step}
    exec(compile(text, file, "exec"), names)
    assert run_main(names["main"], {}, "local") == 1
    step()
    assert seen == ["running line 7", "running"]
    del linecache.cache[file]


def test_a_call_shows_that_it_runs(terminal: Terminal, monkeypatch: pytest.MonkeyPatch):
    def slow(main: Callable[..., Any], *others: Any) -> Any:
        def slow_main(*arguments: Any, **named: Any) -> Any:
            terminal.wait_for("running")
            return main(*arguments, **named)

        return run_main(slow_main, *others)

    monkeypatch.setattr(api, "run_main", slow)
    assert diablo.compile(SUM, progress=True)(n=10) == 385
    assert _visible(terminal.all()) == ""
    assert not _threads()


def test_a_call_shows_nothing_by_default(terminal: Terminal):
    program = diablo.compile(SUM)
    for n in range(3):
        program(n=n)
    assert terminal.all() == ""


def test_diablo_run_shows_what_it_reads(
    terminal: Terminal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    Path("degrees.diablo").write_text(DEGREES)
    Path("edges.csv").write_text("0,1\n0,2\n3,0\n")
    load = inputs.load

    def slow(*arguments: Any) -> Any:
        terminal.wait_for(r"reading G from edges\.csv \[")
        return load(*arguments)

    monkeypatch.setattr(inputs, "load", slow)
    assert run(["degrees.diablo", "--input", "G=edges.csv", "--engine", "local"]) == 0
    assert capsys.readouterr().out == "[2 0 0 1]\n"
    assert _visible(terminal.all()) == ""


def test_diablo_run_says_steps_instead(
    terminal: Terminal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "sum.diablo").write_text(SUM)
    assert run([str(tmp_path / "sum.diablo"), "--set", "n=4", "-v"]) == 0
    assert "diablo-run: compiling\n" in capsys.readouterr().err
    assert terminal.all() == ""


class _Stage(NamedTuple):
    stageId: int
    numTasks: int
    numCompletedTasks: int


class _Tracker:
    """Spark's status tracker, of which stage 2 is forgotten already."""

    def __init__(self, *stages: _Stage):
        self.stages = {stage.stageId: stage for stage in stages}

    def statusTracker(self) -> "_Tracker":
        return self

    def getActiveStageIds(self) -> list[int]:
        return [2, *self.stages]

    def getStageInfo(self, stage: int) -> _Stage | None:
        return self.stages.get(stage)


def test_on_spark_the_tasks_of_active_stages_are_counted():
    assert running(_Tracker())() == Step("running")
    assert running(_Tracker(_Stage(3, 8, 2)))() == Step("running", 2, 8, "stage 3")
    both = _Tracker(_Stage(3, 8, 2), _Stage(5, 1, 0))
    assert running(both)() == Step("running", 2, 9, "stages 3, 5")


def _threads() -> list[str]:
    """The threads that show progress."""
    return [t.name for t in threading.enumerate() if t.name == "diablo-progress"]
