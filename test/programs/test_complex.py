"""Complex numbers keep their types on every path, and are those that NumPy computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import CompileError, InputError
from diablo.frontend.emission.bindings import ArrayBinding
from diablo.frontend.importer import import_program
from diablo.passes.interpreter.interpreter import interpret
from diablo.runtime.io.inputs import load
from diablo.runtime.io.outputs import save
from diablo.scalar_table import BY_NAME, SCALARS, promoted

WIDTHS = [("Complex64", np.complex64), ("Complex128", np.complex128)]
NUMBERS = [row for row in SCALARS if row.is_number]


def numbers(shape: Any, dtype: Any, seed: int = 1) -> Any:
    """Random complex numbers; products of several are not too large."""
    random = np.random.default_rng(seed)
    return (random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)).astype(dtype)


def interpreted(text: str, **inputs: Any) -> list[Any]:
    """Return what the reference interpreter gives for a program, array by array; `S` is sparse."""
    sparse_one = {"S": ArrayBinding(2, 1, "complex128")} if "S" in inputs else None
    values = interpret(import_program(text, "<program>", sparse_one), inputs)
    return [v.to_numpy() if hasattr(v, "to_numpy") else v for v in values]


def close(found: Any, wanted: Any, *, single: bool = False) -> None:
    """Compare values and, of arrays, types."""
    wanted = np.asarray(wanted)
    if hasattr(found, "dtype"):
        assert found.dtype == wanted.dtype
    single |= wanted.dtype in (np.complex64, np.float32)
    tolerance = 1e-5 if single else 1e-12
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=tolerance, atol=tolerance)


ELEMENTWISE = """
input V: vector[{type}]; input W: vector[{type}];
(V + W, V - W, V * W, V / W, -V, 2*V + 1.5, V * 2j, conj(V), real(V), imag(V), abs(V), arg(V),
 exp(V), log(V), sqrt(V), sin(V), cos(V), tan(V), tanh(V), sinh(V), cosh(V), pow(V, W),
 [ v == w | ((i,v),(j,w)) <- [ ((i,v),(i,W[i])) | (i,v) <- V ] ],
 [ v != V[0] | (i,v) <- V ])
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("type", "dtype"), WIDTHS)
@pytest.mark.parametrize("block_size", [None, 3])
def test_elements(type: str, dtype: Any, block_size: int | None):
    V, W = numbers(10, dtype), numbers(10, dtype, seed=2)
    found = diablo.compile(ELEMENTWISE.format(type=type), block_size=block_size)(V=V, W=W)
    two, half = dtype(2), dtype(1.5)
    wanted = (
        *(V + W, V - W, V * W, V / W, -V, two * V + half, V * dtype(2j)),
        *(np.conj(V), V.real, V.imag, np.abs(V), np.angle(V).astype(V.real.dtype)),
        *(f(V) for f in (np.exp, np.log, np.sqrt, np.sin, np.cos, np.tan, np.tanh)),
        *(f(V) for f in (np.sinh, np.cosh)),
        V**W,
    )
    for one, other in zip(found, wanted, strict=False):
        close(one, other)
    assert found[-2].to_list() == (V == W).tolist()
    assert found[-1].to_list() == (V[0] != V).tolist()


@pytest.mark.parametrize(("type", "dtype"), WIDTHS)
def test_interpreter(type: str, dtype: Any):
    text = f"""
    input V: vector[{type}]; input W: vector[{type}];
    (V + W, V * W, V / W, -V, exp(V), sqrt(V), abs(V), conj(V), 2j * V,
     +/[ v | (i,v) <- V ], */[ v | (i,v) <- V ])
    """
    V, W = numbers(6, dtype), numbers(6, dtype, seed=2)
    compiled = diablo.compile(text)(V=V, W=W)
    for one, other in zip(interpreted(text, V=V, W=W), compiled, strict=True):
        close(other, one, single=dtype == np.complex64)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("one", NUMBERS, ids=str)
