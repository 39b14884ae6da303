"""Imports statements: variables, loops and branches.

for i = 0, n-1 do V[i] += 1.0;
->
diablo.for %i = 0 to %n - 1 { diablo.accumulate add 1.0, %V[%i] }
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import lru_cache

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.diagnostics import Diagnostic, report
from diablo.dialects.bags import BagType, element_types, sorted_columns
from diablo.dialects.diablo import ForeachOp, ForOp, RefType, VarOp
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.types import BOOLEAN, RecordType, Type
from diablo.frontend.emission.branches import in_statement, require
from diablo.frontend.emission.builder import Builder, ImportFailure
from diablo.frontend.emission.emission_scope import Key
from diablo.frontend.emission.emit_assignments import emit_assign
from diablo.frontend.emission.emit_comprehensions import row_of
from diablo.frontend.emission.emit_extrema import emit_extremum
from diablo.frontend.emission.emit_region_elements import over_of
from diablo.frontend.emission.emit_region_statements import (
    emit_region,
    emit_region_array,
    emit_region_loop,
    emit_region_rows,
)
from diablo.frontend.emission.emit_scalars import (
    conjuncts,
    emit_as,
    emit_index,
    emit_value,
    is_partial,
)
from diablo.frontend.emission.emit_values import bind, emit_collection
from diablo.frontend.emission.ir_types import flatten, leaf_types, parts_of, set_name, unflatten
from diablo.frontend.emission.loop_order import loop_body, loop_order, pattern_names
from diablo.frontend.parsing import statements, syntax


def emit_statement(build: Builder, statement: statements.Statement) -> None:
    """Import one statement; after an error the next one can still be imported."""
    try:
        # What a variable's value requires is required by all that follows in its block.
        declares = isinstance(statement, statements.Var | statements.RegionDef)
        scope = nullcontext() if declares else in_statement(build)
        with build.at(statement.span), scope:
            _emit_statement(build, statement)
    except ImportFailure as failure:
        build.scope.errors.append(failure.diagnostic)


def _emit_statement(build: Builder, statement: statements.Statement) -> None:
    meant = build.checked.updates.get(statement)
    if meant is not None:
        _report_update(statement, meant)
        statement = meant
    match statement:
        case statements.Var():
            _emit_var(build, statement)
        case statements.Assign():
            emit_assign(build, statement)
        case statements.For():
            _emit_for(build, statement)
        case statements.ForIn():
            _emit_for_in(build, statement)
        case statements.While():
            _emit_while(build, statement)
        case statements.If():
            _emit_if(build, statement)
        case statements.Extremum():
            emit_extremum(build, statement)
        case statements.Block():
            for inner in statement.body:
                build.emit_statement(inner)
        case statements.ExprStatement() if isinstance(statement.value, syntax.Call):
            # `cache(x)` is a hint that the compiler does not need.
            pass
        case statements.ExprStatement() | statements.Input():
            pass
        case statements.Def() | statements.MonoidDef() | statements.Typemap():
            # They are imported where they are used.
            pass
        case statements.RegionDef():
            emit_region(build, statement)


def _emit_var(build: Builder, statement: statements.Var) -> None:
    symbol = build.checked.symbols[statement.name]
    if symbol.region is not None:
        emit_region_array(build, statement, symbol)
        return
    init = statement.init
    assert init is not None
    try:
        leaves = flatten(emit_value(build, init, symbol.type))
    except ImportFailure:
        # A failed variable still has a value, so that its uses can be imported.
        placeholder = Block(arg_types=[RefType(type) for type in leaf_types(symbol.type)])
        build.scope.values[symbol] = unflatten(placeholder.args, symbol.type)
        raise
    refs: list[SSAValue] = []
    for leaf, suffix in zip(leaves, _suffixes(symbol.type), strict=True):
        ref = build.add(
            VarOp.create(
                operands=[leaf],
                properties={"sym_name": StringAttr(symbol.name + suffix)},
                result_types=[_reference(leaf.type)],
            )
        ).ref
        set_name(ref, (symbol.name + suffix).replace(".", "_"))
        refs.append(ref)
    build.scope.values[symbol] = unflatten(refs, symbol.type)


@lru_cache
def _reference(type: Attribute) -> RefType:
    """The type of a variable that holds a `type`."""
    return RefType(type)


def _emit_for(build: Builder, statement: statements.For) -> None:
    lower, upper = emit_index(build, statement.lower), emit_index(build, statement.upper)
    step = 1 if statement.step is None else constant_of(statement.step)
    by = int(step) if step is not None else _emit_step(build, statement.step)
    _emit_range_loop(build, statement, statement.name, lower, upper, by)


def _emit_range_loop(
    build: Builder,
    statement: statements.For | statements.ForIn,
    pattern: syntax.Pattern,
    lower: SSAValue,
    upper: SSAValue,
    step: int | SSAValue = 1,
) -> None:
    block = Block(arg_types=[IndexType()])
    order = loop_order(statement, pattern_names(pattern), build.checked)
    with loop_body(build, block, order):
        bind(build, pattern, block.args[0])
        sign = step if isinstance(step, SSAValue) else 1 if step > 0 else -1
        build.scope.keys = [*build.scope.keys, Key(block.args[0], step=sign)]
        build.emit_statement(statement.body)
    build.add(ForOp(lower, upper, block, step, ordered=order.ordered))


def _emit_step(build: Builder, expr: syntax.Expr | None) -> SSAValue:
    """A step that is computed: one of zero is an error, or drops the iteration."""
    assert expr is not None
    step = emit_index(build, expr)
    with build.at(expr.span):
        test = build.add(arith.CmpiOp(step, build.index_constant(0), "ne")).result
        require(build, test, "the step of a loop is zero")
    return step


def _emit_for_in(build: Builder, statement: statements.ForIn) -> None:
    source = statement.source
    if isinstance(source, syntax.Range):
        lower, upper = emit_index(build, source.lower), emit_index(build, source.upper)
        _emit_range_loop(build, statement, statement.pattern, lower, upper)
        return
    region, over = build.checked.regions.get(source), over_of(build, source)
    if region is not None:
        emit_region_loop(build, statement, region)
        return
    if over is not None:
        emit_region_rows(build, statement, over)
        return
    collection = emit_collection(build, source)
    order = loop_order(statement, pattern_names(statement.pattern), build.checked)
    block = Block(arg_types=element_types(collection.type))
    with loop_body(build, block, order):
        bind(build, statement.pattern, row_of(build, source, block.args))
        build.emit_statement(statement.body)
    is_sorted = build.is_sorted(source)
    if order.ordered and is_sorted:
        assert isinstance(collection.type, BagType)
        if not sorted_columns(collection.type, UnitAttr()):
            message = "the rows of this list have no order in which to go through them"
            hint = "put a number or a string first in each row, by which they ascend then"
            raise ImportFailure(Diagnostic("error", message, source.span, hint))
    build.add(ForeachOp(collection, block, ordered=order.ordered, sorted=is_sorted))


def _emit_while(build: Builder, statement: statements.While) -> None:
    before, after = Block(), Block()
    outer, build.stepwise = build.stepwise, 0
    with build.into(before):
        condition = emit_as(build, statement.condition, BOOLEAN)
        build.add(scf.ConditionOp(condition))
    build.whiles += 1
    with build.into(after):
        build.emit_statement(statement.body)
        build.add(scf.YieldOp())
    build.stepwise = outer
    build.whiles -= 1
    build.add(scf.WhileOp([], [], Region(before), Region(after)))


def _emit_if(build: Builder, statement: statements.If) -> None:
    parts = [statement.condition]
    if statement.otherwise is None and is_partial(build.checked, statement.condition):
        # `a && b`: where `a` fails, `b` is not evaluated.
        parts = conjuncts(statement.condition)
    _emit_nested_if(build, parts, statement)


def _emit_nested_if(
    build: Builder, conditions: list[syntax.Expr], statement: statements.If
) -> None:
    condition = emit_as(build, conditions[0], BOOLEAN)
    then = Block()
    with build.into(then):
        if conditions[1:]:
            with in_statement(build):
                _emit_nested_if(build, conditions[1:], statement)
        else:
            build.emit_statement(statement.then)
        build.add(scf.YieldOp())
    otherwise = Region()
    if statement.otherwise is not None:
        block = Block()
        with build.into(block):
            build.emit_statement(statement.otherwise)
            build.add(scf.YieldOp())
        otherwise = Region(block)
    build.add(scf.IfOp(condition, [], Region(then), otherwise))


def _report_update(statement: statements.Statement, meant: statements.Statement) -> None:
    """Say of an assignment, or of a test, which update it is taken for."""
    match statement:
        case statements.Assign(target=target, value=syntax.Binary(lhs=read)) if read is target:
            return  # `d -= e` is written as one.
        case _:
            under = ""
    if isinstance(meant, statements.If) and not isinstance(statement, statements.If):
        under = " under a test"
    while isinstance(meant, statements.If):
        meant = meant.then
    match meant:
        case statements.Extremum(comparison=comparison):
            kept = "least" if comparison[0] == "<" else "greatest"
            message = f"this is an update: it keeps the {kept} value, and what belongs to it"
        case statements.Assign(monoid=str(monoid)):
            message = f"this is the update `{monoid}=`{under}"
        case _:
            return
    report(Diagnostic("remark", message, statement.span))


def _suffixes(type: Type) -> list[str]:
    """Return what distinguishes the leaves of a tuple or record variable: `._1`, `.name`."""
    parts = parts_of(type)
    if parts is None:
        return [""]
    names = type.names if isinstance(type, RecordType) else [f"_{n + 1}" for n in range(len(parts))]
    return [
        f".{name}{rest}"
        for name, part in zip(names, parts, strict=True)
        for rest in _suffixes(part)
    ]
