"""The monoids that a program defines, as definitions at the top level of the emitted text.

    comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {…}
  ==>
    def argmin_combine(x, y):
        …

    argmin = UserMonoid("argmin", (np.inf, -1), argmin_combine, ("tuple", "f8", "i8"))

The function joins two columns of values, row by row.
"""

from __future__ import annotations

from diablo.dialects.comprehension import MonoidOp
from diablo.lowering.kernel_types import type_code
from diablo.lowering.numpy.expressions import Expression
from diablo.lowering.numpy.numpy_branches import spread
from diablo.lowering.numpy.numpy_lines import broken
from diablo.lowering.numpy.numpy_monoids import combine_name, literal_text, monoid_names
from diablo.lowering.numpy.numpy_scope import Scope
from diablo.lowering.python_text import string_literal, symbol_name
from diablo.lowering.source_names import source_names


def emit_monoid(op: MonoidOp) -> str:
    """Return the function that joins two columns, and the definition of the monoid."""
    scope = Scope(monoid_names(op), source=source_names(op))
    block = op.body.block
    names: list[str] = []
    for argument, fallback in zip(block.args, "xy", strict=True):
        names.append(scope.name(argument.name_hint, fallback))
        scope.values[argument] = Expression(names[-1], axes=frozenset([0]))
    with scope.evaluated_at(1, f"len({names[0]})"):
        (value,) = scope.body(block)
        scope.statement("return ", spread(scope.points, value, op.element))
    symbol = op.sym_name.data
    header = broken("def ", f"{combine_name(symbol)}({', '.join(names)})", 0, ":")
    arguments = [string_literal(symbol), literal_text(op.identity), combine_name(symbol)]
    definition = f"UserMonoid({', '.join([*arguments, type_code(op.element)])})"
    text = broken(f"{symbol_name(symbol)} = ", definition, 0)
    return "\n".join([*header, *scope.lines, "", "", *text])