@pytest.mark.parametrize("other", [row for row in NUMBERS if row.domain == "complex"], ids=str)
def test_promotion(one: Any, other: Any):
    wanted = np.promote_types(one.dtype, other.dtype)
    assert promoted(one, other).dtype == promoted(other, one).dtype == wanted.name
    if one.domain == "complex" and one is not other:
        return
    text = f"input V: vector[{one.name}]; input W: vector[{other.name}]; (V * W, W + V, W / V)"
    V = np.array([1, 2, 3]).astype(one.dtype)
    W = numbers(3, other.dtype)
    found = diablo.compile(text)(V=V, W=W)
    for value, expected in zip(found, (V * W, W + V, W / V), strict=True):
        close(value, expected.astype(wanted))


def test_numbers_that_are_written_out():
    text = """
    input F: vector[Float]; input D: vector[Double]; input Z: vector[Complex64]; input n: Int8;
    var z: Complex64 = 2.0;
    var w: Complex64 = complex(1.0, -0.5);
    (F * 1j, D * 1j, Z * 1j, Z + 2, Z * 2.5, n * 1j, z, w, toComplex128(z) / 3, F + complex(0, 1),
     [ 0.5j, 1.0, 2j ], -2j * Z)
    """
    F, D = np.array([1, 2], np.float32), np.array([1.0, 2.0])
    Z = numbers(2, np.complex64)
    found = diablo.compile(text)(F=F, D=D, Z=Z, n=3)
    wanted = (F * 1j, D * 1j, Z * 1j, Z + 2, Z * np.complex64(2.5))
    for one, other in zip(found, wanted, strict=False):
        close(one, other)
    assert found[5:9] == (3j, 2 + 0j, 1 - 0.5j, complex(2 / 3))
    close(found[9], F + np.complex64(1j))
    assert found[10].to_list() == [0.5j, 1.0, 2j]
    close(found[11], np.complex64(-2j) * Z)


def test_scalars_of_the_driver():
    text = """
    input z: Complex128 = 1j; input w: Complex64; input n: Int;
    var a = z; var i = 0;
    while (i < n) { a = a * z + w; i = i + 1; };
    var b = if (a == z) z else conj(a);
    var u = toComplex64(z) / w;
    (a, b, u, abs(a), real(a), imag(w), z / 0, "" + z, toString(w), z == 1j, w != w, pow(z, 2))
    """
    z, w = 0.5 + 0.25j, np.complex64(1 - 1j)
    a, b, u, size, re, im, quotient, *rest = diablo.compile(text)(z=z, w=w, n=3)
    expected = z
    for _ in range(3):
        expected = expected * z + complex(w)
    close(a, expected)
    close(b, np.conj(expected))
    assert np.complex64(u) == np.complex64(z) / w
    assert (size, re, im) == (abs(a), a.real, -1.0)
    assert not np.isfinite(quotient)
    assert rest[:4] == [str(z), "(1-1j)", False, False]
    close(rest[4], z**2)
    assert diablo.compile("input z: Complex64 = 1.5; z * 2j")() == 3j


@pytest.mark.parametrize(("type", "dtype"), WIDTHS)
@pytest.mark.parametrize("block_size", [None, 4])
def test_products(type: str, dtype: Any, block_size: int | None):
    text = f"""
    input A: matrix[{type}]; input B: matrix[{type}]; input V: vector[{type}];
    input R: matrix[Float];
    var n = A.rows;
    var C = tensor*(n,n)[ ((i,j),+/v) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k,
                                        let v = a*conj(b), group by (i,j) ];
    (A @ B, A @ V, V @ V, C, R @ A)
    """
    A, B, V = numbers((9, 9), dtype), numbers((9, 9), dtype, 2), numbers(9, dtype, 3)
    R = np.random.default_rng(4).random((9, 9)).astype(np.float32)
    found = diablo.compile(text, block_size=block_size)(A=A, B=B, V=V, R=R)
    for one, other in zip(found, (A @ B, A @ V, V @ V, A @ np.conj(B), R @ A), strict=True):
        close(one, other.astype(dtype))


