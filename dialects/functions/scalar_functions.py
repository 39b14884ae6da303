"""The table of scalar functions, which every level of the compiler reads.

A row says of a function what it takes and gives, by which op it stands in the IR, between which
numbers its values lie, how NumPy computes it and what its machine code is:

    "tanh": ScalarFunction(
        Overload("np.tanh", math.TanhOp, expansion=exponentials.tanh,
                 range=Interval(-1, 1), monotone="increasing")
    )

A new function is a new row: checker, importer, folding, both emitters, machine code and fuzzer
know it by that. Whether it keeps zero, and so the storage of sparse arrays, is found by computing
it there. Without an op of its own a function is `comprehension.number_call` in the IR; without
machine code, kernels with it are NumPy's.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, pi
from typing import Any, Literal, cast

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import AnyFloat, ComplexType, i1
from xdsl.ir import Attribute, Operation

from diablo.dialects.complex_numbers import part_type
from diablo.dialects.functions import (
    angles,
    circular,
    complex_functions,
    complex_inverses,
    error_functions,
    exponentials,
    logarithms,
    powers,
    roots,
    signs,
)
from diablo.dialects.functions.complex_functions import ComplexFormula
from diablo.dialects.functions.formulas import Condition, Formula, Word
from diablo.dialects.functions.number_ranges import (
    ANYTHING,
    NOT_NEGATIVE,
    Interval,
    absolute,
    greatest,
    least,
    masked,
    power,
)
from diablo.dialects.scalar_types import is_unsigned

Expansion = Callable[..., Formula | ComplexFormula | Condition | Word]
"""The machine code of a function: from its arguments, floats in binary64, its value."""


_INSTRUCTIONS = frozenset(
    [
        *("fabs", "sqrt", "floor", "ceil", "trunc", "roundeven", "copysign"),
        *("minimum", "maximum", "minnum", "maxnum", "smin", "smax", "umin", "umax"),
    ]
)
"""The intrinsics of LLVM that processors have instructions for, or a few of them."""


@dataclass(frozen=True)
class Overload:
    """A function on one kind of numbers.

    Parameters
    ----------
    numpy : str
        What computes it on whole arrays and on scalars, by the name that emitted programs know
        it by: of NumPy (`np.…`), `scipy.special` (`special.…`) or
        `diablo.runtime.kernels.arithmetic` (`arithmetic.…`). Empty for the operators of
        `arith`, which every level spells itself.
    operation : type, optional
        Its op; without one it is `comprehension.number_call`.
    reference : str or callable
        What the interpreter computes it with, on single numbers; `numpy` if it is empty.
    scalar : str
        What computes it on Python's integers; `numpy` if it is empty.
    intrinsic : str
        The intrinsic of LLVM that computes it, where its code is not written out: an instruction,
        or a call of the C library.
    expansion : callable, optional
        Its machine code, where that is written out: straight-line code, which becomes vectors.
    range, domain : Interval
        Where its values lie, and the arguments for which it has some other than NaN.
    monotone : str, optional
        Whether a greater argument in the domain has a value that is nowhere less (or greater).
    bounds : callable, optional
        Where its values lie, by where its arguments do.
    gives : str
        Of which type its value is: the `same` as its arguments, a `boolean`, the float that a
        `part` of a complex number is, or the `complex` number with such parts.
    """

    numpy: str = ""
    operation: type[Operation] | None = None
    reference: str | Callable[..., Any] = ""
    scalar: str = ""
    intrinsic: str = ""
    expansion: Expansion | None = None
    range: Interval = ANYTHING
    domain: Interval = ANYTHING
    monotone: Literal["increasing", "decreasing"] | None = None
    bounds: Callable[..., Interval] | None = None
    gives: Literal["same", "boolean", "part", "complex"] = "same"

    @property
    def is_library_call(self) -> bool:
        """Whether LLVM calls the C library for it, which not all processors have."""
        return bool(self.intrinsic) and self.intrinsic not in _INSTRUCTIONS

    def result_type(self, type: Attribute) -> Attribute:
        """The type of its value for arguments of `type`."""
        match self.gives:
            case "boolean":
                return i1
            case "part":
                return part_type(type)
            case "complex":
                return ComplexType(cast(AnyFloat, type))
            case "same":
                return type


@dataclass(frozen=True)
class ScalarFunction:
    """A function on numbers: on `Float` and `Double`, on `Int`, on complex ones, or on several.

    Without an overload for `Int` such an argument is promoted to `Double`; without one for
    floats they are promoted to complex numbers, or are no arguments at all.
    """

    floating: Overload | None = None
    integer: Overload | None = None
    complex: Overload | None = None
    arity: int = 1
    unsigned: Overload | None = None
    """That for integers without a sign, where it is another one than `integer`."""

    def on(self, type: Attribute) -> Overload | None:
        """The overload for arguments of `type`."""
        if isinstance(type, ComplexType):
            return self.complex
        if isinstance(type, AnyFloat):
            return self.floating
        return self.unsigned or self.integer if is_unsigned(type) else self.integer

    @property
    def overloads(self) -> tuple[Overload, ...]:
        """Those that it has."""
        known = (self.floating, self.integer, self.unsigned, self.complex)
        return tuple(overload for overload in known if overload is not None)

    @property
    def is_extremum(self) -> bool:
        """Whether it gives the least or the greatest argument: they must have an order."""
        return any(overload.bounds in (least, greatest) for overload in self.overloads)


def _complex(
    name: str, operation: type[Operation] | None = None, expansion: Expansion | None = None
) -> Overload:
    """Return what NumPy or SciPy computes of complex numbers, which gives one."""
    return Overload(name if "." in name else f"np.{name}", operation, expansion=expansion)


def _of_parts(re: float, im: float) -> Any:
    # The class is one of Python's, whose name stands for a dialect here.
    return builtins.complex(re, im)


_ANGLES = Interval(-pi, pi)
_UNIT = Interval(-1, 1)
_HALF_TURN = Interval(-pi / 2, pi / 2)

FUNCTIONS: dict[str, ScalarFunction] = {
    "abs": ScalarFunction(
        Overload("np.abs", math.AbsFOp, intrinsic="fabs", bounds=absolute),
        Overload("np.abs", math.AbsIOp, scalar="abs", bounds=absolute),
        complex=Overload(
            "np.abs",
            complex.AbsOp,
            expansion=complex_functions.absolute,
            range=NOT_NEGATIVE,
            gives="part",
        ),
        unsigned=Overload("np.abs", expansion=signs.identity, range=NOT_NEGATIVE),
    ),
    "sqrt": ScalarFunction(
        Overload(
            "np.sqrt",
            math.SqrtOp,
            intrinsic="sqrt",
            range=NOT_NEGATIVE,
            domain=NOT_NEGATIVE,
            monotone="increasing",
        ),
        complex=_complex("sqrt", complex.SqrtOp, complex_functions.sqrt),
    ),
    "cbrt": ScalarFunction(
        Overload("np.cbrt", math.CbrtOp, expansion=roots.cbrt, monotone="increasing")
    ),
    "exp": ScalarFunction(
        Overload(
            "np.exp",
            math.ExpOp,
            expansion=exponentials.exp,
            range=NOT_NEGATIVE,
            monotone="increasing",
        ),
        complex=_complex("exp", complex.ExpOp, complex_functions.exp),
    ),
    "expm1": ScalarFunction(
        Overload(
            "np.expm1",
            math.ExpM1Op,
            expansion=exponentials.expm1,
            range=Interval(low=-1),
            monotone="increasing",
        ),
        complex=_complex("expm1", complex.Expm1Op, complex_functions.expm1),
    ),
    "exp2": ScalarFunction(
        Overload(
            "np.exp2",
            math.Exp2Op,
            expansion=exponentials.exp2,
            range=NOT_NEGATIVE,
            monotone="increasing",
        ),
        complex=_complex("exp2", expansion=complex_functions.exp2),
    ),
    "log": ScalarFunction(
        Overload(
            "np.log",
            math.LogOp,
            expansion=logarithms.log,
            domain=NOT_NEGATIVE,
            monotone="increasing",
        ),
        complex=_complex("log", complex.LogOp, complex_functions.log),
    ),
    "log2": ScalarFunction(
        Overload(
            "np.log2",
            math.Log2Op,
            expansion=logarithms.log2,
            domain=NOT_NEGATIVE,
            monotone="increasing",
        ),
        complex=_complex("log2", expansion=complex_functions.log2),
    ),
    "log10": ScalarFunction(
        Overload(
            "np.log10",
            math.Log10Op,
            expansion=logarithms.log10,
            domain=NOT_NEGATIVE,
            monotone="increasing",
        ),
        complex=_complex("log10", expansion=complex_functions.log10),
    ),
    "log1p": ScalarFunction(
        Overload(
            "np.log1p",
            math.Log1pOp,
            expansion=logarithms.log1p,
            domain=Interval(low=-1),
            monotone="increasing",
        ),
        complex=_complex("log1p", complex.Log1pOp, complex_functions.log1p),
    ),
    "sin": ScalarFunction(
        Overload("np.sin", math.SinOp, expansion=circular.sin, range=_UNIT),
        complex=_complex("sin", complex.SinOp, complex_functions.sin),
    ),
    "cos": ScalarFunction(
        Overload("np.cos", math.CosOp, expansion=circular.cos, range=_UNIT),
        complex=_complex("cos", complex.CosOp, complex_functions.cos),
    ),
    "tan": ScalarFunction(
        Overload("np.tan", math.TanOp, expansion=circular.tan),
        complex=_complex("tan", complex.TanOp, complex_functions.tan),
    ),
    "asin": ScalarFunction(
        Overload(
            "np.arcsin",
            math.AsinOp,
            expansion=angles.asin,
            range=_HALF_TURN,
            domain=_UNIT,
            monotone="increasing",
        ),
        complex=_complex("arcsin", expansion=complex_inverses.asin),
    ),
    "acos": ScalarFunction(
        Overload(
            "np.arccos",
            math.AcosOp,
            expansion=angles.acos,
            range=_ANGLES,
            domain=_UNIT,
            monotone="decreasing",
        ),
        complex=_complex("arccos", expansion=complex_inverses.acos),
    ),
    "atan": ScalarFunction(
        Overload(
            "np.arctan", math.AtanOp, expansion=angles.atan, range=_HALF_TURN, monotone="increasing"
        ),
        complex=_complex("arctan", expansion=complex_inverses.atan),
    ),
    "sinh": ScalarFunction(
        Overload("np.sinh", math.SinhOp, expansion=exponentials.sinh, monotone="increasing"),
        complex=_complex("sinh", expansion=complex_functions.sinh),
    ),
    "cosh": ScalarFunction(
        Overload("np.cosh", math.CoshOp, expansion=exponentials.cosh, range=Interval(1, inf)),
        complex=_complex("cosh", expansion=complex_functions.cosh),
    ),
    "tanh": ScalarFunction(
        Overload(
            "np.tanh", math.TanhOp, expansion=exponentials.tanh, range=_UNIT, monotone="increasing"
        ),
        complex=_complex("tanh", complex.TanhOp, complex_functions.tanh),
    ),
    "asinh": ScalarFunction(
        Overload("np.arcsinh", math.AsinhOp, expansion=logarithms.asinh, monotone="increasing"),
        complex=_complex("arcsinh", expansion=complex_inverses.asinh),
    ),
    "acosh": ScalarFunction(
        Overload(
            "np.arccosh",
            math.AcoshOp,
            expansion=logarithms.acosh,
            range=NOT_NEGATIVE,
            domain=Interval(low=1),
            monotone="increasing",
        ),
        complex=_complex("arccosh", expansion=complex_inverses.acosh),
    ),
    "atanh": ScalarFunction(
        Overload(
            "np.arctanh",
            math.AtanhOp,
            expansion=logarithms.atanh,
            domain=_UNIT,
            monotone="increasing",
        ),
        complex=_complex("arctanh", expansion=complex_inverses.atanh),
    ),
    "erf": ScalarFunction(
        Overload(
            "special.erf",
            math.ErfOp,
            expansion=error_functions.erf,
            reference="math.erf",
            range=_UNIT,
            monotone="increasing",
        ),
        complex=_complex("special.erf"),
    ),
    "erfc": ScalarFunction(
        Overload("special.erfc", range=Interval(0, 2), monotone="decreasing"),
        complex=_complex("special.erfc"),
    ),
    "gamma": ScalarFunction(Overload("special.gamma"), complex=_complex("special.gamma")),
    "lgamma": ScalarFunction(Overload("special.gammaln")),
    "floor": ScalarFunction(
        Overload("np.floor", math.FloorOp, intrinsic="floor", monotone="increasing")
    ),
    "ceil": ScalarFunction(
        Overload("np.ceil", math.CeilOp, intrinsic="ceil", monotone="increasing")
    ),
    "trunc": ScalarFunction(
        Overload("np.trunc", math.TruncOp, intrinsic="trunc", monotone="increasing")
    ),
    "round": ScalarFunction(
        Overload("np.rint", math.RoundEvenOp, intrinsic="roundeven", monotone="increasing")
    ),
    "sign": ScalarFunction(
        Overload("np.sign", expansion=signs.sign, range=_UNIT, monotone="increasing"),
        Overload("np.sign", expansion=signs.sign_of_integer, range=_UNIT, monotone="increasing"),
        unsigned=Overload("np.sign", expansion=signs.sign_of_unsigned, range=Interval(0, 1)),
        complex=_complex("sign", expansion=complex_functions.sign),
    ),
    "isnan": ScalarFunction(
        Overload("np.isnan", expansion=Formula.is_nan, gives="boolean"),
        complex=Overload("np.isnan", expansion=complex_functions.is_nan, gives="boolean"),
    ),
    "isinf": ScalarFunction(
        Overload("np.isinf", expansion=Formula.is_infinite, gives="boolean"),
        complex=Overload("np.isinf", expansion=complex_functions.is_infinite, gives="boolean"),
    ),
    "pow": ScalarFunction(
        Overload(
            "np.power",
            math.PowFOp,
            expansion=powers.pow,
            bounds=power,
        ),
        complex=_complex("power", complex.PowOp, complex_functions.power),
        arity=2,
    ),
    "atan2": ScalarFunction(
        Overload("np.arctan2", math.Atan2Op, expansion=angles.atan2, range=_ANGLES), arity=2
    ),
    "hypot": ScalarFunction(
        Overload("np.hypot", expansion=roots.hypot, range=NOT_NEGATIVE), arity=2
    ),
    "copysign": ScalarFunction(
        Overload("np.copysign", math.CopySignOp, intrinsic="copysign"), arity=2
    ),
    "min": ScalarFunction(
        Overload("np.minimum", arith.MinimumfOp, intrinsic="minimum", bounds=least),
        Overload("np.minimum", arith.MinSIOp, scalar="min", intrinsic="smin", bounds=least),
        arity=2,
        unsigned=Overload("np.minimum", arith.MinUIOp, intrinsic="umin", bounds=least),
    ),
    "max": ScalarFunction(
        Overload("np.maximum", arith.MaximumfOp, intrinsic="maximum", bounds=greatest),
        Overload("np.maximum", arith.MaxSIOp, scalar="max", intrinsic="smax", bounds=greatest),
        arity=2,
        unsigned=Overload("np.maximum", arith.MaxUIOp, intrinsic="umax", bounds=greatest),
    ),
    "fmin": ScalarFunction(
        Overload("np.fmin", arith.MinnumfOp, intrinsic="minnum", bounds=least), arity=2
    ),
    "fmax": ScalarFunction(
        Overload("np.fmax", arith.MaxnumfOp, intrinsic="maxnum", bounds=greatest), arity=2
    ),
    "complex": ScalarFunction(
        Overload(operation=complex.CreateOp, reference=_of_parts, gives="complex"),
        arity=2,
    ),
    "real": ScalarFunction(
        complex=Overload("arithmetic.real", complex.ReOp, reference="np.real", gives="part")
    ),
    "imag": ScalarFunction(
        complex=Overload("arithmetic.imag", complex.ImOp, reference="np.imag", gives="part")
    ),
    "conj": ScalarFunction(complex=_complex("conj", complex.ConjOp)),
    "arg": ScalarFunction(
        complex=Overload(
            "np.angle",
            complex.AngleOp,
            expansion=complex_functions.angle,
            range=_ANGLES,
            gives="part",
        )
    ),
    "bitand": ScalarFunction(
        integer=Overload(operation=arith.AndIOp, reference="np.bitwise_and", bounds=masked), arity=2
    ),
    "bitor": ScalarFunction(
        integer=Overload(operation=arith.OrIOp, reference="np.bitwise_or"), arity=2
    ),
    "bitxor": ScalarFunction(
        integer=Overload(operation=arith.XOrIOp, reference="np.bitwise_xor"), arity=2
    ),
    "bitnot": ScalarFunction(integer=Overload("np.invert", expansion=signs.complement)),
    "shl": ScalarFunction(
        integer=Overload(operation=arith.ShLIOp, reference="np.left_shift"), arity=2
    ),
    "shr": ScalarFunction(
        integer=Overload(operation=arith.ShRSIOp, reference="np.right_shift"),
        arity=2,
        unsigned=Overload(operation=arith.ShRUIOp, reference="np.right_shift"),
    ),
    "ushr": ScalarFunction(
        integer=Overload(operation=arith.ShRUIOp, reference=signs.shift_right), arity=2
    ),
}
"""The functions of the language by their names."""


def overloads() -> Iterator[Overload]:
    """All rows for one kind of numbers."""
    for function in FUNCTIONS.values():
        yield from function.overloads
