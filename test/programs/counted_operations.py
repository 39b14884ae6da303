"""How often a program evaluates each kind of op, in the interpreter.

operations("input n: Int; +/[ i*i | i <- 1..n ]", {"n": 3})["arith.muli"]  ->  3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from diablo.call import Inputs
from diablo.frontend.checking.declarations import program_inputs
from diablo.frontend.importer import import_program
from diablo.lowering.pipelines import PIPELINES
from diablo.pass_pipeline import load_passes, parse_pass_pipeline
from diablo.passes.interpreter.interpreted_values import to_value
from diablo.passes.interpreter.interpreter import Interpreter
from diablo.registry import available_passes, new_context


class Counting(Interpreter):
    """Counts how often each kind of op is evaluated."""

    def __init__(self, module: ModuleOp):
        super().__init__(module)
        self.counts = Counter[str]()

    def run(self, op: Operation, env: dict[SSAValue, Any]) -> None:
        self.counts[op.name] += 1
        super().run(op, env)


def operations(
    text: str, inputs: Mapping[str, Any], passes: Sequence[str] = (), *, pipeline: str = ""
) -> Counter[str]:
    """Return how often each kind of op is evaluated at the source level, or after some passes.

    The passes may be those of a named pipeline.
    """
    call = Inputs(program_inputs(text, "test.diablo")).check(inputs)
    module = import_program(text, "test.diablo", call.bindings)
    context, available = new_context(), available_passes()
    for name in passes:
        available[name]()().apply(context, module)
    if pipeline:
        elements = parse_pass_pipeline(PIPELINES[pipeline], anchored=False)
        for each in load_passes(elements, available, {}):
            each.apply(context, module)
    interpreter = Counting(module)
    main = interpreter.functions["main"]
    arguments = [to_value(inputs[a.name_hint or ""], a.type) for a in main.body.block.args]
    interpreter.call(main, arguments)
    return interpreter.counts
