# What is compiled for inputs whose values vary: once for all where they decide nothing.
from __future__ import annotations

import gc
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo
from diablo import compilations, openings
from diablo.api import Program
from diablo.call import Inputs
from diablo.diagnostics import Diagnostic, RunError
from diablo.frontend.checking.declarations import program_inputs
from diablo.frontend.emission.bindings import ArrayBinding, OpenBinding, ScalarBinding
from diablo.openings import Place, opened
from diablo.runtime.native import machine_code, work_seen
from fuzzing.comparison import difference, plain
from fuzzing.trial import Trial

V = np.random.default_rng(1).random(50)


def _square(n: int) -> np.ndarray:
    return np.random.default_rng(n).random((n, n))


pytestmark = pytest.mark.usefixtures("nothing_kept")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that became machine code, which all kernels do."""
    texts: list[str] = []
    compile_text = machine_code._compile  # pyright: ignore[reportPrivateUsage]

    def noted(text: str, quick: bool):
        texts.append(text)
        return compile_text(text, quick)

    monkeypatch.setattr(machine_code, "_compile", noted)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    return texts


LOOP = "input n: Int; input V: vector[Double]; var W = V; for i = 0, n-1 do W[i] = 2.0*V[i]; W;"
SIZE = "input n: Int; tensor(n)[ (i,2.0*i) | i <- 0..n-1 ];"
LIMIT = "input k: Int; input V: vector[Double]; +/[ v | (i,v) <- V, i > k ];"
STEPS = """
input n: Int; input V: vector[Double]; var W = V; var k = 0;
while (k < n) { k += 1; for i = 0, V.length-1 do W[i] = 0.5*W[i] + k; };
W;
"""
OFFSET = """
input k: Int; input V: vector[Double];
tensor(V.length)[ (i, V[i+k] - V[i-k]) | i <- 0..V.length-1 ];
"""
STENCIL = """
input V: vector[Double]; var W = V;
for i = 1, V.length-2 do W[i] = (V[i-1] + V[i] + V[i+1])/3.0;
W;
"""
PERIODIC = """
input n: Int; input U: matrix[Double];
tensor*(n,n)[ ((i,j), U[(i+n-1)%n,j] + U[i,(j+1)%n]) | i <- 0..n-1, j <- 0..n-1 ];
"""
PRODUCT = """
input n: Int; input A: matrix[Double]; input B: matrix[Double];
tensor*(n,n)[ ((i,j),+/v) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k,
                            let v = a*b, group by (i,j) ];
"""
ROTATED = "input n: Int; input A: matrix[Double]; tensor*(n,n)[ (((i+1)%n,j),a) | ((i,j),a) <- A ];"
BUCKETS = """
input m: Int; input V: vector[Double];
tensor*(m)[ (k,+/v) | (i,v) <- V, group by k: i % m ];
"""
LEAST = """
input A: matrix[Double];
tensor*(A.rows,A.cols)[ ((i,j),min/v) | ((i,k),a) <- A, ((kk,j),b) <- A, kk == k,
                                        let v = a+b, group by (i,j) ];
