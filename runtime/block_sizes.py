"""The block sizes that the callers of programs want: one for all arrays, or one for each of some.

    block_size=500    block_size={"A": 500, "v": 1_000_000}    --block-size A=500,v=1000000

Arrays whose tiles meet have one size, that of the first of them which is named.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from diablo.diagnostics import InputError

BlockSize = int | Mapping[str, int] | None
"""The edge of a tile in every dimension: of all arrays, of those that are named, or chosen."""


def size_of_blocks(wanted: BlockSize, name: str | None) -> int | None:
    """Return the size that is wanted for one array, if one is."""
    if wanted is None or isinstance(wanted, int):
        return wanted
    return None if name is None else wanted.get(name)


def size_for(wanted: BlockSize, names: Collection[str]) -> int | None:
    """Return the size that is wanted for arrays that are cut alike; all, if there is no name."""
    if wanted is None or isinstance(wanted, int):
        return wanted
    return next((size for name, size in wanted.items() if not names or name in names), None)


def check_block_size(wanted: BlockSize) -> None:
    """Check that block sizes are positive integers: an `InputError` if one is not."""
    if wanted is None:
        return
    if isinstance(wanted, Mapping):
        for name, size in wanted.items():
            check_size(size, f" of {name}")
    else:
        check_size(wanted)


def check_size(size: int, of: str = "") -> None:
    """Check that a block size is a positive integer: an `InputError` if it is not."""
    if isinstance(size, bool) or not hasattr(size, "__index__"):
        raise InputError(f"the block size{of} is {size!r}, and must be an integer")
    if size < 1:
        raise InputError(f"the block size{of} is {size}, and must be at least 1")


def parse_block_size(text: str) -> BlockSize:
    """Return the block sizes that a command line spells, such as `500` or `A=500,v=1000`.

    Raises
    ------
    ArgumentTypeError
        It is something else.
    """
    try:
        if "=" not in text:
            return int(text)
        pairs = [part.partition("=") for part in text.split(",")]
        return {name.strip(): int(size) for name, _, size in pairs}
    except ValueError:
        from argparse import ArgumentTypeError  # Late: workers parse none.

        message = f"{text!r} is no number, nor one for each of some arrays, as A=500,v=1000"
        raise ArgumentTypeError(message) from None
