"""Maps whose body computes something in a box of the iteration space only.

    scf.if (1 <= %i < n - 1) { (a + b) / 2 } else { 0 }

becomes

    result = np.zeros(n)
    i_begin, i_end = windows.limits(n, 1, n - 1)
    result[i_begin:i_end] = (windows.cut(a, …) + windows.cut(b, …)) / 2

so that nothing is evaluated where it is not wanted, and no neighbour lies outside.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument, OpResult, SSAValue

from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.tensor_block import MapOp
from diablo.lowering.kernel_types import element_type, is_number, is_tensor
from diablo.lowering.numpy.expressions import Expression, Level, dtype_of, tuple_text
from diablo.lowering.numpy.iteration_space import Space
from diablo.lowering.numpy.numpy_windows import sum_text
from diablo.passes.analyses.loops.body_domains import Domain, find_domain


def emit_domain(space: Space, names: Sequence[str]) -> bool:
    """Write the map of `space` box by box; False if it has no box and nothing was written."""
    op = space.op
    if not isinstance(op, MapOp) or not is_tensor(op.result.type) or space.chunked:
        return False
    if not is_number(element_type(op.result.type)):
        return False
    domain = find_domain(op)
    if domain is None:
        return False
    scope = space.scope
    dtype = dtype_of(element_type(op.result.type))
    shape = tuple_text(space.extents)
    result = scope.name(op.result.name_hint, "result")
    rest = _otherwise(space, names, domain.otherwise)
    scope.store([result], rest or f"np.zeros({shape}, {dtype})")
    for dimension in sorted({d for bound in domain.bounds for d in bound.dimensions}):
        hint = op.body.block.args[dimension].name_hint or "ijklmn"[dimension : dimension + 1]
        begin, end = scope.name(f"{hint}_begin"), scope.name(f"{hint}_end")
        limits = [_limit(space, domain, dimension, lower) for lower in (True, False)]
        call = f"windows.limits({space.extents[dimension]}, {limits[0]}, {limits[1]})"
        scope.store([begin, end], call)
        space.chunked[dimension] = (begin, end)
    needed = domain.needed()
    read = {operand for op in needed for inner in op.walk() for operand in inner.operands}
    space.bind_arguments(names, {domain.value, *read})
    for inner in needed:
        scope.operation(inner)
    value = scope.values[domain.value]
    slices = [":".join(space.chunked[d]) if d in space.chunked else ":" for d in range(space.rank)]
    scope.statement(f"{result}[{', '.join(slices)}] = ", value.text)
    space.chunked.clear()
    space.finish(Expression(result))
    return True


def _otherwise(space: Space, names: Sequence[str], value: SSAValue) -> str | None:
    """The array that the result is where the box does not reach; `None` for zeros."""
    scope, op = space.scope, space.op
    dtype = dtype_of(element_type(op.result.type))
    shape = tuple_text(space.extents)
    if isinstance(value, BlockArgument) and value.block is op.body.block:
        if value.index < space.rank:
            text = space.index(value.index).text
        else:
            number = value.index - space.rank
            text = space.read(number, names[number]).text
        return f"np.array(np.broadcast_to({text}, {shape}), {dtype})"
    if isinstance(value, OpResult) and isinstance(value.op, ConstantOps):
        scope.scalar(value.op, None)
        text = scope.values[value].text
        return None if text in ("0", "0.0", "False") else f"np.full({shape}, {text}, {dtype})"
    return f"np.full({shape}, {scope.values[value].text}, {dtype})"


def _limit(space: Space, domain: Domain, dimension: int, lower: bool) -> str:
    """Return where the box begins or ends in a dimension of the tile."""
    origin = space.offsets[dimension] if space.offsets else "0"
    found: list[str] = []
    for bound in domain.bounds:
        if (bound.dimension, bound.lower) != (dimension, lower):
            continue
        terms: list[tuple[int, str]] = []
        if bound.value is not None:
            terms.append((1, space.scope.values[bound.value].at(Level.SUM)))
        if origin != "0":
            terms.append((-1, origin))
        found.append(sum_text(terms, bound.shift))
    if not found:
        return "0" if lower else space.extents[dimension]
    if len(set(found)) == 1:
        return found[0]
    return f"{'max' if lower else 'min'}({', '.join(dict.fromkeys(found))})"
