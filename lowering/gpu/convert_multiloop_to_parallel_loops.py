"""Turn a loop with generators into loops whose iterations threads can share.

Reads functions of one `multiloop.loop`, as `convert-multiloop-to-loops` does; writes for
`convert-loops-to-gpu` loops over memrefs, memory that they take on the way, and what is waited for
and sorted between them (`simt.look`, `simt.sort`). A bag becomes how many rows it has and a buffer
for each column that is read. What is made is returned: the parts of what is reduced, or the columns
of rows and how many there are.

    %total: reduce        a loop that folds
    %sums: scan           a loop that stores what it has folded so far, for all scans, or what each
                          row makes of that
    %vector: place        a loop that stores
    %rows: collect        one that counts rows where it is not known how many come of a row, then a
                          scan, whose sums say where each of them goes
    %groups: bucket…      rows of keys and values are collected, and folded for each key
                          (`parallel_groups.py`)
    matches               the rows of the bag are sorted by key, and a directory says where those
                          begin that have equal first bits: among these they are found by bisection

What is combined is combined in the order of rows, or so that the order does not show: equal runs
give equal bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, func, math, memref, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i1,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import ElementOp
from diablo.dialects.multiloop import (
    BucketCollectType,
    BucketReduceType,
    CollectType,
    LoopOp,
    PlaceType,
    ReduceType,
    ScanType,
)
from diablo.dialects.simt import LookOp, say_apart, say_folds
from diablo.lowering.gpu.key_order import (
    SortedKeys,
    find_ends,
    line_of,
    loop_up_to,
    plus,
    sort_keys,
)
from diablo.lowering.gpu.parallel_groups import fold_groups
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.kernel_loops import memref_type
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.llvm.tuple_parts import Parts
from diablo.lowering.loop_functions import replace_body
from diablo.lowering.multiloop.convert_multiloop_to_loops import (
    convert_loop_functions,
    emits_at_most_once,
    is_placed,
    matched_bags,
    only_loop,
    read_columns,
)
from diablo.lowering.multiloop.generator_code import (
    Accumulator,
    Emits,
    Frame,
    Nothing,
    column_type,
    store_row,
)
from diablo.lowering.multiloop.key_words import (
    has_words,
    hash_of,
    words_of,
)
from diablo.lowering.multiloop.loop_body import Columns, LoopBody
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.lowering.multiloop.vector_scans import hangs_on_scans
from diablo.passes.analyses.refused import Refused


def convert_rows(function: func.FuncOp) -> None:
    """Rewrite a function over rows in place.

    Raises
    ------
    Refused
        If an op in its loop has no form over buffers.
    """
    loop = only_loop(function)
    if any(isinstance(generator.type, BucketCollectType) for generator in loop.generators):
        raise Refused("lists of groups are made by the processor")
    if any(isinstance(column, BagType) for made in loop.made for column in _columns_of(made)):
        raise Refused("lists of rows are made by the processor")
    loops = [op for op in function.walk() if isinstance(op, LoopOp)]
    if any(isinstance(v.type, BagType) and v.uses for op in loops for v in op.elements):
        raise Refused("lists that rows have are gone through by the processor")
    if any(isinstance(op, ElementOp) for op in loop.walk()):
        raise Refused("rows are read at positions by the processor, which tells if one fails")
    rows = _RowLoops(function, loop)
    rows.write()
    replace_body(function, rows.entry.block)


def _columns_of(made: SSAValue) -> Sequence[Attribute]:
    return made.type.columns.data if isinstance(made.type, BagType) else ()


@dataclass
class _Count(Emits):
    """Counts rows in a cell."""

    cell: SSAValue

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Append that there is one more."""
        before = writer.add(memref.LoadOp.get(self.cell, [writer.index(0)]))
        more = plus(writer, before, 1)
        writer.put(memref.StoreOp.get(more, self.cell, [writer.index(0)]))


@dataclass
class _Store(Emits):
    """Stores rows where a cell says, or each at the place of its row of the source."""

    columns: Sequence[SSAValue]
    cell: SSAValue | None = None
    row: SSAValue | None = None

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Append that a row is stored, behind the others."""
        if self.cell is None:
            assert self.row is not None
            store_row(writer, self.columns, self.row, [*keys, *values])
            return
        place = writer.add(memref.LoadOp.get(self.cell, [writer.index(0)]))
        store_row(writer, self.columns, place, [*keys, *values])
        more = plus(writer, place, 1)
        writer.put(memref.StoreOp.get(more, self.cell, [writer.index(0)]))


@dataclass
class _StoreAt(Emits):
    """Stores values at their indices."""

    vector: SSAValue

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Append that a value is stored."""
        ((index,),) = keys
        store_row(writer, [self.vector], index, values)


