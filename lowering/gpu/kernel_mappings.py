"""How loops are dealt out to the threads of a grid, a kernel (or two) for each kind.

* The points of a nest: each thread takes every so many, in the order of memory. Those that meet at
  few places do so in a table of each block first (`shared_tables.py`).
* Rows with folds: a group of 1 to 32 neighbouring threads takes a row, its width what is launched
  with; each thread folds a part, and shuffles bring these together.
* A fold to numbers: each thread folds every so many, a block what its threads have, through
  shuffles and shared memory; a kernel of one block folds what the blocks have left. What is folded
  with what depends on the extents alone, so that equal runs give equal bits.
* What stands between loops: a kernel of one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects.simt import AtomicOp
from diablo.lowering.gpu.block_code import (
    MASKS,
    Folds,
    chosen,
    element_types,
    exchanged,
    fold_in_block,
    identities,
    join_in_block,
    joined,
)
from diablo.lowering.gpu.kernel_writer import THREADS, IndexWriter, KernelWriter
from diablo.lowering.gpu.launch_writer import LaunchWriter
from diablo.lowering.gpu.loop_structure import (
    Accumulation,
    Chain,
    Nest,
    entries_of,
    is_within,
    last_choice,
)
from diablo.lowering.gpu.row_shifts import row_shifts
from diablo.lowering.gpu.shared_tables import make_tables, use_tables

_ROUNDS = 8
"""How many points a thread takes at least where each block has tables to clear and to add up."""
MOST_PARTIALS = 1024
"""How many blocks at most have results of their own for all places: some for each multiprocessor
of a large GPU."""
FOLD_BLOCKS = 528
"""How many blocks at most share a fold to numbers: four for each multiprocessor of a large GPU,
which has room for these at a time."""
LONG_ROW = 2048
"""How many elements a row has at least that a block folds."""
PLANE = (6, 1 << 13)
BOX = (5, 1 << 12)
"""How threads that have several rows lie: the exponent of two of how many are along a row at most,
and how many blocks there are at most. In three dimensions neighbours are in more rows, which are
near in a narrower block, and a thread divides to find its rows, which is worth more points."""
ROWS_TOGETHER = ((8, 4), (40, 2), (1 << 30, 1))
"""How many rows a thread has side by side at least where a point loads at most so many elements."""
FEW_HELD, MOST_HELD = 26, 54
"""How many elements a thread loads for all its rows so that it has as many again: few, or so many
that each row takes a fifth less of them then, as it has the more in common with the others."""
MOST_ROWS = 8
"""How many rows a thread has at most."""
ROUNDS_OF_ENTRIES = 6
"""How often a thread folds several entries of a sparse row, on average."""
FEWEST_LANES = 4
"""How many threads a sparse row has at least that has something for all of them."""
SIDE_BY_SIDE = ((2, 8), (6, 4), (1 << 30, 1))
"""How many iterations of a fold a thread does at once where one loads at most so many elements."""
Values = dict[SSAValue, SSAValue]
"""What stands for values of the loops."""


@dataclass(frozen=True)
class Deal:
    """The iterations of a loop that are a thread's: how far behind its beginning, and every how
    many; with a `run`, so many that follow one another."""

    first: SSAValue
    step: SSAValue
    run: SSAValue | None = None


Deals = Mapping[scf.ForOp, Deal]
"""Of loops that are dealt out, what a thread has of them."""


def use_atomics(accumulations: Sequence[Accumulation]) -> None:
    """Let iterations that meet in memory combine there in one step."""
    for each in accumulations:
        op = AtomicOp(each.monoid, each.value, each.store.memref, each.store.indices)
        op.location = each.store.location
        block = each.store.parent
        assert block is not None
        block.insert_op_before(op, each.store)
        for old in (each.store, each.combine, each.load):
            old.detach()
            old.erase()


@dataclass
class GridMapping:
    """Writes the kernels of one function."""

    launches: LaunchWriter
    left: Values = field(default_factory=Values)

    def kernel(self, source: Operation) -> KernelWriter:
        """Begin the next kernel."""
        return KernelWriter(self.launches.next_name(), source, self.left, self.launches.arguments)

    def points(self, nest: Nest) -> None:
        """A thread for each point, or for every so many."""
        kernel = self.kernel(nest.loops[0])
        inside: Values = {}
        tables = make_tables(kernel, nest.accumulations) if nest.accumulations else ()
        # What blocks have in tables is combined as often as there are blocks.
        most = MOST_PARTIALS if tables else None
        use_atomics(nest.accumulations)
        if len(nest.loops) == 1:
            (loop,) = nest.loops
            deals = _deal_in_line(kernel, loop)
            self.dealt(kernel, kernel.body, loop, deals, inside)
            use_tables(kernel, tables)
            per = THREADS * _ROUNDS if tables else THREADS
            blocks = self.launches.blocks(self.launches.count(loop), per, most)
            self.launches.launch(kernel, (blocks, None))
            return
        *outer, inner = nest.loops
        together = _rows_together(nest)
        along, across = self.launches.count(inner), self.launches.counts(outer)
        width = self.launches.width(along)
        is_plane = len(nest.loops) == 2
        if together:
            exponent, limit = PLANE if is_plane else BOX
            width, most = self.launches.width(along, exponent), most or limit
        by_rows = bool(together) and is_plane and along is not None and across is not None
        x, y, threads, stride = _deal_in_plane(kernel, width, by_rows=by_rows)
        box = _extents(kernel, kernel.body, outer)
        count = box[0]
        for extent in box[1:]:
            count = kernel.body.product(count, extent)
        if together:
            groups = _run_length(kernel.body, count, kernel.body.index(together))
            several = _SeveralRows(self, kernel, nest, together, count, box[-1])
            several.write((y, groups, stride), Deal(x, threads))
        else:

            def row(e: IndexWriter, number: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
                self.place(kernel, e, outer, number, inside, inner)
                self.dealt(kernel, e, inner, {inner: Deal(x, threads)}, inside)
                return []

            kernel.body.loop(y, count, stride, [], row, "row")
        use_tables(kernel, tables)
        host = self.launches.host
        if across is not None and together:
            across = _run_length(host, across, host.index(together))
        grid = self.launches.plane(across, inner, width, most, by_rows=by_rows)
        self.launches.launch(kernel, grid)

    def rows(self, nest: Nest, chains: Sequence[Chain]) -> None:
        """A group of threads for each row, as many as the rows are long; of long ones a block."""
        launches, together = self.launches, min(map(_side_by_side_in, chains))
        length = launches.length(nest, chains[0], entries_of(chains[0]))
        if length is None:
            lanes = launches.width(None)
            self._grouped_rows(nest, chains, together, lanes)
            return
        host = launches.host
        is_long = host.compare(length, "sge", host.index(LONG_ROW))
        each = _run_length(host, length, host.index(together))
        if launches.count(chains[0].inner) is None:
            # Neighbours in a sparse row read a vector at places far apart: few threads with several
            # rounds are as good for that, and have less to join.
            share = _run_length(host, length, host.index(together * ROUNDS_OF_ENTRIES))
            each = host.greatest(share, host.least(each, host.index(FEWEST_LANES)))

        def grouped() -> None:
            self._grouped_rows(nest, chains, together, launches.width(each))

        blocks = launches.inside(lambda: self._block_rows(nest, chains, together))
        host.put(scf.IfOp(is_long, [], blocks, launches.inside(grouped)))

    def _block_rows(self, nest: Nest, chains: Sequence[Chain], together: int) -> None:
        """A block for each row."""
        kernel = self.kernel(nest.loops[0])
        e = kernel.body
        lane = kernel.thread()

        def row(e: IndexWriter, number: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            self._row(kernel, e, nest, chains, number, _Group(lane, e.index(THREADS), together))
            e.put(gpu.BarrierOp())
            return []

        count = self._count(kernel, nest)
        e.loop(kernel.block_number(), count, kernel.blocks(), [], row, "row")
        blocks = self.launches.blocks(self.launches.counts(nest.loops), 1)
        self.launches.launch(kernel, (blocks, None))

    def _grouped_rows(
        self, nest: Nest, chains: Sequence[Chain], together: int, lanes: SSAValue
    ) -> None:
        """A group of threads of a warp for each row, of so many as a power of two has."""
        kernel = self.kernel(nest.loops[0])
        e = kernel.body
        exponent = kernel.parameter(lanes, "exponent")
        row_in_block, lane = e.split(kernel.thread(), exponent)
        group = e.power(exponent)
        lane.name_hint, group.name_hint = "lane", "lanes"
        count = self._count(kernel, nest)
        per = e.add(arith.ShRUIOp(e.index(THREADS), exponent))
        last = e.difference(count, e.index(1))

        def rows(e: IndexWriter, first: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            # All threads of a warp take part in its shuffles, also where there is no row.
            wanted = e.sum(first, row_in_block)
            is_row = e.compare(wanted, "slt", count)
            threads = _Group(lane, group, together, in_warp=True)
            self._row(kernel, e, nest, chains, e.least(wanted, last), threads, is_row)
            return []

        start = e.product(kernel.block_number(), per)
        e.loop(start, count, e.product(kernel.blocks(), per), [], rows, "first")
        host = self.launches.host
        per_block = host.add(arith.ShRUIOp(host.index(THREADS), lanes))
        blocks = self.launches.blocks(self.launches.counts(nest.loops), per_block)
        self.launches.launch(kernel, (blocks, None))

    def _count(self, kernel: KernelWriter, nest: Nest) -> SSAValue:
        """Return how many rows there are."""
        return reduce(kernel.body.product, _extents(kernel, kernel.body, nest.loops))

    def _row(
        self,
        kernel: KernelWriter,
        e: IndexWriter,
        nest: Nest,
        chains: Sequence[Chain],
        number: SSAValue,
        threads: _Group,
        is_row: SSAValue | None = None,
    ) -> None:
        """Append what threads do for a row: each folds a part, the first one stores."""
        inside: Values = {}
        self.place(kernel, e, nest.loops, number, inside)
        outer = {chain.outer: chain for chain in chains}
        stores: list[Operation] = []
        for op in nest.body.ops:
            if op in outer:
                chain = outer[op]  # pyright: ignore
                deals = {chain.inner: Deal(threads.lane, threads.size)}
                if chain.in_order:
                    loop = chain.inner
                    run = self._run(e, kernel, loop, threads.lane, threads.size, inside)
                    deals = {loop: run}
                parts = self._folded(kernel, e, chain, deals, inside, threads.together, whole=True)
                self._bind(kernel, e, chain, threads.met(kernel, e, chain, parts), inside)
            elif isinstance(op, memref.StoreOp):
                stores.append(op)
            elif not isinstance(op, scf.YieldOp):
                kernel.copy(op, e, inside)
        is_first = e.compare(threads.lane, "eq", e.index(0))

        def store(e: IndexWriter) -> None:
            for op in stores:
                kernel.copy(op, e, inside)

        stores_it = is_first if is_row is None else e.add(arith.AndIOp(is_row, is_first))
        e.branch(stores_it, store)

    def total(self, chain: Chain, behind: Sequence[Operation]) -> None:
        """Two kernels: what each block folds, and all of that, with what stands `behind` it."""
        kernel = self.kernel(chain.outer)
        if len(chain.loops) == 1 or chain.in_order:
            deals = _deal_in_line(kernel, chain.outer)
            if chain.in_order:
                deal = deals[chain.outer]
                deals = {
                    chain.outer: self._run(
                        kernel.body, kernel, chain.outer, deal.first, deal.step, {}
                    )
                }
            count = self.launches.count(chain.outer)
            grid = self.launches.blocks(count, THREADS, FOLD_BLOCKS), None
            number = kernel.block_number()
        else:
            width = self.launches.width(self.launches.count(chain.inner))
            x, y, threads, stride = _deal_in_plane(kernel, width)
            deals = {chain.outer: Deal(y, stride), chain.inner: Deal(x, threads)}
            outer = self.launches.counts([chain.outer])
            grid = self.launches.plane(outer, chain.inner, width, FOLD_BLOCKS)
            before = kernel.body.product(kernel.block_number("y"), kernel.blocks())
            number = kernel.body.sum(before, kernel.block_number())
        partials = [
            self.launches.allocate(type, FOLD_BLOCKS, "partials")
            for type in element_types(chain.folds)
        ]
        together = _side_by_side_in(chain)
        parts = self._folded(kernel, kernel.body, chain, deals, {}, together)

        def leave(e: IndexWriter, totals: Sequence[SSAValue]) -> None:
            for total, buffer in zip(totals, partials, strict=True):
                e.put(memref.StoreOp.get(total, kernel.take(buffer), [number]))

        fold_in_block(kernel, chain.folds, parts, leave)
        self.launches.launch(kernel, grid)
        self._finish(chain, partials, grid, behind)

    def _finish(
        self,
        chain: Chain,
        partials: Sequence[SSAValue],
        grid: tuple[SSAValue, SSAValue | None],
        behind: Sequence[Operation],
    ) -> None:
        """One block folds what others have left, and does what stands behind the fold."""
        results = [
            self.launches.allocate(type, None, "folded") for type in element_types(chain.folds)
        ]
        kernel = self.kernel(chain.outer)
        host = self.launches.host
        many = grid[0] if grid[1] is None else host.product(grid[0], grid[1])
        e = kernel.body
        count = kernel.parameter(many, "count")

        def step(e: IndexWriter, number: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            loads = [e.add(memref.LoadOp.get(kernel.take(buffer), [number])) for buffer in partials]
            return joined(e, chain.folds, held, loads)

        neutral = identities(e, chain.folds)
        begin, end, stride = kernel.thread(), count, e.index(THREADS)
        if chain.in_order:
            run = _run_length(e, count, stride)
            begin = e.product(begin, run)
            end, stride = e.least(e.sum(begin, run), count), e.index(1)
        parts = e.loop(begin, end, stride, neutral, step, "number")

        def leave(e: IndexWriter, totals: Sequence[SSAValue]) -> None:
            inside: Values = {}
            self._bind(kernel, e, chain, totals, inside)
            for old, buffer in zip(chain.outer.results, results, strict=True):
                e.put(memref.StoreOp.get(inside[old], kernel.take(buffer), []))
            for op in behind:
                kernel.copy_with_sources(op, e, inside)

        fold_in_block(kernel, chain.folds, parts, leave)
        one = host.index(1)
        self.launches.launch(kernel, (one, None))
        self.left.update(zip(chain.outer.results, results, strict=True))

    def single(self, ops: Sequence[Operation]) -> None:
        """One thread does what stands between loops."""
        kernel = self.kernel(ops[0])
        inside: Values = {}
        for op in ops:
            kernel.copy(op, kernel.body, inside)
        self.launches.launch(kernel, (self.launches.host.index(1), None), (1, 1))

    # Parts of kernels

    def value(self, kernel: KernelWriter, value: SSAValue, inside: Values) -> SSAValue:
        """Return what stands for a value of the loops in a kernel."""
        return inside[value] if value in inside else kernel.take(value)

    def place(
        self,
        kernel: KernelWriter,
        e: IndexWriter,
        loops: Sequence[scf.ForOp],
        number: SSAValue,
        inside: Values,
        below: scf.ForOp | None = None,
    ) -> SSAValue:
        """Take the number of a row apart into the indices of its loops.

        What stands in these beside the next one, or the one `below` them, is copied. Returns how
        many rows along the last loop are before it.
        """
        box = _extents(kernel, kernel.first, loops)
        indices: list[SSAValue] = []
        for extent in reversed(box[1:]):
            indices.append(e.remainder(number, extent))
            number = e.quotient(number, extent)
        indices.append(number)
        held = [*loops[1:], below]
        for loop, index, inner in zip(loops, reversed(indices), held, strict=True):
            argument = loop.body.block.args[0]
            inside[argument] = e.sum(kernel.take(loop.lb), index)
            inside[argument].name_hint = argument.name_hint
            if inner is None:
                continue
            for op in loop.body.block.ops:
                if op is not inner and not isinstance(op, scf.YieldOp):
                    kernel.copy(op, e, inside)
        return indices[0]

    def dealt(
        self, kernel: KernelWriter, e: IndexWriter, loop: scf.ForOp, deals: Deals, inside: Values
    ) -> None:
        """The part of a loop without results that a thread does."""

        def point(e: IndexWriter, index: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            inside[loop.body.block.args[0]] = index
            for op in loop.body.block.ops:
                if not isinstance(op, scf.YieldOp):
                    kernel.copy(op, e, inside)
            return []

        deal = deals[loop]
        begin = e.sum(self.value(kernel, loop.lb, inside), deal.first)
        end = self.value(kernel, loop.ub, inside)
        e.loop(begin, end, deal.step, [], point, loop.body.block.args[0].name_hint)

    def _folded(
        self,
        kernel: KernelWriter,
        e: IndexWriter,
        chain: Chain,
        deals: Deals,
        inside: Values,
        together: int,
        *,
        whole: bool = False,
    ) -> list[SSAValue]:
        """Return what a thread folds of its part of the loops, so many iterations at once.

        What is left of these is at once as well if it is to be `whole`.
        """

        def level(number: int, e: IndexWriter, carried: Sequence[SSAValue]) -> list[SSAValue]:
            loop = chain.loops[number]
            below = chain.loops[number + 1] if number + 1 < len(chain.loops) else None

            def body(e: IndexWriter, index: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
                arguments = loop.body.block.args
                inside.update(zip(arguments, [index, *held], strict=True))
                for argument, value in zip(arguments[1:], held, strict=True):
                    value.name_hint = argument.name_hint
                totals: list[SSAValue] = []
                for op in loop.body.block.ops:
                    if op is below:
                        totals = level(number + 1, e, held)
                    elif isinstance(op, scf.YieldOp):
                        if below is None:
                            totals = [self.value(kernel, v, inside) for v in op.operands]
                    else:
                        kernel.copy(op, e, inside)
                return totals

            begin = self.value(kernel, loop.lb, inside)
            end = self.value(kernel, loop.ub, inside)
            deal = deals.get(loop)
            if deal is not None:
                begin = e.sum(begin, deal.first)
            if deal is not None and deal.run is not None:
                end = e.least(end, e.sum(begin, deal.run))
            hint = loop.body.block.args[0].name_hint
            stride = e.index(1) if deal is None else deal.step
            if below is None and together > 1:
                steps = _Steps(begin, end, stride, together, whole)
                return _side_by_side(e, chain.folds, steps, carried, body, hint)
            return e.loop(begin, end, stride, carried, body, hint)

        return level(0, e, identities(e, chain.folds))

    def _run(
        self,
        e: IndexWriter,
        kernel: KernelWriter,
        loop: scf.ForOp,
        number: SSAValue,
        of: SSAValue,
        inside: Values,
    ) -> Deal:
        """The iterations that follow one another of which thread `number` takes its share."""
        begin = self.value(kernel, loop.lb, inside)
        end = self.value(kernel, loop.ub, inside)
        count = e.greatest(e.difference(end, begin), e.index(0))
        run = _run_length(e, count, of)
        return Deal(e.product(number, run), e.index(1), run)

    def _bind(
        self,
        kernel: KernelWriter,
        e: IndexWriter,
        chain: Chain,
        parts: Sequence[SSAValue],
        inside: Values,
    ) -> None:
        """Let where a fold began and what threads have folded together stand for its results."""
        begun = [self.value(kernel, value, inside) for value in chain.outer.iter_args]
        totals = joined(e, chain.folds, begun, parts)
        for old, total in zip(chain.outer.results, totals, strict=True):
            inside[old] = total
            total.name_hint = old.name_hint


@dataclass
class _SeveralRows:
    """Writes what threads do, each at places of several rows that follow one another.

    Where all of these are there, along one loop, and each is where the body does what it mostly
    does (as inside, for a stencil), it is done for one after the other, without tests in between:
    so elements are loaded side by side, and once those that several rows have in common. A thread
    goes back to its other places when it is done with these, so that what it needs there takes no
    registers before.
    """

    mapping: GridMapping
    kernel: KernelWriter
    nest: Nest
    together: int
    count: SSAValue
    """How many rows there are."""
    length: SSAValue
    """How many of them are along one loop."""

    def write(self, rows: tuple[SSAValue, SSAValue, SSAValue], deal: Deal) -> None:
        """Append the loops over groups of rows, and along them, of a thread."""
        e = self.kernel.body

        def mostly(e: IndexWriter, group: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            return self._along(e, group, deal, held, self._together)

        def otherwise(e: IndexWriter, group: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            return self._along(e, group, deal, [], self._one_by_one)

        none = e.add(arith.ConstantOp(IntegerAttr(0, i1)))
        (left,) = e.loop(*rows, [none], mostly, "rows")

        def go_back(e: IndexWriter) -> None:
            e.loop(*rows, [], otherwise, "rows")

        e.branch(left, go_back)

    def _along(
        self,
        e: IndexWriter,
        number: SSAValue,
        deal: Deal,
        held: Sequence[SSAValue],
        write: Callable[[IndexWriter, _Place, Sequence[SSAValue]], list[SSAValue]],
    ) -> list[SSAValue]:
        """Append the loop along the rows of a group."""
        *outer, inner = self.nest.loops
        first = e.product(number, e.index(self.together))
        begin: Values = {}
        along = self.mapping.place(self.kernel, e, outer, first, begin, inner)
        limit = self.count if len(outer) == 1 else self.length
        are_there = e.compare(e.sum(along, e.index(self.together)), "sle", limit)

        def point(e: IndexWriter, index: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            rows = [self._row(e, begin, number, index) for number in range(self.together)]
            tests = [test for row in rows if (test := self._before(e, row)) is not None]
            all_ = reduce(lambda total, test: e.add(arith.AndIOp(total, test)), tests, are_there)
            return write(e, _Place(first, index, rows, all_), held)

        start = e.sum(self.mapping.value(self.kernel, inner.lb, begin), deal.first)
        end = self.mapping.value(self.kernel, inner.ub, begin)
        return e.loop(start, end, deal.step, held, point, inner.body.block.args[0].name_hint)

    def _together(self, e: IndexWriter, place: _Place, held: Sequence[SSAValue]) -> list[SSAValue]:
        """Append what is done with all rows; return whether a thread has left any so far."""

        def bodies(e: IndexWriter) -> list[SSAValue]:
            choice = last_choice(self.nest)
            block = self.nest.body if choice is None else choice.true_region.block
            for row in place.rows:
                self._copy(e, block, row)
            return list(held)

        some = e.add(arith.ConstantOp(IntegerAttr(1, i1)))
        return e.choice(place.is_whole, bodies, [some])

    def _one_by_one(self, e: IndexWriter, place: _Place, _: Sequence[SSAValue]) -> list[SSAValue]:
        """Append what is done with rows that were left."""
        *outer, inner = self.nest.loops

        def single(e: IndexWriter, number: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            row: Values = {}
            self.mapping.place(self.kernel, e, outer, number, row, inner)
            row[inner.body.block.args[0]] = place.index
            self._copy(e, inner.body.block, row)
            return []

        def rows(e: IndexWriter) -> None:
            last = e.least(e.sum(place.first, e.index(self.together)), self.count)
            e.loop(place.first, last, e.index(1), [], single, "row")

        all_ = e.add(arith.ConstantOp(IntegerAttr(1, i1)))
        e.branch(e.add(arith.XOrIOp(place.is_whole, all_)), rows)
        return []

    def _row(self, e: IndexWriter, begin: Values, number: int, index: SSAValue) -> Values:
        """Append what stands around the last loop in one of the rows."""
        *outer, inner = self.nest.loops
        row: Values = {}
        for loop in outer:
            row[loop.body.block.args[0]] = begin[loop.body.block.args[0]]
        argument = outer[-1].body.block.args[0]
        if number:
            row[argument] = e.sum(row[argument], e.index(number))
        row[inner.body.block.args[0]] = index
        for loop, below in zip(outer, [*outer[1:], inner], strict=True):
            for op in loop.body.block.ops:
                if op is not below and not isinstance(op, scf.YieldOp):
                    self.kernel.copy(op, e, row)
        return row

    def _before(self, e: IndexWriter, row: Values) -> SSAValue | None:
        """Append what stands before the choice that a body ends with; return what decides it."""
        choice = last_choice(self.nest)
        if choice is None:
            return None
        for op in self.nest.body.ops:
            if op is not choice and not isinstance(op, scf.YieldOp):
                self.kernel.copy(op, e, row)
        return self.mapping.value(self.kernel, choice.cond, row)

    def _copy(self, e: IndexWriter, block: Block, row: Values) -> None:
        """Append the ops of a block at one row."""
        for op in block.ops:
            if not isinstance(op, scf.YieldOp):
                self.kernel.copy(op, e, row)


@dataclass(frozen=True)
class _Place:
    """A place along several rows: the first of these, the index along them, what stands for the
    loops' values in each, and whether all are done together."""

    first: SSAValue
    index: SSAValue
    rows: Sequence[Values]
    is_whole: SSAValue


