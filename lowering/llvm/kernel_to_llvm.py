"""Compiles kernels: from `tensor_block` ops on dense tiles, by loops over points, to LLVM IR text.

    compile_dense_kernel(…)    =>    NativeKernel("kernel_0", "define void @kernel_0(...",
                                                  "f64[1,2] i64 i64 -> f64[1,2] rows 1*2")

The text and the signature are what `diablo.runtime.kernels.compiled` runs. A kernel that a library
does better (a BLAS product), or that may fail at run time, is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from diablo.dialects.comprehension import MonoidOp, NumberCallOp
from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.multiloop import GeneratorType
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_unsigned
from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.convert_kernel_to_llvm import (
    STRUCTURED,
    ConvertKernelToLLVMPass,
    is_convertible,
)
from diablo.lowering.llvm.convert_scalars_to_llvm import has_machine_code
from diablo.lowering.llvm.expand_complex import can_expand, expand_complex, has_complex
from diablo.lowering.llvm.expand_functions import expand_functions
from diablo.lowering.llvm.kernel_loops import KernelLoops, check_convertible, convert_function
from diablo.lowering.llvm.llvm_text import llvm_text
from diablo.lowering.llvm.loop_plan import plan_loops
from diablo.lowering.llvm.native_kernel import NativeKernel
from diablo.lowering.llvm.signature_parts import (
    dimension_of,
    dimensions_read,
    element_text,
    read_extents,
)
from diablo.lowering.llvm.strip_nest import STRIP
from diablo.lowering.loops_over_points import put_fused_loops
from diablo.passes.analyses.loops.iterations import Iteration
from diablo.passes.analyses.loops.products import is_blas_product, is_dot_product
from diablo.passes.analyses.loops.windowed_products import window_product
from diablo.passes.analyses.refused import Refused

_FRAME = frozenset(
    [
        *("func.func", "func.return", "tensor.dim", "tensor.extract", *STRUCTURED),
        *("comprehension.monoid", "comprehension.yield"),
        *("comprehension.pack", "comprehension.unpack"),
        *("multiloop.loop", "multiloop.emit"),
    ]
)
"""What else than scalar ops and those of this level a kernel may hold that becomes machine code."""
OWN_MONOID = 7
"""How many simple points more NumPy takes for one that a monoid of the program's own folds."""
CHECKED_DIVISIONS = (arith.DivSIOp, arith.RemSIOp, arith.DivUIOp, arith.RemUIOp)


def compile_dense_kernel(context: Context, module: ModuleOp) -> NativeKernel:
    """Return the only function of `module` as LLVM IR; raises `Refused` if it is not compiled."""
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    put_fused_loops(module, function)
    signature = dense_signature(function)

    def write() -> str:
        loops = module.clone()  # Who is interrupted while it is lowered may ask again.
        kernel = loops.body.block.first_op
        assert isinstance(kernel, func.FuncOp)
        convert_function(kernel, split=True)
        for monoid in [op for op in loops.ops if isinstance(op, MonoidOp)]:
            Rewriter.erase_op(monoid)  # Its body is in the loops.
        return native_text(context, loops)

    return NativeKernel(function.sym_name.data, signature, write)


def dense_signature(
    function: func.FuncOp, *, products: bool = False, plain: bool = False
) -> Signature:
    """Return what a kernel of loops over points takes and gives; `plain` ones of no strips.

    Raises
    ------
    Refused
        If it does not become loops, or is a product that BLAS computes, of windows too, unless
        `products`.
    """
    loops = KernelLoops(function)
    if not products and any(window_product(op) is not None for op in loops.ops):
        raise Refused("a product of windows is faster")
    _check(function, loops, products)
    return _signature(function, loops, plain)


def native_text(context: Context, module: ModuleOp) -> str:
    """A module of one function over memrefs as LLVM IR, to which the module is lowered."""
    loops = module.body.block.first_op
    assert isinstance(loops, func.FuncOp)
    expand_complex(loops)
    expand_functions(loops)
    assert is_convertible(loops), "an op has no machine code"
    ConvertKernelToLLVMPass().apply(context, module)
    return llvm_text(module)


def _check(function: func.FuncOp, loops: KernelLoops, products: bool) -> None:
    check_convertible(function)
    ops = loops.ops
    if not ops:
        raise Refused("it has no loop")
    if not products and any(is_blas_product(op) and not is_dot_product(op) for op in ops):
        fused = len(ops) > 1 and (loops.are_one or loops.strip_rows is not None)
        if not fused:
            raise Refused("a BLAS product is faster")
    monoids = monoids_used(function)
    defined = {f"@{monoid.sym_name.data}" for monoid in monoids}
    if any(is_user_defined(op.monoid) and op.monoid not in defined for op in ops):
        raise Refused("its monoid is defined elsewhere")
    for op in [op for root in (function, *monoids) for op in root.walk()]:
        known = op.name in _FRAME or has_machine_code(op)
        known = known or isinstance(op, arith.SelectOp) or (has_complex(op) and can_expand(op))
        if not known:
            called = isinstance(op, NumberCallOp)
            name = f"the function {op.function.data}" if called else op.name
            raise Refused(f"{name} has no machine code")
        if isinstance(op, tensor.DimOp) and not isinstance(op.index.owner, arith.ConstantOp):
            raise Refused("which dimension is meant shows only at run time")
        if isinstance(op, CHECKED_DIVISIONS):
            given = divisor_argument(op.rhs, function)
            if given is None and not is_safe_divisor(op.rhs):
                raise Refused("an integer division may fail")
        types = [*op.operand_types, *op.result_types]
        for type in [type for type in types if not isinstance(type, GeneratorType)]:
            element_text(type)


