"""Floats of the driver are rounded to 32 bits, whether they are known or given."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzing.trial import Trial, Way

INPUTS = "input r: Float; input x: vector[Float];"
PROGRAMS = [
    "(r, r*r, r*r+r, -r, sqrt(r), r/(r*r), r*2.0, r+0.1, max(r,r*r))",
    "var s: Float = r; var k = 0; while (k < 3) { s = s*s+r; k += 1 }; s",
    "([ a*r*r | (i,a) <- x ], max/[ a*r | (i,a) <- x ], [ i | (i,a) <- x, a == r ])",
    "var s: Float = if (r > 1) r*r else r; (s, s/r, (s*1000000).toInt)",
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("r", [0.1, 0.0, -3.0, 1e30, 1e39])
def test_floats_have_32_bits(program: str, r: float) -> None:
    ways = [Way(block_sizes=(None, 2), compile=mode, threads=(1,)) for mode in ("auto", "always")]
    for known in ("", "var p = pow(2.0,r);"):  # which makes the value worth to be known
        trial = Trial(INPUTS + known + program, {"r": r, "x": np.array([0.1, 0.2], np.float32)})
        outcome = trial.run(ways)
        assert outcome.verdict == "same", outcome
