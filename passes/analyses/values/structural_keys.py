"""Analysis: which comprehensions compute the same?

Every value gets a number, its *key*, such that values with equal keys are equal in rows with
equal generators: an op's key is made of its name, its attributes and the keys of its operands,
in any order where it is commutative; a generator's of what it runs over and how many equal ones
stand before it. Two bodies compute the same if they have the same generators, guards and heads,
in whatever order these stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from xdsl.dialects import arith, complex
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension
from diablo.dialects.predicates import predicate_of
from diablo.passes.analyses.values.comprehension_structure import Root

_COMMUTATIVE = (
    arith.AddiOp,
    arith.AddfOp,
    arith.MuliOp,
    arith.MulfOp,
    complex.AddOp,
    complex.MulOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.MinSIOp,
    arith.MaxSIOp,
    arith.MinUIOp,
    arith.MaxUIOp,
    arith.MinimumfOp,
    arith.MaximumfOp,
)

_SYMMETRIC_TESTS = ("eq", "ne", "oeq", "one", "ueq", "une")
"""The predicates that do not mind the order: equal and unequal."""


def _is_commutative(op: Operation) -> bool:
    if isinstance(op, _COMMUTATIVE):
        return True
    if isinstance(op, arith.CmpiOp | arith.CmpfOp):
        return predicate_of(op) in _SYMMETRIC_TESTS
    return False


@dataclass(frozen=True)
class BodyKey:
    """What a comprehension runs over, and what it yields."""

    qualifiers: int
    head: tuple[int, ...]


@dataclass
class StructuralKeys:
    """The keys of the values of some comprehensions, which can be compared with each other."""

    of: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    _numbers: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    _depth: int = 0
    """How many comprehensions are around the one at hand: their generators are not its own."""

    def number(self, key: Hashable) -> int:
        """The number that stands for `key`."""
        return self._numbers.setdefault(key, len(self._numbers))

    def value(self, value: SSAValue) -> int:
        """The key of a value; one that no body has defined stands for itself."""
        found = self.of.get(value)
        return self.number(value) if found is None else found

    def _head(self, op: Operation) -> tuple[Hashable, ...]:
        """The name, the attributes and the operands of an op."""
        operands = [self.value(operand) for operand in op.operands]
        if _is_commutative(op):
            operands.sort()
        properties = {name: value for name, value in op.properties.items() if name != "fastmath"}
        return (
            op.name,
            frozenset(properties.items()),
            frozenset(op.attributes.items()),
            tuple(operands),
            tuple(op.result_types),
        )

    def root(self, root: Root) -> int:
        """The key of a comprehension's result."""
        self._depth += 1
        body = self.body(root.body.block)
        self._depth -= 1
        return self.number((self._head(root), body))

    def body(self, block: Block) -> BodyKey:
        """The key of a body; gives its values their keys."""
        generators: Counter[Hashable] = Counter()
        guards: set[int] = set()
        for op in block.ops:
            match op:
                case comprehension.GuardOp():
                    guards.add(self.value(op.condition))
                case comprehension.EachOp() | comprehension.RangeOp():
                    base = self._head(op)
                    self._bind(op, self.number((self._depth, base, generators[base])))
                    generators[base] += 1
                case comprehension.GroupByOp():
                    before = frozenset(generators.items()), frozenset(guards)
                    keys = tuple(self.value(key) for key in op.keys)
                    group = self.number((self._depth, before, keys))
                    generators, guards = Counter({group: 1}), set()
                    for position, key in enumerate(op.group_keys):
                        self.of[key] = self.number((group, position))
                    for row, bag in zip(op.bag_values, op.bags, strict=True):
                        values = tuple(self.value(value) for value in row)
                        self.of[bag] = self.number((group, "bag", values))
                case comprehension.YieldOp():
                    break
                case _:
                    self._bind(op, self._op(op))
        qualifiers = self.number((frozenset(generators.items()), frozenset(guards)))
        end = block.last_op
        operands = () if end is None else end.operands
        return BodyKey(qualifiers, tuple(self.value(operand) for operand in operands))

    def _op(self, op: Operation) -> int:
        if isinstance(op, Root):
            return self.root(op)
        regions = tuple(self._region(block) for region in op.regions for block in region.blocks)
        return self.number((self._head(op), regions))

    def _region(self, block: Block) -> Hashable:
        """The key of a block that is no comprehension: its ops in their order."""
        self._depth += 1
        for position, argument in enumerate(block.args):
            self.of[argument] = self.number((self._depth, argument.type, position))
        ops: list[Hashable] = []
        for op in block.ops:
            if op.has_trait(IsTerminator):
                ops.append(self._head(op))
                continue
            key = self._op(op)
            self._bind(op, key)
            ops.append(key)
        self._depth -= 1
        return tuple(ops)

    def _bind(self, op: Operation, key: int) -> None:
        for position, result in enumerate(op.results):
            self.of[result] = self.number((key, position))
