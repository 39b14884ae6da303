"""What the checker finds out about a syntax tree, kept beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.scope import Function, MonoidDefinition, Symbol
from diablo.frontend.checking.types import Type
from diablo.frontend.parsing import statements, syntax, type_syntax
from diablo.frontend.parsing.tree_walk import walk


@dataclass(eq=False)
class Grouping:
    """What a group-by does to the variables bound before it.

    `keys` are pairs of the variable before (`None` if `group by p: e` computes the key) and
    after it, `bags` pairs of a variable and the list of its values, whose type is
    `ListType(type of the variable)`: of a tuple a list of tuples, of a list a list of lists.
    """

    keys: list[tuple[Symbol | None, Symbol]] = field(
        default_factory=list[tuple[Symbol | None, Symbol]]
    )
    bags: list[tuple[Symbol, Symbol]] = field(default_factory=list[tuple[Symbol, Symbol]])


@dataclass(eq=False)
class Checked:
    """The types of expressions and the meaning of names."""

    types: dict[syntax.Expr, Type] = field(default_factory=dict[syntax.Expr, Type])
    """The type of every expression. An empty list or map has the type wanted where it stands."""

    symbols: dict[syntax.Name | syntax.NamePattern, Symbol] = field(
        default_factory=dict[syntax.Name | syntax.NamePattern, Symbol]
    )
    """The variable that a name means or a pattern declares."""

    groupings: dict[syntax.GroupBy, Grouping] = field(
        default_factory=dict[syntax.GroupBy, Grouping]
    )

    functions: dict[syntax.Call, Function] = field(default_factory=dict[syntax.Call, Function])
    """The function of the program that a call means.

    A call that is neither here nor in `applications` is one of the table of scalar functions or
    of `builtin_functions` (`STRING_FUNCTIONS`, `CONVERSIONS`), `random` or `cache`.
    """

    operands: dict[syntax.Call, Type] = field(default_factory=dict[syntax.Call, Type])
    """The type of number that a function of the table computes with: of its arguments, or of
    their elements."""

    applications: dict[syntax.Call, Symbol] = field(default_factory=dict[syntax.Call, Symbol])
    """The parameter of function type that a call `f(x)` applies.

    Its value is the `Lambda` that the caller gave (a named function given as an argument is in
    `desugared`, as a lambda that calls it), or the caller's own parameter: a `Name` with a
    `FunctionType`. The pattern of a lambda is matched with the argument, or with the tuple of
    the arguments if `FunctionType.parameters` are several. A parameter can be bound again while
    the function runs, since an argument may call the same function.
    """

    monoids: dict[syntax.Reduction | statements.Assign, MonoidDefinition] = field(
        default_factory=dict[syntax.Reduction | statements.Assign, MonoidDefinition]
    )
    """The monoid of the program that `op/e` or `d op= e` means; a built-in one is not here."""

    joins: dict[syntax.Call, MonoidDefinition] = field(
        default_factory=dict[syntax.Call, MonoidDefinition]
    )
    """The monoid of the program that a call `op(x,y)` combines two values with."""

    updates: dict[statements.Statement, statements.Statement] = field(
        default_factory=dict[statements.Statement, statements.Statement]
    )
    """The `d op= e` that `d = d op e`, or a test, means. Emit that instead."""

    defaults: set[syntax.Expr] = field(default_factory=set[syntax.Expr])
    """The reads of values of maps that give the implicit value where there is none."""

    rebuilt: set[statements.Assign] = field(default_factory=set[statements.Assign])
    """The `M = [ ((i,j),e) | … ]` that build an array as large and stored as the one in M."""

    positions: dict[syntax.Field, int] = field(default_factory=dict[syntax.Field, int])
    """Which part of a tuple or a record a field is, from 0.

    A field that is not here is `length`, `rows`, `cols` or `t`.
    """

    desugared: dict[syntax.Expr, syntax.Expr] = field(
        default_factory=dict[syntax.Expr, syntax.Expr]
    )
    """What an expression is short for. Emit that instead; it is checked like any other."""

    shown: dict[syntax.NamePattern, syntax.Name] = field(
        default_factory=dict[syntax.NamePattern, syntax.Name]
    )
    """What a variable with something that a typemap stores is as a result of the program."""

    regions: dict[syntax.Expr, IndexSet] = field(default_factory=dict[syntax.Expr, IndexSet])
    """The region that an expression stands for, where one is declared or gone through."""

    files: dict[str, Type] = field(default_factory=dict[str, Type])
    """The files that `read` names, each an input of this type."""

    annotations: dict[type_syntax.TypeSyntax, Type] = field(
        default_factory=dict[type_syntax.TypeSyntax, Type]
    )

    def evaluated(self, node: object) -> Iterator[object]:
        """Every syntax node that evaluating `node` may reach.

        These are the nodes below it, those of what they are short for, and those of the
        functions that they call.
        """
        seen: set[object] = set()
        waiting = [node]
        while waiting:
            for reached in walk(waiting.pop()):
                yield reached
                further: object = self.desugared.get(cast(syntax.Expr, reached))
                if isinstance(reached, syntax.Call) and reached in self.functions:
                    further = self.functions[reached].definition.body
                elif isinstance(reached, syntax.Call) and reached in self.joins:
                    further = self.joins[reached].body
                if further is not None and further not in seen:
                    seen.add(further)
                    waiting.append(further)
