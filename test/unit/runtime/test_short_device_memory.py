# Too little memory on a device: what is also elsewhere goes, then calls are made in pieces, then by
# the processor, and where that has no room either the error has the sizes.
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from device_programs import counted, device, on_cpu, on_gpu, since

import diablo
from diablo.diagnostics import Diagnostic, RunError, size_text
from diablo.runtime.device.stand_in import StandIn

__all__ = ["device"]

AXPY = """input x: vector[Double]; input y: vector[Double]; input a: Double;
var n = x.length;
tensor*(n)[ (i,a*u+v) | (i,u) <- x, (j,v) <- y, i == j ];"""
ROWS = """input A: matrix[Double]; var n = A.rows;
tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];"""
PRODUCT = "input A: matrix[Double]; input B: matrix[Double]; A @ B;"
TOTAL = "input x: vector[Double]; +/[ u*u | (i,u) <- x ];"
MOST = "input x: vector[Double]; max/[ abs(u) | (i,u) <- x ];"
NUMBERED = """input x: vector[Double]; var n = x.length;
tensor*(n)[ (i,u*i) | (i,u) <- x ];"""
NEIGHBOURS = """input x: vector[Double]; var n = x.length;
tensor*(n)[ (i, (if (i > 0) x[i-1] else 0.0) + x[i]) | i <- 0..n-1 ];"""


def values(*shape: int) -> Any:
    return np.random.default_rng(5).normal(size=shape)


def memory_remarks(said: list[Diagnostic]) -> list[str]:
    return [d.message for d in said if "the device has" in d.message]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "inputs", "limit", "how"),
    [
        # Two vectors go, and one stays.
        (AXPY, {"x": values(1000), "y": values(1000), "a": 2.0}, 8 * 2500, "in 2 pieces"),
        (AXPY, {"x": values(1000), "y": values(1000), "a": 2.0}, 8 * 1300, "in 8 pieces"),
        # Not even the result fits.
        (AXPY, {"x": values(1000), "y": values(1000), "a": 2.0}, 8 * 900, "in 8 pieces"),
        (AXPY, {"x": values(1001), "y": values(1001), "a": 2.0}, 8 * 300, "in 32 pieces"),
        (ROWS, {"A": values(100, 50)}, 8 * 3000, "in 2 pieces"),
        (PRODUCT, {"A": values(60, 10), "B": values(10, 20)}, 8 * 1600, "in 30 pieces"),
        (TOTAL, {"x": values(1000)}, 8 * (600 + 528), "in 2 pieces"),
        (MOST, {"x": values(1000)}, 8 * (600 + 528), "in 2 pieces"),
    ],
)
def test_what_does_not_fit_is_done_in_pieces(
    device: StandIn, text: str, inputs: dict[str, Any], limit: int, how: str
):
    said: list[Diagnostic] = []
    device.limit = limit
    found = on_gpu(text, said)(**inputs)
    np.testing.assert_allclose(found, on_cpu(text)(**inputs), rtol=1e-12)
    (remark,) = memory_remarks(said)
    assert f"runs {how}: the device has {size_text(limit)}, of which" in remark
    assert device.traffic.launches + device.traffic.library_calls > 1
    assert device.peak <= limit, "what others have left"
    del found
    assert device.live_bytes == 0


SEVERAL = """input x: vector[Double]; input a: Double; var n = x.length;
var y = tensor*(n)[ (i,a*u) | (i,u) <- x ];
var z = tensor*(n)[ (i,u+a) | (i,u) <- x ];
var s = +/[ u*u | (i,u) <- x ];
(y, z, s);"""


@pytest.mark.parametrize(
    ("limit", "how"), [(8 * 2900, "in 32 pieces"), (8 * 1000, "in 8 pieces")], ids=["there", "here"]
)
def test_several_results_are_made_in_pieces(device: StandIn, limit: int, how: str):
    said: list[Diagnostic] = []
    device.limit = limit
    given = {"x": values(1000), "a": 2.0}
    found = on_gpu(SEVERAL, said)(**given)
    for part, expected in zip(found, on_cpu(SEVERAL)(**given), strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-12)
    (remark,) = memory_remarks(said)
    assert f"runs {how}" in remark
    assert device.peak <= limit, "what others have left"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("text", "why"), [(NUMBERED, "rows"), (NEIGHBOURS, "rows")])
def test_what_cannot_be_cut_runs_here(device: StandIn, text: str, why: str):
    said: list[Diagnostic] = []
    device.limit = 8 * 1500
    x = values(1000)
    np.testing.assert_allclose(on_gpu(text, said)(x=x), on_cpu(text)(x=x), rtol=1e-12)
    (remark,) = memory_remarks(said)
    assert "runs on the processor: the device has 11.7 KiB" in remark
    assert f"its work cannot be cut by {why}" in remark
    assert device.traffic.launches == 0


