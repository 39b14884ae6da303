"""Programs over every type of integers: as NumPy computes, as the interpreter does, in each way."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import CompileError, InputError
from diablo.runtime.io.inputs import load
from diablo.runtime.io.outputs import save
from diablo.runtime.io.wanted import WantedArray, WantedRows
from diablo.scalar_table import BY_NAME, SCALARS, Scalar, promoted
from fuzzing.trial import Trial, Way

INTEGERS = [row.name for row in SCALARS if row.is_integer]
NUMBERS = [row for row in SCALARS if row.is_number and row.domain != "complex"]
WAYS = [
    Way(block_sizes=(None, 3), compile="always"),
    Way(block_sizes=(None, 3), compile="never"),
    Way(block_sizes=(None,), compile="always", whole=True),
]


def inputs_of(name: str) -> dict[str, Any]:
    """Data all over a type, so that sums and products wrap around."""
    dtype = np.dtype(BY_NAME[name].dtype)
    limits, rng = np.iinfo(dtype), np.random.default_rng(5)

    def draw(*shape: int) -> Any:
        return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)

    M = draw(4, 5)
    few = np.where(rng.random((4, 5)) < 0.4, draw(4, 5), 0).astype(dtype)
    return {"k": int(draw(1)[0]), "V": draw(7), "M": M, "S": sparse.csr_array(few), "n": 7}


DECLARED = """
input k: TYPE; input V: vector[TYPE]; input M: matrix[TYPE]; input S: matrix[TYPE]; input n: Int;
"""
PROGRAMS = [
    "(k, k+k, k*3, k-1, -k, k/3, k%7, abs(k), sign(k), min(k,2), max(k,V[1]), k+1.5, k+n)",
    "(V+V, V*V, V*2, V-k, 3-V, -V, V/3, V%5, abs(V), M @ M.t, M*M, M @ S.t)",
    """(+/[ v | (i,v) <- V ], */[ v | (i,v) <- V ], min/[ v | (i,v) <- V ], max(M), sum(V),
        mean(V), argmin(V), argmax(M), +/[ toInt(v) | (i,v) <- V ])""",
    """var s: TYPE = 0; for (i,v) in V do s += v; var W = V;
       for i = 1, n-2 do W[i] = V[i-1] + V[i+1]; (s, W)""",
    "[ (k, +/v, max/v, v.length) | (i,k) <- V, let v = V[i], group by k ]",
    """var m: map[TYPE,Int] = map(); for (i,v) in V do m[v] += 1;
       var h: map[Int,TYPE] = map(); for (i,v) in V do h[i%3] += v; (m, h, m[V[2]])""",
    """(S, S+S, S*S, S*3, +/[ s | ((i,j),s) <- S ], [ (i, +/s) | ((i,j),s) <- S, group by i ],
        S @ M.t, S.t, S @ S.t)""",
    """var A = tensor*(4,5)[ ((i,j), M[i,j] + V[i]*2) | i <- 0..3, j <- 0..4 ];
       for i = 0,3 do for j = 0,4 do A[i,j] *= S[i,j]; A""",
    """var i = 0; var x: TYPE = k; while (i < 5) { x = x*x + 1; i += 1 };
       (x, toInt(x), toDouble(x), toString(x))""",
    "[ toTYPE(v) | v <- [300, -1, 70000, 5000000000, n] ]",
    """([ toTYPE(v) | v <- [1e30, -1e30, 2.5, -2.5, 0.0/0.0, 200.7] ], toTYPE('a'),
        V[toInt(toTYPE(3))])""",
    """(bitand(k,3), bitor(k,V[1]), bitxor(k,7), bitnot(k), shl(k,3), shr(k,2), ushr(k,1),
        bitnot(V))""",
    "[ (shl(v,3), ushr(v,2), shr(v,1), bitnot(v), sign(v), shl(v,toTYPE(70))) | (i,v) <- V ]",
    """var s: TYPE = 1; for i = 0, n-1 do s = s*3 + V[i]; var best = V[0]; var at = -1;
       for (i,v) in V do if (v > best) { best = v; at = i }; (s, best, at)""",
    """region R = (1..4,1..5); region D = R where (i,j) => i == j;
       var A: matrix[TYPE] over D fill 2 = 3; for (i,j) in D do A[i,j] += 100; (A, A*A, A+1)""",
    """monoid two(TYPE) = (0, (x,y) => x + y);
       (two/[ v | (i,v) <- V ], [ (i, two/v) | (i,v) <- V, group by i: i%2 ])""",
    """var L: list[TYPE] = [1, 2, 3]; var N: vector[TYPE] = tensor(3)[ (i, 5) | i <- 0..2 ];
       (L, N, [ x + 1 | x <- L ], [k, 1, 2], (k,1) == (k,2), if (k > 3) k else 7)""",
    """var W = V; for i = 0, n-1 do W[i] = (V[(i+n-1)%n] + V[(i+1)%n]) - 2*V[i];
       (W, tensor*(4)[ (i, max/m) | ((i,j),m) <- M, group by i ],
        tensor*(5)[ (j, +/m) | ((i,j),m) <- M, group by j ])""",
    """var W = V; var s = V[0]; for i = 0, n-1 do { s = s*3 + V[i]; W[i] = s + 1 };
       var N = M; var t = 0; while (t < 4) { N[t,t+1] = s*N[t,t+1] - V[t]; t += 1 }; (W, N, V)""",
    "var B = tensor*(10)[ (i, +/w) | (j,w) <- V, let i = j % 4, group by i ]; B",
    "[ if (v != V[2]) +/[ w/(v-V[2]) + w%(v-V[2]) | (j,w) <- V ] else 1 | (i,v) <- V ]",
    """([ (v,w) | (i,v) <- V, (j,w) <- V, v < w, w == V[j] ], (V[0],k) == (V[1],2),
        [ (k, min/i) | (i,v) <- V, let w = bitor(v,1), group by k: w ])""",
    """var low = V; for i = 0, 6 do for j = 0, 6 do if (V[j] < low[i]) low[i] = V[j];
       var p: TYPE = 1; for i = 0, n-1 do p = max(p*V[i], min(p, k)) - bitand(V[i], 15);
       (low, p, max(0,V), min(V,1), +/[ 1 | (i,v) <- V, v >= 0, v <= V[0] ])""",
]


SHARES = {"UInt64": 2, "Int8": 2}
"""Every other program is run for the widest type without a sign, the others for the narrowest."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", INTEGERS)
def test_as_the_interpreter_says(name: str) -> None:
    share = SHARES.get(name, 5)
    for program in PROGRAMS[INTEGERS.index(name) % share :: share]:
        trial = Trial((DECLARED + program).replace("TYPE", name), inputs_of(name))
        outcome = trial.run(WAYS)
        assert outcome.verdict == "same", (program, outcome)


