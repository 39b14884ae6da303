"""Functions over regions as loops over the buffers of their layouts.

Sparse tensor arguments are unpacked into regions, and loops of `multiloop` go through these. A
sparse argument becomes the buffers of its layout (see `buffers`), a dense one a memref, and what is
returned output arguments, in order; buffers that are allocated and not returned follow them. The
arguments that are marked `sparse_storage.split`, which say where the range that a call computes
begins and ends, stay at the end.

    func.func @sum(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> f64 {
      %R, %a = sparse_storage.unpack %A : … -> !sparse_storage.region<2, …>, memref<?xf64>
      %sum = multiloop.loop stored(%R : …) -> f64 {
      ^bb0(%i: index, %j: index, %p: index, %acc: !multiloop.reduce<add : f64>):
        %e = sparse_storage.value %a[%p] : memref<?xf64>
        …

becomes

    func.func @sum(%starts: memref<?xi64>, %indices: memref<?xi64>, %values: memref<?xf64>,
                   %d0: index, %d1: index, %sum: memref<f64>) {
      %sum = scf.for %p = %zero to %count step %one iter_args(%acc = %zero) -> (f64) {
        %e = memref.load %values[%p]
        …
"""

from __future__ import annotations

from xdsl.dialects import bufferization, func, memref, scf, tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from diablo.dialects import sparse_storage
from diablo.dialects.complex_numbers import ToComplexOp
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import remark
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.multiloop import EmitOp, LoopOp, ReduceType, ScanType
from diablo.dialects.number_constants import ComplexConstantOp, UnsignedOp
from diablo.dialects.sparse_storage import RegionType
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.loop_functions import functions_for_loops, uses_regions
from diablo.lowering.sparse_storage.function_conversion import FunctionConversion, argument_layouts
from diablo.lowering.sparse_storage.parts import is_made
from diablo.lowering.sparse_storage.region_rules import RULES
from diablo.passes.analyses.loops.iterations import iterations_of
from diablo.passes.analyses.refused import Refused


def check_convertible(function: func.FuncOp) -> None:
    """Raise `Refused` if a function cannot become loops over buffers."""
    if len(function.body.blocks) != 1:
        raise Refused("it has no single block")
    block = function.body.block
    end = block.last_op
    if not isinstance(end, func.ReturnOp):
        raise Refused("it does not return")
    for argument in block.args:
        if isinstance(argument.type, RegionType):
            raise Refused("a region is an argument")
    argument_layouts(function)
    returned: list[SSAValue] = []
    for value in end.arguments:
        if isinstance(value.type, RegionType):
            raise Refused("a region is returned")
        if is_tensor(value.type):
            buffer = returned_buffer(value)
            if buffer is None:
                raise Refused("a tensor is returned that is not made here")
            if buffer in returned:
                raise Refused("a buffer is returned twice")
            returned.append(buffer)
    for op in function.walk():
        match op:
            case sparse_storage.RegionWhereOp():
                type = sparse_storage.region_type(op.region)
                if not is_made(type.layout):
                    raise Refused(f"a part of a region cannot be laid out as {type.layout.text}")
            case sparse_storage.UnpackOp():
                if not isinstance(op.array, BlockArgument) or op.array.block is not block:
                    raise Refused("an array is unpacked that is not an argument")
            case sparse_storage.PackOp():
                if any(not isinstance(use.operation, func.ReturnOp) for use in op.array.uses):
                    raise Refused("an array is made that is not returned")
            case bufferization.ToTensorOp():
                if not all(_takes_arrays(use.operation) for use in op.tensor.uses):
                    raise Refused("an array is made that is not returned")
            case bufferization.ToBufferOp():
                if op.tensor not in block.args and not _is_over_points(op.tensor.owner):
                    raise Refused("a buffer is wanted of what is not an argument")
            case LoopOp():
                _check_loop(op, function)
            case EmitOp():
                _check_emit(op)
            case tensor.DimOp():
                if not isinstance(op.source, BlockArgument) or (
                    is_sparse(op.source.type) and not isinstance(op.index.owner, ConstantOp)
                ):
                    raise Refused("a dimension is wanted that is not an argument's")
            case func.CallOp():
                raise Refused("it calls another function")
            case UnsignedOp() | ComplexConstantOp() | ToComplexOp():
                pass
            case _:
                if op.name.startswith(("tensor.", "tensor_block.", "comprehension.")):
                    raise Refused(f"{op.name} is no loop over a region")


def _is_over_points(op: Operation | Block) -> bool:
    return isinstance(op, LoopOp) and op.is_over_points


def _takes_arrays(op: Operation) -> bool:
    return isinstance(op, func.ReturnOp) or _is_over_points(op)


def _check_loop(op: LoopOp, function: func.FuncOp) -> None:
    """Raise `Refused` if a loop is none over regions, ranges or points of dense arrays."""
    if op.is_over_points:
        iterations_of(op)
        if op.parent_op() is not function:
            raise Refused("a loop over points is in another loop")
        return
    if not op.is_over_regions and op.source.data != "range":
        raise Refused(f"there is a loop over {op.source.data}")
    for generator in op.generators:
        type = generator.type
        if not isinstance(type, ReduceType | ScanType):
            raise Refused(f"a loop over a region emits to {type}")
        if is_user_defined(type.monoid.data):
            raise Refused("its monoid is the program's own")


def _check_emit(op: EmitOp) -> None:
    """Raise `Refused` if an emit stands in something else than loops and branches."""
    loop = op.generator.owner.parent_op() if isinstance(op.generator.owner, Block) else None
    around = op.parent_op()
    while around is not None and around is not loop:
        if not isinstance(around, LoopOp | scf.ForOp | scf.IfOp):
            raise Refused(f"values are emitted in the body of '{around.name}'")
        around = around.parent_op()


def returned_buffer(value: SSAValue) -> SSAValue | None:
    """What a returned tensor was made of: a buffer that was allocated for it, or a loop's array."""
    match value.owner:
        case LoopOp() as op if op.is_over_points:
            return value
        case bufferization.ToTensorOp() as op:
            buffer = op.memref
        case sparse_storage.PackOp() as op if op.values is not None:
            buffer = op.values
        case _:
            return None
    owner = buffer.owner
    if isinstance(owner, memref.AllocOp) and isinstance(owner.parent_op(), func.FuncOp):
        return buffer
    return None


def convert_functions(module: ModuleOp, *, plain: bool = False) -> None:
    """Convert every function over regions that can be loops over buffers; leave others alone.

    With `plain` points have one loop for each dimension and nothing else, as for a GPU.
    """
    chosen: list[func.FuncOp] = []
    for function in module.ops:
        if not isinstance(function, func.FuncOp) or not uses_regions(function):
            continue
        try:
            check_convertible(function)
        except Refused as why:
            remark(function, f"'{function.sym_name.data}' is left as it is: {why}")
        else:
            chosen.append(function)
    for function in functions_for_loops(module, chosen):
        FunctionConversion(function, RULES, plain=plain).convert()