@pytest.mark.parametrize("density", [0.05, 0.3])
def test_rows_of_a_sparse_matrix_go_there_by_turns(device: StandIn, density: float):
    text = "input A: matrix[Double]; input x: vector[Double]; A @ x;"
    matrix = sparse.random_array((300, 40), density=density, format="csr", rng=2)
    x = values(40)
    said: list[Diagnostic] = []
    device.limit = 8 * (300 + 40) + 12 * matrix.nnz // 4 + 600
    found = on_gpu(text, said)(A=matrix, x=x)
    np.testing.assert_allclose(found, matrix @ x, rtol=1e-12)
    (remark,) = memory_remarks(said)
    assert "pieces: the device has" in remark
    assert device.traffic.launches > 1


def test_what_the_process_has_as_well_goes_first(device: StandIn):
    text = """input x: vector[Double]; input y: vector[Double]; input steps: Int;
var n = x.length;
var s = +/[ u | (i,u) <- x ];
var z = y; var k = 0;
while (k < steps) { z = tensor*(n)[ (i,v*s) | (i,v) <- z ]; k += 1; };
var t = +/[ u*v | (i,u) <- x, (j,v) <- z, i == j ];
t;"""
    said: list[Diagnostic] = []
    x, y = values(2000), values(2000)
    device.limit = 8 * (2 * 2000 + 600)
    t = on_gpu(text, said)(x=x, y=y, steps=1)
    np.testing.assert_allclose(t, (x * y).sum() * x.sum(), rtol=1e-10)
    # x makes room for what is made of y, and comes again.
    assert not memory_remarks(said)
    assert device.traffic.copies_in >= 3


def test_blocks_of_a_program_in_blocks_make_room_for_others(
    monkeypatch: pytest.MonkeyPatch,
):
    from diablo.runtime.device import device as device_module
    from diablo.runtime.device.found_device import find_devices

    monkeypatch.setenv(device_module.DEVICE, "stand-in:2")
    x, y = values(4000), values(4000)
    devices: list[Any] = find_devices("gpu:all")
    before = [counted(each) for each in devices]
    said: list[Diagnostic] = []
    for each in devices:
        each.limit = 8 * 2300
    try:
        program = on_gpu(AXPY, said, device="gpu:0,1", block_size=100)
        found = program(x=x, y=y, a=3.0)
        np.testing.assert_array_equal(found, 3.0 * x + y)
    finally:
        for each in devices:
            each.limit = None
    # Each has 20 blocks of the result, and has had 40 of what it is made of.
    assert not memory_remarks(said)
    assert [since(d, then)["launches"] for d, then in zip(devices, before, strict=True)] == [20, 20]


def test_the_error_has_the_sizes_where_nobody_has_room(device: StandIn):
    device.limit = 1 << 20
    x = np.zeros(1 << 22)
    program = diablo.compile(AXPY, device="gpu", memory="4m")
    with pytest.raises(RunError) as caught:
        program(x=x, y=x, a=1.0).to_numpy()
    message = str(caught.value)
    assert "an array of 4194304 would take 32 MiB" in message
    assert "the device has 1 MiB, of which 0 bytes are in use" in message
    assert "3:1" in message


@pytest.mark.parametrize("limit", [0, 100, 10**6])
def test_rows_that_have_no_room_there_are_sorted_here(device: StandIn, limit: int):
    text = """input R: list[(Int, Double)];
[ (k,v*2.0) | (k,v) <- R, v > 0.0, order by v ];"""
    rows = [(k % 5, float(v)) for k, v in enumerate(values(60))]
    device.limit = limit
    found = list(on_gpu(text)(R=rows))
    assert found == list(on_cpu(text)(R=rows))
    assert (device.traffic.launches > 0) == (limit == 10**6)


def test_tuples_are_made_in_pieces(device: StandIn):
    x = np.random.default_rng(0).random(4000)
    text = (
        "input x: vector[Double]; var T = tensor*(x.length)[ (i,(a,2.0*a)) | (i,a) <- x ];"
        "tensor*(x.length)[ (i,(b,a)) | (i,(a,b)) <- T ]"
    )
    for limit in range(40_000, 110_000, 10_000):
        device.limit = device.used + limit
        result = on_gpu(text)(x=x).to_numpy()
        device.limit = None
        assert [pair[0] for pair in result.tolist()] == (2 * x).tolist()
