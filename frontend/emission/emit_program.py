"""Imports a program: its inputs, its statements, its results.

input n: Int = 4;   ->   func.func @main(%n: i64 {diablo.name = "n", diablo.default = 4 : i64})
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    f64,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Region, SSAValue

from diablo.diagnostics import Diagnostic
from diablo.dialects.comprehension import StringOp
from diablo.dialects.diablo import VarOp
from diablo.dialects.encodings import TilesAttr
from diablo.dialects.monoids import number_attribute
from diablo.dialects.string_functions import string
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.declarations import declared_variables, default_of
from diablo.frontend.checking.program_interface import SEED
from diablo.frontend.checking.scope import Symbol, did_you_mean
from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    DOUBLE,
    INT,
    STRING,
    ArrayType,
    ListType,
    MapType,
    ScalarType,
    TupleType,
    Type,
    is_complex,
    is_floating,
    is_inexact,
    is_number,
)
from diablo.frontend.emission.absent_values import set_absent_values
from diablo.frontend.emission.bindings import (
    ArrayBinding,
    Binding,
    MapBinding,
    OpenBinding,
    RowsBinding,
    ScalarBinding,
)
from diablo.frontend.emission.builder import Builder, Dispatch, ImportFailure
from diablo.frontend.emission.caller_types import caller_type, leaf_types
from diablo.frontend.emission.emission_scope import EmissionScope
from diablo.frontend.emission.emit_expressions import emit_expression
from diablo.frontend.emission.emit_region_arrays import variable_value
from diablo.frontend.emission.emit_regions import region_value
from diablo.frontend.emission.emit_scalars import convert_number
from diablo.frontend.emission.emit_statements import emit_statement
from diablo.frontend.emission.ir_types import (
    column_types,
    element_type,
    flatten,
    ir_type,
    set_name,
    tensor_type,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import find_call
from diablo.scalar_table import OF_PYTHON


def emit_seed(build: Builder, draws: syntax.Call) -> None:
    """Make the input that seeds `random()`; `draws` is a call of it."""
    bound = build.scope.bindings.get(SEED)
    declared = next((s for s in build.scope.values if s.name == SEED), None)
    if declared is not None:
        message = f"`{SEED}` is the input that seeds random(), and cannot be declared"
        diagnostic = Diagnostic("error", message, declared.span, "choose another name")
        build.scope.errors.append(diagnostic)
    with build.at(draws.span):
        if isinstance(bound, ScalarBinding) and not isinstance(bound.value, str):
            build.scope.seed = build.constant(bound.value, i64)
            build.scope.seed.name_hint = SEED
        else:
            build.scope.seed = _add_argument(build, SEED, i64, IntegerAttr(0, i64))


def emit_files(build: Builder) -> None:
    """Make each file that the program reads an argument: a Boolean array."""
    for path, type in build.checked.files.items():
        assert isinstance(type, ArrayType)
        binding, kind = build.scope.bindings.get(path), ir_type(type)
        shape = None
        if isinstance(binding, ArrayBinding):
            shape, tiles = binding.shape, TilesAttr(binding.dense_rank)
            kind = tensor_type(element_type(type.element), type.rank, tiles)
        build.scope.files[path] = _add_argument(build, path, kind, None, shape)


def _add_argument(
    build: Builder,
    name: str,
    type: Attribute,
    default: Attribute | None,
    shape: tuple[int | str | None, ...] | None = None,
    least: int | None = None,
    seen_as: str | None = None,
) -> SSAValue:
    """Add an argument of `main`; `seen_as` is its type to callers, where `type` does not say it."""
    argument = build.block.insert_arg(type, len(build.block.args))
    set_name(argument, name)
    location = build.location
    if location is not None:
        argument.location = location
    attributes: dict[str, Attribute] = {"diablo.name": StringAttr(name)}
    if seen_as is not None:
        attributes["diablo.type"] = StringAttr(seen_as)
    if default is not None:
        attributes["diablo.default"] = default
    if shape is not None and any(isinstance(extent, int) for extent in shape):
        numbers = [extent if isinstance(extent, int) else -1 for extent in shape]
        attributes["diablo.shape"] = DenseArrayBase.from_list(i64, numbers)
    if shape is not None and any(isinstance(extent, str) for extent in shape):
        sizes = [extent if isinstance(extent, str) else "" for extent in shape]
        attributes["diablo.sizes"] = ArrayAttr(map(StringAttr, sizes))
        for axis, size in enumerate(sizes):
            build.scope.extents.setdefault(size, (argument, axis))
    if least is not None:
        attributes["diablo.least"] = IntegerAttr(least, i64)
    build.scope.arguments.append(DictionaryAttr(attributes))
    return argument


def emit_input(build: Builder, statement: statements.Input) -> None:
    """Make a declared input an argument, or a constant if its value is known."""
    symbol = build.checked.symbols[statement.name]
    name, type = symbol.name, symbol.type
    binding = build.scope.bindings.get(name)
    if isinstance(type, ScalarType) and isinstance(binding, ScalarBinding):
        _define(build, symbol, _emit_constant(build, symbol, binding.value))
        return
    if isinstance(binding, OpenBinding) and binding.size is not None:
        build.scope.sizes.append((symbol, binding.size))
        return
    kind = ir_type(type)
    if binding is not None and not isinstance(binding, OpenBinding):
        kind = _bound_type(build, symbol, binding)
    default = default_of(build.checked, statement, type)
    attribute = None if default is None else _constant_attribute(default, kind)
    shape = binding.shape if isinstance(binding, ArrayBinding) else None
    least = binding.least if isinstance(binding, OpenBinding) else None
    argument = _add_argument(build, name, kind, attribute, shape, least, caller_type(type))
    _define(build, symbol, argument)


def emit_sizes(build: Builder) -> None:
    """Make each input that equals an extent of an array that extent."""
    for symbol, size in build.scope.sizes:
        value = build.as_scalar(build.dimension(*build.scope.extents[size]), INT)
        set_name(value, symbol.name)
        _define(build, symbol, value)


def _define(build: Builder, symbol: Symbol, value: SSAValue) -> None:
    """Let an input be its value, or where it is assigned a variable that has it first."""
    build.scope.values[symbol] = value
    if symbol.kind == "variable":
        ref = build.add(VarOp(symbol.name, value)).ref
        set_name(ref, symbol.name)
        build.scope.values[symbol] = ref


def _emit_constant(
    build: Builder, symbol: Symbol, value: bool | int | float | complex | str
) -> SSAValue:
    type = ir_type(symbol.type)
    if not _fits(value, symbol.type):
        found = OF_PYTHON[value.__class__].name
        _refuse(build, symbol, f"`{symbol.name}` is {symbol.type}, and is given a {found}")
        value = "" if type == string else 0
    if is_floating(symbol.type) and symbol.type != DOUBLE:
        # What is folded are Doubles: sums and products of a Float's constants may be too large.
        wide = build.constant(cast(float, value), f64)
        constant = convert_number(build, wide, symbol.type)
    elif not isinstance(value, str):
        constant = build.constant(value, type)
    elif type == string:
        constant = build.add(StringOp(value)).result
    else:
        constant = build.constant(ord(value), type)
    set_name(constant, symbol.name)
    return constant


def _bound_type(build: Builder, symbol: Symbol, binding: Binding) -> Attribute:
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
        case ScalarBinding() | OpenBinding():
            found = "a single value"
    _refuse(build, symbol, f"`{symbol.name}` is {type}, and is given {found}")
    return ir_type(type)


def _refuse(build: Builder, symbol: Symbol, message: str) -> None:
    build.scope.errors.append(Diagnostic("error", message, symbol.span))


def _constant_attribute(value: bool | int | float | complex | str, type: Attribute) -> Attribute:
    """A scalar as an attribute of the IR's `type`."""
    if isinstance(value, str) and type == string:
        return StringAttr(value)
    return number_attribute(ord(value) if isinstance(value, str) else value, type)


