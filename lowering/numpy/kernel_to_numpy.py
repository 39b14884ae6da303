"""Kernels as readable, vectorised NumPy source: one Python function per `func.func`.

Reads the `tensor_block` level on local values (dense and sparse tiles, bags, scalars) and
writes Python text. The text uses the names `np`, `rows`, `SparseTile`, `arithmetic`,
`dot_products`, `matrix_products`, `sparse_points` and `sparse_products`.

    func.func private @kernel_0(%a: tensor<?x?xf64>, %n: index, ...) -> tensor<?xf64> {
      %s = "tensor_block.reduce"(%a, %n, %m) ...  // row sums
      func.return %s : tensor<?xf64>
    }

becomes

    def kernel_0(a, n, m):
        with np.errstate(all="ignore"):
            s = np.sum(a[:n, :m], axis=1)
        return s
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects import multiloop, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import array_type
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.scalar_types import is_numpy
from diablo.lowering.kernel_types import element_type, is_tensor, type_code
from diablo.lowering.numpy.expressions import (
    Expression,
    Level,
    dtype_of,
    numbers_text,
    place_of,
    tuple_text,
)
from diablo.lowering.numpy.numpy_branches import spread, write_branches
from diablo.lowering.numpy.numpy_iteration import emit_iteration
from diablo.lowering.numpy.numpy_joins import emit_tested_join, tested_by
from diablo.lowering.numpy.numpy_lines import broken
from diablo.lowering.numpy.numpy_monoids import literal_text, monoid_names, monoid_text
from diablo.lowering.numpy.numpy_products import emit_added_product, emit_product, is_quiet
from diablo.lowering.numpy.numpy_scalars import SPELLINGS, warns
from diablo.lowering.numpy.numpy_scope import Scope
from diablo.lowering.numpy.scatters import emit_scatter
from diablo.lowering.numpy.windowed_rows import window_arguments
from diablo.lowering.python_text import string_literal, symbol_name
from diablo.lowering.scalar_roles import role_of
from diablo.lowering.source_names import source_names
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.plans.liveness import Liveness


def emit_numpy_kernel(
    function: func.FuncOp, *, releases: bool = False, source: AbstractSet[str] = frozenset()
) -> str:
    """Return the source of a Python function that does what the kernel `function` does.

    If it `releases`, it lets go of each array and batch that it makes where that is used last. What
    has no name in the program gets none of `source`, the names in the rest of it.

    Raises
    ------
    CompileError
        If the kernel holds an op that has no NumPy spelling; the diagnostic is located.
    """
    liveness = Liveness() if releases else None
    scope = Scope(monoid_names(function), liveness, source_names(function) | source)
    parameters: list[str] = []
    for argument in function.body.block.args:
        name = scope.name(argument.name_hint, _kind(argument))
        parameters.append(name)
        scope.hold(argument, Expression(name))
    for argument in function.body.block.args:
        if is_numpy(argument.type):  # Python's numbers are wider, and do not divide by zero.
            text = scope.text(argument)
            scope.line(f"{text} = {dtype_of(argument.type)}({text})")
    called = f"{symbol_name(function.sym_name.data)}({', '.join(parameters)})"
    if any(_warns(op) for op in function.body.block.ops):
        with scope.indented('with np.errstate(all="ignore"):'):
            emit_block(scope, function.body.block)
    else:
        emit_block(scope, function.body.block)
    return "\n".join([*broken("def ", called, 0, ":"), *scope.lines]) + "\n"


def _kind(argument: SSAValue) -> str:
    """Return what an argument is called of which the program has no name."""
    if isinstance(argument.type, BagType):
        return "batch"
    return "tile" if is_tensor(argument.type) else role_of(argument)


def _warns(op: Operation) -> bool:
    """Return whether NumPy may warn about what an op of a kernel does with legal values."""
    if isinstance(op, func.ReturnOp | ConstantOps) or is_quiet(op):
        return False
    return any(warns(inner) for inner in op.walk())


def emit_block(scope: Scope, block: Block) -> None:
    """Write the ops of a block at kernel level."""
    variables = scope.variables
    for op in block.ops:
        emit = EMITTERS.get(type(op))
        if emit is not None:
            with variables.keeping(variables.read_by(variables.live_after(op))):
                emit(scope, op)
        elif op.name in SPELLINGS or isinstance(op, ConstantOps):
            scope.scalar(op, None)
        else:
            raise unsupported(op)
        if op is not block.last_op:
            scope.release(variables.live_after(op))


def _return(scope: Scope, op: func.ReturnOp) -> None:
    values = [scope.text(value) for value in op.arguments]
    scope.keep_to_the_end()
    if values:
        scope.statement("return ", ", ".join(values))
    else:
        scope.line("return")


def _if(scope: Scope, op: scf.IfOp) -> None:
    """A conditional at kernel level is Python's own."""
    names = [scope.name(result.name_hint, "chosen") for result in op.results]

    def branch(block: Block) -> Sequence[str]:
        emit_block(scope, block)
        end = block.last_op
        return [] if end is None else [scope.text(value) for value in end.operands]

    if names:
        write_branches(scope, op, [Expression(name) for name in names], branch)