def _rows_together(nest: Nest) -> int:
    """Return how many rows a thread has side by side: more of what loads little; 0 for none.

    It is for bodies that are a choice, what they mostly do or something else.
    """
    choice = last_choice(nest)
    if choice is None or any(isinstance(op, scf.ForOp | scf.WhileOp) for op in nest.body.walk()):
        return 0
    if any(is_within(bound, nest.loops[0]) for bound in nest.loops[-1].operands[:2]):
        return 0
    block = choice.true_region.block
    if sum(isinstance(op, memref.StoreOp) for op in block.walk()) > 1:
        return 1
    loads = [op for op in block.walk() if isinstance(op, memref.LoadOp)]
    rows = next(rows for most, rows in ROWS_TOGETHER if len(loads) <= most)
    shifts = row_shifts(loads, nest.loops[-2].body.block.args[0])
    held, twice = (_held(shifts, many) for many in (rows, 2 * rows))
    while rows < MOST_ROWS and (
        twice <= FEW_HELD or (twice <= MOST_HELD and 5 * twice <= 8 * held)
    ):
        rows *= 2
        held, twice = twice, _held(shifts, 2 * rows)
    return rows


def _held(shifts: Iterable[Collection[int]], rows: int) -> int:
    """Return how many elements so many rows load, which have some in common."""
    return sum(len({n + row for n in shift for row in range(rows)}) for shift in shifts)


