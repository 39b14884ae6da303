# A program with a device: arrays stay there, are copied once, and let go where they die.
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from device_programs import counted, device, on_cpu, on_gpu, since
from scipy.special import gammaln

import diablo
from diablo.diagnostics import Diagnostic, InputError
from diablo.runtime.device import long_rows
from diablo.runtime.device.device_kernels import DeviceKernel
from diablo.runtime.device.device_run import DeviceRun, running
from diablo.runtime.device.stand_in import StandIn, StandInArray

__all__ = ["device"]

AXPY = """input x: vector[Double];
input y: vector[Double];
input a: Double;
var n = x.length;
var z = tensor*(n)[ (i,a*u+v) | (i,u) <- x, (j,v) <- y, i == j ];
z;"""
POWER = """input x: vector[Double];
input steps: Int;
var n = x.length;
var v = x;
var s = 0.0;
var k = 0;
while (k < steps) {
  s = +/[ w*w | (i,w) <- v ];
  v = tensor*(n)[ (i,w/s+1.0) | (i,w) <- v ];
  k += 1;
};
(v, s);"""
UNTIL = """input x: vector[Double];
var n = x.length;
var v = x;
var change = 1.0;
while (change > 0.001) {
  change = max/[ abs(w)/2.0 | (i,w) <- v ];
  v = tensor*(n)[ (i,w/2.0) | (i,w) <- v ];
};
v;"""


def vector(n: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=n)


@pytest.mark.parametrize("n", [0, 1, 31, 33, 1025])
def test_inputs_are_copied_once_and_results_when_they_are_looked_at(device: StandIn, n: int):
    x, y = vector(n), vector(n, 1)
    result = on_gpu(AXPY)(x=x, y=y, a=3.0)
    assert since(device, counted(device))["copies_out"] == 0
    assert (device.traffic.copies_in, device.traffic.launches) == (2, 1)
    assert device.traffic.copies_out == 0
    assert device.live_bytes == 8 * n
    np.testing.assert_array_equal(result.to_numpy(), 3.0 * x + y)
    np.testing.assert_array_equal(result, 3.0 * x + y)
    assert device.traffic.copies_out == 1
    del result
    assert device.live_bytes == 0


def test_a_loop_copies_nothing_that_is_not_looked_at(device: StandIn):
    program, x = on_gpu(POWER), vector(100)
    expected = on_cpu(POWER)(x=x, steps=40)
    v, s = program(x=x, steps=40)
    assert device.traffic.copies_in == 1
    assert device.traffic.copies_out == 1, "s, which is a result and a number"
    np.testing.assert_allclose(v, expected[0], rtol=1e-12)
    np.testing.assert_allclose(s, expected[1], rtol=1e-12)


def test_a_loop_copies_its_condition(device: StandIn):
    x = vector(100)
    v = on_gpu(UNTIL)(x=x)
    steps = device.traffic.copies_out
    assert 5 < steps < 20
    assert device.traffic.bytes_out == 8 * steps
    np.testing.assert_array_equal(v, on_cpu(UNTIL)(x=x))


def test_buffers_are_let_go_at_their_last_use(device: StandIn):
    n = 1000
    on_gpu(POWER)(x=vector(n), steps=3)
    few = device.peak
    on_gpu(POWER)(x=vector(n), steps=50)
    assert device.peak == few
    # The input, two vectors, and what blocks fold.
    assert few <= 4 * 8 * n + 2 * 8 * 1024 + 1024
    assert device.live_bytes == 0


def test_a_kernel_takes_the_memory_of_an_array_that_dies(device: StandIn):
    text = """input x: vector[Double]; var n = x.length;
    var y = tensor*(n)[ (i,w*w) | (i,w) <- x ];
    var s = +/[ w | (i,w) <- y ];
    var z = tensor*(n)[ (i,w/s) | (i,w) <- y ];
    z;"""
    n, x = 5000, vector(5000)
    np.testing.assert_allclose(on_gpu(text)(x=x), x * x / (x * x).sum(), rtol=1e-12)
    assert device.peak < 3 * 8 * n