@pytest.mark.spark
def test_on_spark():
    text = """
    input A: matrix[Complex64]; input V: vector[Complex128]; input K: vector[Int]; input z: Complex;
    input S: matrix[Complex128];
    var sums = tensor*(3)[ (k,+/v) | (i,v) <- V, let k = K[i], group by k ];
    (A @ A, V * z, +/[ v | (i,v) <- V ], sums, [ (k, z*v) | (i,v) <- V, let k = K[i], k > 0 ],
     S @ V, S + S)
    """
    A, V, K = numbers((9, 9), np.complex64), numbers(9, complex, 2), np.arange(9) % 3
    S = sparse.csr_array(np.where(np.eye(9) > 0, V, 0))
    run = diablo.compile(text, engine="spark", master="local[2]", block_size=4)
    product, scaled, total, sums, rows, images, doubled = run(A=A, V=V, K=K, z=2j, S=S)
    close(product, A @ A)
    close(scaled, V * 2j)
    close(total, V.sum())
    close(sums, np.array([V[k == K].sum() for k in range(3)]))
    assert sorted(k for k, _ in rows.to_list()) == [1, 1, 1, 2, 2, 2]
    close(images, S @ V)
    close(doubled, 2 * S.toarray())


def test_products_are_those_of_libraries():
    text = "input A: matrix[Complex128]; input B: matrix[Complex128]; A @ B"
    program = diablo.compile(text)
    program(A=numbers((4, 4), complex), B=numbers((4, 4), complex))
    assert "matrix_products" in program.ir("pyspark") or "np.matmul" in program.ir("pyspark")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("type", "dtype"), WIDTHS)
@pytest.mark.parametrize("block_size", [None, 4])
def test_reductions(type: str, dtype: Any, block_size: int | None):
    text = f"""
    input V: vector[{type}]; input M: matrix[{type}]; input K: vector[Int];
    var rows = tensor*(M.rows)[ (i,+/m) | ((i,j),m) <- M, group by i ];
    var sums = tensor*(3)[ (k,+/v) | (i,v) <- V, let k = K[i], group by k ];
    var groups = [ (k, +/v, */v, count/v, any/b)
                 | (i,v) <- V, let k = K[i], let b = real(v) > 0.0, group by k ];
    var updated: vector[{type}] = vector(3);
    for (i,v) in V do updated[K[i]] += v;
    (sum(V), prod(V), mean(V), count(V), +/[ v*conj(v) | (i,v) <- V ], rows, sums, groups, updated,
     all([ v == v | (i,v) <- V ]), any([ v == 1j | (i,v) <- V ]))
    """
    V, M = numbers(12, dtype), numbers((7, 5), dtype, 2)
    K = np.arange(12) % 3
    found = diablo.compile(text, block_size=block_size)(V=V, M=M, K=K)
    close(found[0], dtype(V.sum()))
    close(found[1], dtype(V.prod()))
    close(found[2], dtype(V.mean()))
    assert found[3] == 12
    close(found[4], dtype((V * np.conj(V)).sum()))
    close(found[5], M.sum(axis=1))
    sums = np.array([V[k == K].sum() for k in range(3)], dtype)
    close(found[6], sums)
    close(found[8], sums)
    for k, total, product, count, positive in found[7].to_list():
        close(total, dtype(V[k == K].sum()))
        close(product, dtype(V[k == K].prod()))
        assert (count, positive) == (4, bool((V[k == K].real > 0).any()))
    assert found[9:] == (True, False)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("type", "dtype"), WIDTHS)
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_sparse_arrays(type: str, dtype: Any, form: str):
    text = f"""
    input S: matrix[{type}]; input D: matrix[{type}]; input V: vector[{type}];
    var T = tensor*()(S.rows,S.cols)[ ((i,j),2j*s) | ((i,j),s) <- S ];
    var U = tensor*()(S.rows,S.cols)[ ((i,j),s*d) | ((i,j),s) <- S, ((ii,jj),d) <- D,
                                                    ii == i, jj == j ];
    var W = tensor*(S.rows)[ (i,+/m) | ((i,j),s) <- S, let m = s*V[j], group by i ];
    (T, U, W, S @ V, S @ D, S + S, S + D, +/[ s | ((i,j),s) <- S ], S.t, conj(S), abs(S),
     [ (i,j,s) | ((i,j),s) <- S, s != 0 ])
    """
    D, V = numbers((8, 8), dtype), numbers(8, dtype, 2)
    dense = np.where(np.random.default_rng(3).random((8, 8)) < 0.3, numbers((8, 8), dtype, 4), 0)
    dense = dense.astype(dtype)
    S = sparse.csr_array(dense).asformat(form)
    found = diablo.compile(text)(S=S, D=D, V=V)
    wanted = (2j * dense, dense * D, dense @ V, dense @ V, dense @ D, 2 * dense, dense + D)
    for one, other in zip(found, wanted, strict=False):
        close(one, other.astype(dtype))
    assert found[0].to_scipy().nnz == np.count_nonzero(dense)
    close(found[7], dtype(dense.sum()))
    close(found[8], dense.T)
    close(found[9], np.conj(dense))
    close(found[10], np.abs(dense))
    assert {(i, j) for i, j, _ in found[11].to_list()} == set(zip(*np.nonzero(dense), strict=True))


