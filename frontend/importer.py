"""Imports a `.diablo` program to the `diablo` dialect, as the function `@main`.

input n: Int = 4;
tensor*(n)[ (i, 1.0) | i <- 0..n-1 ];
->
func.func @main(%n: i64 {diablo.name = "n", diablo.default = 4 : i64})
    -> tensor<?xf64, #tensor_block.tiles<dense = 1>> { … }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects.comprehension import StringOp
from diablo.dialects.encodings import TilesAttr
from diablo.dialects.strings import string
from diablo.frontend.bindings import (
    ArrayBinding,
    Binding,
    MapBinding,
    RowsBinding,
    ScalarBinding,
)
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.checker import check_program
from diablo.frontend.checking.constants import literal_of
from diablo.frontend.checking.scope import Symbol, did_you_mean
from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    STRING,
    ArrayType,
    ListType,
    MapType,
    ScalarType,
    Type,
)
from diablo.frontend.emission.emit_statements import StatementEmitter
from diablo.frontend.emission.emitter import ImportFailure
from diablo.frontend.emission.ir_types import (
    column_types,
    element_type,
    flatten,
    ir_type,
    number_attribute,
    tensor_type,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.parser import parse
from diablo.frontend.parsing.tokens import Source
from diablo.frontend.parsing.tree_walk import find_call

SEED = "seed"


@dataclass(frozen=True)
class InputDeclaration:
    """An input of a program: what a caller may or must give."""

    name: str
    type: Type
    default: bool | int | float | str | None


def program_inputs(text: str, file_name: str) -> list[InputDeclaration]:
    """The inputs that a program declares, and `seed` if it draws random numbers."""
    program, checked, _ = _check(text, file_name)
    inputs: list[InputDeclaration] = []
    for statement in program.statements:
        if isinstance(statement, statements.Input):
            type = checked.symbols[statement.name].type
            inputs.append(InputDeclaration(statement.name.name, type, _default(statement, type)))
    if find_call(program.statements, "random"):
        inputs.append(InputDeclaration(SEED, INT, 0))
    return inputs


def program_variables(text: str, file_name: str) -> list[str]:
    """The names of the variables that a program declares outside of any block."""
    program, _, _ = _check(text, file_name)
    return [s.name.name for s in program.statements if isinstance(s, statements.Var)]


def program_results(text: str, file_name: str, outputs: Sequence[str] | None = None) -> list[Type]:
    """The types of what `import_program` makes a program return, before they are flattened."""
    program, checked, _ = _check(text, file_name)
    variables = {s.name.name: s for s in program.statements if isinstance(s, statements.Var)}
    types: list[Type] = []
    *_, last = program.statements or [None]
    if isinstance(last, statements.ExprStatement):
        types.append(checked.types[last.value])
        names = outputs or ()
    else:
        names = variables if outputs is None else outputs
    return [*types, *[checked.symbols[variables[n].name].type for n in names if n in variables]]


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
    program, checked, source = _check(text, file_name)
    importer = _Importer(checked, dict(bindings or {}))
    try:
        module = importer.import_program(program, outputs)
    except RecursionError:
        raise _too_deep(source) from None
    if importer.errors:
        raise CompileError(importer.errors, {file_name: source.text})
    try:
        module.verify()
    except VerifyException as error:
        message = f"internal error: the imported program is not valid: {error}"
        raise CompileError([Diagnostic("error", message)], {file_name: source.text}) from error
    return module


def _check(text: str, file_name: str) -> tuple[statements.Program, Checked, Source]:
    source = Source(text, file_name)
    try:
        program = parse(source)
        return program, check_program(program, source), source
    except RecursionError:
        raise _too_deep(source) from None


def _too_deep(source: Source) -> CompileError:
    message = "an expression of this program is nested too deeply"
    hint = "compute its parts in variables of their own"
    return CompileError([Diagnostic("error", message, hint=hint)], {source.file: source.text})


def _default(statement: statements.Input, type: Type) -> bool | int | float | str | None:
    """The default of an input, as a value of its type; a character is a string of one."""
    if statement.default is None:
        return None
    value = literal_of(statement.default)
    assert value is not None
    return float(value) if str(type) in ("Double", "Float") else value


class _Importer(StatementEmitter):
    """Imports one program."""

    def __init__(self, checked: Checked, bindings: dict[str, Binding]):
        super().__init__(checked)
        self.bindings = bindings
        self.arguments: list[DictionaryAttr] = []

    def import_program(
        self, program: statements.Program, outputs: Sequence[str] | None
    ) -> ModuleOp:
        """The module of a program."""
        for statement in program.statements:
            if isinstance(statement, statements.Input):
                with self.at(statement.span):
                    self._emit_input(statement)
        draws = find_call(program.statements, "random")
        if draws is not None:
            self._emit_seed(draws)
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

    # --- Inputs ----------------------------------------------------------------------------

    def _emit_seed(self, draws: syntax.Call) -> None:
        bound = self.bindings.get(SEED)
        declared = next((s for s in self.values if s.name == SEED), None)
        if declared is not None:
            message = f"`{SEED}` is the input that seeds random(), and cannot be declared"
            diagnostic = Diagnostic("error", message, declared.span, "choose another name")
            self.errors.append(diagnostic)
        with self.at(draws.span):
            if isinstance(bound, ScalarBinding) and not isinstance(bound.value, str):
                self.seed = self.constant(bound.value, i64)
                self.seed.name_hint = SEED
            else:
                self.seed = self._add_argument(SEED, i64, IntegerAttr(0, i64))

    def _add_argument(
        self,
        name: str,
        type: Attribute,
        default: Attribute | None,
        shape: tuple[int, ...] | None = None,
    ) -> SSAValue:
        argument = self.block.insert_arg(type, len(self.block.args))
        argument.name_hint = name
        location = self.location
        if location is not None:
            argument.location = location
        attributes: dict[str, Attribute] = {"diablo.name": StringAttr(name)}
        if default is not None:
            attributes["diablo.default"] = default
        if shape is not None:
            attributes["diablo.shape"] = DenseArrayBase.from_list(i64, shape)
        self.arguments.append(DictionaryAttr(attributes))
        return argument

    def _emit_input(self, statement: statements.Input) -> None:
        symbol = self.checked.symbols[statement.name]
        name, type = symbol.name, symbol.type
        binding = self.bindings.get(name)
        if isinstance(type, ScalarType) and isinstance(binding, ScalarBinding):
            self.values[symbol] = self._emit_constant(symbol, binding.value)
            return
        kind = ir_type(type)
        if binding is not None:
            kind = self._bound_type(symbol, binding)
        default = _default(statement, type)
        attribute = None if default is None else _constant_attribute(default, kind)
        shape = binding.shape if isinstance(binding, ArrayBinding) else None
        self.values[symbol] = self._add_argument(name, kind, attribute, shape)

    def _emit_constant(self, symbol: Symbol, value: bool | int | float | str) -> SSAValue:
        type = ir_type(symbol.type)
        if not _fits(value, symbol.type):
            found = type_name(value)
            self._refuse(symbol, f"`{symbol.name}` is {symbol.type}, and is given a {found}")
            value = "" if type == string else 0
        if not isinstance(value, str):
            constant = self.constant(value, type)
        elif type == string:
            constant = self.add(StringOp(value)).result
        else:
            constant = self.constant(ord(value), type)
        constant.name_hint = symbol.name
        return constant

    def _bound_type(self, symbol: Symbol, binding: Binding) -> Attribute:
        """The type of an input whose kind is known: the declared type, stored as the data."""
        type = symbol.type
        match binding:
            case ArrayBinding() if isinstance(type, ArrayType):
                if binding.rank == type.rank:
                    return tensor_type(
                        element_type(type.element), type.rank, TilesAttr(binding.dense_rank)
                    )
                found = f"an array of {binding.rank} dimensions"
            case RowsBinding() if isinstance(type, ListType):
                if len(binding.columns) == len(column_types(type.element)):
                    return ir_type(type)
                found = f"rows of {len(binding.columns)} columns"
            case MapBinding() if isinstance(type, MapType):
                keys, values = len(column_types(type.key)), len(column_types(type.value))
                if (len(binding.keys), len(binding.values)) == (keys, values):
                    return ir_type(type)
                found = f"keys of {len(binding.keys)} and values of {len(binding.values)} columns"
            case ArrayBinding():
                found = "an array"
            case MapBinding():
                found = "a map"
            case RowsBinding():
                found = "a list of rows"
            case ScalarBinding():
                found = "a single value"
        self._refuse(symbol, f"`{symbol.name}` is {type}, and is given {found}")
        return ir_type(type)

    def _refuse(self, symbol: Symbol, message: str) -> None:
        self.errors.append(Diagnostic("error", message, symbol.span))

    # --- Results ---------------------------------------------------------------------------

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
        variables = {s.name.name: s for s in program.statements if isinstance(s, statements.Var)}
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
                loaded = flatten(self.load(self.values[self.checked.symbols[statement.name]]))
            if len(loaded) == 1:
                loaded[0].name_hint = name
            results += [(value, name) for value in loaded]
        return results


def _name_attribute(name: str | None) -> DictionaryAttr:
    return DictionaryAttr({"diablo.name": StringAttr(name)} if name else {})


def _constant_attribute(value: bool | int | float | str, type: Attribute) -> Attribute:
    """A scalar as an attribute of the IR's `type`."""
    if isinstance(value, str) and type == string:
        return StringAttr(value)
    return number_attribute(ord(value) if isinstance(value, str) else value, type)


def _fits(value: bool | int | float | str, type: Type) -> bool:
    """Whether a Python value can be that of an input of `type`."""
    match value:
        case bool():
            return type == BOOLEAN
        case int():
            return type in (INT, FLOAT, DOUBLE)
        case float():
            return type in (FLOAT, DOUBLE)
        case str():
            return type == STRING or (type == CHAR and len(value) == 1)


def type_name(value: bool | int | float | str) -> str:
    """The source's name for the type of a Python value."""
    names = {bool: "Boolean", int: "Int", float: "Double", str: "String"}
    return names[type(value)]
