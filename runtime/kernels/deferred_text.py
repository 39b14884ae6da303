"""The text of a kernel's LLVM IR, which is long to write and seldom asked for.

Where the compiler and the program run in one process, the text is written when the kernel is
first worth compiling. A kernel that travels takes the text along. There the compiler can also be
asked for a kernel over sparse tiles in other layouts than the text is for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from diablo.runtime.forking import COMPILER

Specialise = Callable[[Sequence[str]], tuple[str, str] | None]
"""From the layout of each sparse argument to LLVM IR and signature; "" for rows with 32 bits."""


class DeferredText:
    """What `write` returns, called once; pickled it is a `str`.

    Parameters
    ----------
    meaning : tells the text from others before it is written: equal meanings, equal texts
    write : writes the text
    specialise : the LLVM IR and the signature for tiles in given layouts, None if there is none
    """

    def __init__(
        self, meaning: str, write: Callable[[], str], specialise: Specialise | None = None
    ):
        self.meaning = meaning
        self._write = write
        self._specialise = specialise
        self._text: str | None = None

    def __str__(self) -> str:
        with COMPILER:
            if self._text is None:
                self._text = self._write()
            return self._text

    def for_layouts(self, layouts: Sequence[str]) -> tuple[str, str] | None:
        """LLVM IR and signature for sparse arguments in these layouts, None if there is none."""
        if self._specialise is None:
            return None
        with COMPILER:
            return self._specialise(layouts)

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str(self),)


def digest(text: str | DeferredText) -> str:
    """A name for a text that no other has; it is not written for that."""
    known = text.meaning if isinstance(text, DeferredText) else text
    return hashlib.sha256(known.encode()).hexdigest()
