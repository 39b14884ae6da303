# A program with several devices: blocks are dealt out, and stay; what is read elsewhere is copied
# from device to device.
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from device_programs import on_cpu, on_gpu

import diablo
import diablo.array as da
from diablo.diagnostics import Diagnostic, InputError
from diablo.runtime.device import device as device_module
from diablo.runtime.device.dealt_devices import DealtDevices
from diablo.runtime.device.device import Traffic
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.device.device_run import current_run, running
from diablo.runtime.device.found_device import find_devices
from diablo.runtime.device.stand_in import StandIn

TWO = "gpu:0,1"


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> Generator[list[StandIn]]:
    """Two stand-ins as the devices of this process, which have done nothing."""
    monkeypatch.setenv(device_module.DEVICE, "stand-in:2")
    found: list[StandIn] = []
    for device in find_devices("gpu:all"):
        assert isinstance(device, StandIn)
        device.traffic = Traffic()
        found.append(device)
    assert len(found) == 2
    yield found
    for device in found:
        device.limit = None


def both(devices: list[StandIn], name: str) -> list[int]:
    return [vars(device.traffic)[name] for device in devices]


AXPY = """input x: vector[Double]; input y: vector[Double]; input a: Double;
var n = x.length;
var z = tensor*(n)[ (i,a*u+v) | (i,u) <- x, (j,v) <- y, i == j ];
z;"""
CHAIN = """input A: matrix[Double]; input steps: Int;
var n = A.rows; var m = A.cols; var B = A; var k = 0;
while (k < steps) {
  B = tensor*(n,m)[ ((i,j),a*0.5+b) | ((i,j),a) <- A, ((p,q),b) <- B, p == i, q == j ];
  k += 1;
};
B;"""
STENCIL = """input x: vector[Double]; input steps: Int;
var n = x.length; var v = x; var k = 0;
while (k < steps) {
  v = tensor*(n)[ (i, (if (i > 0) v[i-1] else 0.0) + v[i]*0.5) | i <- 0..n-1 ]; k += 1;
};
v;"""
NORM = """input x: vector[Double]; input steps: Int;
var n = x.length; var v = x; var s = 0.0; var k = 0;
while (k < steps) {
  s = +/[ w*w | (i,w) <- v ];
  v = tensor*(n)[ (i,w/s+1.0) | (i,w) <- v ];
  k += 1;
};
(v, s);"""


def values(*shape: int) -> Any:
    return np.random.default_rng(7).normal(size=shape)