@dataclass
class _Known(Emits):
    """A scan that is done: what it gives a row is stored."""

    columns: Sequence[SSAValue]
    row: SSAValue

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Append nothing."""

    def so_far(self, writer: OpWriter) -> list[SSAValue]:
        """Append loads."""
        return [writer.add(memref.LoadOp.get(column, [self.row])) for column in self.columns]


@dataclass
class _SortedMatches:
    """What finds the rows of a bag that match a key, among those in order.

    Keys lie in buckets by their first bits, of which there are no fewer than rows: where keys lie
    close together, each has a bucket of its own, and elsewhere few share one.
    """

    columns: Sequence[SSAValue]
    order: SortedKeys
    starts: SSAValue
    """Where each bucket begins, and the last one ends."""
    shift: SSAValue
    """How many bits of a key say nothing of its bucket."""

    @staticmethod
    def of(
        e: OpWriter, length: SSAValue, columns: Sequence[SSAValue], order: SortedKeys
    ) -> _SortedMatches:
        """Append what finds rows in order."""
        rows = e.add(arith.IndexCastOp(length, i64))
        unused = e.add(arith.IndexCastOp(e.add(math.CountLeadingZerosOp(rows)), IndexType()))
        wanted = e.add(arith.SubiOp(e.index(64), unused))
        own = e.add(arith.MinSIOp(wanted, order.bits))
        shift = e.add(LookOp(e.add(arith.SubiOp(order.bits, own))))
        buckets = e.add(LookOp(e.add(arith.ShLIOp(e.index(1), own))))
        starts = line_of(e, IndexType(), plus(e, buckets, 1), "starts")

        def start(e: OpWriter, bucket: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            key = e.add(arith.IndexCastOp(e.add(arith.ShLIOp(bucket, shift)), i64))
            begin = _first(e, order.keys, key, "ult", (e.index(0), length))
            is_last = e.add(arith.CmpiOp(bucket, buckets, "eq"))
            place = e.add(arith.SelectOp(is_last, length, begin))
            e.put(memref.StoreOp.get(place, starts, [bucket]))
            return []

        loop_up_to(e, plus(e, buckets, 1), start, hint="bucket")
        return _SortedMatches(columns, order, starts, shift)

    def each(
        self,
        writer: OpWriter,
        keys: Sequence[SSAValue],
        body: Callable[[OpWriter, SSAValue], None],
    ) -> None:
        """Append a loop over the rows that match a key; `body` is given each row."""
        words = words_of(writer, keys)
        wanted = writer.add(arith.SubiOp(_one_word(writer, words), self.order.least))
        begin, end = self._range(writer, wanted)
        # NaN is no key, and found by none.
        for key in keys:
            if isinstance(key.type, AnyFloat):
                is_number = writer.add(arith.CmpfOp(key, key, "ord"))
                end = writer.add(arith.SelectOp(is_number, end, begin))

        def match(e: OpWriter, place: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            row = e.add(memref.LoadOp.get(self.order.rows, [place]), "match")
            if len(words) == 1:
                body(e, row)
                return []
            same = has_words(e, self.columns, words, row)
            e.branch(same, lambda some: body(some, row))
            return []

        loop_up_to(writer, end, match, [], begin, "place")

    def _range(self, e: OpWriter, wanted: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Append where rows of a key begin and end; there are none where its bucket is none."""
        shift = e.add(arith.IndexCastOp(self.shift, i64))
        number = e.add(arith.IndexCastOp(e.add(arith.ShRUIOp(wanted, shift)), IndexType()))
        size = e.add(memref.DimOp(self.starts, e.index(0)))
        last = plus(e, size, -2)
        is_bucket = e.add(arith.CmpiOp(number, last, "ule"))
        bucket = e.add(arith.SelectOp(is_bucket, number, last))
        low = e.add(memref.LoadOp.get(self.starts, [bucket]))
        high = e.add(memref.LoadOp.get(self.starts, [plus(e, bucket, 1)]))
        high = e.add(arith.SelectOp(is_bucket, high, low))
        begin = _first(e, self.order.keys, wanted, "ult", (low, high))
        return begin, _first(e, self.order.keys, wanted, "ule", (begin, high))


