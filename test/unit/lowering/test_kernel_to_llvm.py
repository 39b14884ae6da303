# Which kernels become machine code, and that they compute what they should.
import math
from typing import Any

import numpy as np
import pytest
from kernel_oracle import load_numpy, parse_kernel

from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.passes.analyses.refused import Refused
from diablo.runtime.kernels.compiled import compiled
from diablo.runtime.native import thread_team, work_seen


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 0)


def no_fallback(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")


def machine(text: str) -> Any:
    native = compile_kernel(parse_kernel(text))
    return compiled(no_fallback, native.llvm_ir, str(native.signature))


def elementwise(body: str, value: str, types: str = "f64", count: int = 1) -> str:
    """A map over vectors; the elements are %x, %y, …"""
    tensor = f"tensor<?x{types}>"
    names = "xyz"[:count]
    maps = ", ".join(["affine_map<(i) -> (i)>"] * count)
    operands = ", ".join(f"%a{n}" for n in names)
    return f"""func.func private @k({", ".join(f"%a{n}: {tensor}" for n in names)}, %n: index)
        -> {tensor} {{
      %r = "tensor_block.map"({operands}, %n) <{{indexing_maps = [{maps}],
          operandSegmentSizes = array<i32: {count}, 1, 0, 0>}}> ({{
      ^body(%i: index, {", ".join(f"%{n}: {types}" for n in names)}):
        {body}
        "tensor_block.yield"({value}) : ({types}) -> ()
      }}) : ({", ".join([tensor] * count)}, index) -> {tensor}
      func.return %r : {tensor}
    }}"""


def test_exp_is_accurate_to_a_unit_in_the_last_place():
    run = machine(elementwise("%v = math.exp %x : f64", "%v"))
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-745, 709.7, 20000), rng.normal(size=20000), [0.0, -0.0]])
    got = run(x, len(x))
    exact = np.array([math.exp(v) for v in x])
    assert np.max(np.abs(got - exact) / np.spacing(exact)) <= 1.0


def test_exp_treats_the_edges_as_ieee_says():
    run = machine(elementwise("%v = math.exp %x : f64", "%v"))
    x = np.array([np.nan, np.inf, -np.inf, 709.782712893384, 709.7827128933841, 1e300, -1e300])
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(run(x, 7), np.exp(x), rtol=1e-15)
    # Below the normal range the result is rounded once.
    x = np.linspace(-746, -708, 500)
    got, exact = run(x, 500), np.array([math.exp(v) for v in x])
    assert np.max(np.abs(got - exact)) <= 5e-324
    assert run(np.array([0.0]), 1)[0] == 1.0


def test_exp_in_single_precision():
    run = machine(elementwise("%v = math.exp %x : f32", "%v", "f32"))
    x = np.linspace(-100, 88, 1000, dtype=np.float32)
    np.testing.assert_allclose(run(x, 1000), np.exp(x), rtol=2e-7, atol=2e-45)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("op", "function"),
    [
        ("log", np.log),
        ("sqrt", np.sqrt),
        ("sin", np.sin),
        ("floor", np.floor),
        ("ceil", np.ceil),
        ("absf", np.abs),
        ("exp2", np.exp2),
        ("rsqrt", lambda x: 1 / np.sqrt(x)),
        ("roundeven", np.rint),
        ("trunc", np.trunc),
    ],
)
def test_math_functions(op: str, function: Any):
    text = elementwise(f"%v = math.{op} %x : f64", "%v")
    x = np.linspace(0.1, 9.0, 101)
    np.testing.assert_allclose(machine(text)(x, 101), function(x), rtol=1e-14)
    np.testing.assert_allclose(load_numpy(parse_kernel(text))(x, 101), function(x), rtol=1e-14)


