"""What a result says where pandas is not installed."""

import sys

import pytest

import diablo


def test_pandas_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = diablo.compile("[ (i,2*i) | i <- 0..3 ]")()
    with pytest.raises(ImportError, match="pip install pandas"):
        result.to_pandas()
