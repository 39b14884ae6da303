"""Results that a typemap stores: wherever they stand, callers get what `view` makes of them."""

from typing import Any

import numpy as np
import pytest

import diablo

HALVES = """typemap halves(n: Int): vector[Double] {
  def view(s: vector[Double]): list[(Int,Double)] = [ (i,2.0*v) | (i,v) <- s ];
  def store(L: list[(Int,Double)]): vector[Double] = tensor*(n)[ (i,v/2.0) | (i,v) <- L ];
}
input x: vector[Double];
var d = halves(3)[ (i,v) | (i,v) <- x ];
"""
SHOWN = [(0, 1.0), (1, 2.0), (2, 4.0)]

RESULTS: dict[str, Any] = {
    "d": SHOWN,
    "(1.0,d)": (1.0, SHOWN),
    "(d,1)": (SHOWN, 1),
    "(d,d)": (SHOWN, SHOWN),
    "<a=d,b=1>": (SHOWN, 1),
    "(d,(<a=d>,d[1]))": (SHOWN, ((SHOWN,), 2.0)),
    "if (x[0] > 9.0) halves(1)[ (0,5.0) ] else d": SHOWN,
    "var p = (1.0,d); p": (1.0, SHOWN),
    "var q = <a=(d,2),b=5>; (q,q.a)": (((SHOWN, 2), 5), (SHOWN, 2)),
    "def both(e: Double) = (e,halves(1)[ (0,e) ]); both(3.0)": (3.0, [(0, 3.0)]),
    "var p = <a=d>;": (SHOWN, (SHOWN,)),  # the values of its variables
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block_size", [None, 2])
@pytest.mark.parametrize("result", RESULTS)
def test_results_are_viewed(result: str, block_size: int | None) -> None:
    program = diablo.compile(HALVES + result, block_size=block_size)
    assert program(x=np.array([1.0, 2.0, 4.0])) == RESULTS[result]
