"""Programs with computed indices give on the local engine what the interpreter gives."""

from __future__ import annotations

import pytest
from random_index_programs import random_index_program

from fuzzing.trial import Trial, Way


@pytest.mark.sampled(32)
@pytest.mark.parametrize("first", range(0, 40, 5))
def test_programs_with_computed_indices_mean_the_same(first: int) -> None:
    for seed in range(first, first + 5):
        text, inputs = random_index_program(seed)
        outcome = Trial(text, inputs).run([Way(None, (None, 1, 3))])
        assert outcome.verdict in ("same", "failed alike"), f"program {seed}: {outcome}\n{text}"
