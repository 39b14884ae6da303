"""Floats narrower than 64 bits: beyond the largest they are infinite, as IEEE 754 rounds them.

FloatAttr(1e300, f32)    =>    0x7F800000 : f32

xDSL packs the number of a constant by `struct`, which refuses what is too large, also where its
`canonicalize` multiplies two constants. The table of the IR's types takes the types from here.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import copysign, inf
from typing import Any

from xdsl.dialects.builtin import AnyFloat, Float16Type, Float32Type, f16, f32, f64

FLOATS: dict[int, AnyFloat] = {type.bitwidth: type for type in (f16, f32, f64)}
"""The types of floats by their bits."""

_FORMATS: dict[type[AnyFloat], str] = {Float16Type: "e", Float32Type: "f"}


def rounded(number: float, type: AnyFloat) -> float:
    """The nearest float of a type."""
    format = _FORMATS.get(type.__class__, "d")
    try:
        return struct.unpack(format, struct.pack(format, number))[0]
    except OverflowError:
        return copysign(inf, number)


def _round_first(type: Any) -> None:
    pack = type.pack

    def pack_rounded(self: AnyFloat, values: Sequence[float]) -> bytes:
        return pack(self, [rounded(value, self) for value in values])

    type.pack = pack_rounded


_round_first(Float16Type)
_round_first(Float32Type)
