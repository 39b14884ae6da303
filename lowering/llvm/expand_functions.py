"""Write functions on numbers in loops out, as straight-line code that becomes vectors.

    %y = math.tanh %x : f64    =>    %0 = math.absf %x : f64
                                     %1 = arith.mulf %0, %log2e : f64
                                     …

The table of functions (`diablo.dialects.functions.scalar_functions`) has how each is written
out; one that has not stays a call, of an intrinsic of LLVM or of the C library. An f32 is widened
to f64 before and rounded behind. Functions of complex numbers are written out by `expand-complex`,
which comes first. Functions that are not loops over memrefs are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import AnyFloat, MemRefType, ModuleOp, f64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from diablo.dialects.comprehension.function_ops import overload_of
from diablo.dialects.functions.complex_functions import ComplexFormula
from diablo.dialects.functions.formulas import Formula, Steps, Word
from diablo.dialects.functions.scalar_functions import Expansion
from diablo.dialects.locations import located
from diablo.dialects.scalar_types import is_complex


def expand_functions(function: func.FuncOp) -> None:
    """Write out the functions on numbers that `function` computes."""
    for op in list(function.walk()):
        overload = overload_of(op)
        is_on_complex = any(map(is_complex, op.operand_types))
        if overload is not None and overload.expansion is not None and not is_on_complex:
            _expand(op, overload.expansion)


def _expand(op: Operation, expansion: Expansion) -> None:
    steps = Steps()
    (result,) = op.results
    made = expansion(*[_argument(operand, steps) for operand in op.operands])
    assert not isinstance(made, ComplexFormula)
    value = made.value
    if isinstance(result.type, AnyFloat) and result.type != value.type:
        value = steps.add(arith.TruncFOp(value, result.type))
    for step in steps.ops:
        located(step, op)
    value.name_hint = result.name_hint
    Rewriter.insert_op(steps.ops, InsertPoint.before(op))
    result.replace_all_uses_with(value)
    Rewriter.erase_op(op)


def _argument(operand: SSAValue, steps: Steps) -> Formula | Word:
    if not isinstance(operand.type, AnyFloat):
        return Word(operand, steps)
    if operand.type != f64:
        operand = steps.add(arith.ExtFOp(operand, f64))
    return Formula(operand, steps)


@dataclass(frozen=True)
class ExpandFunctionsPass(ModulePass):
    """Writes functions on numbers in loops out."""

    name = "expand-functions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Expand the functions in all loops over memrefs."""
        for function in op.ops:
            if (
                isinstance(function, func.FuncOp)
                and not function.is_declaration
                and any(isa(argument.type, MemRefType[Attribute]) for argument in function.args)
            ):
                expand_functions(function)
