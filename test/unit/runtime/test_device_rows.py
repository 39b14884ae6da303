# Kernels over rows, bins of floats and monoids of a program's own, on the stand-in for a GPU.
from typing import Any

import numpy as np
import pytest
from device_programs import counted, device, on_cpu, on_gpu, since

from diablo.diagnostics import Diagnostic
from diablo.runtime.device.device_run import DeviceRun
from diablo.runtime.device.stand_in import StandIn

__all__ = ["device"]

EXTENTS = (0, 1, 31, 33, 1025)
PAIRS = "input V: list[(Int,Double)];"
BOTH = f"{PAIRS} input W: list[(Int,Double)];"
ARGMIN = "monoid argmin((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);"
ROWS = {
    "filter": f"{PAIRS} [ (k,v*2.0) | (k,v) <- V, v > 0.5 ];",
    "groups": f"{PAIRS} [ (k,+/v,max/v,count/v) | (k,v) <- V, v > 0.0, group by k ];",
    "groups by two": f"{PAIRS} [ (k,b,+/v) | (k,v) <- V, let b = v > 0.0, group by (k,b) ];",
    "groups by floats": f"{PAIRS} [ (f,+/c) | (k,v) <- V, let f = k*0.5, let c = 1, group by f ];",
    "join": f"{BOTH} [ (k,v*w) | (k,v) <- V, (l,w) <- W, k == l ];",
    "join by two": f"{BOTH} [ (k,v,w) | (k,v) <- V, (l,w) <- W, k == l, v == w ];",
    "fold": f"{PAIRS} +/[ v*v | (k,v) <- V, v > 0.5 ];",
    "spread groups": f"{PAIRS} [ (h,+/v,count/v) | (k,v) <- V, let h = k*123457, group by h ];",
    "sums alone": f"{PAIRS} [ (k,+/v) | (k,v) <- V, group by k ];",
    "counts": f"{PAIRS} [ (k,+/c) | (k,v) <- V, let c = 1, group by k ];",
    "groups by integers": f"{PAIRS} [ (k,c,+/v) | (k,v) <- V, let c = k % 3, group by (k,c) ];",
    "own monoid": f"{PAIRS} {ARGMIN} argmin/[ (v,k) | (k,v) <- V ];",
    "joined and grouped": f"{BOTH} [ (k,+/w) | (k,v) <- V, (l,w) <- W, k == l, group by k ];",
}


def pairs(n: int, seed: int, keys: int) -> list[tuple[int, float]]:
    rng = np.random.default_rng((n, seed))
    values = rng.integers(-4, 5, n) / 2.0
    return list(zip(rng.integers(-3, keys, n).tolist(), values.tolist(), strict=True))


def plain(result: Any) -> Any:
    if isinstance(result, tuple | float | int | np.number):
        return result
    return sorted(tuple(row) for row in result)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", ROWS)
