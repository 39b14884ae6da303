"""Write a part of an expression graph as a module of the `tensor_block` level.

    mean((a - b[::-1]) ** 2)
  ==>
    %s = tensor_block.reduce add reduced(d0 < %n) ins(%a[d0], %b[-d0 + s0]) {
      ^bb0(%i: index, %a: f64, %b: f64):
        %d = arith.subf %a, %b
        %q = arith.mulf %d, %d
        tensor_block.yield %q }
    %m = arith.divf %s, …

What each element is made of is written into the body that needs it: into that of a fold, or of a
map that makes an array. An array is made of what several bodies need, what one needs at several
places, what a library multiplies, and what is wanted. Views are the places at which bodies read.
Axes of extent 1 are none here, and what has one element is a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.array.elementwise_operations import Conversion, Elementwise
from diablo.array.expression_graph import CONSTANT, Node
from diablo.array.fold_operations import Contraction, Fold, Scan, monoid_for
from diablo.array.generated_operations import Position, Randoms
from diablo.array.graph_structure import Structure
from diablo.array.scalar_code import Code, element_type, scalar_code
from diablo.array.view_operations import View, Window
from diablo.dialects import tensor_block
from diablo.dialects.access_maps import LinearIndex, access_map
from diablo.dialects.comprehension import RandomOp
from diablo.dialects.encodings import TilesAttr
from diablo.dialects.index_forms import IndexForm
from diablo.linear_sums import LinearSum, term
from diablo.monoid_table import MONOIDS

_MOST_IN_BODY = 256
"""How many operations a body may have: compilers take longer than in proportion to that."""

Place = tuple["LinearIndex | None", ...]
"""Where an element is read: the index along each axis, none along those of extent 1."""
Demand = tuple[Node, Place]
"""Which body needs elements, and at which places."""


def is_single(node: Node) -> bool:
    """Return whether a node has one element, and is a number to programs."""
    return all(extent == 1 for extent in node.shape)


def _axes(node: Node) -> list[int]:
    return [axis for axis, extent in enumerate(node.shape) if extent != 1]


def _identity(node: Node) -> Place:
    dims = iter(range(node.ndim))
    return tuple(
        [None if extent == 1 else IndexForm[int, int].of(next(dims)) for extent in node.shape]
    )


@dataclass
class _Space:
    """The dimensions of a body: their extents, and at which of them the operands are read."""

    extents: list[int]
    parallel: int
    places: list[Place]


def _fold_space(node: Node) -> _Space:
    """Return the dimensions of a fold: those kept, then those folded."""
    _, axes, _ = node.parameters
    (operand,) = node.operands
    kept = [a for a in _axes(operand) if a not in axes]
    gone = [a for a in _axes(operand) if a in axes]
    place = {axis: IndexForm[int, int].of(d) for d, axis in enumerate([*kept, *gone])}
    extents = [operand.shape[axis] for axis in (*kept, *gone)]
    return _Space(extents, len(kept), [tuple([place.get(a) for a in range(operand.ndim)])])


def _product_space(node: Node) -> _Space:
    """Return the dimensions of a product: those of the result, then those added up."""
    left, right, rank = node.parameters
    one, other = node.operands
    sizes = {
        **dict(zip(left, one.shape, strict=True)),
        **dict(zip(right, other.shape, strict=True)),
    }
    dims = sorted(d for d, extent in sizes.items() if extent != 1)
    place = {d: IndexForm[int, int].of(k) for k, d in enumerate(dims)}
    places = [tuple([place.get(d) for d in axes]) for axes in (left, right)]
    return _Space([sizes[d] for d in dims], sum(d < rank for d in dims), places)


def _space(node: Node) -> _Space | None:
    """Return the dimensions of a body that folds, None of one that computes each element alone."""
    match node.operation:
        case Fold():
            space = _fold_space(node)
        case Contraction():
            space = _product_space(node)
        case _:
            return None
    return space if space.parallel < len(space.extents) else None


def _is_scan(node: Node) -> bool:
    """Return whether a node folds beginnings of lines that have more than one element."""
    return isinstance(node.operation, Scan) and node.shape[node.parameters[1]] != 1


class GraphWriter:
    """Writes the module of a structure; `distributed` arrays are in tiles."""

    def __init__(self, structure: Structure, *, distributed: bool):
        self._structure = structure
        self._distributed = distributed
        self._same = structure.same
        self._block = Block()
        self._code = Code(self._block)
        self._arrays: dict[Node, SSAValue] = {}
        self._numbers: dict[Node, SSAValue] = {}
        self._symbols: list[SSAValue] = []
        self._made = _made_arrays(structure)

    def module(self) -> ModuleOp:
        """Return the module, whose function `main` takes the structure's arguments."""
        structure = self._structure
        types: list[Attribute] = []
        for node in structure.inputs:
            type = self._type(node) if not is_single(node) else element_type(node.dtype)
            types.append(type)
            value = self._block.insert_arg(type, len(self._block.args))
            (self._numbers if is_single(node) else self._arrays)[node] = value
        for _ in range(len(structure.symbols) + structure.needs_zero):
            types.append(i64)
            self._symbols.append(self._block.insert_arg(i64, len(self._block.args)))
        self._symbols = [self._code.add(arith.IndexCastOp(v, IndexType())) for v in self._symbols]
        for node in structure.order:
            if is_single(node):
                self._numbers[node] = self._number(node)
            elif node in self._made:
                self._arrays[node] = self._array(node)
        results = [
            self._numbers[node] if is_single(node) else self._arrays[node]
            for node in structure.outputs
        ]
        self._block.add_op(ReturnOp(*results))
        names = [f"a{k}" for k in range(len(structure.inputs))]
        names += [f"n{k}" for k in range(len(self._symbols))]
        function = FuncOp(
            "main",
            FunctionType.from_lists(types, [value.type for value in results]),
            Region(self._block),
            arg_attrs=ArrayAttr([DictionaryAttr({"diablo.name": StringAttr(n)}) for n in names]),
        )
        for name, argument in zip(names, self._block.args, strict=True):
            argument.name_hint = name
        return ModuleOp([function])

    # ---- types and numbers ---------------------------------------------------------

    def _type(self, node: Node) -> TensorType[Any]:
        return self._tensor(len(_axes(node)), element_type(node.dtype))

    def _tensor(self, rank: int, element: Attribute) -> TensorType[Any]:
        extents = [DYNAMIC_INDEX] * rank
        return (
            TensorType(element, extents, TilesAttr(rank))
            if self._distributed
            else TensorType(element, extents)
        )

    def extent(self, value: int) -> SSAValue:
        """Return an extent, or a place, as an index of the function."""
        position = self._structure.symbols.get(value)
        if position is not None:
            return self._symbols[position]
        return self._code.add(arith.ConstantOp(IntegerAttr(value, IndexType())))

    def symbol(self, position: int) -> SSAValue:
        """Return a symbol as an index of the function."""
        return self._symbols[position]

    def index(self, place: LinearIndex) -> SSAValue:
        """Return a place without dimensions as an index of the function."""
        total: SSAValue | None = None
        for position, factor in place.outside.terms.items():
            value = self._symbols[position]
            if factor != 1:
                value = self._code.add(arith.MuliOp(value, self.extent_constant(factor)))
            total = value if total is None else self._code.add(arith.AddiOp(total, value))
        if total is None:
            return self.extent_constant(place.constant)
        if place.constant:
            total = self._code.add(arith.AddiOp(total, self.extent_constant(place.constant)))
        return total

    def extent_constant(self, value: int) -> SSAValue:
        """Return a number as an index of the function."""
        return self._code.add(arith.ConstantOp(IntegerAttr(value, IndexType())))

    # ---- what is written -----------------------------------------------------------

    def _number(self, node: Node) -> SSAValue:
        """Write a node of one element."""
        space = _space(node)
        if space is not None:
            return self._fold(node, space)
        return _Body(self, self._code, None).element(node, tuple([None] * node.ndim), own=True)

    def _array(self, node: Node) -> SSAValue:
        """Write a node that becomes an array."""
        space = _space(node)
        if space is not None:
            return self._fold(node, space)
        if _is_scan(node):
            return self._scan(node)
        return self._map(node, _identity(node), node.dtype, own=True)

    def _map(self, node: Node, place: Place, dtype: np.dtype[Any], *, own: bool) -> SSAValue:
        """Write the map that makes an array of a node's elements, of the type `dtype`."""
        extents = [node.shape[axis] for axis in _axes(node)]
        block = Block(arg_types=[IndexType()] * len(extents))
        body = _Body(self, Code(block), block, extents)
        value = body.element(node, place, own=own)
        value = Code(block).convert(value, node.dtype, dtype)
        block.add_op(tensor_block.YieldOp(value))
        maps, symbols = body.maps(len(extents))
        type = self._tensor(len(extents), element_type(dtype))
        sizes = [self.extent(extent) for extent in extents]
        op = tensor_block.MapOp(body.inputs, sizes, maps, Region(block), type, symbols=symbols)
        return self._code.add(op)

    def _fold(self, node: Node, space: _Space) -> SSAValue:
        """Write a fold or a product."""
        block = Block(arg_types=[IndexType()] * len(space.extents))
        code = Code(block)
        body = _Body(self, code, block, space.extents)
        operands = [self._same[operand] for operand in node.operands]
        dtype = self._added_up_in(node, space, operands)
        values = [
            code.convert(body.element(operand, place), operand.dtype, dtype)
            for operand, place in zip(operands, space.places, strict=True)
        ]
        name = node.parameters[0]
        if isinstance(node.operation, Contraction):
            name = "add"
            multiply = scalar_code("multiply", (dtype, dtype), dtype)
            assert multiply is not None
            values = [multiply(code, values, dtype)]
        monoid = monoid_for(name, dtype)
        assert monoid is not None
        block.add_op(tensor_block.YieldOp(*values))
        maps, symbols = body.maps(len(space.extents))
        element = element_type(dtype)
        type = self._tensor(space.parallel, element) if space.parallel else element
        sizes = [self.extent(extent) for extent in space.extents]
        op = tensor_block.ReduceOp(
            monoid, body.inputs, sizes, space.parallel, maps, Region(block), type, symbols=symbols
        )
        total = self._code.add(op)
        if dtype == node.dtype:
            return total
        if not space.parallel:
            return self._code.convert(total, dtype, node.dtype)
        return self._rounded(total, dtype, node.dtype, sizes[: space.parallel])

    def _added_up_in(self, node: Node, space: _Space, operands: Sequence[Node]) -> np.dtype[Any]:
        """Return the type in which a fold adds up: floats of 32 bits as ones of 64, if many.

        A running sum of n terms of 32 bits is wrong by up to n times 6e-8 of it. NumPy adds up in
        pairs, which machine code does not; and BLAS does products of arrays in blocks.
        """
        is_product = isinstance(node.operation, Contraction)
        if node.dtype != np.float32 or not (is_product or MONOIDS[node.parameters[0]].is_sum):
            return node.dtype
        if is_product and (space.parallel or all(operand in self._arrays for operand in operands)):
            return node.dtype
        terms = space.extents[space.parallel :]
        are_few = all(self._structure.symbols.get(extent) is None for extent in terms)
        return node.dtype if are_few else np.dtype(np.float64)

    def _rounded(
        self,
        array: SSAValue,
        given: np.dtype[Any],
        wanted: np.dtype[Any],
        sizes: Sequence[SSAValue],
    ) -> SSAValue:
        """Return the elements of an array as ones of another type."""
        block = Block(arg_types=[*[IndexType()] * len(sizes), element_type(given)])
        code = Code(block)
        block.add_op(tensor_block.YieldOp(code.convert(block.args[-1], given, wanted)))
        places = [IndexForm[int, int].of(d) for d in range(len(sizes))]
        identity = access_map(places, len(sizes), 0)
        type = self._tensor(len(sizes), element_type(wanted))
        return self._code.add(tensor_block.MapOp([array], sizes, [identity], Region(block), type))

    def _scan(self, node: Node) -> SSAValue:
        """Write a scan, of an array of its own if there is none of its type."""
        name, axis = node.parameters
        operand = self._same[node.operands[0]]
        lies_in_order = self._structure.axes.get(operand, ()) in ((), tuple(range(operand.ndim)))
        if operand in self._arrays and operand.dtype == node.dtype and lies_in_order:
            array = self._arrays[operand]
        else:
            array = self._map(operand, _identity(operand), node.dtype, own=False)
        monoid = monoid_for(name, node.dtype)
        assert monoid is not None
        return self._code.add(tensor_block.ScanOp(monoid, array, _axes(node).index(axis)))

    # ---- what bodies read ----------------------------------------------------------

    def array(self, node: Node) -> SSAValue | None:
        """Return the array of a node, if it is one."""
        return self._arrays.get(node)

    def number(self, node: Node) -> SSAValue | None:
        """Return the number that a node is, if it is one and has been written."""
        return self._numbers.get(node)

    def sources(self, node: Node, place: Place) -> list[tuple[Node, Place]]:
        """Return which elements of its operands an element of a node is computed of."""
        return sources(self._structure, node, place)

    def starts(self, node: Node) -> list[LinearIndex | None]:
        """Return what is added to the indices of a window."""
        return _starts(self._structure, node)

    def moved(self, node: Node, place: Place) -> list[LinearIndex]:
        """Return the place of an element behind the first one that a node makes elements of."""
        structure = self._structure
        starts = [_constant(structure, start) for start, _ in structure.places[node]]
        return [
            (index or IndexForm[int, int]()) + IndexForm[int, int](outside=start)
            for index, start in zip(place, starts, strict=True)
        ]

    @property
    def unknown_zero(self) -> LinearSum[int]:
        """A 0 that is an argument, if there are windows."""
        return term(len(self._structure.symbols))

    @property
    def has_windows(self) -> bool:
        """Whether places may lie outside of what is read there."""
        return self._structure.needs_zero

    def same(self, node: Node) -> Node:
        """Return the node that stands for all that are equal to a node."""
        return self._same[node]

    def order_of(self, node: Node) -> Sequence[int]:
        """Return the order of the axes in which an array has them as an argument."""
        order = self._structure.axes.get(node)
        return order if order is not None else range(node.ndim)


