# Kernels over complex numbers as machine code, for the processor and for the threads of a GPU.
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gpu_kernels import ORDERS, callable_on_cpu, gpu_module, is_on_gpu
from kernel_oracle import load_numpy, parse_kernel
from test_gpu_kernels import EXTENTS, SHAPES, line
from test_kernel_to_llvm import compile_at_once, machine

from diablo.dialects.functions.scalar_functions import FUNCTIONS
from diablo.lowering.gpu.compile_device_kernel import compile_device_kernel
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.passes.analyses.refused import Refused
from diablo.runtime.native.thread_team import WORTH_SHARING

_ = compile_at_once

DTYPES = {"f64": np.complex128, "f32": np.complex64}
PARTS = pytest.mark.parametrize("part", DTYPES)
HUGE = {"f64": 1.7e308, "f32": 3.3e38}
WRITTEN = sorted(
    name
    for name, f in FUNCTIONS.items()
    if f.complex is not None and f.complex.expansion and f.arity == 1
)
INVERSE = [name for name in WRITTEN if name.removesuffix("h") in ("asin", "acos", "atan")]
NOT_EXACT = {"tan": 8, "tanh": 8}
"""How many units in the last place of a number are allowed; of others it is four."""
COARSE = {"exp2": ("f32",), "expm1": ("f32",), "log1p": ("f32", "f64")}
"""What NumPy computes of an argument that it has rounded: it is compared with more digits."""


def numbers(shape: Any, part: str, seed: int = 1) -> Any:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(DTYPES[part])


def special(part: str) -> Any:
    """Every pair of parts that are zeros, infinities, no numbers, or at the end of the range."""
    small = float(np.finfo(DTYPES[part]).smallest_normal)
    some = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, HUGE[part], -HUGE[part], 2 * small]
    return np.array(list(itertools.starmap(complex, itertools.product(some, some))), DTYPES[part])


