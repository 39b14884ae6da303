"""Which functions become loops, where other ops may name them, and how they get other bodies.

    func.func @k(%a: tensor<?xf64>) …      call @k  =>      func.func @k(%a: tensor<?xf64>) …
                                                            func.func @k_loops(%a: memref<?xf64>) …

Ops that name a function pass tensors to it, so that it keeps its form and a copy becomes loops.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Block


def functions_for_loops(module: ModuleOp, chosen: Iterable[func.FuncOp]) -> list[func.FuncOp]:
    """The chosen functions of a module, or copies of those that others name, put beside them."""
    named = _referenced_symbols(module)
    found: list[func.FuncOp] = []
    for function in chosen:
        loops = function
        if function.sym_name.data in named:
            loops = function.clone()
            loops.sym_name = StringAttr(f"{function.sym_name.data}_loops")
            module.body.block.insert_op_after(loops, function)
        found.append(loops)
    return found


def replace_body(function: func.FuncOp, block: Block) -> None:
    """Give a function another block, by whose arguments and results its type goes."""
    old = function.body.block
    function.body.detach_block(old)
    old.drop_all_references()
    function.body.add_block(block)
    end = block.last_op
    assert isinstance(end, func.ReturnOp)
    function.function_type = FunctionType.from_lists(block.arg_types, end.operand_types)
    function.properties.pop("arg_attrs", None)
    function.properties.pop("res_attrs", None)


def uses_regions(function: func.FuncOp) -> bool:
    """Return whether a function has regions of sparse arrays."""
    return any(op.name.startswith("sparse_storage.") for op in function.walk())


def _referenced_symbols(module: ModuleOp) -> set[str]:
    """The names of the functions that some op of the module calls or runs."""
    return {
        attribute.root_reference.data
        for op in module.walk()
        for attribute in (*op.properties.values(), *op.attributes.values())
        if isinstance(attribute, SymbolRefAttr)
    }
