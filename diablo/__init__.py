"""diablo: a multi-level compiler for array programs.

import diablo
program = diablo.compile("input n: Int; var s = +/[ i*i | i <- 1..n ]; s;")
program(n=10)                                    # 385
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diablo.api import CompileWarning, Program, compile
    from diablo.diagnostics import CompileError, Error, InputError, RunError
    from diablo.residence import distribute
    from diablo.text_query import query

__all__ = [
    "CompileError",
    "CompileWarning",
    "Error",
    "InputError",
    "Program",
    "RunError",
    "compile",
    "distribute",
    "query",
]

# Every worker and every tool imports this package: nothing is loaded before it is asked for.
_PLACES = {
    "CompileError": "diablo.diagnostics",
    "CompileWarning": "diablo.api",
    "Error": "diablo.diagnostics",
    "InputError": "diablo.diagnostics",
    "Program": "diablo.api",
    "RunError": "diablo.diagnostics",
    "compile": "diablo.api",
    "distribute": "diablo.residence",
    "query": "diablo.text_query",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'diablo' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
