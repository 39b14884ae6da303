"""What callers see of a program: its inputs, its variables, and the types of its results.

    input n: Int = 4;
    var s = +/[ i*i | i <- 1..n ];
    ->
    ProgramInterface((InputDeclaration("n", INT, 4),), {"s": INT}, None)

Neither the checker, which finds it, nor xDSL is needed here: a known program is run without them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diablo.diagnostics import Span
from diablo.frontend.checking.types import Type

SEED = "seed"


@dataclass(frozen=True)
class InputDeclaration:
    """An input of a program: what a caller may or must give.

    With `path` it is the pattern that `read` names: what the file holds unless it is given.
    A program need not be compiled for the value of a scalar that does not `decide` anything while
    arrays are dense: to know it, whatever is computed from it, makes no better program. Nor need it
    know the size of what it does not read.
    """

    name: str
    type: Type
    default: bool | int | float | complex | str | None
    path: str | None = None
    decides: bool = True
    is_read: bool = True
    span: Span | None = None


@dataclass(frozen=True)
class ProgramInterface:
    """What a program takes and gives.

    `inputs` are those that it declares, the files that it reads, and `seed` if it is random;
    `variables` those outside of any block, inputs that it assigns as well. `last` is the type of
    the expression that it ends in, if it does.
    """

    inputs: Sequence[InputDeclaration]
    variables: Mapping[str, Type]
    last: Type | None

    def results(self, outputs: Sequence[str] | None = None) -> list[Type]:
        """The types of what `import_program` makes a program return, before they are flattened."""
        names = outputs or ()
        if self.last is None and outputs is None:
            names = list(self.variables)
        types = [self.variables[name] for name in names if name in self.variables]
        return types if self.last is None else [self.last, *types]
