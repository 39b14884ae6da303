"""The iteration space of an op as NumPy sees it: views of the inputs that line up with it.

  ins(%a[d0, d1], %b[d1])     parallel(d0 < %n, d1 < %k)
=>
  a[:n, :k]    b[:k]          or, in a chunk of d0, a[begin:end, :k]
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue

from diablo.dialects.access_maps import LinearIndex, linear_indices, picks_dimensions
from diablo.dialects.tensor_block import (
    IterationOps,
    ReduceOp,
    dense_rank,
    is_sparse,
)
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.numpy.expressions import Expression, Level, Points, tuple_text
from diablo.lowering.numpy.numpy_scope import Scope
from diablo.lowering.numpy.numpy_windows import access_view


@dataclass
class Space:
    """The iteration space of an op, as it is being written.

    `extents` are names or literals; `chunked[d]` is the pair of names (begin, end) of the
    chunk of dimension `d` in the loop around the current line; `fixed[d]` the name of the one
    index of dimension `d` there. `accesses[k]` is None if input k picks `dimensions[k]`.
    """

    scope: Scope
    op: IterationOps
    dimensions: list[list[int]]
    extents: list[str]
    offsets: list[str]
    parallel: int
    accesses: list[list[LinearIndex] | None] = field(default_factory=list[list[LinearIndex] | None])
    fixed: dict[int, str] = field(default_factory=dict[int, str])
    chunked: dict[int, tuple[str, str]] = field(default_factory=dict[int, tuple[str, str]])

    @property
    def rank(self) -> int:
        """How many dimensions there are."""
        return len(self.extents)

    @property
    def width(self) -> int:
        """How many dimensions there are up to the last that is not fixed."""
        return self.rank - len(self.fixed)

    @property
    def symbols(self) -> Sequence[SSAValue]:
        """The symbols that the linear indices of the inputs add."""
        return self.op.symbols

    @property
    def inputs(self) -> Sequence[SSAValue]:
        """The tensors that are read."""
        return self.op.inputs

    def reads_every_point_once(self) -> bool:
        """Return whether some input has an element of its own for every point."""
        return any(
            access is None and len(dims) == self.rank
            for access, dims in zip(self.accesses, self.dimensions, strict=True)
        )

    def shape(self, begin: int, end: int) -> list[str]:
        """The extents of dimensions `begin` up to `end` in the current chunk."""
        return [
            "{1} - {0}".format(*self.chunked[d]) if d in self.chunked else self.extents[d]
            for d in range(begin, end)
        ]

    def index(self, d: int) -> Expression:
        """The indices along dimension `d`, offset included."""
        if d in self.fixed:
            origin = self.offsets[d] if self.offsets else "0"
            text = self.fixed[d] if origin == "0" else f"{origin} + {self.fixed[d]}"
            return Expression(text, Level.ATOM if origin == "0" else Level.SUM)
        begin, end = self.chunked.get(d, ("0", self.extents[d]))
        if self.offsets and self.offsets[d] != "0":
            offset = self.offsets[d]
            begin = offset if begin == "0" else f"{offset} + {begin}"
            end = f"{offset} + {end}"
        text = f"np.arange({end})" if begin == "0" else f"np.arange({begin}, {end})"
        if d < self.width - 1:
            text += f"[{', '.join([':', *['None'] * (self.width - 1 - d)])}]"
        return Expression(text, axes=frozenset([d]))

    def read(self, number: int, name: str) -> Expression:
        """Input `number`, whose tile is called `name`, in line with the iteration space."""
        access = self.accesses[number]
        dimensions = self.dimensions[number]
        if access is None and self.fixed.keys().isdisjoint(dimensions):
            return self.view(name, self.inputs[number], dimensions)
        if access is None:
            access = [LinearIndex.of(d) for d in dimensions]
        return access_view(self, name, access)

    def view(self, name: str, value: SSAValue, dimensions: list[int]) -> Expression:
        """An input, cropped and turned so that it lines up with the iteration space."""
        axes = frozenset(dimensions)
        if not dimensions:
            return Expression(f"{name}[()]")
        slices: list[str] = []
        for axis, d in enumerate(dimensions):
            if d in self.chunked:
                slices.append(":".join(self.chunked[d]))
            else:
                whole = is_extent_of(self.op.extents[d], value, axis)
                slices.append(":" if whole else f":{self.extents[d]}")
        text = name
        ordered = sorted(axes)
        if dimensions != ordered:
            if any(s != ":" for s in slices):
                text += f"[{', '.join(slices)}]"
            if len(axes) < len(dimensions):
                letters = "".join(chr(ord("a") + d) for d in dimensions)
                target = "".join(chr(ord("a") + d) for d in ordered)
                text = f'np.einsum("{letters}->{target}", {text})'
            elif len(axes) == 2:
                text += ".T"
            else:
                text += f".transpose({', '.join(str(dimensions.index(d)) for d in ordered)})"
            slices = [":"] * len(ordered)
        subscripts: list[str] = []
        for d in range(ordered[0], self.width):
            subscripts.append(slices[ordered.index(d)] if d in axes else "None")
        if any(s != ":" for s in subscripts):
            text += f"[{', '.join(subscripts)}]"
        return Expression(text, axes=axes)

    def bind_arguments(self, names: Sequence[str], only: Container[SSAValue] | None = None) -> None:
        """Give the body's arguments (some of them) their values in the current chunk."""
        extents = self.shape(0, self.width)
        shape = extents[0] if len(extents) == 1 else tuple_text(extents) if extents else "()"
        self.scope.points = Points(self.width, shape, _are_there_any(extents))
        block = self.op.body.block
        for d, argument in enumerate(block.args[: self.rank]):
            if argument.uses and (only is None or argument in only):
                index = self.index(d)
                hint = argument.name_hint or "ijklmn"[d : d + 1] or "i"
                self.scope.hold(argument, index, hint)
        arguments = block.args[self.rank :]
        for number, (name, argument) in enumerate(zip(names, arguments, strict=True)):
            if argument.uses and (only is None or argument in only):
                self.scope.bind(argument, self.read(number, name))

    def evaluate(self, names: Sequence[str]) -> Expression:
        """Write the body for the current chunk; `names` are the (dense) inputs' names."""
        self.bind_arguments(names)
        (result,) = self.scope.body(self.op.body.block)
        return result

    def finish(self, value: Expression) -> None:
        """Name the result, stored as its type says."""
        finish(self.scope, self.op.result, value, self.op.result.type)

    def spread(self, value: Expression) -> str:
        """`value` with every dimension of the space present."""
        if len(value.axes) == self.rank:
            return value.text
        return f"np.broadcast_to({value.text}, {tuple_text(self.shape(0, self.rank))})"


