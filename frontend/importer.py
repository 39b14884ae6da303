"""Imports a `.diablo` program to the `diablo` dialect, as the function `@main`.

input n: Int = 4;
tensor*(n)[ (i, 1.0) | i <- 0..n-1 ];
->
func.func @main(%n: i64 {diablo.name = "n", diablo.default = 4 : i64})
    -> tensor<?xf64, #tensor_block.tiles<dense = 1>> { … }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from diablo.diagnostics import CompileError, Diagnostic
from diablo.frontend.bindings import Binding
from diablo.frontend.checking.scope import did_you_mean
from diablo.frontend.checking.types import INT
from diablo.frontend.declarations import check_text, declared_variables, too_deep
from diablo.frontend.emission.emit_inputs import InputEmitter
from diablo.frontend.emission.emitter import ImportFailure
from diablo.frontend.emission.ir_types import flatten, set_name
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import find_call


def import_program(
    text: str,
    file_name: str,
    bindings: Mapping[str, Binding] | None = None,
    outputs: Sequence[str] | None = None,
) -> ModuleOp:
    """Import a program.

    `bindings` are inputs of which the value or the kind is known. With `outputs` the results
    are those of the last expression, if the program ends in one, and then these variables; a
    program with neither gives all its variables.

    Raises `CompileError` with every error.
    """
    program, checked, source = check_text(text, file_name)
    importer = _Importer(checked, dict(bindings or {}))
    try:
        module = importer.import_program(program, outputs)
    except RecursionError:
        raise too_deep(source) from None
    if importer.errors:
        raise CompileError(importer.errors, {file_name: source.text})
    try:
        module.verify()
    except VerifyException as error:
        message = f"internal error: the imported program is not valid: {error}"
        raise CompileError([Diagnostic("error", message)], {file_name: source.text}) from error
    importer.versions.report()
    return module


class _Importer(InputEmitter):
    """Imports one program."""

    def import_program(
        self, program: statements.Program, outputs: Sequence[str] | None
    ) -> ModuleOp:
        """The module of a program."""
        for statement in program.statements:
            if isinstance(statement, statements.Input):
                with self.at(statement.span):
                    self.emit_input(statement)
        self.emit_files()
        draws = find_call(program.statements, "random")
        if draws is not None:
            self.emit_seed(draws)
        *_, last = program.statements or [None]
        result = last.value if isinstance(last, statements.ExprStatement) else None
        for statement in program.statements:
            if result is None or statement is not last:
                self.emit_statement(statement)
        results: list[tuple[SSAValue, str | None]] = []
        try:
            if result is not None:
                results += self._emit_result(result)
            if outputs is not None or result is None:
                results += self._emit_outputs(program, outputs)
        except ImportFailure as failure:
            self.errors.append(failure.diagnostic)
        self.add(ReturnOp(*[value for value, _ in results]))
        types = FunctionType.from_lists(self.block.arg_types, [value.type for value, _ in results])
        function = FuncOp(
            "main",
            types,
            Region(self.block),
            arg_attrs=ArrayAttr(self.arguments),
            res_attrs=ArrayAttr([_name_attribute(name) for _, name in results]),
        )
        return ModuleOp([*self.monoids.values(), function])

    def _emit_result(self, expr: syntax.Expr) -> list[tuple[SSAValue, str | None]]:
        """The values of the last expression, each with its name if it is a variable."""
        if isinstance(expr, syntax.TupleExpr):
            return [part for item in expr.items for part in self._emit_result(item)]
        name = expr.name if isinstance(expr, syntax.Name) else None
        with self.at(expr.span):
            values = [
                self.as_scalar(v, INT) if isinstance(v.type, IndexType) else v
                for v in flatten(self.emit(expr))
            ]
        return [(value, name) for value in values]

    def _emit_outputs(
        self, program: statements.Program, outputs: Sequence[str] | None
    ) -> list[tuple[SSAValue, str | None]]:
        variables = declared_variables(program, self.checked)
        results: list[tuple[SSAValue, str | None]] = []
        for name in variables if outputs is None else outputs:
            statement = variables.get(name)
            if statement is None:
                hint = did_you_mean(name, list(variables))
                if hint is None and variables:
                    hint = f"its variables are {', '.join(variables)}"
                message = f"the program has no variable `{name}` to output"
                self.errors.append(Diagnostic("error", message, None, hint))
                continue
            with self.at(statement.name.span):
                loaded = flatten(self.variable_value(statement.name))
            if len(loaded) == 1:
                set_name(loaded[0], name)
            results += [(value, name) for value in loaded]
        return results


def _name_attribute(name: str | None) -> DictionaryAttr:
    return DictionaryAttr({"diablo.name": StringAttr(name)} if name else {})