@pytest.mark.spark
@pytest.mark.sampled(16)
@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("name", ["Int8", "UInt64"])
def test_on_spark(name: str, number: int) -> None:
    program = PROGRAMS[number]
    trial = Trial((DECLARED + program).replace("TYPE", name), inputs_of(name))
    outcome = trial.run([Way(block_sizes=(3,), engine="spark", master="local[2]")])
    assert outcome.verdict == "same", (program, outcome)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("mode", ["always", "never"])
@pytest.mark.parametrize("name", INTEGERS)
def test_as_numpy_computes(name: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    given = inputs_of(name)
    V, M, S, dtype = given["V"], given["M"], given["S"].toarray(), np.dtype(BY_NAME[name].dtype)
    program = """(V + V, V * 3 - 1, M * M, tensor*(4)[ (i, +/m) | ((i,j),m) <- M, group by i ],
        tensor*(5)[ (j, max/m) | ((i,j),m) <- M, group by j ], S * 2, M + S, V * 0.5, V + 1,
        tensor*(7)[ (i, V[i] + i) | i <- 0..6 ])"""
    with np.errstate(all="ignore"):
        expected = [V + V, V * 3 - 1, M * M, M.sum(1, dtype), M.max(0), S * 2, M + S, V * 0.5]
        expected += [V + 1, V + np.arange(7)]
    for block_size in (None, 3):
        found = diablo.compile((DECLARED + program).replace("TYPE", name), block_size=block_size)
        for result, wanted in zip(found(**given), expected, strict=True):
            assert result.dtype == wanted.dtype
            np.testing.assert_array_equal(np.asarray(result), wanted)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("other", NUMBERS, ids=str)
@pytest.mark.parametrize("one", NUMBERS, ids=str)
def test_numbers_are_promoted_as_by_numpy(one: Scalar, other: Scalar) -> None:
    assert promoted(one, other).dtype == np.promote_types(one.dtype, other.dtype).name
    text = "input x: {}; input y: {}; (tensor(1)[ (i, x+y) | i <- 0..0 ], x < y)"
    result, _ = diablo.compile(text.format(one.name, other.name))(x=1, y=2)
    assert result.dtype == np.promote_types(one.dtype, other.dtype)


@pytest.mark.parametrize("suffix", ["npy", "npz", "csv", "json", "mtx"])
@pytest.mark.parametrize("name", INTEGERS)
def test_files_keep_the_type(name: str, suffix: str, tmp_path: Path) -> None:
    M, path = inputs_of(name)["M"], str(tmp_path / f"m.{suffix}")
    save(diablo.compile(f"input M: matrix[{name}]; M")(M=M), path)
    again = load(path, WantedArray(2, BY_NAME[name].element))
    assert again.dtype == M.dtype
    np.testing.assert_array_equal(np.asarray(again), M)


@pytest.mark.parametrize("name", INTEGERS)
def test_rows_of_parquet_files(name: str, tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    row, path = BY_NAME[name], str(tmp_path / "rows.parquet")
    low, high = row.limits
    keys = arrow.array([low, high, 1, high], getattr(arrow, row.dtype)())
    parquet.write_table(arrow.table({"key": keys, "value": [1, 2, 3, 4]}), path)
    program = diablo.compile(f"input L: list[({name},Int)]; [ (k, +/v) | (k,v) <- L, group by k ]")
    sums = program(L=load(path, WantedRows((row.element, "i64"))))
    assert sorted(sums) == sorted([(low, 1), (1, 3), (high, 6)])
    assert sums.to_numpy()[0].dtype == row.dtype


@pytest.mark.parametrize("name", INTEGERS)
def test_what_does_not_fit_is_refused(name: str, tmp_path: Path) -> None:
    low, high = BY_NAME[name].limits
    path = tmp_path / "v.csv"
    path.write_text(f"1\n{high + 1}\n")
    with pytest.raises(InputError, match=f":2: {high + 1} does not fit in"):
        load(str(path), WantedArray(1, BY_NAME[name].element))
    program = diablo.compile(f"input v: vector[{name}]; v")
    scalar = diablo.compile(f"input k: {name}; k + 0")
    assert scalar(k=high) == high
    with pytest.raises(InputError, match=f"k: {low - 1} does not fit in"):
        scalar(k=low - 1)
    if name not in ("Int", "UInt64"):
        with pytest.raises(InputError, match=f"{high + 1} in .* is not a"):
            program(v=np.array([0, high + 1], object))
        with pytest.raises(CompileError, match=f"{high + 1} does not fit in {name}"):
            diablo.compile(f"input k: {name}; k + {high + 1}")
        with pytest.raises(CompileError, match=rf"hint: to{name}\({low - 1}\)"):
            diablo.compile(f"var k: {name} = {low - 1}; k")
    assert diablo.compile(f"var k: {name} = {low}; k")() == low


def test_columns_of_narrow_integers() -> None:
    program = diablo.compile("input L: list[(Int8,Int16)]; [ (a, +/b) | (a,b) <- L, group by a ]")
    found = program(L=[(1, 300), (2, 5), (1, 32767)])
    assert sorted(found) == [(1, 300 + 32767 - 65536), (2, 5)]
    assert [column.dtype for column in found.to_numpy()] == [np.int8, np.int16]
    with pytest.raises(InputError, match="128 in row 1, column 1 is not an 8-bit integer"):
        program(L=[(128, 1)])


def test_numbers_that_are_written_out_take_a_type() -> None:
    for text, dtype in (
        ("input x: Float; x * 2.0", np.float32),
        ("input x: Int8; x * 2.0", np.float64),
        ("input x: Int8; 1 + x", np.int8),
        ("input x: Int16; max(x, -3)", np.int16),
        ("input x: Int8; if (x > 0) x else 0", np.int8),
    ):
        head, _, body = text.partition(";")
        whole = f"{head}; tensor(1)[ (i, {body}) | i <- 0..0 ]"
        result = diablo.compile(whole)(x=1.5 if "Float" in head else 2 if "* 2" in body else 1)
        assert result.dtype == dtype
    for text, message in (
        ("input n: Int; var x: Int8 = n; x", r"hint: convert it: toInt8\(…\) keeps the lowest"),
        ("input n: Int; var x: Float = n; x", r"hint: convert it: toFloat\(…\) rounds"),
        ("input d: Double; var x: Int16 = d; x", r"hint: convert it: toInt16\(…\) truncates"),
    ):
        with pytest.raises(CompileError, match=message):
            diablo.compile(text)


@pytest.mark.parametrize("mode", ["always", "never"])
def test_words_without_a_sign_are_rounded_once(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    # Through a Double the first two would be halfway between Floats, and go to the even one.
    V = np.array([2**60 + 2**36 + 1, 2**63 + 2**39 + 1, 2**64 - 1, 2**53 + 1, 7], np.uint64)
    text = """input V: vector[UInt64]; (tensor(5)[ (i, toFloat(V[i])) | i <- 0..4 ],
        tensor(5)[ (i, toDouble(V[i])) | i <- 0..4 ])"""
    floats, doubles = diablo.compile(text)(V=V)
    np.testing.assert_array_equal(np.asarray(floats), V.astype(np.float32))
    np.testing.assert_array_equal(np.asarray(doubles), V.astype(np.float64))


def test_keys_beyond_those_with_a_sign() -> None:
    program = diablo.compile("input L: list[(UInt64,Int)]; [ (k, +/v) | (k,v) <- L, group by k ]")
    for least in (0, 2**63 - 1, 2**64 - 3):
        rows = [(least + 1, 3), (least, 1), (least + 1, 4)]
        assert sorted(program(L=rows)) == [(least, 1), (least + 1, 7)]


def test_other_names_of_types() -> None:
    text = """input V: vector[Float32]; var x: Float64 = 0.1; var b: Byte = 3; var n: Long = 4;
    (V * 2.0, toFloat32(x), toFloat64(V[0]), toByte(300), toLong(x), toInt64(b), toShort(n))"""
    outcome = Trial(text, {"V": np.array([0.1, 2], np.float32)}).run(WAYS)
    assert outcome.verdict == "same", outcome
    twice, *others = diablo.compile(text)(V=np.array([0.1, 2], np.float32))
    assert twice.dtype == np.float32
    assert others == [np.float32(0.1), float(np.float32(0.1)), 44, 0, 3, 4]
    with pytest.raises(CompileError, match="Double cannot be assigned to `f`, which is Float"):
        diablo.compile("input d: Float64; var f: Float32 = 1; f = d; f")


def test_updates_without_a_sign_subtract_what_is_written_out() -> None:
    text = """input V: vector[UInt8]; var W = V; var X = V; var s: UInt64 = 3;
    var m: map[Int,UInt8] = map();
    for (i,v) in V do { W[i] -= 2; X[i/2] = 1 + X[i/2] - 3; m[i] -= 1; s -= 18446744073709551615; };
    (W, X, m, s)"""
    for size in (None, 2):
        *arrays, m, s = diablo.compile(text, block_size=size)(V=[1, 2, 3])
        assert [array.tolist() for array in arrays] == [[255, 0, 1], [253, 0, 3]]
        assert m == {0: 255, 1: 255, 2: 255}
        assert s == 6


def test_literals_below_zero_have_no_type_without_a_sign() -> None:
    for text in ("k - 1 > -1", "[k, -1]", "max(k, -1)", "if (k > 1) k else -1"):
        with pytest.raises(CompileError, match="-1 does not fit in UInt8, which holds 0 to 255"):
            diablo.compile(f"input k: UInt8; {text}")
    with pytest.raises(CompileError, match="an index must be Int, not UInt64"):
        diablo.compile("input k: UInt64; input V: vector[Int]; V[k]")


MOST = 2**64 - 1
WIDE = """input u: UInt64 = MOST; var x = 2.5; var f: Float = MOST; var a: UInt64 = MOST;
var L: list[UInt64] = [1, MOST]; var m: map[UInt64,UInt64] = map();
var V = tensor*(5)[ (i, u - toUInt64(i)) | i <- 0..4 ];
m[MOST] = 9223372036854775808; m[MOST] += MOST; a -= 9223372036854775808; x += MOST;
monoid least(UInt64) = (MOST, (x,y) => min(x,y));
(u >= 9223372036854775808, 9223372036854775808 - u, [u, MOST], max(9223372036854775808,u), f, a, L,
 m, x, toUInt64(9223372036854775808), toDouble(MOST), toInt8(MOST), toString(MOST), MOST/2.0,
 MOST + 2j, [MOST, 1.5], -MOST * 1.0, sqrt(MOST), if (u > 3) MOST else u, least/L, V - MOST,
 +/[ v | (i,v) <- V, v < MOST ], (u,1) == (MOST,1))""".replace("MOST", str(MOST))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0/3.0", 1 / 3),
        ("-(1.0/3.0) + 2", 2 - 1 / 3),
        ("2/3.0 - (7/2)*0.1", 2 / 3 - 3 * 0.1),
        # What is between is a Double: neither rounded nor infinite.
        ("1e30*1e30/1e59", 1e30 * 1e30 / 1e59),
        ("0.1 + 1e-9 - 0.1", 0.1 + 1e-9 - 0.1),
        ("1.0/0.0", math.inf),
        ("-1.0/0.0", -math.inf),
        ("0.0/0.0", math.nan),
    ],
)
def test_what_is_computed_of_literals_is_one(text: str, value: float) -> None:
    program = f"""input F: vector[Float]; var f: Float = {text}; var g: Float = 1; g = {text};
        (f, g, F*({text}), [ v < ({text}) | (i,v) <- F ], +/[ v + ({text}) | (i,v) <- F ],
         {text})"""
    F = np.array([0.5, -1.0], np.float32)
    wanted = np.float32(value)
    f, g, product, less, total, double = diablo.compile(program)(F=F)
    np.testing.assert_array_equal([f, g], [wanted, wanted])
    assert product.dtype == np.float32
    np.testing.assert_array_equal(np.asarray(product), F * wanted)
    assert less == (wanted > F).tolist()
    np.testing.assert_array_equal(total, (F + wanted).sum())
    np.testing.assert_array_equal(double, value)


def test_literals_that_only_uint64_holds() -> None:
    trial = Trial(WIDE, {})
    outcome = trial.run(WAYS)
    assert outcome.verdict == "same", outcome
    found = diablo.compile(WIDE)()
    half, double = 2**63, 2.0**64
    assert found[:4] == (True, half + 1, [MOST, MOST], MOST)
    assert found[4:7] == (double, half - 1, [1, MOST])
    assert dict(found[7]) == {MOST: half - 1}
    assert found[8:14] == (double, half, double, -1, str(MOST), double / 2)
    assert found[14:20] == (double + 2j, [double, 1.5], -double, 2.0**32, MOST, 1)
    assert np.asarray(found[20]).tolist() == [0, MOST, MOST - 1, MOST - 2, MOST - 3]
    assert found[21:] == (sum(MOST - i for i in range(1, 5)) % 2**64, True)


@pytest.mark.spark
def test_literals_that_only_uint64_holds_on_spark() -> None:
    outcome = Trial(WIDE, {}).run([Way(block_sizes=(3,), engine="spark", master="local[2]")])
    assert outcome.verdict == "same", outcome


UPDATES = """monoid lo(Float) = (inf, (x,y) => if (x <= y) x else y);
input n: Int = 3; input w: Double = 0.1;
var h: vector[Float] = tensor(n)[ (i,9.0f) | i <- 0..n-1 ];
var g = h; var z: Complex64 = toComplex64(1); var b = 0.5f;
for i = 0, n-1 do h[i] += i;
for i = 0, n-1 do g[i] lo= i + w;
def toFloat(x: Double): Float = 7.0f;
for i = 0, n-1 do h[i] -= i*w;
var f = 0.5f; f /= n; f -= w; f %= n;
z += n/2.0; z *= complex(0.0, w); b max= n;
(h, g, z, b, f)"""


@pytest.mark.parametrize("block_size", [None, 2])
def test_updates_keep_the_type_of_what_they_update(block_size: int | None) -> None:
    h, g, z, b, f = diablo.compile(UPDATES, block_size=block_size)()
    assert h.dtype == g.dtype == np.float32
    assert h.to_numpy().tolist() == np.float32([9, 10 - np.float32(0.1), 11 - 0.2]).tolist()
    assert g.to_numpy().tolist() == np.float32([0.1, 1.1, 2.1]).tolist()
    assert z == np.complex64(2.5) * np.complex64(0.1j)
    assert (b, f) == (3.0, np.float32(0.5) / np.float32(3) - np.float32(0.1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("var b = toInt8(1); var n = 3; b += n; b", "Int cannot be assigned to `b`"),
        ("var f = toFloat(1); f += complex(1.0,2.0); f", "Complex128 cannot be assigned to `f`"),
        ("var f = toFloat(1); var d = 0.1; f = f + d; f", "Double cannot be assigned to `f`"),
        # Of integers without such an Int, which wrap around, nothing is a literal.
        ("var f = toFloat(1); f = -(-9223372036854775808)*1.0; f", "Double cannot be assigned"),
    ],
)
def test_what_is_not_converted_by_itself(text: str, message: str) -> None:
    with pytest.raises(CompileError, match=message):
        diablo.compile(text)()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("var x: Float = 1e300; x", math.inf),
        ("var x: Float = 1e20; x*x", math.inf),
        ("var x: Float = 1e38; x/0.01", math.inf),
        ("-3e38f*10.0", -math.inf),
        (
            "var F: vector[Float] = tensor(2)[ (i,1.5f) | i <- 0..1 ]; +/[ v + 1e39 | (i,v) <- F ]",
            math.inf,
        ),
    ],
)
def test_floats_beyond_the_largest_are_infinite(text: str, value: float) -> None:
    assert diablo.compile(text)() == value
