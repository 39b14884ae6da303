"""How the function is written that launches kernels: grids by extents, buffers for what they leave.

%n = memref.dim %A, %zero
%blocks = the least of ceil(%n / 256) and 65536, at least 1
gpu.launch_func @k_kernels::@k_0 …(%blocks, 1, 1) (32, 8, 1) (%A, %n)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, SymbolRefAttr
from xdsl.ir import Attribute, BlockArgument, Operation, Region, SSAValue

from diablo.dialects.simt import WARP_SIZE, LookOp
from diablo.lowering.gpu.kernel_writer import (
    THREADS,
    WARPS,
    IndexWriter,
    KernelWriter,
    can_compute_again,
)
from diablo.lowering.gpu.loop_structure import Chain, Nest, is_within
from diablo.passes.analyses.refused import Refused

_HIGHEST = 65535
"""How many blocks a grid has at most in its second dimension."""
_MOST_BLOCKS = 1 << 16
"""How many blocks a grid has at most along each dimension: threads of it take several points."""
_WARP_EXPONENT = WARP_SIZE.bit_length() - 1
_BLOCKS_UNKNOWN = 1 << 10
"""How many it has where how much there is to do is known on the device alone."""


@dataclass
class LaunchWriter:
    """Writes launches at the end of a block; `arguments` are what stands for the function's own
    and for what is made on the way."""

    module: str
    prefix: str
    host: IndexWriter
    arguments: dict[SSAValue, SSAValue]
    kernels: list[gpu.FuncOp] = field(default_factory=list[gpu.FuncOp], init=False)
    _known: dict[SSAValue, SSAValue | None] = field(
        default_factory=dict[SSAValue, SSAValue | None], init=False
    )

    def inside(self, write: Callable[[], Sequence[SSAValue] | None]) -> Region:
        """Return a block in which is what `write` appends; what it returns is all that is left."""
        outer, known = self.host, self._known
        self.host, self._known = outer.inner(), dict(known)
        left = write() or ()
        self.host.put(scf.YieldOp(*left))
        region = Region(self.host.block)
        self.host, self._known = outer, known
        return region

    def next_name(self) -> str:
        """A name for the next kernel."""
        return f"{self.prefix}_{len(self.kernels)}"

    def value(self, old: SSAValue) -> SSAValue | None:
        """A value of the function, if it is known before the kernels run."""
        if old not in self._known:
            self._known[old] = self._computed(old)
        return self._known[old]

    def _computed(self, old: SSAValue) -> SSAValue | None:
        if old in self.arguments or isinstance(old, BlockArgument):
            return self.arguments.get(old)
        owner = old.owner
        assert isinstance(owner, Operation)
        if not can_compute_again(owner):
            return None
        inside: dict[SSAValue, SSAValue] = {}
        for operand in [operand for op in owner.walk() for operand in op.operands]:
            if not is_within(operand, owner):
                value = self.value(operand)
                if value is None:
                    return None
                inside[operand] = value
        new = owner.clone(inside)
        self.host.block.add_op(new)
        return inside[old]

    def count(self, loop: scf.ForOp) -> SSAValue | None:
        """Return how often a loop runs."""
        begin, end = self.value(loop.lb), self.value(loop.ub)
        if begin is None or end is None:
            return None
        host = self.host
        return host.greatest(host.difference(end, begin), host.index(0))

    def counts(self, loops: Sequence[scf.ForOp]) -> SSAValue | None:
        """Return how often the innermost of some loops runs."""
        total: SSAValue | None = None
        for loop in loops:
            count = self.count(loop)
            if count is None:
                return None
            total = count if total is None else self.host.product(total, count)
        return total

    def blocks(
        self, count: SSAValue | None, per: SSAValue | int, most: SSAValue | int | None = None
    ) -> SSAValue:
        """Return how many blocks there are for `count` things, `per` of them each."""
        host = self.host
        limit = most if isinstance(most, SSAValue) else host.index(most or _MOST_BLOCKS)
        if count is None:
            return host.least(host.index(_BLOCKS_UNKNOWN), limit)
        each = host.index(per) if isinstance(per, int) else per
        more = host.sum(count, host.difference(each, host.index(1)))
        return host.greatest(host.least(host.quotient(more, each), limit), host.index(1))

    def plane(
        self,
        outer: SSAValue | None,
        inner: scf.ForOp,
        exponent: SSAValue,
        most: int | None,
        *,
        by_rows: bool = False,
    ) -> tuple[SSAValue, SSAValue]:
        """Return the grid of a plane: its blocks across rows and along them, `most` together.

        Blocks that follow one another are neighbours across rows or, `by_rows`, along them; of the
        others there are as many as these leave room for, and threads go round.
        """
        host = self.host
        limit = host.index(most or _MOST_BLOCKS)
        width = host.power(exponent)
        rows = host.add(arith.ShRUIOp(host.index(THREADS), exponent))
        count = self.count(inner)
        sides = [(outer, rows), (count, width)]
        if by_rows:
            sides.reverse()
        (first, per_first), (second, per_second) = sides
        x = self.blocks(first, per_first, limit)
        if first is None or second is None:
            return x, host.index(1)
        rest = host.least(host.quotient(limit, x), host.index(_HIGHEST))
        return x, self.blocks(second, per_second, rest)

    def width(self, count: SSAValue | None, most: int = _WARP_EXPONENT) -> SSAValue:
        """Return the exponent of two, at `most`, of the threads along a row of `count` points."""
        return self.host.index(_WARP_EXPONENT) if count is None else self._exponent(count, most)

    def length(self, nest: Nest, chain: Chain, entries: SSAValue | None) -> SSAValue | None:
        """Return how many elements a row has, on average, if that is known.

        `entries` is a buffer with an element for each of all rows.
        """
        host = self.host
        count = self.count(chain.inner)
        rows = self.counts(nest.loops)
        buffer = self.arguments.get(entries) if entries is not None else None
        if count is None and rows is not None and buffer is not None:
            size = host.add(memref.DimOp(buffer, host.index(0)))
            count = host.quotient(size, host.greatest(rows, host.index(1)))
        return count

    def _exponent(self, count: SSAValue, most: int = _WARP_EXPONENT) -> SSAValue:
        """That of the least power of two which is not less than `count`, `most` at most."""
        host = self.host
        found = host.index(0)
        for exponent in range(most):
            more = host.compare(count, "sgt", host.index(1 << exponent))
            found = host.add(arith.SelectOp(more, host.index(exponent + 1), found))
        return found

    def allocate(self, element: Attribute, size: int | None, hint: str) -> SSAValue:
        """A buffer on the device, of one element if no size is given."""
        type = MemRefType(element, [] if size is None else [size])
        return self.host.add(gpu.AllocOp(type), hint)

    def allocate_line(self, element: Attribute, size: SSAValue, hint: str | None) -> SSAValue:
        """A buffer on the device of so many elements as a number says that is known."""
        return self.host.add(gpu.AllocOp(MemRefType(element, [DYNAMIC_INDEX]), [size]), hint)

    def note(self, value: SSAValue) -> SSAValue:
        """Let kernels be given a value that is computed, or a buffer that is made, here."""
        self.arguments[value] = value
        return value

    def move(self, old: SSAValue, new: SSAValue) -> None:
        """Let kernels from here on be given another buffer in the place of one of the function."""
        self.arguments[old] = self._known[old] = self.note(new)

    def share(self, count: SSAValue, blocks: SSAValue) -> SSAValue:
        """Return how many of `count` things each block goes through, in rounds of its threads."""
        host = self.host
        share = host.quotient(host.sum(count, host.difference(blocks, host.index(1))), blocks)
        rounds = host.quotient(host.sum(share, host.index(THREADS - 1)), host.index(THREADS))
        return host.product(rounds, host.index(THREADS))

    def do(self, op: Operation, left: Mapping[SSAValue, SSAValue]) -> None:
        """Append what is done between kernels: memory is made, a number is waited for.

        Raises
        ------
        Refused
            If it depends on what only the device knows.
        """
        self.host.op = op
        if isinstance(op, LookOp):
            known = self.value(op.value)
            if known is None and op.value in left:
                known = self.host.add(memref.LoadOp.get(left[op.value], []), "known")
            if known is None:
                raise Refused("it waits for what no kernel has left")
            self.arguments[op.result] = self.note(known)
            return
        assert isinstance(op, memref.AllocOp)
        sizes = [self.value(size) for size in op.dynamic_sizes]
        known_sizes = [size for size in sizes if size is not None]
        if len(known_sizes) < len(sizes):
            raise Refused("how much memory it takes shows on the device alone")
        buffer = self.host.add(gpu.AllocOp(op.memref.type, known_sizes), op.memref.name_hint)
        self.arguments[op.memref] = self.note(buffer)

    def launch(
        self,
        kernel: KernelWriter,
        grid: tuple[SSAValue, SSAValue | None],
        threads: tuple[int, int] = (WARP_SIZE, WARPS),
    ) -> None:
        """Append the launch of a kernel that is written."""
        host = self.host
        one = host.index(1)
        given = [self.arguments.get(value, value) for value in kernel.arguments]
        self.kernels.append(kernel.finish(threads))
        assert all(isinstance(value.type, IndexType) for value in grid if value is not None)
        launch = gpu.LaunchFuncOp(
            SymbolRefAttr(self.module, [kernel.name]),
            [grid[0], grid[1] or one, one],
            [host.index(threads[0]), host.index(threads[1]), one],
            kernelOperands=given,
        )
        host.put(launch)
