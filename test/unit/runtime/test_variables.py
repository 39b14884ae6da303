"""Variables of the environment that every call looks at."""

import os

import pytest

from diablo.runtime.variables import variable


def test_a_variable_is_what_it_is_at_each_look(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DIABLO_SOME", raising=False)
    assert variable("DIABLO_SOME") is None
    for value in ("3", "", "ä"):
        monkeypatch.setenv("DIABLO_SOME", value)
        assert variable("DIABLO_SOME") == value
    monkeypatch.delenv("DIABLO_SOME")
    assert variable("DIABLO_SOME") is None


def test_an_environment_of_another_kind_is_asked_as_it_can_be(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "environ", {"DIABLO_SOME": "3"})
    assert variable("DIABLO_SOME") == "3"
    assert variable("DIABLO_OTHER") is None
