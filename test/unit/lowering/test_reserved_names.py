"""The names that emitted programs import are those that the runtime has for them."""

from __future__ import annotations

from importlib import import_module

import pytest

from diablo.lowering.reserved_names import DRIVER_NAMES, IMPORTS
from diablo.program_names import MODULE_OF, PROGRAM_FUNCTIONS
from diablo.runtime import program


@pytest.mark.parametrize("module", IMPORTS)
def test_programs_import_what_there_is(module: str):
    found = import_module(module)
    for name in IMPORTS[module]:
        assert hasattr(found, name) or import_module(f"{module}.{name}")


def test_a_name_is_that_of_one_function():
    assert len(MODULE_OF) == sum(map(len, PROGRAM_FUNCTIONS.values()))
    assert set(MODULE_OF) == set(IMPORTS["diablo.runtime.program"])
    assert set(MODULE_OF) <= DRIVER_NAMES & set(dir(program))


def test_of_other_names_there_is_none():
    with pytest.raises(AttributeError, match=r"'diablo.runtime.program' has no attribute 'tile'"):
        _ = program.tile
