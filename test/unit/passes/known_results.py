"""What modules give, each verified and interpreted once: most passes leave most random modules as
they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from diablo.verification import verify_module


class KnownResults:
    """The results of modules."""

    def __init__(self, results: Callable[[ModuleOp], list[Any]]):
        self.results = results
        self.known: list[tuple[ModuleOp, list[Any]]] = []

    def __call__(self, module: ModuleOp, trail: str = "as written") -> list[Any]:
        """Return the results; `trail` says in failures where the module comes from."""
        for known, results in reversed(self.known):
            if module.is_structurally_equivalent(known):
                return results
        wrong = verify_module(module)
        assert wrong is None, f"{trail}: {wrong}\n{module}"
        results = self.results(module)
        self.known.append((module.clone(), results))
        return results
