"""What keeps memory until it is closed: a context manager, which lets go when it is forgotten too.

with a.persist() as kept:
    total, most = float(kept.sum()), float(kept.max())
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self


class Closable:
    """A mixin of what calls `_let_go` once when it is closed."""

    __slots__ = ()

    _let_go: Callable[[], None] | None

    @property
    def is_closed(self) -> bool:
        """Whether the elements have been let go."""
        return self._let_go is None

    def close(self) -> None:
        """Let go of the elements, unless others persist them too; again, nothing happens."""
        let_go, self._let_go = self._let_go, None
        if let_go is not None:
            let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_let_go", None) is not None:
            self.close()