@pytest.mark.parametrize("n", [1, 2, 3, 31, 1025])
def test_blocks_of_arrays_that_are_cut_alike_are_together(devices: list[StandIn], n: int):
    x, y = values(n), values(n) + 1.0
    said: list[Diagnostic] = []
    result = on_gpu(AXPY, said, device=TWO)(x=x, y=y, a=3.0)
    used = [1, 1] if n > 1 else [1, 0]
    assert both(devices, "launches") == used
    assert both(devices, "copies_in") == [2 * count for count in used]
    assert both(devices, "copies_out") == [0, 0]
    assert both(devices, "peer_copies") == [0, 0]
    assert sum(device.live_bytes for device in devices) == 8 * n
    np.testing.assert_array_equal(result, 3.0 * x + y)
    edge = -(-n // 2)
    remarks = [d.message for d in said if "GPUs" in d.message]
    assert remarks == [f"arrays are cut into blocks with an edge of {edge} for 2 GPUs"]
    del result
    assert [device.live_bytes for device in devices] == [0, 0]


@pytest.mark.parametrize("block_size", [None, 4, 5])
def test_a_loop_over_elements_copies_no_block(devices: list[StandIn], block_size: int | None):
    a = values(16, 8)
    found = on_gpu(CHAIN, device=TWO, block_size=block_size)(A=a, steps=6)
    assert both(devices, "peer_copies") == [0, 0]
    assert sum(both(devices, "bytes_in")) == a.nbytes
    launches = both(devices, "launches")
    assert launches[0] == launches[1] > 5
    np.testing.assert_allclose(found, on_cpu(CHAIN)(A=a, steps=6), rtol=1e-13)


def test_neighbours_exchange_what_they_read(devices: list[StandIn]):
    x = values(1000)
    found = on_gpu(STENCIL, device=TWO)(x=x, steps=10)
    np.testing.assert_allclose(found, on_cpu(STENCIL)(x=x, steps=10), rtol=1e-13)
    # At first both have their blocks from the process. Then one element goes to the right.
    assert both(devices, "peer_copies") == [0, 9]
    assert both(devices, "peer_bytes") == [0, 9 * 8]
    assert sum(both(devices, "bytes_in")) <= x.nbytes + 8
    assert [device.live_bytes for device in devices] == [4000, 4000]


def test_numbers_are_looked_at_when_all_is_launched(
    devices: list[StandIn], monkeypatch: pytest.MonkeyPatch
):
    order: list[str] = []
    for device in devices:
        launches, copies = device.loaded, device.copy_out

        def loaded(code: Any, launches: Any = launches) -> Any:
            order.append("launch")
            return launches(code)

        def copy_out(raw: Any, copies: Any = copies) -> Any:
            order.append("look")
            return copies(raw)

        monkeypatch.setattr(device, "loaded", loaded)
        monkeypatch.setattr(device, "copy_out", copy_out)
    x = values(100)
    _, s = on_gpu(NORM, device=TWO)(x=x, steps=1)
    assert order[:4] == ["launch", "launch", "look", "look"]
    np.testing.assert_allclose(s, (x * x).sum(), rtol=1e-12)


def test_products_are_where_their_result_belongs(devices: list[StandIn]):
    text = "input A: matrix[Double]; input B: matrix[Double]; A @ B;"
    a, b = values(20, 20), values(20, 20) + 1.0
    found = on_gpu(text, device=TWO)(A=a, B=b)
    calls, copies = both(devices, "library_calls"), both(devices, "copies_out")
    # Four blocks of the result, each of two products and a sum.
    assert calls == [6, 6]
    assert copies == [0, 0]
    np.testing.assert_allclose(found, a @ b, rtol=1e-12)


JACOBI = """input A: matrix[Double]; input b: vector[Double]; input steps: Int;
var n = b.length; var x = tensor*(n)[ (i,0.0) | i <- 0..n-1 ]; var k = 0;
while (k < steps) {
  x = tensor*(n)[ (i,(c-s)*0.01) | (i,s) <- A @ x, (j,c) <- b, i == j ]; k += 1;
};
x;"""


def test_a_vector_that_all_read_goes_from_device_to_device(devices: list[StandIn]):
    a, b = values(40, 40), values(40)
    found = on_gpu(JACOBI, device=TWO)(A=a, b=b, steps=8)
    np.testing.assert_allclose(found, on_cpu(JACOBI)(A=a, b=b, steps=8), rtol=1e-10)
    assert sum(both(devices, "bytes_in")) == a.nbytes + b.nbytes
    assert both(devices, "copies_out") == [1, 1], "the blocks of the result"
    assert all(both(devices, "peer_copies"))


def test_a_loop_goes_on_from_what_was_saved(devices: list[StandIn], tmp_path: Path):
    x = values(16, 8)
    options: dict[str, Any] = {"device": TWO, "resume": tmp_path / "state", "save_every": 2}
    found = on_gpu(CHAIN, **options)(A=x, steps=5)
    np.testing.assert_allclose(found, on_cpu(CHAIN)(A=x, steps=5), rtol=1e-13)
    assert all(both(devices, "launches"))


def test_rows_and_sparse_matrices_are_on_both(devices: list[StandIn]):
    matrix = sparse.random_array((60, 60), density=0.1, format="csr", rng=1)
    x = values(60)
    text = "input A: matrix[Double]; input x: vector[Double]; A @ x;"
    np.testing.assert_allclose(on_gpu(text, device=TWO)(A=matrix, x=x), matrix @ x, rtol=1e-12)
    assert all(both(devices, "launches"))
    rows = [(int(k), float(v)) for k, v in zip(np.arange(500) % 7, values(500), strict=True)]
    text = "input R: list[(Int, Double)]; [ (k, +/v) | (k,v) <- R, group by k ];"
    before = both(devices, "launches")
    found = sorted(on_gpu(text, device=TWO)(R=rows))
    expected = sorted(on_cpu(text)(R=rows))
    np.testing.assert_allclose(np.array(found), np.array(expected), rtol=1e-12)
    assert all(now > then for now, then in zip(both(devices, "launches"), before, strict=True))


def test_an_array_of_one_device_is_dealt_out(devices: list[StandIn]):
    there = on_gpu(AXPY)(x=values(10), y=values(10), a=1.0)
    before = sum(both(devices, "copies_in"))
    found = on_gpu(AXPY, device=TWO)(x=there, y=there, a=1.0)
    assert sum(both(devices, "copies_in")) == before
    assert both(devices, "peer_copies") == [0, 2]
    np.testing.assert_array_equal(found, 2.0 * np.asarray(there))
    # A result of several is brought here for another program.
    np.testing.assert_array_equal(on_gpu(AXPY)(x=found, y=found, a=0.0), found)
    tiles = found.to_rdd().collect()
    assert [type(tile) for _, tile in tiles] == [np.ndarray, np.ndarray]


def test_what_has_no_room_on_one_runs_here(devices: list[StandIn]):
    devices[1].limit = 100
    said: list[Diagnostic] = []
    x = values(1000)
    found = on_gpu(STENCIL, said, device=TWO)(x=x, steps=4)
    np.testing.assert_allclose(found, on_cpu(STENCIL)(x=x, steps=4), rtol=1e-13)
    assert [d for d in said if "the device has 100 bytes" in d.message]
    assert both(devices, "launches")[0] >= 4
    assert both(devices, "launches")[1] == 0


def test_who_has_most_runs_a_call(devices: list[StandIn]):
    dealt = DealtDevices(devices)
    first, second = devices
    small = DeviceArray.there(first, first.copy_in(np.zeros(3)))
    large = DeviceArray.there(second, second.copy_in(np.zeros(9)))
    waiting = DeviceArray.here(first, np.zeros(100))
    with running(dealt.runs[0]):
        assert dealt.holder([small, large], 0) == 1
        assert dealt.holder([small, waiting], 1) == 0
        assert dealt.holder([waiting], 1) == 1
        assert dealt.run_for([small]) is dealt.runs[0]
        with dealt.owning(1):
            assert dealt.run_for([small]) is dealt.runs[1]
        brought = dealt.runs[1].brought(small)
        assert dealt.runs[1].brought(small) is brought
        assert dealt.holder([small], 1) == 1
        assert second.traffic.peer_copies == 1
        assert current_run() is dealt.runs[0]
        with pytest.raises(AssertionError, match="an array of another device"):
            second.copied(small.on_device())


def test_which_devices_are_named(devices: list[StandIn]):
    assert find_devices("gpu") == find_devices("gpu:0") == devices[:1]
    assert find_devices("gpu:1,0") == devices[::-1]
    twice = find_devices("gpu:1,1")
    assert twice[0] is devices[1] is not twice[1]
    assert find_devices("gpu:1,1") == twice
    with pytest.raises(InputError, match="device 'gpu:0,2': there is no GPU 2: the last is gpu:1"):
        diablo.compile(AXPY, device="gpu:0,2")
    with pytest.raises(InputError, match="there is no device 'gpu:x'; there are cpu, gpu and auto"):
        diablo.compile(AXPY, device="gpu:x")
    with pytest.raises(InputError, match="GPUs of this machine, but the engine is 'spark'"):
        diablo.compile(AXPY, device=TWO, engine="spark")
    with pytest.raises(InputError, match="device 'gpu:0,1' names several GPUs, which are for prog"):
        da.asarray(np.ones(8)).compute(device=TWO)
    second = on_gpu(AXPY, device="gpu:1")(x=values(4), y=values(4), a=1.0)
    assert both(devices, "launches") == [0, 1]
    np.testing.assert_array_equal(second, 2.0 * values(4))


def test_two_contexts_of_one_device_share_nothing(devices: list[StandIn]):
    one, other = find_devices("gpu:0,0")
    assert isinstance(other, StandIn)
    x = values(50)
    found = on_gpu(STENCIL, device="gpu:0,0")(x=x, steps=3)
    np.testing.assert_allclose(found, on_cpu(STENCIL)(x=x, steps=3), rtol=1e-13)
    assert one.live_bytes == other.live_bytes == 200


def test_results_go_to_programs_of_other_devices(devices: list[StandIn]):
    x = np.random.default_rng(0).random(100)
    text = "input x: vector[Double]; x*2.0"
    tuples = "input x: vector[Double]; tensor*(x.length)[ (i,(a,i)) | (i,a) <- x ]"
    products = "input L: vector[(Double,Int)]; tensor*(L.length)[ (i,a*b) | (i,(a,b)) <- L ]"
    for source in ("gpu:1", "gpu"):
        for target in ("gpu", "gpu:1", "cpu", "gpu:0,1"):
            program = diablo.compile(text, device=target)
            made = diablo.compile(text, device=source)(x=x)
            there = diablo.compile(text, device=source)(x=x).to_cupy()
            for _ in range(2):
                np.testing.assert_array_equal(program(x=made).to_numpy(), 4 * x)
                np.testing.assert_array_equal(program(x=there).to_numpy(), 4 * x)
            pairs = diablo.compile(tuples, device=source)(x=x)
            result = diablo.compile(products, device=target)(L=pairs).to_numpy()
            np.testing.assert_array_equal(result, x * np.arange(100))


def test_a_device_is_a_name():
    with pytest.raises(InputError, match="device has to be a name, as 'cpu' or 'gpu'"):
        diablo.compile("1;", device=None)  # pyright: ignore
