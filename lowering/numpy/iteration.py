"""generate, map, reduce and general contract ops as broadcast NumPy expressions.

The body is evaluated once, on arrays: an input becomes a view that lines up with the
iteration space, an index a range, the monoid a reduction along the trailing axes:

    tensor_block.reduce "max" over (n, k), parallel = 1     c = np.max(a[:n, :k] * b[:k], axis=1)

An iteration space larger than every input is cut into chunks, so that the memory in use
stays bounded whatever the extents are.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from diablo.dialects.access_maps import LinearIndex, linear_indices, picks_dimensions
from diablo.dialects.monoids import MONOIDS, identity, is_user_defined
from diablo.dialects.tensor_block import (
    ContractOp,
    GenerateOp,
    MapOp,
    ReduceOp,
    ScatterReduceOp,
    dense_rank,
    is_sparse,
)
from diablo.lowering.kernel_types import element_type, is_number, is_tensor, type_code
from diablo.lowering.numpy.expressions import (
    Expression,
    Level,
    Points,
    constant,
    dtype_of,
    tuple_text,
)
from diablo.lowering.numpy.monoids import monoid_text
from diablo.lowering.numpy.scope import Scope
from diablo.lowering.numpy.windows import access_view, emit_window, is_small_window

IterationOps = GenerateOp | MapOp | ReduceOp | ContractOp | ScatterReduceOp

REDUCTIONS = {"add": "sum", "mul": "prod", "min": "min", "max": "max", "and": "all", "or": "any"}
"""The NumPy function that folds along an axis, per monoid."""


def picked(map: AffineMap) -> list[int] | None:
    """The iteration dimensions that a map picks, or None if it does more than that."""
    dimensions = [r.position for r in map.results if isinstance(r, AffineDimExpr)]
    return dimensions if len(dimensions) == len(map.results) else None


def product_text(factors: Sequence[str]) -> str:
    """A Python product of names and literals."""
    return " * ".join(factors) if factors else "1"


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
        """What the linear indices of the inputs add."""
        return () if isinstance(self.op, GenerateOp) else self.op.symbols

    @property
    def inputs(self) -> Sequence[SSAValue]:
        """The tensors that are read."""
        return () if isinstance(self.op, GenerateOp) else self.op.inputs

    def reads_every_point_once(self) -> bool:
        """Whether some input has an element of its own for every point."""
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
            access = [LinearIndex(dimensions=((d, 1),)) for d in dimensions]
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
        self.scope.points = Points(self.width, shape)
        block = self.op.body.block
        for d, argument in enumerate(block.args[: self.rank]):
            if argument.uses and (only is None or argument in only):
                index = self.index(d)
                hint = argument.name_hint or "ijklmn"[d : d + 1] or "i"
                self.scope.values[argument] = self.scope.assign(index, hint)
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


def is_extent_of(extent: SSAValue, array: SSAValue, axis: int) -> bool:
    """Whether `extent` is the whole dimension `axis` of `array` in so many words."""
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
    if not isinstance(op, GenerateOp):
        for map in op.maps:
            indices = linear_indices(map.data)
            read = [d for index in indices for d, _ in index.dimensions]
            picks = picks_dimensions(map.data)
            accesses.append(None if picks else indices)
            dimensions.append(read if picks else sorted(set(read)))

    def short(value: SSAValue, hint: str) -> str:
        expression = scope.values[value]
        if not expression.text.isdigit():
            expression = scope.values[value] = scope.assign(expression, value.name_hint or hint)
        return expression.text

    extents = [short(value, "extent") for value in op.extents]
    offsets = [short(value, "origin") for value in op.offsets]
    parallel = op.parallel.value.data if isinstance(op, ReduceOp | ContractOp) else len(extents)
    for value in () if isinstance(op, GenerateOp) else op.symbols:
        short(value, "shift")
    return Space(scope, op, dimensions, extents, offsets, parallel, accesses)


def emit_iteration(scope: Scope, op: IterationOps) -> None:
    """Write an op over an iteration space as NumPy expressions."""
    space = iteration_space(scope, op)
    names: list[str] = []
    for value in space.inputs:
        name = scope.assign(scope.values[value], value.name_hint or "tile").text
        if is_sparse(value.type):
            name = scope.assign(Expression(f"{name}.toarray()"), f"dense_{name}").text
        names.append(name)
    if space.parallel == space.rank:
        emit_map(space, names)
    elif not is_user_defined(monoid := monoid_of(op)) and is_small_window(space):
        neutral = identity_text(monoid, op.result.type)
        space.finish(Expression(emit_window(space, names, monoid, neutral)))
    elif space.reads_every_point_once():
        folded = reduction(space, space.evaluate(names))
        finish(scope, op.result, Expression(folded), op.result.type)
    else:
        emit_chunked(space, names)


_TURNED = ("windows.", ".T", ".transpose", "einsum")
"""What an expression has in it that may share memory, or lie otherwise than a tile does."""


def emit_map(space: Space, names: Sequence[str]) -> None:
    """Every dimension is one of the result's: the body's value is the result."""
    from diablo.lowering.numpy.domains import emit_domain

    if emit_domain(space, names):
        return
    result: SSAValue = space.op.result
    value = space.evaluate(names)
    if not is_tensor(result.type):
        finish(space.scope, result, value, result.type)
        return
    if len(value.axes) < space.rank or space.rank == 0:
        shape = tuple_text(space.extents) if space.rank else "()"
        value = Expression(_full(value, shape, result.type.get_element_type()))
    elif (
        "windows." in value.text
        or ".T" in value.text
        or ".transpose" in value.text
        or "einsum" in value.text
    ):
        value = Expression(f"np.ascontiguousarray({value.text})")
    finish(space.scope, result, value, result.type)


def _full(value: Expression, shape: str, type: Attribute) -> str:
    """An array of its own memory that repeats `value` over `shape`."""
    if is_number(type):
        return f"np.full({shape}, {value.text}, {dtype_of(type)})"
    if value.axes:
        return f"np.broadcast_to({value.text}, {shape}).copy()"
    return f"rows.full({shape}, {value.text}, {type_code(type)})"


def finish(scope: Scope, result: SSAValue, value: Expression, type: Attribute) -> None:
    """Name the dense value of an op, stored as its result type says."""
    text = value.text
    if is_tensor(type) and is_sparse(type):
        text = f"SparseTile.from_dense({text}, {dense_rank(type)})"
    scope.values[result] = scope.assign(Expression(text), result.name_hint or "result")


def monoid_of(op: IterationOps) -> str:
    """The name of the monoid of a reducing op."""
    assert isinstance(op, ReduceOp | ContractOp)
    return op.monoid.data


def identity_text(monoid: str, type: Attribute) -> str:
    """The neutral element of a monoid, as a literal."""
    if is_user_defined(monoid):
        return f"{monoid_text(monoid)}.zero"
    text = constant(identity(monoid, element_type(type)))
    assert text is not None
    return text


def reduction(space: Space, value: Expression) -> str:
    """The fold of the body's value along the trailing dimensions."""
    monoid = monoid_of(space.op)
    arguments = [space.spread(value)]
    function = (
        f"np.{REDUCTIONS[monoid]}" if monoid in REDUCTIONS else f"{monoid_text(monoid)}.reduce"
    )
    if space.parallel:
        axes = [str(d) for d in range(space.parallel, space.rank)]
        arguments.append(f"axis={axes[0] if len(axes) == 1 else tuple_text(axes)}")
    if monoid in ("min", "max"):
        arguments.append(f"initial={identity_text(monoid, space.op.result.type)}")
    return f"{function}({', '.join(arguments)})"


