"""What the compiler does with one text that need not be a program."""

from __future__ import annotations

from diablo.diagnostics import CompileError, listening
from diablo.variant import Variant
from fuzzing.time_limit import TooSlow, time_limit
from fuzzing.trial import FILE, Outcome, is_internal

_SECONDS = 20


def compile_text(text: str) -> Outcome:
    """Compile a text as a program; anything but a program or located errors is a crash."""
    try:
        with time_limit(_SECONDS), listening(lambda _: None):
            _ = Variant(text, FILE, {}).python
    except CompileError as error:
        if is_internal(error):
            return Outcome("crash", error.diagnostics[0].message.splitlines()[0])
        if not error.diagnostics:
            return Outcome("crash", "an error without a message")
        str(error)  # can be shown
        return Outcome("refused", error.diagnostics[0].message)
    except TooSlow:
        return Outcome("crash", f"no end after {_SECONDS} seconds")
    except Exception as error:
        return Outcome("crash", f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}")
    return Outcome("same")
