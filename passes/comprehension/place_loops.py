"""Bring arrays to the driver that a loop in order changes in part, or takes the elements of.

Works at the comprehension level.

```mlir
%P2 = scf.while (%P = %P0, %k = %zero) : (!tiles, i64) -> !tiles {
  …
  %x = tensor.extract %R[%k] : !tiles
  %P1 = comprehension.merge add %P : !tiles {
    comprehension.yield (%i) %x
  }
  scf.yield %P1, %next
}
```

becomes

```mlir
%P_here = comprehension.place %P0 : !tiles -> tensor<?xf64>
%R_here = comprehension.place %R : !tiles -> tensor<?xf64>
%P2 = scf.while (%P = %P_here, %k = %zero) : (tensor<?xf64>, i64) -> tensor<?xf64> {
  …
}
%P3 = comprehension.place %P2 : tensor<?xf64> -> !tiles      // for what is distributed
```

A job for each element takes some 100 ms, and the loop of the driver some nanoseconds. An array that
the function is given for such loops alone is the driver's from the start, and a small result stays
there. A loop is one in order if it changes an element or a row of an array that is another one in
each iteration, or takes such an element into a scalar. All arrays of the loop come to the driver
then. So a loop stays as it is that goes through all of an array from outside, through rows that
are distributed, or through sparse arrays, that makes a matrix in each iteration, or whose arrays
are too large for the driver together. Where extents are not known, it shows when the program runs
whether there is the memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import ModuleOp, TupleType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.costs import MOST_WITH_DRIVER
from diablo.dialects import comprehension
from diablo.dialects.bags import BagType
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import array_type, is_sparse, is_tiled, local_type
from diablo.dialects.locations import located, named, remark
from diablo.dialects.monoids import domain_of
from diablo.passes.analyses.plans.size_estimates import element_count
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.all_values import all_values
from diablo.passes.analyses.values.comprehension_structure import Root, head_of
from diablo.passes.analyses.values.dimensions import read_argument_dimensions
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.speculation import is_pure
from diablo.passes.analyses.values.varying_values import varies_in

_ELEMENT_READS = tensor.ExtractOp | comprehension.ProbeOp


@dataclass(frozen=True)
class PlaceLoopsPass(ModulePass):
    """Bring arrays to the driver that a loop in order changes in part."""

    name = "place-loops"
    most: int = 67108864
    """How many elements the arrays of a loop have at most, together: half a gigabyte of doubles."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the loops of every function of the driver, the outer ones first."""
        for function in [o for o in op.ops if isinstance(o, func.FuncOp) and not o.is_declaration]:
            if any(isinstance(inner, scf.WhileOp) for inner in function.walk()):
                read_argument_dimensions(function)
                self._look_into(function.body.block, function)

    def _look_into(self, block: Block, function: func.FuncOp) -> None:
        for op in list(block.ops):
            if not isinstance(op, scf.WhileOp | scf.IfOp):
                continue
            if isinstance(op, scf.WhileOp) and self._place(op, function):
                continue
            for region in op.regions:
                for inner in region.blocks:
                    self._look_into(inner, function)

    def _place(self, loop: scf.WhileOp, function: func.FuncOp) -> bool:
        """Bring the arrays of a loop to the driver, if it is one in order; return whether it is."""
        found = _Arrays(loop)
        if not found.read():
            return False
        try:
            found.check()
            self._check_sizes(found)
        except Refused as reason:
            remark(loop, f"the driver is not brought the arrays of this loop: {reason}")
            return False
        remark(
            loop,
            f"the driver runs this loop, and has {found.names()}: it takes and changes elements"
            " one after the other",
        )
        _move(found, function)
        return True

    def _check_sizes(self, found: _Arrays) -> None:
        sizes = {value: element_count(value) for value in found.from_outside()}
        total = sum(size or 0 for size in [*sizes.values(), *map(element_count, found.made())])
        if total > self.most:
            largest = max(sizes, key=lambda value: sizes[value] or 0)
            raise Refused(
                f"its arrays have {total} elements, {largest.name_hint or 'the largest'} alone"
                f" {sizes[largest]}, and the driver takes {self.most} at most"
            )