def is_safe_divisor(value: SSAValue) -> bool:
    """Return whether a divisor neither fails nor overflows: a constant, or chosen so.

    %z = arith.cmpi eq, %d, %zero; %s = arith.select %z, %one, %d      is never 0
    """
    return _is_never(value, 0) and (is_unsigned(value.type) or _is_never(value, -1))


def _is_never(value: SSAValue, number: int, choices: int = 4) -> bool:
    """Return whether a value differs from a number, by what it is chosen of in so many choices."""
    known = _integer(value)
    if known is not None:
        return known != number
    choice = value.owner
    if not isinstance(choice, arith.SelectOp) or not choices:
        return False
    if not _is_never(choice.lhs, number, choices - 1):
        return False
    if _is_never(choice.rhs, number, choices - 1):
        return True
    test = choice.cond.owner
    if not isinstance(test, arith.CmpiOp) or predicate_of(test) != "eq":
        return False
    return test.lhs is choice.rhs and _integer(test.rhs) == number


def _integer(value: SSAValue) -> int | None:
    """The integer that a value is, if it is a constant."""
    constant = value.owner
    if not isinstance(constant, ConstantOps) or not isinstance(constant.value, IntegerAttr):
        return None
    return constant.value.value.data


def divisor_argument(value: SSAValue, function: func.FuncOp) -> SSAValue | None:
    """The argument of a kernel that a divisor is, if it is one: a call says whether it is safe."""
    while isinstance(value.owner, arith.IndexCastOp):
        value = value.owner.input
    return value if value in function.args else None


def _signature(function: func.FuncOp, loops: KernelLoops, plain: bool) -> Signature:
    """Return what the compiled function takes and gives."""
    ops = loops.ops
    read = _read_extents(ops)
    divisions = [op for op in function.walk() if isinstance(op, CHECKED_DIVISIONS)]
    divisors = {divisor_argument(op.rhs, function) for op in divisions}
    arguments = tuple(
        Slot(
            element_text(argument.type),
            dimensions_read(argument, read) if is_tensor(argument.type) else None,
            positive=argument in divisors,
        )
        for argument in function.args
    )
    end = function.body.block.last_op
    assert isinstance(end, func.ReturnOp)
    work, shared = _work(loops)
    passing = loops.passing if not plain and loops.strip_rows is not None else []
    tables = [op for op in loops.adding if not plain or op.kind == "scatter"]
    outputs: list[Slot] = []
    returned = [v for v in end.arguments if is_tensor(v.type)]
    scalars = [v for v in end.arguments if not is_tensor(v.type)]
    made = [op.result for op in loops.made]
    if list(end.arguments) != [*(v for v in made if v in returned), *scalars]:
        raise Refused("an array is returned twice, or behind a number")
    for op in loops.made:
        dimensions = tuple(dimension_of(size) for size in op.shape)
        element = element_text(op.result.type)
        own = shared and (op in tables or op.result in passing)
        if op.result in passing:
            dimensions = (Dimension(STRIP), *dimensions[1:])
        monoid = op.monoid if own and op in tables else ""
        unused = op.result not in returned
        outputs.append(Slot(element, dimensions, unused, monoid, own=own))
    folded = {op.result: op.monoid for op in ops} if shared else dict[SSAValue, str]()
    for value in scalars:
        outputs.append(Slot(element_text(value.type), monoid=folded.get(value, "")))
    return Signature(arguments, tuple(outputs), work, shared, _reads(ops))


def _reads(ops: Sequence[Iteration]) -> int:
    """Return how many simple points one is worth: NumPy copies what is read beside it or elsewhere.

    With a monoid of the program's own it folds in rounds, each of several steps over all pairs.
    """
    beside = sum(
        any(axis.alone is None for axis in axes) for op in ops for axes in plan_loops(op).inputs
    )
    computed = sum(isinstance(inner, tensor.ExtractOp) for op in ops for inner in op.body.walk())
    own = [op for op in ops if op.kind == "fold" and is_user_defined(op.monoid)]
    return 1 + beside + computed + OWN_MONOID * len(own)


def _work(loops: KernelLoops) -> tuple[tuple[Dimension, ...], bool]:
    """Return how much work there is, and whether threads may share it."""
    op, split = loops.split
    if split is None:
        whole = tuple(dimension_of(extent) for extent in op.extents)
        return whole or (Dimension(1),), False
    order = [split, *(d for d in plan_loops(op).order if d != split)]
    return tuple(dimension_of(op.extents[d]) for d in order), True


def _read_extents(ops: Sequence[Iteration]) -> dict[tuple[SSAValue, int], Dimension]:
    """Return how much of each dimension of each argument is read."""
    return read_extents(
        (value, axes, op.extents)
        for op in ops
        for value, axes in zip(op.inputs, plan_loops(op).inputs, strict=True)
    )
