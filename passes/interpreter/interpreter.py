"""The reference interpreter of the `diablo`, `comprehension` and `tensor_block` levels.

It is the oracle of every level below: naive and meant to be read as a definition. A
comprehension is run as a list of environments, one per row: a generator makes each row
several, a guard drops rows, `group_by` makes one row of each group; any other op is
evaluated in every row.

    interpret(module, {"n": 4, "A": numpy_array})      # the results of @main, in order

Numbers come back as Python numbers, arrays as `Array` (`.to_numpy()`), bags as lists of
tuples. What fails at run time raises a `RunError` that names the place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, cf, func, scf, tensor
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from diablo.diagnostics import InputError, RunError
from diablo.dialects import comprehension, diablo
from diablo.dialects.locations import span_of
from diablo.dialects.tensor_block import dense_rank
from diablo.passes.interpreter.blocks import RULES
from diablo.passes.interpreter.bulk import run_statement, write_rows
from diablo.passes.interpreter.elements import (
    Environment,
    OutOfRange,
    Variable,
    fold,
    generate,
    random_number,
    read_element,
    write_elements,
)
from diablo.passes.interpreter.scalar_evaluation import EvaluationError, Number, evaluate
from diablo.passes.interpreter.values import Array, Index, Row, Value, to_value


def failure(op: Operation, message: str) -> RunError:
    """The error of `op`, with its place in front."""
    span = span_of(op)
    place = "" if span is None else f"{span.file}:{span.line}:{span.column}: "
    return RunError(place + message)


class Interpreter:
    """Runs the functions of one module."""

    def __init__(self, module: ModuleOp):
        self.functions = {
            op.sym_name.data: op for op in module.walk() if isinstance(op, func.FuncOp)
        }
        self.rules: dict[type[Operation], Callable[[Any, Environment], Sequence[Any]]] = {
            comprehension.BuildOp: self._build,
            comprehension.MergeOp: self._merge,
            comprehension.CollectOp: self._collect,
            comprehension.AggregateOp: self._aggregate,
            comprehension.ReduceOp: self._reduce,
            comprehension.LengthOp: lambda op, env: [len(env[op.bag])],
            comprehension.RandomOp: self._random,
            cf.AssertOp: self._assert,
            tensor.ExtractOp: self._extract,
            tensor.DimOp: lambda op, env: [env[op.source].dims[env[op.index]]],
            scf.IfOp: self._if,
            scf.WhileOp: self._while,
            func.CallOp: self._call,
            diablo.VarOp: lambda op, env: [Variable(env[op.init])],
            diablo.LoadOp: self._load,
            diablo.StoreOp: self._write,
            diablo.AccumulateOp: self._write,
            diablo.ForOp: self._bulk,
            diablo.ForeachOp: self._bulk,
        }
        for kind, rule in RULES.items():
            self.rules[kind] = lambda op, env, rule=rule: [rule(self, op, env)]

    def call(self, function: func.FuncOp, arguments: Sequence[Value]) -> Sequence[Value]:
        """The results of a function."""
        block = function.body.block
        env = Environment(dict(zip(block.args, arguments, strict=True)))
        return self.block(block, env)

    def block(self, block: Block, env: Environment) -> Sequence[Any]:
        """Run the ops of `block` and return what its last op passes on."""
        for op in block.ops:
            if op.has_trait(IsTerminator):
                return [env[value] for value in op.operands]
            try:
                self.run(op, env)
            except OutOfRange as error:
                raise failure(op, str(error)) from None
        return []

    def run(self, op: Operation, env: Environment) -> None:
        """Run one op that is not a qualifier, and bind its results."""
        rule = self.rules.get(type(op))
        if rule is not None:
            results = rule(op, env)
        else:
            try:
                result = evaluate(op, [env[value] for value in op.operands])
            except EvaluationError as error:
                raise failure(op, str(error)) from None
            if result is None:
                raise failure(op, f"'{op.name}' cannot be interpreted")
            results = [result]
        env.update(zip(op.results, results, strict=True))

    # Comprehensions

    def rows(self, block: Block, env: Environment) -> list[tuple[Row, Row]]:
        """The keys and values that the body of a comprehension yields."""
        rows = [env.new_child()]
        invariant: set[SSAValue] = set()
        for op in block.ops:
            match op:
                case comprehension.EachOp() | comprehension.RangeOp():
                    rows = [
                        Environment(
                            {**row.maps[0], **dict(zip(op.results, item, strict=True))},
                            *row.maps[1:],
                        )
                        for row in rows
                        for item in generate(op, row)
                    ]
                case comprehension.GuardOp():
                    rows = [row for row in rows if row[op.condition]]
                case comprehension.GroupByOp():
                    rows = self._groups(op, rows, invariant)
                case comprehension.YieldOp():
                    return [
                        (tuple(row[k] for k in op.keys), tuple(row[v] for v in op.values))
                        for row in rows
                    ]
                case _:
                    if self._is_invariant(op, block, invariant):
                        invariant.update(op.results)
                    rows = [row for row in rows if self._run_in_row(op, row)]
        raise AssertionError("a comprehension's body ends with a yield")

    def _run_in_row(self, op: Operation, row: Environment) -> bool:
        """Run `op`; false if it reads outside an array, so that the row is dropped."""
        try:
            self.run(op, row)
        except OutOfRange:
            return False
        return True

    @staticmethod
    def _is_invariant(op: Operation, block: Block, invariant: set[SSAValue]) -> bool:
        """Whether `op` uses nothing that a generator of `block` binds."""
        return all(
            operand in invariant
            or not isinstance(operand.owner, Operation)
            or operand.owner.parent is not block
            for inner in op.walk()
            for operand in inner.operands
        )

    @staticmethod
    def _groups(
        op: comprehension.GroupByOp, rows: Sequence[Environment], invariant: set[SSAValue]
    ) -> list[Environment]:
        groups: dict[Row, list[Environment]] = {}
        for row in rows:
            groups.setdefault(tuple(row[key] for key in op.keys), []).append(row)
        result: list[Environment] = []
        for keys, members in groups.items():
            first = members[0]
            scope = {value: first[value] for value in invariant}
            scope.update(zip(op.group_keys, keys, strict=True))
            for value, bag in zip(op.values, op.bags, strict=True):
                scope[bag] = [(member[value],) for member in members]
            result.append(Environment(scope, *first.maps[1:]))
        return result

    def _entries(self, op: Operation, env: Environment) -> list[tuple[Index, Number]]:
        rows = self.rows(op.regions[0].block, env)
        return [(cast(Index, keys), cast(Number, values[0])) for keys, values in rows]

    def _build(self, op: comprehension.BuildOp, env: Environment) -> Sequence[Value]:
        type = op.result.type
        dims = tuple(env[dim] for dim in op.dims)
        empty = Array(dims, dense_rank(type), type.get_element_type())
        return [write_elements(empty, self._entries(op, env), None)]

    def _merge(self, op: comprehension.MergeOp, env: Environment) -> Sequence[Value]:
        monoid = None if op.monoid is None else op.monoid.data
        return [write_elements(env[op.dest], self._entries(op, env), monoid)]

    def _collect(self, op: comprehension.CollectOp, env: Environment) -> Sequence[Value]:
        return [[(*keys, *values) for keys, values in self.rows(op.body.block, env)]]

    def _aggregate(self, op: comprehension.AggregateOp, env: Environment) -> Sequence[Value]:
        values = [cast(Number, values[0]) for _, values in self.rows(op.body.block, env)]
        return [fold(op.monoid.data, values, op.result.type)]

    def _reduce(self, op: comprehension.ReduceOp, env: Environment) -> Sequence[Value]:
        return [fold(op.monoid.data, [row[0] for row in env[op.bag]], op.result.type)]

    def _random(self, op: comprehension.RandomOp, env: Environment) -> Sequence[Value]:
        return [random_number(env[op.seed], op.occurrence.value.data, [env[i] for i in op.indices])]

    def _extract(self, op: tensor.ExtractOp, env: Environment) -> Sequence[Value]:
        return [read_element(env[op.tensor], tuple(env[index] for index in op.indices))]

    # Control flow

    def _assert(self, op: cf.AssertOp, env: Environment) -> Sequence[Value]:
        if not env[op.arg]:
            raise failure(op, op.msg.data)
        return []

    def _if(self, op: scf.IfOp, env: Environment) -> Sequence[Value]:
        region = op.true_region if env[op.cond] else op.false_region
        return self._branch(region.block, env) if region.blocks else []

    def _branch(self, block: Block, env: Environment) -> Sequence[Value]:
        """Run a branch; a read outside an array is the business of whoever runs the `if`."""
        scope = env.new_child()
        for op in block.ops:
            if op.has_trait(IsTerminator):
                return [scope[value] for value in op.operands]
            self.run(op, scope)
        return []

    def _while(self, op: scf.WhileOp, env: Environment) -> Sequence[Value]:
        before, after = op.before_region.block, op.after_region.block
        values: Sequence[Value] = [env[value] for value in op.arguments]
        while True:
            scope = env.new_child(dict(zip(before.args, values, strict=True)))
            condition, *values = self.block(before, scope)
            if not condition:
                return values
            scope = env.new_child(dict(zip(after.args, values, strict=True)))
            values = self.block(after, scope)

    def _call(self, op: func.CallOp, env: Environment) -> Sequence[Value]:
        function = self.functions[op.callee.string_value()]
        return self.call(function, [env[value] for value in op.arguments])

    # Variables

    def _load(self, op: diablo.LoadOp, env: Environment) -> Sequence[Value]:
        value = env[op.ref].value
        if not op.indices:
            return [value]
        return [read_element(value, tuple(env[index] for index in op.indices))]

    def _write(self, op: diablo.StoreOp | diablo.AccumulateOp, env: Environment) -> Sequence[Value]:
        write_rows(op, [env])
        return []

    def _bulk(self, op: diablo.ForOp | diablo.ForeachOp, env: Environment) -> Sequence[Value]:
        run_statement(self, op, [env])
        return []


def interpret(
    module: ModuleOp, inputs: Mapping[str, Any] | None = None, function: str = "main"
) -> list[Value]:
    """Run `function` on the given inputs (by name) and return its results."""
    interpreter = Interpreter(module)
    target = interpreter.functions[function]
    given = dict(inputs or {})
    arguments: list[Value] = []
    attributes: Sequence[Attribute] = target.arg_attrs.data if target.arg_attrs else ()
    for position, argument in enumerate(target.body.block.args):
        entry = attributes[position] if position < len(attributes) else DictionaryAttr({})
        assert isinstance(entry, DictionaryAttr)
        name = entry.data.get("diablo.name")
        label = name.data if isinstance(name, StringAttr) else argument.name_hint
        default = entry.data.get("diablo.default")
        if label in given:
            arguments.append(to_value(given[label], argument.type))
        elif default is not None:
            constant = arith.ConstantOp(cast(Any, default), argument.type)
            value = evaluate(constant, ())
            assert value is not None
            arguments.append(value)
        else:
            raise InputError(f"no value is given for the input {label}")
    return list(interpreter.call(target, arguments))
