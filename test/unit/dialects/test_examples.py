# Every op, type and attribute has an example; it parses, verifies, and prints what parses again.
import inspect
import re
from io import StringIO

import pytest
from xdsl.ir import Attribute, Dialect, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from diablo.registry import new_context
from diablo.universe import DIALECTS

Member = type[Operation] | type[Attribute]


def _members() -> list[Member]:
    dialects = [entry.load() for entry in DIALECTS.values()]
    assert all(isinstance(dialect, Dialect) for dialect in dialects)
    return [m for d in dialects for m in (*d.operations, *d.attributes)]


def _examples(member: Member) -> list[str]:
    return re.findall(r"^```mlir\n(.*?)^```$", inspect.getdoc(member) or "", re.M | re.S)


def _print(module: Operation, *, generic: bool) -> str:
    out = StringIO()
    Printer(out, print_generic_format=generic).print_op(module)
    return out.getvalue()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("member", _members(), ids=lambda member: member.name)
def test_examples(member: Member):
    examples = _examples(member)
    assert examples, f"{member.name} has no example"
    for example in examples:
        assert member.name in example
        module = Parser(new_context(), example).parse_module()
        module.verify()
        text = _print(module, generic=False)
        for generic in (False, True):
            again = Parser(new_context(), _print(module, generic=generic)).parse_module()
            again.verify()
            assert module.is_structurally_equivalent(again)
            assert _print(again, generic=False) == text


@pytest.mark.parametrize("member", _members(), ids=lambda member: member.name)
def test_custom_syntax(member: Member):
    if issubclass(member, Operation):
        for example in _examples(member):
            module = Parser(new_context(), example).parse_module()
            assert f'"{member.name}"' not in _print(module, generic=False)