@dataclass
class _Arrays:
    """The distributed arrays of a loop, and what it does with them."""

    loop: scf.WhileOp
    inside: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """Those that it carries or makes."""
    captured: dict[SSAValue, list[Use]] = field(default_factory=dict[SSAValue, "list[Use]"])
    """Those from outside that it reads, and where."""
    _varying: dict[SSAValue, bool] = field(default_factory=dict[SSAValue, bool])

    def read(self) -> bool:
        """Find the arrays; return whether the loop is one in order."""
        for value in all_values(self.loop):
            if is_tiled(value.type):
                self.inside[value] = None
        for op in self.loop.walk():
            if op is self.loop:
                continue
            for number, value in enumerate(op.operands):
                if is_tiled(value.type) and value not in self.inside:
                    self.captured.setdefault(value, []).append(Use(op, number))
        return any(map(self._is_step, self.loop.walk()))

    def _is_step(self, op: Operation) -> bool:
        """Return whether an op takes or changes a part of an array, another one each time."""
        if isinstance(op, comprehension.MergeOp):
            keys = head_of(op).keys
            return is_tiled(op.result.type) and any(
                _is_fixed(key, op) and self._varies(key) for key in keys
            )
        if not isinstance(op, _ELEMENT_READS) or not is_tiled(op.operands[0].type):
            return False
        return _is_of_driver(op, self.loop) and any(map(self._varies, op.operands[1:]))

    def _varies(self, value: SSAValue) -> bool:
        """Return whether a value may be another one in each iteration."""
        return varies_in(value, self.loop, self._varying)

    def check(self) -> None:
        """Raise `Refused` if an array is none for the driver, or distributed work is done."""
        for value in [*self.from_outside(), *self.inside]:
            if is_sparse(value.type) or not _has_numbers(array_type(value).element_type):
                raise Refused(f"{_name(value)} is no dense array of numbers")
        for value, uses in self.captured.items():
            for use in uses:
                if not _reads_part(use):
                    raise Refused(f"it goes through all of {_name(value)}")
        for value in self.made():
            if array_type(value).get_num_dims() > 1:
                raise Refused(f"it makes all of {_name(value)} in each iteration")
        for op in self.loop.walk():
            if op is self.loop:
                continue
            for value in (*op.operands, *op.results):
                if isinstance(value.type, BagType) and not isinstance(op, comprehension.SequenceOp):
                    raise Refused("it goes through rows")

    def made(self) -> list[SSAValue]:
        """Return the arrays that it makes anew in each iteration, and does not only hand on."""
        handed_on = Block | scf.WhileOp | scf.IfOp | comprehension.MergeOp
        return [value for value in self.inside if not isinstance(value.owner, handed_on)]

    def from_outside(self) -> Iterator[SSAValue]:
        """Yield the arrays that the loop begins with or reads, each once."""
        begun = [value for value in self.loop.arguments if is_tiled(value.type)]
        yield from dict.fromkeys([*begun, *self.captured])

    def names(self) -> str:
        """Return how the arrays are called; a loop without others has those that it makes."""
        carried = [arg for arg in self.loop.before_region.block.args if arg in self.inside]
        values = [*carried, *self.captured] or self.made()
        names = list(dict.fromkeys(map(_name, values)))
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _name(value: SSAValue) -> str:
    return value.name_hint or "an array"


def _has_numbers(element: Attribute) -> bool:
    if isinstance(element, TupleType):
        return all(map(_has_numbers, element.types))
    return domain_of(element) is not None


def _is_of_driver(op: Operation, loop: scf.WhileOp) -> bool:
    """Return whether an op stands in the loop itself, in no comprehension there."""
    parent = op.parent_op()
    while isinstance(parent, scf.WhileOp | scf.IfOp) and parent is not loop:
        parent = parent.parent_op()
    return parent is loop


def _is_fixed(value: SSAValue, root: Operation, known: dict[SSAValue, bool] | None = None) -> bool:
    """Return whether a value is the same for all rows of a comprehension.

    `known` has the values of which that has been found.
    """
    if not is_made_inside(value, root):
        return True
    owner = value.owner
    if isinstance(owner, Block):
        return False
    known = {} if known is None else known
    if value not in known:
        pure = is_pure(owner) and not owner.regions and not isinstance(owner, _ELEMENT_READS)
        known[value] = pure and all(_is_fixed(operand, root, known) for operand in owner.operands)
    return known[value]


