"""Imports a `.diablo` program to the `diablo` dialect, as the function `@main`.

input n: Int = 4;
tensor*(n)[ (i, 1.0) | i <- 0..n-1 ];
->
func.func @main(%n: i64 {diablo.name = "n", diablo.default = 4 : i64})
    -> tensor<?xf64, #tensor_block.tiles<dense = 1>> { … }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from diablo.diagnostics import CompileError, Diagnostic, report
from diablo.frontend.checking.declarations import check_text, too_deep
from diablo.frontend.checking.empty_maps import empty_maps
from diablo.frontend.emission.bindings import Binding
from diablo.frontend.emission.emission_scope import EmissionScope
from diablo.frontend.emission.emit_program import emit_program
from diablo.frontend.parsing.lexer import divided_comments


def import_program(
    text: str,
    file_name: str,
    bindings: Mapping[str, Binding] | None = None,
    outputs: Sequence[str] | None = None,
    verify: bool = True,
) -> ModuleOp:
    """Import a program.

    `bindings` are inputs of which the value or the kind is known. With `outputs` the results
    are those of the last expression, if the program ends in one, and then these variables; a
    program with neither gives all its variables. Who wants the program's errors alone need not
    `verify` the module, which tests this importer.

    Raises `CompileError` with every error.
    """
    program, checked, source = check_text(text, file_name)
    for warning in (*divided_comments(source), *empty_maps(program, checked)):
        report(warning)
    scope = EmissionScope(bindings or {})
    try:
        module = emit_program(checked, scope, program, outputs)
    except RecursionError:
        raise too_deep(source) from None
    if scope.errors:
        raise CompileError(scope.errors, {file_name: source.text})
    if verify:
        try:
            module.verify()
        except VerifyException as error:
            message = f"internal error: the imported program is not valid: {error}"
            raise CompileError([Diagnostic("error", message)], {file_name: source.text}) from error
    scope.versions.report()
    return module