def _first(
    e: OpWriter,
    keys: SSAValue,
    wanted: SSAValue,
    before: str,
    among: tuple[SSAValue, SSAValue],
) -> SSAValue:
    """Append a search for the first place, among some, whose key is not `before` one."""
    index = [IndexType(), IndexType()]
    test = e.inner(index)
    low, high = test.block.args
    test.put(scf.ConditionOp(test.add(arith.CmpiOp(low, high, "slt")), low, high))
    step = e.inner(index)
    low, high = step.block.args
    middle = step.add(arith.ShRUIOp(step.add(arith.AddiOp(low, high)), step.index(1)))
    key = step.add(memref.LoadOp.get(keys, [middle]))
    is_before = step.add(arith.CmpiOp(key, wanted, before))
    above = plus(step, middle, 1)
    step.put(
        scf.YieldOp(
            step.add(arith.SelectOp(is_before, above, low)),
            step.add(arith.SelectOp(is_before, high, middle)),
        )
    )
    search = scf.WhileOp(among, index, Region(test.block), Region(step.block))
    e.put(search)
    return search.results[0]


def _one_word(e: OpWriter, words: Sequence[SSAValue]) -> SSAValue:
    """Append a word that equal keys have in common: of several columns their hash."""
    return words[0] if len(words) == 1 else hash_of(e, words)


