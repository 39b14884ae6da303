"""Emits the inputs of a program: arguments of `@main`, or constants where the value is known.

input n: Int = 4;
->
%n: i64 {diablo.name = "n", diablo.default = 4 : i64}
"""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, DictionaryAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, SSAValue

from diablo.diagnostics import Diagnostic
from diablo.dialects.comprehension import StringOp
from diablo.dialects.diablo import VarOp
from diablo.dialects.encodings import TilesAttr
from diablo.dialects.strings import string
from diablo.frontend.bindings import ArrayBinding, Binding, MapBinding, RowsBinding, ScalarBinding
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Symbol
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
from diablo.frontend.declarations import SEED, default_of
from diablo.frontend.emission.emit_statements import StatementEmitter
from diablo.frontend.emission.ir_types import (
    column_types,
    element_type,
    ir_type,
    number_attribute,
    set_name,
    tensor_type,
)
from diablo.frontend.parsing import statements, syntax


class InputEmitter(StatementEmitter):
    """Emits statements, and what they start with: the inputs.

    `bindings` are the inputs of which the value or the kind is known; `arguments` collects the
    attributes of the function's arguments.
    """

    def __init__(self, checked: Checked, bindings: dict[str, Binding]):
        super().__init__(checked)
        self.bindings = bindings
        self.arguments: list[DictionaryAttr] = []

    def emit_seed(self, draws: syntax.Call) -> None:
        """Make the input that seeds `random()`; `draws` is a call of it."""
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

    def emit_files(self) -> None:
        """Make each file that the program reads an argument: a Boolean array."""
        for path, type in self.checked.files.items():
            assert isinstance(type, ArrayType)
            binding, kind = self.bindings.get(path), ir_type(type)
            shape = None
            if isinstance(binding, ArrayBinding):
                shape, tiles = binding.shape, TilesAttr(binding.dense_rank)
                kind = tensor_type(element_type(type.element), type.rank, tiles)
            self.files[path] = self._add_argument(path, kind, None, shape)

    def _add_argument(
        self,
        name: str,
        type: Attribute,
        default: Attribute | None,
        shape: tuple[int, ...] | None = None,
    ) -> SSAValue:
        argument = self.block.insert_arg(type, len(self.block.args))
        set_name(argument, name)
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

    def emit_input(self, statement: statements.Input) -> None:
        """Make a declared input an argument, or a constant if its value is known."""
        symbol = self.checked.symbols[statement.name]
        name, type = symbol.name, symbol.type
        binding = self.bindings.get(name)
        if isinstance(type, ScalarType) and isinstance(binding, ScalarBinding):
            self._define(symbol, self._emit_constant(symbol, binding.value))
            return
        kind = ir_type(type)
        if binding is not None:
            kind = self._bound_type(symbol, binding)
        default = default_of(statement, type)
        attribute = None if default is None else _constant_attribute(default, kind)
        shape = binding.shape if isinstance(binding, ArrayBinding) else None
        self._define(symbol, self._add_argument(name, kind, attribute, shape))

    def _define(self, symbol: Symbol, value: SSAValue) -> None:
        """Let an input be its value, or where it is assigned a variable that has it first."""
        self.values[symbol] = value
        if symbol.kind == "variable":
            ref = self.add(VarOp(symbol.name, value)).ref
            set_name(ref, symbol.name)
            self.values[symbol] = ref

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
        set_name(constant, symbol.name)
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
