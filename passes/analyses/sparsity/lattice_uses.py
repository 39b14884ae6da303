"""Analysis: what does a program ask of the index sets of its sparse arrays?

The index set of an array, its *region*, can be iterated in an order of its dimensions, a
neighbour can be stepped to, single elements can be looked up, a slice can be gone through:

```mlir
%y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
    ins(%A[d0, d1] : !sparse, %x[d1] : !dense) -> !dense { … }       // %A by rows
%r = tensor_block.lookup %rows[0, 1] in %A                           // %A at random
```

`lattice_uses` collects this for all regions of a program (`lattice_regions` says which arrays
are of one region), `lattice_iteration` reads it off one op over an iteration space.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.encodings import array_type, is_sparse
from diablo.dialects.sparse_storage.sparse_uses import UsesAttr
from diablo.passes.analyses.loops.trip_counts import executions, loops_around
from diablo.passes.analyses.sparsity.lattice_bands import is_band
from diablo.passes.analyses.sparsity.lattice_iteration import Order, Use, uses_of_iteration
from diablo.passes.analyses.sparsity.lattice_regions import Region, find_regions


@dataclass
class Uses:
    """What is asked of one region; see `#sparse_storage.uses` for the terms."""

    region: Region
    orders: dict[Order, int] = field(default_factory=dict[Order, int])
    """How often each is wished for; 0 if something needs it."""
    next: set[int] = field(default_factory=set[int])
    previous: set[int] = field(default_factory=set[int])
    slices: dict[frozenset[int], bool] = field(default_factory=dict[frozenset[int], bool])
    """The sets of dimensions in which indices are fixed, and whether that is done often."""
    union: dict[str, None] = field(default_factory=dict[str, None])
    intersect: dict[str, None] = field(default_factory=dict[str, None])
    any_order: bool = False
    random: bool = False
    once: bool = False
    band: bool = False

    def add(self, use: Use, times: int, names: dict[SSAValue, str]) -> None:
        """Take in what one op asks so many times; `names` are those of the regions of arrays."""
        if use.order is not None:
            known = self.orders.get(use.order)
            # Row-major order costs nothing.
            needed = not use.wished or known == 0 or list(use.order) == sorted(use.order)
            self.orders[use.order] = 0 if needed else (known or 0) + times
        self.any_order |= use.any_order
        self.random |= use.random
        self.next |= use.next
        self.previous |= use.previous
        if use.slice:
            self.slices[use.slice] = self.slices.get(use.slice, False) or use.often
        for field_, others in ((self.union, use.union), (self.intersect, use.intersect)):
            field_.update((names[o], None) for o in others if names[o] != self.region.name)

    @property
    def attribute(self) -> UsesAttr:
        """The same as an attribute."""
        said = {
            "any": self.any_order,
            "random": self.random,
            "boolean": self.region.is_boolean,
            "once": self.once,
            "band": self.band,
        }
        return UsesAttr(
            self.region.name,
            list(self.orders),
            sorted(self.next),
            sorted(self.previous),
            sorted(sorted(fixed) for fixed, often in self.slices.items() if often),
            sorted(sorted(fixed) for fixed, often in self.slices.items() if not often),
            list(self.union),
            list(self.intersect),
            [word for word, holds in said.items() if holds],
            list(self.orders.values()),
        )


@dataclass(frozen=True)
class Asked:
    """One op that asks something of one array."""

    op: Operation
    array: SSAValue
    use: Use


def lattice_uses(module: ModuleOp) -> list[Uses]:
    """Return what a module asks of each of its regions, in the order of their first arrays."""
    regions = find_regions(module)
    found = {region.name: Uses(region) for region in regions}
    names = {value: region.name for region in regions for value in region.values}
    reads: dict[str, list[Operation]] = {region.name: [] for region in regions}
    for asked in all_asked(module):
        loops = _loops_between(asked)
        use = replace(asked.use, often=asked.use.often or bool(loops))
        found[names[asked.array]].add(use, executions(loops), names)
        reads[names[asked.array]].append(asked.op)
    for region in regions:
        uses = found[region.name]
        uses.once = _is_transient(region, reads[region.name])
        uses.band = any(is_band(value) for value in region.values)
    return list(found.values())


def all_asked(module: ModuleOp) -> Iterator[Asked]:
    """Return what each op of a module asks of each sparse array that it reads."""
    for op in module.walk():
        for array, use in _uses_of_op(op):
            yield Asked(op, array, use)


def _uses_of_op(op: Operation) -> Iterator[tuple[SSAValue, Use]]:
    """Return what one op asks of its operands; passing an array on asks nothing."""
    anything = Use(any_order=True)
    match op:
        case tensor_block.MapOp() | tensor_block.ReduceOp() | tensor_block.ScatterReduceOp():
            yield from uses_of_iteration(op)
        case scf.WhileOp() | scf.IfOp() | scf.ConditionOp() | scf.YieldOp() | tensor.DimOp():
            pass
        case tensor_block.SliceOp() if is_sparse(op.array.type):
            yield op.array, Use(slice=frozenset(op.fixed))
        case tensor.ExtractOp() if is_sparse(op.tensor.type):
            yield op.tensor, Use(random=True)
        case tensor_block.LookupOp() if is_sparse(op.array.type):
            yield op.array, Use(random=True)
        case tensor_block.ToBagOp() | tensor_block.FromBagOp() | func.ReturnOp():
            yield from ((value, anything) for value in op.operands if is_sparse(value.type))
        case _:
            # An op that is not known here may do anything.
            for value in op.operands:
                if is_sparse(value.type):
                    order = tuple(range(array_type(value).get_num_dims()))
                    yield value, Use(order=order, random=True)


def _loops_between(asked: Asked) -> list[scf.WhileOp]:
    """The loops that ask the same of one array in all of their iterations."""
    around = loops_around(asked.op)
    return around[: len(around) - len(loops_around(asked.array.owner))]


def _is_transient(region: Region, reads: list[Operation]) -> bool:
    """Return whether the one array of a region is built once and then read once.

    A result of the program is not: how often its caller reads it is not known.
    """
    if len(region.variables) != 1 or len(reads) != 1 or isinstance(reads[0], func.ReturnOp):
        return False
    builds = [v.owner for v in region.values if isinstance(v.owner, Operation)]
    if len(builds) != 1 or isinstance(builds[0], scf.WhileOp | scf.IfOp):
        return False
    return loops_around(builds[0]) == loops_around(reads[0])


__all__ = ["Asked", "Order", "Use", "Uses", "all_asked", "lattice_uses"]
