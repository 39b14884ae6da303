"""Compiles kernels over rows: from `tensor_block` ops on bags to LLVM IR text.

    compile_row_kernel(…)    =>    NativeKernel("kernel_0", "define void @kernel_0(...",
                                                "(i64,f64) -> f64(add) over 0 weight 1")

The ops become loops, which are fused to one. A kernel that needs more than one, or computes with
what machine code has no values of, is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, TupleType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import MonoidOp, NumberCallOp
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.multiloop import (
    BucketCollectType,
    BucketReduceType,
    CollectType,
    EmitOp,
    LoopOp,
    PlaceType,
    ReduceType,
    ScanType,
)
from diablo.dialects.number_constants import ConstantOps
from diablo.kernel_signature import Dimension, Slot
from diablo.lowering.kernel_types import check_machine_code, is_tensor
from diablo.lowering.llvm.convert_kernel_to_llvm import STRUCTURED
from diablo.lowering.llvm.convert_scalars_to_llvm import has_machine_code
from diablo.lowering.llvm.expand_complex import can_expand, has_complex
from diablo.lowering.llvm.kernel_to_llvm import CHECKED_DIVISIONS, is_safe_divisor, native_text
from diablo.lowering.llvm.native_kernel import NativeKernel
from diablo.lowering.llvm.signature_parts import dimension_of, number_name
from diablo.lowering.llvm.tuple_parts import part_types
from diablo.lowering.multiloop.bucket_code import has_table
from diablo.lowering.multiloop.convert_multiloop_to_loops import (
    convert_function,
    emits_at_most_once,
    has_integer_key,
    is_placed,
    matched_bags,
    only_loop,
    read_columns,
    read_items,
)
from diablo.lowering.multiloop.convert_tensor_block_to_multiloop import (
    ConvertTensorBlockToMultiloopPass,
)
from diablo.lowering.multiloop.encode_columns import column_words, encode_columns
from diablo.lowering.multiloop.vector_scans import hangs_on_scans
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.varying_values import varies_in
from diablo.passes.fuse_multiloops import FuseMultiloopsPass
from diablo.row_kernel_signature import (
    OWN,
    TEXT,
    BagSlot,
    Match,
    Output,
    RowSignature,
    list_element,
    widths_of,
)

_TRIPS = 128
"""How often a row is taken to go through a loop whose ends it says itself: longer loops are what
costs."""
_FRAME = frozenset(
    [
        "func.func",
        "func.return",
        "tensor.dim",
        "tensor.extract",
        "comprehension.element",
        "comprehension.length",
        "comprehension.pack",
        "comprehension.unpack",
        LoopOp.name,
        EmitOp.name,
        *STRUCTURED,
    ]
)
"""What else than scalar ops a kernel over rows may hold that becomes machine code."""


def compile_row_kernel(context: Context, module: ModuleOp) -> NativeKernel:
    """Return the only function of `module` as LLVM IR; raises `Refused` if it is not compiled."""
    function, signature = find_row_loop(context, module)
    convert_function(function)
    for monoid in [op for op in module.ops if isinstance(op, MonoidOp)]:
        module.body.block.erase_op(monoid)  # Its body is in the loops.
    return NativeKernel(
        function.sym_name.data, signature, lambda: native_text(context, module.clone())
    )


def find_row_loop(context: Context, module: ModuleOp) -> tuple[func.FuncOp, RowSignature]:
    """Make the only function of `module` a loop over rows; return it, and what it takes and gives.

    Raises
    ------
    Refused
        If there is no machine code for it.
    """
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    ConvertTensorBlockToMultiloopPass().apply(context, module)
    FuseMultiloopsPass().apply(context, module)
    encode_columns(function)
    _check(function)
    return function, _signature(function)


def _check(function: func.FuncOp) -> None:
    """Raise `Refused` if an op of a kernel has no machine code."""
    check_machine_code(function)
    for op in function.walk():
        is_known = op.name in _FRAME or (has_complex(op) and can_expand(op))
        if not is_known and not has_machine_code(op):
            called = isinstance(op, NumberCallOp)
            name = f"the function {op.function.data}" if called else op.name
            raise Refused(f"{name} has no machine code")
        if isinstance(op, tensor.DimOp) and not isinstance(op.index.owner, ConstantOps):
            raise Refused("which dimension is meant shows only at run time")
        if isinstance(op, CHECKED_DIVISIONS) and not is_safe_divisor(op.rhs):
            raise Refused("an integer division may fail")
        for result in op.results:
            if not isinstance(result.type, BagType) and not is_tensor(result.type):
                _elements(result.type)


def _signature(function: func.FuncOp) -> RowSignature:
    """Return what the compiled function takes and gives."""
    loop = only_loop(function)
    if _only_moves(loop):
        raise Refused("it computes nothing: columns are shared, and not copied")
    return RowSignature(
        tuple(_argument(function, argument) for argument in function.args),
        tuple(
            # Generators whose results are not returned are the last ones.
            _output(loop, generator, column_words(function.res_attrs, number) if made.uses else ())
            for number, (generator, made) in enumerate(zip(loop.generators, loop.made, strict=True))
        ),
        _source(function, loop),
        _weight(loop),
        tuple(
            Match(bag.index, columns[0] if has_integer_key(bag, columns) else None)
            for bag, columns in matched_bags(function)
            if isinstance(bag, BlockArgument)
        ),
        _inner_sizes(function, loop),
        _given(loop),
    )


def _argument(function: func.FuncOp, argument: SSAValue) -> BagSlot | Slot:
    type = argument.type
    if isinstance(type, BagType):
        read = read_columns(function, argument)
        assert isinstance(argument, BlockArgument)
        words = column_words(function.arg_attrs, argument.index)
        columns: list[str] = []
        for number, (column, word, is_read) in enumerate(zip_longest(type.columns, words, read)):
            if is_read and isinstance(column, BagType) and word != TEXT:
                items = zip(column.columns, read_items(function, argument, number), strict=True)
                columns.append(list_element([_column(c, "") if r else "" for c, r in items]))
            else:
                columns.append(_column(column, word) if is_read else "")
        return BagSlot(tuple(columns))
    if is_tensor(type):
        read = _extents_read(function, argument)
        return Slot(number_name(type), tuple(map(read.get, range(type.get_num_dims()))))
    return Slot(number_name(type))


def _extents_read(function: func.FuncOp, array: SSAValue) -> dict[int, Dimension]:
    """Return how far each dimension of an array is read by the index of a range."""
    found: dict[int, Dimension] = {}
    for use in array.uses:
        read = use.operation
        for axis, index in enumerate(read.indices if isinstance(read, tensor.ExtractOp) else ()):
            loop = index.owner.parent_op() if isinstance(index, BlockArgument) else None
            if not isinstance(loop, LoopOp) or loop.source.data != "range":
                continue
            extent = loop.inputs[1]
            if extent in function.args and found.setdefault(axis, dimension_of(extent)) != (
                dimension_of(extent)
            ):
                raise Refused("an array is read to different extents")
    return found


def _columns(types: Iterable[Attribute], words: Sequence[str]) -> tuple[str, ...]:
    """The elements of columns, which hold no tuples: as they are meant, where that is said."""
    return tuple(_column(type, word) for type, word in zip_longest(types, words))


def _column(type: Attribute, word: str | None) -> str:
    if is_tensor(type):
        raise Refused("a column holds arrays")
    if isinstance(type, BagType) and not word:
        return list_element([_column(column, "") for column in type.columns])
    return word or number_name(type)


def _parts(type: Attribute, word: str | None) -> tuple[str, ...]:
    """The elements of the columns that hold the parts of values."""
    if not isinstance(type, TupleType):
        return (_column(type, word),)
    if any(isinstance(part, TupleType) for part in type.types):
        raise Refused("a tuple holds a tuple")
    return _elements(type)


def _elements(type: Attribute) -> tuple[str, ...]:
    """The elements of the parts of a value."""
    return tuple(map(number_name, part_types(type)))


def _output(loop: LoopOp, generator: SSAValue, words: Sequence[str]) -> Output:
    match generator.type:
        case PlaceType(element=element):
            return Output("vector", _elements(element))
        case ReduceType(monoid=monoid, element=element) | ScanType(monoid=monoid, element=element):
            if isinstance(element, TupleType) and any(
                isinstance(part, TupleType) for part in element.types
            ):
                raise Refused("a tuple holds a tuple")
            scanned = isinstance(generator.type, ScanType) and hangs_on_scans(loop, generator)
            # What a piece of the rows adds is known then once those before it are done.
            own = is_user_defined(monoid.data) or scanned
            monoids = () if own else (monoid.data,)
            if isinstance(generator.type, ReduceType):
                return Output("reduce", _elements(element), (), monoids)
            unused = not loop.made[loop.generators.index(generator)].uses
            return Output("scan", _elements(element), (), monoids, unused=unused)
        case BucketReduceType() as type:
            keys = _columns(type.key, words[: len(type.key)])
            parts = [
                _parts(element, word)
                for element, word in zip_longest(type.elements, words[len(type.key) :])
            ]
            monoids = [
                OWN if is_user_defined(monoid.data) else monoid.data
                for monoid, own in zip(type.monoids, parts, strict=True)
                for _ in own
            ]
            values = tuple(part for own in parts for part in own)
            table, widths = has_table(type), widths_of(parts)
            return Output("groups", values, keys, tuple(monoids), table, widths=widths)
        case BucketCollectType() as type:
            columns = _columns((*type.key, *type.values), words)
            keys, values = columns[: len(type.key)], columns[len(type.key) :]
            return Output("lists", values, keys, (), has_table(type), widths=type.widths)
        case type:
            assert isinstance(type, CollectType)
            columns = _columns(type.values, words)
            placed, some = is_placed(loop, generator), emits_at_most_once(loop, generator)
            return Output("placed" if placed else "some" if some else "rows", columns)


def _source(function: func.FuncOp, loop: LoopOp) -> Dimension:
    """Return what says how many rows there are."""
    if loop.source.data == "rows":
        return dimension_of(loop.inputs[0])
    lower, upper = loop.inputs
    first = lower.owner
    if not isinstance(first, ConstantOps) or first.value != IntegerAttr(0, IndexType()):
        raise Refused("a range does not begin at 0")
    return dimension_of(upper)


def _only_moves(loop: LoopOp) -> bool:
    """Whether all that a loop does is to collect columns of its rows, or a vector, as they are."""
    return all(isinstance(generator.type, CollectType) for generator in loop.generators) and all(
        (isinstance(op, EmitOp | arith.IndexCastOp | ConstantOps) and op.parent_op() is loop)
        or _reads_in_order(op, loop)
        or _opens_list(op, loop)
        for op in loop.body.walk()
    )


def _given(loop: LoopOp) -> tuple[int, ...]:
    """Return which columns of its rows a loop does nothing with but to group them as they are."""
    ops = list(loop.body.block.ops)
    last = ops[-1] if len(ops) == 1 else None
    if not isinstance(last, EmitOp) or loop.source.data != "rows" or loop.reverse is not None:
        return ()
    if not isinstance(last.generator.type, BucketReduceType):
        return ()
    emitted = (*last.keys, *last.values)
    if not all(value in loop.elements for value in emitted):
        return ()
    return tuple([loop.elements.index(value) for value in emitted])


def _opens_list(op: Operation, loop: LoopOp) -> bool:
    """Whether `op` goes through a list of the row and emits all that it has, or is such an emit."""
    inner = op.parent_op() if isinstance(op, EmitOp) else op
    if not isinstance(inner, LoopOp) or inner.parent_op() is not loop or inner.made:
        return False
    return inner.source.data == "rows" and inner.inputs[0] in loop.elements


def _reads_in_order(op: Operation, loop: LoopOp) -> bool:
    """Whether `op` reads the next element of a vector in each iteration, from the first one on."""
    if not isinstance(op, tensor.ExtractOp) or loop.source.data != "range":
        return False
    if loop.reverse is not None:
        return False
    first, last = loop.inputs[:2]
    extent = last.owner
    whole = isinstance(extent, tensor.DimOp) and extent.source is op.tensor
    starts = isinstance(first.owner, arith.ConstantOp) and first.owner.value == IntegerAttr(
        0, IndexType()
    )
    return whole and starts and list(op.indices) == [loop.body.block.args[0]]


def _inner_sizes(function: func.FuncOp, loop: LoopOp) -> tuple[Dimension, ...]:
    """Return how many iterations the first nest of loops within a row has, as calls say it."""
    sizes: list[Dimension] = []
    op = loop
    while inner := next((op for op in op.body.block.ops if isinstance(op, LoopOp)), None):
        size = inner.inputs[1 if inner.source.data == "range" else 0]
        extent = size.owner
        array = extent.source if isinstance(extent, tensor.DimOp) else size
        if inner.source.data not in ("rows", "range") or array not in function.args:
            break
        sizes.append(dimension_of(size))
        op = inner
    return tuple(sizes)


def _weight(loop: LoopOp) -> int:
    """Return what a row is worth, in simple points.

    How often a row goes through a loop whose ends it says itself no call knows before.
    """
    once = 1 + sum(not isinstance(op, ConstantOps | EmitOp) for op in loop.body.walk()) // 8
    ranges = [
        inner
        for inner in loop.body.walk()
        if isinstance(inner, LoopOp) and inner.source.data == "range"
    ]
    own = any(varies_in(end, loop) for inner in ranges for end in inner.inputs)
    return once * _TRIPS if own else once
