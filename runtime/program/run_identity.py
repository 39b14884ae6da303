"""What tells one run of a program from others, so that none goes on with the state of another.

    identity = RunIdentity("9f2c…", "07e1…", options={"seed": "0"}, inputs={"A": "51d0…"})
    identity.difference(other)       ->  "the input A is another one"; None if they are the same

Inputs are told apart by the SHA-256 of their values, whatever holds them, and versions of diablo by
that of their sources: another one may add up in another order, or lay out otherwise what it saves.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from diablo.runtime.results.result_types import DistributedArray, Rows

_SUFFIXES = (".py", ".ll", ".mlir")


@cache
def version_digest() -> str:
    """Return the digest of the sources of diablo, with which it is compiled and run.

    It is that of nothing where they are in no folder.
    """
    hashed = hashlib.sha256()
    folder = str(Path(__file__).parents[2])
    with suppress(OSError):
        for path in sorted(_sources(folder)):
            data = Path(path).read_bytes()
            hashed.update(f"{path.removeprefix(folder)} {len(data)};".encode() + data)
    return hashed.hexdigest()


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIXES):
                yield entry.path
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _sources(entry.path)


@dataclass(frozen=True)
class RunIdentity:
    """A program, how it is run, and on what."""

    program: str
    """The digest of its text."""
    plan: str
    """The digest of what it was compiled to."""
    options: Mapping[str, str]
    inputs: Mapping[str, str]
    """The digests of their values."""
    version: str = field(default_factory=version_digest)
    """The digest of what compiles and runs it."""

    def difference(self, other: RunIdentity) -> str | None:
        """Return how a run differs from another one, as a sentence; None if it does not."""
        if self.version != other.version:
            return "another version of diablo has saved it"
        if self.program != other.program:
            return "the text of the program is another one"
        for name in (*self.inputs, *other.inputs):
            if self.inputs.get(name) != other.inputs.get(name):
                return f"the input {name} is another one"
        for name in (*self.options, *other.options):
            before, now = self.options.get(name), other.options.get(name)
            if before != now:
                return f"the {name} was {before}, and is {now}"
        if self.plan != other.plan:
            return "the program was compiled to another plan, as with other packages"
        return None

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)

    @staticmethod
    def from_json(value: Any) -> RunIdentity:
        """Return what `as_json` gave.

        Raises
        ------
        TypeError, KeyError
            If it did not.
        """
        parts = cast("dict[str, Any]", value)
        version = parts.get("version", "")  # Others have not noted theirs.
        return RunIdentity(
            parts["program"], parts["plan"], parts["options"], parts["inputs"], version
        )


def digest(value: Any) -> str:
    """Return the SHA-256 of a value: a number, a text, an array, rows, or what holds such.

    Equal values have equal digests in all processes; arrays that are stored otherwise, as in
    another layout, are other values.
    """
    hashed = hashlib.sha256()
    _add(value, hashed)
    return hashed.hexdigest()


def _add(value: Any, hashed: Any) -> None:
    if isinstance(value, np.ndarray | np.generic):
        _add_array(np.asarray(cast(Any, value)), hashed)
        return
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes() | type():
            hashed.update(f"{type(value).__name__} {value!r};".encode(errors="surrogatepass"))
        case dict():
            items = cast("dict[Any, Any]", value).items()
            _add_parts("dict", (part for item in items for part in item), hashed)
        case list() | tuple():
            parts = cast("list[Any]", value)
            _add_parts(type(parts).__name__, parts, hashed)
        case DistributedArray() | Rows():
            _add_records(value, hashed)
        case _:
            # As it is pickled: what others are derived from, and no more.
            constructor, *state = value.__reduce_ex__(5)
            name = getattr(constructor, "__qualname__", type(value).__qualname__)
            _add_parts(f"{type(value).__qualname__} {name}", state, hashed)


def _add_parts(name: str, parts: Iterable[Any], hashed: Any) -> None:
    hashed.update(f"{name}(".encode())
    for part in parts:
        _add(part, hashed)
    hashed.update(b")")


def _add_array(array: np.ndarray[Any, Any], hashed: Any) -> None:
    hashed.update(f"array {array.dtype.descr if array.dtype.names else array.dtype.str} ".encode())
    hashed.update(f"{array.shape};".encode())
    if array.dtype.hasobject:
        _add_parts("objects", array.reshape(-1).tolist(), hashed)
    else:
        hashed.update(np.ascontiguousarray(array).view(np.uint8).data)


def _add_records(value: DistributedArray | Rows, hashed: Any) -> None:
    """Add what is with Spark, where it is."""
    found = value.records.rdd().map(digest).collect()
    shape = value.shape if isinstance(value, DistributedArray) else ()
    _add_parts(type(value).__name__, (shape, *sorted(found)), hashed)