def test_products_of_matrices_are_the_library_s(device: StandIn):
    text = "input A: matrix[Double]; input B: matrix[Double]; A.t @ B;"
    a, b = vector(60).reshape(10, 6), vector(70).reshape(10, 7)
    np.testing.assert_allclose(on_gpu(text)(A=a, B=b), a.T @ b, rtol=1e-12)
    assert (device.traffic.library_calls, device.traffic.launches) == (1, 0)


def test_products_with_vectors_are_kernels(device: StandIn):
    text = "input A: matrix[Double]; input x: vector[Double]; (A @ x, x @ x);"
    a, x = vector(60).reshape(10, 6), vector(6)
    y, s = on_gpu(text)(A=a, x=x)
    np.testing.assert_allclose(y, a @ x, rtol=1e-12)
    np.testing.assert_allclose(s, x @ x, rtol=1e-12)
    assert device.traffic.library_calls == 0


SPMV = """input A: matrix[Double]; input x: vector[Double]; input steps: Int;
var n = x.length; var v = x; var k = 0;
while (k < steps) { v = A @ v; k += 1; };
v;"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("density", [0.0, 0.01, 0.3])
def test_sparse_matrices_are_copied_once(device: StandIn, density: float):
    matrix = sparse.random_array((200, 200), density=density, format="csr", rng=1)
    x = vector(200)
    result = on_gpu(SPMV)(A=matrix, x=x, steps=5)
    assert device.traffic.copies_in == 4
    assert device.traffic.copies_out == 0
    expected = x
    for _ in range(5):
        expected = matrix @ expected
    np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-300)
    del result
    assert device.live_bytes == 0


@pytest.mark.parametrize(("of", "dtype"), [("Double", "f8"), ("Float", "f4")])
def test_a_row_that_is_far_longer_is_cut(
    device: StandIn, monkeypatch: pytest.MonkeyPatch, of: str, dtype: str
):
    monkeypatch.setattr(long_rows, "LONGEST", 100)
    monkeypatch.setattr(long_rows, "LEAST_PART", 4)
    monkeypatch.setattr(long_rows, "PART_OF_AVERAGE", 8)
    rows = np.r_[np.full(150, 7), np.arange(9, 200), np.full(16, 199)]
    columns = np.r_[np.arange(50, 200), np.zeros(191, int), np.arange(1, 17)]
    values = np.random.default_rng(1).uniform(0.5, 1, len(rows))
    matrix = sparse.csr_array((values, (rows, columns)), shape=(200, 200)).astype(dtype)
    x = vector(200).astype(dtype)
    result = on_gpu(SPMV.replace("Double", of))(A=matrix, x=x, steps=2)
    # Parts of 8, up to 19 in a row, of which again 8 are added up, and then all.
    assert (device.traffic.library_calls, device.traffic.launches) == (0, 6)
    # The matrix and the vector, where parts begin, and twice: rows, the numbers of parts, and ones.
    assert device.traffic.copies_in == 10
    np.testing.assert_allclose(
        result, matrix @ (matrix @ x), rtol=1e-12 if of == "Double" else 1e-5
    )


def test_rows_of_about_one_length_are_not_cut(device: StandIn, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(long_rows, "LONGEST", 100)
    matrix = sparse.random_array((200, 400), density=0.02, format="csr", rng=1)
    on_gpu("input A: matrix[Double]; input x: vector[Double]; A @ x;")(A=matrix, x=vector(400))
    assert device.traffic.launches == 1


def test_one_long_row_may_be_all_of_a_matrix(device: StandIn, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(long_rows, "LONGEST", 100)
    monkeypatch.setattr(long_rows, "MOST_PART", 32)
    matrix = sparse.csr_array(np.arange(1.0, 129.0)[None])
    program = on_gpu("input A: matrix[Double]; input x: vector[Double]; A @ x;")
    np.testing.assert_allclose(program(A=matrix, x=vector(128)), matrix @ vector(128), rtol=1e-12)
    assert (device.traffic.library_calls, device.traffic.launches) == (0, 2)


@pytest.mark.parametrize("format", ["csr", "coo"])
def test_sparse_results_are_made_there(device: StandIn, format: str):
    """What is zero is no entry, so the process looks; the next kernel finds them there as well."""
    text = """input A: matrix[Double]; input x: vector[Double]; var n = A.rows; var m = A.cols;
