"""Which ops only compute their results: also those of `arith` of which xDSL does not say so.

arith.extsi, arith.remui   have no trait there, unlike arith.extui and arith.remsi
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation
from xdsl.traits import Pure, is_side_effect_free

WITHOUT_EFFECT = (arith.ExtSIOp, arith.RemUIOp)
"""Ops of xDSL that have no effect, and do not say so."""


def has_pure_result(op: Operation) -> bool:
    """Return whether an op has the trait `Pure`, or should have it."""
    return op.has_trait(Pure) or isinstance(op, WITHOUT_EFFECT)


def has_no_effect(op: Operation) -> bool:
    """Return whether an op does nothing but compute its results; it may fail."""
    return is_side_effect_free(op) or isinstance(op, WITHOUT_EFFECT)
