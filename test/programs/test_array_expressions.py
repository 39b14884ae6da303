# Random expressions of lazy arrays against NumPy: shapes, types, specials, views, mutation.
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import diablo.array as da
from fuzzing.array_expressions import differs, draw


def _check(data: Any, most: int, **options: Any) -> None:
    trial = draw(da, lambda n: data.draw(st.integers(0, n - 1)), most)
    wanted = trial.twins[-3:]
    da.compute(*[twin.lazy for twin in wanted], **options)
    wrong = [text for twin in wanted if (text := differs(twin))]
    assert not wrong, "\n".join(wrong)


QUICK = settings(
    max_examples=200,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@QUICK
@given(st.data())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_expressions_computed_by_numpy(data: Any):
    _check(data, 14)


@settings(QUICK, max_examples=40)
@given(st.data())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_expressions_computed_by_programs(data: Any):
    _check(data, 8, engine="local")


@settings(QUICK, max_examples=25)
@given(st.data(), st.sampled_from([1, 3, 16]))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_expressions_computed_by_machine_code(data: Any, block_size: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIABLO_COMPILE", "always")
        _check(data, 8, engine="local", block_size=block_size)


def test_a_difference_is_found():
    rng = np.random.default_rng(0)
    trial = draw(da, lambda n: int(rng.integers(n)))
    twin = trial.twins[0]
    assert differs(twin) == ""
    twin.numpy = twin.numpy[..., None] if twin.numpy.ndim else twin.numpy.reshape(1)
    assert "the shape is" in differs(twin)
