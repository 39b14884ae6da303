# Each case of the suite at a tiny scale, with all answers compared.
import peers
import pytest
from case_table import all_cases
from measuring import DIABLO, Settings, measure

CASES = all_cases()
# Numba takes seconds to compile a loop, so that it computes one case alone.
WITH_NUMBA = "window sums"


@pytest.mark.sampled(72)
@pytest.mark.parametrize("name", CASES)
def test_all_find_the_same(name: str):
    without = () if name == WITH_NUMBA else ("Numba",)
    settings = Settings(scale=1e-4, repeats=1, memory=False, without=without)
    found = measure(CASES[name], settings)["contenders"]
    assert {who: one["wrong"] for who, one in found.items() if one["wrong"]} == {}
    assert all(one["first"] and one["later"] for one in found.values())
    _, by_hand, *_ = found
    assert by_hand in peers.ALWAYS
    assert {DIABLO} < found.keys() <= {DIABLO, *peers.ALWAYS, *peers.PEERS}


def test_the_fields_have_their_workloads():
    # What the project says that it is measured with.
    fields = {field: [c.name for c in CASES.values() if c.field == field] for field in (
        "arrays", "sparse", "rows", "strings", "joins", "lazy arrays", "tables", "inputs",
        "loops in order",
    )}  # fmt: skip
    assert sum(map(len, fields.values())) == len(CASES)
    questions = [n for n in fields["rows"] if n.startswith("h2o q")]
    assert len(questions) == 10
    assert len([n for n in fields["strings"] if n.startswith("h2o q")]) == 6
    assert len([n for n in fields["joins"] if n.startswith("h2o j")]) == 10


def test_peers_that_are_absent_are_left_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(peers, "find_spec", lambda module: None)
    assert peers.missing() == {
        "pandas": "pandas",
        "Polars": "polars",
        "DuckDB": "duckdb, pyarrow",
        "Dask": "dask, pandas",
        "Numba": "numba",
        "GraphBLAS": "graphblas",
        "JAX": "jax",
    }
    assert peers.installed().keys() == {"NumPy", "SciPy"}
    settings = Settings(scale=1e-4, repeats=1, memory=False)
    found = measure(CASES["group by, sum"], settings)
    assert found["contenders"].keys() == {DIABLO, "NumPy"}