def test_unsigned_integers_become_floats_with_one_rounding():
    text = """func.func private @k(%a: tensor<?xi64>, %n: index) -> tensor<?xf64> {
      %r = "tensor_block.map"(%a, %n) <{indexing_maps = [affine_map<(i) -> (i)>],
          operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
      ^body(%i: index, %x: i64):
        %v = arith.uitofp %x : i64 to f64
        "tensor_block.yield"(%v) : (f64) -> ()
      }) : (tensor<?xi64>, index) -> tensor<?xf64>
      func.return %r : tensor<?xf64>
    }"""
    a = np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 1000)
    a[:3] = [-1, 0, 2**53 + 1]
    np.testing.assert_array_equal(machine(text)(a, 1000), a.view(np.uint64).astype(np.float64))


TWO_STEPS = """func.func private @k(%a: tensor<?xf64>, %n: index) -> (tensor<?xf64>, f64) {
  %t = "tensor_block.map"(%a, %n) <{indexing_maps = [affine_map<(i) -> (i)>],
      operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^body(%i: index, %x: f64):
    %v = arith.mulf %x, %x : f64
    "tensor_block.yield"(%v) : (f64) -> ()
  }) : (tensor<?xf64>, index) -> tensor<?xf64>
  %s = "tensor_block.reduce"(%t, %n) <{monoid = "add", parallel = 0 : i64,
      indexing_maps = [affine_map<(i) -> (i)>], operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^body(%i: index, %x: f64):
    "tensor_block.yield"(%x) : (f64) -> ()
  }) : (tensor<?xf64>, index) -> f64
  %r = "tensor_block.map"(%t, %n) <{indexing_maps = [affine_map<(i) -> (i)>],
      operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^body(%i: index, %x: f64):
    %v = arith.divf %x, %s : f64
    "tensor_block.yield"(%v) : (f64) -> ()
  }) : (tensor<?xf64>, index) -> tensor<?xf64>
  func.return %r, %s : tensor<?xf64>, f64
}"""


def test_several_ops_in_sequence():
    native = compile_kernel(parse_kernel(TWO_STEPS))
    assert str(native.signature) == "f64[1] i64 -> ~f64[1] f64[1] f64() whole 1"
    a = np.arange(5.0)
    for run in (machine(TWO_STEPS), load_numpy(parse_kernel(TWO_STEPS))):
        result, total = run(a, 5)
        np.testing.assert_allclose(result, a**2 / 30)
        assert total == 30.0
        assert isinstance(total, float)


def test_a_constant_divisor_is_compiled_and_truncates():
    text = elementwise(
        "%three = arith.constant 3 : i64\n%v = arith.divsi %x, %three : i64", "%v", "i64"
    )
    a = np.array([-7, 7, -9, 8])
    np.testing.assert_array_equal(machine(text)(a, 4), [-2, 2, -3, 2])


@pytest.mark.parametrize("divisor", ["0", "-1"])
def test_a_constant_that_fails_or_overflows_is_refused(divisor: str):
    body = f"%c = arith.constant {divisor} : i64\n%v = arith.divsi %x, %c : i64"
    function = parse_kernel(elementwise(body, "%v", "i64"))
    with pytest.raises(Refused, match="an integer division may fail"):
        compile_kernel(function)


CHOSEN = """%one = arith.constant 1 : i64
%zero = arith.constant 0 : i64
%least = arith.constant -1 : i64
%fails = arith.cmpi eq, %y, %zero : i64
%d = arith.select %fails, %one, %y : i64
%overflows = arith.cmpi eq, %d, %least : i64
%e = arith.select %overflows, %one, %d : i64
"""


def test_a_divisor_that_is_chosen_not_to_fail_is_compiled():
    text = elementwise(f"{CHOSEN}%v = arith.divsi %x, %e : i64", "%v", "i64", 2)
    a, b = np.array([-7, 7, -9, 8]), np.array([2, 0, -1, 3])
    np.testing.assert_array_equal(machine(text)(a, b, 4), [-3, 7, -9, 2])


@pytest.mark.parametrize(
    "choice",
    [
        "arith.select %fails, %one, %y : i64",  # It may be -1.
        "arith.select %overflows, %zero, %d : i64",
        "arith.select %fails, %y, %one : i64",
        "arith.select %fails, %one, %x : i64",
    ],
)
def test_a_divisor_that_is_chosen_otherwise_is_refused(choice: str):
    body = f"{CHOSEN}%f = {choice}\n%v = arith.divsi %x, %f : i64"
    assert refused(elementwise(body, "%v", "i64", 2)) == "an integer division may fail"