def _yield(scope: Scope, op: scf.YieldOp) -> None:
    """The branch that ends here assigns the values."""


def _map(scope: Scope, op: tensor_block.MapOp) -> None:
    scope.comment_place(op)
    if not emit_added_product(scope, op):
        emit_iteration(scope, op)


def _reduce(scope: Scope, op: tensor_block.ReduceOp) -> None:
    scope.comment_place(op)
    if not emit_product(scope, op):
        emit_iteration(scope, op)


def _call(
    scope: Scope, op: Operation, function: str, arguments: Sequence[str], **named: str | None
) -> None:
    """Assign the result of a call to the op's result."""
    scope.comment_place(op)
    given = [f"{name}={text}" for name, text in named.items() if text is not None]
    text = f"rows.{function}({', '.join([*arguments, *given])})"
    result = op.results[0]
    hint = "batch" if isinstance(result.type, BagType) else "result"
    scope.hold(result, Expression(text), hint)


def _values(scope: Scope, values: Sequence[SSAValue]) -> str:
    return tuple_text([scope.text(value) for value in values])


def _offsets(scope: Scope, offsets: Sequence[SSAValue]) -> str | None:
    return _values(scope, offsets) if offsets else None


def _slice(scope: Scope, op: tensor_block.SliceOp) -> None:
    scope.comment_place(op)
    rank, fixed = array_type(op.array).get_num_dims(), op.fixed
    index = tuple_text([scope.text(fixed[d]) if d in fixed else "None" for d in range(rank)])
    text = f"slice_of({scope.text(op.array)}, {index})"
    scope.hold(op.result, Expression(text), "part")


def _scan(scope: Scope, op: tensor_block.ScanOp) -> None:
    scope.comment_place(op)
    array = scope.values[op.array].at(Level.ATOM)
    extents = ", ".join([f":{scope.text(extent)}" for extent in op.extents])
    part = f"{array}[{extents}]" if extents else array
    arguments = [part, monoid_text(op.monoid.data), str(op.dimension.value.data)]
    reverse = ["reverse=True"] if op.reverse is not None else []
    scope.hold(op.result, Expression(f"scan({', '.join([*arguments, *reverse])})"), "scanned")


def _to_bag(scope: Scope, op: tensor_block.ToBagOp) -> None:
    if _projected(op) is not None:
        # Only the columns that are wanted are made, by the projection.
        scope.variables.inline(op.result, scope.variables.read_by(op.operands))
        return
    _call(scope, op, "to_rows", [scope.text(op.input)], origins=_offsets(scope, op.offsets))


def _projected(op: tensor_block.ToBagOp) -> tensor_block.ProjectOp | None:
    """Return what alone reads the rows, and some of their columns."""
    uses = [use.operation for use in op.result.uses]
    alone = len(uses) == 1 and uses[0].parent is op.parent
    return uses[0] if alone and isinstance(uses[0], tensor_block.ProjectOp) else None


def _range(scope: Scope, op: tensor_block.RangeOp) -> None:
    arguments = [scope.text(op.lower), scope.text(op.upper)]
    _call(scope, op, "index_range", arguments + ([str(op.step.value.data)] if op.step else []))


def _from_bag(scope: Scope, op: tensor_block.FromBagOp) -> None:
    type: Attribute = op.result.type
    assert is_tensor(type)
    _call(
        scope,
        op,
        "from_rows",
        [
            scope.text(op.bag),
            _values(scope, op.extents),
            str(tensor_block.dense_rank(type)),
            dtype_of(type.get_element_type()),
        ],
        monoid=monoid_text(op.monoid.data) if op.monoid else None,
        dest=scope.text(op.dest[0]) if op.dest else None,
        within=scope.text(op.within[0]) if op.within else None,
        origins=_offsets(scope, op.offsets),
        places=str(op.place_columns) if op.places is not None else None,
    )


