# The name that an emitted program is given.
from xdsl.dialects.builtin import ModuleOp

from diablo.frontend.importer import import_program
from diablo.targets import source_name


def test_the_name_is_that_of_the_source_file():
    assert source_name(import_program("1 + 2", "folder/sum.diablo")) == "folder/sum.diablo"


def test_text_without_a_file_has_a_name_all_the_same():
    assert source_name(import_program("1 + 2", "<stdin>")) == "program"
    assert source_name(ModuleOp([])) == "program"