def refused(text: str) -> str:
    with pytest.raises(Refused) as refusal:
        compile_kernel(parse_kernel(text))
    return str(refusal.value)


def test_refusals_say_why():
    division = elementwise("%v = arith.divsi %x, %y : i64", "%v", "i64", 2)
    assert refused(division) == "an integer division may fail"
    zeros = elementwise("%v = math.ctlz %x : i64", "%v", "i64")
    assert refused(zeros) == "math.ctlz has no machine code"
    product = """func.func private @k(%a: tensor<?x?xf64>, %x: tensor<?xf64>, %n: index)
        -> tensor<?xf64> {
      %r = "tensor_block.reduce"(%a, %x, %n, %n) <{monoid = "add", parallel = 1 : i64,
          indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
          operandSegmentSizes = array<i32: 2, 2, 0, 0>}> ({
      ^body(%i: index, %j: index, %p: f64, %q: f64):
        %v = arith.mulf %p, %q : f64
        "tensor_block.yield"(%v) : (f64) -> ()
      }) : (tensor<?x?xf64>, tensor<?xf64>, index, index) -> tensor<?xf64>
      func.return %r : tensor<?xf64>
    }"""
    assert refused(product) == "a BLAS product is faster"
    ones = elementwise("%v = math.exp %x : f64", "%v")
    sparse = ones.replace("f64>", "f64, #tensor_block.storage<dense = 0>>")
    assert "no input has the pattern of the result" in refused(sparse)
    rows = """func.func private @k(%n: index) -> !comprehension.bag<index> {
      %r = "tensor_block.range"(%n, %n) : (index, index) -> !comprehension.bag<index>
      func.return %r : !comprehension.bag<index>
    }"""
    assert refused(rows) == "an extent is computed in the kernel"


def test_what_loops_do_not_make_is_refused():
    maps = elementwise("%v = math.sqrt %x : f64", "%v")
    for type in ("tensor<?xf64, #tensor_block.storage<dense = 0>>", "tensor<4xf64>"):
        made = maps.replace("-> tensor<?xf64>", f"-> {type}")
        made = made.replace("return %r : tensor<?xf64>", f"return %r : {type}")
        assert refused(made) == f"tensor_block.map makes {type}"


TOGETHER = """
    func.func private @k(%n: index, %m: index, %x: tensor<?xf64>, %y: tensor<?xf64>)
        -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
      %a = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
      ^body(%i: index, %e: f64):
        %v = arith.addf %e, %e : f64
        tensor_block.yield %v : f64
      }
      %b = tensor_block.map parallel(d0 < %m) ins(%y[d0] : tensor<?xf64>) -> tensor<?xf64> {
      ^body(%i: index, %e: f64):
        %v = arith.negf %e : f64
        tensor_block.yield %v : f64
      }
      %c = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
      ^body(%i: index, %e: f64):
        %v = arith.mulf %e, %e : f64
        tensor_block.yield %v : f64
      }
      func.return %a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
    }"""


@pytest.mark.parametrize("order", ["abc", "bca", "cab", "ab", "bc"])
def test_results_come_in_the_order_in_which_they_are_returned(order: str):
    names, types = (
        ", ".join(f"%{name}" for name in order),
        ", ".join(["tensor<?xf64>"] * len(order)),
    )
    end = "%a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>"
    text = TOGETHER.replace(end, f"{names} : {types}")
    text = text.replace("(tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {", f"({types}) {{")
    x, y = np.arange(5.0), np.arange(1.0, 4.0)
    expected = {"a": x + x, "b": -y, "c": x * x}
    for found, name in zip(machine(text)(5, 3, x, y), order, strict=True):
        np.testing.assert_array_equal(found, expected[name])


