"""Outlining: one `func.func private @kernel_N` per op on distributed values.

A kernel is the same `tensor_block` op over the local values of one tile:

    %C = tensor_block.map %A ... : tensor<?xf64, #tensor_block.tiles<dense = 1>>
  ==>
    func.func private @kernel_0(%origin: index, %extent: index, %A: tensor<?xf64>)
        -> tensor<?xf64>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, named
from diablo.dialects.number_constants import ConstantOps

KernelBody = Callable[[Builder, Sequence[SSAValue]], SSAValue | Sequence[SSAValue]]
"""Writes what a kernel does with its arguments; returns its results."""


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel: its type, and a name for those who read the IR."""

    type: Attribute
    name: str | None = None


@dataclass
class Kernels:
    """The kernels outlined so far, in order."""

    functions: list[func.FuncOp] = field(default_factory=list[func.FuncOp])

    def outline(self, op: Operation, arguments: Sequence[Argument], body: KernelBody) -> str:
        """Add a kernel that stands for `op`; return its symbol."""
        name = f"kernel_{len(self.functions)}"
        block = Block(arg_types=[argument.type for argument in arguments])
        for value, argument in zip(block.args, arguments, strict=True):
            value.name_hint = argument.name
        made = body(Builder(InsertPoint.at_end(block)), block.args)
        results = [made] if isinstance(made, SSAValue) else made
        if isinstance(made, SSAValue) and len(op.results) == 1:
            named(made, op.results[0])
        block.add_op(func.ReturnOp(*results))
        kernel = func.FuncOp(
            name,
            ([argument.type for argument in arguments], [result.type for result in results]),
            Region(block),
            visibility="private",
        )
        for inner in (kernel, *block.ops):
            located(inner, op)
        self.functions.append(kernel)
        return name


def driver_name(value: SSAValue) -> str | None:
    """Return the name that the driver program has for a value: an extent of A is `A_dim0`."""
    dim = value.owner
    if value.name_hint is not None or not isinstance(dim, tensor.DimOp):
        return value.name_hint
    index = dim.index.owner
    if dim.source.name_hint is None or not isinstance(index, arith.ConstantOp):
        return None
    assert isinstance(index.value, IntegerAttr)
    return f"{dim.source.name_hint}_dim{index.value.value.data}"


def is_constant(value: SSAValue) -> bool:
    """Return whether `value` is a constant, which a kernel repeats rather than captures."""
    return isinstance(value.owner, ConstantOps | comprehension.StringOp)


def bind_constants(builder: Builder, values: Iterable[SSAValue]) -> dict[SSAValue, SSAValue]:
    """Repeat the constants among `values` in a kernel."""
    bound: dict[SSAValue, SSAValue] = {}
    for value in values:
        if isinstance(value.owner, ConstantOps | comprehension.StringOp):
            bound[value] = builder.insert(value.owner.clone()).results[0]
            bound[value].name_hint = value.name_hint
    return bound


def uses_indices(body: Region, rank: int) -> bool:
    """Return whether a body reads any of its leading `rank` arguments, the point's indices."""
    return any(arg.first_use is not None for arg in body.block.args[:rank])


def axis_names(body: Region, rank: int) -> list[str]:
    """A name for each iteration dimension, from the body's index arguments."""

    def name(arg: BlockArgument) -> str:
        return arg.name_hint or f"d{arg.index}"

    return [name(arg) for arg in body.block.args[:rank]]


def box_arguments(names: Sequence[str]) -> list[Argument]:
    """The leading arguments of a kernel on tiles: each dimension's origin, then its extent."""
    return [
        *[Argument(IndexType(), f"{name}_origin") for name in names],
        *[Argument(IndexType(), f"{name}_extent") for name in names],
    ]


def local_value_type(type: Attribute) -> Attribute:
    """The type that a value of the program has inside a kernel."""
    array = as_array(type)
    return type if array is None else tensor_block.local_type(array)
