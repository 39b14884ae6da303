"""Write complex numbers in loops out as pairs of floats.

    %z = memref.load %a[%i] : memref<?xcomplex<f64>>     %z = memref.load %a[%i]
    %w = complex.mul %z, %z : complex<f64>               %x = complex.re %z
    memref.store %w, %b[%i]                         =>   %y = complex.im %z
                                                         %0 = arith.mulf %x, %x : f64
                                                         …
                                                         %w = complex.create %2, %5
                                                         memref.store %w, %b[%i]

A buffer of complex numbers stays one, whose elements are taken apart where they are loaded and put
together where they are stored; one on the stack, which nobody else sees, is two of floats. Whatever
lies between are floats: what loops carry, what branches give, and arguments that are numbers are
two each. So passes behind this one know of complex numbers only that a buffer may have such
elements.

The arithmetic is NumPy's, infinities and NaN included: a quotient is Smith's. Functions are those
of the table (`diablo.dialects.functions.complex_functions`), computed in binary64. Where a loop is
said to fold by a product, or by a monoid of the program's own, it folds by one on tuples of parts
then, which stands beside the function. Functions with anything else, and those that are not loops
over memrefs, are left alone.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, complex, func, memref, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    FloatAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    f64,
)
from xdsl.dialects.math import AbsFOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from diablo.dialects import monoids
from diablo.dialects.complex_numbers import ToComplexOp, part_type
from diablo.dialects.comprehension import MonoidOp, NumberCallOp, PackOp, UnpackOp, YieldOp
from diablo.dialects.comprehension.function_ops import overload_of
from diablo.dialects.functions.complex_functions import ComplexFormula
from diablo.dialects.functions.formulas import Formula, Steps
from diablo.dialects.locations import located
from diablo.dialects.number_constants import ComplexConstantOp, constant_op
from diablo.dialects.scalar_types import is_complex
from diablo.dialects.simt import said_folds, say_folds
from diablo.dialects.tuple_types import tuple_type
from diablo.lowering.llvm.loop_ops import append
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.llvm.tuple_parts import Parts
from diablo.passes.analyses.refused import Refused

Pair = tuple[SSAValue, SSAValue]
"""The real and the imaginary part of a complex number."""

_CARRIERS = (scf.ForOp, scf.IfOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp)
"""The ops that hand numbers on without looking into them."""


@dataclass
class _Writer:
    """Writes ops before another one, whose place they take."""

    source: Operation

    def put(self, op: Operation) -> None:
        """Insert an op."""
        Rewriter.insert_op(located(op, self.source), InsertPoint.before(self.source))

    def add(self, op: Operation) -> SSAValue:
        """Insert an op and return its result."""
        self.put(op)
        return op.results[0]

    def number(self, value: float, type: AnyFloat) -> SSAValue:
        """A constant."""
        return self.add(constant_op(FloatAttr(value, type)))

    def choose(self, condition: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
        """`then` where a condition holds, else `otherwise`."""
        return self.add(arith.SelectOp(condition, then, otherwise))


def _flags(op: Operation) -> arith.FastMathFlagsAttr | None:
    flags = op.properties.get("fastmath")
    return flags if isinstance(flags, arith.FastMathFlagsAttr) else None


def _each_part(
    kind: type[arith.AddfOp | arith.SubfOp],
) -> Callable[[_Writer, Operation, Sequence[Pair]], Pair]:
    def write(e: _Writer, op: Operation, operands: Sequence[Pair]) -> Pair:
        (a, b), (c, d) = operands
        return e.add(kind(a, c, _flags(op))), e.add(kind(b, d, _flags(op)))

    return write


def _product(e: _Writer, op: Operation, operands: Sequence[Pair]) -> Pair:
    (a, b), (c, d) = operands
    real = arith.SubfOp(e.add(arith.MulfOp(a, c)), e.add(arith.MulfOp(b, d)))
    return e.add(real), e.add(arith.AddfOp(e.add(arith.MulfOp(a, d)), e.add(arith.MulfOp(b, c))))


def _quotient(e: _Writer, op: Operation, operands: Sequence[Pair]) -> Pair:
    """Smith's algorithm: the smaller part of the divisor is divided by the larger one.

    By 0 both parts are divided as they are.
    """
    (a, b), (c, d) = operands
    type = cast(AnyFloat, c.type)
    zero = e.number(0.0, type)
    wide, high = e.add(AbsFOp(c)), e.add(AbsFOp(d))
    flat = e.add(arith.CmpfOp(wide, high, "oge"))
    large, small = e.choose(flat, c, d), e.choose(flat, d, c)
    ratio = e.add(arith.DivfOp(small, large))
    length = e.add(arith.AddfOp(large, e.add(arith.MulfOp(small, ratio))))
    scale = e.add(arith.DivfOp(e.number(1.0, type), length))
    first, second = e.choose(flat, a, b), e.choose(flat, b, a)
    real = e.add(arith.AddfOp(first, e.add(arith.MulfOp(second, ratio))))
    turned = e.add(arith.MulfOp(first, ratio))
    left, right = e.choose(flat, second, turned), e.choose(flat, turned, second)
    imaginary = e.add(arith.SubfOp(left, right))
    # The larger part is 0 if both are; where one is NaN, none is the larger.
    nothing = e.add(arith.AndIOp(flat, e.add(arith.CmpfOp(large, zero, "oeq"))))
    scale = e.choose(nothing, e.number(inf, type), scale)
    real, imaginary = e.choose(nothing, a, real), e.choose(nothing, b, imaginary)
    return e.add(arith.MulfOp(real, scale)), e.add(arith.MulfOp(imaginary, scale))


def _negative(e: _Writer, op: Operation, operands: Sequence[Pair]) -> Pair:
    ((real, imaginary),) = operands
    return e.add(arith.NegfOp(real)), e.add(arith.NegfOp(imaginary))


def _conjugate(e: _Writer, op: Operation, operands: Sequence[Pair]) -> Pair:
    ((real, imaginary),) = operands
    return real, e.add(arith.NegfOp(imaginary))


_Comparison = type[arith.AndIOp | arith.OrIOp]


def _compared(
    predicate: str, join: _Comparison
) -> Callable[[_Writer, Operation, Sequence[Pair]], SSAValue]:
    def write(e: _Writer, op: Operation, operands: Sequence[Pair]) -> SSAValue:
        (a, b), (c, d) = operands
        real, imaginary = (arith.CmpfOp(*sides, predicate) for sides in ((a, c), (b, d)))
        return e.add(join(e.add(real), e.add(imaginary)))

    return write


_ARITHMETIC: dict[
    type[Operation], Callable[[_Writer, Operation, Sequence[Pair]], Pair | SSAValue]
] = {
    complex.AddOp: _each_part(arith.AddfOp),
    complex.SubOp: _each_part(arith.SubfOp),
    complex.MulOp: _product,
    complex.DivOp: _quotient,
    complex.NegOp: _negative,
    complex.ConjOp: _conjugate,
    complex.ReOp: lambda e, op, operands: operands[0][0],
    complex.ImOp: lambda e, op, operands: operands[0][1],
    complex.EqualOp: _compared("oeq", arith.AndIOp),
    complex.NotEqualOp: _compared("une", arith.OrIOp),
}
"""What becomes of ops whose operands are complex numbers."""

_OTHERS = (
    complex.CreateOp,
    ComplexConstantOp,
    ToComplexOp,
    arith.SelectOp,
    memref.LoadOp,
    memref.StoreOp,
    *_CARRIERS,
)


def has_complex(op: Operation) -> bool:
    """Return whether an op takes or gives a complex number."""
    arguments = (arg for region in op.regions for block in region.blocks for arg in block.args)
    return any(is_complex(value.type) for value in (*op.operands, *op.results, *arguments))


def can_expand(op: Operation) -> bool:
    """Return whether an op with complex numbers can be written out."""
    if type(op) in _ARITHMETIC or isinstance(op, (func.FuncOp, *_OTHERS)):
        return True
    overload = overload_of(op)
    return overload is not None and overload.expansion is not None


def check_expandable(function: func.FuncOp) -> None:
    """Raise `Refused` if an op with complex numbers of a function cannot be written out."""
    for op in function.walk():
        if has_complex(op) and not can_expand(op):
            called = isinstance(op, NumberCallOp)
            name = f"the function {op.function.data}" if called else op.name
            raise Refused(f"{name} of complex numbers has no machine code")


def expand_complex(function: func.FuncOp) -> None:
    """Write the complex numbers of loops out, of whose ops `can_expand` knows all that have any."""
    if any(map(has_complex, function.walk())):
        expansion = _Expansion()
        expansion.expand(function.body.block)
        expansion.clean()
        types = [argument.type for argument in function.args]
        results = list(function.function_type.outputs)
        function.function_type = FunctionType.from_lists(types, results)


@dataclass
class _Expansion:
    """Rewrites a function in place; `pairs` are the parts of each complex number in it."""

    pairs: dict[SSAValue, Pair] = field(default_factory=dict[SSAValue, Pair])
    replaced: list[Operation] = field(default_factory=list[Operation])
    """What has no uses left but in ops that stand here as well."""
    arguments: list[tuple[Block, SSAValue]] = field(default_factory=list[tuple[Block, SSAValue]])
    stacks: dict[SSAValue, Pair] = field(default_factory=dict[SSAValue, Pair])
    """The buffers of parts that a buffer on the stack is."""

    def expand(self, block: Block) -> None:
        """Rewrite the ops of a block, those within them included."""
        for argument in list(block.args):
            if is_complex(argument.type):
                type, index = part_type(argument.type), argument.index
                real = block.insert_arg(type, index + 1)
                self._bind(argument, (real, block.insert_arg(type, index + 2)))
                self.arguments.append((block, argument))
        for op in list(block.ops):
            for region in op.regions:
                for inner in region.blocks:
                    self.expand(inner)
            if isinstance(op, memref.AllocaOp):
                self._allocate(op)
            elif has_complex(op):
                self._expand(op)

    def clean(self) -> None:
        """Erase what has been replaced."""
        for op in reversed(self.replaced):
            Rewriter.erase_op(op)
        for block, argument in self.arguments:
            block.erase_arg(argument)  # pyright: ignore[reportArgumentType]

    def _bind(self, value: SSAValue, pair: Pair) -> None:
        for part, name in zip(pair, ("re", "im"), strict=True):
            if value.name_hint is not None and part.name_hint is None:
                part.name_hint = f"{value.name_hint}_{name}"
        self.pairs[value] = pair

    def _flat(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """The values, of complex ones the parts."""
        return [part for value in values for part in self.pairs.get(value, (value,))]

    def _expand(self, op: Operation) -> None:
        e = _Writer(op)
        match op:
            case memref.LoadOp() if op.memref in self.stacks:
                parts = [memref.LoadOp.get(part, op.indices) for part in self.stacks[op.memref]]
                self._bind(op.res, (e.add(parts[0]), e.add(parts[1])))
            case memref.LoadOp():
                self._load(op)
                return
            case memref.StoreOp() if op.memref in self.stacks:
                pairs = zip(self.pairs[op.value], self.stacks[op.memref], strict=True)
                for part, stack in pairs:
                    e.put(memref.StoreOp.get(part, stack, op.indices))
            case memref.StoreOp():
                real, imaginary = self.pairs[op.value]
                whole = cast("ComplexType[AnyFloat]", op.value.type)
                op.operands[0] = e.add(complex.CreateOp(real, imaginary, whole))
                return
            case _ if isinstance(op, _CARRIERS):
                self._carry(op)
                return
            case complex.CreateOp():
                self.pairs[op.results[0]] = op.real, op.imaginary
            case ComplexConstantOp():
                part, number = part_type(op.result.type), op.number
                parts = e.number(number.real, part), e.number(number.imag, part)
                self._bind(op.result, parts)
            case ToComplexOp():
                self._bind(op.result, self._converted(e, op))
            case arith.SelectOp():
                sides = zip(self.pairs[op.lhs], self.pairs[op.rhs], strict=True)
                real, imaginary = [e.choose(op.cond, *side) for side in sides]
                self._bind(op.result, (real, imaginary))
            case _:
                (result,) = op.results
                write = _ARITHMETIC.get(type(op))
                if write is None:
                    made = self._function(e, op)
                else:
                    made = write(e, op, [self.pairs[operand] for operand in op.operands])
                if isinstance(made, tuple):
                    self._bind(result, made)
                else:
                    made.name_hint = made.name_hint or result.name_hint
                    result.replace_all_uses_with(made)
        self.replaced.append(op)

    def _allocate(self, op: memref.AllocaOp) -> None:
        """Let each part have a buffer of its own, which is read and written alone."""
        type = op.memref.type
        if not is_complex(type.get_element_type()):
            return
        uses = [use.operation for use in op.memref.uses]
        assert all(isinstance(use, memref.LoadOp | memref.StoreOp) for use in uses)
        of_part = MemRefType(part_type(type.get_element_type()), type.shape, type.layout)
        copies: list[memref.AllocaOp] = []
        for name in ("re", "im"):
            copy = op.clone()
            Rewriter.replace_value_with_new_type(copy.memref, of_part)
            copy.memref.name_hint = f"{op.memref.name_hint or 'cell'}_{name}"
            copies.append(located(copy, op))
        Rewriter.insert_op(copies, InsertPoint.before(op))
        self.stacks[op.memref] = copies[0].memref, copies[1].memref
        self.replaced.append(op)

    def _load(self, op: memref.LoadOp) -> None:
        """Take what is loaded apart, behind the load."""
        real, imaginary = complex.ReOp(op.res), complex.ImOp(op.res)
        for part in (real, imaginary):
            located(part, op)
        Rewriter.insert_op([real, imaginary], InsertPoint.after(op))
        self._bind(op.res, (real.result, imaginary.result))

    def _carry(self, op: Operation) -> None:
        """Let an op hand on two floats for each complex number."""
        types: list[Attribute] = []
        for result in op.results:
            of_parts = is_complex(result.type)
            types += [part_type(result.type)] * 2 if of_parts else [result.type]
        regions = [op.detach_region(region) for region in list(op.regions)]
        new = type(op).create(
            operands=self._flat(op.operands),
            result_types=types,
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=regions,
        )
        Rewriter.insert_op(located(new, op), InsertPoint.before(op))
        parts = iter(new.results)
        for result in op.results:
            first = next(parts)
            if is_complex(result.type):
                self._bind(result, (first, next(parts)))
            else:
                first.name_hint = result.name_hint
                result.replace_all_uses_with(first)
        self.replaced.append(op)

    def _converted(self, e: _Writer, op: ToComplexOp) -> Pair:
        """A float, or a complex number of another width."""
        wanted = part_type(op.result.type)

        def converted(value: SSAValue) -> SSAValue:
            given = cast(AnyFloat, value.type)
            if given == wanted:
                return value
            kind = arith.ExtFOp if given.bitwidth < wanted.bitwidth else arith.TruncFOp
            return e.add(kind(value, wanted))

        if op.value in self.pairs:
            real, imaginary = self.pairs[op.value]
            return converted(real), converted(imaginary)
        return converted(op.value), e.number(0.0, wanted)

    def _function(self, e: _Writer, op: Operation) -> Pair | SSAValue:
        """A function of the table, computed in binary64."""
        overload = overload_of(op)
        assert overload is not None
        assert overload.expansion is not None
        steps = Steps()
        (result,) = op.results
        part = part_type(op.operands[0].type)

        def widened(value: SSAValue) -> Formula:
            wide = value if part == f64 else steps.add(arith.ExtFOp(value, f64))
            return Formula(wide, steps)

        def rounded(value: SSAValue) -> SSAValue:
            is_float = isinstance(value.type, AnyFloat) and value.type != part
            return steps.add(arith.TruncFOp(value, part)) if is_float else value

        arguments: list[ComplexFormula] = []
        for value in op.operands:
            real, imaginary = self.pairs[value]
            arguments.append(ComplexFormula(widened(real), widened(imaginary), part != f64))
        made = overload.expansion(*arguments)
        if isinstance(made, ComplexFormula):
            value = rounded(made.re.value), rounded(made.im.value)
        else:
            value = rounded(made.value)
            value.name_hint = result.name_hint
        for step in steps.ops:
            e.add(step)
        return value


def _say_folds_of_parts(function: func.FuncOp) -> None:
    """Let loops that are said how they fold complex numbers say how they fold the parts."""
    for loop in function.walk():
        names = said_folds(loop) if isinstance(loop, scf.ForOp) else None
        if names is None or not any(map(is_complex, loop.operand_types)):
            continue
        assert isinstance(loop, scf.ForOp)
        carried, of_parts = list(loop.iter_args), list[str]()
        for name in names:
            fold = Fold.of(name, carried[0].type, loop)
            if not is_complex(carried[0].type):
                of_parts.append(name)
            elif fold.joins_parts:
                of_parts.append(f"@{_monoid_on_parts(fold, function)}")
            else:
                of_parts += [name] * 2
            del carried[: len(fold.types)]
        say_folds(loop, of_parts)


def _monoid_on_parts(fold: Fold, function: func.FuncOp) -> str:
    """Return the name of a monoid on tuples of two parts, which stands before a function."""
    part = part_type(fold.element)
    name = f"{fold.monoid.removeprefix('@')}_of_{part}_parts"
    known = SymbolTable.lookup_symbol(function, name)
    if known is not None:
        return name
    of_parts = tuple_type([part, part])
    block = Block(arg_types=[of_parts, of_parts])
    given: list[Parts] = []
    for argument in block.args:
        unpack = append(block, UnpackOp(argument), function)
        real, imaginary = unpack.results
        whole = complex.CreateOp(real, imaginary, ComplexType(part))
        given.append(append(block, whole, function).results)
    (joined,) = fold.combine(block, function, *given)
    taken = complex.ReOp(joined), complex.ImOp(joined)
    parts = [append(block, op, function).results[0] for op in taken]
    packed = append(block, PackOp(parts), function).results[0]
    append(block, YieldOp([], [packed]), function)
    expansion = _Expansion()
    expansion.expand(block)
    expansion.clean()
    neutral = _neutral(fold)
    identity = ArrayAttr([FloatAttr(n, part) for n in (neutral.real, neutral.imag)])
    any_order = fold.definition is None or fold.definition.any_order is not None
    made = MonoidOp(name, of_parts, identity, Region(block), any_order=any_order)
    Rewriter.insert_op(located(made, function), InsertPoint.before(function))
    return name


def _neutral(fold: Fold) -> builtins.complex:
    """The identity of a monoid on complex numbers."""
    own = fold.definition
    identity = monoids.identity(fold.monoid, fold.element) if own is None else own.identity
    assert isinstance(identity, complex.ComplexNumberAttr)
    return builtins.complex(identity.real.data, identity.imag.data)


@dataclass(frozen=True)
class ExpandComplexPass(ModulePass):
    """Writes complex numbers in loops out as pairs of floats."""

    name = "expand-complex"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Expand the complex numbers of all loops over memrefs that can be."""
        for function in list(op.ops):
            if (
                isinstance(function, func.FuncOp)
                and len(function.body.blocks) == 1
                and not any(map(is_complex, function.function_type.outputs))
                and any(isa(argument.type, MemRefType[Attribute]) for argument in function.args)
                and all(can_expand(op) for op in function.walk() if has_complex(op))
            ):
                _say_folds_of_parts(function)
                expand_complex(function)
