"""Analysis: which sparse arrays of a program have one index set?

A *region* is the set of indices at which arrays store elements. Arrays are of one region if

* one is the other at another time: what `scf.while` and `scf.if` pass on, the array that
  `from_bag` updates;
* an op provably stores elements only where one operand does:

```mlir
%B = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !sparse) -> !sparse {
^bb0(%i: index, %j: index, %a: f64):
  %b = arith.mulf %a, %two : f64          // %B is of the region of %A
  tensor_block.yield %b : f64
}
```

  where there are several such operands, the region of a Boolean one (a region of the source)
  is the result's, and otherwise the result has one of its own, unless all are of one region;
* the rows that an array is built from are those of another array, with the same indices, or
  lie within it.

What is one array at different times is a *variable*: it holds one vector of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.disjoint_set import DisjointSet

from diablo.dialects import tensor_block
from diablo.dialects.encodings import array_type, is_sparse
from diablo.passes.analyses.sparsity.stored_points import stored_points, value_beside
from diablo.passes.analyses.values.all_values import all_values, source_name
from diablo.passes.analyses.values.dimensions import same_shape
from diablo.passes.analyses.values.monoid_identities import implicit_constant


@dataclass(eq=False)
class Variable:
    """The values that are one sparse array at different times, in the order of the program."""

    values: list[SSAValue] = field(default_factory=list[SSAValue])

    @property
    def is_boolean(self) -> bool:
        """Whether its elements are Booleans, which need no values: what is stored is true."""
        return array_type(self.values[0]).get_element_type() == IntegerType(1)

    @property
    def name(self) -> str | None:
        """The name that the source has for it."""
        return next((name for value in self.values if (name := source_name(value))), None)


@dataclass(eq=False)
class Region:
    """An index set and the arrays that are stored by it."""

    name: str
    variables: list[Variable]

    @property
    def values(self) -> Iterator[SSAValue]:
        """All arrays at all times."""
        return (value for variable in self.variables for value in variable.values)

    @property
    def arrays(self) -> list[str]:
        """The names of the arrays, each once."""
        return list(dict.fromkeys(variable.name or "array" for variable in self.variables))

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return array_type(self.variables[0].values[0]).get_num_dims()

    @property
    def is_boolean(self) -> bool:
        """Whether no array of the region has values."""
        return all(variable.is_boolean for variable in self.variables)


def find_regions(module: ModuleOp) -> list[Region]:
    """The regions of a module, in the order of their first arrays, with names of their own."""
    everything = list(all_values(module))
    values = [value for value in everything if is_sparse(value.type)]
    times, patterns = DisjointSet(everything), DisjointSet(everything)
    for op in module.walk():
        for one, other in _passed_on(op):
            if is_sparse(one.type):
                times.union_left(one, other)
                patterns.union_left(one, other)
    makers = [value.owner for value in values if isinstance(value.owner, Operation)]
    changed = True
    while changed:  # What is one region shows more of what is.
        changed = False
        for op in makers:
            kept = _kept_pattern(op, patterns)
            if kept is not None and patterns.union_left(kept, op.results[0]):
                changed = True
    return _named(values, times, patterns)


def _passed_on(op: Operation) -> Iterable[tuple[SSAValue, SSAValue]]:
    """The pairs of values of which the second is the first at a later time."""
    match op:
        case scf.WhileOp():
            before, after = op.before_region.block, op.after_region.block
            condition, end = before.last_op, after.last_op
            assert isinstance(condition, scf.ConditionOp)
            assert end is not None
            yield from zip(op.arguments, before.args, strict=True)
            yield from zip(condition.args, after.args, strict=True)
            yield from zip(condition.args, op.results, strict=True)
            yield from zip(before.args, end.operands, strict=True)
        case scf.IfOp():
            for region in op.regions:
                end = region.blocks[0].last_op if region.blocks else None
                if end is not None:
                    yield from zip(op.results, end.operands, strict=True)
        case tensor_block.FromBagOp():
            yield from ((dest, op.result) for dest in op.dest)
        case _:
            pass


def _kept_pattern(op: Operation, patterns: DisjointSet[SSAValue]) -> SSAValue | None:
    """The array only where which stores elements the result of `op` does, if there is one."""
    match op:
        case tensor_block.MapOp():
            candidates = _covering_inputs(op, patterns)
        case tensor_block.FromBagOp() if op.within and not op.dest:
            candidates = list(op.within)
        case tensor_block.FromBagOp() if not op.dest:
            candidates = [array for array in (_indices_of(op),) if array is not None]
        case _:
            return None
    candidates = [array for array in candidates if same_shape(array, op.results[0])]
    if len({patterns.find(array) for array in candidates}) > 1:
        booleans = [
            array for array in candidates if array_type(array).get_element_type() == IntegerType(1)
        ]
        candidates = booleans if len(booleans) == 1 else []
    return candidates[0] if candidates else None


def _covering_inputs(op: tensor_block.MapOp, patterns: DisjointSet[SSAValue]) -> list[SSAValue]:
    """The inputs read at the point itself, outside of each of whose regions the result is zero."""
    rank = len(op.extents)
    here = [
        k for k in stored_points(op) if op.indexing_maps.data[k].data == AffineMap.identity(rank)
    ]
    found: list[SSAValue] = []
    for number in here:
        same = [k for k in here if patterns.find(op.inputs[k]) is patterns.find(op.inputs[number])]
        implicit = implicit_constant(op.body.block.args[rank + number].type)
        if implicit is not None and value_beside(op, same) == implicit_constant(
            array_type(op.result).get_element_type()
        ):
            found.append(op.inputs[number])
    return found


Columns = list[tuple[SSAValue, int] | None]
"""For each column of a bag, the array and the dimension whose indices it holds."""


def _indices_of(op: tensor_block.FromBagOp) -> SSAValue | None:
    """The array whose stored indices are those that an array is built from, if there is one."""
    rank = len(op.extents)
    columns = _columns(op.bag)[:rank]
    first = columns[0] if columns else None
    if first is None or columns != [(first[0], d) for d in range(rank)]:
        return None
    return first[0] if is_sparse(first[0].type) else None


def _columns(bag: SSAValue) -> Columns:
    """Return where the columns of a bag come from; none is known if rows may be missing."""
    match bag.owner:
        case tensor_block.ToBagOp(input=array):
            return [*((array, d) for d in range(array_type(array).get_num_dims())), None]
        case tensor_block.ExtendOp() | tensor_block.LookupOp() as op:
            if isinstance(op, tensor_block.LookupOp) and op.stored is not None:
                return []
            return _columns(op.bag)
        case tensor_block.ProjectOp() as op:
            known = _columns(op.bag)
            return [known[p] if p < len(known) else None for p in op.columns.get_values()]
        case _:
            return []


def _named(
    values: list[SSAValue], times: DisjointSet[SSAValue], patterns: DisjointSet[SSAValue]
) -> list[Region]:
    """The classes as variables and regions; a Boolean array gives its region the name."""
    variables: dict[SSAValue, Variable] = {}
    regions: dict[SSAValue, list[Variable]] = {}
    for value in values:
        key = times.find(value)
        if key not in variables:
            variables[key] = Variable()
            regions.setdefault(patterns.find(value), []).append(variables[key])
        variables[key].values.append(value)
    found: list[Region] = []
    taken: dict[str, int] = {}
    for members in regions.values():
        by_rank = sorted(members, key=lambda variable: not variable.is_boolean)
        name = next((v.name for v in by_rank if v.name is not None), "array")
        taken[name] = count = taken.get(name, 0) + 1
        found.append(Region(name if count == 1 else f"{name}.{count}", members))
    return found