def test_zeros_of_sparse_arrays_take_products():
    text = """
    input S: matrix[Complex128]; input D: matrix[Complex128];
    var P = tensor*(S.rows,S.cols)[ ((i,j),s*d+1.0) | ((i,j),s) <= S, ((ii,jj),d) <- D,
                                                      ii == i, jj == j ];
    (S * D, P)
    """
    S = sparse.csr_array(np.array([[1j, 0], [0, 2]]))
    D = np.array([[2.0, np.inf], [np.nan, 1j]])
    product, plus = diablo.compile(text)(S=S, D=D)
    close(product, np.array([[2j, 0], [0, 2j]]))
    close(plus, np.array([[1 + 2j, 1], [1, 1 + 2j]]))
    for one, other in zip(interpreted(text, S=S, D=D), (product, plus), strict=True):
        close(one, np.asarray(other))


def test_lists_maps_joins_and_tuples():
    text = """
    input L: list[(Int,Complex128)]; input R: list[(Int,Complex64)]; input M: map[String,Complex64];
    var joined = [ (k, z*w) | (k,z) <- L, (kk,w) <- R, kk == k ];
    var same = [ k | (k,z) <- L, (kk,w) <- R, z == w ];
    var counts: map[Int,Complex128] = map();
    for (k,z) in L do counts[k] += z;
    var pairs = tensor*(3)[ (k,(z,real(z))) | (k,z) <- L ];
    var nested = [ (k, [ z*z | z <- z ]) | (k,z) <- L, group by k ];
    var record = <z = 1j, n = 2>;
    (joined, same, counts, M, pairs, nested, record, (1j, 2) == (1j, 2), M["a"] + 1)
    """
    L = [(0, 1 + 1j), (1, 2j), (1, 0.5 + 0j), (2, 3 - 1j)]
    R = [(1, 2j), (2, 1 + 0j), (0, 2j)]
    joined, same, counts, M, pairs, nested, record, equal, last = diablo.compile(text)(
        L=L, R=R, M={"a": 1j, "b": 2}
    )
    assert sorted(joined.to_list(), key=str) == sorted(
        [(k, z * w) for k, z in L for kk, w in R if kk == k], key=str
    )
    assert sorted(same.to_list()) == [1, 1]
    assert counts.to_dict() == {0: 1 + 1j, 1: 0.5 + 2j, 2: 3 - 1j}
    assert M.to_dict() == {"a": 1j, "b": 2 + 0j}
    assert [tuple(p) for p in pairs.to_numpy().tolist()] == [
        (1 + 1j, 1),
        (0.5 + 0j, 0.5),
        (3 - 1j, 3),
    ]
    assert {k: sorted(z, key=abs) for k, z in nested.to_list()}[1] == [0.25 + 0j, -4 + 0j]
    assert (record.z, record.n, equal, last) == (1j, 2, True, 1 + 1j)