var B = tensor(n)(m)[ ((i,j),a*x[j]) | ((i,j),a) <- A ];
(B, B @ x);"""
    matrix = sparse.random_array((60, 50), density=0.1, format=format, rng=1)
    x = vector(50)
    x[7] = 0.0
    said: list[Diagnostic] = []
    scaled, product = on_gpu(text, said)(A=matrix, x=x)
    expected = sparse.csr_array(matrix) * x
    np.testing.assert_array_equal(scaled.to_numpy(), expected.toarray())
    assert scaled.nnz == np.count_nonzero(expected.toarray())
    np.testing.assert_allclose(product, expected @ x, rtol=1e-12)
    assert not [d for d in said if "does not run on a GPU" in d.message]
    assert device.traffic.launches == 2
    del scaled, product
    assert device.live_bytes == 0


def test_sums_of_columns_are_those_of_rows_of_the_turned_matrix(device: StandIn):
    text = """input A: matrix[Double]; input x: vector[Double]; input steps: Int;
var n = A.cols; var v = x; var k = 0;
while (k < steps) {
  v = tensor*(n)[ (j,+/w) | ((i,j),a) <- A, let w = a*v[i], group by j ]; k += 1;
};
v;"""
    matrix = sparse.random_array((150, 150), density=0.05, format="csr", rng=1)
    x = vector(150)
    result = on_gpu(text)(A=matrix, x=x, steps=3)
    # The matrix is turned once.
    assert (device.traffic.copies_in, device.traffic.copies_out) == (4, 0)
    expected = x
    for _ in range(3):
        expected = matrix.T @ expected
    np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-300)


def test_what_does_not_run_there_runs_here_with_a_remark(device: StandIn):
    text = """input x: vector[Double];
var n = x.length;
var y = tensor*(n)[ (i,2.0*w) | (i,w) <- x ];
var z = tensor*(n)[ (i,lgamma(w)) | (i,w) <- y ];
tensor*(n)[ (i,w+1.0) | (i,w) <- z ];"""
    said: list[Diagnostic] = []
    x = vector(50)
    program = on_gpu(text, said)
    np.testing.assert_allclose(program(x=x), gammaln(2 * x) + 1, rtol=1e-14)
    (remark,) = [d for d in said if "GPU" in d.message]
    assert "the function lgamma has no machine code" in remark.message
    assert remark.span is not None


def test_arrays_of_arrays_hold_references(device: StandIn):
    text = """input n: Int;
var none = tensor(1)[ (i,0.0) | i <- 0..0 ];
var R = tensor(3)[ (l,none) | l <- 0..2 ];
var k = 0;
while (k < 3) {
  R[k] = tensor*(n)[ (i,i*1.0+k) | i <- 0..n-1 ];
  k += 1;
};
var a = R[2]; var b = R[1];
+/[ w | (i,w) <- a ] + b[0];"""
    n = 40
    assert on_gpu(text)(n=n) == sum(range(n)) + 2 * n + 1
    assert device.traffic.copies_in == 0


def test_arrays_of_arrays_are_results(device: StandIn):
    text = """input n: Int;
