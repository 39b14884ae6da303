"""The syntax tree: what the parser makes and the type checker and importer read.

Types are in `type_syntax`, statements in `statements`.

Every node knows its span. Nodes are compared by identity, so that the checker can keep types
and symbols beside the tree, in dictionaries.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from diablo.diagnostics import Span

# --- Patterns ------------------------------------------------------------------------------


@dataclass(eq=False)
class NamePattern:
    """A variable that is bound, or `_`."""

    span: Span
    name: str


@dataclass(eq=False)
class TuplePattern:
    """`(p, q, …)`."""

    span: Span
    items: list[Pattern]


Pattern = NamePattern | TuplePattern


# --- Expressions ---------------------------------------------------------------------------


@dataclass(eq=False)
class Literal:
    """A number, a truth value, a string or a character (`kind` is the type's name).

    Escapes in strings and characters are already replaced by what they stand for.
    """

    span: Span
    kind: str
    value: int | float | bool | str


@dataclass(eq=False)
class Name:
    """A use of a variable."""

    span: Span
    name: str


@dataclass(eq=False)
class TupleExpr:
    """`(a, b, …)`."""

    span: Span
    items: list[Expr]


@dataclass(eq=False)
class RecordExpr:
    """`<a = e, b = f>`."""

    span: Span
    fields: list[tuple[str, Expr]]


@dataclass(eq=False)
class ListExpr:
    """`[a, b, …]`; `list()` is the empty list, as `[]` is."""

    span: Span
    items: list[Expr]


@dataclass(eq=False)
class EmptyMap:
    """`map()`."""

    span: Span


@dataclass(eq=False)
class Unary:
    """`-e` or `!e`."""

    span: Span
    op: str
    operand: Expr


@dataclass(eq=False)
class Binary:
    """`a op b`."""

    span: Span
    op: str
    lhs: Expr
    rhs: Expr


@dataclass(eq=False)
class Range:
    """`a..b`, both ends included."""

    span: Span
    lower: Expr
    upper: Expr


@dataclass(eq=False)
class Reduction:
    """`op/e`."""

    span: Span
    monoid: str
    operand: Expr


@dataclass(eq=False)
class Call:
    """`f(a, b, …)`, or with `method` `a.f(b, …)`."""

    span: Span
    function: str
    arguments: list[Expr]
    method: bool = False


@dataclass(eq=False)
class Field:
    """`e.name` or `e#name`."""

    span: Span
    base: Expr
    name: str


@dataclass(eq=False)
class Slice:
    """`a:b:c` between the brackets of an index; each part may be missing."""

    span: Span
    start: Expr | None
    stop: Expr | None
    step: Expr | None


@dataclass(eq=False)
class Index:
    """`A[i, j]`."""

    span: Span
    base: Expr
    indices: list[Expr | Slice]


@dataclass(eq=False)
class IfExpr:
    """`if (c) a else b`."""

    span: Span
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(eq=False)
class Lambda:
    """`(x, y) => e`."""

    span: Span
    parameter: Pattern
    body: Expr


@dataclass(eq=False)
class Wildcard:
    """`?` (a pattern that is computed later) or `*` (a flood dimension) of a region."""

    span: Span
    text: str


@dataclass(eq=False)
class RegionExpr:
    """`base by e where e at e`: a region without a name."""

    span: Span
    base: Expr
    clauses: list[tuple[str, Expr]]


@dataclass(eq=False)
class Constructor:
    """`tensor(d…)(s…) e`, `tensor*(d…)(s…) e`, `list* e`, `map* e`."""

    span: Span
    kind: str
    distributed: bool
    dense: list[Expr]
    sparse: list[Expr]
    operand: Expr


@dataclass(eq=False)
class MappedStore:
    """`name(a, …) e` with the name of a typemap: the array of the rows e, stored by it."""

    span: Span
    typemap: str
    arguments: list[Expr]
    operand: Expr


@dataclass(eq=False)
class LetIn:
    """`body` where `pattern` stands for the parts of `value`.

    It has no form in the source: it comes from desugaring.
    """

    span: Span
    pattern: Pattern
    value: Expr
    body: Expr


@dataclass(eq=False)
class Generator:
    """`p <- e`, or with `full` `p <= e`."""

    span: Span
    pattern: Pattern
    source: Expr
    full: bool


@dataclass(eq=False)
class Guard:
    """A condition between the qualifiers."""

    span: Span
    condition: Expr


@dataclass(eq=False)
class Let:
    """`let p = e`."""

    span: Span
    pattern: Pattern
    value: Expr


@dataclass(eq=False)
class GroupBy:
    """`group by p`, or `group by p: e`."""

    span: Span
    pattern: Pattern
    key: Expr | None


Qualifier = Generator | Guard | Let | GroupBy


@dataclass(eq=False)
class SortKey:
    """What rows are ordered by: `e`, or `e desc`."""

    span: Span
    value: Expr
    descending: bool


@dataclass(eq=False)
class Comprehension:
    """`[ head | qualifiers, order by e1, e2 desc, limit n ]`."""

    span: Span
    head: Expr
    qualifiers: list[Qualifier]
    order: list[SortKey] = field(default_factory=list[SortKey])
    limit: Expr | None = None

    @property
    def in_order(self) -> bool:
        """Whether its rows are put in an order, or cut off."""
        return bool(self.order) or self.limit is not None


Expr = (
    Literal
    | Name
    | TupleExpr
    | RecordExpr
    | ListExpr
    | EmptyMap
    | Unary
    | Binary
    | Range
    | Reduction
    | Call
    | Field
    | Index
    | IfExpr
    | Lambda
    | Wildcard
    | RegionExpr
    | Constructor
    | MappedStore
    | LetIn
    | Comprehension
)