@dataclass
class _RowLoops:
    """Writes the loops of one function."""

    function: func.FuncOp
    loop: LoopOp
    entry: OpWriter = field(init=False)

    def __post_init__(self) -> None:
        self.entry = OpWriter(self.loop)
        self.body = LoopBody()
        self.recorded: dict[SSAValue, Sequence[SSAValue]] = {}
        """What scans give each row, of those that are done: a line for each part."""

    def write(self) -> None:
        """Write all of the function."""
        self._take_arguments()
        e = self.entry
        for op in self.function.body.block.ops:
            if op is not self.loop and not isinstance(op, func.ReturnOp):
                self.body.copy([op], e.block)
        for bag, numbers in matched_bags(self.function):
            held = self.body.bags[bag]
            keys = [column for number in numbers if (column := held.columns[number]) is not None]

            def word(e: OpWriter, row: SSAValue, keys: Sequence[SSAValue] = keys) -> SSAValue:
                loads = [e.add(memref.LoadOp.get(column, [row])) for column in keys]
                return _one_word(e, words_of(e, loads))

            order = sort_keys(e, held.length, word, find_ends(e, held.length, word))
            found: dict[object, object] = self.body.indexes  # pyright: ignore
            found[bag, numbers] = _SortedMatches.of(e, held.length, keys, order)
        self.count = self.body.trips(self.loop, e)
        made: list[SSAValue] = []
        scanned = self._scan()
        for generator in self.loop.generators:
            if generator in scanned:
                made += scanned[generator]
                continue
            match generator.type:
                case ReduceType() as type:
                    made += self._reduce(generator, type)
                case PlaceType() as type:
                    columns, count = self._store(generator, [type.element])
                    made += [*columns, count]
                case CollectType() as type:
                    columns, count = self._collect(generator, list(type.columns))
                    made += [*columns, count]
                case BucketReduceType() as type:
                    made += self._group(generator, type)
                case _:
                    raise AssertionError("a loop has generators")
        e.put(func.ReturnOp(*made))

    def _take_arguments(self) -> None:
        block = self.entry.block

        def argument(type: Attribute, hint: str | None) -> SSAValue:
            added = block.insert_arg(type, len(block.args))
            added.name_hint = hint
            return added

        for old in self.function.args:
            if isinstance(old.type, BagType):
                length = argument(IndexType(), "length")
                read = read_columns(self.function, old)
                columns = [
                    argument(column_type(type), "column") if is_read else None
                    for type, is_read in zip(old.type.columns, read, strict=True)
                ]
                self.body.bags[old] = Columns(length, columns)
            elif is_tensor(old.type):
                self.body.arrays[old] = argument(memref_type(old.type), old.name_hint)
            else:
                self.body.bind(old, [argument(old.type, old.name_hint)])

    def _row(self, e: OpWriter, row: SSAValue, codes: Mapping[SSAValue, Emits]) -> None:
        """Append what is done with a row, of which some generators alone take what is emitted."""
        body = self.body
        for other in self.loop.generators:
            columns = self.recorded.get(other)
            known = None if columns is None else _Known(columns, row)
            body.emits[other] = known or Nothing(self._fold_of(other))
        body.emits.update(codes)
        no = e.add(arith.ConstantOp(IntegerAttr(0, i1)))
        body.frame = Frame(e, no, row, e.index(0))
        body.bind_row(self.loop, e, row)
        body.copy(self.loop.body.block.ops, e.block)

    def _fold_of(self, generator: SSAValue) -> Fold | None:
        type = generator.type
        if not isinstance(type, ScanType | ReduceType):
            return None
        return Fold.of(type.monoid.data, type.element, self.loop)

    def _numbers(self, fold: Fold) -> list[SSAValue]:
        """Append memory for what is folded."""
        types = [MemRefType(part, []) for part in fold.types]
        return [self.entry.add(memref.AllocOp([], [], type), "result") for type in types]

    def _leave(self, values: Sequence[SSAValue], results: Sequence[SSAValue]) -> None:
        """Append that numbers are stored there."""
        for value, buffer in zip(values, results, strict=True):
            self.entry.put(memref.StoreOp.get(value, buffer, []))

    def _scan(self) -> dict[SSAValue, list[SSAValue]]:
        """Append loops for scans; return what each has made, and what hangs on it.

        What each row makes of them is made in one loop, where that is all. Otherwise what they give
        is stored for the rows, for the loops of other generators.

        Raises
        ------
        Refused
            If others need what they give, and not each row is given something.
        """
        loop = self.loop
        scans = [g for g in loop.generators if isinstance(g.type, ScanType)]
        if not scans:
            return {}
        hanging = [g for g in loop.generators if hangs_on_scans(loop, g)]
        if all(isinstance(g.type, PlaceType) or self._is_placed(g) for g in hanging):
            return self._scan_together(scans, hanging)
        emits = [use.operation for scan in scans for use in scan.uses]
        if len(emits) != len(scans) or any(emit.parent_op() is not loop for emit in emits):
            raise Refused("not each row is given something by a scan")
        made: dict[SSAValue, list[SSAValue]] = {}
        order = {op: number for number, op in enumerate(loop.body.block.ops)}
        for emit in sorted(emits, key=order.__getitem__):
            scan = emit.operands[0]
            made[scan] = self._record(scan)
        return made

    def _is_placed(self, generator: SSAValue) -> bool:
        return isinstance(generator.type, CollectType) and is_placed(self.loop, generator)

    def _scan_together(
        self, scans: Sequence[SSAValue], hanging: Sequence[SSAValue]
    ) -> dict[SSAValue, list[SSAValue]]:
        """Append one loop for scans, and what each row makes of them."""
        e = self.entry
        codes: dict[SSAValue, Emits] = {}
        made: dict[SSAValue, list[SSAValue]] = {}
        placed: list[_Store] = []
        for generator in hanging:
            if isinstance(generator.type, PlaceType):
                vector = line_of(e, generator.type.element, self.count, "vector")
                made[generator] = [vector, self.count]
                codes[generator] = _StoreAt(vector)
            else:
                assert isinstance(generator.type, CollectType)
                columns = [line_of(e, t, self.count, "column") for t in generator.type.columns]
                made[generator] = [*columns, self.count]
                placed.append(_Store(columns))
                codes[generator] = placed[-1]

        def row(e: OpWriter, row: SSAValue, own: Mapping[SSAValue, Accumulator]) -> None:
            for store in placed:
                store.row = row
            self._row(e, row, {**codes, **own})

        return made | self._fold_along(scans, row)

    def _record(self, scan: SSAValue) -> list[SSAValue]:
        """Append a loop that stores what one scan gives each row; return its total, if used."""
        e, fold = self.entry, self._fold_of(scan)
        assert fold is not None
        columns = [line_of(e, type, self.count, "so_far") for type in fold.types]

        def row(e: OpWriter, row: SSAValue, own: Mapping[SSAValue, Accumulator]) -> None:
            self._row(e, row, own)
            store_row(e, columns, row, [own[scan].so_far(e)])

        (total,) = self._fold_along([scan], row).values()
        self.recorded[scan] = columns
        return total

    def _fold_along(
        self,
        scans: Sequence[SSAValue],
        body: Callable[[OpWriter, SSAValue, Mapping[SSAValue, Accumulator]], None],
    ) -> dict[SSAValue, list[SSAValue]]:
        """Append a loop that carries what scans have folded; return the totals that are used."""
        e, loop = self.entry, self.loop
        folds = {scan: fold for scan in scans if (fold := self._fold_of(scan)) is not None}

        def row(e: OpWriter, row: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            frame = Frame(e, row, row, e.index(0))
            left = list(held)
            own: dict[SSAValue, Accumulator] = {}
            for scan, fold in folds.items():
                own[scan] = Accumulator.of(frame, fold)
                own[scan].register.write(e, left[: len(fold.types)])
                del left[: len(fold.types)]
            body(e, row, own)
            return [value for code in own.values() for value in code.register.read(e)]

        neutral = [value for fold in folds.values() for value in fold.identity(e.block, loop)]
        made = loop_up_to(e, self.count, row, neutral)
        say_folds(made, [fold.monoid for fold in folds.values()])
        say_apart(made)
        totals, left = dict[SSAValue, list[SSAValue]](), list(made.results)
        for scan, fold in folds.items():
            totals[scan] = []
            if loop.made[loop.generators.index(scan)].uses:
                totals[scan] = self._numbers(fold)
                self._leave(left[: len(fold.types)], totals[scan])
            del left[: len(fold.types)]
        return totals

    def _reduce(self, generator: SSAValue, type: ReduceType) -> list[SSAValue]:
        e = self.entry
        fold = Fold.of(type.monoid.data, type.element, self.loop)
        results = self._numbers(fold)

        def row(e: OpWriter, row: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            frame = Frame(e, row, row, e.index(0))
            code = Accumulator.of(frame, fold)
            code.register.write(e, held)
            self._row(e, row, {generator: code})
            return code.register.read(e)

        loop = loop_up_to(e, self.count, row, fold.identity(e.block, self.loop))
        say_folds(loop, [fold.monoid])
        self._leave(loop.results, results)
        return results

    def _collect(
        self, generator: SSAValue, types: Sequence[Attribute]
    ) -> tuple[list[SSAValue], SSAValue]:
        """Append that rows are collected; return their columns, and how many they are."""
        e, loop = self.entry, self.loop
        if is_placed(loop, generator):
            return self._store(generator, types)

        def counted(make: Callable[[SSAValue], Emits]) -> scf.ForOp:
            def row(e: OpWriter, row: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
                cell = e.add(memref.AllocaOp.get(IndexType(), shape=[1]), "at")
                e.put(memref.StoreOp.get(held[0], cell, [e.index(0)]))
                self._row(e, row, {generator: make(cell)})
                return [e.add(memref.LoadOp.get(cell, [e.index(0)]))]

            made = loop_up_to(e, self.count, row, [e.index(0)])
            say_folds(made, ["add"])
            return made

        room = self.count
        if not emits_at_most_once(loop, generator):
            room = e.add(LookOp(counted(_Count).results[0]))
        columns = [line_of(e, type, room, "column") for type in types]
        scan = counted(lambda cell: _Store(columns, cell))
        say_apart(scan)
        return columns, e.add(LookOp(scan.results[0]))

    def _store(
        self, generator: SSAValue, types: Sequence[Attribute]
    ) -> tuple[list[SSAValue], SSAValue]:
        """Append that each row is stored at its place; return the columns, and how many it is."""
        columns = [line_of(self.entry, type, self.count, "column") for type in types]

        def place(e: OpWriter, row: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            at_index = isinstance(generator.type, PlaceType)
            code = _StoreAt(columns[0]) if at_index else _Store(columns, row=row)
            self._row(e, row, {generator: code})
            return []

        say_apart(loop_up_to(self.entry, self.count, place))
        return columns, self.count

    def _group(self, generator: SSAValue, type: BucketReduceType) -> list[SSAValue]:
        """Append that rows are collected, and folded for each key."""
        columns, count = self._collect(generator, [*type.key, *type.elements])
        return fold_groups(self.entry, self.loop, type, columns, count)


@dataclass(frozen=True)
class ConvertMultiloopToParallelLoopsPass(ModulePass):
    """Turns functions of one loop with generators into loops whose iterations threads can share."""

    name = "convert-multiloop-to-parallel-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function that can be such loops; leave the others alone."""
        convert_loop_functions(op, convert_rows, "no loops that threads can share")
