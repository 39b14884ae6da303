"""What a comprehension computes, as array algebra sees it: the indices of its result, and numbers.

Reads the `comprehension` level; writes nothing. The result of

    %i, %j, %a = each %A; group_by keys(%j) values(%a); %s = reduce add %as; yield (%g) %s

is indexed by `%j`, the value before the group-by.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, TensorType, TupleType
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import as_array, is_sparse
from diablo.lowering.kernel_types import element_type, is_number
from diablo.lowering.tensor_block.query.query import Query
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import underlying


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
    if len(keys) != len(source) or {underlying(key) for key in keys} != set(source):
        raise Refused("the head's index is not the group's key")
    return [source[underlying(k)] for k in keys]


def is_probed_array(op: comprehension.ProbeOp, query: Query) -> bool:
    """Return whether a probe of each row, not of each group, looks into the same array for all."""
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
        for value in (*op.operands, *op.results):
            type = element_type(value.type)
            of_numbers = all(map(is_number, _parts(type)))
            if not of_numbers and not isinstance(type, comprehension.BagType):
                raise Refused("an element is no number")
    if _is_sparse(query) and _has_tuples(query):
        raise Refused("tuples are elements of sparse arrays")
    if _is_sparse(query) and any(map(monoids.is_user_defined, _monoids(query))):
        raise Refused("a monoid is the program's own, and an array is sparse")


def _parts(type: Attribute) -> Sequence[Attribute]:
    return list(type.types) if isinstance(type, TupleType) else [type]


def _is_sparse(query: Query) -> bool:
    values = [value for op in query.root.walk() for value in (*op.operands, *op.results)]
    return any(is_sparse(value.type) for value in values)


def _has_tuples(query: Query) -> bool:
    values = [value for op in query.root.walk() for value in (*op.operands, *op.results)]
    types = [element_type(value.type) for value in values]
    return any(isinstance(type, TupleType) for type in types)


def _monoids(query: Query) -> list[str]:
    """The names of the monoids that values are combined with."""
    found = [op.properties.get("monoid") for op in query.root.walk()]
    return [name.data for name in found if isinstance(name, StringAttr)]