def sources(structure: Structure, node: Node, place: Place) -> list[tuple[Node, Place]]:
    """Return which elements of its operands an element of a node is computed of."""
    operands = [structure.same[operand] for operand in node.operands]
    match node.operation:
        case View():
            found: list[LinearIndex | None] = []
            for (start, terms), extent in zip(
                structure.places[node], operands[0].shape, strict=True
            ):
                index: LinearIndex = IndexForm(outside=_constant(structure, start))
                for axis, step in terms:
                    inner = place[axis]
                    if inner is not None:
                        index = index + inner * step
                found.append(None if extent == 1 else index)
            return [(operands[0], tuple(found))]
        case Fold():
            axes, keepdims = node.parameters[1:]
            rank = operands[0].ndim
            kept = [axis for axis in range(rank) if keepdims or axis not in axes]
            at: dict[int, LinearIndex | None] = dict(zip(kept, place, strict=True))
            return [(operands[0], tuple([at.get(axis) for axis in range(rank)]))]
        case Contraction():
            left, right, rank = cast(tuple[Sequence[int], Sequence[int], int], node.parameters)
            return [
                (operand, _kept(place, axes, rank))
                for operand, axes in zip(operands, (left, right), strict=True)
            ]
        case Window():
            moved: list[LinearIndex | None] = []
            for axis, (extent, start) in enumerate(
                zip(operands[0].shape, _starts(structure, node), strict=True)
            ):
                at_axis = place[axis]
                if extent == 1 or at_axis is None:
                    moved.append(None if extent == 1 else start)
                else:
                    moved.append(at_axis if start is None else at_axis + start)
            return [(operands[0], tuple(moved))]
        case _:
            return [
                (
                    operand,
                    tuple(
                        [
                            None if extent == 1 else place[axis]
                            for axis, extent in enumerate(operand.shape, node.ndim - operand.ndim)
                        ]
                    ),
                )
                for operand in operands
            ]


