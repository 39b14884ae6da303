"""The programs on which random testing has found mistakes, made small; they stay right.

Each is a file of `found/` as `python -m diablo.tools.fuzz` writes them: lines that begin with
`// input` give the inputs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzing.reports import read_report
from fuzzing.trial import Trial, Way

PROGRAMS = sorted((Path(__file__).parent / "found").glob("*.diablo"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_found(path: Path) -> None:
    text, inputs, way = read_report(path)
    ways = [Way(), *([way] if way is not None else [])]
    outcome = Trial(text, inputs).run(ways)
    assert outcome.verdict == "same", outcome
