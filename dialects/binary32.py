"""Floats of 32 bits beyond the largest are infinite, as IEEE 754 rounds them.

FloatAttr(1e300, f32)    =>    0x7F800000 : f32

xDSL packs the number of a constant by `struct`, which refuses what is too large, also where its
`canonicalize` multiplies two constants. The table of the IR's types takes `f32` from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_float

from xdsl.dialects.builtin import Float32Type, f32

__all__ = ["f32", "rounded"]

_pack = Float32Type.pack


def rounded(number: float) -> float:
    """The nearest float of 32 bits."""
    return c_float(number).value


def _pack_rounded(self: Float32Type, values: Sequence[float]) -> bytes:
    return _pack(self, [rounded(value) for value in values])


Float32Type.pack = _pack_rounded
