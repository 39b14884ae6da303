"""What machine code of the runtime does with whole arrays as jobs of a loop, planned before.

    planned_copy(array, made)                           a copy
    planned_combination(tables, made, "add", "f64")     made[k] = tables[0, k] + tables[1, k] + …

The words of the calls say where the arrays lie.
"""

from __future__ import annotations

from diablo.runtime.kernels.planned_calls import PlannedCall
from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import cut
from diablo.runtime.native.written_loops import written_loop


def planned_copy(array: Array, made: Array) -> PlannedCall | None:
    """Plan a copy of an array, both of whose elements lie in order without gaps.

    None without llvmlite.
    """
    entry = written_loop("copy_bytes")
    if entry is None:
        return None
    size, places = array.itemsize, (address_of(array), address_of(made))
    pieces = cut(array.size, array.size)
    calls = [[*places, begin * size, end * size] for begin, end in pieces]
    return PlannedCall(
        entry, calls, array.size, outputs=[[made]], argument_words=[0], output_words=[1]
    )


_OF_BYTES = {("or", "i1"): "max.i8", ("and", "i1"): "min.i8"}
"""What combines truths, which are the bytes 0 and 1."""
_OF_PARTS = {"complex128": "f64", "complex64": "f32"}
"""The parts of complex numbers, which are added each for itself."""


def planned_combination(
    tables: Array, made: Array, monoid: str, element: str
) -> PlannedCall | None:
    """Plan to combine tables, which lie one after the other, element by element.

    `element` is the name of their type in signatures. None without llvmlite.
    """
    if element in _OF_PARTS:
        element = _OF_PARTS[element]
        part = f"f{tables.itemsize // 2}"
        tables, made = tables.view(part), made.view(part)
    kind = _OF_BYTES.get((monoid, element), f"{monoid}.{element}")
    entry = written_loop("combine_tables", kind)
    if entry is None:
        return None
    places, count = (address_of(tables), address_of(made)), len(tables)
    pieces = cut(made.size, tables.size)
    calls = [[*places, count, made.size, begin, end] for begin, end in pieces]
    return PlannedCall(entry, calls, tables.size, outputs=[[made]], output_words=[1], held=[tables])
