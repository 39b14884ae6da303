"""Kernels over dense arrays as loops over memrefs.

The loops of a function over points become `scf.for` over `memref`. Arrays that are made become
output arguments at the end, one per array (so temporaries too), then one for each number that is
returned.

    func.func @k(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
      %s = multiloop.loop points(d0 < %n, d1 < %m) into(%n) ins(%a[d0, d1] : …) -> tensor<?xf64> {
      …

becomes

    func.func @k(%a: memref<?x?xf64, strided<[?, 1]>>, %n: index, %m: index, %s: memref<?xf64>) {
      scf.for %i = %zero to %n step %one {
        %sum = scf.for %j = %zero to %m step %one iter_args(%acc = %identity) -> (f64) {
          %e = memref.load %a[%i, %j]
          %next = arith.addf %acc, %e fastmath<reassoc,contract> : f64
          scf.yield %next : f64
        }
        memref.store %sum, %s[%i]
      }

What one loop emits to several generators is one nest (fused_nest.py), several loops over the same
rows take turns at strips of these (strip_nest.py). So does a fold for each row by a monoid of the
program's own, where strips let it run in vectors.

With `split`, the function of a single nest gets two more arguments, the range of its outermost
parallel dimension (or, for a fold to a scalar or by place, of its outermost dimension) that the
call is to compute, so that threads can share the work. What is added to places is a table of the
call's own then.

With `plain` there is one loop for each dimension, those of the result outside, without lanes,
squares, strips and a middle apart: what those are for is done otherwise by `convert-loops-to-gpu`.
Points that read beside themselves are asked once whether all of that lies inside, and few points
of the innermost dimensions are written out behind one such test.

A result whose last dimensions have constant extents is cast to strides that are known by them,

    %s' = memref.cast %s : memref<?x?x?xf64, strided<[?, ?, 1]>>
                        to memref<?x?x2xf64, strided<[?, 2, 1]>>

so that LLVM stores two neighbours by wide stores when both are written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

from xdsl.dialects import func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects.comprehension import PackOp, UnpackOp
from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.multiloop import LoopOp
from diablo.dialects.number_constants import ConstantOps, is_arithmetic
from diablo.dialects.scalar_types import is_complex
from diablo.dialects.tensor_block import IterationOps
from diablo.lowering.kernel_types import check_machine_code, is_tensor
from diablo.lowering.llvm.fused_nest import nests_of
from diablo.lowering.llvm.loop_plan import folds_side_by_side, plan_loops
from diablo.lowering.llvm.strip_nest import StripNest
from diablo.lowering.llvm.tuple_parts import TupleParts, check_tuples, part_types
from diablo.lowering.loop_functions import replace_body
from diablo.passes.analyses.loops.common_rows import adds_rows_up, row_dimensions
from diablo.passes.analyses.loops.iterations import Iteration, iterations_of
from diablo.passes.analyses.loops.one_loop import run_in_one_loop
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import constant_value


def memref_type(type: TensorType[Attribute]) -> MemRefType[Attribute]:
    """The buffer of a dense tile: rows at any distance, elements of a row side by side."""
    rank = type.get_num_dims()
    strides = [*[None] * (rank - 1), 1]
    layout = StridedLayoutAttr(strides) if rank > 1 else NoneAttr()
    return MemRefType(type.get_element_type(), [DYNAMIC_INDEX] * rank, layout)


def _known_strides(op: Iteration) -> MemRefType[Attribute] | None:
    """Return the buffer of a result whose last dimensions have constant extents, if they have."""
    type = op.result.type
    assert is_tensor(type)
    rank = type.get_num_dims()
    sizes = op.shape
    shape, strides = [DYNAMIC_INDEX] * rank, [*[None] * (rank - 1), 1]
    stride = 1
    for axis in range(rank - 1, 0, -1):
        size = constant_value(sizes[axis])
        if not isinstance(size, int) or size < 1:
            break
        shape[axis] = size
        stride *= size
        strides[axis - 1] = stride
    element = type.get_element_type()
    if stride == 1 or isinstance(element, TupleType) or is_complex(element):
        return None
    return MemRefType(element, shape, StridedLayoutAttr(strides))


def check_convertible(function: func.FuncOp) -> None:
    """Raise `Refused` if a function, whose loops may be ops on arrays yet, cannot become loops."""
    if not function.body.blocks or len(function.body.blocks) > 1:
        raise Refused("it has no single block")
    check_machine_code(function)
    for argument in function.body.block.args:
        if not _is_dense_or_scalar(argument.type):
            raise Refused(f"argument of type {argument.type}")
    for op in function.body.block.ops:
        if _is_over_points(op):
            for iteration in iterations_of(op):
                type = iteration.result.type
                if not _is_dense_or_scalar(type) or _has_own_extents(type):
                    raise Refused(f"{op.name} makes {type}")
        elif isinstance(op, scf.IfOp):
            if any(is_tensor(t) for t in op.result_types) or any(
                inner.name.startswith("tensor") for inner in op.walk()
            ):
                raise Refused("a tensor is chosen by a condition")
        elif isinstance(op, func.ReturnOp):
            for value in op.arguments:
                owner = value.owner
                if is_tensor(value.type) and not _is_over_points(owner):
                    raise Refused("an argument is returned as it is")
        elif not isinstance(op, tensor.DimOp | PackOp | UnpackOp) and not is_arithmetic(op):
            raise Refused(f"{op.name} is not a loop")
    for op in function.body.block.ops:
        if _is_over_points(op) or isinstance(op, scf.IfOp):
            check_tuples(op)
    for monoid in monoids_used(function):
        check_tuples(monoid)


def _is_over_points(op: Operation | Block) -> bool:
    return isinstance(op, IterationOps) or (isinstance(op, LoopOp) and op.is_over_points)


def _is_dense_or_scalar(type: Attribute) -> bool:
    if is_tensor(type):
        return isinstance(type.encoding, NoneAttr)
    return not isinstance(type, MemRefType) and not hasattr(type, "columns")


def _has_own_extents(type: Attribute) -> bool:
    """Return whether a type says how large a dimension is."""
    return is_tensor(type) and any(size != DYNAMIC_INDEX for size in type.get_shape())


def tensor_ops(function: func.FuncOp) -> list[IterationOps]:
    """The ops of a kernel over points of dense arrays, in order."""
    return [
        op for block in function.body.blocks for op in block.ops if isinstance(op, IterationOps)
    ]


def loops_over_points(function: func.FuncOp) -> list[LoopOp]:
    """The loops of a kernel over points, in order."""
    return [
        op
        for block in function.body.blocks
        for op in block.ops
        if isinstance(op, LoopOp) and op.is_over_points
    ]


class KernelLoops:
    """How a kernel becomes loops, each thing found out when it is first asked for.

    Its loops over points may be ops on arrays yet. It is not to be changed meanwhile.

    Raises
    ------
    Refused
        If a loop emits anything but one value at each point.
    """

    def __init__(self, function: func.FuncOp):
        self._function = function
        self._loops = [op for op in function.body.block.ops if _is_over_points(op)]
        self.ops = [iteration for op in self._loops for iteration in iterations_of(op)]

    @cached_property
    def made(self) -> list[Iteration]:
        """What makes the arrays, in the order of the buffers for these.

        Those that are returned come in the order in which they are, since merged loops may make
        them in another one.
        """
        end = self._function.body.block.last_op
        assert isinstance(end, func.ReturnOp)
        made = {op.result: op for op in self.ops if is_tensor(op.result.type)}
        returned = iter([value for value in dict.fromkeys(end.arguments) if value in made])
        return [made[next(returned) if v in end.arguments else v] for v in made]

    @cached_property
    def are_one(self) -> bool:
        """Whether there is a single nest, whose folds are what is returned."""
        if len(self.ops) < 2:
            return len(self.ops) == 1
        return self._are_all and len(self._loops) == 1 and run_in_one_loop(self.ops)

    @cached_property
    def strip_rows(self) -> Sequence[int] | None:
        """The dimension of each op that is that of the rows, if strips of these are taken in turns.

        All ops are then in a single loop.
        """
        if self.are_one:
            alone = len(self.ops) == 1 and folds_side_by_side(self.ops[0])
            return row_dimensions(self.ops) or [0] if alone else None
        return row_dimensions(self.ops) if len(self.ops) > 1 and self._are_all else None

    @cached_property
    def _are_all(self) -> bool:
        """Whether the kernel does nothing else, and all numbers are known before."""
        others = [op for op in self._function.body.block.ops if op not in self._loops]
        return all(isinstance(op, ConstantOps | tensor.DimOp | func.ReturnOp) for op in others)

    @cached_property
    def adding(self) -> list[Iteration]:
        """The ops, alone or in strips, that add all rows up in an array."""
        rows = self.strip_rows or [0] * len(self.ops)
        return [op for op, row in zip(self.ops, rows, strict=True) if adds_rows_up(op, row)]

    @cached_property
    def passing(self) -> list[SSAValue]:
        """The arrays of a kernel in strips of which there is never more than a strip."""
        end = self._function.body.block.last_op
        assert isinstance(end, func.ReturnOp)
        made = [op.result for op in self.ops if op not in self.adding]
        return [v for v in made if is_tensor(v.type) and v not in end.arguments]

    @cached_property
    def split(self) -> tuple[Iteration, int | None]:
        """The op with the most dimensions, and which of these threads may share.

        A call may be given a range of that one.
        """
        op = max(self.ops, key=lambda op: len(op.extents))
        if self.strip_rows is not None:
            return op, self.strip_rows[self.ops.index(op)]
        if not self.are_one:
            return op, None
        split = plan_loops(self.ops[0]).split
        return op, split if split is None or len(self.ops) == 1 else 0


def convert_function(
    function: func.FuncOp, split: bool, *, plain: bool = False, overwritten: int | None = None
) -> None:
    """Rewrite a function of loops over points that `check_convertible` accepts, in place.

    Its result is to have the memory of the argument `overwritten`, if that is given.
    """
    loops = KernelLoops(function)
    ops = loops.ops
    split = split and loops.split[1] is not None
    strips = not plain and loops.strip_rows is not None
    passing = loops.passing if strips else []
    old = function.body.block
    new = Block(arg_types=[])
    copies = TupleParts()
    values = copies.values

    def add_argument(type: Attribute, hint: str | None) -> SSAValue:
        if is_tensor(type):
            type = memref_type(type)
        argument = new.insert_arg(type, len(new.args))
        argument.name_hint = hint
        return argument

    def bind(value: SSAValue, hint: str | None) -> None:
        parts = [add_argument(type, hint) for type in part_types(value.type)]
        copies.bind(value, parts)
        if is_tensor(value.type):
            values[value] = parts[0]  # For the extents of an array of tuples.

    for argument in old.args:
        bind(argument, argument.name_hint)
    for op in loops.made:
        bind(op.result, op.result.name_hint or "result")
        if not plain and (known := _known_strides(op)) is not None:
            cast = memref.CastOp.get(values[op.result], known)
            cast.location = op.location
            new.add_op(cast)
            values[op.result] = cast.dest
    end = old.last_op
    assert isinstance(end, func.ReturnOp)
    scalars = [v for v in end.arguments if not is_tensor(v.type)]
    outputs = [
        add_argument(MemRefType(type, []), v.name_hint or "result")
        for v in scalars
        for type in part_types(v.type)
    ]
    bounds: tuple[SSAValue, SSAValue] | None = None
    if split:
        bounds = (add_argument(IndexType(), "begin"), add_argument(IndexType(), "end"))

    pending = {op: [it for it in ops if it.origin is op] for op in old.ops}
    for op in list(old.ops):
        own = pending[op]
        if own and strips:
            if own[-1] is not ops[-1]:
                continue
            StripNest(ops, values, bounds, copies.tuples, passing).emit(new)
        elif own:
            plan = partial(plan_loops, plain=plain)
            for nest in nests_of(own, plan, values, bounds, copies.tuples):
                if overwritten is not None and len(ops) == 1:
                    nest.kept = old.args[overwritten]
                nest.emit(new)
        elif isinstance(op, tensor.DimOp):
            dim = memref.DimOp(values[op.source], values[op.index])
            _copy(op, dim, new, values)
        elif isinstance(op, func.ReturnOp):
            parts = [part for value in scalars for part in copies.parts(value)]
            for part, output in zip(parts, outputs, strict=True):
                new.add_op(memref.StoreOp.get(part, output, []))
            new.add_op(func.ReturnOp())
        else:
            copies.copy([op], new)
    replace_body(function, new)


def _copy(op: Operation, new_op: Operation, block: Block, values: dict[SSAValue, SSAValue]) -> None:
    new_op.location = op.location
    block.add_op(new_op)
    new_op.results[0].name_hint = op.results[0].name_hint
    values[op.results[0]] = new_op.results[0]
