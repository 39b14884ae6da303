"""What sparse arrays really hold, noted while a program runs.

kernel_0 = Watched(kernel_0, ["C"], holdings := {})
kernel_0(A, B)
holdings["C"].form, holdings["C"].nbytes      # "full", 80000
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from diablo.runtime.arrays.given_tile import stored
from diablo.runtime.arrays.patterns.boxes import distinct_bytes
from diablo.runtime.arrays.sparse_tile import SparseTile


class Holding(NamedTuple):
    """What one sparse tile holds."""

    shape: tuple[int, ...]
    entries: int
    form: str
    order: tuple[int, ...]
    """Over the dimensions in which order that form is."""
    derived: int
    """How many vectors were made because they were asked for, and are kept."""
    nbytes: int
    """Its vectors, and its values."""
    derived_nbytes: int
    """The vectors that were made."""


def holding(tile: SparseTile) -> Holding:
    """Look at what a tile holds; nothing is derived for that."""
    pattern, values = stored(tile)
    own = [*pattern.form.vectors().values(), values]
    nbytes = distinct_bytes(own)
    made = pattern.derived_vectors()
    derived = distinct_bytes([*own, *made]) - nbytes
    form = pattern.form.name
    return Holding(tile.shape, pattern.count, form, pattern.order, len(made), nbytes, derived)


def note(tile: SparseTile, name: str, holdings: dict[str, Holding]) -> None:
    """Note what a tile holds, unless the last one of the name held as much."""
    last, pattern = holdings.get(name), stored(tile).pattern
    derived = len(pattern.derived_vectors())
    seen = tile.shape, pattern.count, pattern.form.name, pattern.order, derived
    if last is None or (last.shape, last.entries, last.form, last.order, last.derived) != seen:
        holdings[name] = holding(tile)


class Watched:
    """A kernel, of the sparse ones of whose results it is noted what they hold."""

    def __init__(
        self,
        kernel: Callable[..., Any],
        results: Sequence[str | None],
        holdings: dict[str, Holding],
    ):
        self.kernel = kernel
        self.results = results
        self.holdings = holdings

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        result = self.kernel(*arguments)
        parts = cast("Sequence[Any]", result if isinstance(result, tuple) else (result,))
        for name, part in zip(self.results, parts, strict=False):
            if name is not None and isinstance(part, SparseTile):
                note(part, name, self.holdings)
        return cast("Any", result)

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process nobody asks."""
        return _itself, (self.kernel,)


def _itself(kernel: Callable[..., Any]) -> Callable[..., Any]:
    return kernel