def _kept(place: Place, axes: Sequence[int], rank: int) -> Place:
    """Return the place along axes of which those beyond the result's have one element."""
    return tuple([place[d] if d < rank else None for d in axes])


def _starts(structure: Structure, node: Node) -> list[LinearIndex | None]:
    """Return what is added to the indices of a window, none along axes that are as they were.

    Where it is 0, a 0 is added that nobody knows to be one: an array is taken for as large as the
    dimensions at which it is read.
    """
    found: list[LinearIndex | None] = []
    (operand,) = node.operands
    for (start, _), extent, own in zip(
        structure.places[node], operand.shape, node.shape, strict=True
    ):
        if start:
            found.append(IndexForm(outside=_constant(structure, start)))
        elif extent == own:
            found.append(None)
        else:
            found.append(IndexForm(outside=term(len(structure.symbols))))
    return found


def _constant(structure: Structure, value: int) -> LinearSum[int]:
    position = structure.symbols.get(value)
    return LinearSum(constant=value) if position is None else term(position)


class _Body:
    """The body of an op, or the function itself: elements are written into it where it needs them.

    Without a block the elements are numbers of the function, read out of arrays.
    """

    def __init__(
        self, writer: GraphWriter, code: Code, block: Block | None, extents: Sequence[int] = ()
    ):
        self._writer = writer
        self._code = code
        self._block = block
        self._extents = extents
        self._values: dict[tuple[Node, Place], SSAValue] = {}
        self.inputs: list[SSAValue] = []
        self._places: list[list[LinearIndex]] = []

    def element(self, node: Node, place: Place, *, own: bool = False) -> SSAValue:
        """Return the element of a node at a place.

        With `own`, the node is what the body computes: it is not read.
        """
        wanted = (node, place)
        stack = [wanted]
        while stack:
            current = stack[-1]
            if current in self._values:
                stack.pop()
                continue
            inner, at = current
            is_own = own and current == wanted
            value = None if is_own else self._read(inner, at)
            if value is None:
                needed = self._writer.sources(inner, at)
                missing = [each for each in needed if each not in self._values]
                if missing:
                    stack += reversed(missing)
                    continue
                value = self._written(inner, at, [self._values[each] for each in needed])
            self._values[current] = value
            stack.pop()
        return self._values[wanted]

    def _read(self, node: Node, place: Place) -> SSAValue | None:
        """Return an element that is there: a number, or one of an array."""
        if node.operation is CONSTANT:
            return self._code.constant(node.value.item(), node.dtype)
        number = self._writer.number(node)
        if number is not None:
            return number
        array = self._writer.array(node)
        if array is None:
            return None
        order = self._writer.order_of(node)
        at = [
            self._anywhere(index, node.shape[axis])
            for axis in order
            if (index := place[axis]) is not None
        ]
        if self._block is None:
            numbers = [self._writer.index(i) for i in at]
            if self._writer.has_windows:
                extents = [node.shape[axis] for axis in order if node.shape[axis] != 1]
                numbers = list(map(self._clamped, numbers, extents))
            return self._code.add(tensor.ExtractOp(array, numbers, element_type(node.dtype)))
        self.inputs.append(array)
        self._places.append(at)
        return self._block.insert_arg(element_type(node.dtype), len(self._block.args))

    def _anywhere(self, index: LinearIndex, extent: int) -> LinearIndex:
        """Return an index along an axis, which windows that cancel out may have beyond its end.

        A 0 is added that nobody knows to be one, as in a single window that begins at 0.
        """
        if self._block is None or not self._writer.has_windows or index.outside != LinearSum[int]():
            return index
        terms = index.inside.terms
        if all(factor == 1 and self._extents[d] == extent for d, factor in terms.items()):
            return index
        return index + IndexForm(outside=self._writer.unknown_zero)

    def _written(self, node: Node, place: Place, values: list[SSAValue]) -> SSAValue:
        """Write what a node computes of elements of its operands."""
        operation = node.operation
        match operation:
            case View():
                return values[0]
            case Position():
                (index,) = self._writer.moved(node, place)
                return self._code.add(arith.IndexCastOp(self._index(index), i64))
            case Randoms():
                places = map(self._index, self._writer.moved(node, place))
                return self._code.add(RandomOp(0, values[0], [*places]))
            case Window():
                return self._within(node, place, values[0])
            case Conversion():
                return self._code.convert(values[0], node.operands[0].dtype, node.dtype)
            case Elementwise():
                loop = operation.loop_of(node)
                assert loop.code is not None
                converted = [
                    self._code.convert(value, operand.dtype, dtype)
                    for value, operand, dtype in zip(
                        values, node.operands, loop.inputs, strict=True
                    )
                ]
                return loop.code(self._code, converted, loop.inputs[0])
            case Contraction():
                multiply = scalar_code("multiply", (node.dtype, node.dtype), node.dtype)
                assert multiply is not None
                return multiply(self._code, values, node.dtype)
            case _:
                return self._code.convert(values[0], node.operands[0].dtype, node.dtype)

    def _index(self, place: LinearIndex) -> SSAValue:
        """Write the number that a place is."""
        total: SSAValue | None = None
        for dimension, factor in place.inside.terms.items():
            assert self._block is not None
            total = self._added(total, self._times(self._block.args[dimension], factor))
        for position, factor in place.outside.terms.items():
            total = self._added(total, self._times(self._writer.symbol(position), factor))
        if total is None or place.constant:
            total = self._added(total, self._whole(place.constant))
        return total

    def _clamped(self, index: SSAValue, extent: int) -> SSAValue:
        """Write the place of an array's own that is next to an index: a window chooses behind."""
        last = self._added(self._writer.extent(extent), self._whole(-1))
        index = self._code.add(arith.MinSIOp(index, last))
        return self._code.add(arith.MaxSIOp(index, self._whole(0)))

    def _whole(self, value: int) -> SSAValue:
        return self._code.add(arith.ConstantOp(IntegerAttr(value, IndexType())))

    def _times(self, value: SSAValue, factor: int) -> SSAValue:
        if factor == 1:
            return value
        return self._code.add(arith.MuliOp(value, self._whole(factor)))

    def _added(self, total: SSAValue | None, value: SSAValue) -> SSAValue:
        return value if total is None else self._code.add(arith.AddiOp(total, value))

    def _within(self, node: Node, place: Place, value: SSAValue) -> SSAValue:
        """Write a window's element: what is read, or 0 where a place is outside of the operand.

        What is outside of an array is read as 0, so that only others are asked for the place.
        """
        (operand,) = node.operands
        operand = self._writer.same(operand)
        is_read = self._block is not None and self._writer.array(operand) is not None
        zero = self._whole(0)
        for axis, (extent, start) in enumerate(
            zip(operand.shape, self._writer.starts(node), strict=True)
        ):
            index = place[axis]
            if (is_read and extent != 1) or (extent == node.shape[axis] and start is None):
                continue
            at = IndexForm[int, int]() if index is None else index
            number = self._index(at if start is None else at + start)
            for predicate, bound in (("sge", zero), ("slt", self._writer.extent(extent))):
                test = self._code.add(arith.CmpiOp(number, bound, predicate))
                value = self._code.choose(test, value, self._code.constant(0, node.dtype))
        return value

    def maps(self, rank: int) -> tuple[list[Any], list[SSAValue]]:
        """Return the maps of the inputs, and the symbols that they have."""
        used = sorted({s for at in self._places for i in at for s in i.outside.variables})
        number = {symbol: k for k, symbol in enumerate(used)}
        maps = [
            access_map([i.renamed(lambda d: d, number.__getitem__) for i in at], rank, len(used))
            for at in self._places
        ]
        return maps, [self._writer.symbol(symbol) for symbol in used]


