"""How a nested aggregate depends on the rows around it, and how it does without them.

    +/[ A[i,j] | j <- 0..n-1, j != i ]    of row i of A: `i` is the index that is read there
    +/[ a*x | (j,a) <- A, j < i ]         no index is equal to `i`: the aggregate loops over it, too
    +/[ A[i,j]-m[i] | j <- 0..n-1 ]       an element that is read for the row: it is read again
    +/[ A[i,j] | j <- 0..k ] for i <- k..m    the array has as many sums as the range has numbers

What takes the place of the outer indices are the keys of one array of all sums. Those at the
entries of a sparse array are no such array: of its indices all would be computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import tensor
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.encodings import as_array
from diablo.passes.analyses.values.affine_values import affine_form, constant_value, underlying
from diablo.passes.analyses.values.comprehension_structure import Root, head_of
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.linear_forms import known_difference
from diablo.passes.analyses.values.speculation import can_trap, is_pure

Generator = comprehension.EachOp | comprehension.RangeOp


@dataclass(frozen=True)
class Part:
    """The part of a dimension that a range goes through, which may go beyond it."""

    range: comprehension.RangeOp
    dimension: SSAValue


@dataclass(frozen=True)
class Key:
    """A value of the aggregate in place of an outer index, and the dimension that has it."""

    inner: SSAValue
    outer: SSAValue
    extent: SSAValue | int | Part
    """The sums for a part begin with that for its first index."""


@dataclass(frozen=True)
class Independent:
    """The ops of an aggregate that does not depend on outer rows, but for its keys."""

    keys: Sequence[Key]
    ops: Sequence[Operation]
    """Clones of what the aggregate holds, and of what is taken from around it, in order."""


@dataclass(frozen=True)
class _Tie:
    """An equality of an inner index with an outer one."""

    inner: SSAValue
    outer: SSAValue
    guard: comprehension.GuardOp


def without_outer_rows(nested: comprehension.AggregateOp, root: Root) -> Independent | None:
    """The aggregate `nested` of the rows of `root` for all of their indices.

    Returns None if it depends on them in another way, or on none. The ops are in no block.
    """
    block = nested.body.block
    if any(isinstance(op, comprehension.GroupByOp) for op in block.ops):
        return None
    # A range that no dimension has is gone through, so that nothing beside it is computed.
    ties = [tie for tie in _ties(nested, root) if not _is_in_part(tie.outer, root)]
    generators = _generators_of(nested, root, ties)
    if generators is None or any(map(_has_bounds_from_elements, block.ops)):
        return None
    repeated, reads = generators
    ties = [tie for tie in ties if tie.outer.owner not in repeated]
    keys = _keys(root, nested, ties, repeated)
    if not keys or (repeated and _are_fewer([key.outer for key in keys], root)):
        return None
    unused = _unused_without(ties, block)
    inner = [op for op in block.ops if op not in unused]
    found = {tie.outer: tie.inner for tie in ties}
    taken = [*repeated, *reads]
    known = {*found, *(value for op in taken for value in op.results)}
    around = _around([*inner, *taken], root, known)
    if around is None:
        return None
    copies: dict[SSAValue, SSAValue] = {}
    clones = [op.clone(copies) for op in _in_order([*taken, *around, *inner], found)]
    for clone in clones:
        for op in clone.walk():
            op.operands = [copies.get(found.get(v, v), found.get(v, v)) for v in op.operands]
    made = [Key(copies[key.inner], key.outer, key.extent) for key in keys]
    return Independent(made, clones)


def _ties(nested: comprehension.AggregateOp, root: Root) -> list[_Tie]:
    """The equalities that tie an index in `nested` to one of the rows of `root`, one for each."""
    found: list[_Tie] = []
    for guard in nested.body.block.ops:
        if not isinstance(guard, comprehension.GuardOp):
            continue
        sides = equated_integers(guard.condition)
        if sides is None:
            continue
        left, right = map(underlying, sides)
        for inner, outer in ((left, right), (right, left)):
            if not _is_index_of(inner, nested.body.block) or not _is_index_of(
                outer, root.body.block
            ):
                continue
            if all(inner is not tie.inner and outer is not tie.outer for tie in found):
                found.append(_Tie(inner, outer, guard))
            break
    return found


def _is_index_of(value: SSAValue, block: Block) -> bool:
    """Return whether a generator of `block` binds `value` to an index."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not block:
        return False
    if isinstance(owner, comprehension.EachOp):
        return as_array(owner.collection.type) is not None and value is not owner.elements[-1]
    return isinstance(owner, comprehension.RangeOp)