"""
STORED = """
input E: matrix[Double]; input x: vector[Double];
tensor*(E.rows)[ (i,+/v) | ((i,j),a) <- E, (jj,b) <- x, jj == j, let v = a*b, group by i ];
"""
NAMED = "input c: Char; input s: String; input L: list[String]; [ w | w <- L, w[0] == c, w != s ];"
WINDOW = """
input r: Int; input V: vector[Double];
tensor(V.length)[ (i, +/[ V[(i+k+V.length)%V.length] | k <- -r..r ]) | i <- 0..V.length-1 ];
"""
ROW = "input k: Int; input A: matrix[Double]; tensor(A.cols)[ (j,A[k,j]) | j <- 0..A.cols-1 ];"
STRIDE = (
    "input k: Int; input V: vector[Double]; tensor(V.length)[ (i,V[i*k]) | i <- 0..V.length-1 ];"
)
LAG = "input k: Int; input V: vector[Double]; +/[ V[i]*V[i+k] | i <- 0..V.length-1-k ];"


def _stored(n: int) -> Any:
    return sparse.csr_array(np.where(_square(n) < 0.3, _square(n), 0.0))


VARYING: list[tuple[str, Callable[[int], dict[str, Any]]]] = [
    (LOOP, lambda k: {"n": k, "V": V}),
    (SIZE, lambda k: {"n": k}),
    (LIMIT, lambda k: {"k": k, "V": V}),
    (STEPS, lambda k: {"n": k, "V": V}),
    (OFFSET, lambda k: {"k": k, "V": V}),
    (STENCIL, lambda k: {"V": V[:k]}),
    (PERIODIC, lambda k: {"n": k, "U": _square(k)}),
    (PRODUCT, lambda k: {"n": k, "A": _square(k), "B": _square(k)}),
    (ROTATED, lambda k: {"n": k, "A": _square(k)}),
    (BUCKETS, lambda k: {"m": k, "V": V}),
    (LEAST, lambda k: {"A": _square(k)}),
    (ROW, lambda k: {"k": k, "A": _square(50)}),
    (STRIDE, lambda k: {"k": k, "V": V}),
    (LAG, lambda k: {"k": k, "V": V}),
    (STORED, lambda k: {"E": _stored(k), "x": V[:k]}),
    (NAMED, lambda k: {"c": chr(40 + k), "s": str(k), "L": ["1", "2", "30"]}),
]
NAMES = [
    "loop",
    "size",
    "limit",
    "steps",
    "offset",
    "stencil",
    "periodic",
    "product",
    "rotated",
    "buckets",
    "least",
    "row",
    "stride",
    "lag",
    "stored",
    "named",
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("text", "inputs"), VARYING, ids=NAMES)
def test_values_that_decide_nothing_are_compiled_for_once(
    text: str, inputs: Callable[[int], dict[str, Any]], lowered: list[str], made: list[str]
):
    program = diablo.compile(text)
    for k in range(17, 23):  # The first, what serves several, and for some a relation.
        program(**inputs(k))
    assert len(lowered) <= 3
    few, kernels = len(lowered), len(made)
    for k in range(23, 43):
        program(**inputs(k))
    assert len(lowered) == few
    assert len(made) <= kernels + 1  # A product has machine code for short and for long lists.
    other = diablo.compile(text)  # What was found out holds for an equal program.
    for k in range(23, 43):
        other(**inputs(k))
    assert len(lowered) <= few + 2
    assert len(made) <= kernels + 2


EDGES = [
    (text, make, k)
    for (text, make), name in zip(VARYING, NAMES, strict=True)
    for k in (0, 1, -3, 2, 70, 2**62)
    if k in (0, 1, 2)
    or name in ("limit", "offset", "row", "stride", "lag")
    or (name == "loop" and k <= 70)
]


@pytest.mark.sampled(40)
@pytest.mark.parametrize(("text", "inputs", "k"), EDGES)
@pytest.mark.parametrize("mode", ["always", "never"])
def test_results_are_those_of_the_interpreter(
    text: str,
    inputs: Callable[[int], dict[str, Any]],
    k: int,
    mode: str,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    program = diablo.compile(text)
    for n in (20, 21, 22):
        program(**inputs(n))
    given = inputs(k)
    expected = Trial(text, given).expected()
    try:
        found: Any = program(**given)
    except RunError as error:
        found = error
    if isinstance(expected, RunError):
        assert isinstance(found, RunError)
    else:
        assert difference(plain((found,)), expected) is None


def test_a_value_that_decides_is_compiled_for_as_a_remark_says(lowered: list[str]):
    said: list[Diagnostic] = []
    program = Program(WINDOW, listener=said.append)
    for r in (1, 2, 3, 2, 1):
        expected = sum(np.roll(V, k) for k in range(-r, r + 1))
        np.testing.assert_allclose(program(r=r, V=V).to_numpy(), expected)
    # Three values, and a trial without.
    assert len(lowered) == 4
    (remark,) = [d for d in said if "each value" in d.message]
    assert remark.severity == "remark"
    assert remark.message.startswith("each value of r is compiled for: the plan without has more")
    assert remark.span is not None
    assert (remark.span.line, remark.span.column) == (2, 7)
    assert "  Each value of r decides: the plan without has more" in program.explain()


SHIFTED = """
input n: Int; input V: vector[Double];
var B = V;
for i = 0, 9 do B[i] = B[i+n];
B;
"""


def test_no_value_is_open_where_that_makes_a_warning():
    said: list[Diagnostic] = []
    program = Program(SHIFTED, listener=said.append)
    for n in (11, 12):
        expected = np.concatenate([V[n : n + 10], V[10:]])
        np.testing.assert_array_equal(program(n=n, V=V).to_numpy(), expected)
    assert not [d for d in said if d.severity == "warning"]
    (remark,) = [d for d in said if "each value" in d.message]
    assert "there is a warning without: this reads B[i+n]" in remark.message


SQUARE = """
input n: Int; input k: Int; input A: matrix[Double];
(tensor(4)[ (i, +/[ A[(i+d)%n,0] | d <- 0..n-1 ]) | i <- 0..3 ], toDouble(k)+1.0);
"""


def _reasons(said: list[Diagnostic]) -> list[str]:
    return [d.message.split()[3] for d in said if "each value" in d.message]


def test_the_extents_of_an_array_are_judged_with_its_size(lowered: list[str]):
    said: list[Diagnostic] = []
    program = Program(SQUARE, listener=said.append)
    for n, k in ((4, 30), (5, 40), (5, 50), (5, 60)):
        a = np.random.default_rng(n).random((n, n))
        sums, _ = program(n=n, k=k, A=a)
        np.testing.assert_allclose(sums.to_numpy(), [a[:, 0].sum()] * 4)
    assert _reasons(said) == ["n", "A.rows", "A.cols"]
    # Two values; all without, in two ways; k without; and the others, in two ways.
    assert len(lowered) <= 6


def test_equal_numbers_are_judged_one_by_one(lowered: list[str]):
    text = """
        input w: Int; input k: Int; input A: vector[Double];
        (tensor*(A.length)[ (i, +/[ A[i+d] | d <- 0..w ]) | (i,a) <- A ], toDouble(k)+1.0);
    """
    for calls in (((4, 4), (3, 3)), ((3, 5), (4, 4)), ((4, 500), (5, 501))):
        said: list[Diagnostic] = []
        program = Program(text + f"// {calls}", listener=said.append)
        for w, k in calls:
            program(w=w, k=k, A=V)
        assert _reasons(said) == ["w"]
        known = len(lowered)
        for k in (6, 7, 8) if calls[0][1] < 10 else (502, 503):
            program(w=calls[1][0], k=k, A=V)
        assert len(lowered) == known


def test_small_numbers_do_not_decide_for_large_ones(lowered: list[str]):
    program = diablo.compile(WINDOW)
    for r in (20, 21, 22):  # Too large to be written out.
        program(r=r, V=V)
    few = len(lowered)
    program(r=23, V=V)
    assert len(lowered) == few
    assert program.variant(program.check({"r": 1, "V": V})).bindings["r"] == ScalarBinding(1)
    assert program.variant(program.check({"r": 24, "V": V})).bindings.get("r") != ScalarBinding(24)


def test_what_does_not_vary_stays_known():
    program = diablo.compile(PRODUCT.replace("tensor*(n,n)", "tensor*(n,n+0)"))
    for k in (20, 21, 22):
        variant = program.variant(program.check({"n": k, "A": _square(30), "B": _square(30)}))
    shapes = [b.shape for b in variant.bindings.values() if isinstance(b, ArrayBinding)]
    assert shapes == [(30, 30), (30, 30)]


def test_relations_that_no_longer_hold_are_compiled_for():
    program = diablo.compile(ROTATED)
    for n, rows in ((20, 20), (21, 21), (22, 25), (23, 23), (0, 3)):
        a = np.random.default_rng(n).random((rows, rows))
        expected = Trial(ROTATED, {"n": n, "A": a}).expected()
        if isinstance(expected, RunError):
            with pytest.raises(RunError):
                program(n=n, A=a)
        else:
            assert difference(plain((program(n=n, A=a),)), expected) is None


def test_what_is_not_read_is_compiled_for_once(lowered: list[str]):
    unread = "input k: Int; input A: matrix[Double]; input S: matrix[Double];"
    program = diablo.compile(f"{unread} {STENCIL}")
    for size in (0, 1, 2, 3, 50):
        given = {"k": size, "A": np.ones((size, 4)), "S": sparse.csr_array(np.eye(size + 1))}
        program(V=V, **given)
    assert len(lowered) == 1


def test_nothing_is_judged_for_no_points(lowered: list[str]):
    program = diablo.compile(WINDOW)
    for r, size in ((4, 50), (4, 0), (4, 50)):
        assert program(r=r, V=V[:size]).shape == (size,)
    assert len(lowered) == 2


def test_opened_bindings():
    text = "input n: Int; input k: Int; input A: matrix[Double]; input B: vector[Double]; "
    text += "(n, k, A, B);"
    given = {"n": 4, "k": 5, "A": np.ones((4, 6)), "B": np.ones(6)}
    bindings = Inputs(program_inputs(text, "p")).check(given).bindings
    places = [Place("n"), Place("k"), Place("A", 0), Place("A", 1), Place("B", 0)]
    array = ArrayBinding(2, 2, "f64", (None, None))
    assert opened(bindings, dict.fromkeys(places, "open")) == {
        "A": array,
        "B": ArrayBinding(1, 1, "f64", (None,)),
    }
    assert opened(bindings, dict.fromkeys(places, "related")) == {
        "n": OpenBinding(None, "size0"),
        "k": OpenBinding(1),
        "A": ArrayBinding(2, 2, "f64", ("size0", "size1")),
        "B": ArrayBinding(1, 1, "f64", ("size1",)),
    }
    assert opened(bindings, dict.fromkeys(places, "bound")) == bindings


def test_the_stores_are_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("diablo.api._MOST_VARIANTS", 2)
    monkeypatch.setattr("diablo.api._MOST_CALLS", 3)
    monkeypatch.setattr("diablo.compilations._MOST_KEPT", 3)
    monkeypatch.setattr("diablo.openings._MOST_KEPT", 2)
    monkeypatch.setattr(work_seen, "_MOST_SEEN", 6)
    monkeypatch.setattr(work_seen, "_points_seen", type(work_seen._points_seen)())
    shown = _shown()
    for number in range(4):
        program = diablo.compile(WINDOW.replace("%V.length", f"%(V.length+{0 * number})"))
        program.file = f"{number}.diablo"
        for r in range(1, 5):
            program(r=r, V=V)
        assert len(program._variants) <= 2
        assert len(program._names) <= 3
    assert len(compilations._KEPT) <= 3
    assert len(openings._KEPT) <= 2
    assert len(work_seen._points_seen) <= 6
    # The last program's variants are in use, and those in the store.
    assert _shown() <= shown + 3 + 2
    del program
    compilations.forget()
    assert _shown() <= shown


def _shown() -> int:
    """Return how many programs have lines in tracebacks."""
    gc.collect()
    return sum(name.startswith("<compiled from") for name in linecache.cache)


def test_errors_of_a_program_have_their_places_after_others_of_its_file():
    text = "input n: Int;\n\ntensor*(n,n)[ ((i,j),1.0) | i <- 0..n-1, j <- 0..n-1 ];"
    program = diablo.compile(text)
    for n in (20, 21, 22):
        program(n=n)
    diablo.compile("\n\n\n\n1 + 1;")()
    with pytest.raises(RunError, match="<program>:3:1: error: an array cannot have -3 elements"):
        program(n=-3)
