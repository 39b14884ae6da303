"""Where the ops over an iteration space read their inputs: affine maps, a term at a time.

An input is read at one linear expression per axis of the iteration dimensions `d0`, `d1`, …,
the op's symbols `s0`, … and a constant:

    %A[d0 - 1, d1 + d2, 2 * d0 + s0, 0]

Most inputs pick dimensions (`%A[d1, d0]`); the others read a neighbour, a window, every other
element, the diagonal, or a fixed row. An index may wrap around: `%A[(d0 - 1) mod s0]` is read at
the last of `s0` elements where `d0` is 0. The remainder is never negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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

Terms = tuple[tuple[int, int], ...]
"""Pairs (position, factor), by position, no factor zero."""


def sorted_terms(factors: Iterable[tuple[int, int]]) -> Terms:
    """The sum of these terms, by position."""
    total: dict[int, int] = {}
    for position, factor in factors:
        total[position] = total.get(position, 0) + factor
    return tuple(sorted((p, f) for p, f in total.items() if f))


@dataclass(frozen=True)
class LinearIndex:
    """A sum of dimensions and symbols, each with a factor, and a constant.

    With a `period`, a symbol or a positive constant, it is the sum's remainder by that.
    """

    dimensions: Terms = ()
    symbols: Terms = ()
    constant: int = 0
    period: LinearIndex | None = None

    @property
    def picked(self) -> int | None:
        """The dimension that this is, if it is one."""
        if self.symbols or self.constant or self.period or len(self.dimensions) != 1:
            return None
        ((dimension, factor),) = self.dimensions
        return dimension if factor == 1 else None

    @property
    def sum(self) -> LinearIndex:
        """This without its period."""
        return LinearIndex(self.dimensions, self.symbols, self.constant)

    def is_period(self) -> bool:
        """Whether indices may wrap around at this."""
        if self.dimensions or self.period:
            return False
        if self.symbols:
            return not self.constant and len(self.symbols) == 1 and self.symbols[0][1] == 1
        return self.constant > 0

    def wrapped(self, period: LinearIndex) -> LinearIndex:
        """The remainder of this by `period`."""
        assert self.period is None
        assert period.is_period()
        return LinearIndex(self.dimensions, self.symbols, self.constant, period)

    def scaled(self, factor: int) -> LinearIndex:
        """`factor` times this, which has no period."""
        assert self.period is None
        return LinearIndex(
            sorted_terms((p, f * factor) for p, f in self.dimensions),
            sorted_terms((p, f * factor) for p, f in self.symbols),
            self.constant * factor,
        )

    def plus(self, other: LinearIndex) -> LinearIndex:
        """The sum of both, neither of which has a period."""
        assert self.period is None
        assert other.period is None
        return LinearIndex(
            sorted_terms((*self.dimensions, *other.dimensions)),
            sorted_terms((*self.symbols, *other.symbols)),
            self.constant + other.constant,
        )

    def expression(self) -> AffineExpr:
        """The same as an affine expression, always written the same way."""
        if self.period is not None:
            # xDSL's own `%` takes no symbol on the right.
            sum, period = self.sum.expression(), self.period.expression()
            return AffineBinaryOpExpr(AffineBinaryOpKind.Mod, sum, period)
        total: AffineExpr | None = None
        for kind, terms in ((AffineDimExpr, self.dimensions), (AffineSymExpr, self.symbols)):
            for position, factor in terms:
                term: AffineExpr = kind(position)
                if factor != 1:
                    term = term * factor
                total = term if total is None else total + term
        if total is None:
            return AffineExpr.constant(self.constant)
        return total + self.constant if self.constant else total

    def spelled(self) -> str:
        """The text in the assembly: `d0 - d1 + 1`, `(d0 + 1) mod s0`."""
        if self.period is not None:
            return f"({self.sum.spelled()}) mod {self.period.spelled()}"
        text = ""
        for letter, terms in (("d", self.dimensions), ("s", self.symbols)):
            for position, factor in terms:
                name = f"{letter}{position}"
                size = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
                if text:
                    text += f" - {size}" if factor < 0 else f" + {size}"
                else:
                    text = f"-{size}" if factor < 0 else size
        if not text:
            return str(self.constant)
        if self.constant:
            text += f" - {-self.constant}" if self.constant < 0 else f" + {self.constant}"
        return text


def linear_index(expression: AffineExpr) -> LinearIndex | None:
    """`expression` term by term; `None` if it is no sum, nor the remainder of one."""
    match expression:
        case AffineConstantExpr(value=value):
            return LinearIndex(constant=value)
        case AffineDimExpr(position=position):
            return LinearIndex(dimensions=((position, 1),))
        case AffineSymExpr(position=position):
            return LinearIndex(symbols=((position, 1),))
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
            left, right = linear_index(lhs), linear_index(rhs)
            if left is None or right is None or left.period or right.period:
                return None
            if kind is AffineBinaryOpKind.Mod:
                return left.wrapped(right) if right.is_period() else None
            if kind is AffineBinaryOpKind.Add:
                return left.plus(right)
            if kind is AffineBinaryOpKind.Mul:
                for one, other in ((left, right), (right, left)):
                    if not other.dimensions and not other.symbols:
                        return one.scaled(other.constant)
            return None
        case _:
            return None


def linear_indices(map: AffineMap) -> list[LinearIndex]:
    """The results of a map that the verifier let pass."""
    found = [linear_index(result) for result in map.results]
    return [index for index in found if index is not None]


def access_map(indices: Sequence[LinearIndex], rank: int, symbols: int = 0) -> AffineMap:
    """The map with these results, of `rank` dimensions and so many symbols."""
    return AffineMap(rank, symbols, tuple(index.expression() for index in indices))


def picked_dimensions(map: AffineMap) -> list[int] | None:
    """The iteration dimensions that a map picks, or None if it does more than that."""
    dimensions = [r.position for r in map.results if isinstance(r, AffineDimExpr)]
    return dimensions if len(dimensions) == len(map.results) else None


def picks_dimensions(map: AffineMap) -> bool:
    """Whether every result is a dimension, each another one."""
    dimensions = [r.position for r in map.results if isinstance(r, AffineDimExpr)]
    return len(set(dimensions)) == len(map.results)


def composed(map: AffineMap, outer: AffineMap, symbols: Mapping[int, int]) -> AffineMap:
    """`map` where its dimensions are the results of `outer`; its symbols get new numbers.

    The results of `outer` have no period.
    """
    places = linear_indices(outer)

    def renamed(index: LinearIndex) -> LinearIndex:
        terms = sorted_terms((symbols[s], factor) for s, factor in index.symbols)
        total = LinearIndex(symbols=terms, constant=index.constant)
        for d, factor in index.dimensions:
            total = total.plus(places[d].scaled(factor))
        return total if index.period is None else total.wrapped(renamed(index.period))

    count = max([outer.num_symbols, *(number + 1 for number in symbols.values())])
    return access_map([renamed(i) for i in linear_indices(map)], outer.num_dims, count)


def parse_access(parser: Parser, rank: int, symbols: int) -> AffineMap:
    """Parse `[d2, (d0 - 1) mod s0]` as a map from an iteration space of `rank` dimensions."""
    names = [f"d{number}" for number in range(rank)]
    values = {name: LinearIndex(dimensions=((n, 1),)) for n, name in enumerate(names)}
    values |= {f"s{n}": LinearIndex(symbols=((n, 1),)) for n in range(symbols)}

    def parse_factor() -> LinearIndex:
        constant = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if constant is not None:
            if parser.parse_optional_punctuation("*"):
                return parse_factor().scaled(constant)
            return LinearIndex(constant=constant)
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
        if not period.is_period():
            parser.raise_error("expected a symbol or a positive number", position)
        return sum.wrapped(period)

    def parse_sum() -> LinearIndex:
        sign = -1 if parser.parse_optional_punctuation("-") else 1
        total = parse_factor().scaled(sign)
        signs: tuple[tuple[PunctuationSpelling, int], ...] = (("+", 1), ("-", -1))
        while True:
            for mark, sign in signs:
                if parser.parse_optional_punctuation(mark):
                    total = total.plus(parse_factor().scaled(sign))
                    break
            else:
                return total

    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_index)
    return access_map(indices, rank, symbols)


def print_access(printer: Printer, map: AffineMap) -> None:
    """Print where an input is read: `[d2, (d0 - 1) mod s0]`."""
    with printer.in_square_brackets():
        printer.print_list(linear_indices(map), lambda i: printer.print_string(i.spelled()))