def _reads_part(use: Use) -> bool:
    """Return whether a use looks at an element, a row or a column of an array, or its extents."""
    op = use.operation
    match op:
        case tensor.DimOp():
            return True
        case tensor.ExtractOp() | comprehension.ProbeOp():
            root = _outermost_root(op)
            return root is None or any(_is_fixed(index, root) for index in op.operands[1:])
        case comprehension.EachOp():
            root = _outermost_root(op)
            indices = op.elements[:-1]
            return root is not None and any(
                _is_equated(index, use.operation, root) for index in indices
            )
        case _:
            return False


def _is_equated(index: SSAValue, each: Operation, root: Operation) -> bool:
    """Return whether a guard lets one index through that is fixed in all of a comprehension."""
    for use in index.uses:
        if isinstance(use.operation, arith.IndexCastOp) and _is_equated(
            use.operation.result, each, root
        ):
            return True
        for result in use.operation.results:
            equal = equated_integers(result)
            guards = any(
                isinstance(other.operation, comprehension.GuardOp)
                and other.operation.parent is each.parent
                for other in result.uses
            )
            if equal is not None and guards and index in equal:
                other = equal[1 - list(equal).index(index)]
                return _is_fixed(other, root)
    return False


def _outermost_root(op: Operation) -> Operation | None:
    """The outermost comprehension that an op stands in, if it stands in one."""
    found: Operation | None = None
    parent = op.parent_op()
    while parent is not None:
        found = parent if isinstance(parent, Root) else found
        parent = parent.parent_op()
    return found


def _move(found: _Arrays, function: func.FuncOp) -> None:
    """Let the driver have the arrays of a loop, and distribute what is left behind it."""
    loop = found.loop
    here = {value: _placed(value, found, function) for value in found.from_outside()}
    for value, uses in found.captured.items():
        for use in uses:
            use.operation.operands[use.index] = here.get(value, value)
    for number, value in enumerate(loop.arguments):
        if value in here:
            loop.operands[number] = here[value]
    for value in found.inside:
        if value not in loop.results:
            Rewriter.replace_value_with_new_type(value, local_type(array_type(value)))
    for result in [value for value in loop.results if is_tiled(value.type)]:
        count = element_count(result)
        is_large = count is None or count > MOST_WITH_DRIVER
        distributed = [use for use in result.uses if not _takes_either(use)]
        if not is_large:
            distributed = [use for use in distributed if _has_type_of(use)]
        wanted = [(use.operation, use.index) for use in distributed]
        local = Rewriter.replace_value_with_new_type(result, local_type(array_type(result)))
        if wanted:
            tiles = located(comprehension.PlaceOp(local), loop)
            Rewriter.insert_op(tiles, InsertPoint.after(loop))
            named(tiles.result, local)
            for op, number in wanted:
                op.operands[number] = tiles.result
    function.update_function_type()


def _placed(value: SSAValue, found: _Arrays, function: func.FuncOp) -> SSAValue:
    """An array from outside as the driver has it."""
    uses = [use for use in value.uses if not isinstance(use.operation, tensor.DimOp)]
    is_given = isinstance(value, BlockArgument) and value.block is function.body.block
    if is_given and all(found.loop.is_ancestor(use.operation) for use in uses):
        return Rewriter.replace_value_with_new_type(value, local_type(array_type(value)))
    if isinstance(value.owner, comprehension.PlaceOp):
        return value.owner.array
    place = located(comprehension.PlaceOp(value), found.loop)
    Rewriter.insert_op(place, InsertPoint.before(found.loop))
    return named(place.result, value)


def _takes_either(use: Use) -> bool:
    """Return whether an op takes an array of the driver where it takes one in tiles."""
    op = use.operation
    if isinstance(op, tensor.DimOp | tensor.ExtractOp | comprehension.ProbeOp):
        return _outermost_root(op) is None
    return isinstance(op, func.ReturnOp)


def _has_type_of(use: Use) -> bool:
    """Return whether something else has the type of the used value."""
    op = use.operation
    carries = isinstance(op, scf.WhileOp | scf.ConditionOp | scf.YieldOp)
    return carries or (isinstance(op, comprehension.MergeOp) and use.index == 0)
