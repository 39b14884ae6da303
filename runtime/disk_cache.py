"""What was compiled, kept in files for processes to come.

    store("code", key, data)              # ~/.cache/diablo/code-1c52…
    stored("code", key)                   ->  data, in another process; None if there is none

`DIABLO_CACHE` names the folder, and `DIABLO_CACHE=off` does without. By default it is `diablo` in
the user's folder for caches (`XDG_CACHE_HOME`, or `~/.cache`). A key counts together with the
version of all that compiles: the files of diablo, the packages that it compiles with, and Python.

What is read here is run, so the folder and each file must be the user's, and nobody else may write
there. A file ends with a checksum of its key and its data: what is cut short, or was put under
another name, is no entry. Files are written under a name of their own and then renamed, so that
processes see all of an entry or nothing. No failure of the disk is a failure of the program, which
compiles what it does not find.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from time import time

FOLDER = "DIABLO_CACHE"
"""The variable of the environment that names the folder."""
MOST_BYTES = 1 << 28
"""How much the folder holds, about: what was not used for longest goes first."""

_MOST_BYTES_OF_ONE = 1 << 26
_MAGIC = b"diablo 1\n"
_TEMPORARY = "new-"
_ABANDONED = 3600.0
"""After how many seconds a file that nobody has renamed is one of a process that was killed."""
_PACKAGES = ("xdsl", "numpy", "scipy", "llvmlite")
_SUFFIXES = (".py", ".ll")


def stored(kind: str, key: str) -> bytes | None:
    """The data that a process has stored for a key; None if there are none that can be trusted."""
    path = _path(kind, key)
    if path is None:
        return None
    try:
        with open(path, "rb", opener=_open_own) as file:
            data = file.read()
            with suppress(OSError):
                os.utime(file.fileno())  # The time of the last use.
    except OSError:
        return None
    begin, end = len(_MAGIC), len(data) - hashlib.sha256().digest_size
    if not data.startswith(_MAGIC) or end < begin:
        return None
    if data[end:] != _checksum(path.name, data[begin:end]):
        return None
    return data[begin:end]


def store(kind: str, key: str, data: bytes) -> None:
    """Keep data for a key, if that can be done."""
    path = _path(kind, key)
    if path is None or len(data) > _MOST_BYTES_OF_ONE:
        return
    temporary = path.with_name(f"{_TEMPORARY}{os.getpid()}-{os.urandom(6).hex()}")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(_MAGIC + data + _checksum(path.name, data))
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
    else:
        _bound(path.parent, len(data))


def is_stored(kind: str, key: str) -> bool:
    """Return whether there seem to be data for a key, which are not looked at."""
    path = _path(kind, key)
    return path is not None and path.exists()


def is_on() -> bool:
    """Return whether there is a folder to keep anything in."""
    return _folder() is not None


def _checksum(name: str, data: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + data).digest()


def _path(kind: str, key: str) -> Path | None:
    """The file of a key."""
    folder, version = _folder(), _version()
    if folder is None or version is None:
        return None
    name = hashlib.sha256("\n".join((version, kind, key)).encode(errors="surrogatepass"))
    return folder / f"{kind}-{name.hexdigest()}"


def _folder() -> Path | None:
    """The folder of the environment, which is made if there is none; None if it cannot be used."""
    names = (FOLDER, "XDG_CACHE_HOME", "HOME")
    return _usable_folder(*[os.environ.get(name, "") for name in names])


@cache
def _usable_folder(given: str, caches: str, home: str) -> Path | None:
    if given == "off":
        return None
    if given:
        path = Path(given).absolute()
    elif os.path.isabs(caches):  # Others are to be ignored.
        path = Path(caches) / "diablo"
    else:
        try:
            path = Path(home or Path.home()) / ".cache" / "diablo"
        except RuntimeError:
            return None
        if not path.is_absolute():
            return None
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.stat()
    except (OSError, ValueError):
        return None
    return path if stat.S_ISDIR(found.st_mode) and _is_own(found) else None


def _is_own(found: os.stat_result) -> bool:
    """Return whether a file or folder is the user's, and others may not write there."""
    if not hasattr(os, "geteuid"):
        return True  # Where there are no such users, profiles are private.
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _open_own(path: str, flags: int) -> int:
    """Open a regular file of the user's; nothing else is waited for, or followed."""
    more = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | more)
    found = os.fstat(descriptor)
    if not (
        stat.S_ISREG(found.st_mode) and _is_own(found) and found.st_size <= 2 * _MOST_BYTES_OF_ONE
    ):
        os.close(descriptor)
        raise OSError("not a file of this cache")
    return descriptor


# -- The bound ----------------------------------------------------------------------------

_BETWEEN_LOOKS = 1 / 16
"""What part of all that the folder holds is written between two looks at it, on average."""


def _bound(folder: Path, added: int) -> None:
    """Look now and then whether a folder holds too much.

    Each byte that any process writes is as likely to bring that about, so that most processes,
    which write little, do not go through thousands of files.
    """
    if _drawn() < added / (MOST_BYTES * _BETWEEN_LOOKS):
        with suppress(OSError):
            _trim(folder)


def _drawn() -> float:
    """A random number below 1 that is none of the user's generators'."""
    return int.from_bytes(os.urandom(4), "big") / 2**32


def _trim(folder: Path) -> None:
    """Remove what processes have left behind, and of too much what was not used for longest."""
    entries: list[tuple[float, int, str]] = []
    for entry in os.scandir(folder):
        with suppress(OSError):  # Other processes remove files as well.
            found = entry.stat(follow_symlinks=False)
            if not entry.name.startswith(_TEMPORARY):
                entries.append((found.st_mtime, found.st_size, entry.path))
            elif time() - found.st_mtime > _ABANDONED:
                os.unlink(entry.path)
    total = sum(size for _, size, _ in entries)
    if total <= MOST_BYTES:
        return
    for _, size, path in sorted(entries):
        with suppress(OSError):
            os.unlink(path)
            total -= size
        if total <= MOST_BYTES * 3 // 4:
            return


# -- The version --------------------------------------------------------------------------


@cache
def _version() -> str | None:
    """Return what tells this compiler from others; None if that cannot be told."""
    try:
        hashed = hashlib.sha256(sys.version.encode())
        for part in (*map(_package, _PACKAGES), *_files(Path(__file__).parents[1])):
            hashed.update(f"{part}\n".encode(errors="surrogatepass"))
        return hashed.hexdigest()
    except OSError:
        return None


def _package(name: str) -> str:
    """The version of a package that is not imported: what its installation is called."""
    spec = PathFinder.find_spec(name)
    if spec is None or spec.origin is None:
        return f"no {name}"
    found = os.stat(spec.origin)
    beside = _names(str(Path(spec.origin).parents[1]))
    installed = [other for other in beside if other.startswith(f"{name}-")]
    return f"{installed} {spec.origin} {found.st_size} {found.st_mtime_ns}"


@cache
def _names(folder: str) -> list[str]:
    return sorted(os.listdir(folder))


def _files(folder: Path) -> Iterable[str]:
    """The source files below a folder, each with its size and when it was written."""
    return sorted(_walk(str(folder), ""))


def _walk(folder: str, below: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIXES):
                found = entry.stat()
                yield f"{below}/{entry.name} {found.st_size} {found.st_mtime_ns}"
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _walk(entry.path, f"{below}/{entry.name}")
