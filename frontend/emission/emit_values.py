"""Imports variables, element reads, calls and fields.

V[i] + 1.0   in a loop            ->   %v = diablo.load %V[%i]
V[i] + 1.0   in a comprehension   ->   %v = tensor.extract %V_loaded[%i]
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import tensor
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, SSAValue

from diablo.diagnostics import Span
from diablo.dialects.comprehension import LengthOp, RandomOp, ReduceOp
from diablo.dialects.diablo import LoadOp, RefType
from diablo.dialects.encodings import array_type
from diablo.dialects.monoids import BY_SYMBOL
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import INT, ArrayType, ListType, ScalarType, TupleType
from diablo.frontend.emission.emit_scalars import ScalarEmitter
from diablo.frontend.emission.emitter import Value, set_name
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.tree_walk import walk


class ValueEmitter(ScalarEmitter):
    """The part of the importer that knows variables and what is read from them."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        self.values: dict[Symbol, Value] = {}
        # Inside a comprehension: the block around the outermost one, where variables are
        # read, the variables read there, and the variables bound in comprehensions.
        self.around_comprehension: Block | None = None
        self.loads: dict[Symbol, SSAValue] = {}
        self.bound: set[Symbol] = set()
        # The index variables that a random number depends on; rows of lists have no index.
        self.indices: list[SSAValue] = []
        self.rows_without_index = False
        self.seed: SSAValue | None = None
        self.occurrences = 0

    # --- Places ----------------------------------------------------------------------------

    @contextmanager
    def around(self) -> Generator[None]:
        """Append ops before the outermost comprehension, if one is being imported."""
        if self.around_comprehension is None:
            yield
            return
        saved = self.around_comprehension, self.loads, self.around_branches
        self.around_comprehension, self.loads, self.around_branches = None, {}, None
        try:
            with self.into(saved[0]):
                yield
        finally:
            self.around_comprehension, self.loads, self.around_branches = saved

    def depends_on_rows(self, expr: object) -> bool:
        """Whether an expression uses a variable that a comprehension binds, or random()."""
        for node in walk(expr):
            if isinstance(node, syntax.Name) and self.checked.symbols.get(node) in self.bound:
                return True
            if isinstance(node, syntax.Call):
                function = self.checked.functions.get(node)
                if node.function == "random":
                    return True
                if function is not None and self.depends_on_rows(function.definition.body):
                    return True
        return False

    # --- Variables -------------------------------------------------------------------------

    def emit_name(self, expr: syntax.Name) -> Value:
        """The value of a variable."""
        symbol = self.checked.symbols[expr]
        value = self.values[symbol]
        if not isinstance(value, SSAValue) or not isinstance(value.type, RefType):
            return value
        if self.around_comprehension is None:
            return self._load(value, symbol)
        # A comprehension changes no variable, so one read before it is enough.
        if symbol not in self.loads:
            with self.into(self.around_comprehension):
                self.loads[symbol] = self._load(value, symbol)
        return self.loads[symbol]

    def _load(self, ref: SSAValue, symbol: Symbol) -> SSAValue:
        loaded = self.add(LoadOp(ref)).result
        set_name(loaded, symbol.name)
        return loaded

    def emit_array(self, expr: syntax.Expr) -> SSAValue:
        """An array or list; one that is computed is computed before the comprehension."""
        if isinstance(expr, syntax.Name) or self.around_comprehension is None:
            value = self.emit(expr)
        elif self.depends_on_rows(expr):
            what = "an array that is computed for each row of a comprehension is"
            self.unsupported(expr.span, what)
        else:
            with self.around():
                value = self.emit(expr)
        assert isinstance(value, SSAValue)
        return value

    # --- Elements and fields ---------------------------------------------------------------

    def emit_element(self, expr: syntax.Index) -> SSAValue:
        """The element of an array."""
        if self.around_branches is not None:
            self.unsupported(
                expr.span,
                "reading an array's element where it is not always evaluated is",
                "read it before: let a = V[i]",
            )
        indices = [self.emit_index(e) for e in expr.indices if not isinstance(e, syntax.Slice)]
        base = expr.base
        if isinstance(base, syntax.Name) and self.around_comprehension is None:
            ref = self.values[self.checked.symbols[base]]
            if isinstance(ref, SSAValue) and isinstance(ref.type, RefType):
                with self.at(expr.span):
                    return self.add(LoadOp(ref, indices)).result
        array = self.emit_array(base)
        element = array_type(array).get_element_type()
        with self.at(expr.span):
            return self.add(tensor.ExtractOp(array, indices, element)).result

    def emit_field(self, expr: syntax.Field) -> Value:
        """A part of a tuple, a length, a dimension."""
        type = self.type_of(expr.base)
        match type:
            case TupleType():
                parts = self.emit(expr.base)
                assert isinstance(parts, tuple)
                return parts[int(expr.name.removeprefix("_")) - 1]
            case ListType():
                bag = self._emit_bag(expr.base)
                return self.add(LengthOp(bag)).result
            case _:
                array = self.emit_array(expr.base)
                with self.around():
                    return self.dimension(array, 1 if expr.name == "cols" else 0)

    def dimension(self, array: SSAValue, number: int) -> SSAValue:
        """One of the dimensions of an array."""
        return self.add(tensor.DimOp(array, self.constant(number, IndexType()))).result

    def _emit_bag(self, expr: syntax.Expr) -> SSAValue:
        """A bag; evaluated even if the branch that reads it is not taken, as it cannot fail."""
        with self.into(self.around_branches or self.block):
            value = self.emit(expr)
        assert isinstance(value, SSAValue)
        return value

    def emit_bag_reduction(self, expr: syntax.Reduction) -> SSAValue:
        """`op/v` of a bag that a variable holds."""
        bag = self._emit_bag(expr.operand)
        with self.into(self.around_branches or self.block):
            return self.add(ReduceOp(BY_SYMBOL[expr.monoid].name, bag)).result

    # --- Calls -----------------------------------------------------------------------------

    def emit_call(self, expr: syntax.Call) -> Value:
        """A call of a function on scalars, or of one of the program's own."""
        function = self.checked.functions.get(expr)
        if function is None:
            if expr.function == "random":
                return self._emit_random(expr.span)
            if expr.function == "cache":
                return self.emit(expr.arguments[0])
            return self._emit_builtin(expr)
        arguments: dict[Symbol, Value] = {}
        for parameter, argument in zip(function.parameters, expr.arguments, strict=True):
            if isinstance(parameter.type, ArrayType | ListType):
                arguments[parameter] = self.emit_array(argument)
            elif parameter.type == INT:
                # An index stays one until it is used as a number.
                arguments[parameter] = self.emit(argument)
            else:
                arguments[parameter] = self.emit_value(argument, parameter.type)
        self.values |= arguments
        bound = set(self.bound)
        if self.around_comprehension is not None:
            self.bound |= {p for p in arguments if isinstance(p.type, ScalarType | TupleType)}
        result = self.emit_value(function.definition.body, function.result)
        self.bound = bound
        return result

    def _emit_builtin(self, expr: syntax.Call) -> SSAValue:
        result = self.type_of(expr)
        arguments = [self.emit_as(a, result) for a in expr.arguments]
        return self.apply(expr.function, arguments, result)

    def _emit_random(self, span: Span) -> SSAValue:
        if self.rows_without_index:
            self.unsupported(
                span, "random() for the rows of a list is", "draw it for the elements of an array"
            )
        assert self.seed is not None
        self.occurrences += 1
        indices = [self.as_index(index) for index in self.indices]
        return self.add(RandomOp(self.occurrences - 1, self.seed, indices)).result
