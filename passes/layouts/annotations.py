"""The discardable attributes of what makes sparse arrays: arguments of functions, and ops.

An op with one result carries the attribute itself, an argument in `arg_attrs`. What only
passes arrays on, `scf.while` and `scf.if`, carries none.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult

USES = "sparse_storage.uses"
LAYOUT = "sparse_storage.layout"

Made = BlockArgument | OpResult
"""A value that is a function's argument or an op's result."""


def annotate(value: Made, name: str, attribute: Attribute | None) -> None:
    """Attach an attribute to what makes `value`, or take it away with `None`."""
    if isinstance(value, OpResult):
        if len(value.op.results) == 1 and not isinstance(value.op, scf.WhileOp | scf.IfOp):
            _put(value.op.attributes, name, attribute)
        return
    function = value.block.parent_op()
    if not isinstance(function, func.FuncOp):
        return
    given = function.arg_attrs or ArrayAttr([DictionaryAttr({}) for _ in value.block.args])
    dictionaries = [dict(entry.data) for entry in given]
    _put(dictionaries[value.index], name, attribute)
    function.arg_attrs = ArrayAttr([DictionaryAttr(entry) for entry in dictionaries])


def _put(attributes: dict[str, Attribute], name: str, attribute: Attribute | None) -> None:
    if attribute is None:
        attributes.pop(name, None)
    else:
        attributes[name] = attribute


def annotated(module: ModuleOp, name: str) -> Iterator[tuple[Made, Attribute]]:
    """The values whose makers carry an attribute, in the order of the program."""
    for op in module.walk():
        if isinstance(op, func.FuncOp):
            for argument in op.body.blocks[0].args if op.body.blocks else ():
                if (found := argument_attribute(argument, name)) is not None:
                    yield argument, found
        elif name in op.attributes and len(op.results) == 1:
            yield op.results[0], op.attributes[name]


def argument_attribute(argument: BlockArgument, name: str) -> Attribute | None:
    """An attribute of a function's argument."""
    function = argument.block.parent_op()
    if not isinstance(function, func.FuncOp) or function.arg_attrs is None:
        return None
    return function.arg_attrs.data[argument.index].data.get(name)


def place_of(value: Made) -> Operation | BlockArgument:
    """Return what remarks about `value` belong to."""
    return value.op if isinstance(value, OpResult) else value
