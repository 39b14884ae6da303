"""Arrays whose elements are lists, maps, or tuples that hold them, on both engines."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import diablo
from diablo.diagnostics import InputError, RunError
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.tools.run_tool.run_driver import run

ENGINES = [
    pytest.param({}, id="local"),
    pytest.param({"block_size": 1}, id="local-1"),
    pytest.param({"block_size": 3}, id="local-3"),
    pytest.param(
        {"engine": "spark", "master": "local[2]", "block_size": 2},
        id="spark",
        marks=pytest.mark.spark,
    ),
]

ENTRIES = [(0, 0, 1.5), (0, 2, 2.5), (1, 1, 3.5), (4, 0, -1.0), (4, 3, 0.0), (4, 1, 7.0)]
ROWS: list[list[float]] = [[1.5, 2.5], [3.5], [], [], [-1.0, 0.0, 7.0]]
V = "input V: vector[list[Double]]; "
E = "input E: list[(Int,Int,Double)]; "

PROGRAMS: list[tuple[str, dict[str, Any], Any]] = [
    (E + "tensor*(5)[ (i,m) | (i,j,m) <- E, group by i ]", {"E": ENTRIES}, ROWS),
    (E + "tensor*()(5)[ (i,m) | (i,j,m) <- E, group by i ]", {"E": ENTRIES}, ROWS),
    (
        E + "tensor(5)[ (i,(+/m,m,m.length)) | (i,j,m) <- E, group by i ]",
        {"E": ENTRIES},
        [(sum(row), row, len(row)) for row in ROWS],
    ),
    (
        E + "tensor*(2)(3)[ (k,m) | (i,j,m) <- E, group by k: (i%2,j%3) ]",
        {"E": ENTRIES},
        [[[1.5, -1.0, 0.0], [7.0], [2.5]], [[], [3.5], []]],
    ),
    (V + "V", {"V": ROWS}, ROWS),
    (V + "var L = [(0,[2.0,3.0]),(4,[])]; V = L; V", {"V": ROWS}, [[2.0, 3.0], [], [], [], []]),
    (V + "[ (i,x) | (i,v) <- V, x <- v, x > 3.0 ]", {"V": ROWS}, [(1, 3.5), (4, 7.0)]),
    (V + "tensor*(5)[ (i,v.length) | (i,v) <- V ]", {"V": ROWS}, [2, 1, 0, 0, 3]),
    (
        V + "tensor*(5)[ (i,[ x*x | x <- v ]) | (i,v) <- V, v.length > 2 ]",
        {"V": ROWS},
        [[], [], [], [], [1.0, 0.0, 49.0]],
    ),
    (V + "+/[ x | (i,v) <- V, x <- v ]", {"V": ROWS}, 13.5),
    (
        V + "tensor*(5)[ (i, if (i > 0) V[i-1] else V[i]) | (i,v) <- V ]",
        {"V": ROWS},
        [ROWS[0], *ROWS[:4]],
    ),
    (
        V + "tensor*(5)[ (i, if (v.length > 1) v[1] else 0.5) | (i,v) <- V ]",
        {"V": ROWS},
        [2.5, 0.5, 0.5, 0.5, 0.0],
    ),
    (V + "V[1:4]", {"V": ROWS}, ROWS[1:4]),
    (V + "(V[0], V[4][1], V[2].length, +/V[4], V.length)", {"V": ROWS}, (ROWS[0], 0.0, 0, 6.0, 5)),
    (V + "V[2] = [8.0]; V", {"V": ROWS}, [*ROWS[:2], [8.0], *ROWS[3:]]),
    (
        V + "var W = V; for i = 0, 4 do W[i] = [ 2.0*x | x <- V[i] ]; W",
        {"V": ROWS},
        [[2.0 * x for x in row] for row in ROWS],
    ),
    (
        V + "var k = 0; while (k < 2) { V[k] = [ x+1.0 | x <- V[k+1] ]; k += 1; }; V",
        {"V": ROWS},
        [[4.5], [], [], [], ROWS[4]],
    ),
    (V + "var s = 0.0; for (i,v) in V do for x in v do s += x; s", {"V": ROWS}, 13.5),
    (
        V + "map*[ (i,v) | (i,v) <- V, v.length > 0 ]",
        {"V": ROWS},
        {0: ROWS[0], 1: ROWS[1], 4: ROWS[4]},
    ),
    (
        V + "var x = 1.0; for (i,v) in V do for y in v do x = 2.0*x + y; x",
        {"V": [[1.0], [3.0, 2.0]]},
        20.0,
    ),
    (V + "var x = 1.0; for y in V[1] do x = 2.0*x + y; x", {"V": [[], [3.0, 2.0]]}, 12.0),
    (
        V + "V[1] = [ 1.0*k | k <- 2..3 ]; var x = 1.0; for y in V[1] do x = 2.0*x + y; x",
        {"V": [[], []]},
        11.0,
    ),
    (
        "input V: vector[list[(Int,Double)]]; input x: vector[Double]; "
        "tensor*(3)[ (i, +/[ a*x[j] | (j,a) <- row ]) | (i,row) <- V ]",
        {"V": [[(0, 1.0)], [(2, 2.0), (1, 3.0)], []], "x": np.array([1.0, 2.0, 3.0])},
        [1.0, 12.0, 0.0],
    ),
    (
        "input V: vector[list[list[Int]]]; ([ (i,[ +/w | w <- v ]) | (i,v) <- V ], V[0][1][0], V)",
        {"V": [[[1, 2], [3]], [], [[]]]},
        ([(0, [3, 3]), (1, []), (2, [0])], 3, [[[1, 2], [3]], [], [[]]]),
    ),
    (
        "input M: matrix[(Int,list[String])]; (M.t, M[1,0]._2.length)",
        {"M": [[(1, ["a"]), (2, [])], [(3, ["b", "c"]), (4, ["d"])]]},
        ([[(1, ["a"]), (3, ["b", "c"])], [(2, []), (4, ["d"])]], 2),
    ),
    (
        'input V: vector[map[String,Int]]; (V, V[0]["a"], [ (i,k) | (i,m) <- V, (k,v) <- m ])',
        {"V": [{"a": 1}, {}]},
        ([{"a": 1}, {}], 1, [(0, "a")]),
    ),
    (
        "var V: vector[(Int,list[Int])] = tensor(3)[ (i,(i,[])) | i <- 0..2 ]; V[1]#2 = [4,5]; V",
        {},
        [(0, []), (1, [4, 5]), (2, [])],
    ),
    (
        "var V: vector[<a: list[Int]>] = tensor(2)[ (i,<a = [i]>) | i <- 0..1 ]; (V, V[1].a[0])",
        {},
        ([([0],), ([1],)], 1),
    ),
    (
        'input S: vector[String]; tensor(2)[ (i,s.split(" ")) | (i,s) <- S ]',
        {"S": ["a b", "c"]},
        [["a", "b"], ["c"]],
    ),
    (
        "region R = 0..3; region Odd = R where i => i%2 == 1; "
        "var A: vector[list[Int]] over Odd; for i in Odd do A[i] = [i,i]; "
        "var B: vector[list[Int]] over R = [7]; (A, B)",
        {},
        ([[], [1, 1], [], [3, 3]], [[7]] * 4),
    ),
]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(map(_plain, cast("tuple[Any, ...]", value)))
    value = cast(Any, value)
    for method in ("to_dict", "to_list"):
        if hasattr(value, method):
            return getattr(value, method)()
    return value.to_numpy().tolist() if hasattr(value, "to_numpy") else value


@pytest.mark.sampled(32)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("text", "inputs", "wanted"), PROGRAMS)
def test_programs(text: str, inputs: dict[str, Any], wanted: Any, engine: dict[str, Any]) -> None:
    assert _plain(diablo.compile(text, **engine)(**inputs)) == wanted


def test_sparse_arrays_store_no_empty_lists() -> None:
    text = E + "tensor*()(5)[ (i,[ x | x <- m, x > 3.0 ]) | (i,j,m) <- E, group by i ]"
    for block in (None, 2):
        result = diablo.compile(text, block_size=block)(E=ENTRIES)
        assert isinstance(result.collect(), SparseTile)
        assert result.nnz == 2
        assert result.to_numpy().tolist() == [[], [3.5], [], [], [7.0]]
        assert "[1]  [3.5]" in repr(result)
    nothing = diablo.compile(text)(E=[])
    assert nothing.to_numpy().tolist() == [[], [], [], [], []]


@pytest.mark.parametrize("storage", ["*(5)", "*()(5)"])
def test_results_are_inputs_again(storage: str) -> None:
    text = E + f"tensor{storage}[ (i,(m.length,m)) | (i,j,m) <- E, group by i ]"
    made = diablo.compile(text, block_size=2)(E=ENTRIES)
    again = diablo.compile("input V: vector[(Int,list[Double])]; V")(
        V=pickle.loads(pickle.dumps(made))
    )
    assert again.to_numpy().tolist() == [(len(row), row) for row in ROWS]


@pytest.mark.parametrize(
    "given",
    [
        ROWS,
        np.array(ROWS, object),
        [np.array(row) for row in ROWS],
        [tuple(row) for row in ROWS],
    ],
)
def test_ways_to_give_lists(given: Any) -> None:
    assert diablo.compile(V + "V")(V=given).to_numpy().tolist() == ROWS


def test_results_show_lists() -> None:
    result = diablo.compile(V + "V")(V=[[1.0], []])
    assert result.dtype == object
    assert repr(result) == "array([list([1.0]), list([])], dtype=object)"
    assert "2 array of object" in result._repr_html_()
    with pytest.raises(TypeError, match="a SciPy array holds numbers"):
        result.to_scipy()


def test_fields_of_structured_arrays() -> None:
    given = np.empty(2, [("x", "f8"), ("L", object)])
    given["x"] = [1.0, 2.0]
    given["L"] = [[1, 2], []]
    program = diablo.compile("input V: vector[(Double,list[Int])]; V")
    assert program(V=given).to_numpy().tolist() == [(1.0, [1, 2]), (2.0, [])]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 2], "V: 1 in [0] where list[Double] is wanted"),
        ([[1.0], ["a"]], "V: 'a' in [1], element 1 is not a number"),
        (3, "V: 3 where vector[list[Double]] is wanted"),
    ],
)
def test_what_is_no_list(given: Any, message: str) -> None:
    with pytest.raises(InputError) as failure:
        diablo.compile(V + "V")(V=given)
    assert message in str(failure.value)


def test_reads_outside() -> None:
    for text, message in (
        ("V[5]", "the index [5] lies outside the dimensions 5"),
        ("V[1][1]", "position 1 is outside a list of length 1"),
    ):
        with pytest.raises(RunError) as failure:
            diablo.compile(V + text)(V=ROWS)
        assert message in str(failure.value)


def test_inputs_and_results_in_files(tmp_path: Path) -> None:
    program = tmp_path / "sums.diablo"
    program.write_text(V + "var R = tensor*(V.length)[ (i,(+/v,v)) | (i,v) <- V ];")
    (tmp_path / "v.json").write_text("[[1.0], [2.0, 3.0], []]")
    given = f"V={tmp_path}/v.json"
    result = tmp_path / "r.json"
    assert run([str(program), "--input", given, "--output", f"R={result}"]) == 0
    assert json.loads(result.read_text()) == [[1.0, [1.0]], [5.0, [2.0, 3.0]], [0.0, []]]
