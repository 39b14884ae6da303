"""Let ordered loops write to maps and arrays by way of hash tables of the driver.

Works at the comprehension level.

```mlir
%m1 = scf.while (%m = %m0) … {
  …
  %v, %found = comprehension.probe %m[%k] : !comprehension.bag<keys = 1, i64, f64>
  %m2 = comprehension.merge add %m : !comprehension.bag<keys = 1, i64, f64> {
    comprehension.yield (%k) %x
  }
  scf.yield %m2
}
```

becomes

```mlir
%t = comprehension.table %m0 : !comprehension.bag<keys = 1, i64, f64>
    -> !comprehension.table<keys = 1, i64, f64>
scf.while … {
  …
  %v, %found = comprehension.find %t[%k] : !comprehension.table<keys = 1, i64, f64>
  %old, %known = comprehension.find grouped %t[%k] : !comprehension.table<keys = 1, i64, f64>
  %new = scf.if %known -> (f64) { %s = arith.addf %old, %x … } else { scf.yield %x }
  comprehension.put (%new) into %t[%k] : !comprehension.table<keys = 1, i64, f64>
}
%m1 = comprehension.entries %t : !comprehension.table<keys = 1, i64, f64>
```

so that a read or a write costs the same however many keys there are. A map is a value, and a table
is changed in place: the loop must never read what the map was before a write. A map that a loop
only reads by its keys is a table in the loop as well.

The table of an array has just the elements that the loop has written. What is not there is read in
the array, and one merge writes all of them behind the loop:

```mlir
%R = comprehension.merge %A : tensor<?x?xf64, …> {
  %i, %j, %v = comprehension.each %entries : !comprehension.bag<keys = 2, index, index, f64>
  comprehension.yield (%i, %j) %v
}
```

That is for sparse arrays and arrays of strings; with `dense` also for arrays of numbers in tiles.
Those that the driver has are written in place (`write-elements`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension, diablo, monoids
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import as_array, is_sparse, is_tiled
from diablo.dialects.locations import located, remark
from diablo.dialects.string_functions import StringType
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.speculation import is_pure

_Carrier = scf.WhileOp | scf.IfOp


@dataclass(frozen=True)
class _Carried:
    """Where a loop or a branch hands a map on."""

    op: _Carrier
    argument: int
    """The number of the loop's operand."""
    result: int
    before: SSAValue
    """The map as it is where the op begins."""


