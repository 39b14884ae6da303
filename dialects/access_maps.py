"""Where the ops over an iteration space read their inputs: affine maps, a term at a time.

An input is read at one linear expression per axis of the iteration dimensions `d0`, `d1`, …,
the op's symbols `s0`, … and a constant:

    %A[d0 - 1, d1 + d2, 2 * d0 + s0, 0]

Most inputs pick dimensions (`%A[d1, d0]`); the others read a neighbour, a window, every other
element, the diagonal, or a fixed row.
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
    """A sum of dimensions and symbols, each with a factor, and a constant."""

    dimensions: Terms = ()
    symbols: Terms = ()
    constant: int = 0

    @property
    def picked(self) -> int | None:
        """The dimension that this is, if it is one."""
        if self.symbols or self.constant or len(self.dimensions) != 1:
            return None
        ((dimension, factor),) = self.dimensions
        return dimension if factor == 1 else None

    def scaled(self, factor: int) -> LinearIndex:
        """`factor` times this."""
        return LinearIndex(
            sorted_terms((p, f * factor) for p, f in self.dimensions),
            sorted_terms((p, f * factor) for p, f in self.symbols),
            self.constant * factor,
        )

    def plus(self, other: LinearIndex) -> LinearIndex:
        """The sum of both."""
        return LinearIndex(
            sorted_terms((*self.dimensions, *other.dimensions)),
            sorted_terms((*self.symbols, *other.symbols)),
            self.constant + other.constant,
        )

    def expression(self) -> AffineExpr:
        """The same as an affine expression, always written the same way."""
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
        """The text in the assembly: `d0 - d1 + 1`."""
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
    """`expression` term by term; `None` if it divides or multiplies variables."""
    match expression:
        case AffineConstantExpr(value=value):
            return LinearIndex(constant=value)
        case AffineDimExpr(position=position):
            return LinearIndex(dimensions=((position, 1),))
        case AffineSymExpr(position=position):
            return LinearIndex(symbols=((position, 1),))
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
            left, right = linear_index(lhs), linear_index(rhs)
            if left is None or right is None:
                return None
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


def picks_dimensions(map: AffineMap) -> bool:
    """Whether every result is a dimension, each another one."""
    return map.is_projected_permutation()


def composed(map: AffineMap, outer: AffineMap, symbols: Mapping[int, int]) -> AffineMap:
    """`map` where its dimensions are the results of `outer`; its symbols get new numbers."""
    renamed = [AffineExpr.symbol(symbols[s]) for s in range(map.num_symbols)]
    results = [r.replace_dims_and_symbols(outer.results, renamed) for r in map.results]
    indices = [linear_index(result) for result in results]
    count = max([outer.num_symbols, *(number + 1 for number in symbols.values())])
    return access_map([i for i in indices if i is not None], outer.num_dims, count)


def parse_access(parser: Parser, rank: int, symbols: int) -> AffineMap:
    """Parse `[d2, d0 - 1]` as a map from an iteration space of `rank` dimensions."""
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
    """Print where an input is read: `[d2, d0 - 1]`."""
    with printer.in_square_brackets():
        printer.print_list(linear_indices(map), lambda i: printer.print_string(i.spelled()))