def test_rows_are_those_of_the_processor(device: StandIn, name: str):
    said: list[Diagnostic] = []
    text = ROWS[name]
    there, here = on_gpu(text, said), on_cpu(text)
    for n in EXTENTS:
        given = {"V": pairs(n, 1, n // 4 + 1)}
        if "W" in text:
            given["W"] = pairs(n // 2 + 1, 2, n // 4 + 1)
        # What is added up is exact in any order.
        assert plain(there(**given)) == plain(here(**given)), n
    refused = [d.message for d in said if "does not run on a GPU" in d.message]
    assert all("computes nothing" in message for message in refused)
    assert device.traffic.launches
    assert device.live_bytes == 0


def test_nan_is_one_key_and_is_found_by_none(device: StandIn):
    nan = float("nan")
    rows = [(nan, 1.0), (0.0, 2.0), (-0.0, 4.0), (nan, 8.0)]
    head = "input V: list[(Double,Double)];"
    groups = on_gpu(f"{head} [ (k,+/v) | (k,v) <- V, group by k ];")(V=rows)
    assert sorted(v for _, v in groups) == [6.0, 9.0]
    found = on_gpu(f"{head} +/[ v*w | (k,v) <- V, (l,w) <- V, k == l ];")(V=rows)
    assert found == 36.0


def test_arrays_that_the_processor_writes_into_are_copied_anew(device: StandIn):
    # Rows look up elements on the device, and replace them on the processor.
    text = """
        input n: Int; input A: matrix[Double]; var T = tensor*(n)[ (i,i*0) | i <- 0..n-1 ];
        var step = 0;
        while (step < 3) {
            step += 1;
            for ((i,j),_) in A do { T[j%n] = max(i+T[i/2], T[j]); };
        };
        T;
    """
    given = {"n": 1, "A": np.zeros((4, 4))}
    assert list(on_gpu(text)(**given)) == list(on_cpu(text)(**given)) == [3]
    assert device.traffic.launches


def test_strings_are_numbers_there(device: StandIn):
    text = "input words: list[String]; [ (w,+/c) | w <- words, let c = 1, group by w ];"
    said: list[Diagnostic] = []
    words = ["sea", "shell", "sea", "shore", "sea"]
    assert sorted(map(tuple, on_gpu(text, said)(words=words))) == [
        ("sea", 3),
        ("shell", 1),
        ("shore", 1),
    ]
    assert not [d for d in said if "GPU" in d.message]


def test_columns_are_copied_once(device: StandIn):
    text = f"""{PAIRS} var s = +/[ v | (k,v) <- V, v > 0.0 ]; var t = +/[ v | (k,v) <- V, v < s ];
    (s, t);"""
    V = (np.arange(500), np.linspace(-1, 1, 500))
    on_gpu(text)(V=V)
    assert device.traffic.bytes_in == 8 * 500


@pytest.mark.sampled(2)
@pytest.mark.parametrize("n", EXTENTS)
def test_scans_stay_there_between_kernels(device: StandIn, n: int):
    text = """input x: vector[Double]; input n: Int;
    var y = tensor*(n)[ (i, x[i]*2.0) | i <- 0..n-1 ];
    var s = tensor*(n)[ (i, +/[ y[j] | j <- 0..i ]) | i <- 0..n-1 ];
    var m = tensor*(n)[ (i, max/[ s[j] | j <- 0..i ]) | i <- 0..n-1 ];
    var z = tensor*(n)[ (i, s[i] - m[i]) | i <- 0..n-1 ];
    min/[ v | (i,v) <- z ];"""
    said: list[Diagnostic] = []
    x = np.random.default_rng(6).integers(-9, 9, n) / 2.0
    sums = np.cumsum(2 * x)
    least = np.min(sums - np.maximum.accumulate(sums), initial=np.inf)
    assert on_gpu(text, said)(x=x, n=n) == least
    assert not [d.message for d in said if "does not run on a GPU" in d.message]
    assert device.traffic.bytes_in == x.nbytes
    assert device.traffic.bytes_out < 200


@pytest.mark.parametrize("n", EXTENTS)
def test_scans_by_monoids_of_the_programs_own(device: StandIn, n: int):
    """What they make are numbers there, but no array of tuples."""
    text = """monoid linear((Double,Double)) = ((1.0,0.0), (p,q) => (p._1*q._1, p._2*q._1 + q._2));
    input x: vector[Double]; input n: Int;
    var s = tensor*(n)[ (i, linear/[ (x[j], 1.0) | j <- 0..i ]) | i <- 0..n-1 ];"""
    said: list[Diagnostic] = []
    x = np.random.default_rng(6).integers(-1, 2, n) / 2.0
    numbers, pairs = f"{text} tensor*(n)[ (i, s[i]._2) | i <- 0..n-1 ];", f"{text} s;"
    np.testing.assert_array_equal(
        np.asarray(on_gpu(numbers, said)(x=x, n=n)), np.asarray(on_cpu(numbers)(x=x, n=n))
    )
    assert not [d.message for d in said if "does not run on a GPU" in d.message]
    assert plain(on_gpu(pairs, said)(x=x, n=n)) == plain(on_cpu(pairs)(x=x, n=n))
    assert [d.message for d in said if "it makes an array of tuples" in d.message]


LOOPS = {
    "join": "v > step*0.5, (l,w) <- W, k == l",
    "groups": "(k,v) <- [ (k,+/v) | (k,v) <- V, v > step*0.5, group by k ], (l,w) <- W, k == l",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LOOPS)
def test_columns_stay_there_between_kernels(device: StandIn, name: str):
    body = LOOPS[name]
    rows = body if body.startswith("(") else f"(k,v) <- V, {body}"
    text = f"""{BOTH} input steps: Int; var s = 0.0; var step = 0;
    while (step < steps) {{ s += +/[ v*w | {rows} ]; step += 1; }}; s;"""
    rng = np.random.default_rng(4)
    V = (rng.integers(0, 50, 4000), rng.integers(-9, 9, 4000) / 2.0)
    W = (np.arange(50), np.arange(50) / 2.0)
    there = on_gpu(text)
    assert there(V=V, W=W, steps=1) == on_cpu(text)(V=V, W=W, steps=1)
    before = counted(device)
    device.peak = device.used
    assert there(V=V, W=W, steps=5) == on_cpu(text)(V=V, W=W, steps=5)
    done = since(device, before)
    inputs = sum(column.nbytes for column in (*V, *W))
    assert done["bytes_in"] == inputs
    # Numbers of rows, of groups, ends of keys and results, but no column.
    assert done["bytes_out"] < 5 * 200
    assert device.live_bytes == 0
    # What an iteration has made is let go before the next one makes as much.
    assert device.peak < 12 * inputs


def test_rows_that_are_returned_are_copied_when_they_are_looked_at(device: StandIn):
    V = (np.arange(500), np.linspace(-1.0, 1.0, 500))
    rows = on_gpu(ROWS["filter"])(V=V)
    assert device.traffic.bytes_out < 100
    assert device.live_bytes > 0
    assert plain(rows) == plain(on_cpu(ROWS["filter"])(V=V))
    ((keys, values),) = rows.to_rdd().collect()
    assert isinstance(keys, np.ndarray)
    assert isinstance(values, np.ndarray)
    assert device.traffic.copies_out <= 5, "two columns once, and how many rows there are"


BINS = {
    "floats": "tensor*(n)[ (j,+/w) | (i,j) <- k, (l,w) <- x, l == i, group by j ];",
    "own monoid": f"{ARGMIN} tensor*(n)[ (j,argmin/w) | (i,j) <- k, (l,u) <- x, l == i,"
    " let w = (u,i), group by j ];",
    "a plane": "tensor*(n,2)[ ((j,q),+/w) | (i,j) <- k, (l,w) <- x, l == i, let q = i%2,"
    " group by (j,q) ];",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["floats", "a plane"])
def test_floats_are_added_at_computed_places(device: StandIn, name: str):
    text = f"input k: vector[Long]; input x: vector[Double]; input n: Int; {BINS[name]}"
    said: list[Diagnostic] = []
    there, here = on_gpu(text, said), on_cpu(text)
    for m, n in ((0, 3), (1, 1), (33, 5), (1025, 7), (1025, 3000)):
        rng = np.random.default_rng((m, n))
        given = {"k": rng.integers(-1, n + 1, m), "x": rng.normal(size=m), "n": n}
        first = there(**given).to_numpy()
        np.testing.assert_allclose(first, here(**given), rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(first, there(**given).to_numpy())
    assert not [d for d in said if "GPU" in d.message]


def test_a_loop_over_bins_stays_there(device: StandIn):
    # An element that is read where it exists is no place at which something is stored.
    text = """input p: vector[Long]; input x: vector[Double]; input n: Int; input steps: Int;
    var h = tensor*(n)[ (j,0.0) | j <- 0..n-1 ]; var k = 0;
    while (k < steps) {
      h = tensor*(n)[ (j,+/v) | (i,j) <- p, (l,w) <- x, l == i, let v = w+h[0], group by j ];
      k += 1;
    }; h;"""
    p, x = np.arange(100) % 7, np.linspace(0.0, 1.0, 100)
    result = on_gpu(text)(p=p, x=x, n=7, steps=5)
    assert (device.traffic.copies_in, device.traffic.copies_out) == (2, 0)
    np.testing.assert_allclose(result, on_cpu(text)(p=p, x=x, n=7, steps=5), rtol=1e-14)


def test_tuples_stay_there(device: StandIn):
    text = f"""input A: matrix[Double]; var n = A.rows; {ARGMIN}
    var least = tensor*(n)[ (i,argmin/w) | ((i,j),a) <- A, let w = (a,j), group by i ];
    tensor*(n)[ (i,m._1+m._2) | (i,m) <- least ];"""
    said: list[Diagnostic] = []
    there, here = on_gpu(text, said), on_cpu(text)
    for shape in ((1, 1), (33, 31), (5, 1030), (70, 2)):
        A = np.random.default_rng(shape).integers(0, 5, shape) * 1.0
        np.testing.assert_array_equal(there(A=A).to_numpy(), here(A=A).to_numpy())
    assert not [d for d in said if "GPU" in d.message]


def test_rows_go_over_where_that_repays(device: StandIn, monkeypatch: pytest.MonkeyPatch):
    text, said = ROWS["fold"], list[Diagnostic]()
    program = on_gpu(text, said, device="auto")
    given = {"V": pairs(100, 1, 5)}
    expected = program(**given)
    assert not device.traffic.launches
    monkeypatch.setattr(DeviceRun, "repays", lambda *_: True)
    assert program(**given) == expected
    assert device.traffic.launches
    assert "'kernel_0' runs on the GPU from here on: 800 bytes to copy" in said[-1].message
