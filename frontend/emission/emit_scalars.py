"""Imports operators on numbers, truth values, characters and strings.

x + 1      with x: Double   ->   arith.addf %x, 1.0
s + "!"    with s: String   ->   comprehension.string_call "concat"(%s, "!")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from xdsl.dialects import arith, complex, scf
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, IndexType, IntegerType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects import number_ops
from diablo.dialects.complex_numbers import ToComplexOp
from diablo.dialects.comprehension import RemainderOp, StringCallOp, StringOp
from diablo.dialects.comprehension.function_ops import function_op
from diablo.dialects.encodings import as_array, dense_rank, is_tiled
from diablo.dialects.predicates import FLOAT_SYMBOLS, SYMBOLS
from diablo.dialects.scalar_types import is_unsigned as has_no_sign
from diablo.dialects.scalar_types import scalar_of
from diablo.dialects.string_functions import STRING_FUNCTIONS, character
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.constants import complex_constant, constant_of, weak_value
from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    DOUBLE,
    INT,
    SCALARS,
    STRING,
    UNKNOWN,
    ScalarType,
    Type,
    fits,
    is_complex,
    is_floating,
    is_inexact,
    is_integer,
    is_unsigned,
    part_type,
    promote,
    scalar_row,
)
from diablo.frontend.emission.branches import into_branch, is_total, negated
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.ir_types import Value, flatten, ir_type, parts_of, unflatten
from diablo.frontend.emission.stored_values import conform
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.tree_walk import walk

_INTEGER_OPS: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "+": arith.AddiOp,
    "-": arith.SubiOp,
    "*": arith.MuliOp,
    "/": arith.DivSIOp,
    "%": arith.RemSIOp,
}


_UNSIGNED_OPS = {**_INTEGER_OPS, "/": arith.DivUIOp, "%": arith.RemUIOp}


_FLOAT_OPS: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "+": arith.AddfOp,
    "-": arith.SubfOp,
    "*": arith.MulfOp,
    "/": arith.DivfOp,
}


_COMPLEX_OPS: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "+": complex.AddOp,
    "-": complex.SubOp,
    "*": complex.MulOp,
    "/": complex.DivOp,
}


_INTEGER_COMPARISONS = {
    symbol: predicate for predicate, symbol in SYMBOLS.items() if not predicate.startswith("u")
}


# A comparison with NaN is false, except `!=`.
_FLOAT_COMPARISONS = {symbol: predicate for predicate, symbol in FLOAT_SYMBOLS.items()}


_STRING_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


_WRITTEN = ("from_int", "from_unsigned", "from_double", "from_complex", "from_boolean", "from_char")
"""The functions that write a scalar; the first that takes all values of a type writes it."""


COMPARISONS = frozenset(_INTEGER_COMPARISONS)


def emit_as(build: Builder, expr: syntax.Expr, type: Type) -> SSAValue:
    """The value of a scalar expression, promoted to `type`."""
    constant = constant_of(expr)
    if constant is None and type != DOUBLE and is_inexact(type):
        # What is computed of numbers that are written out is rounded once.
        constant = weak_value(expr)
    if constant is None and is_complex(type):
        constant = complex_constant(build.checked, expr)
    if constant is not None:
        row = scalar_row(type)
        if isinstance(constant, int) and row is not None and row.domain == "unsigned":
            constant %= 2**row.bits  # An update negates what it subtracts, which wraps around.
        with build.at(expr.span):
            return build.constant(constant, ir_type(type))
    value = build.emit(expr)
    assert isinstance(value, SSAValue)
    with build.at(expr.span):
        return build.as_scalar(value, type)


def emit_value(build: Builder, expr: syntax.Expr, type: Type) -> Value:
    """The value of any expression, its scalars promoted to those of `type`."""
    if isinstance(type, ScalarType):
        return emit_as(build, expr, type)
    return as_type(build, build.emit(expr), type)


def as_type(build: Builder, value: Value, type: Type) -> Value:
    """A value as `type`, to which it can be promoted; an `index` becomes an `i64`."""
    parts = parts_of(type)
    if isinstance(value, tuple):
        assert parts is not None
        return tuple(map(partial(as_type, build), value, parts))
    return build.as_scalar(value, type) if isinstance(type, ScalarType) else value


def emit_index(build: Builder, expr: syntax.Expr) -> SSAValue:
    """The value of an Int expression as an `index`."""
    constant = constant_of(expr)
    if constant is not None:
        with build.at(expr.span):
            return build.constant(constant, IndexType())
    value = build.emit(expr)
    assert isinstance(value, SSAValue)
    with build.at(expr.span):
        return build.as_index(value)


def emit_literal(build: Builder, expr: syntax.Literal) -> SSAValue:
    """A constant that is written out."""
    type = build.type_of(expr)
    if not isinstance(expr.value, str):
        return build.constant(expr.value, ir_type(type))
    if type == CHAR:
        return build.constant(ord(expr.value), character)
    return build.add(StringOp(expr.value)).result


def combine_scalars(build: Builder, op: str, lhs: SSAValue, rhs: SSAValue, type: Type) -> SSAValue:
    """`lhs op rhs` on two values of one number `type`."""
    if op == "%" and not is_integer(type):
        return build.add(RemainderOp(lhs, rhs)).result
    if is_complex(type):
        return build.add(_COMPLEX_OPS[op](lhs, rhs)).results[0]
    ops = _UNSIGNED_OPS if is_unsigned(type) else _INTEGER_OPS if is_integer(type) else _FLOAT_OPS
    made = ops[op](lhs, rhs)
    return build.add(made).results[0]


def convert_number(build: Builder, value: SSAValue, type: Type) -> SSAValue:
    """A number or character as one of `type`, whether that holds it or not."""
    if isinstance(value.type, IndexType):
        value = build.as_scalar(value, INT)
    source, wanted = value.type, ir_type(type)
    if source == wanted:
        return value
    if is_complex(type):
        if isinstance(source, IntegerType):
            value = convert_number(build, value, part_type(type))
        return build.add(ToComplexOp(value, wanted)).result
    widens = _bits(source) < _bits(wanted)
    if isinstance(wanted, AnyFloat):
        if not isinstance(source, AnyFloat):
            from_integer = arith.UIToFPOp if has_no_sign(source) else arith.SIToFPOp
            return build.add(from_integer(value, wanted)).result
        return build.add((arith.ExtFOp if widens else arith.TruncFOp)(value, wanted)).result
    assert isa(wanted, IntegerType)
    if isinstance(source, AnyFloat):
        to_integer = arith.FPToUIOp if has_no_sign(wanted) else arith.FPToSIOp
        return build.add(to_integer(value, wanted)).result
    if _bits(source) > _bits(wanted):
        return build.add(arith.TruncIOp(value, wanted)).result
    if not widens:
        return build.add(arith.BitcastOp(value, wanted)).result
    # A code point has no sign.
    unsigned = source == character or has_no_sign(source)
    extension = arith.ExtUIOp if unsigned else arith.ExtSIOp
    return build.add(extension(value, wanted)).result


def _bits(type: Attribute) -> int:
    assert isinstance(type, FixedBitwidthType)
    return type.bitwidth


def emit_binary(build: Builder, expr: syntax.Binary) -> SSAValue:
    """An operator on scalars, strings or tuples."""
    if expr.op in ("&&", "||"):
        return emit_logical(build, expr)
    if expr.op in _INTEGER_COMPARISONS:
        return _emit_comparison(build, expr)
    type = build.type_of(expr)
    if is_inexact(type) and type != DOUBLE and (constant := weak_value(expr)) is not None:
        return build.constant(constant, ir_type(type))
    if type == STRING:
        lhs, rhs = (to_string(build, e) for e in (expr.lhs, expr.rhs))
        with build.at(expr.span):
            return string_call(build, "concat", lhs, rhs)
    lhs, rhs = emit_as(build, expr.lhs, type), emit_as(build, expr.rhs, type)
    with build.at(expr.span):
        return combine_scalars(build, expr.op, lhs, rhs, type)


def string_call(build: Builder, function: str, *arguments: SSAValue) -> SSAValue:
    """A function of strings."""
    return build.add(StringCallOp(function, arguments)).result


def to_string(build: Builder, expr: syntax.Expr) -> SSAValue:
    """The value of a scalar expression, written as a string."""
    type = build.type_of(expr)
    if type == STRING:
        return emit_as(build, expr, STRING)
    function, written = next(
        (name, wanted) for name in _WRITTEN if fits(type, wanted := _argument_type(name))
    )
    value = emit_as(build, expr, written)
    with build.at(expr.span):
        return string_call(build, function, value)


def _argument_type(function: str) -> ScalarType:
    """Return what a function of strings takes first."""
    row = scalar_of(STRING_FUNCTIONS[function].arguments[0])
    assert row is not None
    return SCALARS[row.name]


def _emit_comparison(build: Builder, expr: syntax.Binary) -> SSAValue:
    type = promote(build.type_of(expr.lhs), build.type_of(expr.rhs))
    assert type is not None
    if type == INT:
        lhs, rhs = _emit_integers(build, expr.lhs, expr.rhs)
        with build.at(expr.span):
            return compare(build, expr.op, lhs, rhs, type)
    left, right = emit_value(build, expr.lhs, type), emit_value(build, expr.rhs, type)
    with build.at(expr.span):
        return _compare_values(build, expr.op, left, right, type)


def compare(build: Builder, op: str, lhs: SSAValue, rhs: SSAValue, type: Type) -> SSAValue:
    """`lhs op rhs` on two scalars of `type`."""
    if type == STRING:
        return string_call(build, _STRING_COMPARISONS[op], lhs, rhs)
    if is_complex(type):
        return build.add(
            (number_ops.equal if op == "==" else number_ops.unequal)(lhs, rhs)
        ).results[0]
    if is_floating(type):
        return build.add(arith.CmpfOp(lhs, rhs, _FLOAT_COMPARISONS[op])).result
    predicate = _INTEGER_COMPARISONS[op]
    if is_unsigned(type) and predicate.startswith("s"):
        predicate = f"u{predicate[1:]}"
    return build.add(arith.CmpiOp(lhs, rhs, predicate)).result


def _compare_values(build: Builder, op: str, lhs: Value, rhs: Value, type: Type) -> SSAValue:
    """`lhs op rhs`; tuples are compared part by part, an earlier part decides first."""
    parts = parts_of(type)
    if parts is None:
        assert isinstance(lhs, SSAValue)
        assert isinstance(rhs, SSAValue)
        return compare(build, op, lhs, rhs, type)
    assert isinstance(lhs, tuple)
    assert isinstance(rhs, tuple)
    if not parts:
        return build.constant(op in ("==", "<=", ">="), i1)
    rows = list(zip(lhs, rhs, parts, strict=True))
    if op in ("==", "!="):
        join = arith.AndIOp if op == "==" else arith.OrIOp
        tests = [_compare_values(build, op, *row) for row in rows]
        result = tests[0]
        for test in tests[1:]:
            result = build.add(join(result, test)).result
        return result
    result = _compare_values(build, op, *rows[-1])
    strict = op[0]
    for row in reversed(rows[:-1]):
        decided = _compare_values(build, strict, *row)
        equal = _compare_values(build, "==", *row)
        rest = build.add(arith.AndIOp(equal, result)).result
        result = build.add(arith.OrIOp(decided, rest)).result
    return result


def _emit_integers(build: Builder, *exprs: syntax.Expr) -> list[SSAValue]:
    """Int values of one type: `index` if all are indices or constants, else `i64`."""
    values = [None if constant_of(e) is not None else build.emit(e) for e in exprs]
    found = [v for v in values if isinstance(v, SSAValue)]
    indices = bool(found) and all(isinstance(v.type, IndexType) for v in found)
    integers: list[SSAValue] = []
    for expr, value in zip(exprs, values, strict=True):
        if value is None:
            integers.append(emit_index(build, expr) if indices else emit_as(build, expr, INT))
        else:
            assert isinstance(value, SSAValue)
            with build.at(expr.span):
                integers.append(value if indices else build.as_scalar(value, INT))
    return integers


def emit_unary(build: Builder, expr: syntax.Unary) -> SSAValue:
    """`-e` or `!e` on a scalar."""
    type = build.type_of(expr)
    constant = constant_of(expr)
    if constant is not None:
        return build.constant(constant, ir_type(type))
    value = emit_as(build, expr.operand, type)
    return negated(build, value) if expr.op == "!" else negate(build, value, type)


def negate(build: Builder, value: SSAValue, type: Type) -> SSAValue:
    """`-value` of the number `type`."""
    if is_integer(type):
        return build.add(arith.SubiOp(build.constant(0, ir_type(type)), value)).result
    if is_complex(type):
        return build.add(complex.NegOp(value)).result
    return build.add(arith.NegfOp(value)).result


def apply(build: Builder, function: str, arguments: Sequence[SSAValue]) -> SSAValue:
    """A function on numbers of one type."""
    return build.add(function_op(function, arguments)).results[0]


def emit_logical(build: Builder, expr: syntax.Binary) -> SSAValue:
    """`a && b` or `a || b`: b is not evaluated where a decides, if it could fail there."""
    lhs = emit_as(build, expr.lhs, BOOLEAN)
    is_and = expr.op == "&&"
    undecided = Block()
    with into_branch(build, undecided, lhs, holds=is_and):
        rhs = emit_as(build, expr.rhs, BOOLEAN)
    with build.at(expr.span):
        if is_total(undecided):
            for op in list(undecided.ops):
                op.detach()
                build.block.add_op(op)
            return build.add((arith.AndIOp if is_and else arith.OrIOp)(lhs, rhs)).result
        decided = Block()
        with build.into(undecided):
            build.add(scf.YieldOp(rhs))
        with build.into(decided):
            build.add(scf.YieldOp(build.constant(not is_and, i1)))
        branches = (undecided, decided) if is_and else (decided, undecided)
        then, otherwise = map(Region, branches)
        return build.add(scf.IfOp(lhs, [i1], then, otherwise)).results[0]


def emit_if(build: Builder, expr: syntax.IfExpr) -> Value:
    """An `if` with a value."""
    type = build.type_of(expr)
    condition = emit_as(build, expr.condition, BOOLEAN)
    blocks: list[Block] = []
    branches: list[list[SSAValue]] = []
    for branch, holds in ((expr.then, True), (expr.otherwise, False)):
        block = Block()
        with into_branch(build, block, condition, holds=holds):
            branches.append(flatten(emit_value(build, branch, type)))
        blocks.append(block)
    with build.at(expr.span):
        types = [_joined(a.type, b.type) for a, b in zip(*branches, strict=True)]
        for block, values, holds in zip(blocks, branches, (True, False), strict=True):
            with into_branch(build, block, condition, holds=holds):
                stored = [conform(build, v, t) for v, t in zip(values, types, strict=True)]
                build.add(scf.YieldOp(*stored))
        then, otherwise = map(Region, blocks)
        op = build.add(scf.IfOp(condition, types, then, otherwise))
    return unflatten(op.results, type)


def _joined(then: Attribute, otherwise: Attribute) -> Attribute:
    """Return how to store an array that is one of two: in tiles if one is, as densely as one is."""
    arrays = [array for array in map(as_array, (then, otherwise)) if array is not None]
    if len(arrays) < 2:
        return then
    return max(arrays, key=lambda array: (is_tiled(array), dense_rank(array)))


def is_partial(checked: Checked, expr: syntax.Expr) -> bool:
    """Whether evaluating `expr` may fail: it divides, reads an element or parses a string."""
    return any(_may_fail(checked, node) for node in _reached(checked, expr))


def _reached(checked: Checked, expr: object) -> Iterator[object]:
    """The nodes of an expression, of what it is short for and of the functions it calls."""
    for node in walk(expr):
        yield node
        if isinstance(node, syntax.Expr) and node in checked.desugared:
            yield from _reached(checked, checked.desugared[node])
        if isinstance(node, syntax.Call) and node in checked.functions:
            yield from _reached(checked, checked.functions[node].definition.body)
        if isinstance(node, syntax.Call) and node in checked.joins:
            yield from _reached(checked, checked.joins[node].body)


def _may_fail(checked: Checked, node: object) -> bool:
    match node:
        case syntax.Index():
            return True
        case syntax.Binary() if node.op in ("/", "%"):
            return is_integer(checked.types.get(node, UNKNOWN)) and constant_of(node.rhs) is None
        case syntax.Call():
            if node in checked.applications:
                return True
            if node.function not in ("toInt", "toDouble", "charAt", "substring"):
                return False
            return checked.types.get(node.arguments[0]) == STRING
        case _:
            return False


def conjuncts(condition: syntax.Expr) -> list[syntax.Expr]:
    """`a && b && c` as its parts, each of which guards those after it."""
    if isinstance(condition, syntax.Binary) and condition.op == "&&":
        return [*conjuncts(condition.lhs), *conjuncts(condition.rhs)]
    return [condition]
