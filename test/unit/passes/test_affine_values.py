"""Affine forms and equality of values."""

from xdsl.dialects import arith, test
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, f64, i64
from xdsl.ir import SSAValue

from diablo.passes.analyses.values.affine_values import affine_form, same_value

INDEX = IndexType()


def unknown(type: object = i64) -> SSAValue:
    return test.TestOp(result_types=[type]).results[0]


def constant(number: int) -> SSAValue:
    return arith.ConstantOp(IntegerAttr(number, i64)).result


def test_offsets_through_casts() -> None:
    i = unknown(INDEX)
    j = arith.IndexCastOp(i, i64).result
    k = arith.AddiOp(constant(3), arith.SubiOp(j, constant(1)).result).result
    assert affine_form(arith.IndexCastOp(k, INDEX).result) == (i, 2)
    assert affine_form(constant(5)) == (None, 5)
    product = arith.MuliOp(j, constant(2)).result
    assert affine_form(product) == (product, 0)


def test_a_constant_minus_a_value_is_not_an_offset() -> None:
    difference = arith.SubiOp(constant(3), unknown()).result
    assert affine_form(difference) == (difference, 0)


def test_same_value() -> None:
    n, m = unknown(), unknown()
    one = arith.SubiOp(n, constant(1)).result
    assert same_value(one, arith.SubiOp(n, constant(1)).result)
    assert same_value(one, arith.AddiOp(n, constant(-1)).result)
    assert same_value(constant(4), arith.AddiOp(constant(1), constant(3)).result)
    assert same_value(arith.MuliOp(n, m).result, arith.MuliOp(n, m).result)
    assert not same_value(arith.MuliOp(n, m).result, arith.MuliOp(m, m).result)
    assert not same_value(one, n)
    assert not same_value(n, m)
    assert not same_value(constant(0), n)


def test_constants_of_floats() -> None:
    def number(x: float) -> SSAValue:
        return arith.ConstantOp(FloatAttr(x, f64)).result

    assert same_value(number(0.5), number(0.5))
    assert not same_value(number(0.5), number(0.25))


def test_an_operation_without_operands_is_not_assumed_to_repeat_itself() -> None:
    assert not same_value(unknown(), unknown())
