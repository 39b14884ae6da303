"""How each `arith` and `math` op is said in the `llvm` dialect: a table of conversions.

A conversion is given the op, its operands (already converted) and the block to append to, and
returns the values of the results. Indices are i64 and stay as wide as integers.

    %0 = arith.maxsi %a, %b : i64     =>    %0 = llvm.call_intrinsic "llvm.smax.i64"(%a, %b)
    %1 = arith.sitofp %0 : i64 to f64       %1 = llvm.sitofp %0 : i64 to f64
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.comprehension.function_ops import overload_of
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_complex, is_unsigned

NO_PROPERTIES: Mapping[str, Attribute] = {}


@dataclass
class Builder:
    """Appends llvm ops to a block: the one that control has reached."""

    block: Block

    def add(self, op: Operation) -> SSAValue:
        """Append `op` and return its result."""
        self.block.add_op(op)
        return op.results[0]

    def create(
        self,
        kind: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute] = NO_PROPERTIES,
    ) -> SSAValue:
        """Append an op of which everything is known, and return its result.

        The constructor of an op finds it out again, which takes about eight times as long.
        """
        return self.add(
            kind.create(operands=operands, result_types=[type], properties=dict(properties))
        )

    def jump(self, to: Block, arguments: Sequence[SSAValue] = ()) -> None:
        """Go on in another block."""
        self.block.add_op(llvm.BrOp.create(operands=arguments, successors=[to]))

    def branch(
        self, holds: SSAValue, then: Block, otherwise: Block, handed_on: Sequence[SSAValue] = ()
    ) -> None:
        """Go on in one of two blocks, the first of which is given what is handed on."""
        sizes = DenseArrayBase.from_list(i32, [1, len(handed_on), 0])
        self.block.add_op(
            llvm.CondBrOp.create(
                operands=[holds, *handed_on],
                successors=[then, otherwise],
                properties={"operandSegmentSizes": sizes},
            )
        )

    def constant(self, value: Attribute, type: Attribute) -> SSAValue:
        """A constant."""
        return self.create(llvm.ConstantOp, (), type, {"value": value})

    def integer(self, value: int, type: Attribute = i64) -> SSAValue:
        """An integer constant."""
        return self.constant(IntegerAttr(value, type), type)  # pyright: ignore

    def floating(self, value: float, type: AnyFloat = f64) -> SSAValue:
        """A float constant."""
        return self.constant(FloatAttr(value, type), type)

    def intrinsic(self, name: str, arguments: Sequence[SSAValue], type: Attribute) -> SSAValue:
        """A call of an LLVM intrinsic, its name mangled with the result type."""
        # LLVM mangles such a name with the type as the IR spells it.
        return self.add(llvm.CallIntrinsicOp(f"llvm.{name}.{type}", arguments, [type]))


Conversion = Callable[[Operation, Sequence[SSAValue], Builder], SSAValue]


def llvm_type(type: Attribute) -> Attribute:
    """The llvm type of a scalar: indices are 64 bits wide, and ops alone know of signs."""
    if isinstance(type, IndexType):
        return i64
    return IntegerType(type.width.data) if isa(type, IntegerType) else type


def _constant(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    assert isinstance(op, ConstantOps)
    value = op.value
    if isinstance(value, IntegerAttr):
        return build.integer(value.value.data, llvm_type(value.type))
    assert isinstance(value, FloatAttr | DenseIntOrFPElementsAttr)
    return build.constant(value, value.type)


def _integer(
    target: type[Operation], properties: Mapping[str, Attribute] = NO_PROPERTIES
) -> Conversion:
    return lambda op, operands, build: build.create(target, operands, operands[0].type, properties)


WRAPS = {"overflowFlags": IntegerAttr(0, i32)}
"""Integers wrap around."""
NO_WRAP = {"overflowFlags": IntegerAttr(1, i32)}
"""`nsw`: a result never exceeds 64 bits, as the place of an element does not."""
CUTS = {"overflowFlags": llvm.OverflowAttr(None)}
"""The upper bits of an integer may be any."""

_NO_SIGNED_WRAP = arith.IntegerOverflowFlag.NSW

EXACT = {"fastmathFlags": llvm.FastMathAttr(None)}
"""Floats are computed as they are written."""


def _wrapping(target: type[Operation]) -> Conversion:
    """What wraps around unless the op says that it does not."""

    def convert(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
        flags = op.properties.get("overflowFlags")
        stays = isinstance(flags, arith.IntegerOverflowAttr) and _NO_SIGNED_WRAP in flags.data
        return build.create(target, operands, operands[0].type, NO_WRAP if stays else WRAPS)

    return convert


def _floating(target: type[llvm.AbstractFloatArithOp]) -> Conversion:
    def convert(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
        flags, properties = op.properties.get("fastmath"), EXACT
        if isinstance(flags, arith.FastMathFlagsAttr) and flags.data:
            properties = {"fastmathFlags": llvm.FastMathAttr(list(flags.data))}
        return build.create(target, operands, operands[0].type, properties)

    return convert


def _shift(target: type[Operation]) -> Conversion:
    """By as many bits as there are, or more, all bits leave: LLVM says nothing of that."""

    def convert(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
        value, amount = operands
        type: Attribute = value.type
        assert isa(type, IntegerType)
        width = type.bitwidth
        if _is_below(amount, width):
            return build.add(target(value, amount))  # pyright: ignore
        last = build.integer(width - 1, type)
        below = build.add(llvm.ICmpOp(amount, last, IntegerAttr(_UNSIGNED_AT_MOST, i64)))
        if target is llvm.AShrOp:
            most = build.add(llvm.SelectOp(below, amount, last))
            return build.add(llvm.AShrOp(value, most))
        shifted = build.add(target(value, amount))  # pyright: ignore
        return build.add(llvm.SelectOp(below, shifted, build.integer(0, type)))

    return convert


def _is_below(amount: SSAValue, width: int) -> bool:
    """Return whether `amount` is a constant from 0 on, less than `width`."""
    known = amount.owner
    value = known.value if isinstance(known, llvm.ConstantOp) else None
    return isa(value, IntegerAttr) and 0 <= value.value.data < width


_LESS = 2
"""The predicate `slt` of `llvm.icmp`."""

_UNSIGNED_AT_MOST = 7
"""The predicate `ule` of `llvm.icmp`."""


def _intrinsic(name: str) -> Conversion:
    return lambda op, operands, build: build.intrinsic(name, operands, operands[0].type)


def _compare_integers(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    assert isinstance(op, arith.CmpiOp)
    return build.create(llvm.ICmpOp, operands, i1, {"predicate": op.predicate})


def _compare_floats(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    assert isinstance(op, arith.CmpfOp)
    # LLVM's comparisons that look at nothing are no ops of xDSL's.
    match predicate_of(op):
        case "false":
            return build.integer(0, i1)
        case "true":
            return build.integer(1, i1)
        case _:
            return build.create(llvm.FCmpOp, operands, i1, {"predicate": op.predicate, **EXACT})


def _select(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    return build.create(llvm.SelectOp, operands, operands[1].type, EXACT)


def _negate(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    return build.add(llvm.FNegOp(operands[0]))


def _convert_to(
    target: type[Operation], properties: Mapping[str, Attribute] = NO_PROPERTIES
) -> Conversion:
    return lambda op, operands, build: build.create(
        target, operands, llvm_type(op.results[0].type), properties
    )


def _index_cast(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    source, target = operands[0].type, llvm_type(op.results[0].type)
    assert isa(source, IntegerType)
    assert isa(target, IntegerType)
    if source == target:
        return operands[0]
    if source.bitwidth > target.bitwidth:
        return build.create(llvm.TruncOp, operands, target, CUTS)
    extend = llvm.ZExtOp if is_unsigned(op.operands[0].type) else llvm.SExtOp
    return build.create(extend, operands, target)


def _bitcast(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    target = llvm_type(op.results[0].type)
    if operands[0].type == target:  # Another sign.
        return operands[0]
    return build.add(llvm.BitcastOp(operands[0], target))


def _unsigned_to_float(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    """Twice the half where the sign bit is set; the bit that is lost is kept, to round once."""
    target = op.results[0].type
    value = operands[0]
    if value.type != i64:
        return build.add(llvm.SIToFPOp(build.add(llvm.ZExtOp(value, i64)), target))
    lost = build.add(llvm.AndOp(value, build.integer(1)))
    half = build.add(llvm.OrOp(build.add(llvm.LShrOp(value, build.integer(1))), lost))
    large = build.add(llvm.ICmpOp(value, build.integer(0), IntegerAttr(_LESS, i64)))
    whole = build.add(llvm.SIToFPOp(build.add(llvm.SelectOp(large, half, value)), target))
    twice = build.add(llvm.FAddOp(whole, whole))
    return build.add(llvm.SelectOp(large, twice, whole))


def _float_to_integer(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    """Saturates, and gives 0 for NaN, as NumPy kernels do."""
    target = llvm_type(op.results[0].type)
    sign = "u" if isinstance(op, arith.FPToUIOp) else "s"
    name = f"llvm.fpto{sign}i.sat.{target}.{operands[0].type}"
    return build.add(llvm.CallIntrinsicOp(name, operands, [target]))


def _absolute(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    return build.intrinsic("abs", [operands[0], build.integer(0, i1)], operands[0].type)


def _trailing_zeros(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    """All bits of a word that is 0."""
    return build.intrinsic("cttz", [operands[0], build.integer(0, i1)], operands[0].type)


def _reciprocal_root(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    type = operands[0].type
    assert isinstance(type, Float32Type | Float64Type)
    root = build.intrinsic("sqrt", operands, type)
    return build.add(llvm.FDivOp(build.floating(1.0, type), root))


CONVERSIONS: dict[str, Conversion] = {
    "arith.constant": _constant,
    "comprehension.unsigned": _constant,
    "arith.addi": _wrapping(llvm.AddOp),
    "arith.subi": _wrapping(llvm.SubOp),
    "arith.muli": _wrapping(llvm.MulOp),
    "arith.divsi": _integer(llvm.SDivOp),
    "arith.remsi": _integer(llvm.SRemOp),
    "arith.divui": _integer(llvm.UDivOp),
    "arith.remui": _integer(llvm.URemOp),
    "arith.andi": _integer(llvm.AndOp),
    "arith.ori": _integer(llvm.OrOp),
    "arith.xori": _integer(llvm.XOrOp),
    "arith.shli": _shift(llvm.ShlOp),
    "arith.shrsi": _shift(llvm.AShrOp),
    "arith.shrui": _shift(llvm.LShrOp),
    "arith.minui": _intrinsic("umin"),
    "arith.maxui": _intrinsic("umax"),
    "arith.addf": _floating(llvm.FAddOp),
    "arith.subf": _floating(llvm.FSubOp),
    "arith.mulf": _floating(llvm.FMulOp),
    "arith.divf": _floating(llvm.FDivOp),
    "arith.negf": _negate,
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_floats,
    "arith.select": _select,
    "arith.index_cast": _index_cast,
    "arith.sitofp": _convert_to(llvm.SIToFPOp),
    "arith.uitofp": _unsigned_to_float,
    "arith.fptosi": _float_to_integer,
    "arith.fptoui": _float_to_integer,
    "arith.extf": _convert_to(llvm.FPExtOp),
    "arith.truncf": _convert_to(llvm.FPTruncOp),
    "arith.extsi": _convert_to(llvm.SExtOp),
    "arith.extui": _convert_to(llvm.ZExtOp),
    "arith.trunci": _convert_to(llvm.TruncOp, CUTS),
    "arith.bitcast": _bitcast,
    "math.absi": _absolute,
    "math.rsqrt": _reciprocal_root,
    "math.ctpop": _intrinsic("ctpop"),
    "math.cttz": _trailing_zeros,
    "math.fma": _intrinsic("fma"),
    "math.round": _intrinsic("round"),
}
"""What the operators are; functions have theirs in the table of functions."""


def conversion_of(op: Operation) -> Conversion | None:
    """Return how an operator, or a function not written out, is said in the `llvm` dialect."""
    overload = overload_of(op)
    if overload is not None and overload.intrinsic:
        return _intrinsic(overload.intrinsic)
    return CONVERSIONS.get(op.name)


def has_machine_code(op: Operation) -> bool:
    """Return whether there is machine code for an operator or a function, not of complex numbers.

    `expand_complex` has those.
    """
    overload = overload_of(op)
    is_expanded = overload is not None and overload.expansion is not None
    if is_expanded and not any(map(is_complex, op.operand_types)):
        return True
    return conversion_of(op) is not None
