"""Imports the program's own monoids: the first use of one defines it in the module.

monoid add2((Double,Int)) = ((0.0,0), (x, y) => (x._1 + y._1, x._2 + y._2));
->
comprehension.monoid @add2 : tuple<f64, i64> identity [0.0, 0] { ^bb0(%x, %y): … }
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.comprehension import MonoidOp, YieldOp
from diablo.dialects.monoids import combine, is_user_defined, number_attribute
from diablo.dialects.string_functions import character
from diablo.frontend.checking.scope import Constant, MonoidDefinition
from diablo.frontend.checking.types import CHAR, Type
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_scalars import emit_value
from diablo.frontend.emission.emit_values import bind, pack_value, unpack_value
from diablo.frontend.emission.ir_types import (
    ir_type,
    packed_type,
    parts_of,
    set_name,
)
from diablo.frontend.parsing import statements, syntax


def define_monoid(build: Builder, use: syntax.Reduction | statements.Assign) -> str | None:
    """The name in the IR of the program's own monoid that `use` means, if it is one."""
    definition = build.checked.monoids.get(use)
    if definition is None:
        return None
    if definition not in build.scope.monoids:
        with build.at(definition.span), isolated(build):
            build.scope.monoids[definition] = _emit_monoid(build, definition)
    return f"@{build.scope.monoids[definition].sym_name.data}"


def join(build: Builder, monoid: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Return two values combined with a monoid, by its name in the IR."""
    if not is_user_defined(monoid):
        return build.add(combine(monoid, lhs, rhs)).results[0]
    definition = next(o for o in build.scope.monoids.values() if o.sym_name.data == monoid[1:])
    body = definition.body.block
    mapped: dict[SSAValue, SSAValue] = dict(zip(body.args, (lhs, rhs), strict=True))
    for op in body.ops:
        if isinstance(op, YieldOp):
            return mapped.get(op.values[0], op.values[0])
        build.add(op.clone(mapped))
    raise AssertionError("the body of a monoid ends with what it gives")


@contextmanager
def isolated(build: Builder) -> Generator[None]:
    """Emit something that stands in no statement."""
    outer = build.rows_from, build.loads, build.branches_from, build.scope.keys
    loops = build.loops, build.stepwise
    build.rows_from, build.loads, build.branches_from, build.scope.keys = None, {}, None, []
    build.loops = build.stepwise = 0
    try:
        yield
    finally:
        build.rows_from, build.loads, build.branches_from, build.scope.keys = outer
        build.loops, build.stepwise = loops


def free_monoid_name(build: Builder, wanted: str) -> str:
    """A name that no monoid of the module has yet."""
    names = {op.sym_name.data for op in build.scope.monoids.values()}
    name, number = wanted, 1
    while name in names:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _emit_monoid(build: Builder, definition: MonoidDefinition) -> MonoidOp:
    element = packed_type(definition.type)
    block = Block(arg_types=[element, element])
    with build.into(block):
        for pattern, argument in zip(definition.parameters, block.args, strict=True):
            if isinstance(pattern, syntax.NamePattern):
                set_name(argument, pattern.name)
            bind(build, pattern, unpack_value(build, argument, definition.type))
        result = emit_value(build, definition.body, definition.type)
        with build.at(definition.body.span):
            build.add(YieldOp([], [pack_value(build, result, definition.type)]))
    # Symbols of the program itself and of its kernels.
    taken = definition.name == "main" or definition.name.startswith("kernel_")
    base = f"monoid_{definition.name}" if taken else definition.name
    name = free_monoid_name(build, base)
    leaves = _constant_leaves(definition.identity, definition.type)
    identity = leaves[0] if len(leaves) == 1 else ArrayAttr(leaves)
    op = MonoidOp(name, element, identity, Region(block))
    if build.location is not None:
        op.location = build.location
    return op


def _constant_leaves(constant: Constant, type: Type) -> list[Attribute]:
    """The leaves of a constant of `type` as attributes."""
    parts = parts_of(type)
    if parts is not None:
        assert isinstance(constant, tuple)
        items = zip(constant, parts, strict=True)
        return [leaf for item, part in items for leaf in _constant_leaves(item, part)]
    assert not isinstance(constant, tuple)
    if isinstance(constant, str):
        return [
            number_attribute(ord(constant), character) if type == CHAR else StringAttr(constant)
        ]
    return [number_attribute(constant, ir_type(type))]
