"""Which versions a function of the program has: one per storage kind of the arrays it is given.

A call is inlined, so that what its arrays are stored as is known in it; calls with equal kinds
come to the same code, of which `share-kernels` keeps one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from diablo.diagnostics import Diagnostic, report
from diablo.dialects.encodings import as_array, dense_rank
from diablo.frontend.checking.scope import Function

Kinds = tuple[tuple[str, str], ...]
"""The names of the parameters that are arrays, and how what is given is stored."""


@dataclass
class Versions:
    """How often each function is called with arrays of which storage."""

    calls: dict[Function, Counter[Kinds]] = field(default_factory=dict[Function, Counter[Kinds]])

    def add(self, function: Function, arrays: Mapping[str, SSAValue]) -> None:
        """Count a call with these values of the parameters that are arrays."""
        if arrays:
            kinds = tuple((name, storage_words(array)) for name, array in arrays.items())
            self.calls.setdefault(function, Counter())[kinds] += 1

    def report(self) -> None:
        """Say which versions there are of the functions that are called several times."""
        for function, calls in self.calls.items():
            if calls.total() == 1:
                continue
            count = "1 version" if len(calls) == 1 else f"{len(calls)} versions"
            name = function.definition.name
            kinds = "; ".join(f"{_words(kinds)} ({n})" for kinds, n in calls.items())
            message = f"{name.name} has {count} for {calls.total()} calls: {kinds}"
            report(Diagnostic("remark", message, name.span))


def storage_words(value: SSAValue) -> str:
    """How an array is stored, in words."""
    array = as_array(value.type)
    assert array is not None
    rank, dense = array.get_num_dims(), dense_rank(array)
    if dense == rank:
        return "dense"
    return "sparse" if dense == 0 else f"sparse in {rank - dense} of {rank} dimensions"


def _words(kinds: Kinds) -> str:
    return ", ".join(f"{name} {storage}" for name, storage in kinds)