var none = tensor(1)[ (i,0.0) | i <- 0..0 ];
var R = tensor(2)[ (l,none) | l <- 0..1 ];
R[1] = tensor*(n)[ (i,i*1.0) | i <- 0..n-1 ];
R;"""
    result = on_gpu(text)(n=3).to_numpy()
    assert [list(part) for part in result] == [[0.0], [0.0, 1.0, 2.0]]


def test_rows_of_arrays_that_are_made_anew_stay_with_the_processor(device: StandIn):
    """Elements that are arrays have no size there."""
    said: list[Diagnostic] = []
    text = (
        "input n: Int; var T = tensor(n)[ (i,tensor(n)[ (j,1.0*i+j) | j <- 0..n-1 ])"
        " | i <- 0..n-1 ]; tensor*(n,n)[ ((i,j),T[i-1][j]) | i <- 1..n, j <- 0..n-1, i/2 < 1 ];"
    )
    found = on_gpu(text, said)(n=4).to_numpy()
    np.testing.assert_array_equal(found, np.outer([0, 1, 0, 0], range(4)))
    assert any("a column holds arrays" in d.message for d in said)


def test_results_are_inputs_of_other_programs_where_they_are(device: StandIn):
    first = on_gpu(AXPY)(x=vector(30), y=vector(30, 1), a=2.0)
    before = counted(device)
    second = on_gpu(AXPY)(x=first, y=first, a=1.0)
    assert since(device, before)["copies_in"] == 0
    np.testing.assert_array_equal(second, 2.0 * np.asarray(first))
    # The processor gets a copy.
    np.testing.assert_array_equal(on_cpu(AXPY)(x=first, y=second, a=0.0), second)


def test_what_the_caller_gave_is_not_what_is_given_back(device: StandIn):
    program = on_gpu("input x: vector[Double]; var s = +/[ w | (i,w) <- x ]; (x, s);")
    x = vector(10)
    y, _ = program(x=x)
    y[0] = 7.0
    assert x[0] != 7.0
    there = on_gpu(AXPY)(x=x, y=x, a=0.0)
    again, _ = program(x=there)
    raw = there.on_device.on_device()
    assert again.to_cupy() is not raw
    assert again.to_cupy().__cuda_array_interface__ != raw.__cuda_array_interface__


def test_other_libraries_see_results_where_they_are(device: StandIn):
    x = vector(12)
    result = on_gpu(AXPY)(x=x, y=x, a=1.0)
    assert device.traffic.waits == 0
    raw = result.to_cupy()
    assert device.traffic.waits == 1, "another library knows nothing of our stream"
    assert isinstance(raw, StandInArray)
    assert result.__cuda_array_interface__["shape"] == (12,)
    assert result.__dlpack_device__() == raw.__dlpack_device__()
    np.testing.assert_array_equal(np.from_dlpack(result), 2 * x)
    assert device.traffic.copies_out == 0
    # And what they have there is taken as it is.
    before = counted(device)
    np.testing.assert_array_equal(on_gpu(AXPY)(x=raw, y=raw, a=1.0), 4 * x)
    assert since(device, before)["copies_in"] == 0
    # Its owner may do with it what it likes when the call is over.
    assert since(device, before)["waits"] == 1
    turned = device.copy_in(np.arange(6.0).reshape(2, 3)).T
    copied = on_gpu("input A: matrix[Double]; tensor*(3,2)[ (k,a) | (k,a) <- A ];")(A=turned)
    np.testing.assert_array_equal(copied, np.arange(6.0).reshape(2, 3).T)
    with pytest.raises(InputError, match="where matrix"):
        on_gpu("input A: matrix[Double]; A;")(A=raw)


class Lent:
    """An array of a device as DLPack alone tells of it."""

    def __init__(self, array: StandInArray):
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


def test_what_dlpack_alone_tells_of_stays_there(device: StandIn, monkeypatch: pytest.MonkeyPatch):
    adopted = device.adopted

    def adopted_by_dlpack(value: Lent) -> StandInArray | None:
        return adopted(value.array)

    monkeypatch.setattr(device, "adopted", adopted_by_dlpack)
    lent = Lent(device.copy_in(np.arange(4.0)))
    before = counted(device)
    np.testing.assert_array_equal(on_gpu(AXPY)(x=lent, y=lent, a=1.0), 2 * np.arange(4.0))
    assert since(device, before)["copies_in"] == 0
    assert on_gpu("input a: Double; a;")(a=Lent(device.copy_in(np.array(2.5)))) == 2.5


def test_numbers_and_columns_of_the_device_are_copied(device: StandIn):
    there = device.copy_in(np.array(2.5))
    assert on_gpu("input a: Double; a + 1.0;")(a=there) == 3.5
    with pytest.raises(InputError, match="a ndarray where a number is wanted"):
        on_gpu("input a: Double; a;")(a=device.copy_in(np.arange(2.0)))
    keys, values = device.copy_in(np.arange(4)), device.copy_in(np.arange(4.0))
    text = "input L: list[(Int,Double)]; +/[ v | (k,v) <- L, k > 1 ];"
    assert on_gpu(text)(L=(keys, values)) == 5.0
    assert on_gpu(text)(L={"k": np.arange(4), "v": values}) == 5.0
    assert on_gpu(text)(L=device.copy_in(np.full((3, 2), 2.0))) == 6.0
    assert on_gpu("input L: list[Double]; +/[ v | v <- L ];")(L=values) == 6.0
    pairs = on_gpu("input M: map[Int,Double]; M[3];")
    assert pairs(M=(keys, values)) == 3.0
    result = on_gpu(AXPY)(x=values, y=values, a=0.0)
    assert on_gpu(text)(L=(keys, result)) == 5.0
    assert on_cpu(text)(L=(np.arange(4), on_cpu(AXPY)(x=result, y=result, a=0.0))) == 5.0


def test_a_result_that_was_looked_at_is_the_caller_s(device: StandIn):
    x = vector(5)
    result = on_gpu(AXPY)(x=x, y=x, a=1.0)
    result[0] = 100.0
    assert not hasattr(result, "__cuda_array_interface__")
    assert np.from_dlpack(result)[0] == 100.0
    assert device.copy_out(result.to_cupy())[0] == 100.0


def test_results_travel(device: StandIn):
    x = vector(5)
    result = on_gpu(AXPY)(x=x, y=x, a=1.0)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(result)), 2 * x)
    ((_, tile),) = on_gpu(AXPY)(x=x, y=x, a=1.0).to_rdd().collect()
    np.testing.assert_array_equal(tile, 2 * x)


def test_types_that_differ_are_converted_first(device: StandIn):
    raw = device.copy_in(np.arange(4, dtype=np.int32))
    np.testing.assert_array_equal(on_gpu(AXPY)(x=raw, y=raw, a=1.0), 2.0 * np.arange(4))


@pytest.mark.parametrize("limit", [0, 8 * 1800, 8 * 5000])
def test_what_has_no_room_there_runs_here(device: StandIn, limit: int):
    said: list[Diagnostic] = []
    x = vector(1000)
    device.limit = limit
    v, s = on_gpu(POWER, said)(x=x, steps=5)
    expected = on_cpu(POWER)(x=x, steps=5)
    np.testing.assert_allclose(v, expected[0], rtol=1e-12)
    np.testing.assert_allclose(s, expected[1], rtol=1e-12)
    remarks = [d.message for d in said if "the device has" in d.message]
    assert any("runs on the processor" in message for message in remarks) == (limit == 0)
    assert any("pieces" in message for message in remarks) == (limit == 8 * 1800)
    assert bool(remarks) == (limit < 8 * 5000)


def test_without_a_gpu_the_reason_is_said(monkeypatch: pytest.MonkeyPatch):
    import sys

    from diablo.runtime.device import device as device_module
    from diablo.runtime.device import found_device

    monkeypatch.delenv(device_module.DEVICE, raising=False)
    monkeypatch.setitem(sys.modules, "cupy", None)
    found_device._device.cache_clear()  # pyright: ignore[reportPrivateUsage]
    x = vector(5)
    with pytest.raises(InputError, match="device 'gpu': CuPy is not installed"):
        diablo.compile(AXPY, device="gpu")(x=x, y=x, a=1.0)
    said: list[Diagnostic] = []
    np.testing.assert_array_equal(on_gpu(AXPY, said, device="auto")(x=x, y=x, a=1.0), 2 * x)
    assert [d.message for d in said if "processor" in d.message] == [
        "the program runs on the processor: CuPy is not installed; the package is cupy-cuda12x"
    ]
    monkeypatch.setenv(device_module.DEVICE, "cpu")
    with pytest.raises(InputError, match="DIABLO_DEVICE is 'cpu', and must be cuda or stand-in"):
        diablo.compile(AXPY, device="gpu")(x=x, y=x, a=1.0)


def test_auto_stays_where_copies_are_not_repaid(device: StandIn):
    said: list[Diagnostic] = []
    x = vector(1000)
    on_gpu(AXPY, said, device="auto")(x=x, y=x, a=1.0)
    assert device.traffic.copies_in == 0
    assert not [d for d in said if "runs on the GPU" in d.message]
    (remark,) = [d.message for d in said if "stays on the processor" in d.message]
    assert remark == (
        "the program stays on the processor: the GPU would save 0 ms of its work, and what is "
        "to be copied there for that takes 0.022 ms"
    )


def test_auto_goes_over_where_work_repays_copies(device: StandIn, monkeypatch: pytest.MonkeyPatch):
    from diablo.runtime.device import cost_model

    monkeypatch.setattr(cost_model, "COPY", 0.0)
    monkeypatch.setattr(cost_model, "LAUNCH", 0.0)
    said: list[Diagnostic] = []
    x = vector(1000)
    program = on_gpu(POWER, said, device="auto")
    on_gpu(AXPY, device="auto")(x=x, y=x, a=1.0)
    assert device.traffic.launches == 0
    v, s = program(x=x, steps=30)
    assert 0 < device.traffic.launches < 30 * 3
    assert device.traffic.copies_in <= 2
    expected = on_cpu(POWER)(x=x, steps=30)
    np.testing.assert_allclose(v, expected[0], rtol=1e-12)
    np.testing.assert_allclose(s, expected[1], rtol=1e-12)
    assert not [d for d in said if "stays on the processor" in d.message]
    messages = [d.message for d in said if "runs on the GPU from here on" in d.message]
    assert messages
    assert "to copy" in messages[0]


def test_a_product_of_matrices_goes_over_at_once(device: StandIn):
    text = "input A: matrix[Double]; A @ A;"
    a = vector(1600 * 1600).reshape(1600, 1600)
    result = on_gpu(text, device="auto")(A=a)
    assert device.traffic.library_calls == 1
    np.testing.assert_allclose(result[0, :5], (a[:1] @ a)[0, :5], rtol=1e-10)
    on_gpu(text, device="auto")(A=a[:50, :50])
    assert device.traffic.library_calls == 1


def test_equal_runs_give_equal_bits(device: StandIn):
    x = vector(3000)
    program = on_gpu(POWER)
    results = [program(x=x, steps=7) for _ in range(3)]
    assert len({s for _, s in results}) == 1
    assert len({v.to_numpy().tobytes() for v, _ in results}) == 1


@pytest.mark.parametrize("launches", ["launch(0, …)", "v0 = empty([8], 'f64')"])
def test_what_may_be_called_again_overwrites_nothing(launches: str, device: StandIn):
    """Memory may run out behind the first launch, which has written into what the call takes."""
    code = SimpleNamespace(launches=launches)
    source: Any = SimpleNamespace(refusal="", name="kernel_0", code=lambda: code)
    kernel = DeviceKernel(lambda: None, source)
    places: list[Any] = []
    kernel._directly = lambda run, place, arguments: places.append(place)
    with running(DeviceRun(device)):
        kernel.into("an array that dies", [])
    assert places == [None if "empty" in launches else "an array that dies"]