# ---- which nodes become arrays -------------------------------------------------------


@dataclass
class _Uses:
    """Which bodies use the elements of a node, and whether it has to be an array for them."""

    demands: dict[Demand, None] = field(default_factory=dict[Demand, None])
    is_factor: bool = False


def _made_arrays(structure: Structure) -> set[Node]:
    """Return the nodes that become arrays."""
    made: set[Node] = set()
    outputs = set(structure.outputs)
    uses: dict[Node, _Uses] = {node: _Uses() for node in structure.order}
    sizes: dict[Node, int] = {}
    ranks: dict[Node, int] = {}

    def use(node: Node, root: Node, place: Place, *, is_factor: bool = False) -> None:
        found = uses.get(node)
        if found is not None:
            found.demands[root, place] = None
            found.is_factor |= is_factor

    for node in reversed(structure.order):
        mine = uses[node]
        operands = [structure.same[operand] for operand in node.operands]
        space = _space(node)
        if space is not None:
            made.add(node)
            ranks[node] = len(space.extents)
            is_product = isinstance(node.operation, Contraction)
            for operand, place in zip(operands, space.places, strict=True):
                use(operand, node, place, is_factor=is_product)
            continue
        if _is_scan(node):
            made.add(node)
            ranks[node] = len(_axes(node))
            use(operands[0], node, _identity(operands[0]))
            continue
        is_view = isinstance(node.operation, View)
        if is_single(node):
            is_made = False
            demands: list[Demand] = [(node, (None,) * node.ndim)]
            ranks[node] = 0
        else:
            is_made = node in outputs or (
                mine.is_factor and not _is_read_plainly(structure, node, mine)
                if is_view
                else _has_to_be_made(node, mine, ranks) or _is_large(mine, sizes)
            )
            demands = [(node, _identity(node))] if is_made else list(mine.demands)
        if is_made:
            made.add(node)
            ranks[node] = len(_axes(node))
        for root, place in demands:
            sizes[root] = sizes.get(root, 0) + 1
            for operand, at in sources(structure, node, place):
                passes_on = mine.is_factor and is_view and not is_made
                use(operand, root, at, is_factor=passes_on)
    return made


