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
from dataclasses import dataclass, field, replace
from itertools import combinations

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Operation, SSAValue

from diablo.dialects.access_maps import LinearIndex
from diablo.dialects.tensor_block import GenerateOp
from diablo.lowering.llvm.linear_terms import Coefficient, LinearSum, LinearSums
from diablo.lowering.llvm.loop_plan import IterationOps, LoopPlan

LEAST_SAVING = 2
"""How many additions per point a row of sums has to save."""
MOST_LINES = 8
"""How many rows of sums there may be at once: they should stay in the nearest cache."""
WIDEST = 64
"""How far apart a row of sums may be read."""

Row = tuple[SSAValue, tuple[LinearIndex, ...]]
"""An array, and the indices of all of its axes but the last."""
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

    sum: LinearSum
    groups: list[tuple[Coefficient, list[Source]]]


@dataclass
class LineSums:
    """What is computed once per row, and the sums that use it. `saved` of `additions` are."""

    lines: list[Line]
    sums: dict[Operation, PlannedSum]
    factors: Sequence[SSAValue]
    additions: int
    saved: int
    inside: set[Operation] = field(default_factory=set[Operation])

    def __post_init__(self) -> None:
        self.inside = {op for planned in self.sums.values() for op in planned.sum.inside}


def find_line_sums(
    op: IterationOps, plan: LoopPlan, ops: Sequence[Operation], d: int
) -> LineSums | None:
    """The sums among `ops`, of the body of `op`, that are better computed by rows along `d`."""
    if isinstance(op, GenerateOp):
        return None
    rank = len(op.extents)
    arguments = op.body.block.args
    elements = arguments[rank:]
    varying = [
        *arguments[:rank],
        *(
            e
            for e, axes in zip(elements, plan.inputs, strict=True)
            if any(a.dimensions for a in axes)
        ),
    ]
    reads: dict[SSAValue, tuple[Row, LinearIndex, int]] = {}
    numbers: dict[tuple[Row, LinearIndex], int] = {}
    for number, (element, axes) in enumerate(zip(elements, plan.inputs, strict=True)):
        if not axes or not isinstance(element.type, AnyFloat):
            continue
        *outer, last = axes
        if dict(last.dimensions).get(d, 0) < 1 or any(d in dict(o.dimensions) for o in outer):
            continue
        row = op.inputs[number], tuple(outer)
        index = replace(last, constant=0)
        if not last.symbols and len(last.dimensions) == 1:
            # In the middle of the row, the remainder is the index itself.
            index = replace(index, period=None)
        reads[element] = row, index, last.constant
        numbers.setdefault((row, index), number)
    linear = LinearSums(ops, varying)
    sums = linear.find()
    search = _Search(sums, reads, numbers, d)
    search.run()
    if not search.lines:
        return None
    lines = [
        Line(tuple(numbers[row, index] for row in rows), index, min(offsets), max(offsets))
        for (index, rows), offsets in search.lines.items()
    ]
    planned: dict[Operation, PlannedSum] = {}
    for number, one in enumerate(sums):
        assert isinstance(one.root.owner, Operation)
        if any(isinstance(source, LineRead) for _, source in search.others[number]):
            planned[one.root.owner] = PlannedSum(one, search.groups(number))
    additions = sum(one.additions for one in sums)
    return LineSums(lines, planned, linear.factors, additions, search.saved)


class _Search:
    """Takes what saves most out of the sums, until nothing saves enough."""

    def __init__(
        self,
        sums: Sequence[LinearSum],
        reads: dict[SSAValue, tuple[Row, LinearIndex, int]],
        numbers: dict[tuple[Row, LinearIndex], int],
        d: int,
    ):
        self.numbers = numbers
        self.d = d
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
        """What groups are, or two of them have in common."""
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
        return sorted(self.numbers[row, index] for row in rows)

    def _saving(self, index: LinearIndex, rows: frozenset[Row]) -> int:
        """Additions per point: the line itself is computed at every place along the row."""
        offsets = [o for i, o, group in self._groups() if i == index and rows <= group]
        if not offsets or max(offsets) - min(offsets) > WIDEST:
            return 0
        every = dict(index.dimensions)[self.d]
        return (len(offsets) - every) * (len(rows) - 1)

    def _take(self, index: LinearIndex, rows: frozenset[Row]) -> None:
        key = index, tuple(sorted(rows, key=lambda row: self.numbers[row, index]))
        offsets = self.lines.setdefault(key, [])
        line = list(self.lines).index(key)
        for number, groups in enumerate(self.rows):
            for (coefficient, own, offset), group in groups.items():
                if own == index and rows <= group.keys():
                    offsets.append(offset)
                    self.others[number].append((coefficient, LineRead(line, offset)))
                    for row in rows:
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