def emit_chunked(space: Space, names: Sequence[str]) -> None:
    """Write loops over chunks of all dimensions but the last, which fill the result."""
    scope, op = space.scope, space.op
    monoid, element = monoid_of(op), element_type(op.result.type)
    join = monoid_text(monoid) if is_user_defined(monoid) else f"np.{MONOIDS[monoid].ufunc}"
    neutral = identity_text(monoid, op.result.type)
    dtype = dtype_of(element)
    outer = list(range(max(1, space.rank - 1)))
    accumulates = any(d >= space.parallel for d in outer)
    result = scope.name(op.result.name_hint or "result")
    shape = tuple_text(space.extents[: space.parallel]) if space.parallel else "()"
    if is_user_defined(monoid):
        zeros = f"{join}.zeros({shape})" if space.parallel else neutral
        scope.line(f"{result} = {zeros}")
    elif not space.parallel:
        scope.line(f"{result} = {dtype}({neutral})")
    else:
        scope.line(f"{result} = np.full({shape}, {neutral}, {dtype})")

    def loop(d: int) -> None:
        if d < len(outer):
            hint = op.body.block.args[d].name_hint or "ijklmn"[d : d + 1] or "i"
            begin, end = scope.name(f"{hint}_begin"), scope.name(f"{hint}_end")
            rest = [f"({s})" if " " in s else s for s in space.shape(0, d)]
            rest += space.extents[d + 1 :]
            argument = f", {product_text(rest)}" if rest else ""
            header = f"for {begin}, {end} in arithmetic.chunks({space.extents[d]}{argument}):"
            with scope.indented(header):
                space.chunked[d] = (begin, end)
                loop(d + 1)
                del space.chunked[d]
            return
        part = reduction(space, space.evaluate(names))
        target = result
        slices = [
            ":".join(space.chunked[axis]) if axis in space.chunked else ":"
            for axis in range(space.parallel)
        ]
        while slices and slices[-1] == ":":
            slices.pop()
        if space.parallel:
            target = f"{result}[{', '.join(slices) or ':'}]"
        scope.statement(f"{target} = ", f"{join}({target}, {part})" if accumulates else part)

    loop(0)
    finish(scope, op.result, Expression(result), op.result.type)
