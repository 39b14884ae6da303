"""The driver function of an emitted program: statements, scalars and control flow.

%P, %k = scf.while (%P0 = ..., %k0 = 0) ...      =>    loop = Iterations()
                                                       while k < 10:
                                                           P_1 = ...
                                                           P, k = loop.carry(P_1), k + 1
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith, cf, func, scf, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from diablo.dialects import comprehension, spark, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.string_functions import character
from diablo.lowering.held_variables import HeldVariables
from diablo.lowering.numpy.expressions import place_of, tuple_text
from diablo.lowering.pyspark.block_size import write_block_size
from diablo.lowering.pyspark.calls import write_call
from diablo.lowering.pyspark.collecting import gather_text, grid_text, makes_rdds, result_text
from diablo.lowering.pyspark.local_arrays import LOCAL_ARRAYS
from diablo.lowering.pyspark.names import Names
from diablo.lowering.pyspark.operations import OPERATIONS, probe_text
from diablo.lowering.pyspark.pyspark_control import write_if, write_while
from diablo.lowering.pyspark.pyspark_lines import Chain, Lines
from diablo.lowering.pyspark.pyspark_scalars import Scalar, is_scalar_op, spell
from diablo.lowering.pyspark.pyspark_tables import TableOps, write_table_op
from diablo.lowering.pyspark.pyspark_values import (
    is_here,
    write_element,
    write_probe,
    write_results,
    write_row,
    write_scalar,
    write_sequence,
    write_unpack,
)
from diablo.lowering.python_text import string_literal
from diablo.lowering.scalar_roles import role_of
from diablo.lowering.sought_keys import sought_key
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.plans.block_groups import blocks_of
from diablo.passes.analyses.plans.liveness import Liveness
from diablo.passes.analyses.plans.tile_grids import is_carried

_Collects = spark.CollectOp | spark.CollectGroupsOp | spark.CollectStripsOp

_LONGEST_EXPRESSION = 120
"""Characters of a scalar after which it becomes a variable, however often it is used."""


class Driver:
    """Writes the body of `main`; a `Writer` for the RDD operations."""

    def __init__(
        self,
        function: func.FuncOp,
        names: Names,
        results: Sequence[str | None],
        *,
        everywhere: bool = False,
    ):
        self.function = function
        self.names = names
        self.results = results
        self.lines = Lines()
        self.scalars: dict[SSAValue, Scalar] = {}
        self.chains: dict[SSAValue, Chain] = {}
        self.loops: list[str] = []
        self.variables = HeldVariables(Liveness())
        """What is let go of where it is used last: arrays, and `everywhere` RDDs as well."""
        self._everywhere = everywhere
        self._released_at = -1
        """How many lines there were after the last `del` in no loop or branch."""
        self.planned: dict[SSAValue, str] = {}
        """The variables of what a branch yields and nothing else reads: those of its results."""
        self.returned: dict[SSAValue, str] = {}
        """The texts of what is returned as it lies with the workers."""
        self.block_sizes: dict[str | None, str] = {}
        """The variables that hold the edges of tiles, by the names of arrays that are cut alike."""
        self.any_block_size = "block_size"
        """One of them: whether there is one at all."""
        self.started = False
        self.is_loop = False
        """Whether the function is that of a loop, which assigns to its parameters."""
        self.counted: scf.WhileOp | None = None
        """The loop that stops after some of its iterations."""
        self.steps = "steps"
        """The variable that says after how many."""

    # -- Values ---------------------------------------------------------------------------

    def scalar(self, value: SSAValue) -> str:
        """The text of a scalar, or the name of a local array or a broadcast."""
        return self.scalars[value].text

    def chain(self, value: SSAValue) -> Chain:
        """The expression for an RDD."""
        return self.chains[value]

    def block_size(self, op: Operation) -> str:
        """The variable that holds the edge of the tiles of an op's arrays."""
        return self.block_sizes.get(blocks_of(op), self.any_block_size)

    def is_keyed_by_rekey(self, value: SSAValue) -> bool:
        """Return whether the tiles of an RDD carry their own coordinates."""
        return isinstance(value.owner, spark.RekeyOp)

    def name(self, value: SSAValue, fallback: str, hint: str | None = None) -> str:
        """The variable for `value`: the one planned for it, or a new one."""
        planned = self.planned.get(value)
        return planned or self.names.unique(hint or value.name_hint, fallback)

    def bind(self, value: SSAValue, name: str) -> None:
        """`value` is held by a variable, which has been assigned, from now on."""
        if isinstance(value.type, spark.RDDType):
            self.chains[value] = Chain(name, is_variable=True)
        else:
            self.scalars[value] = Scalar(name)
        if self._is_released(value):
            self.variables.assign(name)
        self.variables.hold(value, name)

    def bind_scalar(self, value: SSAValue, scalar: Scalar) -> None:
        """`value` is a number in a variable, which reads no other variable."""
        self.scalars[value] = scalar
        self.variables.inline(value)

    def _is_released(self, value: SSAValue) -> bool:
        if isinstance(value.type, spark.RDDType):
            return self._everywhere
        kinds = TensorType | BagType | comprehension.SequenceType | comprehension.TableType
        return isinstance(value.type, kinds)

    def expression(self, value: SSAValue) -> Chain:
        """The expression for any value."""
        return Chain(self.text(value))

    def text(self, value: SSAValue) -> str:
        """The text of any value."""
        if isinstance(value.type, spark.RDDType):
            return self.chains[value].text
        return self.scalars[value].text

    # -- Operations -----------------------------------------------------------------------

    def write_block(self, block: Block) -> None:
        """Write the ops of a block up to its terminator."""
        for op in block.ops:
            if op is not block.last_op or not isinstance(
                op, func.ReturnOp | scf.YieldOp | scf.ConditionOp
            ):
                self.write(op)
                self.release(self.variables.live_after(op))

    def release(self, live: Iterable[SSAValue]) -> None:
        """Let go of what nobody needs here, where the values `live` are."""
        if text := self.variables.release(live):
            self.lines.add(text)
            if self.lines.depth == 1:
                self._released_at = len(self.lines.lines)

    def write(self, op: Operation) -> None:
        """Write one op: a statement, or an expression that its use will write."""
        self._write(op)
        reads = self.variables.read_by(op.operands)
        for result in op.results:
            if result not in self.variables:
                self.variables.inline(result, reads)

    def _write(self, op: Operation) -> None:
        if self.started and any(result in self.scalars for result in op.results):
            return  # An extent, which the block size needed.
        # Before the branch or loop that it may stand in, which need not be entered.
        if not self.started and any(inner.name.startswith("spark.") for inner in op.walk()):
            self.started = True
            write_block_size(self)
        match op:
            case scf.WhileOp():
                write_while(self, op)
            case scf.IfOp():
                write_if(self, op)
            case tensor.DimOp():
                self._dim(op)
            case tensor.ExtractOp():
                index = tuple_text([self.scalar(i) for i in op.indices])
                place = string_literal(place_of(op))
                call = f"local_element({self.text(op.tensor)}, {index}, {place})"
                write_scalar(self, op, Chain(call))
            case _ if type(op) in LOCAL_ARRAYS and not makes_rdds(op):
                self.assign(op, Chain(LOCAL_ARRAYS[type(op)](self, op)), "local")
            case comprehension.UnpackOp():
                write_unpack(self, op)
            case comprehension.ElementOp():
                write_element(self, op, spell(op, self.scalars.__getitem__).text)
            case comprehension.SequenceOp():
                write_sequence(self, op)
            case comprehension.RowOp():
                write_row(self, op)
            case _ if isinstance(op, TableOps):
                write_table_op(self, op)
            case comprehension.ProbeOp():
                write_probe(self, op, spell(op, self.scalars.__getitem__).text)
            case spark.ProbeOp():
                write_probe(self, op, probe_text(self, op))
            case _ if any(isinstance(result.type, BagType) for result in op.results) and (
                is_scalar_op(op)
            ):
                self.assign(op, Chain(spell(op, self.scalars.__getitem__).text), "listed")
            case cf.AssertOp():
                self.lines.comment(op)
                message = ": ".join(filter(None, [place_of(op), op.msg.data]))
                arguments = [self.text(op.arg), string_literal(message)]
                key = sought_key(op.arg)
                if key:
                    # A character is a number to the program.
                    parts = [(part.type, self.text(part)) for part in key]
                    parts = [f"chr({text})" if type == character else text for type, text in parts]
                    arguments.append(tuple_text(parts))
                self.lines.statement("", Chain(f"require({', '.join(arguments)})"))
            case func.CallOp():
                write_call(self, op)
            case spark.PersistOp():
                self._persist(op)
            case spark.ReleaseOp():
                is_rdd = isinstance(op.input.type, spark.RDDType)
                kept = self.chain(op.input).text if is_rdd else self.text(op.input)
                self.lines.statement("", Chain(f"release({kept})"))
            case spark.CollectOp():
                self._collect(op)
            case _ if type(op) in OPERATIONS:
                self._rdd(op)
            case _ if is_scalar_op(op):
                self._scalar(op)
            case _:
                message = f"{op.name} cannot stand in a PySpark program"
                raise unsupported(op, message)

    def _scalar(self, op: Operation) -> None:
        scalar = spell(op, self.scalars.__getitem__)
        (result,) = op.results
        self.scalars[result] = scalar
        if isinstance(op, ConstantOps | comprehension.StringOp) or not result.uses:
            return
        uses = list(result.uses)
        inline = len(uses) == 1 and is_here(uses[0].operation, op)
        inline = inline and len(scalar.text) < _LONGEST_EXPRESSION
        converted = (scalar.as_integer or scalar).text
        if not inline and not converted.isidentifier():
            self.lines.comment(op)
            name = self.name(result, role_of(result))
            self.lines.statement(f"{name} = ", Chain(scalar.text))
            self.bind_scalar(result, Scalar(name, is_numpy=scalar.is_numpy))

    def _dim(self, op: tensor.DimOp) -> None:
        index = op.index.owner
        assert isinstance(index, arith.ConstantOp)
        array = self.scalar(op.source)
        position = self.scalar(op.index)
        name = self.names.unique(op.result.name_hint, f"{array}_dim{position}")
        self.lines.add(f"{name} = {array}.shape[{position}]")
        self.bind_scalar(op.result, Scalar(name))

    def _rdd(self, op: Operation) -> None:
        chain = OPERATIONS[type(op)](self, op)
        if isinstance(op, spark.FoldAllOp | spark.CollectStripsOp):
            write_results(self, op, chain)
            return
        (result,) = op.results
        if isinstance(op, spark.BroadcastOp):
            self.assign(op, chain, "whole", suffix="_whole")
        elif isinstance(op, spark.CollectGroupsOp):
            self.assign(op, chain, "local")
        elif isinstance(op, spark.FoldOp | spark.ExtractOp):
            write_scalar(self, op, chain)
        elif self._continues(result) and not self._nests(result, chain):
            self.chains[result] = chain
        elif isinstance(op, spark.ParallelizeOp) and self._replaces(op.input):
            self.assign(op, chain, "rdd", name=self.scalar(op.input))
        else:
            returned = any(isinstance(use.operation, _Collects) for use in result.uses)
            self.assign(op, chain, "result" if returned else "part")

    def _replaces(self, argument: SSAValue) -> bool:
        """Whether an argument is only asked for its dimensions besides being distributed once."""
        users = [use.operation for use in argument.uses]
        return (
            isinstance(argument, BlockArgument)
            and all(isinstance(user, tensor.DimOp | spark.ParallelizeOp) for user in users)
            and sum(isinstance(user, spark.ParallelizeOp) for user in users) == 1
        )

    def _continues(self, rdd: SSAValue) -> bool:
        """Return whether the only use of an RDD has its expression written into it."""
        uses = list(rdd.uses)
        assert isinstance(rdd.owner, Operation)
        if len(uses) != 1:
            return False
        use = uses[0].operation
        if isinstance(rdd.owner, spark.ParallelizeOp):
            return isinstance(use, spark.PersistOp)
        if rdd.name_hint is not None and not isinstance(use, spark.PersistOp | scf.YieldOp):
            return False  # A variable of the source program keeps its name.
        if isinstance(use, scf.YieldOp):
            return isinstance(use.parent_op(), scf.IfOp) and use.parent is rdd.owner.parent
        return (
            use.parent is rdd.owner.parent
            and use.name.startswith("spark.")
            and not isinstance(use, spark.BroadcastOp | _Collects)
        )

    @staticmethod
    def _nests(rdd: SSAValue, chain: Chain) -> bool:
        """Return whether one cogroup would stand within another, which is hard to read."""
        (use,) = rdd.uses
        return isinstance(use.operation, spark.CogroupOp) and (
            "cogroup(" in chain.text or "zip_tiles(" in chain.text
        )

    def assign(
        self, op: Operation, chain: Chain, fallback: str, suffix: str = "", name: str | None = None
    ) -> None:
        """A statement that gives the result of `op` a variable."""
        (result,) = op.results
        if name is None:
            hint = result.name_hint
            name = self.name(result, fallback, hint + suffix if hint and suffix else hint)
        self.lines.comment(op)
        self.lines.statement(f"{name} = ", chain)
        self.bind(result, name)

    def _persist(self, op: spark.PersistOp) -> None:
        """Keep an RDD, in a loop until that is done with it, unless it is carried on anyway."""
        chain = self.chain(op.input)
        if is_carried(op):
            if chain.is_variable:
                self.chains[op.result] = chain
            else:
                self.assign(op, chain, "part")
            return
        if op.grid:
            chain = chain.then(f".partitionBy(*{grid_text(self, op)})")
        elif op.buckets is not None:
            chain = chain.then(".partitionBy(*by_bucket(partitions))")
        if self.loops:
            self.assign(op, chain, "part")
            self.lines.add(f"{self.loops[-1]}.keep({self.chain(op.result).text})")
        else:
            # On disk if memory runs short: made again, numbered rows might get other numbers.
            self.assign(op, Chain(f"persisted({chain.text})"), "rdd")

    def _collect(self, op: spark.CollectOp) -> None:
        """Leave what is only returned where it is; bring what the driver uses to it."""
        array = as_array(op.result.type)
        local = array is not None and not tensor_block.is_tiled(array)
        uses = [use.operation for use in op.result.uses]
        if not local and any(isinstance(use, func.ReturnOp) for use in uses):
            text = result_text(self, op, self._result_name(op.result))
            self.returned[op.result] = text
            if all(isinstance(use, func.ReturnOp) for use in uses):
                return
        self.assign(op, Chain(gather_text(self, op, op.monoid)), "local")
        if op.result in self.returned:
            reads = self.variables.read_by([op.result, *op.operands])
            self.variables.inline(op.result, reads)

    def _result_name(self, value: SSAValue) -> str | None:
        end = self.function.body.block.last_op
        assert isinstance(end, func.ReturnOp)
        return self.results[list(end.arguments).index(value)]

    def write_return(self) -> None:
        """Write the `return` statement."""
        end = self.function.body.block.last_op
        assert isinstance(end, func.ReturnOp)
        if self._released_at == len(self.lines.lines):
            self.lines.lines.pop()  # Nothing follows but the end.
        texts = [self.returned.get(v) or self.text(v) for v in end.arguments]
        if len(texts) == 1:
            self.lines.statement("return ", Chain(texts[0]))
        else:
            self.lines.statement("return ", Chain(f"({', '.join(texts)})"))
