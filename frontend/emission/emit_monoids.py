"""Imports the program's own monoids: the first use of one defines it in the module.

monoid add2((Double,Int)) = ((0.0,0), (x, y) => (x._1 + y._1, x._2 + y._2));
->
comprehension.monoid @add2 : tuple<f64, i64> identity [0.0, 0] { ^bb0(%x, %y): … }
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects.builtin import ArrayAttr, StringAttr, i32
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.comprehension import MonoidOp, YieldOp
from diablo.dialects.monoids import combine, is_user_defined
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Constant, MonoidDefinition
from diablo.frontend.checking.types import CHAR, Type
from diablo.frontend.emission.emit_comprehensions import ComprehensionEmitter
from diablo.frontend.emission.ir_types import (
    element_type,
    ir_type,
    number_attribute,
    parts_of,
    set_name,
)
from diablo.frontend.parsing import statements, syntax


class MonoidEmitter(ComprehensionEmitter, ABC):
    """The part of the importer that knows the program's own monoids."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        # By their definitions, or by what says as much of those that the importer makes.
        self.monoids: dict[object, MonoidOp] = {}

    def define_monoid(self, use: syntax.Reduction | statements.Assign) -> str | None:
        """The name in the IR of the program's own monoid that `use` means, if it is one."""
        definition = self.checked.monoids.get(use)
        if definition is None:
            return None
        if definition not in self.monoids:
            with self.at(definition.span), self.isolated():
                self.monoids[definition] = self._emit_monoid(definition)
        return f"@{self.monoids[definition].sym_name.data}"

    def join(self, monoid: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Two values combined with a monoid, by its name in the IR."""
        if not is_user_defined(monoid):
            return self.add(combine(monoid, lhs, rhs)).results[0]
        definition = next(o for o in self.monoids.values() if o.sym_name.data == monoid[1:])
        body = definition.body.block
        mapped: dict[SSAValue, SSAValue] = dict(zip(body.args, (lhs, rhs), strict=True))
        for op in body.ops:
            if isinstance(op, YieldOp):
                return mapped.get(op.values[0], op.values[0])
            self.add(op.clone(mapped))
        raise AssertionError("the body of a monoid ends with what it gives")

    @contextmanager
    def isolated(self) -> Generator[None]:
        """Emit something that stands in no statement."""
        outer = self.rows_from, self.loads, self.branches_from, self.keys
        loops = self.loops, self.stepwise
        self.rows_from, self.loads, self.branches_from, self.keys = None, {}, None, []
        self.loops = self.stepwise = 0
        try:
            yield
        finally:
            self.rows_from, self.loads, self.branches_from, self.keys = outer
            self.loops, self.stepwise = loops

    def free_monoid_name(self, wanted: str) -> str:
        """A name that no monoid of the module has yet."""
        names = {op.sym_name.data for op in self.monoids.values()}
        name, number = wanted, 1
        while name in names:
            number += 1
            name = f"{wanted}_{number}"
        return name

    def _emit_monoid(self, definition: MonoidDefinition) -> MonoidOp:
        element = element_type(definition.type)
        block = Block(arg_types=[element, element])
        with self.into(block):
            for pattern, argument in zip(definition.parameters, block.args, strict=True):
                if isinstance(pattern, syntax.NamePattern):
                    set_name(argument, pattern.name)
                self.bind(pattern, self.unpacked(argument, definition.type))
            result = self.emit_value(definition.body, definition.type)
            with self.at(definition.body.span):
                self.add(YieldOp([], [self.packed(result, definition.type)]))
        # Symbols of the program itself and of its kernels.
        taken = definition.name == "main" or definition.name.startswith("kernel_")
        base = f"monoid_{definition.name}" if taken else definition.name
        name = self.free_monoid_name(base)
        leaves = _leaves(definition.identity, definition.type)
        identity = leaves[0] if len(leaves) == 1 else ArrayAttr(leaves)
        op = MonoidOp(name, element, identity, Region(block))
        if self.location is not None:
            op.location = self.location
        return op


def _leaves(constant: Constant, type: Type) -> list[Attribute]:
    """The leaves of a constant of `type` as attributes."""
    parts = parts_of(type)
    if parts is not None:
        assert isinstance(constant, tuple)
        items = zip(constant, parts, strict=True)
        return [leaf for item, part in items for leaf in _leaves(item, part)]
    assert not isinstance(constant, tuple)
    if isinstance(constant, str):
        return [number_attribute(ord(constant), i32) if type == CHAR else StringAttr(constant)]
    return [number_attribute(constant, ir_type(type))]