@dataclass
class _Plan:
    """What is done with a map in a loop that carries it, if that can be done to a table."""

    versions: set[SSAValue] = field(default_factory=set[SSAValue])
    """The map as it is after each write."""
    accesses: list[Operation] = field(default_factory=list[Operation])
    carried: list[_Carried] = field(default_factory=list[_Carried])
    """The inner ones first."""
    known: set[tuple[Operation, int]] = field(default_factory=set[tuple[Operation, int]])
    """The uses that are understood: an op, and which of its operands it is."""

    def follow_loop(self, loop: scf.WhileOp, argument: int) -> SSAValue:
        """Follow a map that a loop carries; what it is behind the loop.

        Raises
        ------
        Refused
            If something is done with it that a table does not do.
        """
        before, after = loop.before_region.block, loop.after_region.block
        self.versions.add(before.args[argument])
        end = self._block(before, before.args[argument])
        condition, last = before.last_op, after.last_op
        assert isinstance(condition, scf.ConditionOp)
        assert last is not None
        passed = [n for n, value in enumerate(condition.args) if value is end]
        if len(passed) != 1:
            raise Refused("it is handed on in several variables")
        (result,) = passed
        self.versions.add(after.args[result])
        if self._block(after, after.args[result]) is not last.operands[argument]:
            raise Refused("the next iteration has another one")
        self.known |= {(condition, 1 + result), (last, argument), (loop, argument)}
        self.carried.append(_Carried(loop, argument, result, loop.arguments[argument]))
        return loop.results[result]

    def check(self) -> None:
        """Raise `Refused` unless the loop does nothing else with the map."""
        for version in self.versions:
            for use in version.uses:
                if (use.operation, use.index) not in self.known:
                    raise Refused(f"{_described(use.operation)} needs all of it")

    def _block(self, block: Block, current: SSAValue) -> SSAValue:
        """Follow a map through a block; what it is at the end."""
        for op in block.ops:
            match op:
                case (
                    comprehension.ProbeOp()
                    | comprehension.LengthOp()
                    | tensor.ExtractOp()
                    | tensor.DimOp()
                ):
                    self._read(op, current)
                case comprehension.MergeOp() if op.dest in self.versions:
                    for inner in op.body.block.ops:
                        if isinstance(inner, comprehension.ProbeOp):
                            self._read(inner, current)
                    self._at(op, current)
                    _check_row(op)
                    current = op.result
                    self.versions.add(current)
                case scf.IfOp():
                    current = self._branches(op, current)
                case scf.WhileOp() if current in op.arguments:
                    current = self.follow_loop(op, op.arguments.index(current))
                    self.versions.add(current)
                case scf.WhileOp():
                    for region in op.regions:
                        if self._block(region.block, current) is not current:
                            raise Refused("an inner loop does not carry it")
                case _:
                    pass
        return current

    def _read(self, op: Operation, current: SSAValue) -> None:
        if op.operands[0] in self.versions:
            self._at(op, current)

    def _at(self, op: Operation, current: SSAValue) -> None:
        if op.operands[0] is not current:
            raise Refused(f"{_described(op)} needs what it was before a write")
        self.accesses.append(op)
        self.known.add((op, 0))

    def _branches(self, op: scf.IfOp, current: SSAValue) -> SSAValue:
        blocks = [region.block for region in op.regions if region.blocks]
        ends = [self._block(block, current) for block in blocks]
        if all(end is current for end in ends):
            return current
        for number, result in enumerate(op.results):
            lasts = [block.last_op for block in blocks]
            if all(
                last is not None and last.operands[number] is end
                for last, end in zip(lasts, ends, strict=True)
            ):
                self.known |= {(last, number) for last in lasts if last is not None}
                self.versions.add(result)
                self.carried.append(_Carried(op, -1, number, current))
                return result
        raise Refused("branches hand on different ones")


def _check_row(op: comprehension.MergeOp) -> None:
    """Raise `Refused` unless a merge writes one row, or none."""
    for inner in op.body.block.ops:
        if inner.has_trait(IsTerminator) or isinstance(
            inner, comprehension.GuardOp | comprehension.ProbeOp
        ):
            continue
        reads = any(isinstance(part, tensor.ExtractOp | diablo.LoadOp) for part in inner.walk())
        if isinstance(inner, Root) or reads or not is_pure(inner):
            raise Refused("several rows are written at once")


def _described(op: Operation) -> str:
    return f"a {op.name.split('.')[-1]}"


def _may_be_table(type: Attribute) -> bool:
    """Return whether maps of this type can be hash tables: of numbers, strings and tuples."""
    if not isinstance(type, BagType) or not type.is_map:
        return False
    columns = list(type.columns)
    keys, values = columns[: type.keys.data], columns[type.keys.data :]
    scalars = IntegerType | IndexType | AnyFloat | StringType
    return all(isinstance(key, scalars) for key in keys) and not any(map(_holds_rows, values))


def _may_be_written_behind(type: Attribute, *, dense: bool) -> bool:
    """Return whether what is written to such an array may wait for the end of the loop."""
    array = as_array(type)
    if array is None or not array.get_num_dims() or _holds_rows(array.get_element_type()):
        return False
    in_tiles = dense and is_tiled(array)
    return in_tiles or is_sparse(array) or isinstance(array.get_element_type(), StringType)


def _holds_rows(type: Attribute) -> bool:
    if isinstance(type, TupleType):
        return any(_holds_rows(part) for part in type.types)
    return isinstance(type, BagType | TensorType)


