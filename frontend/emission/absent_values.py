"""What the parts of a value start at that a map does not have yet.

    m[k].n += 1;  m[k].x min= v;

The first statement makes the values of new keys, of which it gives one part alone. The other one
starts where the second statement has it start, at the identity of `min`, and not at zero: the
two statements mean the same in either order. A part that several monoids update starts at the
identity of the one that comes first, and a part that none does is implicit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, TupleType, UnitAttr
from xdsl.ir import Attribute, Block, SSAValue

from diablo.dialects import monoids
from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import MonoidOp
from diablo.dialects.diablo import AccumulateOp, AccumulatePartsOp, RefType, VarOp

Monoids = Mapping[str, MonoidOp]


def set_absent_values(block: Block, own: Monoids) -> None:
    """Note at the maps of `block` what the parts of their values start at, if not at zero.

    `own` are the program's monoids by their names in the IR.
    """
    maps: dict[SSAValue, list[Attribute]] = {}
    for op in block.walk():
        written = ()
        if isinstance(op, AccumulateOp) and op.indices:
            written = _parts(op, own)
        elif isinstance(op, AccumulatePartsOp) and op.indices:
            written = _leaves(op, own)
        for ref, leaf, identity in written:
            types = _leaf_types(ref)
            if types is None:
                continue
            starts = maps.setdefault(ref, [UnitAttr()] * len(types))
            if starts[leaf] == UnitAttr():
                starts[leaf] = identity
    for ref, starts in maps.items():
        types, owner = _leaf_types(ref), ref.owner
        assert types is not None
        pairs = zip(starts, types, strict=True)
        told = [UnitAttr() if _is_implicit(start, type) else start for start, type in pairs]
        if isinstance(owner, VarOp) and any(start != UnitAttr() for start in told):
            owner.absent = ArrayAttr(told)


def _is_implicit(start: Attribute, type: Attribute) -> bool:
    is_number = monoids.domain_of(type) is not None
    return start == UnitAttr() or (is_number and start == monoids.zero_of(type))


def _leaf_types(ref: SSAValue) -> list[Attribute] | None:
    """The types of the parts of a map's values, if they are tuples."""
    assert isinstance(ref.type, RefType)
    held = ref.type.value
    if not isinstance(held, BagType) or not held.is_map:
        return None
    value = held.columns.data[-1]
    return list(value.types) if isinstance(value, TupleType) else None


def _parts(op: AccumulateOp, own: Monoids) -> Iterator[tuple[SSAValue, int, Attribute]]:
    """The leaves that an accumulation updates, each with its identity."""
    types = _leaf_types(op.ref)
    if types is None:
        return
    first, _ = op.leaves or (0, len(types))
    for number, identity in enumerate(_identity(op.monoid.data, op.value.type, own)):
        yield op.ref, first + number, identity


def _leaves(op: AccumulatePartsOp, own: Monoids) -> Iterator[tuple[SSAValue, int, Attribute]]:
    identities = _identity(op.monoid.data, op.value.type, own)
    for ref, leaf, identity in zip(op.refs, op.leaves, identities, strict=False):
        if leaf is not None:
            yield ref, leaf, identity


def _identity(name: str, type: Attribute, own: Monoids) -> list[Attribute]:
    """The identity of a monoid on values of `type`, a constant for each leaf."""
    if not monoids.is_user_defined(name):
        return [monoids.identity(name, type)]
    identity = own[name].identity
    return list(cast(ArrayAttr[Attribute], identity)) if isinstance(type, TupleType) else [identity]
