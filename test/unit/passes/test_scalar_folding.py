"""What the compiler folds is what the interpreter evaluates, though they share no code."""

import math
from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from xdsl.dialects import arith, complex, test
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import (
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    f32,
    f64,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects.complex_numbers import ToComplexOp
from diablo.dialects.comprehension.comprehension_numbers import RemainderOp
from diablo.dialects.comprehension.function_ops import function_op
from diablo.dialects.functions.scalar_functions import FUNCTIONS
from diablo.passes.analyses.values.scalar_folding import Number, fold, number_of_type
from diablo.passes.interpreter.number_functions import own_function
from diablo.passes.interpreter.scalar_evaluation import EvaluationError, evaluate

FLOATS = (
    *(0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 40.25, -17.5, 1e300, -1e300, 1e-300),
    *(math.inf, -math.inf, math.nan),
)
WORDS = (0, 1, -1, 2, -2, 5, -7, 63, 64, -64, 2**62 + 3, 2**63 - 1, -(2**63))
BINARY = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.DivSIOp, arith.RemSIOp, arith.DivUIOp),
    *(arith.RemUIOp, arith.FloorDivSIOp, arith.CeilDivSIOp, arith.CeilDivUIOp, arith.MinSIOp),
    *(arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp),
    *(arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp),
)
ON_FLOATS = (
    *(arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.MinimumfOp, arith.MaximumfOp),
    *(arith.MinnumfOp, arith.MaxnumfOp, RemainderOp),
)


def value(type: Attribute) -> SSAValue:
    return test.TestOp(result_types=[type]).results[0]


def numbers_of(type: Attribute) -> Sequence[Number]:
    """The least, the greatest and ordinary numbers of a type."""
    numbers = FLOATS if type in (f32, f64) else WORDS
    found = [number_of_type(number, type) for number in numbers]
    return list({repr(number): number for number in found if number is not None}.values())


def check(op: Operation, *skipped: tuple[float, ...]) -> None:
    """Check that both give the same for all numbers of the types of the operands."""
    for operands in product(*[numbers_of(type) for type in op.operand_types]):
        try:
            expected = evaluate(op, operands)
        except EvaluationError:
            expected = None
        found = fold(op, operands)
        assert type(found) is type(expected), (op.name, operands)
        if operands in skipped or found is None or expected is None:
            continue
        if math.isnan(expected) or not math.isfinite(expected) or isinstance(found, int):
            same = found == expected or (math.isnan(found) and math.isnan(expected))
        else:
            exact = op.result_types[0] == f64
            same = math.isclose(found, expected, rel_tol=1e-13 if exact else 1e-6)
        assert same, (op.name, operands, found, expected)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("type", [i1, i8, i32, i64, IndexType()], ids=str)
def test_operations_on_words(type: Attribute) -> None:
    for op in BINARY:
        check(op(value(type), value(type)))
    for predicate in arith.CMPI_COMPARISON_OPERATIONS:
        check(arith.CmpiOp(value(type), value(type), predicate))


def test_powers_of_words() -> None:
    for a, b in product(range(-3, 4), range(-4, 5)):
        op = math_dialect.IPowIOp(value(i64), value(i64))
        try:
            expected = evaluate(op, (a, b))
        except EvaluationError:
            expected = None
        assert fold(op, (a, b)) == expected


@pytest.mark.parametrize("type", [f32, f64], ids=str)
def test_operations_on_floats(type: Attribute) -> None:
    for op in ON_FLOATS:
        check(op(value(type), value(type)))
    check(arith.NegfOp(value(type)))
    check(math_dialect.RoundOp(value(type)))
    check(math_dialect.RsqrtOp(value(type)))
    check(math_dialect.FmaOp(value(type), value(type), value(type)))
    for predicate in arith.CMPF_COMPARISON_OPERATIONS:
        check(arith.CmpfOp(value(type), value(type), predicate))


def conversions() -> Iterator[Operation]:
    for wide, narrow in ((i64, i32), (i64, i8), (i32, i8), (i64, i1), (i8, i1)):
        yield arith.TruncIOp(value(wide), narrow)
        yield arith.ExtSIOp(value(narrow), wide)
        yield arith.ExtUIOp(value(narrow), wide)
    for float_type, type in product((f32, f64), (i1, i8, i32, i64)):
        yield arith.SIToFPOp(value(type), float_type)
        yield arith.UIToFPOp(value(type), float_type)
        if type != i1:
            yield arith.FPToSIOp(value(float_type), type)
    yield arith.ExtFOp(value(f32), f64)
    yield arith.TruncFOp(value(f64), f32)
    yield arith.IndexCastOp(value(i64), IndexType())
    yield arith.IndexCastOp(value(IndexType()), i32)
    yield arith.SelectOp(value(i1), value(f64), value(f64))


def test_conversions() -> None:
    for op in conversions():
        check(op)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    function = FUNCTIONS[name]
    for overload, type in ((function.floating, f64), (function.integer, i64)):
        if overload is not None and (overload.numpy or overload.operation is not None):
            # On negative infinity SciPy and NumPy differ from C and from one machine to another.
            if overload.gives == "complex":
                continue
            odd = {"lgamma": (-math.inf,), "pow": (-math.inf, 0.5)}.get(name, ())
            check(function_op(name, [value(type)] * function.arity), odd)


COMPLEX = ComplexType(f64)
ON_COMPLEX = (complex.AddOp, complex.SubOp, complex.MulOp, complex.DivOp)


def check_complex(op: Operation) -> None:
    """Check that what is folded of real numbers is what the interpreter makes of complex ones."""
    known = 0
    for operands in product((0.0, 0.5, -0.5, 1.0, 2.5, -17.5, math.inf), repeat=len(op.operands)):
        found, expected = fold(op, operands), evaluate(op, operands)
        if found is not None:
            known += 1
            assert expected is not None
            close = abs(found - expected) <= 1e-13 * abs(expected)
            assert found == expected or close, (op.name, operands, found, expected)
    assert known


def test_complex_numbers() -> None:
    for kind in ON_COMPLEX:
        check_complex(kind(value(COMPLEX), value(COMPLEX)))
    for other in (complex.EqualOp, complex.NotEqualOp):
        check_complex(other(value(COMPLEX), value(COMPLEX)))
    check_complex(complex.NegOp(value(COMPLEX)))
    check_complex(complex.CreateOp(value(f64), value(f64), COMPLEX))
    check_complex(ToComplexOp(value(f64), COMPLEX))


@pytest.mark.parametrize("name", [n for n, f in FUNCTIONS.items() if f.complex is not None])
def test_functions_of_complex_numbers(name: str) -> None:
    check_complex(function_op(name, [value(COMPLEX)] * FUNCTIONS[name].arity))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_interpreter_knows_each_function_itself(name: str) -> None:
    function = FUNCTIONS[name]
    assert function.floating is None or own_function(name, on_floats=True) is not None
    assert function.integer is None or own_function(name, on_floats=False) is not None


def test_constants() -> None:
    assert fold(arith.ConstantOp(IntegerAttr(-1, i1)), ()) is True
    assert fold(arith.ConstantOp(IntegerAttr(7, i64)), ()) == 7
    many = DenseIntOrFPElementsAttr.from_list(TensorType(i64, [2]), [1, 2])
    assert fold(arith.ConstantOp(many), ()) is None


def test_what_is_not_folded() -> None:
    assert fold(test.TestOp([value(i64)], [i64]), (1,)) is None
    assert fold(arith.DivSIOp(value(i64), value(i64)), (1, 0)) is None