@dataclass(frozen=True)
class _Steps:
    """Where a thread begins and ends in a loop, how far it steps, and how many of that at once."""

    begin: SSAValue
    end: SSAValue
    stride: SSAValue
    together: int
    whole: bool
    """Whether those that are left are done at once too, which computes some for nothing."""


Step = Callable[[IndexWriter, SSAValue, Sequence[SSAValue]], Sequence[SSAValue]]
"""Writes an iteration, given its index and what it carries; returns the latter."""


def _side_by_side(
    e: IndexWriter,
    folds: Folds,
    steps: _Steps,
    carried: Sequence[SSAValue],
    body: Step,
    hint: str | None,
) -> list[SSAValue]:
    """Append a loop that folds several iterations at once, each on its own: they load together.

    What is left of the iterations is folded one by one, or at once. So which are joined with which
    depends on how many there are alone.
    """
    width, many = len(carried), steps.together
    ahead = e.product(steps.stride, e.index(many - 1))
    wide = e.sum(ahead, steps.stride)

    def several(e: IndexWriter, index: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
        *parts, _ = held
        made: list[SSAValue] = []
        place = index
        for number in range(many):
            made += body(e, place, parts[number * width : (number + 1) * width])
            place = e.sum(place, steps.stride)
        return [*made, place]

    start = [*carried, *(identities(e, folds) * (many - 1)), steps.begin]
    last = e.difference(steps.end, ahead)
    *parts, rest = e.loop(steps.begin, last, wide, start, several, hint)
    if steps.whole:
        parts = _rest_at_once(e, steps, rest, parts, body)
    else:
        parts[:width] = e.loop(rest, steps.end, steps.stride, parts[:width], body, hint)
    shares = [parts[k * width : (k + 1) * width] for k in range(many)]
    while len(shares) > 1:
        pairs = zip(shares[::2], shares[1::2], strict=True)
        shares = [joined(e, folds, left, right) for left, right in pairs]
    return list(shares[0])


def _rest_at_once(
    e: IndexWriter, steps: _Steps, rest: SSAValue, parts: Sequence[SSAValue], body: Step
) -> list[SSAValue]:
    """Append the iterations from `rest` on; those behind the end do the first again, for nothing.

    Few are left in each of many short rows: to wait once is better than to wait for each.
    """
    width = len(parts) // steps.together

    def last(e: IndexWriter) -> list[SSAValue]:
        made: list[SSAValue] = []
        place = rest
        for number in range(steps.together):
            own = parts[number * width : (number + 1) * width]
            is_in = e.compare(place, "slt", steps.end)
            folded = body(e, e.add(arith.SelectOp(is_in, place, rest)), own)
            made += chosen(e, is_in, folded, own)
            place = e.sum(place, steps.stride)
        return made

    return e.choice(e.compare(rest, "slt", steps.end), last, parts)


def _side_by_side_in(chain: Chain) -> int:
    """Return how many iterations of a fold a thread does at once: more of what loads little.

    What stores as well has enough to do, and what folds several values has less room for more.
    """
    body = chain.inner.body.block
    alone = scf.ForOp | scf.WhileOp | memref.StoreOp
    if chain.in_order or any(isinstance(op, alone) for op in body.walk()):
        return 1
    loads = sum(isinstance(op, memref.LoadOp) for op in body.walk())
    many = next(many for most, many in SIDE_BY_SIDE if loads <= most)
    return max(1, many // len(element_types(chain.folds)))


@dataclass(frozen=True)
class _Group:
    """The threads that share a row: the number of a thread among them, how many they are, and how
    many iterations each does at once. They are a block, or within a warp."""

    lane: SSAValue
    size: SSAValue
    together: int
    in_warp: bool = False

    def met(
        self, kernel: KernelWriter, e: IndexWriter, chain: Chain, parts: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """Append what joins the parts that the threads have; all of them have it then."""
        if not self.in_warp:
            return join_in_block(kernel, e, chain.folds, parts)
        total = list(parts)
        for mask in MASKS:
            reaches = e.compare(e.index(mask), "slt", self.size)
            both = exchanged(e, chain.folds, total, mask, self.lane)
            total = chosen(e, reaches, both, total)
        return total


def _extents(kernel: KernelWriter, e: IndexWriter, loops: Sequence[scf.ForOp]) -> list[SSAValue]:
    """Return how often each of some loops runs, at least never."""
    zero = e.index(0)
    return [
        e.greatest(e.difference(kernel.take(loop.ub), kernel.take(loop.lb)), zero) for loop in loops
    ]


def _run_length(e: IndexWriter, count: SSAValue, shares: SSAValue) -> SSAValue:
    """Return how many of `count` things each of some shares has at most."""
    return e.quotient(e.sum(count, e.difference(shares, e.index(1))), shares)


def _deal_in_line(kernel: KernelWriter, loop: scf.ForOp) -> Deals:
    """Deal the iterations of a loop out to all threads of the grid."""
    e = kernel.body
    size = e.index(THREADS)
    first = e.sum(e.product(kernel.block_number(), size), kernel.thread())
    return {loop: Deal(first, e.product(kernel.blocks(), size))}


def _deal_in_plane(
    kernel: KernelWriter, width: SSAValue, *, by_rows: bool = False
) -> tuple[SSAValue, SSAValue, SSAValue, SSAValue]:
    """Deal a block out as rows of threads, of a width that is an exponent of two.

    Returns where a thread is along the rows and across them, in the grid, and how many threads the
    grid has along them and across them. Blocks that follow one another are neighbours across rows
    or, `by_rows`, along them.
    """
    e = kernel.body
    exponent = kernel.parameter(width, "exponent")
    y, x = e.split(kernel.thread(), exponent)
    here = e.power(exponent)
    rows = e.add(arith.ShRUIOp(e.index(THREADS), exponent))
    along, across = ("x", "y") if by_rows else ("y", "x")
    x = e.sum(e.product(kernel.block_number(along), here), x)
    y = e.sum(e.product(kernel.block_number(across), rows), y)
    x.name_hint, y.name_hint = "x", "y"
    threads = e.product(kernel.blocks(along), here)
    return x, y, threads, e.product(kernel.blocks(across), rows)
