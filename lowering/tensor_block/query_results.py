"""What a comprehension computes, as array algebra sees it: the indices of its result, and numbers.

Reads the `comprehension` level; writes nothing. The result of

    %i, %j, %a = each %A; group_by keys(%j) values(%a); %s = reduce add %as; yield (%g) %s

is indexed by `%j`, the value before the group-by.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    StringAttr,
    TensorType,
)
from xdsl.ir import SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import as_array
from diablo.lowering.tensor_block.query import Query, underlying
from diablo.passes.analyses.refused import Refused


def result_keys(query: Query) -> list[SSAValue]:
    """The values before the group-by that index the result."""
    root = query.root
    if isinstance(root, comprehension.CollectOp):
        raise Refused("the result is a list")
    if isinstance(root, comprehension.MergeOp) and isinstance(root.dest.type, BagType):
        raise Refused("the result is a map")
    keys = list(query.head.keys)
    if query.group is None:
        return keys
    if isinstance(root, comprehension.MergeOp | comprehension.AggregateOp):
        raise Refused("grouped rows update an array")
    source: dict[SSAValue, SSAValue] = dict(
        zip(query.group.group_keys, query.group.keys, strict=True)
    )
    if len(keys) != len(source) or any(underlying(k) not in source for k in keys):
        raise Refused("the head's index is not the group's key")
    return [source[underlying(k)] for k in keys]


def is_probed_array(op: comprehension.ProbeOp, query: Query) -> bool:
    """Whether a probe of each row, not of each group, looks into the same array for all."""
    return (
        op in query.lets
        and isinstance(op.collection.type, TensorType)
        and not query.binds(op.collection)
    )


def check_numbers(query: Query) -> None:
    """Raise `Refused` if anything but numbers is computed with."""
    if any(as_array(value.type) is not None for value in query.head.values):
        raise Refused("an element is an array")
    for op in query.block.walk():
        if isinstance(op, comprehension.ProbeOp) and not is_probed_array(op, query):
            raise Refused("an element is read only on a condition")
        if isinstance(op, comprehension.ElementOp):
            raise Refused("a row of a list is read by its position")
        monoid = op.properties.get("monoid") or query.root.properties.get("monoid")
        if isinstance(monoid, StringAttr) and monoids.is_user_defined(monoid.data):
            raise Refused("a monoid is the program's own")
        for value in (*op.operands, *op.results):
            element = as_array(value.type)
            type = value.type if element is None else element.get_element_type()
            if not isinstance(
                type, (IntegerType | IndexType | AnyFloat | ComplexType | comprehension.BagType)
            ):
                raise Refused("an element is no number")