def _fits(value: bool | int | float | complex | str, type: Type) -> bool:
    """Return whether a Python value can be that of an input of `type`."""
    match value:
        case bool():
            return type == BOOLEAN
        case int():
            return is_number(type)
        case float():
            return is_inexact(type)
        case complex():
            return is_complex(type)
        case str():
            return type == STRING or (type == CHAR and len(value) == 1)


def emit_program(
    checked: Checked,
    scope: EmissionScope,
    program: statements.Program,
    outputs: Sequence[str] | None,
) -> ModuleOp:
    """The module of a program; what is wrong with it is among the errors of `scope`."""
    build = Builder(checked, scope, Dispatch(emit_expression, emit_statement, region_value))
    build.list_order.read(program.statements)
    for statement in program.statements:
        if isinstance(statement, statements.Input):
            with build.at(statement.span):
                emit_input(build, statement)
    emit_files(build)
    emit_sizes(build)
    draws = find_call(program.statements, "random")
    if draws is not None:
        emit_seed(build, draws)
    *_, last = program.statements or [None]
    result = last.value if isinstance(last, statements.ExprStatement) else None
    for statement in program.statements:
        if result is None or statement is not last:
            build.emit_statement(statement)
    results: list[_Result] = []
    try:
        if result is not None:
            results += _emit_result(build, result)
        if outputs is not None or result is None:
            results += _emit_outputs(build, program, outputs)
    except ImportFailure as failure:
        build.scope.errors.append(failure.diagnostic)
    build.add(ReturnOp(*[one.value for one in results]))
    returned = [one.value.type for one in results]
    types = FunctionType.from_lists(build.block.arg_types, returned)
    function = FuncOp(
        "main",
        types,
        Region(build.block),
        arg_attrs=ArrayAttr(build.scope.arguments),
        res_attrs=ArrayAttr([one.attributes() for one in results]),
    )
    own = {f"@{op.sym_name.data}": op for op in build.scope.monoids.values()}
    set_absent_values(function.body.block, own)
    return ModuleOp([*own.values(), function])


