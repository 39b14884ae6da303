"""A new sparse format is one row of the table, and a file with its two classes.

ELL keeps the indices of lists that are all of one length, and so needs no starts: as the k nearest
neighbours of each point, or the features of each sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2, prod
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from typing_extensions import override
from xdsl.dialects import arith
from xdsl.ir import SSAValue

import diablo
from diablo.diagnostics import InputError
from diablo.format_table import FORMATS, Format, Vector
from diablo.lowering.sparse_storage import kernel_form as kernel_forms
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.runtime.arrays.patterns import form as runtime_forms
from diablo.runtime.arrays.patterns.boxes import Array, index_type
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.layout import parse
from diablo.runtime.arrays.patterns.pattern_slices import slice_at
from diablo.runtime.arrays.patterns.statistics import Statistics
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tile_buffers import buffers
from fuzzing.trial import Trial, Way

ELL = Format(
    "ell",
    (Vector("indices", "entry", "place", "index in {rest}"),),
    f"{__name__}:Ell",
    f"{__name__}:EllLoops",
    touches=lambda s: 1 + log2(1 + s.longest),
    can_hold=lambda s: 0 < s.count == s.lists * s.longest,
    finds_lists=True,
)


class Ell(runtime_forms.Form):
    """The form of a running program."""

    name = "ell"

    def __init__(self, shape: tuple[int, ...], list_rank: int, indices: Array):
        self.shape = shape
        self.list_rank = list_rank
        self.indices = indices

    @classmethod
    def of_pattern(cls, flat: Array, statistics: Statistics, width: int = 0) -> Ell:
        s = statistics
        indices = (flat % s.length).astype(index_type(s.length, width))
        return cls(s.shape, s.list_rank, indices)

    def measured(self) -> Statistics:
        lists = prod(self.shape[: self.list_rank])
        return Statistics(self.shape, self.list_rank, self.count, lists, self.count // lists, None)

    @property
    def count(self) -> int:
        return len(self.indices)

    def vectors(self) -> dict[str, Array]:
        return {"indices": self.indices}

    def places(self, list_rank: int) -> Array | None:
        return self.indices if list_rank == self.list_rank else None

    def as_lists(self, list_rank: int) -> Compressed | None:
        if list_rank != self.list_rank:
            return None
        lists = prod(self.shape[:list_rank])
        starts = np.arange(lists + 1, dtype=self.indices.dtype) * (self.count // lists)
        return Compressed(self.shape, list_rank, starts, self.indices)

    def positions(self) -> Array:
        return self.positions_of(np.arange(self.count))

    def positions_of(self, entries: Array) -> Array:
        lists, length = prod(self.shape[: self.list_rank]), prod(self.shape[self.list_rank :])
        row = entries // (self.count // lists)
        return row * length + self.indices.take(entries)

    def find(self, flat: Array) -> Array:
        place = np.minimum(self.lower_bound(flat), self.count - 1)
        return np.where(self.positions_of(place) == flat, place, -1)

    def lower_bound(self, flat: Array) -> Array:
        return np.searchsorted(self.positions(), flat)


@dataclass
class EllLoops(kernel_forms.Form):
    """The form in kernels."""

    list_rank: int
    indices: SSAValue

    @override
    @classmethod
    def over(cls, extents: Any, list_rank: int, vectors: Values) -> EllLoops:
        return cls(extents, list_rank, *vectors)

    @override
    def count(self, e: Emitter) -> SSAValue:
        return e.length(self.indices)

    def _width(self, e: Emitter) -> SSAValue:
        """Return how many entries each list has; there is a list wherever there is an entry."""
        lists = e.index(1)
        for extent in self.extents[: self.list_rank]:
            lists = e.multiply(lists, extent)
        return e.value(arith.DivUIOp(self.count(e), e.maximum(lists, e.index(1))))

    @override
    def flat_at(self, e: Emitter, entry: SSAValue) -> SSAValue:
        row = e.value(arith.DivUIOp(entry, e.maximum(self._width(e), e.index(1))))
        for extent in self.extents[self.list_rank :]:
            row = e.multiply(row, extent)
        return e.add(row, e.load(self.indices, entry))

    @override
    def range_of(self, e: Emitter, prefix: Values) -> tuple[SSAValue, SSAValue]:
        if not prefix or len(prefix) > self.list_rank:
            return super().range_of(e, prefix)
        first, last = e.span(prefix, self.extents[: self.list_rank])
        width = self._width(e)
        return e.multiply(first, width), e.multiply(last, width)


@pytest.fixture(autouse=True)
def row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "ell", ELL)


def neighbours(rows: int, columns: int, count: int) -> sparse.csr_array[Any]:
    """Equally many entries in each row."""
    rng = np.random.default_rng(7)
    array = np.zeros((rows, columns))
    for values in array:
        values[rng.choice(columns, count, replace=False)] = rng.integers(1, 9, count)
    return sparse.csr_array(array)


INPUTS = "input A: matrix[Double]; input B: matrix[Double]; input x: vector[Double];"
PROGRAM = """
def size(M: matrix[Double]): Int = M.rows;
var y = tensor*(size(A))[ (i, +/v) | ((i,j),a) <- A, (k,b) <- x, k == j, let v = a*b, group by i ];
var C = tensor*(A.cols)[ (j, max/a) | ((i,j),a) <- A, group by j ];
(y, C, A * 2.0, A + B, A * B, A.t, A @ B.t, A[1,2],
 [ (i,j,a) | ((i,j),a) <- A, a > 4.0 ], max/[ a | ((i,j),a) <- A, i == 2 ])
