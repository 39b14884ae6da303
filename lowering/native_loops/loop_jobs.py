"""The kernels that a loop of the driver calls, as jobs that the runtime makes ready for it.

    %B = func.call @kernel_0(%n, %A, %x)        ("call", "kernel_0", "=32 @0 #7", "@2")
    %s = func.call @kernel_1(%B)                ("call", "kernel_1", "@2", "#5")
    %C = tensor.collapse_shape %B [[0, 1]]      ("view", 3, 2, (2,))

Each kernel has machine code of its own, the same that Python calls, and threads share it; what
calls it is `job_calls.py`, and who makes it ready is `diablo.runtime.program.prepared_loops`; what
the words are `loop_steps` says there. Extents are the same in a whole call of the loop; other
numbers may be others in each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import IndexType, f32, f64, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects.encodings import is_sparse
from diablo.kernel_signature import Signature, Slot, dimensions_text
from diablo.lowering.collapsed_axes import collapsed_axes
from diablo.lowering.kernel_types import has_generators, is_tensor
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.lowering.native_loops.called_kernels import (
    SparseProduct,
    called_kernel,
    overwritten,
    sparse_product,
)
from diablo.lowering.native_loops.native_loops import (
    Buffers,
    check_native_loop,
    dimension_in_call,
    fixed_dimension,
)
from diablo.lowering.native_loops.tuple_words import holds_tuples
from diablo.lowering.outlined_loops import loop_of
from diablo.lowering.python_text import symbol_name
from diablo.passes.analyses.refused import Refused
from diablo.row_kernel_signature import RowSignature
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot

Step = tuple[str | int | tuple[int, ...], ...]
"""As `diablo.runtime.program.loop_steps` takes it, but for the name of a kernel."""
_RESULTS: tuple[Attribute, ...] = (f64, i64, IndexType())
"""The numbers that a job may give, each of which is a word."""
_GIVEN: tuple[Attribute, ...] = (f64, f32, i64, i1, IndexType())
"""The numbers that a job may be given."""


@dataclass
class LoopJobs:
    """The steps of an iteration, and the words of the table that they have.

    Raises
    ------
    Refused
        If one cannot be a job, or an array is needed where it is.
    """

    function: func.FuncOp
    buffers: Buffers
    count: int = field(default=0, init=False)
    """How many arguments the loop has, which come first among the arrays."""
    carried: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]], init=False)
    """Of arrays that the loop carries those that a kernel makes of them."""
    steps: list[Step] = field(default_factory=list[Step], init=False)
    step_of: dict[Operation, int] = field(default_factory=dict[Operation, int], init=False)
    words: int = field(default=0, init=False)
    """How many words the table has."""
    given: dict[tuple[Operation, int], int] = field(
        default_factory=dict[tuple[Operation, int], int], init=False
    )
    """The words of the numbers that calls are given, by the number of the argument."""
    numbers: dict[SSAValue, tuple[int, str]] = field(
        default_factory=dict[SSAValue, tuple[int, str]], init=False
    )
    """The word that says where the numbers of the pieces are, and what combines them."""
    loops: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]], init=False)
    """The first step of each loop within the loop, and that behind its last."""
    rank: int = field(default=0, init=False)
    """How many dimensions the kernels go through, at most."""
    _places: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int], init=False)

    def __post_init__(self) -> None:
        loop = loop_of(self.function)
        assert loop is not None
        self.count = len(self.function.args)
        self._places = {argument: k for k, argument in enumerate(self.function.args)}
        ops = [
            op
            for op in loop.walk()
            if called_kernel(op) is not None or isinstance(op, tensor.CollapseShapeOp)
        ]
        for result in [result for op in ops for result in op.results if is_tensor(result.type)]:
            self._places[result] = len(self._places)
        if not any(isinstance(op, func.CallOp) for op in ops):
            raise Refused("it calls no kernel")
        self.words = self.arrays + 2 * len(ops)
        if any(holds_tuples(v.type) for op in ops for v in (*op.operands, *op.results)):
            raise Refused("a kernel takes or makes an array of tuples")
        for op in ops:
            self.step_of[op] = len(self.steps)
            self.steps.append(self._step(op))
        self.carried = [(k, self._places[made]) for k, made in self.buffers.copied]
        if len({made for _, made in self.carried}) < len(self.carried):
            raise Refused("two arrays that are carried become one")
        self._note_loops(loop)
        self._check_uses(loop)

    @property
    def arrays(self) -> int:
        """How many arrays there are."""
        return len(self._places)

    def place(self, array: SSAValue) -> int:
        """The number of an array."""
        return self._places[array if array in self._places else self.buffers.of(array)]

    def job_word(self, op: Operation) -> int:
        """The word that is the address of a job; that behind it is how many points it has."""
        return self.arrays + 2 * self.step_of[op]

    @staticmethod
    def of(function: func.FuncOp) -> LoopJobs:
        """The jobs of the loop that a function was outlined for.

        Raises
        ------
        Refused
            If it cannot be machine code with such jobs.
        """
        check_native_loop(function, jobs=True)
        loop = loop_of(function)
        assert loop is not None
        buffers = Buffers(views=True)
        buffers.note(loop)
        return LoopJobs(function, buffers)

    # -- Steps ----------------------------------------------------------------------------

    def _step(self, op: Operation) -> Step:
        if isinstance(op, tensor.CollapseShapeOp):
            widths = tuple(len(axes) for axes in collapsed_axes(op))
            return "view", self.place(op.result), self.place(op.src), widths
        assert isinstance(op, func.CallOp)
        kernel = called_kernel(op)
        assert kernel is not None
        product = sparse_product(kernel)
        if product is not None:
            return self._product(op, product)
        if has_generators(kernel):
            raise Refused("a kernel is over rows")
        signature = compile_kernel(kernel).signature
        assert not isinstance(signature, RowSignature)
        given = [self._word(op, k, signature) for k in range(len(op.arguments))]
        made = [self._result_word(op, k, signature) for k in range(len(op.results))]
        rank = max((len(v.type.get_shape()) for v in op.operands if is_tensor(v.type)), default=1)
        is_dense = isinstance(signature, Signature)
        self.rank = max(self.rank, len(signature.work) if is_dense else rank)
        name = symbol_name(kernel.sym_name.data)
        step = "call", name, " ".join(given), " ".join(made)
        written = overwritten(op)
        return step if written is None else (*step, self.place(op.arguments[written]))

    def _product(self, op: func.CallOp, product: SparseProduct) -> Step:
        matrix = self.buffers.of(op.arguments[product.matrix])
        extents = [
            dimension_in_call(dimension, op, self.function, self.buffers)
            for dimension in product.extents
        ]
        vector, made = op.arguments[product.vector], op.results[0]
        self.rank = max(self.rank, 1)
        return (
            *("product", self._places[matrix], product.row, product.column),
            *(dimensions_text(extents), self.place(vector), self.place(made)),
        )

    def _word(self, op: func.CallOp, number: int, signature: Signature | SparseSignature) -> str:
        """What a kernel is given as an argument."""
        value = op.arguments[number]
        if is_sparse(value.type):
            return str(self._places[self.buffers.of(value)])
        if is_tensor(value.type):
            return f"@{self.place(value)}"
        if number in _fixed(signature):
            return str(fixed_dimension(value, self.function, self.buffers))
        if value.type not in _GIVEN:
            raise Refused(f"a kernel is given {value.type}")
        self.given[op, number] = self.words
        self.words += 1
        return f"#{self.words - 1}"

    def _result_word(
        self, op: func.CallOp, number: int, signature: Signature | SparseSignature
    ) -> str:
        """What a kernel gives."""
        value = op.results[number]
        if is_tensor(value.type):
            if is_sparse(value.type):
                raise Refused("a kernel makes a sparse array")
            return f"@{self.place(value)}"
        given = [s for s in signature.outputs if isinstance(s, SparseSlot) or not s.temporary]
        slot = given[number]
        if isinstance(slot, SparseSlot) or value.type not in _RESULTS:
            raise Refused(f"a kernel gives {value.type}")
        if slot.monoid.startswith("@"):
            raise Refused("the program's own monoid combines what threads give")
        self.numbers[value] = self.words, slot.monoid
        self.words += 2
        return f"#{self.words - 2}"

    # -- What is around them --------------------------------------------------------------

    def _note_loops(self, loop: scf.WhileOp) -> None:
        for op in loop.walk():
            if isinstance(op, scf.WhileOp) and op is not loop:
                inside = [step for each, step in self.step_of.items() if op.is_ancestor(each)]
                if inside:
                    self.loops.append((min(inside), max(inside) + 1))

    def _check_uses(self, loop: scf.WhileOp) -> None:
        """Raise `Refused` if something else than a job needs an array that moves or is made.

        Or that jobs write, or if it writes one that they need: to the loop's own code each array is
        memory that nothing else knows.
        """
        moved = {self.function.args[k] for k, _ in self.buffers.copied}
        read, written = set[SSAValue](), set[SSAValue]()
        for op in loop.walk():
            match op:
                case tensor.ExtractOp():
                    read.add(self.buffers.of(op.tensor))
                case tensor.InsertOp():
                    written.add(self.buffers.of(op.dest))
                case tensor.DimOp() if self.buffers.of(op.source) not in self.function.args:
                    raise Refused("an extent is read of an array that a kernel makes")
                case _:
                    pass
        own = read | written
        if own & moved or not own.issubset(self.function.args):
            raise Refused("an element is read of an array that a kernel makes")
        given, changed = set[SSAValue](), set[SSAValue]()
        for op in self.step_of:
            given |= {self.buffers.of(v) for v in op.operands if is_tensor(v.type)}
            changed |= {self.buffers.of(v) for v in op.results if is_tensor(v.type)}
        if own & changed or written & given:
            raise Refused("an array is written by a kernel, and by the loop itself or read there")


def _fixed(signature: Signature | SparseSignature) -> set[int]:
    """The numbers of a kernel that are extents, or have to be above zero."""
    slots: Sequence[Slot | SparseSlot] = (*signature.arguments, *signature.outputs)
    work = signature.work if isinstance(signature, Signature) else signature.factors
    space = () if isinstance(signature, Signature) else signature.space
    dimensions = [*work, *space, *(d for slot in slots for d in slot.dimensions or () if d)]
    extents = {d.argument for d in dimensions if d.constant is None and d.axis is None}
    arguments = enumerate(signature.arguments)
    return extents | {k for k, slot in arguments if isinstance(slot, Slot) and slot.positive}
