"""The machine code of signs and of bits."""

from __future__ import annotations

from diablo.dialects.functions.formulas import Formula, Word


def sign(x: Formula) -> Formula:
    """-1, 0 or 1; NaN stays NaN."""
    one = x.number(1.0)
    still = x.equals(0.0).choose(x.number(0.0), x)
    return (x > 0.0).choose(one, (x < 0.0).choose(-one, still))


def sign_of_integer(x: Word) -> Word:
    """-1, 0 or 1."""
    return x.number(1).choose(x > 0, x >> x.width - 1)


def complement(x: Word) -> Word:
    """The word with all bits inverted."""
    return x ^ -1


def shift_right(word: int, bits: int) -> int:
    """The word shifted to the right, with zeros from the left, as Python's integers say it."""
    unsigned = word & ((1 << 64) - 1)
    shifted = unsigned >> bits if 0 <= bits < 64 else 0
    return shifted - ((shifted >> 63) << 64)


def identity(x: Word) -> Word:
    """The word itself, the magnitude of an integer without a sign."""
    return x


def sign_of_unsigned(x: Word) -> Word:
    """0 or 1."""
    return x.number(0).choose(x.equals(0), 1)