def _generators_of(
    nested: comprehension.AggregateOp, root: Root, ties: Sequence[_Tie]
) -> tuple[list[Generator], list[Operation]] | None:
    """The generators of `root` that `nested` has to go through again, and those that only read.

    Returns None if it cannot. The first are those of what no equality says; the others come with
    the equalities that say where they read.
    """
    unused = _unused_without(ties, nested.body.block)
    known = {tie.outer for tie in ties}
    found: list[Generator] = []
    reads: list[Operation] = []
    pending = [v for op in nested.body.block.ops if op not in unused for v in used_values(op)]
    while pending:
        value = pending.pop()
        owner = value.owner
        if value in known or not is_made_in(value, root.body.block) or _is_within(nested, value):
            continue
        if isinstance(owner, comprehension.EachOp | comprehension.RangeOp):
            if owner in found or owner in reads:
                continue
            equalities = _where_it_reads(owner, root)
            if equalities is None:
                found.append(owner)
            else:
                reads += [owner, *equalities]
                pending += [guard.condition for guard in equalities]
            pending += owner.operands
        elif isinstance(owner, Operation) and is_pure(owner):
            pending += used_values(owner)
        else:
            return None
    outer = [tie.outer.owner for tie in ties]
    entries = {owner for owner in (*outer, *found) if _is_entries(owner)}
    if any(owner in found or outer.count(owner) > 1 for owner in entries):
        return None
    order = list(root.body.block.ops).index
    return sorted(found, key=order), sorted(reads, key=order)


def _where_it_reads(generator: Generator, root: Root) -> list[comprehension.GuardOp] | None:
    """The equalities of all indices of a generator with what is known before it; or None."""
    if isinstance(generator, comprehension.RangeOp) or _is_entries(generator):
        return None
    found: list[comprehension.GuardOp] = []
    for index in generator.elements[:-1]:
        guard = next((g for g in root.body.block.ops if _equates(g, index, generator)), None)
        if guard is None:
            return None
        assert isinstance(guard, comprehension.GuardOp)
        found.append(guard)
    return found


def _equates(op: Operation, index: SSAValue, generator: Generator) -> bool:
    """Whether `op` says that an index is what something in front of its generator computes."""
    sides = equated_integers(op.condition) if isinstance(op, comprehension.GuardOp) else None
    if sides is None:
        return False
    for one, other in (sides, sides[::-1]):
        if underlying(one) is index:
            return not _depends_on(underlying(other), generator)
    return False