def test_monoids_of_a_program():
    text = """
    input V: vector[Complex128];
    monoid largest((Double,Complex128)) = ((-inf,0.0), (x,y) => if (x._1 >= y._1) x else y);
    monoid turned(Complex128) = (1j, (x,y) => -1j*x*y);
    (largest/[ (abs(v),v) | (i,v) <- V ], turned/[ v | (i,v) <- V ])
    """
    V = numbers(7, complex)
    (_, most), product = diablo.compile(text)(V=V)
    assert most == V[np.argmax(np.abs(V))]
    close(product, V.prod() * (-1j) ** 6)


def test_random_numbers_of_rows_with_complex_columns():
    text = "input L: list[(Complex128,Int)]; [ (n, random()) | (z,n) <- L ]"
    rows = [(1j, 1), (2j, 2), (1 + 1j, 3)]
    found = dict(diablo.compile(text, seed=3)(L=rows).to_list())
    assert len(set(found.values())) == 3
    assert dict(diablo.compile(text, seed=3)(L=rows[::-1]).to_list()) == found


def test_kernels_over_dense_arrays_are_machine_code():
    text = """
    input V: vector[Complex128]; input K: vector[Int];
    var sums = tensor*(3)[ (k,+/v) | (i,v) <- V, let k = K[i], group by k ];
    (exp(V)*V, sums, abs(V))
    """
    program = diablo.compile(text)
    V, K = numbers(6, complex), np.arange(6) % 3
    product, sums, sizes = program(V=V, K=K)
    assert program.ir("pyspark").count("compiled(") == 1
    close(product, np.exp(V) * V)
    close(sums, [V[:3][k] + V[3:][k] for k in range(3)])
    close(sizes, np.abs(V))


def test_kernels_over_sparse_arrays_and_rows_are_machine_code():
    text = """
    input V: vector[Complex128]; input S: matrix[Complex128]; input L: list[(Int,Complex128)];
    var W = tensor*(S.rows)[ (i,+/m) | ((i,j),s) <- S, let m = s*V[j]+0.0*s, group by i ];
    (W, [ (k,+/z) | (k,z) <- L, group by k ])
    """
    program = diablo.compile(text)
    program(V=numbers(6, complex), S=sparse.csr_array(np.eye(6)), L=[(1, 2j), (1, 3j)])
    assert "= compiled(" in program.ir("pyspark")
    assert "compiled_rows(" in program.ir("pyspark")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("type", "dtype"), WIDTHS)