def test_dot_products():
    product = """func.func private @k(%a: tensor<?xf64>, %b: tensor<?xf64>, %n: index) -> f64 {
      %r = "tensor_block.reduce"(%a, %b, %n) <{monoid = "add", parallel = 0 : i64,
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          operandSegmentSizes = array<i32: 2, 1, 0, 0>}> ({
      ^body(%i: index, %x: f64, %y: f64):
        %v = arith.mulf %x, %y : f64
        "tensor_block.yield"(%v) : (f64) -> ()
      }) : (tensor<?xf64>, tensor<?xf64>, index) -> f64
      func.return %r : f64
    }"""
    x, y = np.arange(5.0), np.arange(1.0, 6.0)
    assert machine(product)(x, y, 5) == x @ y
    beside = product.replace("<(i) -> (i)>, ", "<(i) -> (i + 1)>, ", 1)
    assert machine(beside)(x, y, 5) == x[1:] @ y[:-1]


LANES = """
    func.func private @k(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>)
        -> (tensor<?xf64>, f64, f64) {
      %z = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
      ^body(%i: index, %a: f64):
        %v = arith.negf %a : f64
        tensor_block.yield %v : f64
      }
      %dot = tensor_block.reduce add reduced(d0 < %n)
          ins(%x[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>) -> f64 {
      ^body(%i: index, %a: f64, %b: f64):
        %v = arith.mulf %a, %b : f64
        tensor_block.yield %v : f64
      }
      %last = tensor_block.reduce @last reduced(d0 < %n) ins(%z[d0] : tensor<?xf64>) -> f64 {
      ^body(%i: index, %a: f64):
        tensor_block.yield %a : f64
      }
      func.return %z, %dot, %last : tensor<?xf64>, f64, f64
    }
    comprehension.monoid @last : f64 identity 0.0 : f64 {
    ^body(%x: f64, %y: f64):
      %zero = arith.constant 0.0 : f64
      %none = arith.cmpf oeq, %y, %zero : f64
      %r = arith.select %none, %x, %y : f64
      comprehension.yield %r
    }"""


def test_folds_in_lanes_and_arrays_take_turns_that_threads_share():
    signature = compile_kernel(parse_kernel(LANES)).signature
    assert str(signature) == "i64 f64[0] f64[0] -> f64[0] f64(add) f64(@last) rows 0 reads 8"


@pytest.mark.parametrize("threads", ["1", "3"])
def test_transposes_by_squares(threads: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 2)
    text = """func.func private @k(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %n: index, %m: index)
        -> tensor<?x?xf64> {
      %r = "tensor_block.map"(%a, %b, %n, %m) <{operandSegmentSizes = array<i32: 2, 2, 0, 0>,
          indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>]}> ({
      ^body(%i: index, %j: index, %x: f64, %y: f64):
        %v = arith.subf %x, %y : f64
        "tensor_block.yield"(%v) : (f64) -> ()
      }) : (tensor<?x?xf64>, tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
      func.return %r : tensor<?x?xf64>
    }"""
    a, b = np.random.default_rng(3).random((2, 300, 300))
    for n, m in [(300, 300), (257, 129), (128, 1), (0, 5)]:
        np.testing.assert_array_equal(machine(text)(a, b, n, m), a[:m, :n].T - b[:n, :m])


def test_a_scatter_takes_no_range_to_share():
    text = """func.func private @k(%a: tensor<?xi64>, %n: index, %bins: index) -> tensor<?xi64> {
      %one = arith.constant 1 : i64
      %c = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins)
          ins(%a[d0] : tensor<?xi64>) -> tensor<?xi64> {
      ^body(%i: index, %x: i64):
        %k = arith.index_cast %x : i64 to index
        tensor_block.yield %k, %one : index, i64
      }
      func.return %c : tensor<?xi64>
    }"""
    values = np.random.default_rng(0).integers(-2, 12, 1000)
    inside = values[(values >= 0) & (values < 10)]
    run = machine(text)
    for given in (values, np.repeat(values, 2)[::2]):  # by the shorter way and by the longer one
        np.testing.assert_array_equal(run(given, 1000, 10), np.bincount(inside, minlength=10))
