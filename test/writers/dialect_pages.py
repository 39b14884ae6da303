"""Writes `docs/dialects/*.md` from the docstrings of the dialects.

`python -m diablo.tools.dialect_docs` writes the pages; with `--check` it writes nothing, names
the pages that are out of date and exits with 1. A page has the dialect's module docstring, and
for each op, attribute and type its docstring, example included, and a table of what it is made
of.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    ArrayOfConstraint,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AnyOf,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    OptionalDef,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    VarConstraint,
    VariadicDef,
)

from diablo.dialects.encodings import ArrayConstraint
from diablo.universe import DIALECTS

PAGES = Path(__file__).resolve().parents[2] / "docs" / "dialects"

# What the attributes of the builtin dialect are called in the tables.
_WORDS: dict[type[Attribute], str] = {
    AffineMapAttr: "affine map",
    ArrayAttr: "list",
    IntegerAttr: "integer",
    StringAttr: "string",
    SymbolRefAttr: "symbol",
    UnitAttr: "flag",
}


def page(name: str) -> str:
    """The whole page of the dialect `name`."""
    entry = DIALECTS[name]
    dialect = entry.load()
    assert isinstance(dialect, Dialect)
    types = [a for a in dialect.attributes if issubclass(a, TypeAttribute)]
    attributes = [a for a in dialect.attributes if not issubclass(a, TypeAttribute)]
    parts = [
        f"# The `{name}` dialect",
        "<!-- Written by `python -m diablo.tools.dialect_docs`: change the docstrings, "
        "not this page. -->",
        _text(import_module(entry.module)),
        "## Operations",
        *[part for op in dialect.operations for part in _operation(op)],
    ]
    for title, members in (("## Types", types), ("## Attributes", attributes)):
        if members:
            parts += [title, *[part for member in members for part in _attribute(member)]]
    return "\n\n".join(parts) + "\n"


def _text(documented: object) -> str:
    return cleandoc(documented.__doc__ or "")


def _operation(op: type) -> Iterable[str]:
    assert issubclass(op, IRDLOperation)
    definition = op.get_irdl_definition()
    yield f"### `{op.name}`"
    yield _text(op)
    rows = [
        *[("operand", n, _several(d) + _range(d.constr)) for n, d in definition.operands],
        *[
            ("attribute", n, _several(d) + _constraint(d.constr))
            for n, d in {**definition.properties, **definition.attributes}.items()
            if not n.endswith("SegmentSizes")
        ],
        *[("region", n, "one block") for n, _ in definition.regions],
        *[("result", n, _several(d) + _range(d.constr)) for n, d in definition.results],
    ]
    if rows:
        yield "\n".join(
            [
                "| | name | |",
                "|---|---|---|",
                *[f"| {kind} | `{name}` | {what} |" for kind, name, what in rows],
            ]
        )


def _attribute(attribute: type[Attribute]) -> Iterable[str]:
    assert issubclass(attribute, ParametrizedAttribute)
    sigil = "!" if issubclass(attribute, TypeAttribute) else "#"
    yield f"### `{sigil}{attribute.name}`"
    yield _text(attribute)


def _several(definition: object) -> str:
    """Return how often something is there, unless once."""
    if isinstance(definition, OptionalDef):
        return "optional; "
    return "any number of: " if isinstance(definition, VariadicDef) else ""


def _range(constraint: RangeConstraint) -> str:
    """Return what operands or results of one name may be."""
    if isinstance(constraint, RangeLengthConstraint):
        return _range(constraint.constraint)
    return _constraint(constraint.constr) if isinstance(constraint, RangeOf) else "any"


def _constraint(constraint: AttrConstraint) -> str:
    """Return what an attribute or type may be."""
    match constraint:
        case AnyAttr():
            return "any"
        case AnyOf(attr_constrs=constraints):
            return " or ".join([_constraint(each) for each in constraints])
        case VarConstraint():
            inner = _constraint(constraint.constraint)
            return f"`{constraint.name}`" if inner == "any" else f"`{constraint.name}`, {inner}"
        case ArrayConstraint():
            return "array"
        case EqAttrConstraint():
            return f"`{constraint.attr}`"
        case ArrayOfConstraint():
            inner = _range(constraint.elem_range_constraint)
            return f"list of {inner}s"
        case BaseAttr():
            return _name(constraint.attr)
        case ParamAttrConstraint():
            return _parametrized(constraint.base_attr, constraint.param_constrs)
        case _:
            return str(constraint)


def _parametrized(base: type[Attribute], parameters: Sequence[AttrConstraint]) -> str:
    inner = [_constraint(parameter) for parameter in parameters]
    if base is IntegerAttr:
        return f"integer ({inner[1]})"
    if base is DenseArrayBase:
        return f"list of integers ({inner[0]})"
    return f"{_name(base)} of {', '.join(inner)}"


def _name(attribute: type[Attribute]) -> str:
    if attribute in _WORDS:
        return _WORDS[attribute]
    if not issubclass(attribute, TypeAttribute):
        # What only others are made of has no name of its own.
        return f"`#{getattr(attribute, 'name', attribute.__name__)}`"
    prefix, _, rest = attribute.name.partition(".")
    return f"`{rest or prefix}`" if prefix == "builtin" or not rest else f"`!{attribute.name}`"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or check them; the exit code."""
    parser = argparse.ArgumentParser(prog="dialect_docs", description="Write docs/dialects.")
    parser.add_argument("--check", action="store_true", help="only say which pages are old")
    check: bool = parser.parse_args(arguments).check
    old = False
    for name in DIALECTS:
        path, text = PAGES / f"{name}.md", page(name)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        old = True
        if check:
            print(f"docs/dialects/{name}.md is out of date", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if check and old:
        print("run: python -m diablo.tools.dialect_docs", file=sys.stderr)
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