"""


def values() -> dict[str, Any]:
    uneven = sparse.csr_array(np.triu(np.arange(42.0).reshape(6, 7) % 5))
    return {"A": neighbours(6, 7, 3), "B": uneven, "x": np.arange(7.0)}


def _tile(array: Any) -> SparseTile:
    return SparseTile.from_dense(array.toarray(), 1)


def test_a_pattern_that_it_can_hold_is_stored_so() -> None:
    tile = _tile(neighbours(6, 7, 3)).with_layout(parse("form = ell, width = 32"))
    assert (tile.pattern.form.name, tile.pattern.form.nbytes) == ("ell", 4 * 18)
    assert tile.pattern.form.touches() == 1 + log2(1 + 3)
    np.testing.assert_array_equal(tile.toarray(), neighbours(6, 7, 3).toarray())
    uneven = _tile(values()["B"]).with_layout(parse("form = ell"))
    assert uneven.pattern.form.name != "ell"
    chosen = _tile(neighbours(6, 7000, 3)).with_layout(parse("form = auto"))
    assert chosen.pattern.form.name == "ell", "it takes the fewest bytes"


def test_it_is_searched_sliced_and_turned_by_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = neighbours(6, 7, 3)
    dense = matrix.toarray()
    ell = _tile(matrix).with_layout(parse("form = ell, width = 32")).pattern
    assert ell.compressed(1).indices is ell.form.vectors()["indices"]
    assert ell.find_one((2, 0)) == ell.lookup([np.array([2]), np.array([0])])[0]
    row, column = slice_at(ell, {0: 2}), slice_at(ell, {1: 4})
    assert row.pattern.positions().tolist() == np.flatnonzero(dense[2]).tolist()
    assert column.pattern.positions().tolist() == np.flatnonzero(dense[:, 4]).tolist()
    monkeypatch.setattr(Ell, "positions", None)  # It is turned as compressed rows are.
    assert ell.turned((1, 0)).form.positions().tolist() == np.flatnonzero(dense.T).tolist()


def test_kernels_that_want_other_lists_get_them() -> None:
    cube = np.arange(1.0, 25).reshape(2, 3, 4)
    tile = SparseTile.from_dense(cube, 1).with_layout(parse("form = ell"))
    assert tile.pattern.form.list_rank == 1
    by_two = tile.with_dense_rank(2)
    assert by_two.pattern.form.list_rank == 2
    np.testing.assert_array_equal(by_two.toarray(), cube)
    found = buffers(SparseTile(cube.shape, 2, tile.pattern, tile.elements), parse("form = ell"))
    assert found is not None
    assert found[0].max() == 3, "places in lists of two dimensions"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("layout", ["form = ell", "form = ell, orders = [[0, 1], [1, 0]]"])
def test_programs_mean_the_same(layout: str) -> None:
    ways = [Way(layout=layout, compile=mode) for mode in ("always", "never")]
    ways.append(Way(layout=layout, whole=True, compile="always", block_sizes=(None,)))
    outcome = Trial(INPUTS + PROGRAM, values()).run(ways)
    assert outcome.verdict == "same", outcome


def test_machine_code_goes_through_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    asked: list[str] = []
    range_of = EllLoops.range_of

    def noted(self: EllLoops, e: Emitter, prefix: Values) -> tuple[SSAValue, SSAValue]:
        asked.append("rows" if prefix else "all")
        return range_of(self, e, prefix)

    monkeypatch.setattr(EllLoops, "range_of", noted)
    text = "tensor*(A.rows)[ (i, +/v) | ((i,j),a) <- A, let v = a*a, group by i ]"
    A = neighbours(60, 70, 5)
    program = diablo.compile(f"input A: matrix[Double]; {text}", layout="form = ell")
    np.testing.assert_allclose(program(A=A).to_numpy(), (A.toarray() ** 2).sum(1))
    assert "rows" in asked
    report = program.explain()
    assert "layout: form = ell" in report
    assert "first entry of each row" not in report.split("together")[0]


def test_wrong_words_name_it() -> None:
    with pytest.raises(InputError, match=r"compressed .*, ell, got elll"):
        diablo.compile("input A: matrix[Double]; A", layout="form = elll")
