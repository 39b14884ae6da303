"""Compiles outlined loops of the driver: from `scf.while` over numbers and arrays to LLVM IR text.

    compile_native_loop(…)    =>    NativeLoop("loop_0", "define void @loop_0(…",
                                               "i64 f64[?] -> f64() i64() whole =1 reads 147", …)

The outputs are the numbers that the loop returns, what failed and the indices that did. What the
loop carries comes first among the arguments, so that a call may go on where Python has stopped.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from diablo.dialects.comprehension import NumberCallOp, TableType
from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.encodings import is_sparse
from diablo.dialects.number_constants import ConstantOps
from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.kernel_to_llvm import native_text
from diablo.lowering.llvm.native_kernel import NativeKernel
from diablo.lowering.llvm.signature_parts import number_name
from diablo.lowering.llvm.tuple_parts import take_tuples_apart
from diablo.lowering.multiloop.compile_kernel import CompiledKernels
from diablo.lowering.native_loops.called_kernels import called_kernel
from diablo.lowering.native_loops.convert_native_loops import (
    convert_native_loop,
    declare_provided,
    inline_loops,
)
from diablo.lowering.native_loops.loop_jobs import LoopJobs
from diablo.lowering.native_loops.native_loop_code import ArrayNamed, CalledProduct
from diablo.lowering.native_loops.native_loops import (
    DIVISIONS,
    Buffers,
    TableOps,
    check_native_loop,
)
from diablo.lowering.native_loops.tuple_words import read_as_words
from diablo.lowering.outlined_loops import called_loop, loop_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.comprehension.expand_random import ExpandRandomPass

_OPERATION = 6
"""What an operation of the driver costs Python, in simple points of NumPy's kernels."""
_DIVISION = 12
"""What a division of integers does, which is checked."""
_FUNCTION = 30
"""What one of NumPy's functions does, of a single number."""
_ELEMENT = 40
"""What reading or writing an element does."""
_ROW = 60
"""What finding or putting a row of a hash table does."""
_CALL = 480
"""What the call of a loop within a loop does, besides the loop: it takes 8 microseconds or more."""
_KERNEL = 768
"""What the call of a kernel does, which is given memory, and its work to threads."""


@dataclass(frozen=True)
class NativeLoop(NativeKernel):
    """A loop of the driver as LLVM IR."""

    results: tuple[int | None, ...] = ()
    """Of each result the number of the argument whose array it is, None for a number."""
    written: tuple[int, ...] = ()
    """The numbers of the arrays that are written."""
    failures: tuple[tuple[Operation, ArrayNamed], ...] = ()
    """What may fail, and the array that it reads or writes, or -1."""
    rank: int = 0
    """How many dimensions the kernels go through that it calls, at most."""
    copied: tuple[int, ...] = ()
    """The numbers of the arrays of which a call needs a copy."""
    products: tuple[CalledProduct, ...] = ()
    """The products of sparse matrices that it makes."""
    tables: tuple[int, ...] = ()
    """The numbers of the arguments that are hash tables."""
    jobs: LoopJobs | None = None
    """The kernels that are no part of it."""


def compile_native_loop(
    function: func.FuncOp, *, with_jobs: bool = False, compiled: CompiledKernels | None = None
) -> NativeLoop:
    """Return the function of a loop as LLVM IR, with kernels or with jobs instead.

    What has been `compiled` of the kernels of its module is not compiled again.

    Raises
    ------
    Refused
        If there is no such machine code.
    """
    context = Context()
    weight = _weight(function)
    functions = [function, *_called_within(function)]
    kernels = dict.fromkeys(
        kernel for f in functions for op in f.walk() if (kernel := called_kernel(op)) is not None
    )
    copy, *inner = [each.clone() for each in functions]
    if with_jobs and not kernels:
        raise Refused("it calls no kernel")
    monoids = dict.fromkeys(monoid for kernel in kernels for monoid in monoids_used(kernel))
    module = ModuleOp([copy, *inner, *[op.clone() for op in (*monoids, *kernels)]])
    inline_loops(copy)
    if not with_jobs:
        check_native_loop(copy)
    read_as_words(copy)
    take_tuples_apart(copy)
    for each in inner:
        Rewriter.erase_op(each)
    ExpandRandomPass().apply(context, module)
    end = copy.body.block.last_op
    assert isinstance(end, func.ReturnOp)
    loop = loop_of(copy)
    assert loop is not None
    jobs = LoopJobs.of(copy, compiled) if with_jobs else None
    buffers = Buffers() if jobs is None else jobs.buffers
    if jobs is None:
        buffers.note(loop)
    results = tuple(
        list(copy.args).index(buffers.of(value)) if is_tensor(value.type) else None  # pyright: ignore
        for value in end.arguments
    )
    numbers = [Slot(number_name(v.type)) for v in end.arguments if not is_tensor(v.type)]
    tables = tuple(k for k, a in enumerate(copy.args) if isinstance(a.type, TableType))
    words = [is_sparse(a.type) or isinstance(a.type, TableType) for a in copy.args]
    arguments = [
        ("i64" if is_words else number_name(a.type), a.type)
        for a, is_words in zip(copy.args, words, strict=True)
    ]
    found = convert_native_loop(copy, jobs)
    slots = tuple(
        Slot(
            element,
            (None,)
            if words[number]
            else tuple(found.bounds.get((number, axis)) for axis in range(type.get_num_dims()))
            if is_tensor(type)
            else None,
        )
        for number, (element, type) in enumerate(arguments)
    )
    if jobs is not None:
        slots = (*slots, Slot("i64", (None,)))
    outputs = (*numbers, *[Slot("i64")] * (1 + found.indices), *found.temporaries)
    for each in [op for op in module.ops if op is not copy]:
        Rewriter.erase_op(each)
    declare_provided(module)
    return NativeLoop(
        function.sym_name.data,
        Signature(slots, outputs, (Dimension(1),), reads=weight),
        lambda: native_text(context, module.clone()),
        results,
        tuple(sorted(found.written)),
        tuple(zip(found.failures, found.arrays, strict=True)),
        found.rank if jobs is None else jobs.rank,
        tuple(found.copied),
        tuple(found.products),
        tables,
        jobs,
    )


def _called_within(function: func.FuncOp) -> list[func.FuncOp]:
    """The functions of the loops within a loop, those within these included."""
    found: dict[func.FuncOp, None] = {}
    for op in function.walk():
        callee = called_loop(op)
        if callee is not None:
            found |= dict.fromkeys([callee, *_called_within(callee)])
    return list(found)


def _weight(function: func.FuncOp) -> int:
    """Return what an iteration costs Python, without the loops within it."""
    loop = loop_of(function)
    assert loop is not None
    return sum(map(_cost, loop.walk()))


def _cost(op: Operation) -> int:
    match op:
        case func.CallOp():
            return _CALL if called_kernel(op) is None else _KERNEL
        case tensor.ExtractOp() | tensor.InsertOp():
            return _ELEMENT
        case _ if isinstance(op, TableOps):
            return _ROW
        case _ if isinstance(op, DIVISIONS):
            return _DIVISION
        case arith.MinimumfOp() | arith.MaximumfOp() | NumberCallOp():
            return _FUNCTION
        case _ if op.name.startswith("math."):
            return _FUNCTION
        case _ if isinstance(op, ConstantOps) or op.has_trait(IsTerminator):
            return 0
        case _:
            return _OPERATION
