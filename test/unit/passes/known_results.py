"""What modules give, each verified and interpreted once: most passes leave most random modules as
they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from diablo.verification import verify_module


class KnownResults:
    """The results of modules, by their text."""

    def __init__(self, results: Callable[[ModuleOp], list[Any]]):
        self.results = results
        self.known: dict[str, list[Any]] = {}

    def __call__(self, module: ModuleOp, trail: str = "as written") -> list[Any]:
        """Return the results; `trail` says in failures where the module comes from."""
        text = str(module)
        if text not in self.known:
            wrong = verify_module(module)
            assert wrong is None, f"{trail}: {wrong}\n{text}"
            self.known[text] = self.results(module)
        return self.known[text]