def _depends_on(value: SSAValue, generator: Generator) -> bool:
    """Whether `value` is computed in the block of a generator from it, or from a later one."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not generator.parent:
        return False
    if isinstance(owner, Generator):
        return owner is generator or generator.is_before_in_block(owner)
    return any(_depends_on(used, generator) for used in used_values(owner))


def _has_bounds_from_elements(op: Operation) -> bool:
    """Whether `op` is a range that ends where elements say: as an array, it would be looked for.

    Of `j <- s[i]..s[i+1]-1` all j would be tested for each i.
    """

    def reads(value: SSAValue) -> bool:
        owner = value.owner
        if isinstance(owner, comprehension.EachOp):
            return value is owner.elements[-1] or as_array(owner.collection.type) is None
        if not isinstance(owner, Operation) or isinstance(owner, comprehension.RangeOp):
            return False
        return any(map(reads, used_values(owner)))

    return isinstance(op, comprehension.RangeOp) and any(map(reads, op.operands))


def _is_within(op: Operation, value: SSAValue) -> bool:
    return op.is_ancestor(value.owner)


def _is_entries(generator: Operation | Block) -> bool:
    """Return whether a generator goes through what a sparse array stores."""
    return (
        isinstance(generator, comprehension.EachOp)
        and generator.full is None
        and tensor_block.is_sparse(generator.collection.type)
    )


def _keys(
    root: Root,
    nested: comprehension.AggregateOp,
    ties: Sequence[_Tie],
    repeated: Sequence[Generator],
) -> list[Key]:
    """The keys of the sums; none if a dimension is not known.

    A dimension of several equal ones is that of an array of `nested`, so that the sums that
    several comprehensions need are one array.
    """
    pairs = [(tie.inner, tie.outer) for tie in ties]
    for op in repeated:
        if isinstance(op, comprehension.EachOp) and as_array(op.collection.type) is None:
            return []
        indices = op.results[:-1] if isinstance(op, comprehension.EachOp) else op.results
        pairs += [(index, index) for index in indices]
    known = [_extent(outer, root) for _, outer in pairs]
    extents = [
        _part(outer, root) if extent is None else extent  # There may be none of an index: 0.
        for extent, (_, outer) in zip(known, pairs, strict=True)
    ]
    if len(pairs) == 1 and isinstance(part := extents[0], Part) and not _is_short(part):
        extents = [part.dimension]
    candidates = _known_dimensions(nested, root)
    return (
        [
            Key(inner, outer, _among(candidates, extent))
            for (inner, outer), extent in zip(pairs, extents, strict=True)
            if extent is not None
        ]
        if None not in extents
        else []
    )


def _extent(variable: SSAValue, root: Root) -> SSAValue | int | None:
    """The dimension whose indices include all that `variable` is bound to."""
    owner = variable.owner
    if isinstance(owner, comprehension.EachOp):
        axis = next(k for k, element in enumerate(owner.elements) if element is variable)
        extent = dimensions(owner.collection)[axis]
        inside = extent is None or is_made_in(extent, root.body.block)
        return None if inside else extent
    assert isinstance(owner, comprehension.RangeOp)
    lower = constant_value(owner.lower)
    if owner.step is not None or lower is None or lower < 0:
        return None
    base, offset = affine_form(owner.upper)
    if base is None:
        return max(0, offset + 1)
    if isinstance(base.owner, tensor.DimOp) and offset == -1:
        return None if is_made_in(base, root.body.block) else base
    for extent in _known_dimensions(root, root):
        if known_difference(extent, owner.upper) == 1:
            return extent
    return None


def _part(variable: SSAValue, root: Root) -> Part | None:
    """Return where in a dimension `variable` lies for each row of `root` that is not dropped.

    That is one of the array that `root` makes, or of one that it reads at `variable`, if a range
    whose ends are known before `root` binds `variable`.
    """
    range = variable.owner
    if not isinstance(range, comprehension.RangeOp) or range.step is not None:
        return None
    if any(is_made_in(value, root.body.block) for value in range.operands):
        return None
    dimension = _written_dimension(variable, root) or _read_dimension(variable, root)
    return None if dimension is None else Part(range, dimension)


def _is_short(part: Part) -> bool:
    """Return whether a part has a known length: it may be so small that the rest is not filled."""
    return known_difference(part.range.upper, part.range.lower) is not None


def _written_dimension(variable: SSAValue, root: Root) -> SSAValue | None:
    """Return the dimension of the array that `root` makes which `variable` is an index of."""
    if not isinstance(root, comprehension.BuildOp | comprehension.MergeOp):
        return None
    if as_array(root.result.type) is None:  # The keys of a map have no ends.
        return None
    for key, extent in zip(head_of(root).keys, dimensions(root.result), strict=True):
        if underlying(key) is variable:
            return extent
    return None


def _read_dimension(variable: SSAValue, root: Root) -> SSAValue | None:
    """Return the dimension of an array that each row of `root` reads at `variable`."""
    for guard in root.body.block.ops:
        sides = (
            equated_integers(guard.condition) if isinstance(guard, comprehension.GuardOp) else None
        )
        for one, other in (sides, sides[::-1]) if sides is not None else ():
            index = underlying(one)
            if underlying(other) is variable and isinstance(index.owner, comprehension.EachOp):
                extent = _extent(index, root) if _is_index_of(index, root.body.block) else None
                if isinstance(extent, SSAValue):
                    return extent
    return None


def _is_in_part(variable: SSAValue, root: Root) -> bool:
    """Return whether no dimension is known to have all that `variable` is bound to, but a part."""
    return _extent(variable, root) is None and _part(variable, root) is not None


def _among(candidates: Sequence[SSAValue], extent: SSAValue | int | Part) -> SSAValue | int | Part:
    """Return the first of some dimensions that is the same number; `extent` if none is known to."""
    if isinstance(extent, Part):
        return extent
    form = (None, extent) if isinstance(extent, int) else affine_form(extent)
    return next((d for d in candidates if affine_form(d) == form), extent)


def _known_dimensions(within: Root, root: Root) -> list[SSAValue]:
    """The dimensions of `within` and of the arrays in it that are known in front of `root`."""
    found: list[SSAValue] = []
    if as_array(within.result.type) is not None:
        found += [d for d in dimensions(within.result) if d is not None]
    for op in within.walk():
        if isinstance(op, comprehension.EachOp) and as_array(op.collection.type) is not None:
            found += [d for d in dimensions(op.collection) if d is not None]
    return [d for d in found if not is_made_in(d, root.body.block)]


def _are_fewer(outer: Sequence[SSAValue], root: Root) -> bool:
    """Return whether a condition of `root` leaves fewer rows than there are of these indices.

    An equality of one of them with the index of an array that is read there does not.
    """
    generators = {value.owner for value in outer}

    def reached(value: SSAValue) -> set[Operation]:
        owner = value.owner
        if not isinstance(owner, Operation) or not is_made_in(value, root.body.block):
            return set()
        if isinstance(owner, comprehension.EachOp | comprehension.RangeOp):
            return {owner} if owner in generators else set()
        return {op for operand in used_values(owner) for op in reached(operand)}

    for guard in [op for op in root.body.block.ops if isinstance(op, comprehension.GuardOp)]:
        sides = [underlying(side) for side in equated_integers(guard.condition) or ()]
        reads = bool(sides) and all(_is_index_of(side, root.body.block) for side in sides)
        found = reached(guard.condition)
        if len(found) > 1 or (found and not reads):
            return True
    return False


def _unused_without(ties: Sequence[_Tie], block: Block) -> set[Operation]:
    """The guards of `ties`, and the ops of `block` that nothing else needs."""
    unused: set[Operation] = {tie.guard for tie in ties}
    for op in reversed(list(block.ops)):
        users = {use.operation for result in op.results for use in result.uses}
        if op.results and is_pure(op) and users <= unused:
            unused.add(op)
    return unused


def _around(inner: Sequence[Operation], root: Root, known: set[SSAValue]) -> list[Operation] | None:
    """The ops in `root` that compute what `inner` uses but for `known`; None if one may fail."""
    ops: list[Operation] = []

    def visit(value: SSAValue) -> bool:
        if value in known or not is_made_in(value, root.body.block):
            return True
        owner = value.owner
        if any(op.is_ancestor(owner) for op in inner):
            return True
        if not isinstance(owner, Operation) or not is_pure(owner) or can_trap(owner):
            return False
        if owner not in ops:
            if not all(map(visit, used_values(owner))):
                return False
            ops.append(owner)
        return True

    return ops if all(visit(value) for op in inner for value in used_values(op)) else None


def _in_order(ops: Sequence[Operation], found: Mapping[SSAValue, SSAValue]) -> list[Operation]:
    """The ops, each behind what it uses: an index is known later than what it stands for.

    None of them fails, so that conditions may come later.
    """
    ordered: list[Operation] = []
    left = list(ops)
    while left:
        ready = next(
            op for op in left if not any(found.get(v, v).owner in left for v in used_values(op))
        )
        left.remove(ready)
        ordered.append(ready)
    return ordered