def _are_there_any(extents: Sequence[str]) -> str | None:
    """The test whether there is a point in a space; None if that is sure.

    What is the same at all points is computed once, and divides by nothing where there are none.
    """
    unsure = [extent for extent in dict.fromkeys(extents) if not extent.isdigit() or extent == "0"]
    if not unsure:
        return None
    return f"{unsure[0]} > 0" if len(unsure) == 1 else f"min({', '.join(unsure)}) > 0"


def is_extent_of(extent: SSAValue, array: SSAValue, axis: int) -> bool:
    """Return whether `extent` is the whole dimension `axis` of `array` in so many words."""
    if not isinstance(dim := extent.owner, tensor.DimOp) or dim.source != array:
        return False
    index = dim.index.owner
    return (
        isinstance(index, ConstantOp)
        and isinstance(index.value, IntegerAttr)
        and index.value.value.data == axis
    )


def iteration_space(scope: Scope, op: IterationOps) -> Space:
    """The space of `op`, with its extents and offsets in names or literals."""
    dimensions: list[list[int]] = []
    accesses: list[list[LinearIndex] | None] = []
    for map in op.indexing_maps:
        indices = linear_indices(map.data)
        read = [d for index in indices for d in index.dimensions]
        picks = picks_dimensions(map.data)
        accesses.append(None if picks else indices)
        dimensions.append(read if picks else sorted(set(read)))

    def short(value: SSAValue, hint: str) -> str:
        expression = scope.values[value]
        if not expression.text.isdigit():
            expression = scope.hold(value, expression, hint)
        return expression.text

    extents = [short(value, "extent") for value in op.extents]
    offsets = [short(value, "origin") for value in op.offsets]
    parallel = op.parallel.value.data if isinstance(op, ReduceOp) else len(extents)
    for value in op.symbols:
        short(value, "shift")
    return Space(scope, op, dimensions, extents, offsets, parallel, accesses)


def finish(scope: Scope, result: SSAValue, value: Expression, type: Attribute) -> None:
    """Name the dense value of an op, stored as its result type says."""
    text = value.text
    if is_tensor(type) and is_sparse(type):
        text = f"SparseTile.from_dense({text}, {dense_rank(type)})"
    scope.hold(result, Expression(text), "result")
