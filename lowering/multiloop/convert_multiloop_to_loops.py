"""Turn a loop with generators into loops over memrefs.

Reads functions of one `multiloop.loop` over an argument's rows, or over a range; writes `scf.for`
over `memref`. Bags become how many rows they have and a buffer for each column that is read, and
each generator has buffers behind the other arguments. After these come the state of the call, where
the function says which row is next and how many rows each generator has, whether the call is the
first one with these buffers, and the rows that it is to go through; where there are buckets
alone, also which part of the keys it is to make, of how many; where there are scans, whether it is
to fold the rows for these and to do nothing else, and whether they go on from what their buffers
hold, so that threads can share the rows. It stops where the buffers are full. A row that reads a
list outside of it leaves a 1 in the state, behind the numbers of rows (list_reads.py). Characters
that are read are bytes, unless a call says that they are integers: its loops are there twice.

    func.func @k(%rows: !comprehension.bag<f64>) -> f64 {
      %s = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64 {
      ^bb0(%x: f64, %sum: !multiloop.reduce<add : f64>):
        multiloop.emit %sum(%x : f64)
      }
      func.return %s : f64
    }

becomes

    func.func @k(%length: index, %x: memref<?xf64>, %result: memref<f64>,
                 %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index) {
      %acc = memref.alloca() : memref<1xf64>
      …
      scf.for %row = %begin to %end step %one {
        %0 = memref.load %x[%row]
        …

A function that scans vectors, and makes nothing else than these and numbers, is called as one over
dense arrays: what it makes is known before (vector_scans.py).

What a row folds in a loop of its own is done for a strip of rows at a time (row_strips.py).

Other functions are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    IndexType,
    IntegerType,
    ModuleOp,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import ElementOp
from diablo.dialects.effects import has_no_effect
from diablo.dialects.encodings import is_sparse, is_tiled
from diablo.dialects.locations import remark
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
from diablo.dialects.number_constants import ConstantOps, is_arithmetic
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.convert_kernel_to_llvm import STRUCTURED
from diablo.lowering.llvm.kernel_loops import check_convertible, loops_over_points, memref_type
from diablo.lowering.llvm.kernel_loops import convert_function as convert_kernel
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.loop_functions import functions_for_loops, replace_body, uses_regions
from diablo.lowering.multiloop.bucket_code import BucketCode, BucketCollectCode, KeyedCode
from diablo.lowering.multiloop.encode_columns import column_words
from diablo.lowering.multiloop.generator_code import (
    CollectCode,
    Frame,
    GeneratorCode,
    PlacedCode,
    ReduceCode,
    Register,
    VectorCode,
    column_type,
)
from diablo.lowering.multiloop.key_words import check_key
from diablo.lowering.multiloop.list_reads import may_fail
from diablo.lowering.multiloop.loop_body import (
    Columns,
    ListColumn,
    LoopBody,
    Matched,
)
from diablo.lowering.multiloop.match_index import MatchIndex
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.lowering.multiloop.row_loop import fold_or_all, loops_around, near_or_far
from diablo.lowering.multiloop.vector_scans import convert_scans, has_pieces, scans_vectors
from diablo.passes.analyses.refused import Refused
from diablo.row_kernel_signature import TEXT


def only_loop(function: func.FuncOp) -> LoopOp:
    """The loop of a function that can be loops over buffers.

    Raises
    ------
    Refused
        If the function has another form.
    """
    loops = [op for op in function.body.block.ops if isinstance(op, LoopOp)]
    if len(loops) != 1:
        raise Refused(f"it has {len(loops)} loops")
    (loop,) = loops
    end = function.body.block.last_op
    if not isinstance(end, func.ReturnOp) or list(end.arguments) != returned(loop):
        raise Refused("it returns something else than what its loop makes")
    for op in function.body.block.ops:
        if op is not loop and op is not end and not _is_plain(op):
            raise Refused(f"{op.name} is no loop")
    if loop.source.data == "rows" and loop.inputs[0] not in function.args:
        raise Refused("it goes through rows that it makes")
    for argument in function.args:
        if is_tensor(argument.type) and (is_sparse(argument.type) or is_tiled(argument.type)):
            raise Refused(f"argument of type {argument.type}")
    for inner in loop.walk():
        if isinstance(inner, LoopOp) and (inner.is_over_points or inner.is_over_regions):
            raise Refused(f"a loop over {inner.source.data} is in another loop")
        if isinstance(inner, LoopOp) and inner.source.data == "matches":
            bag, *keys = inner.inputs
            if bag not in function.args:
                raise Refused("it looks for rows among those that it makes")
            for key in keys:
                check_key(key.type)
    for inner in loop.body.walk():
        emits = isinstance(inner, EmitOp | LoopOp) or inner.name in STRUCTURED
        lists = [result for result in inner.results if isinstance(result.type, BagType)]
        if lists and not isinstance(inner, LoopOp):
            raise Refused(f"a list is made by {inner.name}")
        if not emits and not has_no_effect(inner):
            raise Refused(f"{inner.name} has effects, and a row may be done twice")
    for generator in loop.generators:
        _check_buckets(loop, generator)
    return loop


def returned(loop: LoopOp) -> list[SSAValue]:
    """Return what the function of a loop returns: not what comes of a scan, if nobody asks."""
    return [made for made in loop.made if made.uses]


def _is_plain(op: Operation) -> bool:
    return op.name == "tensor.dim" or is_arithmetic(op)


def is_placed(loop: LoopOp, generator: SSAValue) -> bool:
    """Return whether each iteration emits just one row to a generator, whatever happens."""
    emits = [use.operation for use in generator.uses]
    return len(emits) == 1 and emits[0].parent_op() is loop


def emits_at_most_once(loop: LoopOp, generator: SSAValue) -> bool:
    """Return whether no iteration emits two rows to a generator."""
    emits = [use.operation for use in generator.uses]
    return len(emits) <= 1 and not any(loops_around(loop, emit) for emit in emits)


def read_columns(function: func.FuncOp, bag: SSAValue) -> list[bool]:
    """Return which columns of a bag the loops of a function read."""
    assert isinstance(bag.type, BagType)
    loops = [op for op in function.walk() if isinstance(op, LoopOp) and bag in op.inputs]
    elements = _elements_of(function, [bag])
    return [
        any(loop.elements[number].uses or number in loop.matched for loop in loops)
        or any(op.values[number].uses for op in elements)
        for number in range(len(bag.type.columns))
    ]


def _elements_of(function: func.FuncOp, bags: Sequence[SSAValue]) -> list[ElementOp]:
    """The ops of a function that read rows of some bags by their positions."""
    return [op for op in function.walk() if isinstance(op, ElementOp) and op.bag in bags]


def read_items(function: func.FuncOp, bag: SSAValue, column: int) -> list[bool]:
    """Return which columns of the lists in a column of a bag the loops of a function read.

    Raises
    ------
    Refused
        If that is a list itself.
    """
    loops = [op for op in function.walk() if isinstance(op, LoopOp) and bag in op.inputs]
    lists = [loop.elements[column] for loop in loops]
    over = [
        op
        for op in function.walk()
        if isinstance(op, LoopOp) and any(value in op.inputs for value in lists)
    ]
    assert isinstance(bag.type, BagType)
    items = bag.type.columns.data[column]
    assert isinstance(items, BagType)
    elements = _elements_of(function, lists)
    read = [
        any(op.elements[k].uses for op in over) or any(op.values[k].uses for op in elements)
        for k in range(len(items.columns))
    ]
    if any(isinstance(t, BagType) and r for t, r in zip(items.columns, read, strict=True)):
        raise Refused("a list of a row has lists itself")
    return read


def matched_bags(function: func.FuncOp) -> list[Matched]:
    """The bags in which a function finds rows by a key, with the columns of that."""
    loops = [op for op in function.walk() if isinstance(op, LoopOp)]
    found = {(op.inputs[0], op.matched): None for op in loops if op.source.data == "matches"}
    return list(found)


def has_integer_key(bag: SSAValue, columns: Sequence[int]) -> bool:
    """Return whether the key by which rows of a bag are found is one integer."""
    assert isinstance(bag.type, BagType)
    keys = [bag.type.columns.data[number] for number in columns]
    return len(keys) == 1 and isinstance(keys[0], IndexType | IntegerType)


def _check_buckets(loop: LoopOp, generator: SSAValue) -> None:
    """Raise `Refused` unless it is known before a row how many keys it may fill buckets of."""
    if not isinstance(generator.type, BucketReduceType | BucketCollectType):
        return
    for use in generator.uses:
        around = loops_around(loop, use.operation)
        values = [value for inner in around for value in inner.inputs]
        known = all(inner.source.data != "matches" for inner in around) and not any(
            loop.is_ancestor(value.owner) for value in values
        )
        # Of several loops the product may be beyond all integers.
        if len(around) > 1 or not known:
            raise Refused("rows with emits of a number of their own fill buckets")


def _emits_any_number(loop: LoopOp) -> bool:
    """Return whether an iteration collects rows in loops of its own."""
    return any(
        bool(loops_around(loop, use.operation))
        for generator in loop.generators
        if isinstance(generator.type, CollectType)
        for use in generator.uses
    )


def _makes_lists(loop: LoopOp) -> bool:
    """Return whether a row may have lists that are collected for it."""
    return any(
        isinstance(column, BagType)
        for generator in loop.generators
        if isinstance(generator.type, CollectType)
        for column in generator.type.columns
    )


def generator_codes(loop: LoopOp) -> list[GeneratorCode]:
    """Return what becomes of the generators of a loop."""
    codes: list[GeneratorCode] = []
    own = _emits_any_number(loop) or _makes_lists(loop)
    for generator in loop.generators:
        match generator.type:
            case ReduceType() as type:
                codes.append(ReduceCode(Fold.of(type.monoid.data, type.element, loop)))
            case ScanType() as type:
                fold = Fold.of(type.monoid.data, type.element, loop)
                codes.append(ReduceCode(fold, is_carried=True))
            case PlaceType() as type:
                codes.append(VectorCode(type.element))
            case BucketReduceType() as type:
                pairs = zip(type.monoids, type.elements, strict=True)
                folds = [Fold.of(monoid.data, element, loop) for monoid, element in pairs]
                codes.append(BucketCode(type, folds))
            case BucketCollectType() as type:
                codes.append(BucketCollectCode(type))
            case CollectType() as type:
                if is_placed(loop, generator):
                    codes.append(PlacedCode(type))
                else:
                    limited = not emits_at_most_once(loop, generator)
                    codes.append(CollectCode(type, limited, is_tested=own))
            case _:
                raise AssertionError("a loop has generators")
    return codes


def convert_function(function: func.FuncOp, *, split: bool = False) -> None:
    """Rewrite a function that `only_loop` accepts, in place.

    With `split`, one that scans vectors can be called for a piece of its points, where pieces of it
    can be put together.

    Raises
    ------
    Refused
        If an op in its loop has no form over buffers; the function is as it was then.
    """
    loop = only_loop(function)
    _settle_bounds(loop)
    if scans_vectors(function, loop):
        convert_scans(function, loop, split=split and has_pieces(loop))
        return
    block = Block()

    def argument(type: Attribute, hint: str | None) -> SSAValue:
        added = block.insert_arg(type, len(block.args))
        added.name_hint = hint
        return added

    body = LoopBody()
    texts: dict[SSAValue, dict[int, ListColumn]] = {}
    for old in function.args:
        if isinstance(old.type, BagType):
            body.bags[old] = _bag_columns(function, old, argument)
            texts[old] = _texts(function, old, body.bags[old], argument)
        elif is_tensor(old.type):
            body.arrays[old] = argument(memref_type(old.type), old.name_hint)
        else:
            body.bind(old, [argument(old.type, old.name_hint)])
    is_wide = argument(i1, "wide") if any(texts.values()) else None
    matched = matched_bags(function)
    chains: list[Sequence[SSAValue]] = []
    for bag, numbers in matched:
        chain = [(column_type(i32), "heads"), (column_type(i32), "next")]
        if has_integer_key(bag, numbers):
            chain += [(i64, name) for name in ("base", "factor", "by")]
        chains.append([argument(*each) for each in chain])
    codes = generator_codes(loop)
    buffers = [[argument(*each) for each in code.arguments] for code in codes]
    state = argument(column_type(IndexType()), "state")
    fresh = argument(i1, "fresh")
    begin, end = argument(IndexType(), "begin"), argument(IndexType(), "end")
    part: tuple[SSAValue, SSAValue] | None = None
    if all(isinstance(code, KeyedCode) for code in codes):
        part = argument(IndexType(), "part"), argument(IndexType(), "parts")

    has_scans = any(isinstance(generator.type, ScanType) for generator in loop.generators)
    folds = argument(i1, "folds") if has_scans else None
    carried = argument(i1, "carried") if has_scans else None
    build = argument(i1, "build") if matched else None

    entry = OpWriter(loop, block)
    body.frame = frame = Frame(entry, fresh, state, entry.index(0), part, carried)
    failed: Register | None = None
    if may_fail(loop):
        frame.last = entry.index(1 + len(codes))
        failed = frame.failed  # It begins before all loops.
    for op in function.body.block.ops:
        if op is not loop and not isinstance(op, func.ReturnOp):
            body.copy([op], block)
    for (bag, numbers), (heads, following, *spread) in zip(matched, chains, strict=True):
        assert build is not None
        held = body.bags[bag]
        keys = [column for number in numbers if (column := held.columns[number]) is not None]
        index = body.indexes[bag, numbers] = MatchIndex(held.length, keys, heads, following, spread)
        index.begin(entry, build)
    for number, (code, own) in enumerate(zip(codes, buffers, strict=True)):
        code.begin(frame, number, own)
    for generator, code in zip(loop.generators, codes, strict=True):
        body.emits[generator] = code

    def write(own: LoopBody, writer: OpWriter) -> SSAValue:
        if folds is None:
            return near_or_far(loop, own, codes, writer, (begin, end))
        return fold_or_all(loop, own, codes, writer, folds, (begin, end))

    if is_wide is None:
        last = write(body, entry)
    else:
        wide = {
            bag: replace(held, lists={**held.lists, **texts[bag]})
            for bag, held in body.bags.items()
        }
        last = entry.choose(
            is_wide,
            lambda side: write(body.apart(bags=wide), side),
            lambda side: write(body.apart(), side),
        )
    for code in codes:
        code.end(entry)
    entry.put(memref.StoreOp.get(last, state, [entry.index(0)]))
    if failed is not None and frame.last is not None:
        (has_failed,) = failed.read(entry)
        entry.put(memref.StoreOp.get(has_failed, state, [frame.last]))
    block.add_op(func.ReturnOp())

    replace_body(function, block)


Argument = Callable[[Attribute, str | None], SSAValue]
"""Adds an argument of a type with a name."""


def _bag_columns(function: func.FuncOp, bag: SSAValue, argument: Argument) -> Columns:
    """The arguments for a bag, of whose columns some are read."""
    assert isinstance(bag.type, BagType)
    length = argument(IndexType(), "length")
    columns: list[SSAValue | None] = []
    lists: dict[int, ListColumn] = {}
    read = read_columns(function, bag)
    texts = _text_columns(function, bag)
    for number, (type, is_read) in enumerate(zip(bag.type.columns, read, strict=True)):
        if is_read and isinstance(type, BagType):
            items = [i8] if number in texts else list(type.columns)
            are_read = [True] if number in texts else read_items(function, bag, number)
            lists[number] = _list_column(items, are_read, argument)
            is_read = False
        columns.append(argument(column_type(type), "column") if is_read else None)
    return Columns(length, columns, lists)


def _text_columns(function: func.FuncOp, bag: SSAValue) -> set[int]:
    """Return which columns of a bag are strings whose characters are read."""
    assert isinstance(bag, BlockArgument)
    words = column_words(function.arg_attrs, bag.index)
    return {number for number, word in enumerate(words) if word == TEXT}


def _texts(
    function: func.FuncOp, bag: SSAValue, columns: Columns, argument: Argument
) -> dict[int, ListColumn]:
    """The arguments for strings of a bag that have characters which take more than a byte."""
    return {
        number: replace(lists, columns=[argument(column_type(i32), "wide")])
        for number, lists in columns.lists.items()
        if number in _text_columns(function, bag)
    }


def _list_column(
    types: Sequence[Attribute], read: Sequence[bool], argument: Argument
) -> ListColumn:
    """The arguments for a column of lists, of whose columns some are read."""
    starts, lengths = (argument(column_type(IndexType()), name) for name in ("starts", "lengths"))
    items = [
        argument(column_type(item), "item") if is_read else None
        for item, is_read in zip(types, read, strict=True)
    ]
    return ListColumn(starts, lengths, items)


def _settle_bounds(loop: LoopOp) -> None:
    """Let constants that bound the loops within a loop stand before it: all rows share them."""
    inner = [op for op in loop.body.walk() if isinstance(op, LoopOp)]
    for owner in {value.owner for op in inner for value in op.inputs}:
        if isinstance(owner, ConstantOps) and loop.is_ancestor(owner):
            owner.detach()
            Rewriter.insert_op(owner, InsertPoint.before(loop))


def convert_loop_functions(
    module: ModuleOp, convert: Callable[[func.FuncOp], None], refused: str
) -> None:
    """Convert the functions of one loop with generators; `refused` begins why others are left."""

    def is_done(function: func.FuncOp, check: Callable[[func.FuncOp], object]) -> bool:
        try:
            check(function)
        except Refused as why:
            remark(function, f"{refused}: {why}")
            return False
        return True

    chosen = [
        function
        for function in module.ops
        if isinstance(function, func.FuncOp)
        and len(function.body.blocks) == 1
        and any(isinstance(op, LoopOp) and not op.is_over_points for op in function.body.block.ops)
        and not uses_regions(function)
        and is_done(function, only_loop)
    ]
    for function in functions_for_loops(module, chosen):
        is_done(function, convert)


def _convert_points(module: ModuleOp, *, split: bool, plain: bool) -> None:
    """Convert the functions of loops over points."""
    chosen: list[func.FuncOp] = []
    for function in module.ops:
        if not isinstance(function, func.FuncOp) or not function.body.blocks:
            continue
        if not loops_over_points(function) or uses_regions(function):
            continue
        try:
            check_convertible(function)
            chosen.append(function)
        except Refused as why:
            remark(function, f"no loops over buffers: {why}")
    for function in functions_for_loops(module, chosen):
        convert_kernel(function, split, plain=plain)


@dataclass(frozen=True)
class ConvertMultiloopToLoopsPass(ModulePass):
    """Turns functions of loops into `scf` over memrefs.

    Those of loops over points are kernels over dense arrays (kernel_loops.py), those of loops over
    regions of sparse arrays go through the vectors of their layouts (region_functions.py), and
    those over rows or a range have one loop, besides those within it.
    """

    name = "convert-multiloop-to-loops"
    split: bool = False
    """Let a call compute a part of the outermost dimension of points, for threads to share it.

    Or of the points of vectors that are scanned.
    """
    plain: bool = False
    """Write one loop for each dimension of points and nothing else, as for a GPU."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function that can be loops; leave the others alone."""
        convert_loop_functions(
            op, partial(convert_function, split=self.split), "no loops over buffers"
        )
        _convert_points(op, split=self.split, plain=self.plain)
        if any(isinstance(f, func.FuncOp) and uses_regions(f) for f in op.ops):
            # Most programs have no sparse kernel, and its lowering is long to load.
            from diablo.lowering.sparse_storage.region_functions import convert_functions

            convert_functions(op, plain=self.plain)