class _Inserter:
    """Inserts ops at a place, at the location of another op."""

    def __init__(self, place: InsertPoint, like: Operation):
        self.place = place
        self.like = like

    def add(self, op: Operation) -> tuple[SSAValue, ...]:
        """Insert an op; its results."""
        Rewriter.insert_op(located(op, self.like), self.place)
        return tuple(op.results)

    def behind(self, condition: SSAValue) -> None:
        """Insert all that follows where a condition holds."""
        then = Block([located(scf.YieldOp(), self.like)])
        self.add(scf.IfOp(condition, [], Region(then)))
        assert then.last_op is not None
        self.place = InsertPoint.before(then.last_op)

    def chosen(
        self, condition: SSAValue, then: Sequence[SSAValue], otherwise: Block
    ) -> tuple[SSAValue, ...]:
        """Values that are there already, or what a block yields."""
        first = Block([located(scf.YieldOp(*then), self.like)])
        types = [value.type for value in then]
        return self.add(scf.IfOp(condition, types, Region(first), Region(otherwise)))


@dataclass(frozen=True)
class _Target:
    """The table that stands for a map, or for what is written to an array."""

    table: SSAValue
    array: SSAValue | None
    """The array as it is before the loop."""
    extents: Sequence[SSAValue]

    def find(self, add: _Inserter, keys: Sequence[SSAValue], *, grouped: bool) -> list[SSAValue]:
        """Insert ops for the values under a key, and whether there are any."""
        found = add.add(comprehension.FindOp(self.table, keys, grouped=grouped))
        if self.array is None:
            return list(found)
        read = located(comprehension.ProbeOp(self.array, keys), add.like)
        end = located(scf.YieldOp(*read.results), add.like)
        return list(add.chosen(found[-1], found, Block([read, end])))

    def read(self, op: comprehension.ProbeOp | tensor.ExtractOp) -> None:
        """Replace a read of a map or an array."""
        add = _Inserter(InsertPoint.before(op), op)
        if isinstance(op, comprehension.ProbeOp):
            made = self.find(add, op.keys, grouped=False)
        else:
            assert self.array is not None
            found = add.add(comprehension.FindOp(self.table, op.indices))
            read = tensor.ExtractOp(self.array, op.indices, op.result.type)
            end = located(scf.YieldOp(read.result), op)
            made = list(add.chosen(found[-1], found[:-1], Block([located(read, op), end])))
        for old, new in zip(op.results, made, strict=True):
            new.name_hint = old.name_hint
        Rewriter.replace_op(op, [], made)


