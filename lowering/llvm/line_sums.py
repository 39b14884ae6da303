"""Sums over neighbouring rows that recur along a row, to be computed once.

In a stencil of 27 points with one coefficient per distance, the four elements beside the line
of the point, `U[i-1,j,k] + U[i+1,j,k] + U[i,j-1,k] + U[i,j+1,k]`, are summed at k - 1, k and
k + 1, and so are the four across it. As arrays of one row each, computed before the row,

    R[i,j,k] = … a1 * (U[i,j,k-1] + U[i,j,k+1] + u1[k]) + a2 * (u2[k] + u1[k-1] + u1[k+1]) …

take 12 additions instead of 26. This is the array subexpression elimination of S. J. Deitz, B. L.
Chamberlain and L. Snyder, "Eliminating Redundancies in Sum-of-Products Array Computations" (ICS
2001), along the innermost dimension: a greedy choice among what the sums have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from xdsl.ir import Operation, SSAValue

from diablo.dialects.access_maps import LinearIndex
from diablo.lowering.llvm.advancing_reads import Row, RowReads
from diablo.lowering.llvm.float_sums import Coefficient, FloatSum, FloatSums
from diablo.lowering.llvm.loop_plan import LoopPlan
from diablo.passes.analyses.loops.iterations import Iteration

LEAST_SAVING = 2
"""How many additions per point a row of sums has to save."""
MOST_LINES = 8
"""How many rows of sums there may be at once: they should stay in the nearest cache."""
WIDEST = 64
"""How far apart a row of sums may be read."""

_Place = tuple[Coefficient, LinearIndex, int]
"""What elements are multiplied with, how they advance along the row, and from where."""


@dataclass(frozen=True)
class Line:
    """The sum of some rows, read along the innermost loop at `index` and offsets from it.

    `inputs` are reads of these rows.
    """

    inputs: tuple[int, ...]
    index: LinearIndex
    low: int
    high: int


@dataclass(frozen=True)
class LineRead:
    """Line number `line` at an offset."""

    line: int
    offset: int


Source = SSAValue | LineRead


@dataclass
class PlannedSum:
    """A sum by coefficients, and the ops that it stands for."""

    sum: FloatSum
    groups: list[tuple[Coefficient, list[Source]]]


@dataclass
class LineSums:
    """What is computed once per row, and the sums that use it. `saved` of `additions` are.

    If `turning`, all that wraps around along the row is read in lines.
    """

    lines: list[Line]
    sums: dict[Operation, PlannedSum]
    factors: Sequence[SSAValue]
    additions: int
    saved: int
    turning: bool
    inside: set[Operation] = field(default_factory=set[Operation])

    def __post_init__(self) -> None:
        self.inside = {op for planned in self.sums.values() for op in planned.sum.inside}


def find_line_sums(
    op: Iteration, plan: LoopPlan, ops: Sequence[Operation], d: int
) -> LineSums | None:
    """The sums among `ops`, of the body of `op`, that are better computed by rows along `d`."""
    if not op.inputs:
        return None
    elements = op.elements
    varying = [
        *op.indices,
        *(
            e
            for e, axes in zip(elements, plan.inputs, strict=True)
            if any(a.dimensions for a in axes)
        ),
    ]
    linear = FloatSums(ops, varying)
    sums = linear.find()
    rows = RowReads(op, plan, d)
    turning = rows.turn({inner for one in sums for inner in one.inside}, linear.factors)
    search = _Search(sums, rows, d)
    search.run()
    if not search.lines:
        return None
    if turning:
        search.take_turning()
    lines = [
        Line(tuple(rows.numbers[row, index] for row in key), index, min(offsets), max(offsets))
        for (index, key), offsets in search.lines.items()
    ]
    planned: dict[Operation, PlannedSum] = {}
    for number, one in enumerate(sums):
        assert isinstance(one.root.owner, Operation)
        if any(isinstance(source, LineRead) for _, source in search.others[number]):
            planned[one.root.owner] = PlannedSum(one, search.groups(number))
    additions = sum(one.additions for one in sums)
    return LineSums(lines, planned, linear.factors, additions, search.saved, turning)


class _Search:
    """Takes what saves most out of the sums, until nothing saves enough."""

    def __init__(
        self,
        sums: Sequence[FloatSum],
        read: RowReads,
        d: int,
    ):
        self.read = read
        self.d = d
        reads = read.reads
        self.saved = 0
        self.lines: dict[tuple[LinearIndex, tuple[Row, ...]], list[int]] = {}
        self.others: list[list[tuple[Coefficient, Source]]] = []
        self.rows: list[dict[_Place, dict[Row, SSAValue]]] = []
        for sum in sums:
            rows: dict[_Place, dict[Row, SSAValue]] = {}
            others: list[tuple[Coefficient, Source]] = []
            for coefficient, value in sum.terms:
                if value not in reads:
                    others.append((coefficient, value))
                    continue
                row, index, offset = reads[value]
                group = rows.setdefault((coefficient, index, offset), {})
                if row in group:
                    others.append((coefficient, value))
                else:
                    group[row] = value
            self.rows.append(rows)
            self.others.append(others)

    def run(self) -> None:
        """Choose lines."""
        while len(self.lines) < MOST_LINES:
            best = max(self._candidates(), key=lambda c: self._saving(*c), default=None)
            if best is None or self._saving(*best) < LEAST_SAVING:
                return
            self.saved += self._saving(*best)
            self._take(*best)

    def _groups(self) -> list[tuple[LinearIndex, int, frozenset[Row]]]:
        return [
            (index, offset, frozenset(group))
            for rows in self.rows
            for (_, index, offset), group in rows.items()
        ]

    def _candidates(self) -> list[tuple[LinearIndex, frozenset[Row]]]:
        """Return what groups are, or two of them have in common."""
        by_index: dict[LinearIndex, set[frozenset[Row]]] = {}
        for index, _, group in self._groups():
            by_index.setdefault(index, set()).add(group)
        found: list[tuple[LinearIndex, frozenset[Row]]] = []
        for index, groups in by_index.items():
            common = groups | {one & other for one, other in combinations(groups, 2)}
            found += [(index, rows) for rows in common if len(rows) > 1]
        # Sets have no order of their own, but equal programs must give equal kernels.
        return sorted(found, key=lambda candidate: self._order(*candidate))

    def _order(self, index: LinearIndex, rows: frozenset[Row]) -> list[int]:
        return sorted(self.read.numbers[row, index] for row in rows)

    def _saving(self, index: LinearIndex, rows: frozenset[Row]) -> int:
        """Additions per point: the line itself is computed at every place along the row."""
        offsets = [o for i, o, group in self._groups() if i == index and rows <= group]
        if not offsets or max(offsets) - min(offsets) > WIDEST:
            return 0
        every = index.factor(self.d)
        return (len(offsets) - every) * (len(rows) - 1)

    def _take(self, index: LinearIndex, rows: frozenset[Row]) -> None:
        key = index, tuple(sorted(rows, key=lambda row: self.read.numbers[row, index]))
        offsets = self.lines.setdefault(key, [])
        line = list(self.lines).index(key)
        for number, groups in enumerate(self.rows):
            for (coefficient, own, offset), group in groups.items():
                if own == index and rows <= group.keys():
                    offsets.append(offset)
                    self.others[number].append((coefficient, LineRead(line, offset)))
                    for row in rows:
                        del group[row]

    def take_turning(self) -> None:
        """Read whatever else wraps around along the row in lines of one row each."""
        wrapped = self.read.wrapped

        def line(value: SSAValue) -> LineRead:
            row, index, offset = self.read.reads[value]
            key = index, (row,)
            self.lines.setdefault(key, []).append(offset)
            return LineRead(list(self.lines).index(key), offset)

        for groups, others in zip(self.rows, self.others, strict=True):
            for number, (coefficient, source) in enumerate(others):
                if isinstance(source, SSAValue) and source in wrapped:
                    others[number] = coefficient, line(source)
            for (coefficient, _, _), group in groups.items():
                for row, value in list(group.items()):
                    if value in wrapped:
                        others.append((coefficient, line(value)))
                        del group[row]

    def groups(self, number: int) -> list[tuple[Coefficient, list[Source]]]:
        """Sum `number` by coefficients, those of a single value that is not scaled first."""
        found: dict[Coefficient, list[Source]] = {}
        for (coefficient, _, _), group in self.rows[number].items():
            found.setdefault(coefficient, []).extend(group.values())
        for coefficient, source in self.others[number]:
            found.setdefault(coefficient, []).append(source)
        kept = [(coefficient, sources) for coefficient, sources in found.items() if sources]
        return sorted(kept, key=lambda group: group[0] != Coefficient())
