"""What is kept on the disk: found again by other processes, and trusted only where it may be."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diablo.runtime import disk_cache
from diablo.runtime.disk_cache import is_on, store, stored

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DIABLO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def the_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_what_is_stored_is_found(folder: Path):
    assert stored("code", "a") is None
    store("code", "a", b"\x00one\n")
    assert stored("code", "a") == b"\x00one\n"
    assert stored("code", "b") is None
    assert stored("text", "a") is None
    store("code", "a", b"")
    assert stored("code", "a") == b""
    assert the_file(folder).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_another_process_finds_it(folder: Path):
    store("code", "a", b"one")
    code = "from diablo.runtime.disk_cache import stored; print(stored('code', 'a'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "b'one'\n", run.stderr


def test_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DIABLO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    store("code", "a", b"one")
    the_file(tmp_path / "caches" / "diablo")
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")  # Not absolute: to be ignored.
    store("code", "a", b"one")
    the_file(tmp_path / "home" / ".cache" / "diablo")


def test_it_can_be_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    store("code", "a", b"one")
    assert stored("code", "a") is None
    assert not is_on()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: b"something else",
        lambda data: data.replace(b"one", b"two"),
        lambda data: b"X" + data[1:],
        lambda data: data + b"\x00",
    ],
)
def test_damaged_files_are_no_entries(folder: Path, damage: Callable[[bytes], bytes]):
    store("code", "a", b"one")
    file = the_file(folder)
    file.write_bytes(damage(file.read_bytes()))
    assert stored("code", "a") is None
    store("code", "a", b"one")
    assert stored("code", "a") == b"one"


def test_the_entry_of_another_key_is_none(folder: Path):
    store("code", "a", b"one")
    file = the_file(folder)
    store("code", "b", b"two")
    (other,) = set(folder.iterdir()) - {file}
    file.rename(other)
    assert stored("code", "b") is None


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_where_others_may_write_is_not_used(
    tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch
):
    tmp_path.chmod(mode)
    monkeypatch.setenv("DIABLO_CACHE", str(tmp_path))
    store("code", "a", b"one")
    assert not is_on()
    assert not list(tmp_path.iterdir())


def test_files_that_others_may_write_are_not_read(folder: Path):
    store("code", "a", b"one")
    the_file(folder).chmod(0o666)
    assert stored("code", "a") is None


def test_links_and_folders_are_not_read(folder: Path, tmp_path: Path):
    store("code", "a", b"one")
    file = the_file(folder)
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert stored("code", "a") is None
    file.unlink()
    file.mkdir()
    assert stored("code", "a") is None
    store("code", "a", b"one")  # Cannot be written, and no harm is done.
    assert [path.name for path in folder.iterdir()] == [file.name]


def test_the_owner_counts(folder: Path, monkeypatch: pytest.MonkeyPatch):
    store("code", "a", b"one")
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert stored("code", "a") is None


@pytest.mark.parametrize("where", ["file", "file/below", "\0"])
def test_no_folder_is_no_failure(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    if "\0" not in where:  # The environment cannot hold it, but a program may be given it.
        monkeypatch.setenv("DIABLO_CACHE", str(tmp_path / where))
        store("code", "a", b"one")
        assert stored("code", "a") is None
    usable = disk_cache._usable_folder  # pyright: ignore[reportPrivateUsage]
    assert usable(str(tmp_path / where), "", "") is None


def test_a_full_disk_is_no_failure(folder: Path, monkeypatch: pytest.MonkeyPatch):
    store("code", "a", b"one")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    store("code", "b", b"two")
    assert stored("code", "b") is None
    assert stored("code", "a") == b"one"
    the_file(folder)  # Nothing is left of the other.


def test_what_was_not_used_for_longest_goes(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 10_000)
    for number in range(8):
        store("code", str(number), bytes(1000))
        for other in folder.iterdir():
            found = other.stat()
            os.utime(other, (found.st_atime, found.st_mtime - 100))
        assert stored("code", "0") is not None
    for number in range(8, 12):
        store("code", str(number), bytes(1000))
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 10_000
    found = [stored("code", str(number)) is not None for number in range(12)]
    assert found[0]
    assert found[-1]
    assert not found[1]


def test_what_killed_processes_leave_is_removed(folder: Path, monkeypatch: pytest.MonkeyPatch):
    store("code", "a", b"one")
    old, new = folder / "new-1-0", folder / "new-2-0"
    for file in (old, new):
        file.write_bytes(b"half")
    os.utime(old, (0, 0))
    monkeypatch.setattr(disk_cache, "_drawn", lambda: 0.5)
    store("code", "b", b"two")
    assert old.exists()  # Little was written since somebody has looked.
    monkeypatch.setattr(disk_cache, "_drawn", lambda: 0.0)
    store("code", "b", b"two")
    assert not old.exists()
    assert new.exists()


def test_looks_at_the_folder_are_far_apart(folder: Path, monkeypatch: pytest.MonkeyPatch):
    looks: list[Path] = []
    monkeypatch.setattr(disk_cache, "_trim", looks.append)
    draws = iter([0.0, 0.99, 0.015, 0.017])
    monkeypatch.setattr(disk_cache, "_drawn", lambda: next(draws))
    for number in range(4):
        store("code", str(number), bytes(disk_cache.MOST_BYTES // 1024))
    assert looks == [folder] * 2


def test_other_versions_have_other_entries(folder: Path, monkeypatch: pytest.MonkeyPatch):
    store("code", "a", b"one")
    monkeypatch.setattr(disk_cache, "_version", lambda: "another")
    assert stored("code", "a") is None
    monkeypatch.setattr(disk_cache, "_version", lambda: None)
    store("code", "b", b"one")
    assert stored("code", "b") is None


def test_the_version_is_that_of_every_file(tmp_path: Path):
    files = disk_cache._files  # pyright: ignore[reportPrivateUsage]
    (tmp_path / "below").mkdir()
    (tmp_path / "a.py").write_text("1")
    before = list(files(tmp_path))
    (tmp_path / "below" / "loop.ll").write_text("2")
    (tmp_path / "notes.txt").write_text("3")
    added = list(files(tmp_path))
    assert len(added) == len(before) + 1 == 2
    os.utime(tmp_path / "a.py", (1, 1))
    assert list(files(tmp_path)) != added


ADD = """
define void @add(ptr %a, double %s) {
  %x = load double, ptr %a
  %y = fadd double %x, %s
  store double %y, ptr %a
  ret void
}
"""
CALL = f"""
import ctypes
from diablo.runtime.native import machine_code
number = ctypes.c_double(40.0)
machine_code.machine_code("add", {ADD!r})(ctypes.addressof(number), 2.0)
print(number.value)
"""


def test_machine_code_is_compiled_once(folder: Path):
    pytest.importorskip("llvmlite")
    refuse = "machine_code.optimised = None\n"
    for code in (CALL, CALL.replace("number =", refuse + "number =")):
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert run.stdout == "42.0\n", run.stderr
    the_file(folder)
    # Code that does not fit the key, as from another processor, is not run.
    changed = CALL.replace("fadd", "fmul")
    run = subprocess.run([sys.executable, "-c", changed], capture_output=True, text=True)
    assert run.stdout == "80.0\n", run.stderr
