"""The meaning of single operations where it is easy to get wrong."""

import math

import pytest
from xdsl.dialects import arith, test
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import Float32Type, IndexType, f32, f64, i1, i32, i64
from xdsl.ir import Attribute, SSAValue

from diablo.passes.interpreter.scalar_evaluation import EvaluationError, evaluate, to_type

LEAST, MOST = -(2**63), 2**63 - 1


def value(type: Attribute) -> SSAValue:
    return test.TestOp(result_types=[type]).results[0]


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (arith.AddiOp, MOST, 1, LEAST),
        (arith.MuliOp, 2**62, 2, LEAST),
        (arith.SubiOp, LEAST, 1, MOST),
        (arith.DivSIOp, -7, 2, -3),
        (arith.RemSIOp, -7, 2, -1),
        (arith.RemSIOp, 7, -2, 1),
        (arith.DivSIOp, LEAST, -1, LEAST),
        (arith.FloorDivSIOp, -7, 2, -4),
        (arith.CeilDivSIOp, -7, 2, -3),
        (arith.ShRUIOp, -1, 63, 1),
        (arith.ShRSIOp, -8, 1, -4),
        (arith.ShLIOp, 1, 63, LEAST),
        (arith.MinUIOp, -1, 1, 1),
        (arith.XOrIOp, -1, 1, -2),
    ],
)
def test_integers_wrap_around(op: type, a: int, b: int, expected: int) -> None:
    assert evaluate(op(value(i64), value(i64)), (a, b)) == expected


@pytest.mark.parametrize("op", [arith.DivSIOp, arith.RemSIOp, arith.DivUIOp, arith.FloorDivSIOp])
def test_division_by_zero(op: type) -> None:
    with pytest.raises(EvaluationError, match="integer division by zero"):
        evaluate(op(value(i64), value(i64)), (1, 0))


def test_floats_follow_ieee_754() -> None:
    def binary(op: type, a: float, b: float) -> float:
        return float(evaluate(op(value(f64), value(f64)), (a, b)))

    assert binary(arith.DivfOp, 1.0, 0.0) == math.inf
    assert math.isnan(binary(arith.DivfOp, 0.0, 0.0))
    assert math.isnan(binary(arith.MinimumfOp, math.nan, 1.0))
    assert binary(arith.MinnumfOp, math.nan, 1.0) == 1.0
    assert binary(math_dialect.PowFOp, 2.0, -1.0) == 0.5
    assert evaluate(math_dialect.ExpOp(value(f64)), (1000.0,)) == math.inf


def test_comparisons_of_nan() -> None:
    for predicate, expected in {"oeq": False, "une": True, "olt": False, "ult": True}.items():
        op = arith.CmpfOp(value(f64), value(f64), predicate)
        assert evaluate(op, (math.nan, 1.0)) is expected


def test_unsigned_comparison() -> None:
    assert evaluate(arith.CmpiOp(value(i64), value(i64), "ult"), (1, -1)) is True
    assert evaluate(arith.CmpiOp(value(i64), value(i64), "slt"), (1, -1)) is False


def test_conversions() -> None:
    assert evaluate(arith.FPToSIOp(value(f64), i64), (-2.9,)) == -2
    assert evaluate(arith.SIToFPOp(value(i64), f64), (3,)) == 3.0
    assert evaluate(arith.UIToFPOp(value(i64), f64), (-1,)) == 2.0**64
    assert evaluate(arith.TruncFOp(value(f64), f32), (0.1,)) == to_type(0.1, Float32Type())
    assert evaluate(arith.TruncIOp(value(i64), i32), (2**31,)) == -(2**31)
    assert evaluate(arith.IndexCastOp(value(IndexType()), i64), (-5,)) == -5
    assert evaluate(arith.ExtUIOp(value(i1), i64), (True,)) == 1
    assert evaluate(arith.ExtSIOp(value(i1), i64), (True,)) == -1


def test_what_is_not_a_scalar_operation() -> None:
    assert evaluate(test.TestOp(result_types=[i64]), ()) is None


def test_bits_are_those_of_the_other_type() -> None:
    assert evaluate(arith.BitcastOp(value(f64), i64), (-0.0,)) == LEAST
    assert evaluate(arith.BitcastOp(value(i32), f32), (0x3FC00000,)) == 1.5
    assert evaluate(arith.BitcastOp(value(f32), i32), (1.5,)) == 0x3FC00000
    assert math.isnan(evaluate(arith.BitcastOp(value(i64), f64), (-1,)))
