"""A new function on numbers is one row of the table, and nothing else."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest
from scipy import sparse, special

import diablo
import diablo.array as da
from diablo.diagnostics import CompileError
from diablo.dialects.functions import error_functions
from diablo.dialects.functions.number_ranges import Interval
from diablo.dialects.functions.scalar_functions import FUNCTIONS, Overload, ScalarFunction
from fuzzing.comparison import difference, plain
from fuzzing.trial import DEFAULT, Trial, Way

ROWS = {
    # Zero is kept, and the machine code is written out.
    "radians": ScalarFunction(
        Overload("np.radians", expansion=lambda x: x * (pi / 180), monotone="increasing")
    ),
    # Neither: 1/2 at zero, and kernels with it are NumPy's.
    "logistic": ScalarFunction(
        Overload("special.expit", range=Interval(0, 1), monotone="increasing")
    ),
    "gcd": ScalarFunction(integer=Overload("np.gcd"), arity=2),
    # What `erf` would be if the table did not have it; its formula is the one new file.
    "erf": ScalarFunction(
        Overload(
            "special.erf",
            expansion=error_functions.erf,
            range=Interval(-1, 1),
            monotone="increasing",
        )
    ),
}
S = np.array([[0, 90.0, 0, 0], [0, 0, -180.0, 0], [30.0, 0, 0, 0]])
INPUTS = "input S: matrix[Double]; input k: Int;"


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, row in ROWS.items():
        monkeypatch.setitem(FUNCTIONS, name, row)


def run(text: str, **options: Any) -> Any:
    return diablo.compile(INPUTS + text, **options)(S=sparse.csr_array(S), k=12)


@pytest.mark.parametrize("name", ROWS)
def test_without_its_row_there_is_no_function(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(FUNCTIONS, name)
    with pytest.raises(CompileError, match=f"there is no function `{name}`"):
        diablo.compile(f"{name}(1)")


def test_it_is_checked() -> None:
    for text, message in {
        "radians(1.0, 2.0)": "`radians` takes 1 argument, not 2",
        'radians("a")': "`radians` needs numbers, not String",
        "gcd(2, 4.0)": "`gcd` needs Ints, not Int and Double",
    }.items():
        with pytest.raises(CompileError) as caught:
            diablo.compile(text)
        assert message in str(caught.value)


def test_it_has_a_type() -> None:
    assert run("(gcd(k, 18), radians(180))") == (6, pi)
    with pytest.raises(CompileError, match="Double"):
        diablo.compile("var n: Int = logistic(0);")


def test_it_is_folded_where_nothing_is_stored() -> None:
    # What is zero at zero is computed of the stored elements alone, what is not of all.
    for name, ufunc in (("radians", np.radians), ("erf", special.erf)):
        found = run(f"{name}(S)")
        assert "sparse array, 3 entries" in repr(found)
        np.testing.assert_allclose(np.asarray(found), ufunc(S))
    np.testing.assert_allclose(run("logistic(S)"), special.expit(S))


PROGRAM = """
var T = tensor()(3,4) [ ((i,j), radians(s)) | ((i,j),s) <- S ];
var L = tensor(3,4) [ ((i,j), logistic(S[i,j]) + gcd(i, 4*j)) | i <- 0..2, j <- 0..3 ];
(T, L, +/[ radians(s)*logistic(s) | ((i,j),s) <= S ], [ radians(s) | ((i,j),s) <- S, s > 0.0 ],
 erf(T), erf(0.5))
"""


def test_it_runs_as_the_interpreter_says() -> None:
    trial = Trial(INPUTS + PROGRAM, {"S": sparse.csr_array(S), "k": 12})
    outcome = trial.run(
        [DEFAULT, Way(compile="always"), Way(block_sizes=(None,), compile="never", whole=True)]
    )
    assert outcome.verdict == "same", outcome


@pytest.mark.spark
def test_it_runs_on_spark() -> None:
    expected = Trial(INPUTS + PROGRAM, {"S": sparse.csr_array(S), "k": 12}).expected()
    found = run(PROGRAM, engine="spark", master="local[2]", block_size=2)
    assert difference(plain((found,)), expected) is None


def test_its_machine_code_is_in_the_kernel() -> None:
    text = "input v: vector[Double]; {}(v) + 1.0"
    inputs = {"v": np.ones(8)}
    for name, numpy in (("radians", "np.radians("), ("erf", "special.erf(")):
        written = Trial(text.format(name), inputs).variant().python
        assert "fmul double" in written
        assert numpy in written
    called = Trial(text.format("logistic"), inputs).variant().python
    assert "special.expit(" in called
    assert "from scipy import special" in called
    assert "double" not in called


def test_lazy_arrays_and_tables_have_it() -> None:
    # NumPy's ufunc and SciPy's are the functions that rows name; without a row NumPy computes them.
    v = da.asarray(np.linspace(-3.0, 3.0, 7))
    both: Any = np.radians(v) * special.expit(v)
    assert "number_call" in da.explain(both, level="tensor_block")
    expected = np.radians(np.linspace(-3.0, 3.0, 7)) * special.expit(np.linspace(-3.0, 3.0, 7))
    np.testing.assert_allclose(both.to_numpy(), expected, rtol=1e-15)
    table = da.table({"v": np.linspace(-3.0, 3.0, 7)})
    column = np.radians(da.col("v")) * special.expit(da.col("v"))
    np.testing.assert_allclose(table.select(y=column).to_dict()["y"], expected, rtol=1e-15)
