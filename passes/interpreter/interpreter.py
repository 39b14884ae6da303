"""The reference interpreter of the levels from `diablo` down to loops over buffers.

It is the oracle of every level below: naive and meant to be read as a definition. Here are
functions and control flow; bulk loops, comprehensions and block ops have modules of their own.

    interpret(module, {"n": 4, "A": numpy_array})      # the results of @main, in order

Numbers and strings come back as Python's, tuples as tuples, arrays as `Array` (`.to_numpy()`),
bags and maps as lists of tuples. What fails at run time raises a `RunError` that names the place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from xdsl.dialects import arith, cf, func, scf
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from diablo.diagnostics import InputError, RunError
from diablo.dialects import comprehension, diablo
from diablo.dialects.locations import span_of
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.string_functions import character
from diablo.passes.interpreter import blocks, comprehensions, interpreted_loops, regions
from diablo.passes.interpreter.bulk import Write, run_statement, write_rows
from diablo.passes.interpreter.interpreted_elements import (
    Environment,
    Monoid,
    OutOfRange,
    Variable,
    built_in_monoid,
    constant_value,
    key_text,
    read_element,
)
from diablo.passes.interpreter.interpreted_values import Value, to_value
from diablo.passes.interpreter.scalar_evaluation import EvaluationError
from diablo.passes.interpreter.sparse_zeros import evaluate_in_row


def failure(op: Operation, message: str) -> RunError:
    """The error of `op`, with its place in front."""
    span = span_of(op)
    place = "" if span is None else f"{span.file}:{span.line}:{span.column}: "
    return RunError(place + message)


class Interpreter:
    """Runs the functions of one module."""

    def __init__(self, module: ModuleOp):
        self.set_aside: list[RunError] = []
        """Failures of values that may turn out not to be needed."""
        self.functions = {
            op.sym_name.data: op for op in module.walk() if isinstance(op, func.FuncOp)
        }
        self.monoids = {
            f"@{op.sym_name.data}": self._user_monoid(op)
            for op in module.ops
            if isinstance(op, comprehension.MonoidOp)
        }
        self.rules: dict[type[Operation], Callable[[Any, Environment], Sequence[Any]]] = {
            cf.AssertOp: self._assert,
            scf.IfOp: self._if,
            scf.WhileOp: self._while,
            func.CallOp: self._call,
            diablo.VarOp: lambda op, env: [Variable(env[op.init])],
            diablo.LoadOp: self._load,
            diablo.RequireOp: self._require,
            diablo.StoreOp: self._write,
            diablo.AccumulateOp: self._write,
            diablo.AccumulatePartsOp: self._write,
            diablo.ForOp: self._bulk,
            diablo.ForeachOp: self._bulk,
        }
        by_level = comprehensions.RULES | regions.RULES | interpreted_loops.RULES
        for kind, rule in by_level.items():
            self.rules[kind] = partial(rule, self)
        for kind, block_rule in blocks.RULES.items():
            self.rules[kind] = lambda op, env, rule=block_rule: [rule(self, op, env)]

    def call(self, function: func.FuncOp, arguments: Sequence[Value]) -> Sequence[Value]:
        """The results of a function."""
        block = function.body.block
        return self.block(block, dict(zip(block.args, arguments, strict=True)))

    def monoid(self, name: str, type: Attribute) -> Monoid:
        """The monoid `name` on values of `type`."""
        return self.monoids[name] if is_user_defined(name) else built_in_monoid(name, type)

    def _user_monoid(self, op: comprehension.MonoidOp) -> Monoid:
        block = op.body.block

        def combine(a: Value, b: Value) -> Value:
            return self.block(block, dict(zip(block.args, (a, b), strict=True)))[0]

        return Monoid(constant_value(op.identity, op.element), combine)

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

    def with_arguments(
        self, block: Block, arguments: Sequence[Any], env: Environment
    ) -> Sequence[Any]:
        """Run the ops of `block`, given its arguments; return what its last op passes on."""
        return self.block(block, {**env, **dict(zip(block.args, arguments, strict=True))})

    def run(self, op: Operation, env: Environment) -> None:
        """Run one op that is not a qualifier, and bind its results."""
        rule = self.rules.get(type(op))
        try:
            if rule is not None:
                results = rule(op, env)
            else:
                results = [evaluate_in_row(op, [env[value] for value in op.operands])]
        except EvaluationError as error:
            raise failure(op, str(error)) from None
        if results == [None]:
            raise failure(op, f"'{op.name}' cannot be interpreted")
        env.update(zip(op.results, results, strict=True))

    # Control flow

    def _assert(self, op: cf.AssertOp, env: Environment) -> Sequence[Value]:
        if not env[op.arg]:
            raise failure(op, op.msg.data + self._missing(op.arg, env))
        return []

    def _missing(self, test: SSAValue, env: Environment) -> str:
        """Return which element or key was not there, where `test` says whether it is."""
        owner = test.owner
        if isinstance(owner, arith.OrIOp):
            return self._missing(owner.lhs, env) or self._missing(owner.rhs, env)
        if not isinstance(owner, comprehension.ProbeOp) or test is not owner.found:
            return ""
        key = [chr(env[k]) if k.type == character else env[k] for k in owner.keys]
        return f": {key_text(tuple(key))}"

    def _if(self, op: scf.IfOp, env: Environment) -> Sequence[Value]:
        region = op.true_region if env[op.cond] else op.false_region
        return self._branch(region.block, env) if region.blocks else []

    def _branch(self, block: Block, env: Environment) -> Sequence[Value]:
        """Run a branch; a read outside an array is the business of whoever runs the `if`."""
        scope = dict(env)
        for op in block.ops:
            if op.has_trait(IsTerminator):
                return [scope[value] for value in op.operands]
            self.run(op, scope)
        return []

    def _while(self, op: scf.WhileOp, env: Environment) -> Sequence[Value]:
        before, after = op.before_region.block, op.after_region.block
        values: Sequence[Value] = [env[value] for value in op.arguments]
        while True:
            scope = {**env, **dict(zip(before.args, values, strict=True))}
            condition, *values = self.block(before, scope)
            if not condition:
                return values
            scope = {**env, **dict(zip(after.args, values, strict=True))}
            values = self.block(after, scope)

    def _call(self, op: func.CallOp, env: Environment) -> Sequence[Value]:
        function = self.functions[op.callee.string_value()]
        return self.call(function, [env[value] for value in op.arguments])

    # Variables

    def _load(self, op: diablo.LoadOp, env: Environment) -> Sequence[Value]:
        value = env[op.ref].value
        if not op.indices:
            return [value]
        key = tuple(env[index] for index in op.indices)
        return [read_element(value, key, op.indices.types)]

    def _require(self, op: diablo.RequireOp, env: Environment) -> Sequence[Value]:
        if not env[op.condition]:
            raise OutOfRange("there is no such element")
        return [env[op.value]]

    def _write(self, op: Write, env: Environment) -> Sequence[Value]:
        write_rows(self, op, [env])
        return []

    def _bulk(self, op: diablo.ForOp | diablo.ForeachOp, env: Environment) -> Sequence[Value]:
        run_statement(self, op, [env])
        return []


def interpret(
    module: ModuleOp,
    inputs: Mapping[str, Any] | None = None,
    function: str = "main",
    set_aside: list[RunError] | None = None,
) -> list[Value]:
    """Run `function` on the given inputs (by name) and return its results.

    `set_aside` takes the failures that were met: those that the results did not need, if there
    are results.
    """
    interpreter = Interpreter(module)
    if set_aside is not None:
        interpreter.set_aside = set_aside
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
            arguments.append(constant_value(default, argument.type))
        else:
            raise InputError(f"no value is given for the input {label}")
    return list(interpreter.call(target, arguments))
