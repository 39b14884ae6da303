"""How each scalar op is spelled in NumPy: operators here, functions as their table says.

Reads scalar ops and gives Python expressions over arrays that broadcast against each other
(or over scalars, when nothing in the expression varies):

    %0 = arith.mulf %a, %b : f64
    %1 = math.exp %c : f64               =>    a * b + np.exp(c)
    %2 = arith.addf %0, %1 : f64
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, i1, i64
from xdsl.ir import Operation

from diablo.dialects.comprehension import ConstantListOp, ListOp, RandomOp
from diablo.dialects.comprehension.function_ops import overload_of
from diablo.dialects.functions.scalar_functions import overloads
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import FLOAT_SYMBOLS, ORDERED, SYMBOLS, predicate_of, symbol_of
from diablo.dialects.scalar_types import is_inexact, is_numpy, is_sized, is_unsigned
from diablo.lowering.kernel_types import is_number, type_code
from diablo.lowering.numpy.expressions import (
    Expression,
    Level,
    Site,
    Spelling,
    constant,
    dtype_of,
    infix,
    place_of,
)
from diablo.lowering.numpy.numpy_values import SPELLINGS as VALUES
from diablo.lowering.python_text import string_literal
from diablo.lowering.unsupported import unsupported


def _infix(symbol: str, level: Level, ufunc: str) -> Spelling:
    def spell(site: Site) -> tuple[str, Level]:
        # A scalar may be a Python number, which neither wraps around nor divides by zero. Of
        # NumPy's own, operators warn where they wrap around.
        result = site.op.results[0].type
        exact = result == i64 or is_sized(result) or ufunc == "np.divide"
        if exact and not site.varies:
            return site.call(ufunc), Level.ATOM
        left, right = site.operands
        return infix(left.at(level), symbol, right.at(Level(level + 1))), level

    return spell


def _call(function: str) -> Spelling:
    return lambda site: (site.call(function), Level.ATOM)


def _unsigned(function: str) -> Spelling:
    def spell(site: Site) -> tuple[str, Level]:
        if is_unsigned(site.op.results[0].type):
            return site.call(function), Level.ATOM
        arguments = ", ".join(f"arithmetic.unsigned({x.text})" for x in site.operands)
        return f"arithmetic.signed({function}({arguments}))", Level.ATOM

    return spell


def _division(function: str) -> Spelling:
    def spell(site: Site) -> tuple[str, Level]:
        more = [f"where={site.mask}"] if site.mask else []
        place = place_of(site.op)
        more += [f"at={string_literal(place)}"] if place else []
        return site.call(function, *more), Level.ATOM

    return spell


def _unsigned_division(name: str) -> Spelling:
    """A division of integers without a sign; those of `arith` have one or none."""
    ours, bits = _division(f"arithmetic.{name}"), _division(f"arithmetic.unsigned_{name}")
    return lambda site: (ours if is_unsigned(site.op.results[0].type) else bits)(site)


def _unsigned_shift(site: Site) -> tuple[str, Level]:
    if is_unsigned(site.op.results[0].type):
        return site.call("np.right_shift"), Level.ATOM
    return site.call("arithmetic.shift_right_unsigned"), Level.ATOM


def _negation(site: Site) -> tuple[str, Level]:
    return f"-{site.operands[0].at(Level.SIGN)}", Level.SIGN


def _conversion(site: Site) -> tuple[str, Level]:
    dtype = dtype_of(site.op.results[0].type)
    (operand,) = site.operands
    if site.varies:
        return f"{operand.at(Level.ATOM)}.astype({dtype})", Level.ATOM
    return f"{dtype}({operand.text})", Level.ATOM


def _index_cast(site: Site) -> tuple[str, Level]:
    given, wanted = site.op.operands[0].type, site.op.results[0].type
    if is_sized(wanted):
        return _truncation(site)
    if i1 in (given, wanted) or is_sized(given):
        return _conversion(site)
    return site.operands[0].text, site.operands[0].level


def _unsigned_to_float(site: Site) -> tuple[str, Level]:
    if site.op.operands[0].type == i1 or is_unsigned(site.op.operands[0].type):
        return _conversion(site)
    dtype = dtype_of(site.op.results[0].type)
    bits = f"arithmetic.unsigned({site.operands[0].text})"
    return (f"{bits}.astype({dtype})" if site.varies else f"{dtype}({bits})"), Level.ATOM


def _sign_extension(site: Site) -> tuple[str, Level]:
    text, level = _conversion(site)
    return (f"-{text}", Level.SIGN) if site.op.operands[0].type == i1 else (text, level)


def _truncation(site: Site) -> tuple[str, Level]:
    if site.op.results[0].type == i1:
        return f"{site.operands[0].at(Level.AND)} & 1 != 0", Level.COMPARE
    if site.varies:
        return _conversion(site)
    return site.call("arithmetic.narrowed", dtype_of(site.op.results[0].type)), Level.ATOM


def _bitcast(site: Site) -> tuple[str, Level]:
    given, wanted = site.op.operands[0].type, site.op.results[0].type
    if isinstance(given, AnyFloat) or isinstance(wanted, AnyFloat):
        return site.call("arithmetic.bits_as", dtype_of(given), dtype_of(wanted)), Level.ATOM
    return _truncation(site)


def _truncation_of_float(site: Site) -> tuple[str, Level]:
    wanted = site.op.results[0].type
    return site.call("arithmetic.truncate", *[dtype_of(wanted)] * is_sized(wanted)), Level.ATOM


def _exclusive_or(site: Site) -> tuple[str, Level]:
    owner = site.op.operands[1].owner
    if (
        site.op.results[0].type == i1
        and isinstance(owner, arith.ConstantOp)
        and constant(owner.value) == "True"
    ):
        left = site.operands[0]
        if site.varies:
            return f"~{left.at(Level.SIGN)}", Level.SIGN
        return f"not {left.at(Level.NOT)}", Level.NOT
    return _infix("^", Level.XOR, "np.bitwise_xor")(site)


def _choice(site: Site) -> tuple[str, Level]:
    type = site.op.results[0].type
    if site.varies and not is_number(type):
        return site.call("rows.where", type_code(type)), Level.ATOM
    if site.varies:
        return site.call("np.where"), Level.ATOM
    condition, then, otherwise = site.operands
    up = Level.NOT
    return f"{then.at(up)} if {condition.at(up)} else {otherwise.at(up)}", Level.CHOICE


_SPECIAL = {
    "one": "np.logical_or(np.less({0}, {1}), np.greater({0}, {1}))",
    "ueq": "np.logical_not(np.logical_or(np.less({0}, {1}), np.greater({0}, {1})))",
    "ord": "np.logical_not(np.logical_or(np.isnan({0}), np.isnan({1})))",
    "uno": "np.logical_or(np.isnan({0}), np.isnan({1}))",
    "false": "np.zeros(np.broadcast(np.asarray({0}), {1}).shape, np.bool_)",
    "true": "np.ones(np.broadcast(np.asarray({0}), {1}).shape, np.bool_)",
}


def _compare(site: Site, symbol: str) -> tuple[str, Level]:
    left, right = (operand.at(Level.OR) for operand in site.operands)
    return f"{left} {symbol} {right}", Level.COMPARE


def _compare_integers(site: Site) -> tuple[str, Level]:
    assert isinstance(site.op, arith.CmpiOp)
    if symbol := symbol_of(site.op):
        return _compare(site, symbol)
    bits = [Expression(f"arithmetic.unsigned({x.text})") for x in site.operands]
    return _compare(Site(site.op, bits), SYMBOLS[predicate_of(site.op)])


def _compare_floats(site: Site) -> tuple[str, Level]:
    assert isinstance(site.op, arith.CmpfOp)
    predicate = predicate_of(site.op)
    if predicate in FLOAT_SYMBOLS:
        return _compare(site, FLOAT_SYMBOLS[predicate])
    if predicate in ORDERED:
        ordered = _compare(site, FLOAT_SYMBOLS[ORDERED[predicate]])[0]
        return f"np.logical_not({ordered})", Level.ATOM
    return _SPECIAL[predicate].format(*(x.text for x in site.operands)), Level.ATOM


def _of_parts(site: Site) -> tuple[str, Level]:
    return site.call("arithmetic.complex_of", dtype_of(site.op.results[0].type)), Level.ATOM


def _compare_complex(symbol: str) -> Spelling:
    return lambda site: _compare(site, symbol)


def _reciprocal_root(site: Site) -> tuple[str, Level]:
    one = f"{dtype_of(type)}(1.0)" if is_numpy(type := site.op.results[0].type) else "1.0"
    return f"np.divide({one}, np.sqrt({site.operands[0].text}))", Level.ATOM


def _multiply_add(site: Site) -> tuple[str, Level]:
    a, b, c = site.operands
    up = Level.PRODUCT
    return f"{a.at(up)} * {b.at(Level.SIGN)} + {c.at(up)}", Level.SUM


def _function(site: Site) -> tuple[str, Level]:
    overload = overload_of(site.op)
    assert overload is not None
    return site.call(overload.numpy), Level.ATOM


def _random(site: Site) -> tuple[str, Level]:
    assert isinstance(site.op, RandomOp)
    arguments = ", ".join(operand.text for operand in site.operands)
    return f"arithmetic.random({site.op.occurrence.value.data}, {arguments})", Level.ATOM


SPELLINGS: dict[str, Spelling] = {
    "arith.addi": _infix("+", Level.SUM, "np.add"),
    "arith.subi": _infix("-", Level.SUM, "np.subtract"),
    "arith.muli": _infix("*", Level.PRODUCT, "np.multiply"),
    "arith.addf": _infix("+", Level.SUM, "np.add"),
    "arith.subf": _infix("-", Level.SUM, "np.subtract"),
    "arith.mulf": _infix("*", Level.PRODUCT, "np.multiply"),
    "arith.divf": _infix("/", Level.PRODUCT, "np.divide"),
    "comprehension.remainder": _call("np.fmod"),
    "arith.negf": _negation,
    "arith.divsi": _division("arithmetic.quotient"),
    "arith.remsi": _division("arithmetic.remainder"),
    "arith.floordivsi": _division("arithmetic.floor_quotient"),
    "arith.ceildivsi": _division("arithmetic.ceiling_quotient"),
    "arith.divui": _unsigned_division("quotient"),
    "arith.remui": _unsigned_division("remainder"),
    "arith.minui": _unsigned("np.minimum"),
    "arith.maxui": _unsigned("np.maximum"),
    "arith.andi": _infix("&", Level.AND, "np.bitwise_and"),
    "arith.ori": _infix("|", Level.OR, "np.bitwise_or"),
    "arith.xori": _exclusive_or,
    "arith.shli": _infix("<<", Level.SHIFT, "np.left_shift"),
    "arith.shrsi": _infix(">>", Level.SHIFT, "np.right_shift"),
    "arith.shrui": _unsigned_shift,
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_floats,
    "arith.select": _choice,
    "arith.index_cast": _index_cast,
    "arith.sitofp": _conversion,
    "arith.uitofp": _unsigned_to_float,
    "arith.fptosi": _truncation_of_float,
    "arith.fptoui": _truncation_of_float,
    "arith.bitcast": _bitcast,
    "arith.extf": _conversion,
    "arith.truncf": _conversion,
    "arith.extui": _conversion,
    "arith.extsi": _sign_extension,
    "arith.trunci": _truncation,
    "complex.create": _of_parts,
    "complex.add": _infix("+", Level.SUM, "np.add"),
    "complex.sub": _infix("-", Level.SUM, "np.subtract"),
    "complex.mul": _infix("*", Level.PRODUCT, "np.multiply"),
    "complex.div": _infix("/", Level.PRODUCT, "np.divide"),
    "complex.neg": _negation,
    "complex.eq": _compare_complex("=="),
    "complex.neq": _compare_complex("!="),
    "comprehension.to_complex": _conversion,
    "comprehension.random": _random,
    "math.fpowi": _call("np.power"),
    "math.ipowi": _call("arithmetic.integer_power"),
    "math.round": _call("arithmetic.round_away"),
    "math.rsqrt": _reciprocal_root,
    "math.fma": _multiply_add,
    "comprehension.number_call": _function,
    **{o.operation.name: _function for o in overloads() if o.operation is not None and o.numpy},
    **VALUES,
}

DIVISIONS = frozenset(
    f"arith.{name}" for name in ("divsi", "remsi", "floordivsi", "ceildivsi", "divui", "remui")
)
"""The ops that fail where their second operand is zero."""


def spell(site: Site) -> Expression:
    """The Python expression of one scalar op.

    Raises
    ------
    CompileError
        If the op is not in the table.
    """
    op = site.op
    axes = frozenset[int]().union(*(operand.axes for operand in site.operands))
    if isinstance(op, ConstantOps):
        text = constant(op.value)
        if text is None:
            raise unsupported(op)
        return Expression(text, Level.SIGN if text.startswith("-") else Level.ATOM)
    if op.name not in SPELLINGS:
        raise unsupported(op)
    text, level = SPELLINGS[op.name](site)
    if isinstance(op, ListOp | ConstantListOp) and site.count is not None:
        axes |= {0}
    return Expression(text, level, axes)


def warns(op: Operation) -> bool:
    """Return whether NumPy may warn about what this op does with legal values."""
    types = [*op.operand_types, *op.result_types]
    return op.name in DIVISIONS or any(map(is_inexact, types))
