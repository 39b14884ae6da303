"""The `comprehension` dialect: monoid comprehensions as do-notation in one block.

A comprehension is an op with a block, its *root* (`build`, `merge`, `collect`, `aggregate`).
In the block, an op that stands after a *generator* (`each`, `range`) runs once per element;
SSA dominance is scoping and a `let` is an ordinary op. Collections are *bags* of rows, and
arrays, whose *implicit value* at an index where nothing is stored is zero. Bags and whole
comprehensions are folded with a *monoid*, which is commutative: `add`, `mul`, `min` or `max`
on numbers, `and` or `or` on Booleans. The sums of a matrix's rows:

```mlir
%R = comprehension.build (%n) : tensor<?xf64> {
  %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
  %gi, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
  %s = comprehension.reduce add %as : !comprehension.bag<f64>
  comprehension.yield (%gi) %s
}
```
"""

from __future__ import annotations

from xdsl.ir import Dialect

from diablo.dialects.bags import BagType, element_types
from diablo.dialects.complex_numbers import ToComplexOp
from diablo.dialects.comprehension.comprehension_constants import ConstantListOp
from diablo.dialects.comprehension.comprehension_groups import GroupByOp
from diablo.dialects.comprehension.comprehension_lists import (
    ElementOp,
    LastOp,
    LengthOp,
    ListOp,
    ReduceOp,
    has_no_rows,
)
from diablo.dialects.comprehension.comprehension_monoids import MonoidOp
from diablo.dialects.comprehension.comprehension_numbers import (
    HashOp,
    NumberCallOp,
    RandomOp,
    RemainderOp,
)
from diablo.dialects.comprehension.comprehension_places import PlaceOp
from diablo.dialects.comprehension.comprehension_qualifiers import EachOp, GuardOp, RangeOp, YieldOp
from diablo.dialects.comprehension.comprehension_reads import ProbeOp
from diablo.dialects.comprehension.comprehension_roots import (
    AggregateOp,
    BuildOp,
    CollectOp,
    MergeOp,
)
from diablo.dialects.comprehension.comprehension_sequences import (
    ColumnOp,
    RowOp,
    SequenceOp,
    SequenceType,
    is_vector_column,
)
from diablo.dialects.comprehension.comprehension_strings import StringCallOp, StringOp
from diablo.dialects.comprehension.comprehension_tables import (
    EntriesOp,
    FindOp,
    PutOp,
    SizeOp,
    TableOp,
    TableType,
)
from diablo.dialects.comprehension.comprehension_tuples import PackOp, UnpackOp
from diablo.dialects.number_constants import ComplexConstantOp, UnsignedOp
from diablo.dialects.string_functions import StringType

__all__ = [
    "AggregateOp",
    "BagType",
    "BuildOp",
    "CollectOp",
    "ColumnOp",
    "ComplexConstantOp",
    "Comprehension",
    "ConstantListOp",
    "EachOp",
    "ElementOp",
    "EntriesOp",
    "FindOp",
    "GroupByOp",
    "GuardOp",
    "HashOp",
    "LastOp",
    "LengthOp",
    "ListOp",
    "MergeOp",
    "MonoidOp",
    "NumberCallOp",
    "PackOp",
    "PlaceOp",
    "ProbeOp",
    "PutOp",
    "RandomOp",
    "RangeOp",
    "ReduceOp",
    "RemainderOp",
    "RowOp",
    "SequenceOp",
    "SequenceType",
    "SizeOp",
    "StringCallOp",
    "StringOp",
    "StringType",
    "TableOp",
    "TableType",
    "ToComplexOp",
    "UnpackOp",
    "YieldOp",
    "element_types",
    "has_no_rows",
    "is_vector_column",
]


Comprehension = Dialect(
    "comprehension",
    [
        EachOp,
        RangeOp,
        GuardOp,
        GroupByOp,
        ReduceOp,
        LengthOp,
        LastOp,
        RandomOp,
        UnsignedOp,
        YieldOp,
        BuildOp,
        MergeOp,
        CollectOp,
        AggregateOp,
        StringOp,
        StringCallOp,
        PackOp,
        UnpackOp,
        ListOp,
        ConstantListOp,
        ElementOp,
        ProbeOp,
        PlaceOp,
        SequenceOp,
        RowOp,
        ColumnOp,
        TableOp,
        FindOp,
        PutOp,
        SizeOp,
        EntriesOp,
        HashOp,
        NumberCallOp,
        RemainderOp,
        ComplexConstantOp,
        ToComplexOp,
        MonoidOp,
    ],
    [BagType, SequenceType, StringType, TableType],
)
