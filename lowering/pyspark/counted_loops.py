"""Functions of outlined loops of the driver, as Python runs them until machine code takes over.

    func.func private @loop_0(%i, %s, %V) -> f64 {       def loop_0(steps, i, s, V):
      %s1 = scf.while (…) { … }                              V_dim0 = V.shape[0]
      func.return %s1                            =>          while i <= 9:
    }                                                            if not steps:
                                                                     return None, i, s
                                                                 steps -= 1
                                                                 …
                                                             return steps, s

The steps that are left come before the results; before what the loop carries stands None. Without
machine code such a function counts nothing, and returns its results alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import cf, func
from xdsl.ir import Operation

from diablo.dialects.comprehension import PutOp
from diablo.dialects.scalar_types import is_numpy
from diablo.dialects.string_functions import character
from diablo.kernel_signature import dimensions_text
from diablo.lowering.kernel_types import type_code
from diablo.lowering.native_loops.compile_native_loop import NativeLoop
from diablo.lowering.native_loops.loop_jobs import LoopJobs
from diablo.lowering.native_loops.native_loop_code import ArrayNamed
from diablo.lowering.native_loops.native_loops import DIVISIONS
from diablo.lowering.numpy.expressions import place_of, tuple_text
from diablo.lowering.outlined_loops import loop_of
from diablo.lowering.pyspark.driver import Driver
from diablo.lowering.pyspark.long_statements import statement
from diablo.lowering.pyspark.names import Names
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.lowering.pyspark.pyspark_scalars import Scalar
from diablo.lowering.python_text import string_literal, symbol_name
from diablo.lowering.sought_keys import sought_key
from diablo.lowering.source_names import source_names


def emit_loop(function: func.FuncOp, taken: Iterable[str], *, counted: bool) -> str:
    """Return the text of the function, which uses the names `taken` of others.

    If it is `counted`, it takes the number of its steps.
    """
    names = Names(taken, source_names(function))
    driver = Driver(function, names, [])
    driver.is_loop = True
    parameters: list[str] = []
    if counted:
        driver.counted = loop_of(function)
        driver.steps = names.unique(None, "steps")
        parameters.append(driver.steps)
    for argument in function.args:
        name = names.unique(argument.name_hint, "given")
        parameters.append(name)
        driver.scalars[argument] = Scalar(name, is_numpy=is_numpy(argument.type))
        driver.variables.hold(argument, name)
    driver.write_block(function.body.block)
    end = function.body.block.last_op
    assert isinstance(end, func.ReturnOp)
    texts = [driver.steps] if counted else []
    texts += [driver.text(value) for value in end.arguments]
    driver.lines.statement("return ", Chain(", ".join(texts)))
    name = symbol_name(function.sym_name.data)
    head = statement(f"def {name}", f"({', '.join(parameters)})", 0, ":")
    return "\n".join([*head, *driver.lines.lines])


def code_arguments(native: NativeLoop) -> list[str]:
    """The arguments of `loop_code` that say what the signature does not."""
    failures = ", ".join(_failure(op, array) for op, array in native.failures)
    arguments = [f"results={native.results!r}"]
    if native.written:
        arguments.append(f"written={native.written!r}")
    if native.copied:
        arguments.append(f"copied={native.copied!r}")
    if native.products:
        products = [
            (p.matrix, p.row, p.column, dimensions_text(p.extents)) for p in native.products
        ]
        arguments.append(f"products={products!r}")
    if native.tables:
        arguments.append(f"tables={native.tables!r}")
    if native.jobs is not None:
        arguments.append(f"jobs={_jobs_text(native.jobs)}")
        if native.jobs.divisors:
            arguments.append("divides=True")
    return [*arguments, f"failures=[{failures}]"] if failures else arguments


def _jobs_text(jobs: LoopJobs) -> str:
    """The jobs as `diablo.runtime.program.loop_steps` takes them."""
    steps = [
        f'("call", {step[1]}, {", ".join(map(repr, step[2:]))})'
        if step[0] == "call"
        else repr(step)
        for step in jobs.steps
    ]
    parts = [
        f"given={jobs.count}, arrays={jobs.arrays}, words={jobs.words}",
        f"carried={jobs.carried!r}",
        f"steps=[{', '.join(steps)}]",
        *([f"loops={jobs.loops!r}"] if jobs.loops else []),
        *([f"inner={jobs.inner!r}"] if jobs.inner else []),
        *([f"equal={jobs.equal!r}"] if jobs.equal else []),
    ]
    return f"LoopJobs({', '.join(parts)})"


def _failure(op: Operation, array: ArrayNamed) -> str:
    """Return what failed, as `diablo.runtime.program.compiled_loops` says it."""
    place = place_of(op)
    if isinstance(op, cf.AssertOp):
        message = ": ".join(filter(None, [place, op.msg.data]))
        if keys := sought_key(op.arg):
            # A character is a number to the program.
            codes = ['"chr"' if key.type == character else type_code(key.type) for key in keys]
            return f'("key", {string_literal(message)}, {tuple_text(codes)})'
        return f'("require", {string_literal(message)})'
    if isinstance(op, PutOp):
        return f'("table", {string_literal(place)})'
    if isinstance(op, DIVISIONS):
        return f'("divide", {string_literal(place)})'
    if isinstance(op, func.CallOp):
        message = "an array here is smaller than what is read of it"
        return f'("require", {string_literal(": ".join(filter(None, [place, message])))})'
    if isinstance(array, tuple):
        return f'("element", {string_literal(place)}, {dimensions_text(array)!r})'
    return f'("element", {string_literal(place)}, {array})'