def _has_to_be_made(node: Node, uses: _Uses, ranks: dict[Node, int]) -> bool:
    """Whether a node becomes an array so that nothing is computed twice, or for a library."""
    if uses.is_factor:
        return True
    if isinstance(node.operation, Position):
        return False
    if len(uses.demands) > 1:
        return True
    return any(_is_repeated(place, ranks[root]) for root, place in uses.demands)


def _is_read_plainly(structure: Structure, view: Node, uses: _Uses) -> bool:
    """Return whether what a view shows is read at dimensions, where libraries can read it."""
    return all(
        _is_plain(at) for _, place in uses.demands for _, at in sources(structure, view, place)
    )


def _is_plain(place: Place) -> bool:
    """Return whether elements are read at dimensions, each another one."""
    dimensions = [index.alone for index in place if index is not None]
    return None not in dimensions and len(set(dimensions)) == len(dimensions)


def _is_repeated(place: Place, rank: int) -> bool:
    """Return whether a body of so many dimensions computes an element several times."""
    dimensions = {d for index in place if index is not None for d in index.dimensions}
    return len(dimensions) < rank


def _is_large(uses: _Uses, sizes: dict[Node, int]) -> bool:
    return any(sizes.get(root, 0) >= _MOST_IN_BODY for root, _ in uses.demands)


def write_graph(structure: Structure, *, distributed: bool) -> ModuleOp:
    """Return a module of the `tensor_block` level whose `main` computes a structure's outputs."""
    return GraphWriter(structure, distributed=distributed).module()