class _Tabulator:
    """Puts tables in the place of the maps and arrays of one module."""

    def __init__(self, module: ModuleOp, *, dense: bool):
        found = [op for op in module.walk() if isinstance(op, comprehension.MonoidOp)]
        self.monoids = {f"@{op.sym_name.data}": op for op in found}
        self.dense = dense

    def writes(self, function: func.FuncOp) -> None:
        """Let loops write to tables, the outermost ones that can."""
        while self._one_written(function):
            pass

    def _one_written(self, function: func.FuncOp) -> bool:
        for loop in [op for op in function.walk() if isinstance(op, scf.WhileOp)]:
            for argument, value in enumerate(loop.arguments):
                is_map = _may_be_table(value.type)
                if not is_map and not _may_be_written_behind(value.type, dense=self.dense):
                    continue
                plan = _Plan()
                try:
                    plan.follow_loop(loop, argument)
                    plan.check()
                except Refused:
                    continue
                if any(isinstance(op, comprehension.MergeOp) for op in plan.accesses):
                    self._rewrite(plan)
                    return True
        return False

    def _rewrite(self, plan: _Plan) -> None:
        *inner, outermost = plan.carried
        loop, value = outermost.op, outermost.before
        name = loop.results[outermost.result].name_hint or value.name_hint
        is_map = isinstance(value.type, BagType)
        before = _Inserter(InsertPoint.before(loop), loop)
        target = _map_table(value, before) if is_map else _array_table(value, before)
        target.table.name_hint = name
        for access in plan.accesses:
            self._access(access, target)
        for carried in inner:
            _drop(carried, carried.before)
        after = _Inserter(InsertPoint.after(loop), loop)
        entries = located(comprehension.EntriesOp(target.table), loop)
        ops: list[Operation] = [entries]
        if not is_map:
            ops.append(_merged(value, entries.rows, loop))
        Rewriter.insert_op(ops, after.place)
        ops[-1].results[0].name_hint = name
        what = "it" if is_map else "what is written to it"
        remark(loop, f"{name or 'a value'}: {what} is a hash table in this loop")
        _drop(outermost, ops[-1].results[0])

    def _access(self, op: Operation, target: _Target) -> None:
        match op:
            case comprehension.ProbeOp() | tensor.ExtractOp():
                target.read(op)
            case comprehension.LengthOp():
                Rewriter.replace_op(op, located(comprehension.SizeOp(target.table), op))
            case tensor.DimOp():
                assert target.array is not None
                op.operands[0] = target.array
            case _:
                assert isinstance(op, comprehension.MergeOp)
                self._put(op, target)

    def _put(self, op: comprehension.MergeOp, target: _Target) -> None:
        """Write the row of a merge, behind its guards."""
        end = op.body.block.last_op
        assert isinstance(end, comprehension.YieldOp)
        keys, values = list(end.keys), list(end.values)
        add = _Inserter(InsertPoint.before(op), op)
        for inner in list(op.body.block.ops):
            inner.detach()
            if isinstance(inner, comprehension.GuardOp):
                add.behind(inner.condition)
                inner.erase()
            elif inner is end:
                inner.erase()
            else:
                Rewriter.insert_op(inner, add.place)
        for key, extent in zip(keys, target.extents, strict=False):
            (inside,) = add.add(arith.CmpiOp(key, extent, "ult"))
            add.behind(inside)
        if op.monoid is not None:
            old, found = target.find(add, keys, grouped=True)
            new = Block([located(scf.YieldOp(*values), op)])
            joined = self._joined(op.monoid.data, old, values[0], op)
            choice = scf.IfOp(found, [values[0].type], Region(joined), Region(new))
            values = list(add.add(choice))
        add.add(comprehension.PutOp(values, target.table, keys))
        op.result.replace_all_uses_with(op.dest)
        Rewriter.erase_op(op)

    def _joined(self, monoid: str, old: SSAValue, new: SSAValue, like: Operation) -> Block:
        if not monoids.is_user_defined(monoid):
            joined = located(monoids.combine(monoid, old, new), like)
            return Block([joined, located(scf.YieldOp(joined.results[0]), like)])
        body = self.monoids[monoid].body.block
        mapped: dict[SSAValue, SSAValue] = dict(zip(body.args, (old, new), strict=True))
        ops: list[Operation] = []
        for op in body.ops:
            if isinstance(op, comprehension.YieldOp):
                given = op.values[0]
                ops.append(located(scf.YieldOp(mapped.get(given, given)), like))
            else:
                ops.append(op.clone(mapped))
        return Block(ops)


def _map_table(map: SSAValue, add: _Inserter) -> _Target:
    (table,) = add.add(comprehension.TableOp(map))
    return _Target(table, None, ())


def _array_table(array: SSAValue, add: _Inserter) -> _Target:
    """A table without rows, and the extents of an array."""
    type = as_array(array.type)
    assert type is not None
    rank = type.get_num_dims()
    extents: list[SSAValue] = []
    for axis in range(rank):
        (number,) = add.add(arith.ConstantOp(IntegerAttr(axis, IndexType())))
        extents += add.add(tensor.DimOp(array, number))
    columns = [*[IndexType()] * rank, type.get_element_type()]
    (rows,) = add.add(comprehension.ListOp([], BagType(columns)))
    (table,) = add.add(comprehension.TableOp(rows, comprehension.TableType(columns, rank)))
    return _Target(table, array, extents)


