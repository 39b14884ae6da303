"""The names that emitted programs import are those that the runtime has for them."""

from __future__ import annotations

from diablo.lowering.reserved_names import PROGRAM_NAMES
from diablo.runtime import program


def test_programs_import_what_there_is():
    assert sorted(PROGRAM_NAMES) == sorted(program.__all__)