def test_machine_code_gives_what_numpy_gives(
    type: str, dtype: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    text = f"""
    input V: vector[{type}]; input A: matrix[{type}]; input z: {type}; input p: Boolean;
    var rows = tensor*(A.rows)[ (i,+/a) | ((i,j),a) <- A, group by i ];
    var next = tensor*(V.length)[ (i, if (p) v*z else conj(v)) | (i,v) <- V ];
    (rows, next, */[ v | (i,v) <- V ], +/[ v != z | (i,v) <- V ])
    """.replace("+/[ v != z", "||/[ v != z")
    V, A, z = numbers(33, dtype), numbers((5, 70), dtype), dtype(1.5 - 2j)
    for p in (True, False):
        found = diablo.compile(text)(V=V, A=A, z=z, p=p)
        wanted = (A.sum(axis=1), V * z if p else np.conj(V), V.prod(), True)
        for one, other in zip(found, wanted, strict=True):
            close(one, other, single=dtype == np.complex64)


REFUSED = [
    ("V[0] < 1j", "`<` cannot be applied to Complex128 and Complex128"),
    ("max(V[0], 1j)", "`max` needs real numbers, not Complex128 and Complex128"),
    ("min/[ v | (i,v) <- V ]", "`min` combines numbers that have an order, not Complex128"),
    ("max(V)", "`max` combines numbers, not Complex128"),
    ("argmax(V)", "`argmax` compares numbers or strings, not Complex128"),
    ("V[0] % 2", "`%` cannot be applied to Complex128 and Int"),
    ("V % 2.0", "`%` cannot be applied to vector[Complex128] and Double"),
    ("bitand(V[0], 1)", "`bitand` needs Ints, not Complex128 and Int"),
    ("floor(V[0])", "`floor` needs real numbers, not Complex128"),
    ("complex(V[0], 1.0)", "`complex` needs real numbers, not Complex128 and Double"),
    ("V[V[0]]", "an index must be Int, not Complex128"),
    ("toDouble(V[0])", "`toDouble` cannot convert Complex128"),
    ("[ (v, +/i) | (i,v) <- V, group by v ]", "Complex128 cannot be the key of a group by"),
    ("map[ (v,i) | (i,v) <- V ]", "Complex128 cannot be the key of a map"),
]


@pytest.mark.parametrize(("expression", "message"), REFUSED)
def test_refused(expression: str, message: str):
    with pytest.raises(CompileError) as error:
        diablo.compile(f"input V: vector[Complex128]; {expression}")()
    assert message in str(error.value)


def test_narrowing_is_refused():
    with pytest.raises(CompileError, match="toComplex64"):
        diablo.compile("input z: Complex128; var w: Complex64 = 0.0; w = z; w")
    with pytest.raises(CompileError, match="real"):
        diablo.compile("input z: Complex128; var w: Double = z; w")


def test_a_function_may_have_the_name_of_a_built_in_one():
    text = "def complex(a: Double, b: Double): Double = a + b; var j = 2; (complex(1.0, 2.0), 3*j)"
    assert diablo.compile(text)() == (3.0, 6)


def test_inputs_are_checked():
    program = diablo.compile("input V: vector[Complex64]; V")
    assert program(V=[1, 2.5, 1j]).dtype == np.complex64
    assert program(V=np.array([1, 2])).to_numpy().tolist() == [1, 2]
    with pytest.raises(InputError, match=r"'x' in \[1\] is not a complex number"):
        program(V=["1j", "x"])
    doubles = diablo.compile("input V: vector[Double]; input x: Double; V")
    with pytest.raises(InputError, match="is not a number"):
        doubles(V=np.array([1j]), x=1.0)
    with pytest.raises(InputError, match="x: a complex where a number is wanted"):
        doubles(V=[1.0], x=1j)
    with pytest.raises(InputError, match="is not a number"):
        doubles(V=sparse.coo_array(np.array([1j])), x=1.0)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_files(tmp_path: Path, dtype: Any):
    type = {np.complex64: "Complex64", np.complex128: "Complex128"}[dtype]
    wanted = diablo.compile(f"input A: matrix[{type}]; A").wanted["A"]
    A = numbers((4, 3), dtype)
    A[1] = 0
    for suffix in (".npy", ".npz", ".csv", ".mtx", ".json", ".mtx.gz"):
        path = tmp_path / f"a{suffix}"
        for value in (A, sparse.csr_array(A)):
            save(value, path)
            found = load(path, wanted)
            found = found if isinstance(found, np.ndarray) else found.toarray()
            assert found.dtype == dtype
            np.testing.assert_array_equal(found, A, strict=True)
    assert "j" in (tmp_path / "a.csv").read_text()
    assert json.loads((tmp_path / "a.json").read_text())[1] == ["0j", "0j", "0j"]


def test_tables(tmp_path: Path):
    program = diablo.compile("input L: list[<i: Int, j: Complex128>]; [ (r.i,r.j) | r <- L ]")
    wanted = program.wanted["L"]
    (tmp_path / "t.csv").write_text("i,j\n1,1+2j\n2,(0.5-1j)\n3,4\n")
    columns = load(tmp_path / "t.csv", wanted)
    assert columns[1].tolist() == [1 + 2j, 0.5 - 1j, 4]
    (tmp_path / "bad.csv").write_text("1,1+2j\n2,j\n")
    with pytest.raises(InputError, match=r"bad.csv:2, column 2: 'j' is not a complex number"):
        load(tmp_path / "bad.csv", wanted)
    (tmp_path / "t.json").write_text('[{"i": 1, "j": "1+2j"}, {"i": 2, "j": {"re": 1, "im": 2}}]')
    assert load(tmp_path / "t.json", wanted)[1].tolist() == [1 + 2j, 1 + 2j]
    save(program(L=[(1, 1j)]), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "1,1j\n"


def test_parquet_holds_the_parts(tmp_path: Path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parts = [{"re": 1.0, "im": 2.0}, {"re": 0.5, "im": -1.0}]
    parquet.write_table(pyarrow.table({"i": [1, 2], "z": parts}), tmp_path / "t.parquet")
    wanted = diablo.compile("input L: list[<i: Int, z: Complex64>]; L.length").wanted["L"]
    found = load(tmp_path / "t.parquet", wanted)
    assert found[1].dtype == np.complex64
    assert found[1].tolist() == [1 + 2j, 0.5 - 1j]


def test_results():
    A = numbers((2, 2), np.complex64)
    result = diablo.compile("input A: matrix[Complex64]; A * 1j")(A=A)
    assert result.dtype == np.complex64
    assert "complex64" in repr(result)
    assert (result.to_numpy().real == (A * np.complex64(1j)).real).all()
    assert result.to_scipy().dtype == np.complex64
    assert complex(diablo.compile("input A: matrix[Complex64]; A[0,0]")(A=A)) == A[0, 0]
    assert BY_NAME["Complex"] is BY_NAME["Complex128"]


SIGNS = """input S: matrix[Complex128]; var n = S.rows;
(+/[ 1 | i <- 0..n-1, j <- 0..n-1, arg(conj(S[i,j]-1.0)) < 0.0 ],
 +/[ 1 | i <- 0..n-1, j <- 0..n-1, arg(-(S[i,j]+2.0)) < 0.0 ],
 +/[ 1 | i <- 0..n-1, j <- 0..n-1, arg((S[i,j]+2.0)/(-1.0)) < 0.0 ],
 +/[ 1 | i <- 0..n-1, j <- 0..n-1, arg((S[i,j]-1.0)*(S[i,j]-1.0)) < 0.0 ],
 tensor(n,n)[ ((i,j), sqrt(conj(S[i,j]-1.0))) | i <- 0..n-1, j <- 0..n-1 ])"""


@pytest.mark.parametrize("mode", ["always", "never"])
def test_zeros_of_sparse_arrays_lie_on_their_side_of_branch_cuts(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    dense = np.array([[0, 1 + 1j, 0], [0, 0, 0], [2j, 0, -1]])
    *counts, roots = diablo.compile(SIGNS)(S=sparse.csr_matrix(dense))
    shown = [np.conj(dense - 1), -(dense + 2), (dense + 2) / -1.0, (dense - 1) * (dense - 1)]
    assert counts == [int(np.sum(np.angle(part) < 0)) for part in shown]
    np.testing.assert_allclose(roots.to_numpy(), np.sqrt(np.conj(dense - 1)))


def test_what_is_too_large_is_infinite() -> None:
    text = "input V: vector[Complex64]; var c: Complex64 = 1e300; V*c"
    found = diablo.compile(text)(V=np.array([1.0, 2.0], np.complex64)).to_numpy()
    assert np.isinf(found.real).all()
