"""Every example of docs/language.md compiles, down to the Spark level."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import diablo

PAGE = Path(__file__).parents[2] / "docs" / "language.md"
EXAMPLES = re.findall(r"```diablo\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("text", EXAMPLES)
def test_example_compiles(text: str) -> None:
    assert "spark." in diablo.compile(text).ir("spark")