def same_numbers(found: Any, expected: Any, units: float = 4) -> None:
    """Both are infinite, or no numbers, or differ by so many units in the last place."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if found.dtype == bool:
        np.testing.assert_array_equal(found, expected)
        return
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
        infinite = np.isinf(one) | np.isinf(other)
        np.testing.assert_array_equal(one[infinite], other[infinite])
    finite = np.isfinite(found)
    about = np.finfo(expected.dtype)
    size = np.abs(expected[finite].astype(np.result_type(expected, np.float64)))
    tolerance = units * about.eps * np.maximum(size, about.smallest_normal)
    with np.errstate(over="ignore"):
        assert (np.abs(found[finite] - expected[finite]) <= tolerance).all()


def with_more_digits(name: str, x: Any) -> Any:
    """What a function gives, of numbers that are not rounded on the way."""
    wide = x.astype(np.clongdouble)
    if name != "log1p":
        return getattr(np, FUNCTIONS[name].complex.numpy.removeprefix("np."))(wide).astype(x.dtype)
    square = wide.real * (2 + wide.real) + wide.imag * wide.imag
    distance = np.log(np.hypot(1 + wide.real, wide.imag))
    made = np.where(np.abs(square) < 0.5, np.log1p(square) / 2, distance) + 1j * np.arctan2(
        wide.imag, 1 + wide.real
    )
    return made.astype(x.dtype)


def elements(body: str, part: str, result: str = "") -> str:
    """A map over two vectors of complex numbers, `%x` and `%y`, which gives `%v`."""
    type = f"complex<{part}>"
    result = result or type
    vector, made = f"tensor<?x{type}>", f"tensor<?x{result}>"
    return f"""func.func private @k(%a: {vector}, %b: {vector}, %n: index) -> {made} {{
      %r = tensor_block.map parallel(d0 < %n) ins(%a[d0] : {vector}, %b[d0] : {vector}) -> {made} {{
      ^body(%i: index, %x: {type}, %y: {type}):
        {body}
        tensor_block.yield %v : {result}
      }}
      func.return %r : {made}
    }}"""


OPERATORS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "add": ("%v = complex.add %x, %y", np.add),
    "sub": ("%v = complex.sub %x, %y", np.subtract),
    "mul": ("%v = complex.mul %x, %y", np.multiply),
    "div": ("%v = complex.div %x, %y", np.divide),
    "neg": ("%v = complex.neg %x", lambda x, y: -x),
    "conj": ("%v = complex.conj %x", lambda x, y: np.conj(x)),
    "eq": ("%v = complex.eq %x, %y", np.equal),
    "neq": ("%v = complex.neq %x, %y", np.not_equal),
    "re": ("%v = complex.re %x", lambda x, y: x.real),
    "im": ("%v = complex.im %x", lambda x, y: x.imag),
}


@pytest.mark.sampled(8)
@PARTS
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_are_those_of_numpy(name: str, part: str):
    body, expected = OPERATORS[name]
    result = {"eq": "i1", "neq": "i1", "re": part, "im": part}.get(name, "")
    text = elements(f"{body} : complex<{part}>", part, result)
    for run in (machine(text), callable_on_cpu(text)):
        for n in (0, 1, 31, 33, 1025):
            x, y = numbers(n, part), numbers(n, part, 2)
            y[::3] = x[::3]
            same_numbers(run(x, y, n), expected(x, y), 8 if name == "div" else 2)
        some = special(part)
        x, y = (np.ascontiguousarray(g.ravel()) for g in np.meshgrid(some, some))
        with np.errstate(all="ignore"):
            wanted = expected(x, y)
        got = run(x, y, len(x))
        if name not in ("mul", "div"):
            same_numbers(got, wanted, 2)
            continue
        # NumPy has a sum of two products at once in vectors, and apart in what is left of them.
        parts = np.abs([x.real, x.imag, y.real, y.imag])
        small = ~(np.isfinite(parts) & (parts > 1e30)).any(axis=0)
        same_numbers(got[small], wanted[small], 8)


@PARTS
def test_quotients_by_zero(part: str):
    run = machine(elements(f"%v = complex.div %x, %y : complex<{part}>", part))
    x = special(part)
    y = np.zeros_like(x)
    with np.errstate(all="ignore"):
        same_numbers(run(x, y, len(x)), x / y)
        same_numbers(run(x, -y, len(x)), x / -y)


def function(name: str, part: str) -> str:
    """A map by a function."""
    overload = FUNCTIONS[name].complex
    assert overload is not None
    type = f"complex<{part}>"
    result = {"boolean": "i1", "part": part}.get(overload.gives, type)
    if overload.operation is not None:
        body = f"%v = {overload.operation.name} %x : {type}"
    else:
        body = f'%v = comprehension.number_call "{name}" (%x) : ({type}) -> {result}'
    return elements(body, part, result)


@pytest.mark.sampled(8)
@PARTS
@pytest.mark.parametrize("name", WRITTEN)
def test_functions_are_those_of_numpy(name: str, part: str):
    text = function(name, part)
    run, expected = machine(text), load_numpy(parse_kernel(text))
    rng = np.random.default_rng(0)
    scale = 10.0 ** rng.uniform(-5, 2, 4000)
    circle = np.exp(1j * rng.uniform(-4, 4, 4000)) * (1 + 10.0 ** rng.uniform(-12, -1, 4000))
    x = np.concatenate([numbers(4000, part), numbers(4000, part) * scale, circle])
    x = np.ascontiguousarray(x.astype(DTYPES[part]))
    with np.errstate(all="ignore"):
        is_coarse = part in COARSE.get(name, ())
        wanted = with_more_digits(name, x) if is_coarse else expected(x, x, len(x))
        same_numbers(run(x, x, len(x)), wanted, NOT_EXACT.get(name, 4))


@pytest.mark.sampled(4)
@PARTS
@pytest.mark.parametrize("name", INVERSE)
def test_each_part_of_an_inverse_is_exact(name: str, part: str):
    """Near the branch points and cuts as well, where one part is far smaller than the other."""
    run = machine(function(name, part))
    rng = np.random.default_rng(1)

    def some(low: float, high: float) -> Any:
        return 10.0 ** rng.uniform(low, high, 2000) * rng.choice([-1, 1], 2000)

    near = [point + some(-12, -1) + 1j * some(-12, -1) for point in (1, -1, 1j, -1j)]
    beside = [some(-1, 1) + 1j * some(-30, 0), some(-30, 0) + 1j * some(-1, 1)]
    far = [some(10, 30) + 1j * some(10, 30), some(-30, -10) + 1j * some(-30, -10)]
    x = np.concatenate([*near, *beside, *far]).astype(DTYPES[part])
    found, wanted = run(x, x, len(x)), with_more_digits(name, x)
    for one, other in ((found.real, wanted.real), (found.imag, wanted.imag)):
        np.testing.assert_array_equal(np.signbit(one), np.signbit(other))
        about = np.finfo(one.dtype)
        tolerance = 4 * about.eps * np.maximum(np.abs(other), about.smallest_normal)
        assert (np.abs(one - other) <= tolerance).all()


POWER = "%v = complex.pow %x, %y : complex<{}>"


@pytest.mark.sampled(2)
@PARTS
def test_powers_are_those_of_numpy(part: str):
    run = machine(elements(POWER.format(part), part))
    x, y = numbers(2000, part), numbers(2000, part, 2)
    # What a logarithm lacks is multiplied, and is more of the result.
    same_numbers(run(x, y, len(x)), np.power(x, y), 40)
    for exponent in (-99, -7, -3, -2, -1, 0, 1, 2, 3, 5, 10, 31, 99, 0.5):
        y = np.full(2000, exponent, x.dtype)
        with np.errstate(all="ignore"):
            wanted = np.power(x, y)
        plain = np.isfinite(wanted) & (np.abs(wanted) > 1e-30)
        units = 4 if part == "f64" else 4 + abs(exponent)
        same_numbers(run(x, y, len(x))[plain], wanted[plain], units)


@pytest.mark.sampled(2)
@PARTS
def test_powers_of_zero(part: str):
    run = machine(elements(POWER.format(part), part))
    y = np.array([0, 1, 2.5, 1j, 1 + 1j, -1, -1 + 1j, -2.5], DTYPES[part])
    x = np.zeros_like(y)
    with np.errstate(all="ignore"):
        wanted = np.power(x, y)
    for each in (x, -x):
        np.testing.assert_array_equal(run(each, y, len(y)), wanted)


@pytest.mark.sampled(8)
@PARTS
@pytest.mark.parametrize("name", WRITTEN)
def test_special_values_of_functions_are_those_of_numpy(name: str, part: str):
    text = function(name, part)
    run, expected = machine(text), load_numpy(parse_kernel(text))
    x = special(part)
    with np.errstate(all="ignore"):
        found, wanted = run(x, x, len(x)), expected(x, x, len(x))
    if wanted.dtype == bool:
        np.testing.assert_array_equal(found, wanted)
        return
    if name in COARSE:
        sizes = np.abs([x.real, x.imag])
        plain = ~((sizes > 1e30) & np.isfinite(sizes) | (sizes < 1e-30) & (sizes > 0)).any(axis=0)
        x, found, wanted = x[plain], found[plain], wanted[plain]
    # The signs are unknown of what has no angle.
    defined = ~(np.isnan(wanted) | np.isinf(x.real) & ~np.isfinite(x.imag))
    defined &= ~(np.isinf(x.imag) & ~np.isfinite(x.real))
    same_numbers(found[defined], wanted[defined], NOT_EXACT.get(name, 4))
    for one, other in ((found.real, wanted.real), (found.imag, wanted.imag)):
        np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
        np.testing.assert_array_equal(np.isinf(one), np.isinf(other))
        np.testing.assert_array_equal(np.signbit(one[defined]), np.signbit(other[defined]))


FOLDS: dict[str, Callable[[Any], Any]] = {"add": np.sum, "mul": np.prod}


@pytest.mark.sampled(4)
@PARTS
@pytest.mark.parametrize("monoid", FOLDS)
def test_folds_to_a_number(monoid: str, part: str):
    type = f"complex<{part}>"
    text = line(f"reduce {monoid} reduced", "", "%x", type, type)
    module = gpu_module(text)
    for run in (machine(text), *[callable_on_cpu(text, order, module) for order in ORDERS]):
        for n in EXTENTS:
            x = numbers(n, part) if monoid == "add" else np.exp(1j * np.abs(numbers(n, part)))
            x = x.astype(DTYPES[part])
            got, wanted = run(x, n), FOLDS[monoid](x)
            tolerance = {"f64": 1e-12, "f32": 2e-4}[part]
            np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance)
            assert np.asarray(got).dtype == DTYPES[part]


def test_threads_share_a_fold():
    type = "complex<f64>"
    n = 2 * WORTH_SHARING + 5
    x = numbers(n, "f64") / 1e4
    for monoid, combine in FOLDS.items():
        run = machine(line(f"reduce {monoid} reduced", "", "%x", type, type))
        x = x if monoid == "add" else np.exp(1j * x.real)
        np.testing.assert_allclose(run(x, n), combine(x), rtol=1e-9)


def matrix_fold(rows: bool, part: str) -> str:
    """The sums of the rows, or of the columns, of a matrix."""
    type = f"complex<{part}>"
    matrix, vector = f"tensor<?x?x{type}>", f"tensor<?x{type}>"
    place = "d0, d1" if rows else "d1, d0"
    kept, folded = ("%n", "%m") if rows else ("%m", "%n")
    return f"""func.func private @k(%a: {matrix}, %n: index, %m: index) -> {vector} {{
      %r = tensor_block.reduce add parallel(d0 < {kept}) reduced(d1 < {folded})
          ins(%a[{place}] : {matrix}) -> {vector} {{
      ^body(%i: index, %j: index, %x: {type}):
        %v = complex.conj %x : {type}
        tensor_block.yield %v : {type}
      }}
      func.return %r : {vector}
    }}"""


@pytest.mark.sampled(4)
@PARTS
@pytest.mark.parametrize("rows", [True, False], ids=["rows", "columns"])
def test_folds_of_matrices(rows: bool, part: str):
    text = matrix_fold(rows, part)
    module = gpu_module(text)
    tolerance = {"f64": 1e-12, "f32": 1e-4}[part]
    for run in (machine(text), *[callable_on_cpu(text, order, module) for order in ORDERS]):
        for n, m in SHAPES:
            wide = numbers((n, m + 3), part)
            views = [numbers((n, m), part), wide[:, :m]]
            for a in views:
                wanted = np.conj(a).sum(axis=1 if rows else 0)
                np.testing.assert_allclose(run(a, n, m), wanted, rtol=tolerance, atol=tolerance)


def test_arrays_that_lie_apart_are_taken_as_they_are():
    run = machine(elements("%v = complex.mul %x, %y : complex<f64>", "f64"))
    x, y = numbers(66, "f64"), numbers(66, "f64", 2)
    same_numbers(run(x[::2], y[::-1], 33), x[::2] * y[::-1][:33], 2)
    shifted = np.frombuffer(b"\0" * 8 + x.tobytes(), np.uint8)[8:].view(np.complex128)
    same_numbers(run(shifted, y, 66), x * y, 2)


STENCIL = """func.func private @k(%a: tensor<?xTYPE>, %z: TYPE, %n: index) -> tensor<?xTYPE> {
  %r = tensor_block.map parallel(d0 < %n)
      ins(%a[d0 - 1] : tensor<?xTYPE>, %a[d0 + 1] : tensor<?xTYPE>) -> tensor<?xTYPE> {
  ^body(%i: index, %x: TYPE, %y: TYPE):
    %s = complex.mul %y, %z : TYPE
    %v = complex.sub %x, %s : TYPE
    tensor_block.yield %v : TYPE
  }
  func.return %r : tensor<?xTYPE>
}"""


@pytest.mark.sampled(2)
@PARTS
def test_stencils_with_a_number(part: str):
    text = STENCIL.replace("TYPE", f"complex<{part}>")
    z = DTYPES[part](0.5 - 2j)
    module = gpu_module(text)
    for run in (machine(text), *[callable_on_cpu(text, order, module) for order in ORDERS]):
        for n in EXTENTS:
            a = numbers(n, part)
            around = np.concatenate([np.zeros(1, a.dtype), a, np.zeros(1, a.dtype)])
            same_numbers(run(a, z, n), around[:-2] - around[2:] * z)


HISTOGRAM = """func.func private @k(%a: tensor<?xcomplex<f64>>, %k: tensor<?xi64>, %n: index,
    %bins: index) -> tensor<?xcomplex<f64>> {
  %r = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins)
      ins(%a[d0] : tensor<?xcomplex<f64>>, %k[d0] : tensor<?xi64>) -> tensor<?xcomplex<f64>> {
  ^body(%i: index, %x: complex<f64>, %to: i64):
    %place = arith.index_cast %to : i64 to index
    tensor_block.yield %place, %x : index, complex<f64>
  }
  func.return %r : tensor<?xcomplex<f64>>
}"""


def test_sums_at_computed_places():
    run = machine(HISTOGRAM)
    for n in EXTENTS:
        x, k = numbers(n, "f64"), np.arange(n) * 7 % 10
        wanted = np.zeros(10, complex)
        np.add.at(wanted, k, x)
        np.testing.assert_allclose(run(x, k, n, 10), wanted, rtol=1e-12, atol=1e-12)
    assert is_on_gpu(gpu_module(HISTOGRAM))


def test_products_at_computed_places_stay_on_the_processor():
    text = HISTOGRAM.replace("reduce add", "reduce mul")
    x, k = np.exp(1j * numbers(100, "f64").real), np.arange(100) * 7 % 10
    wanted = np.ones(10, complex)
    np.multiply.at(wanted, k, x)
    np.testing.assert_allclose(machine(text)(x, k, 100, 10), wanted, rtol=1e-12)
    with pytest.raises(Refused, match="complex numbers are multiplied at places that are computed"):
        compile_device_kernel(parse_kernel(text))
    assert not is_on_gpu(gpu_module(text))


OWN = """comprehension.monoid @dot : complex<f64>
    identity #complex.number<:f64 0.0, 1.0> : complex<f64> {
^bb0(%x: complex<f64>, %y: complex<f64>):
  %i = comprehension.complex_constant #complex.number<:f64 0.0, -1.0> : complex<f64>
  %p = complex.mul %x, %y : complex<f64>
  %v = complex.mul %p, %i : complex<f64>
  comprehension.yield %v
}"""


def test_a_monoid_of_the_program():

    text = line("reduce @dot reduced", "", "%x", "complex<f64>", "complex<f64>") + OWN
    module = gpu_module(text)
    for run in [callable_on_cpu(text, order, module) for order in ORDERS]:
        for n in EXTENTS:
            x = np.exp(1j * numbers(n, "f64").real)
            wanted = 1j * np.prod(x * -1j)
            np.testing.assert_allclose(run(x, n), wanted, rtol=1e-10, atol=1e-10)


def test_what_is_numpys():
    text = elements(
        '%v = comprehension.number_call "gamma" (%x) : (complex<f64>) -> complex<f64>', "f64"
    )
    with pytest.raises(Refused, match="the function gamma has no machine code"):
        compile_kernel(parse_kernel(text))
