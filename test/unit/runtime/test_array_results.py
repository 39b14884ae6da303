"""The arrays that programs give: one kind, which NumPy, SciPy and pandas take."""

import pickle
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.runtime.results import DistributedArray, result_types

N = 4
DENSE = np.add.outer(np.arange(4.0), 0.5 * np.arange(4))
DIAGONAL = np.diag([0, 1, 2, 3])


@pytest.fixture(scope="module", params=[None, 3], ids=["whole", "blocks"])
def given(request: pytest.FixtureRequest) -> Any:
    program = diablo.compile(
        """input n: Int;
        var A = tensor*(n,n)[ ((i,j),i+0.5*j) | i <- 0..n-1, j <- 0..n-1 ];
        var B = tensor(n,n)[ ((i,j),i+0.5*j) | i <- 0..n-1, j <- 0..n-1 ];
        var S = tensor*(n)(n)[ ((i,i),i) | i <- 1..n-1 ];
        var T = tensor(n)(n)[ ((i,i),i) | i <- 1..n-1 ];
        var L = [ <at = i, word = "w"+i, pair = (i,0.5)> | i <- 0..n-1 ];
        var none = [ <at = i, word = "w"> | i <- 0..n-1, i > n ];
        var pairs = [ (i,"<b>") | i <- 0..n-1 ];
        var M = map*[ (i,"&") | i <- 0..n-1 ];
        (A, B, S, T, L, none, pairs, M);""",
        block_size=request.param,
    )
    return program(n=N)


@pytest.mark.parametrize("place", range(4))
def test_arrays_are_of_one_kind(given: Any, place: int):
    result, expected = given[place], (DENSE, DIAGONAL)[place > 1]
    assert type(result) is DistributedArray
    assert (result.shape, result.ndim, result.size, len(result)) == ((4, 4), 2, 16, 4)
    assert result.dtype == expected.dtype
    assert result.nnz == (16 if place < 2 else 3)
    assert type(result.to_numpy()) is np.ndarray
    np.testing.assert_array_equal(result.to_scipy().toarray(), expected)
    for array in (result, np.asarray(result), list(result), result[:], result.T.T):
        np.testing.assert_array_equal(array, expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(result)), expected)


@pytest.mark.parametrize("place", range(4))
def test_arithmetic_is_numpys(given: Any, place: int):
    result, expected = given[place], (DENSE, DIAGONAL)[place > 1]
    pairs = [
        (result + 1, expected + 1),
        (2 * result, 2 * expected),
        (-result, -expected),
        (np.sin(result), np.sin(expected)),
        (np.ones(4) @ result, np.ones(4) @ expected),
        (result @ result, expected @ expected),
        (result == expected, np.full((4, 4), True)),
        (np.ones((4, 4)) - result, 1 - expected),
        (result.sum(0), expected.sum(0)),
        (np.sum(result, axis=1), expected.sum(1)),
        (result[1, 2:], expected[1, 2:]),
    ]
    for found, wanted in pairs:
        assert type(found) is np.ndarray
        np.testing.assert_array_equal(found, wanted)
    assert result.tolist() == expected.tolist()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        result.nothing  # noqa: B018
    with pytest.raises(ValueError, match="ambiguous"):
        bool(result)


@pytest.mark.parametrize("block_size", [None, 3])
def test_dense_results_are_written_into_and_sparse_ones_are_not(block_size: int | None):
    program = diablo.compile(
        "input n: Int; (tensor(n)[ (i,1.0*i) | i <- 0..n-1 ], tensor()(n)[ (1,1.0) ]);",
        block_size=block_size,
    )
    dense, sparse = program(n=4)
    dense[0] = 7.0
    before = dense
    dense += 1
    assert dense is before
    np.testing.assert_array_equal(dense, [8, 2, 3, 4])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(dense)), [8, 2, 3, 4])
    total = diablo.compile("input V: vector[Double]; +/[ v | (i,v) <- V ];")
    assert total(V=dense) == 17
    with pytest.raises(TypeError, match="a sparse result is not written into"):
        sparse[0] = 1.0
    with pytest.raises(TypeError, match="a sparse result is not written into"):
        sparse += 1


def test_lists_are_data_frames(given: Any):
    pandas = pytest.importorskip("pandas")
    for frame in (pandas.DataFrame(given[4]), given[4].to_pandas()):
        assert list(frame.columns) == ["at", "word", "pair"]
        assert frame["word"].tolist() == ["w0", "w1", "w2", "w3"]
        assert frame["pair"].tolist() == [(i, 0.5) for i in range(4)]
    assert list(given[5].to_pandas().columns) == ["at", "word"]
    assert given[6].to_pandas()[1].tolist() == ["<b>"] * 4
    nested = 'input n: Int; [ <at = <row = i, col = <j = 2*i>>, word = "w"> | i <- 0..n-1 ];'
    frame = diablo.compile(nested)(n=3).to_pandas()
    assert list(frame.columns) == ["at.row", "at.col.j", "word"]
    assert frame["at.col.j"].tolist() == [0, 2, 4]
    numbers = diablo.compile("input n: Int; [ 2*i | i <- 0..n-1 ];")(n=3).to_pandas()
    assert numbers[0].tolist() == [0, 2, 4]


def test_results_are_html_tables(given: Any):
    texts = [result._repr_html_() for result in given]
    assert "4 x 4 array of float64" in texts[0]
    assert texts[0] == texts[1]
    assert "<tr><td>1.0</td><td>1.5</td><td>2.0</td><td>2.5</td></tr>" in texts[0]
    assert "4 x 4 sparse array of int64, 3 entries" in texts[2]
    assert "<tr><th>d0</th><th>d1</th><th>value</th></tr><tr><td>1</td><td>1</td>" in texts[3]
    assert "<tr><th>at</th><th>word</th><th>pair</th></tr><tr><td>0</td><td>w0</td>" in texts[4]
    assert "list of 0" in texts[5]
    assert "<td>0</td><td>&lt;b&gt;</td>" in texts[6]
    assert "<tr><th>key</th><th>value</th></tr><tr><td>0</td><td>&amp;</td>" in texts[7]


def test_large_tables_show_their_ends():
    large = diablo.compile("input n: Int; tensor(n,n)[ ((i,j),i) | i <- 0..n-1, j <- 0..n-1 ];")
    text = large(n=100)._repr_html_()
    assert text.count("<tr>") == 11
    assert text.count("<td>") == 11 * 11
    assert "<td>…</td>" in text


def test_what_is_on_spark_is_not_collected_to_be_shown(monkeypatch: pytest.MonkeyPatch):
    class Remote:
        _jrdd = None
        ctx = object()

        def collect(self) -> Any:
            raise AssertionError("collected")

    large = DistributedArray(Remote(), (1000, 1000), 2, "f8", 100)
    assert repr(large) == str(large) == "<1000 x 1000 array of float64, not collected yet>"
    assert "not collected yet" in large._repr_html_()
    monkeypatch.setattr(result_types, "_SHOWN_WHOLE", 10**7)
    with pytest.raises(AssertionError, match="collected"):
        repr(large)
