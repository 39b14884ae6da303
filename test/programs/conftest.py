"""What tests of programs share."""

from typing import Any

import pytest

from diablo.runtime.program.native_loop import LoopCode


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each call of a loop's machine code that has jobs was made."""
    made: list[bool] = []
    run = LoopCode.run

    def noted(code: LoopCode, arguments: Any) -> Any:
        found = run(code, arguments)
        if code.has_jobs:
            made.append(found is not NotImplemented)
        return found

    monkeypatch.setattr(LoopCode, "run", noted)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    return made
