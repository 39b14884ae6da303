"""What tests of compiling once share, and the settings of the property tests."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from case_numbers import number
from hypothesis import settings

from diablo import compilations, openings
from diablo.variant import Variant

# The same examples in every run, few and small.
settings.register_profile("diablo", derandomize=True, deadline=None, max_examples=number(30, 60))
settings.load_profile("diablo")


@pytest.fixture
def nothing_kept() -> Generator[None]:
    """Nothing is known of programs that were compiled before, nor of this one afterwards."""
    compilations.forget()
    openings.forget()
    yield
    compilations.forget()
    openings.forget()


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The levels to which a program was lowered."""
    levels: list[str] = []
    lower = Variant.lower

    def noted(variant: Variant, level: str):
        levels.append(level)
        return lower(variant, level)

    monkeypatch.setattr(Variant, "lower", noted)
    return levels
