"""What the ops that scan an array have in common: those of whole arrays and of their tiles.

`ScanLines` is the base of both; an op adds its array, and what else it takes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, TensorType, UnitAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, opt_prop_def, prop_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Monoid
from diablo.dialects.encodings import is_sparse
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verifier_checks import verify_positions


class ScanLines(IRDLOperation, ABC):
    """Every beginning of the lines of a dense array along one dimension, folded.

    With `reverse` every end is. The array is the first operand.
    """

    monoid = prop_def(StringAttr)
    dimension = prop_def(IntegerAttr[I64])
    reverse = opt_prop_def(UnitAttr)
    traits = traits_def(Pure())
    custom_directives = (Monoid,)

    def __init__(
        self,
        monoid: str,
        array: SSAValue,
        dimension: int = 0,
        dims: Sequence[SSAValue] = (),
        *,
        reverse: bool = False,
    ):
        super().__init__(
            operands=[array, dims],
            properties={
                "monoid": StringAttr(monoid),
                "dimension": IntegerAttr(dimension, i64),
                "reverse": UnitAttr() if reverse else None,
            },
            result_types=[array.type],
        )

    @staticmethod
    @abstractmethod
    def array_type(type: Attribute) -> TensorType[Attribute]:
        """Return what is scanned of a value of a type; raises a `VerifyException` if none is."""

    def verify_(self) -> None:
        """Check the dimension, the monoid, and that the array is dense."""
        array = self.array_type(self.operands[0].type)
        verify_positions([self.dimension.value.data], array.get_num_dims(), "dimension")
        if is_sparse(array):
            raise VerifyException("only dense arrays are scanned")
        verify_monoid(self.monoid.data, array.get_element_type(), self)
