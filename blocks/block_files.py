"""Block matrices in files: a folder with a file for each block, and one that says what they are.

    metadata.json          {"format": "diablo blocks", "version": 1, "shape": [4000, 4000], …}
    blocks-5f0c…/3_7.npy   the block in the fourth row and the eighth column of blocks

Who reads a part opens the blocks of that part alone, and maps them into memory. `metadata.json`
is put in its place when all blocks are there, and names their folder: a matrix is there as a whole
or not at all, also one that takes the place of another.
"""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.blocks.block_evaluation import HERE, Running, computed_parts
from diablo.blocks.block_graph import MOST_AT_ONCE, BlockNode
from diablo.blocks.block_grids import Grid, block_count
from diablo.diagnostics import InputError, RunError

METADATA = "metadata.json"
_FORMAT = "diablo blocks"
_VERSION = 1
_KINDS = "biufc"


class BlockFolder:
    """The blocks of a matrix in a folder.

    Parameters
    ----------
    path : the folder, of which `metadata.json` is read now, and blocks when they are asked for
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        described = _described(self.path)
        rows, columns = described["shape"]
        self.shape: tuple[int, int] = rows, columns
        self.dtype: np.dtype[Any] = np.dtype(described["dtype"])
        self.block_size: int = described["block_size"]
        self._folder = self.path / described["folder"]
        self.grid: Grid | None = None
        if described["blocks"] is not None:
            counts = (block_count(rows, self.block_size), block_count(columns, self.block_size))
            self.grid = np.zeros(counts, np.int64)
            for row, column in described["blocks"]:
                self.grid[row, column] = 1
        self.opened: set[tuple[int, int]] = set()
        """Which blocks have been opened."""

    def block(self, row: int, column: int) -> NDArray[Any]:
        """Return a block, mapped into memory."""
        file = self._folder / f"{row}_{column}.npy"
        size = self.block_size
        shape = min(size, self.shape[0] - row * size), min(size, self.shape[1] - column * size)
        try:
            found: Any = np.load(file, mmap_mode="r", allow_pickle=False)
        except (EOFError, OSError, ValueError) as error:
            raise InputError(f"{file}: the block cannot be read: {error}") from None
        if found.shape != shape or found.dtype != self.dtype:
            raise InputError(
                f"{file}: the block has {found.dtype} elements of shape {found.shape}, and "
                f"{METADATA} says {self.dtype} of shape {shape}"
            )
        self.opened.add((row, column))
        return found


def _described(path: Path) -> dict[str, Any]:
    """Return what the metadata of a folder say; an `InputError` if they are none."""
    file = path / METADATA
    try:
        given: Any = json.loads(file.read_text(encoding="utf-8"))
    except OSError:
        raise InputError(f"{path}: there is no block matrix: no {METADATA} to be read") from None
    except ValueError as error:
        raise InputError(f"{file}: is no JSON: {error}") from None
    fault = _fault(given)
    if fault is not None:
        raise InputError(f"{file}: {fault}")
    return cast("dict[str, Any]", given)


def _fault(given: Any) -> str | None:
    """Return what is wrong with metadata, None if nothing is."""
    if not isinstance(given, dict):
        return f"is no description of a matrix, which is an object with 'format': '{_FORMAT}'"
    described = cast("dict[str, Any]", given)
    if described.get("format") != _FORMAT:
        return f"is no description of a matrix, which has 'format': '{_FORMAT}'"
    if described.get("version") != _VERSION:
        return f"has version {described.get('version')!r}; {_VERSION} can be read"
    shape, size = described.get("shape"), described.get("block_size")
    if not _are_counts(shape, 2):
        return "'shape' is no list of two extents"
    if not _are_counts([size], 1) or not size:
        return "'block_size' is no positive integer"
    folder = described.get("folder")
    if not isinstance(folder, str) or folder != Path(folder).name or not folder:
        return "'folder' is no name of a folder in this one"
    try:
        dtype = np.dtype(cast("Any", described.get("dtype")))
    except (TypeError, ValueError):
        return f"'dtype' is no type of numbers: {described.get('dtype')!r}"
    if described.get("dtype") is None or dtype.kind not in _KINDS:
        return f"'dtype' is no type of numbers: {described.get('dtype')!r}"
    blocks = described.get("blocks")
    if blocks is None:
        return None
    counts = [block_count(extent, cast(int, size)) for extent in cast("list[int]", shape)]
    if not isinstance(blocks, list):
        return "'blocks' is no list of rows and columns of blocks"
    for pair in cast("list[Any]", blocks):
        is_pair = _are_counts(pair, 2)
        if not is_pair or not all(p < count for p, count in zip(pair, counts, strict=True)):
            return f"'blocks' has {pair!r}, which is no row and column of {counts[0]} x {counts[1]}"
    return None


def _are_counts(given: Any, length: int) -> bool:
    if not isinstance(given, list):
        return False
    several = cast("list[Any]", given)
    return len(several) == length and all(type(each) is int and each >= 0 for each in several)


def write(
    node: BlockNode,
    path: str | os.PathLike[str],
    running: Running = HERE,
    *,
    overwrite: bool = False,
) -> None:
    """Write a matrix to a folder, which holds one then that is whole.

    An `InputError` says that there is something already, unless it is a matrix to be replaced.
    """
    target = Path(path)
    metadata = target / METADATA
    old: str | None = None
    if target.exists():
        is_matrix = metadata.is_file()
        if not target.is_dir() or (not is_matrix and any(target.iterdir())):
            raise InputError(f"{target}: is there already, and is no block matrix")
        if is_matrix and not overwrite:
            raise InputError(f"{target}: is there already; `overwrite=True` replaces it")
        if is_matrix:
            old = _described(target)["folder"]
    elif not target.parent.is_dir():
        raise InputError(f"{target}: there is no folder {target.parent}")
    is_new = not target.exists()
    folder = target / f"blocks-{uuid.uuid4().hex}"
    try:
        folder.mkdir(parents=True)
        blocks = list(_written(node, folder, running))
        _describe(node, target, folder.name, blocks)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if is_new:
            with suppress(OSError):
                target.rmdir()
        if isinstance(error, OSError):
            raise RunError(f"{target}: cannot be written: {error.strerror or error}") from None
        raise
    if old is not None:
        shutil.rmtree(target / old, ignore_errors=True)


def _written(node: BlockNode, folder: Path, running: Running) -> Iterator[tuple[int, int]]:
    """Write the blocks of a matrix and generate where they are."""
    size = node.block_size
    for (first, last, left, right), values in computed_parts(
        node, running, most=node.at_once or MOST_AT_ONCE
    ):
        for row in range(first, last, size):
            for column in range(left, right, size):
                block = values[
                    row - first : min(row + size, last) - first,
                    column - left : min(column + size, right) - left,
                ]
                name = f"{row // size}_{column // size}.npy"
                with (folder / name).open("wb") as file:
                    np.save(file, np.ascontiguousarray(block), allow_pickle=False)
                yield row // size, column // size


def _describe(node: BlockNode, target: Path, folder: str, blocks: list[tuple[int, int]]) -> None:
    """Put the description of a matrix in its place, with which it is there."""
    described = {
        "format": _FORMAT,
        "version": _VERSION,
        "shape": list(node.shape),
        "dtype": node.dtype.str,
        "block_size": node.block_size,
        "folder": folder,
        "blocks": None if node.grid is None else sorted(blocks),
    }
    new = target / f"{METADATA}.{uuid.uuid4().hex}"
    try:
        new.write_text(json.dumps(described, indent=1), encoding="utf-8")
        os.replace(new, target / METADATA)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
