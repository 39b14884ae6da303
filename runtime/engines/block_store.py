"""Blocks in files, which the processes of a machine hand on by name.

    folder = new_folder()
    data = dumps((coordinates, tile), folder)    # the tile's arrays are in a file of the folder
    loads(data)                                  # in any process: they are mapped, not copied
    remove(folder)

A tile that goes through Spark as bytes is copied some five times: it is pickled, sent to the JVM,
kept there, sent to a worker, read. One in a file is written once; what Spark sends, keeps and
shuffles is the name. Files lie in memory where there is plenty (`/dev/shm`), else on the disk;
where neither has room, bytes travel as they do without files.

A process that has made folders may write into what it reads, as callers do with results. All
others may not, and so hand on arrays that they have read by another name for the same file.
"""

from __future__ import annotations

import atexit
import mmap
import os
import pickle
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4
from weakref import WeakSet

import numpy as np

from diablo.diagnostics import InputError, LostBlock
from diablo.runtime.available_memory import available_memory, machine_memory

BLOCKS = "DIABLO_BLOCKS"
"""The variable that names a folder for blocks, which all machines see; or `off`."""
LOST = "an array is read that was let go already, as by `close()`, or whose file was removed"
"""What is said of a block whose file is gone."""
LEAST_BYTES = 1 << 16
"""Shorter arrays travel as bytes: to open a file takes as long."""

_MEMORY = Path("/dev/shm")
_PREFIX = "diablo-blocks-"
_ALIGNMENT = 64
_MOST_MAPPED = 256
"""How many files a process has open at a time; others it reads."""

Folder = tuple[str, ...]
"""The places for the files of one purpose, the best one first."""
_Span = tuple[int, int, int]
"""Where an array is: the number of the file, the first byte, how many."""

_roots: list[Path] = []
"""The folders of this process, in which all others are."""
_made_by = 0
"""The process that has made them, which may be this one's parent."""


class _Mapped(mmap.mmap):
    """A file in memory."""

    path = ""


_mapped: WeakSet[_Mapped] = WeakSet()


def new_folder() -> Folder:
    """A folder that is there until it is removed, or this process ends."""
    places: list[str] = []
    name = uuid4().hex
    for root in _own_roots():
        with suppress(OSError):
            (root / name).mkdir(mode=0o700)
            places.append(str(root / name))
    return tuple(places)


def remove(folder: Folder) -> None:
    """Remove a folder; who has mapped a file of it keeps that."""
    for place in folder:
        shutil.rmtree(place, ignore_errors=True)


def file_bytes(folder: Folder) -> int:
    """Return how many bytes the files of a folder have."""
    total = 0
    for place in folder:
        with suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                with suppress(OSError):
                    total += entry.stat().st_size
    return total


def dumps(value: Any, folder: Folder | None) -> bytes:
    """A value pickled; long arrays of it are in a file if there is a folder."""
    return counted(value, folder)[0]


def stored(value: Any, folder: Folder | None) -> tuple[bytes, tuple[str, ...]]:
    """A value pickled, and the names of the files that its long arrays are in, if any are."""
    data, names, _ = counted(value, folder)
    return data, names


def pickled_apart(value: Any) -> tuple[bytes, list[memoryview]]:
    """Return a value pickled without its long arrays, and the memory of these."""
    arrays: list[memoryview] = []

    def apart(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes < LEAST_BYTES:
            return True
        arrays.append(raw)
        return False

    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=apart), arrays


def counted(value: Any, folder: Folder | None) -> tuple[bytes, tuple[str, ...], int]:
    """Return what `stored` does, and how many bytes of the value are in the files."""
    if not folder:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL), (), 0
    head, found = pickled_apart(value)
    if not found:
        return head, (), 0
    places = _stored(found, folder)
    if places is None:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL), (), 0
    data = pickle.dumps(_Stored(head, *places), pickle.HIGHEST_PROTOCOL)
    return data, tuple(places[0]), sum(buffer.nbytes for buffer in found)


def loads(data: bytes) -> Any:
    """The value of a pickle."""
    return pickle.loads(data)


class InFile:
    """Stands for the value of a pickle that `dumps` has made, for any pickler."""

    def __init__(self, data: bytes):
        self._data = data

    def __reduce__(self) -> tuple[Any, ...]:
        return loads, (self._data,)


class _Stored:
    """What is pickled instead of a value that is in files: how to read it."""

    def __init__(self, head: bytes, files: Sequence[str], spans: Sequence[_Span]):
        self.parts = (head, tuple(files), tuple(spans))

    def __reduce__(self) -> tuple[Any, ...]:
        return opened, self.parts