def _row_body(
    scope: Scope, op: tensor_block.FilterOp | tensor_block.ExtendOp | tensor_block.ExpandOp
) -> tuple[str, list[str]]:
    """Write the body of a row op over columns; return the batch's name and the columns."""
    scope.comment_place(op)
    batch = scope.assign(scope.values[op.bag], op.bag.name_hint, "batch").text
    block = op.body.block
    end = block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    for argument, name in zip(block.args, _columns_read(scope, op, batch, end), strict=True):
        scope.hold(argument, Expression(name, axes=frozenset([0])))
    scope.release(scope.variables.live_at_start(block))
    columns: list[str] = []
    count = f"len({batch}[0])"
    with scope.evaluated_at(1, count, f"{count} > 0"):
        values = scope.body(block)
        for value, column in zip(end.values, values, strict=True):
            columns.append(spread(scope.points, column, value.type))
    return batch, columns


def _columns_read(
    scope: Scope, op: Operation, batch: str, end: tensor_block.YieldOp
) -> Sequence[str]:
    """Read the columns that a body needs; return their variables, `_` for the other columns.

    Where an op before, in the same block, has read them, its variables serve.
    """
    bag, block = op.operands[0], end.parent_block()
    assert block is not None
    made = _columns_made(block, end)
    read, room = scope.columns.get((op.parent, bag), ([], -1))
    there = [name if name in scope.variables.assigned else "_" for name in read]
    wanted = [bool(argument.uses) for argument in block.args]
    if made <= room and all(name != "_" for name, want in zip(there, wanted, strict=True) if want):
        return there
    names = [
        scope.name(argument.name_hint, "column") if want else "_"
        for argument, want in zip(block.args, wanted, strict=True)
    ]
    if any(wanted):
        scope.store(names, f"rows.columns({batch}, {made})" if made else batch, is_tuple=True)
        scope.columns[op.parent, bag] = names, made
    return names


def _columns_made(block: Block, end: tensor_block.YieldOp) -> int:
    """Return how many columns NumPy holds besides those of the batch while it computes a body."""
    computed = [op for op in block.walk() if not isinstance(op, ConstantOps) and not _in_loop(op)]
    return min(len(computed) - 1, len(end.values) + 1)


