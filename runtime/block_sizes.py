"""The block sizes that the callers of programs want: one for all arrays, or one for each of some.

    block_size=500    block_size={"A": 500, "v": 1_000_000}    --block-size A=500,v=1000000

Arrays whose tiles meet have one size, that of the first of them which is named. There is a warning
of a size that decides nothing: of an array that is not cut, or meets one with another size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from diablo.diagnostics import Diagnostic, InputError, report

BlockSize = int | Mapping[str, int] | None
"""The edge of a tile in every dimension: of all arrays, of those that are named, or chosen."""


def size_of_blocks(wanted: BlockSize, name: str | None) -> int | None:
    """Return the size that is wanted for one array, if one is."""
    if wanted is None or not isinstance(wanted, Mapping):
        return wanted
    return None if name is None else wanted.get(name)


class SizesByName(Mapping[str, int]):
    """Sizes that a caller has given by name, which know for which of them anything was cut."""

    def __init__(self, sizes: Mapping[str, int]):
        self._sizes = dict(sizes)
        self._met: dict[str, str] = {}
        """For each array that was cut, the one whose size it has."""

    def __getitem__(self, name: str) -> int:
        return self._sizes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)

    def note(self, named: Sequence[str]) -> None:
        """Note that arrays were cut alike, in the size of the first of them."""
        self._met |= dict.fromkeys(named, named[0])

    def report_unused(self) -> None:
        """Warn of each size that has decided nothing, after a run on Spark."""
        for name, size in self.items():
            first = self._met.get(name)
            if first is None:
                message = f"block size of {name}: nothing is cut by it"
                hint = f"Spark has no blocks of {name}: it is with the driver, or never stored"
                report(Diagnostic("warning", message, None, hint))
            elif self[first] != size:
                message = f"block size of {name}: it is {self[first]} and not {size}"
                hint = f"blocks of {name} meet those of {first}, whose size they have"
                report(Diagnostic("warning", message, None, hint))


def size_for(wanted: BlockSize, names: Collection[str]) -> int | None:
    """Return the size that is wanted for arrays with these names, which are cut alike."""
    if wanted is None or not isinstance(wanted, Mapping):
        return wanted
    named = [name for name in wanted if name in names]
    if not named:
        return None
    if isinstance(wanted, SizesByName):
        wanted.note(named)
    return wanted[named[0]]


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
