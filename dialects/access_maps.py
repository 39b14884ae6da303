"""Where the ops over an iteration space read their inputs: affine maps, a term at a time.

An input is read at one linear expression per axis of the iteration dimensions `d0`, `d1`, …,
the op's symbols `s0`, … and a constant:

    %A[d0 - 1, d1 + d2, 2 * d0 + s0, 0]

Most inputs pick dimensions (`%A[d1, d0]`); the others read a neighbour, a window, every other
element, the diagonal, or a fixed row. An index may wrap around: `%A[(d0 - 1) mod s0]` is read at
the last of `s0` elements where `d0` is 0. The remainder is never negative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import PunctuationSpelling

from diablo.dialects.index_forms import IndexForm
from diablo.linear_sums import LinearSum, term

LinearIndex = IndexForm[int, int]


def is_period(index: LinearIndex) -> bool:
    """Return whether indices may wrap around at this: at a symbol, or at a positive number."""
    if index.dimensions or index.period is not None:
        return False
    return index.outside.alone is not None or (index.outside.number or 0) > 0


def _expression(inside: LinearSum[int], outside: LinearSum[int]) -> AffineExpr:
    total: AffineExpr | None = None
    for kind, sum in ((AffineDimExpr, inside), (AffineSymExpr, outside)):
        for position, factor in sorted(sum.terms.items()):
            each: AffineExpr = kind(position)
            if factor != 1:
                each = each * factor
            total = each if total is None else total + each
    if total is None:
        return AffineExpr.constant(outside.constant)
    return total + outside.constant if outside.constant else total


def index_expression(index: LinearIndex) -> AffineExpr:
    """A linear index as an affine expression, always written the same way."""
    sum = _expression(index.inside, index.outside)
    if index.period is None:
        return sum
    # xDSL's own `%` takes no symbol on the right.
    period = _expression(LinearSum(), index.period)
    return AffineBinaryOpExpr(AffineBinaryOpKind.Mod, sum, period)


def _spelled(inside: LinearSum[int], outside: LinearSum[int]) -> str:
    text = ""
    for letter, sum in (("d", inside), ("s", outside)):
        for position, factor in sorted(sum.terms.items()):
            name = f"{letter}{position}"
            size = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
            if text:
                text += f" - {size}" if factor < 0 else f" + {size}"
            else:
                text = f"-{size}" if factor < 0 else size
    constant = outside.constant
    if not text:
        return str(constant)
    if constant:
        text += f" - {-constant}" if constant < 0 else f" + {constant}"
    return text


def _spelled_index(index: LinearIndex) -> str:
    """The text in the assembly: `d0 - d1 + 1`, `(d0 + 1) mod s0`."""
    sum = _spelled(index.inside, index.outside)
    return sum if index.period is None else f"({sum}) mod {_spelled(LinearSum(), index.period)}"


def linear_index(expression: AffineExpr) -> LinearIndex | None:
    """`expression` term by term; `None` if it is no sum, nor the remainder of one."""
    match expression:
        case AffineConstantExpr(value=value):
            return IndexForm(outside=LinearSum(constant=value))
        case AffineDimExpr(position=position):
            return IndexForm(inside=term(position))
        case AffineSymExpr(position=position):
            return IndexForm(outside=term(position))
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
            left, right = linear_index(lhs), linear_index(rhs)
            if left is None or right is None or left.period or right.period:
                return None
            if kind is AffineBinaryOpKind.Mod:
                return left.wrapped(right.outside) if is_period(right) else None
            if kind is AffineBinaryOpKind.Add:
                return left + right
            if kind is AffineBinaryOpKind.Mul:
                for one, other in ((left, right), (right, left)):
                    if not other.dimensions and other.outside.number is not None:
                        return one * other.outside.number
            return None
        case _:
            return None


def linear_indices(map: AffineMap) -> list[LinearIndex]:
    """The results of a map that the verifier let pass."""
    found = [linear_index(result) for result in map.results]
    return [index for index in found if index is not None]


def access_map(indices: Sequence[LinearIndex], rank: int, symbols: int = 0) -> AffineMap:
    """The map with these results, of `rank` dimensions and so many symbols."""
    return AffineMap(rank, symbols, tuple(map(index_expression, indices)))


def picked_dimensions(map: AffineMap) -> list[int] | None:
    """The iteration dimensions that a map picks, or None if it does more than that."""
    dimensions = [r.position for r in map.results if isinstance(r, AffineDimExpr)]
    return dimensions if len(dimensions) == len(map.results) else None


def picks_dimensions(map: AffineMap) -> bool:
    """Return whether every result is a dimension, each another one."""
    dimensions = picked_dimensions(map)
    return dimensions is not None and len(set(dimensions)) == len(dimensions)


def composed(map: AffineMap, outer: AffineMap, symbols: Mapping[int, int]) -> AffineMap:
    """`map` where its dimensions are the results of `outer`; its symbols get new numbers.

    The results of `outer` have no period.
    """
    places = dict(enumerate(linear_indices(outer)))
    indices = [i.renamed(lambda d: d, symbols.__getitem__) for i in linear_indices(map)]
    count = max([outer.num_symbols, *(number + 1 for number in symbols.values())])
    return access_map([i.replaced(places) for i in indices], outer.num_dims, count)


def parse_access(parser: Parser, rank: int, symbols: int) -> AffineMap:
    """Parse `[d2, (d0 - 1) mod s0]` as a map from an iteration space of `rank` dimensions."""
    names = [f"d{number}" for number in range(rank)]
    values = {name: LinearIndex(inside=term(n)) for n, name in enumerate(names)}
    values |= {f"s{n}": LinearIndex(outside=term(n)) for n in range(symbols)}

    def parse_factor() -> LinearIndex:
        constant = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if constant is not None:
            if parser.parse_optional_punctuation("*"):
                return parse_factor() * constant
            return LinearIndex(outside=LinearSum(constant=constant))
        position = parser.pos
        name = parser.parse_identifier()
        if name not in values:
            listed = ", ".join(names + [f"s{n}" for n in range(symbols)])
            parser.raise_error(f"expected one of the dimensions {listed}", position)
        return values[name]

    def parse_index() -> LinearIndex:
        if not parser.parse_optional_punctuation("("):
            return parse_sum()
        sum = parse_sum()
        parser.parse_punctuation(")")
        parser.parse_keyword("mod")
        position = parser.pos
        period = parse_factor()
        if not is_period(period):
            parser.raise_error("expected a symbol or a positive number", position)
        return sum.wrapped(period.outside)

    def parse_sum() -> LinearIndex:
        sign = -1 if parser.parse_optional_punctuation("-") else 1
        total = parse_factor() * sign
        signs: tuple[tuple[PunctuationSpelling, int], ...] = (("+", 1), ("-", -1))
        while True:
            for mark, sign in signs:
                if parser.parse_optional_punctuation(mark):
                    total += parse_factor() * sign
                    break
            else:
                return total

    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_index)
    return access_map(indices, rank, symbols)


def print_access(printer: Printer, map: AffineMap) -> None:
    """Print where an input is read: `[d2, (d0 - 1) mod s0]`."""
    with printer.in_square_brackets():
        printer.print_list(linear_indices(map), lambda i: printer.print_string(_spelled_index(i)))
