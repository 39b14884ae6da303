"""A module of the `llvm` dialect as the text of LLVM IR (`diablo-opt -t llvm-ir`).

It is for no machine in particular: who compiles the text says for which. The same module has the
same text in every process, since kernels are known by the hash of theirs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO, Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects.locations import span_of

_HINT = "the pass convert-kernel-to-llvm makes such functions of loops over memrefs"


def llvm_text(module: ModuleOp) -> str:
    """Return a module of functions of the llvm dialect as LLVM IR."""
    from xdsl.backend.llvm.convert import convert_module

    native: Any = convert_module(module, fallback_target_triple="")
    sort_flags(native)
    _number_values(native)
    return _with_short_lines(str(native))


_WIDTH = 100
_LONG = re.compile(rf"^.{{{_WIDTH + 1},}}$", re.MULTILINE)
_QUOTED = re.compile(r'"[^"]*"')


def _number_values(module: Any) -> None:
    """Name a function's arguments, and let the names of its other values count them.

    llvmlite counts instructions that have no result as well, and blocks before what is in them. The
    names are no source's: the code of loops that are alike is the same.
    """
    for function in module.functions:
        function.scope = scope = type(function.scope)()
        for argument in function.args:
            # A name that is taken gets a number.
            argument.name = "array" if str(argument.type) == "ptr" else "number"
        for block in function.blocks:
            block.scope = scope
            block.name = ""
            for instruction in block.instructions:
                if str(instruction.type) != "void":
                    instruction.name = ""


def _with_short_lines(text: str) -> str:
    """Return the text with long lines cut behind commas, unless there are commas in names."""
    if any(", " in name or "\n" in name for name in _QUOTED.findall(text)):
        return text
    return _LONG.sub(_cut, text)


def _cut(line: re.Match[str]) -> str:
    """Return a long line as several."""
    first, *parts = line[0].split(", ")
    lines = [first]
    for part in parts:
        if len(lines[-1]) + len(part) + 3 <= _WIDTH:
            lines[-1] += f", {part}"
        else:
            lines[-1] += ","
            lines.append(f"    {part}")
    return "\n".join(lines)


def sort_flags(module: Any) -> None:
    """Put the flags of each instruction in order.

    They come from a set, whose order is another in each process.
    """
    for function in module.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                if len(getattr(instruction, "flags", ())) > 1:
                    instruction.flags = sorted(instruction.flags)


@dataclass(frozen=True)
class LLVMTextTarget(Target):
    """Functions of the llvm dialect as LLVM IR for any machine."""

    name = "llvm-ir"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the text."""
        for op in module.ops:
            if not op.name.startswith("llvm."):
                message = f"{op.name} has no LLVM IR"
                raise CompileError([Diagnostic("error", message, span_of(op), _HINT)])
        output.write(llvm_text(module))
