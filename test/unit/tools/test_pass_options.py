# The options that the help shows are the fields of the passes, and each says what it means.
from dataclasses import fields

import pytest
from xdsl.passes import get_pass_option_infos

from diablo.pass_options import PassOption, options_in, pass_options
from diablo.universe import PASSES


@pytest.mark.parametrize("name", PASSES)
def test_options_are_the_fields(name: str):
    pass_class = PASSES[name].load()
    options = pass_options(PASSES[name])
    assert [o.name for o in options] == [f.name for f in fields(pass_class)]
    assert [o.type for o in options] == [f.type for f in fields(pass_class)]
    defaults = [i.default_value for i in get_pass_option_infos(pass_class)]
    assert [o.default or "none" for o in options] == defaults
    assert all(o.meaning for o in options)


def test_reading_a_class():
    source = """class P(ModulePass):
    name: ClassVar[str] = "p"
    wide: tuple[int, ...] = (1, 2)
    count: int
    '''How many
    there are.'''
    path: str | None = None
"""
    assert list(options_in(source)) == [
        PassOption("wide", "tuple[int, ...]", "(1, 2)", ""),
        PassOption("count", "int", None, "How many there are."),
        PassOption("path", "str | None", None, ""),
    ]