def opened(head: bytes, files: Sequence[str], spans: Sequence[_Span]) -> Any:
    """The value that is in files.

    Raises
    ------
    LostBlock
        If they are gone.
    """
    try:
        contents = [memoryview(_content(path)) for path in files]
    except FileNotFoundError:
        raise LostBlock(LOST) from None
    buffers = [contents[file][first : first + count] for file, first, count in spans]
    return pickle.loads(head, buffers=buffers)


def _content(path: str) -> Any:
    is_own = os.getpid() == _made_by
    with open(path, "rb") as file:
        if len(_mapped) >= _MOST_MAPPED:
            content = file.read()
            return bytearray(content) if is_own else content
        access = mmap.ACCESS_COPY if is_own else mmap.ACCESS_READ
        mapped = _Mapped(file.fileno(), 0, access=access)
    mapped.path = path
    _mapped.add(mapped)
    return mapped


def _stored(buffers: Sequence[memoryview], folder: Folder) -> tuple[list[str], list[_Span]] | None:
    """The files and the places of arrays in them, unless there is no room for those to write."""
    files: list[str] = []
    spans: list[_Span] = []
    written: list[tuple[int, memoryview]] = []
    end = 0
    for buffer in buffers:
        linked = _linked(buffer, folder)
        if linked is None:
            written.append((len(spans), buffer))
            spans.append((-1, end, buffer.nbytes))
            end += -(-buffer.nbytes // _ALIGNMENT) * _ALIGNMENT
            continue
        path, first = linked
        if path not in files:
            files.append(path)
        spans.append((files.index(path), first, buffer.nbytes))
    if written:
        path = _write([(spans[number][1], buffer) for number, buffer in written], end, folder)
        if path is None:
            return None
        for number, _ in written:
            spans[number] = (len(files), *spans[number][1:])
        files.append(path)
    return files, spans


def _linked(buffer: memoryview, folder: Folder) -> tuple[str, int] | None:
    """Another name, in a folder, for the file that an array was read from, and where it is."""
    owner: Any = buffer.obj
    while isinstance(owner, np.ndarray | memoryview):
        owner = owner.base if isinstance(owner, np.ndarray) else owner.obj
    if not isinstance(owner, _Mapped) or os.getpid() == _made_by:
        return None
    first = _address(buffer) - _address(memoryview(owner))
    home, name = os.path.split(owner.path)
    if home in folder:
        return owner.path, first
    for place in folder:
        path = os.path.join(place, name)
        try:
            os.link(owner.path, path)
        except FileExistsError:
            pass
        except OSError:  # It is gone, or on another device.
            continue
        return path, first
    return None


def _address(buffer: memoryview) -> int:
    return int(np.frombuffer(buffer, np.uint8).ctypes.data)


def _write(buffers: Sequence[tuple[int, memoryview]], size: int, folder: Folder) -> str | None:
    """The name of a new file with arrays at the given places."""
    for place in folder:
        if not _has_room(place, size):
            continue
        path = os.path.join(place, f"{uuid4().hex}.block")
        try:
            with open(path, "xb", buffering=0) as file:
                for first, buffer in buffers:
                    file.seek(first)
                    rest = buffer
                    while rest:
                        rest = rest[file.write(rest) :]
            return path
        except OSError:
            with suppress(OSError):
                os.unlink(path)
    return None


def _has_room(place: str, size: int) -> bool:
    """Return whether a file leaves enough of what it is in: of the memory a quarter."""
    try:
        if place.startswith(f"{_MEMORY}/") and available_memory() - size < machine_memory() // 4:
            return False
        state = os.statvfs(place)
    except OSError:
        return False
    return state.f_bavail * state.f_frsize > 2 * size


def _own_roots() -> list[Path]:
    global _made_by
    if _made_by != os.getpid():
        _roots.clear()
        named = os.environ.get(BLOCKS)
        if named and "://" in named:
            raise InputError(f"{BLOCKS} is '{named}': it names a folder that is mounted, or is off")
        parents = [Path(named)] if named else [_MEMORY, Path(tempfile.gettempdir())]
        _made_by = os.getpid()
        for parent in parents:
            if not named:  # Elsewhere there may be processes of other machines.
                remove_abandoned(parent, _PREFIX)
            with suppress(OSError):
                _roots.append(Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{_made_by}-", dir=parent)))
        atexit.register(_remove_roots, _made_by)
    return _roots


def _remove_roots(process: int) -> None:
    if os.getpid() == process:
        remove(tuple([str(root) for root in _roots]))


def remove_abandoned(parent: Path, prefix: str) -> None:
    """Remove folders that processes of this machine have left that were killed.

    Behind the prefix the name of such a folder has the number of its process, and a dash.
    """
    for root in parent.glob(f"{prefix}*-*"):
        number = root.name.removeprefix(prefix).partition("-")[0]
        with suppress(OSError, ValueError):
            if root.stat().st_uid == os.getuid() and not Path(f"/proc/{int(number)}").exists():
                shutil.rmtree(root, ignore_errors=True)