def _merged(array: SSAValue, entries: SSAValue, like: Operation) -> comprehension.MergeOp:
    """An array with elements written into it."""
    each = located(comprehension.EachOp(entries), like)
    *indices, element = each.elements
    end = located(comprehension.YieldOp(indices, [element]), like)
    return located(comprehension.MergeOp(array, Region(Block([each, end]))), like)


def _tabulate_reads(function: func.FuncOp) -> None:
    """Let loops find keys in tables of the maps that they leave as they are."""
    for loop in [op for op in function.walk() if isinstance(op, scf.WhileOp)]:
        probes: dict[SSAValue, list[comprehension.ProbeOp]] = {}
        for op in _driver_ops(loop):
            if isinstance(op, comprehension.ProbeOp) and _may_be_table(op.collection.type):
                owner = op.collection.owner
                inside = owner.parent_op() if isinstance(owner, Block) else owner
                if inside is None or not loop.is_ancestor(inside):
                    probes.setdefault(op.collection, []).append(op)
        for map, reads in probes.items():
            target = _map_table(map, _Inserter(InsertPoint.before(loop), reads[0]))
            target.table.name_hint = map.name_hint
            remark(reads[0], "the map is a hash table in the loop, which reads single keys")
            for read in reads:
                target.read(read)


def _driver_ops(loop: scf.WhileOp) -> Iterator[Operation]:
    """The ops in a loop that the driver does once when it comes to them."""
    for region in loop.regions:
        for op in region.block.ops:
            yield op
            yield from _nested_ops(op)


def _nested_ops(op: Operation) -> Iterator[Operation]:
    if isinstance(op, _Carrier):
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    yield inner
                    yield from _nested_ops(inner)


def _drop(carried: _Carried, value: SSAValue) -> None:
    """Let an op hand on one value less, for whose result there is `value`."""
    op, number = carried.op, carried.result
    op.results[number].replace_all_uses_with(value)
    types = [type for n, type in enumerate(op.result_types) if n != number]
    if isinstance(op, scf.WhileOp):
        before, after = op.before_region.block, op.after_region.block
        condition, end = before.last_op, after.last_op
        assert isinstance(condition, scf.ConditionOp)
        assert end is not None
        passed = _without(condition.args, number)
        Rewriter.replace_op(
            condition, located(scf.ConditionOp(condition.condition, *passed), condition), []
        )
        yielded = _without(end.operands, carried.argument)
        Rewriter.replace_op(end, located(scf.YieldOp(*yielded), end), [])
        before.erase_arg(before.args[carried.argument])
        after.erase_arg(after.args[number])
        regions = [op.detach_region(region) for region in list(op.regions)]
        new: _Carrier = scf.WhileOp(_without(op.arguments, carried.argument), types, *regions)
    else:
        for region in op.regions:
            end = region.block.last_op
            assert end is not None
            yielded = _without(end.operands, number)
            Rewriter.replace_op(end, located(scf.YieldOp(*yielded), end), [])
        then, otherwise = [op.detach_region(region) for region in list(op.regions)]
        new = scf.IfOp(op.cond, types, then, otherwise)
    new.attributes |= op.attributes
    results = list(new.results)
    for old, result in zip(_without(op.results, number), results, strict=True):
        result.name_hint = old.name_hint
    Rewriter.replace_op(op, located(new, op), [*results[:number], None, *results[number:]])


def _without(values: Sequence[SSAValue], number: int) -> list[SSAValue]:
    return [value for n, value in enumerate(values) if n != number]


@dataclass(frozen=True)
class TabulateWritesPass(ModulePass):
    """Let ordered loops write to maps and arrays by way of hash tables."""

    name = "tabulate-writes"
    dense: bool = False
    """Also to dense arrays of numbers."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the loops of every function."""
        tabulator = _Tabulator(op, dense=self.dense)
        for function in [o for o in op.ops if isinstance(o, func.FuncOp) and o.body.blocks]:
            tabulator.writes(function)
            _tabulate_reads(function)
