# What is lifted out of contractions gives the same: by the interpreter, and by kernels.
from typing import Any

import numpy as np
import pytest
from xdsl.parser import Parser

import diablo
from diablo.passes.interpreter.interpreter import interpret
from diablo.passes.lift_elementwise import LiftElementwisePass
from diablo.registry import new_context

BODIES = {
    # Each with how many arrays are made of what it computes of one operand.
    "%e = math.exp %x : f64\n%f = arith.addf %y, %one : f64\n%p = arith.mulf %e, %f : f64": 2,
    "%e = math.exp %x : f64\n%f = arith.subf %e, %y : f64\n%p = math.absf %f : f64": 1,
    "%e = arith.divf %one, %y : f64\n%f = arith.addf %e, %y : f64\n%p = arith.addf %f, %x : f64": 1,
    "%w = arith.index_cast %k : index to i64\n%c = arith.sitofp %w : i64 to f64\n"
    "%e = arith.addf %y, %c : f64\n%f = math.exp %e : f64\n%p = arith.addf %f, %x : f64": 1,
    "%e = arith.addf %x, %y : f64\n%p = math.exp %e : f64": 0,
    "%e = arith.negf %x : f64\n%p = arith.addf %e, %y : f64": 0,
    "%p = math.exp %x : f64": 1,
}
MODULE = """
func.func @main(%n: index, %m: index, %l: index, %A: tensor<?x?xf64>, %B: tensor<?x?xf64>)
    -> tensor<?x?xf64> {{
  %one = arith.constant 1.0 : f64
  %r = tensor_block.reduce {monoid} parallel(d0 < %n, d1 < %l) reduced(d2 < %m)
      ins(%A[d0, d2] : tensor<?x?xf64>, %B[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {{
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    {body}
    tensor_block.yield %p : f64
  }}
  func.return %r : tensor<?x?xf64>
}}
"""


def _arrays(n: int, m: int, l: int) -> dict[str, Any]:  # noqa: E741
    rng = np.random.default_rng(n + m)
    return {"n": n, "m": m, "l": l, "A": rng.random((n, m)), "B": rng.random((m, l)) + 0.5}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("monoid", ["add", "min"])
def test_the_interpreter_gives_the_same(body: str, monoid: str):
    context = new_context()
    text = MODULE.format(monoid=monoid, body=body)
    inputs = [_arrays(3, 4, 2), _arrays(0, 4, 2), _arrays(1, 1, 1)]
    results: list[Any] = []
    for lifts in (False, True):
        module = Parser(context, text).parse_module()
        function = module.body.block.first_op
        assert function is not None
        if lifts:
            LiftElementwisePass().apply(context, module)
            module.verify()
            made = sum(op.name == "tensor_block.map" for op in module.walk())
            # Without a sum, no product of a library is left.
            assert made == (BODIES[body] if monoid == "add" else min(BODIES[body], 1))
        results.append([interpret(module, each) for each in inputs])
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one[0].to_numpy(), other[0].to_numpy())


TERMS: dict[str, Any] = {
    "exp(a) * (b + 1.0)": lambda a, b: np.exp(a) * (b + 1),
    "abs(exp(a) - b)": lambda a, b: abs(np.exp(a) - b),
    "exp(a) / (1.0 + sqrt(abs(b))) + a": lambda a, b: np.exp(a) / (1 + np.sqrt(abs(b))) + a,
}
PROGRAM = """input A: matrix[Double];
input B: matrix[Double];
tensor*(A.rows,B.cols)[ ((i,j),+/v) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k, let v = {term},
                        group by (i,j) ];
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize("mode", ["always", "never"])
def test_programs_give_the_same(term: str, mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    inputs = _arrays(5, 7, 6)
    a, b = inputs["A"] - 0.5, inputs["B"] - 1.0
    expected = TERMS[term](a[:, :, None], b[None]).sum(axis=1)
    for size in (None, 1, 3):
        found = diablo.compile(PROGRAM.format(term=term), block_size=size)(A=a, B=b)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12)
