"""Which extents are known of the arrays that a loop carries."""

from __future__ import annotations

import pytest

from diablo.compiler import import_program, lower
from diablo.dialects import tensor_block
from diablo.frontend.emission.bindings import ArrayBinding, ScalarBinding
from diablo.passes.analyses.plans.size_estimates import element_count, stored_bytes

LOOP = """
    input A: matrix[Double]; input b: vector[Double]; input steps: Int;
    var x = b; var y = b;
    for s = 1, steps do {
      x = x + {X};
      y = tensor(y.length)[ (i, v + x[i]) | (i,v) <- y ];
    };
    (x, y, A)
"""


GROWING = """
    input A: matrix[Double]; input b: vector[Double]; input steps: Int;
    var x = b;
    for s = 1, steps do x = tensor(x.length+1)[ (i,1.0*i) | i <- 0..x.length ];
    x
"""


@pytest.mark.parametrize(
    ("text", "count"),
    [(LOOP.replace("{X}", "2*y"), 8), (LOOP.replace("{X}", "A @ x"), 8), (GROWING, None)],
)
def test_what_is_made_as_large_as_what_a_loop_carries(text: str, count: int | None):
    bindings = {
        "A": ArrayBinding(2, 2, "f64", (8, 8)),
        "b": ArrayBinding(1, 1, "f64", (8,)),
        "steps": ScalarBinding(5),
    }
    module = import_program(text, "a.diablo", bindings, None)
    lower(module, "diablo-to-tensor-block", {})
    maps = [op.result for op in module.walk() if isinstance(op, tensor_block.MapOp)]
    assert maps
    assert {element_count(array) for array in maps} == {count}
    assert {stored_bytes(array) for array in maps} == {None if count is None else 8 * count}