class _Result(NamedTuple):
    """A value that `main` returns."""

    value: SSAValue
    name: str | None
    """Of a variable its name."""
    type: str | None = None
    """What callers see, if the IR does not say it: of a tuple on the first of its parts."""
    parts: int = 1
    """Of how many values, from this one on, that is one."""

    def attributes(self) -> DictionaryAttr:
        """What the function says of it."""
        texts = {"diablo.name": self.name, "diablo.type": self.type}
        found: dict[str, Attribute] = {key: StringAttr(t) for key, t in texts.items() if t}
        if self.parts > 1:
            found["diablo.parts"] = IntegerAttr(self.parts, i64)
        return DictionaryAttr(found)


def _results(values: Sequence[SSAValue], name: str | None, type: Type) -> list[_Result]:
    """The parts of one value."""
    first, *others = values
    text = caller_type(type, is_whole=True)
    return [_Result(first, name, text, len(values)), *[_Result(value, name) for value in others]]


def _emit_result(build: Builder, expr: syntax.Expr) -> list[_Result]:
    """The values of the last expression: of a tuple its items, each with its name if it has one."""
    items = expr.items if isinstance(expr, syntax.TupleExpr) else [expr]
    results: list[_Result] = []
    for item in items:
        name = item.name if isinstance(item, syntax.Name) else None
        with build.at(item.span):
            values = [
                build.as_scalar(v, INT) if isinstance(v.type, IndexType) else v
                for v in flatten(build.emit(item))
            ]
        type = build.type_of(item)
        if name is None and item is expr and isinstance(type, TupleType):
            rest = iter(values)
            for part in type.items:
                results += _results(list(islice(rest, len(list(leaf_types(part))))), None, part)
        else:
            results += _results(values, name, type)
    return results


def _emit_outputs(
    build: Builder, program: statements.Program, outputs: Sequence[str] | None
) -> list[_Result]:
    variables = declared_variables(program, build.checked)
    results: list[_Result] = []
    for name in variables if outputs is None else outputs:
        statement = variables.get(name)
        if statement is None:
            hint = did_you_mean(name, list(variables))
            if hint is None and variables:
                hint = f"its variables are {', '.join(variables)}"
            message = f"the program has no variable `{name}` to output"
            build.scope.errors.append(Diagnostic("error", message, None, hint))
            continue
        with build.at(statement.name.span):
            shown = build.checked.shown.get(statement.name)
            loaded = flatten(
                variable_value(build, statement.name) if shown is None else build.emit(shown)
            )
        if len(loaded) == 1:
            set_name(loaded[0], name)
        results += _results(loaded, name, build.checked.symbols[statement.name].type)
    return results