def _in_loop(op: Operation) -> bool:
    """Return whether `op` is computed for some iterations of a loop at a time, and not kept."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, multiloop.LoopOp):
        parent = parent.parent_op()
    return parent is not None


def _filter(scope: Scope, op: tensor_block.FilterOp) -> None:
    rows = op.bag.owner
    if isinstance(rows, tensor_block.JoinOp) and tested_by(rows) is op:
        emit_tested_join(scope, rows, op)
        return
    batch, columns = _row_body(scope, op)
    _call(scope, op, "filter", [batch, *columns])


def _extend(scope: Scope, op: tensor_block.ExtendOp) -> None:
    batch, columns = _row_body(scope, op)
    to = None if op.columns is None else numbers_text(op.columns)
    _call(scope, op, "extend", [batch, tuple_text(columns)], to=to)


def _expand(scope: Scope, op: tensor_block.ExpandOp) -> None:
    batch, ends = _row_body(scope, op)
    step = None if op.step is None else str(op.step.value.data)
    _call(scope, op, "expand", [batch, *ends], step=step, at=_at(op), at_most=_at_most(op))


def _project(scope: Scope, op: tensor_block.ProjectOp) -> None:
    rows = op.bag.owner
    if isinstance(rows, tensor_block.ToBagOp) and _projected(rows) is op:
        origins = _offsets(scope, rows.offsets)
        columns = numbers_text(op.columns)
        _call(scope, op, "to_rows", [scope.text(rows.input)], origins=origins, to=columns)
        return
    _call(scope, op, "project", [scope.text(op.bag), numbers_text(op.columns)])


def _lookup(scope: Scope, op: tensor_block.LookupOp) -> None:
    element = element_type(op.array.type)
    _call(
        scope,
        op,
        "lookup",
        [scope.text(op.bag), scope.text(op.array), numbers_text(op.columns)],
        stored="True" if op.stored is not None else None,
        probe="True" if op.probe is not None else None,
        dtype=type_code(element) if is_tensor(element) else None,
        origins=_offsets(scope, op.offsets),
    )


def _join(scope: Scope, op: tensor_block.JoinOp) -> None:
    if tested_by(op) is not None:
        # Only the pairs that are wanted are made, by the filter.
        scope.variables.inline(op.result, scope.variables.read_by([op.left, op.right]))
        return
    keys = [numbers_text(op.left_keys), numbers_text(op.right_keys)]
    outer = None
    if op.outer is not None:
        outer = tuple_text([_outer_value(value) for value in op.outer])
    sides = [scope.text(op.left), scope.text(op.right)]
    _call(scope, op, "join", [*sides, *keys], outer=outer, at=_at(op), at_most=_at_most(op))


def _at(op: Operation) -> str | None:
    """The place of an op that may make too many rows."""
    return string_literal(place_of(op)) if place_of(op) else None


def _at_most(op: tensor_block.JoinOp | tensor_block.ExpandOp) -> str | None:
    """Return how many of its rows matter in the end, if that is less and has a place."""
    if op.at_most is None or not place_of(op):
        return None
    if isinstance(op.at_most, StringAttr):
        return string_literal(op.at_most.data)
    return str(op.at_most.value.data)


def _outer_value(value: Attribute) -> str:
    return "None" if isinstance(value, UnitAttr) else literal_text(value)


def _group_reduce(scope: Scope, op: tensor_block.GroupReduceOp) -> None:
    monoids = tuple_text([monoid_text(monoid.data) for monoid in op.monoids])
    _call(scope, op, "group_reduce", [scope.text(op.bag), str(op.keys.value.data), monoids])


def _group(scope: Scope, op: tensor_block.GroupOp) -> None:
    widths = tuple_text([str(width) for width in op.widths])
    _call(scope, op, "group", [scope.text(op.bag), str(op.keys.value.data), widths])


def _unnest(scope: Scope, op: tensor_block.UnnestOp) -> None:
    _call(scope, op, "unnest", [scope.text(op.bag), str(op.column.value.data)], at=_at(op))


def _concat(scope: Scope, op: tensor_block.ConcatOp) -> None:
    _call(scope, op, "concat_rows", [scope.text(op.left), scope.text(op.right)])


def _to_map(scope: Scope, op: tensor_block.ToMapOp) -> None:
    """A map is the batch of its rows."""
    scope.values[op.result] = scope.values[op.bag]
    scope.variables.inline(op.result, scope.variables.read_by([op.bag]))


def _update(scope: Scope, op: tensor_block.UpdateOp) -> None:
    type: Attribute = op.result.type
    assert isinstance(type, BagType)
    arguments = [scope.text(op.dest), scope.text(op.rows), str(type.keys.data)]
    monoid = monoid_text(op.monoid.data) if op.monoid else None
    _call(scope, op, "update", arguments, monoid=monoid)


def _window(scope: Scope, op: tensor_block.WindowOp) -> None:
    _call(scope, op, "window", [scope.text(op.bag), *window_arguments(op, scope.text)])


def _fold(scope: Scope, op: tensor_block.FoldOp) -> None:
    column = f"{scope.values[op.bag].at(Level.ATOM)}[0]"
    _call(scope, op, "fold", [column, monoid_text(op.monoid.data), dtype_of(op.result.type)])


EMITTERS: dict[type[Operation], Callable[[Scope, Any], None]] = {
    func.ReturnOp: _return,
    scf.IfOp: _if,
    scf.YieldOp: _yield,
    tensor_block.MapOp: _map,
    tensor_block.ReduceOp: _reduce,
    tensor_block.ScatterReduceOp: emit_scatter,
    tensor_block.SliceOp: _slice,
    tensor_block.ScanOp: _scan,
    tensor_block.ToBagOp: _to_bag,
    tensor_block.RangeOp: _range,
    tensor_block.FromBagOp: _from_bag,
    tensor_block.FilterOp: _filter,
    tensor_block.ExtendOp: _extend,
    tensor_block.ExpandOp: _expand,
    tensor_block.ProjectOp: _project,
    tensor_block.LookupOp: _lookup,
    tensor_block.JoinOp: _join,
    tensor_block.GroupReduceOp: _group_reduce,
    tensor_block.GroupOp: _group,
    tensor_block.UnnestOp: _unnest,
    tensor_block.ConcatOp: _concat,
    tensor_block.ToMapOp: _to_map,
    tensor_block.UpdateOp: _update,
    tensor_block.FoldOp: _fold,
    tensor_block.WindowOp: _window,
}
