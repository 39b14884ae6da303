"""How each `arith` and `math` op is said in the `llvm` dialect: a table of conversions.

A conversion is given the op, its operands (already converted) and the block to append to, and
returns the values of the results. Indices are i64 and stay as wide as integers.

    %0 = arith.maxsi %a, %b : i64     =>    %0 = llvm.call_intrinsic "llvm.smax.i64"(%a, %b)
    %1 = arith.sitofp %0 : i64 to f64       %1 = llvm.sitofp %0 : i64 to f64
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.lowering.llvm.convert_exp_to_llvm import expand_exp


@dataclass(frozen=True)
class Builder:
    """Appends llvm ops to a block."""

    block: Block

    def add(self, op: Operation) -> SSAValue:
        """Append `op` and return its result."""
        self.block.add_op(op)
        return op.results[0]

    def integer(self, value: int, type: Attribute = i64) -> SSAValue:
        """An integer constant."""
        return self.add(llvm.ConstantOp(IntegerAttr(value, type), type))  # pyright: ignore

    def floating(self, value: float, type: AnyFloat = f64) -> SSAValue:
        """A float constant."""
        return self.add(llvm.ConstantOp(FloatAttr(value, type), type))

    def intrinsic(self, name: str, arguments: Sequence[SSAValue], type: Attribute) -> SSAValue:
        """A call of an LLVM intrinsic, its name mangled with the result type."""
        suffix = MANGLED[type]
        return self.add(llvm.CallIntrinsicOp(f"llvm.{name}.{suffix}", arguments, [type]))


MANGLED: dict[Attribute, str] = {f64: "f64", Float32Type(): "f32", i64: "i64", i1: "i1"}

Conversion = Callable[[Operation, Sequence[SSAValue], Builder], SSAValue]


def llvm_type(type: Attribute) -> Attribute:
    """The llvm type of a scalar: indices are 64 bits wide."""
    return i64 if isinstance(type, IndexType) else type


def _constant(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    assert isinstance(op, arith.ConstantOp)
    value = op.value
    if isinstance(value, IntegerAttr):
        return build.integer(value.value.data, llvm_type(value.type))
    assert isinstance(value, FloatAttr)
    return build.floating(value.value.data, value.type)


def _integer(target: type[Operation]) -> Conversion:
    return lambda op, operands, build: build.add(target(*operands))  # pyright: ignore


def _floating(target: type[llvm.AbstractFloatArithOp]) -> Conversion:
    def convert(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
        flags = op.properties.get("fastmath")
        math = llvm.FastMathAttr(None)
        if isinstance(flags, arith.FastMathFlagsAttr):
            math = llvm.FastMathAttr(list(flags.data))
        return build.add(target(operands[0], operands[1], math))

    return convert


def _intrinsic(name: str) -> Conversion:
    return lambda op, operands, build: build.intrinsic(name, operands, operands[0].type)


def _compare_integers(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    assert isinstance(op, arith.CmpiOp)
    predicate = IntegerAttr(op.predicate.value.data, i64)
    return build.add(llvm.ICmpOp(operands[0], operands[1], predicate))


def _compare_floats(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    assert isinstance(op, arith.CmpfOp)
    predicate = op.predicate.value.data
    if predicate in (0, 15):
        return build.integer(predicate // 15, i1)
    return build.add(llvm.FCmpOp(operands[0], operands[1], IntegerAttr(predicate, i64)))


def _select(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    return build.add(llvm.SelectOp(operands[0], operands[1], operands[2]))


def _negate(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    return build.add(llvm.FNegOp(operands[0]))


def _convert_to(target: type[Operation]) -> Conversion:
    def convert(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
        return build.add(target(operands[0], llvm_type(op.results[0].type)))  # pyright: ignore

    return convert


def _index_cast(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    source, target = operands[0].type, llvm_type(op.results[0].type)
    if source == target:
        return operands[0]
    return build.add(
        llvm.SExtOp(operands[0], i64) if source == i1 else llvm.TruncOp(operands[0], i1)
    )


def _unsigned_to_float(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    """Both halves are exact as floats, so only their sum rounds (through f64 for f32)."""
    target = op.results[0].type
    value = operands[0]
    if value.type == i1:
        return build.add(llvm.SIToFPOp(build.add(llvm.ZExtOp(value, i64)), target))
    high = build.add(llvm.LShrOp(value, build.integer(32)))
    low = build.add(llvm.AndOp(value, build.integer(0xFFFFFFFF)))
    high = build.add(llvm.SIToFPOp(high, f64))
    low = build.add(llvm.SIToFPOp(low, f64))
    whole = build.add(llvm.FMulOp(high, build.floating(2.0**32)))
    whole = build.add(llvm.FAddOp(whole, low))
    return whole if target == f64 else build.add(llvm.FPTruncOp(whole, target))


def _float_to_integer(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    """Saturates, and gives 0 for NaN, as NumPy kernels do."""
    source = MANGLED[operands[0].type]
    name = f"llvm.fptosi.sat.i64.{source}"
    return build.add(llvm.CallIntrinsicOp(name, operands, [i64]))


def _absolute(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    return build.intrinsic("abs", [operands[0], build.integer(0, i1)], i64)


def _exp(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    if operands[0].type == f64:
        return expand_exp(operands[0], build.block)
    wide = build.add(llvm.FPExtOp(operands[0], f64))
    return build.add(llvm.FPTruncOp(expand_exp(wide, build.block), operands[0].type))


def _reciprocal_root(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    type = operands[0].type
    assert isinstance(type, Float32Type | Float64Type)
    root = build.intrinsic("sqrt", operands, type)
    return build.add(llvm.FDivOp(build.floating(1.0, type), root))


CONVERSIONS: dict[str, Conversion] = {
    "arith.constant": _constant,
    "arith.addi": _integer(llvm.AddOp),
    "arith.subi": _integer(llvm.SubOp),
    "arith.muli": _integer(llvm.MulOp),
    "arith.divsi": _integer(llvm.SDivOp),
    "arith.remsi": _integer(llvm.SRemOp),
    "arith.divui": _integer(llvm.UDivOp),
    "arith.remui": _integer(llvm.URemOp),
    "arith.andi": _integer(llvm.AndOp),
    "arith.ori": _integer(llvm.OrOp),
    "arith.xori": _integer(llvm.XOrOp),
    "arith.shli": _integer(llvm.ShlOp),
    "arith.shrsi": _integer(llvm.AShrOp),
    "arith.shrui": _integer(llvm.LShrOp),
    "arith.minsi": _intrinsic("smin"),
    "arith.maxsi": _intrinsic("smax"),
    "arith.minui": _intrinsic("umin"),
    "arith.maxui": _intrinsic("umax"),
    "arith.addf": _floating(llvm.FAddOp),
    "arith.subf": _floating(llvm.FSubOp),
    "arith.mulf": _floating(llvm.FMulOp),
    "arith.divf": _floating(llvm.FDivOp),
    "arith.negf": _negate,
    "arith.minimumf": _intrinsic("minimum"),
    "arith.maximumf": _intrinsic("maximum"),
    "arith.minnumf": _intrinsic("minnum"),
    "arith.maxnumf": _intrinsic("maxnum"),
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_floats,
    "arith.select": _select,
    "arith.index_cast": _index_cast,
    "arith.sitofp": _convert_to(llvm.SIToFPOp),
    "arith.uitofp": _unsigned_to_float,
    "arith.fptosi": _float_to_integer,
    "arith.extf": _convert_to(llvm.FPExtOp),
    "arith.truncf": _convert_to(llvm.FPTruncOp),
    "arith.extsi": _convert_to(llvm.SExtOp),
    "arith.extui": _convert_to(llvm.ZExtOp),
    "arith.trunci": _convert_to(llvm.TruncOp),
    "math.absi": _absolute,
    "math.exp": _exp,
    "math.rsqrt": _reciprocal_root,
    **{
        f"math.{name}": _intrinsic(intrinsic)
        for name, intrinsic in {
            "absf": "fabs",
            "sqrt": "sqrt",
            "log": "log",
            "log2": "log2",
            "log10": "log10",
            "exp2": "exp2",
            "powf": "pow",
            "floor": "floor",
            "ceil": "ceil",
            "trunc": "trunc",
            "round": "round",
            "roundeven": "roundeven",
            "sin": "sin",
            "cos": "cos",
            "copysign": "copysign",
            "ctpop": "ctpop",
            "fma": "fma",
        }.items()
    },
}
