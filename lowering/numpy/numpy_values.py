"""How ops on strings, tuples, lists and per-row arrays are spelled: columns of any type.

Reads the ops of the `comprehension` dialect that stand anywhere (and `from_bag`, `to_bag`,
`tensor.extract`, … on the columns of a row) in bodies, and gives calls of `diablo.runtime.rows`:

    %n = comprehension.length %words : !comprehension.bag<!comprehension.string>
    %t = comprehension.pack %d, %n : tuple<f64, i64>
  =>
    rows.pack((d, rows.list_lengths(words)), ("tuple", "f8", "i8"))

Where nothing varies over rows a list is a batch, an array a tile, a tuple a NumPy scalar.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TupleType
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.bags import BagType
from diablo.dialects.comprehension.comprehension_constants import constant_bags, constant_values
from diablo.dialects.sort_ops import SortRows
from diablo.dialects.string_functions import STRING_FUNCTIONS, StringType
from diablo.lowering.kernel_types import element_type, is_number, is_tensor, type_code
from diablo.lowering.numpy.expressions import (
    Expression,
    Level,
    Site,
    Spelling,
    dtype_of,
    place_of,
    tuple_text,
)
from diablo.lowering.numpy.numpy_monoids import monoid_text
from diablo.lowering.python_text import string_literal

_OPERATORS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def can_fail(op: Operation) -> bool:
    """Return whether an op of this module may raise an error for some values."""
    if isinstance(op, comprehension.StringCallOp):
        return STRING_FUNCTIONS[op.function.data].can_fail
    return isinstance(op, tensor.ExtractOp | comprehension.ElementOp)


def implicit_text(type: Attribute) -> str:
    """The implicit value of a type that an op that can fail gives."""
    match type:
        case StringType():
            return '""'
        case TupleType():
            parts = tuple_text([implicit_text(part) for part in type.types])
            return f"rows.pack({parts}, {type_code(type)})"
        case BagType():
            return f"rows.empty({tuple_text([type_code(column) for column in type.columns])})"
        case _:
            return f"{dtype_of(type)}(0)" if is_number(type) else "None"


def _texts(operands: Sequence[Expression]) -> str:
    return tuple_text([operand.text for operand in operands])


def _fields(site: Site) -> list[str]:
    """The operands as fields of rows: an array that is the same in all rows is no column."""
    return [
        f"rows.cell({operand.text})" if is_tensor(value.type) and not operand.axes else operand.text
        for operand, value in zip(site.operands, site.op.operands, strict=True)
    ]


def _at(op: Operation) -> list[str]:
    return [f"at={string_literal(place_of(op))}"] if place_of(op) else []


def _string(site: Site) -> tuple[str, Level]:
    assert isinstance(site.op, comprehension.StringOp)
    return string_literal(site.op.value.data), Level.ATOM


def _may_lose_nul(value: SSAValue, text: Expression) -> bool:
    """Whether NumPy, which drops NULs at the end of its own strings, may make one of `value`."""
    if text.axes:
        return False
    literal = value.owner
    return not isinstance(literal, comprehension.StringOp) or literal.value.data.endswith("\0")


def _is_literal(value: SSAValue) -> bool:
    return isinstance(value.owner, comprehension.StringOp)


def _string_call(site: Site) -> tuple[str, Level]:
    assert isinstance(site.op, comprehension.StringCallOp)
    name, arguments = site.op.function.data, site.op.arguments
    infix = name == "concat" or name in _OPERATORS
    if infix and site.varies and any(map(_may_lose_nul, arguments, site.operands)):
        return site.call(f"rows.strings.{name}"), Level.ATOM
    if name == "concat" and not any(map(_is_literal, arguments)):
        # In a loop the length may double each time: the function asks for the memory.
        return site.call("rows.strings.concat", *_at(site.op)), Level.ATOM
    if name in _OPERATORS:
        left, right = (operand.at(Level.OR) for operand in site.operands)
        return f"{left} {_OPERATORS[name]} {right}", Level.COMPARE
    if name == "concat":
        left, right = site.operands
        return f"{left.at(Level.SUM)} + {right.at(Level.PRODUCT)}", Level.SUM
    grows = name == "replace"
    more = _at(site.op) if STRING_FUNCTIONS[name].can_fail or grows else []
    return site.call(f"rows.strings.{name}", *more), Level.ATOM


def _pack(site: Site) -> tuple[str, Level]:
    code = type_code(site.op.results[0].type)
    return f"rows.pack({tuple_text(_fields(site))}, {code})", Level.ATOM


def _unpack(site: Site) -> tuple[str, Level]:
    # Only lists are held otherwise in a tuple than in a column.
    has_lists = any(isinstance(result.type, BagType) for result in site.op.results)
    more = [type_code(site.op.operands[0].type)] if has_lists else []
    return site.call("rows.unpack", *more), Level.ATOM


def _hash(site: Site) -> tuple[str, Level]:
    return site.call("rows.hash_values"), Level.ATOM


def _list(site: Site) -> tuple[str, Level]:
    op = site.op
    assert isinstance(op, comprehension.ListOp)
    texts = _fields(site)
    width = len(op.result.type.columns)
    listed = [tuple_text(texts[i : i + width]) for i in range(0, len(texts), width)]
    codes = tuple_text([type_code(column) for column in op.result.type.columns])
    arguments = f"[{', '.join(listed)}], {codes}"
    if site.count is None:
        return f"rows.literal_lists(1, {arguments}).values", Level.ATOM
    return f"rows.literal_lists({site.count}, {arguments})", Level.ATOM


def _constant_list(site: Site) -> tuple[str, Level]:
    op = site.op
    assert isinstance(op, comprehension.ConstantListOp)
    types = list(op.result.type.columns)
    codes = tuple_text([type_code(column) for column in types])
    rows = f"rows.constant_rows({_constant_columns(op.columns.data, types)}, {codes})"
    if site.count is None:
        return rows, Level.ATOM
    code = type_code(op.result.type)
    return f"rows.full({site.count}, {rows}, {code})", Level.ATOM


def _constant_columns(columns: Sequence[Attribute], types: Sequence[Attribute]) -> str:
    """The data of constant columns: a list for each, or where lists begin and their columns."""
    texts: list[str] = []
    for data, type in zip(columns, types, strict=True):
        if isinstance(type, BagType):
            offsets, inner = constant_bags(data)
            texts.append(f"({offsets}, {_constant_columns(inner, list(type.columns))})")
        elif isinstance(type, StringType):
            texts.append(f"[{', '.join(map(string_literal, constant_values(data, type)))}]")
        else:
            texts.append(repr(constant_values(data, type)))
    return tuple_text(texts)


def _length(site: Site) -> tuple[str, Level]:
    return site.call("rows.list_lengths" if site.varies else "rows.length"), Level.ATOM


def _element(site: Site) -> tuple[str, Level]:
    function = "rows.list_elements" if site.operands[0].axes else "rows.elements_at"
    return site.call(function, *_at(site.op)), Level.ATOM


def _reduce(site: Site) -> tuple[str, Level]:
    op = site.op
    assert isinstance(op, comprehension.ReduceOp | tensor_block.FoldOp)
    monoid = monoid_text(op.monoid.data)
    if site.varies:
        return site.call("rows.list_reduce", monoid), Level.ATOM
    bag = site.operands[0].at(Level.ATOM)
    return f"rows.fold({bag}[0], {monoid}, {dtype_of(op.result.type)})", Level.ATOM


def _read(site: Site, function: str, keys: Sequence[Expression], more: Sequence[str]) -> str:
    """A read in the array of each row, or in one array for all rows (`…_one`)."""
    array = site.operands[0]
    element = type_code(element_type(site.op.operands[0].type))
    if not array.axes:
        function += "_one"
    return f"{function}({', '.join([array.text, _texts(keys), element, *more])})"


def keys_text(by: Sequence[tuple[int, bool]]) -> str:
    """The columns by which rows are sorted, each with whether they descend by it."""
    return tuple_text([f"({column}, {down})" for column, down in by])


def kept_text(op: SortRows) -> str:
    """The columns that sorted rows have, -1 for the place of a row."""
    return tuple_text([str(-1 if column == op.place else column) for column in op.kept])


def _sort(site: Site) -> tuple[str, Level]:
    op = site.op
    assert isinstance(op, tensor_block.SortOp)
    arguments = [site.operands[0].text, keys_text(op.by)]
    if op.limit is not None:
        arguments.append(f"limit={site.operands[1].text}")
    if op.columns is not None:
        arguments.append(f"to={kept_text(op)}")
    function = "rows.sort_lists" if site.varies else "rows.sort"
    return f"{function}({', '.join(arguments)})", Level.ATOM


def _extract(site: Site) -> tuple[str, Level]:
    if not site.varies:
        index = _texts(site.operands[1:])
        more = ", ".join([site.operands[0].text, index, string_literal(place_of(site.op))])
        return f"local_element({more})", Level.ATOM
    return _read(site, "rows.extract", site.operands[1:], _at(site.op)), Level.ATOM


def probed_element(op: tensor.ExtractOp, operands: Sequence[Expression]) -> Expression:
    """An element of an array, or the implicit value where the index lies outside."""
    site = Site(op, operands)
    if site.varies:
        text = _read(site, "rows.probe", operands[1:], ())
    else:
        code = type_code(element_type(op.tensor.type))
        text = f"probe_local({operands[0].text}, {_texts(operands[1:])}, {code})"
    axes = frozenset[int]().union(*(operand.axes for operand in operands))
    return Expression(f"{text}[0]", axes=axes)


def _probe(site: Site) -> tuple[str, Level]:
    op = site.op
    if not is_tensor(op.operands[0].type):
        return _probe_map(site), Level.ATOM
    if not site.varies:
        arguments = [site.operands[0].text, _texts(site.operands[1:])]
        code = type_code(element_type(op.operands[0].type))
        return f"probe_local({', '.join([*arguments, code])})", Level.ATOM
    return _read(site, "rows.probe", site.operands[1:], ()), Level.ATOM


def _probe_map(site: Site) -> str:
    """The values of a map under the keys of each point; each row may have its own map."""
    op = site.op
    assert isinstance(op, comprehension.ProbeOp)
    codes = [type_code(value.type) for value in op.values]
    function = "rows.probe_maps" if site.operands[0].axes else "rows.probe_map"
    arguments = [site.operands[0].text, _texts(site.operands[1:]), *codes]
    return f"{function}({', '.join(arguments)})"


def _to_map(site: Site) -> tuple[str, Level]:
    """A map is held as the list of its rows."""
    return site.operands[0].text, site.operands[0].level


def _dim(site: Site) -> tuple[str, Level]:
    if site.varies:
        return site.call("rows.extents"), Level.ATOM
    array, axis = site.operands
    return f"{array.at(Level.ATOM)}.shape[{axis.text}]", Level.ATOM


def _from_bag(site: Site) -> tuple[str, Level]:
    op = site.op
    assert isinstance(op, tensor_block.FromBagOp)
    type = op.result.type
    rank = len(op.extents)
    bag, extents = site.operands[0], site.operands[1 : 1 + rank]
    more = [str(tensor_block.dense_rank(type)), dtype_of(type.get_element_type())]
    if op.monoid is not None:
        more.append(f"monoid={monoid_text(op.monoid.data)}")
    if op.dest:
        more.append(f"dest={site.operands[-1].text}")
    function = "rows.build_arrays" if site.varies else "rows.from_rows"
    return f"{function}({', '.join([bag.text, _texts(extents), *more])})", Level.ATOM


def _to_bag(site: Site) -> tuple[str, Level]:
    type = site.op.operands[0].type
    assert is_tensor(type)
    if not site.varies:
        return site.call("rows.to_rows"), Level.ATOM
    rank, code = str(type.get_num_dims()), type_code(type.get_element_type())
    return site.call("rows.array_entries", rank, code), Level.ATOM


SPELLINGS: dict[str, Spelling] = {
    "comprehension.string": _string,
    "comprehension.string_call": _string_call,
    "comprehension.pack": _pack,
    "comprehension.unpack": _unpack,
    "comprehension.hash": _hash,
    "comprehension.list": _list,
    "comprehension.constant_list": _constant_list,
    "comprehension.length": _length,
    "comprehension.element": _element,
    "comprehension.reduce": _reduce,
    "comprehension.probe": _probe,
    "tensor.extract": _extract,
    "tensor.dim": _dim,
    "tensor_block.fold": _reduce,
    "tensor_block.sort": _sort,
    "tensor_block.from_bag": _from_bag,
    "tensor_block.to_bag": _to_bag,
    "tensor_block.to_map": _to_map,
}
"""How each op is written in a body; `unpack`, `probe` and `element` give a Python tuple."""
