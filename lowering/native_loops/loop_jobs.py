"""The kernels that a loop of the driver calls, as jobs that the runtime makes ready for it.

    %B = func.call @kernel_0(%n, %A, %x)        ("call", "kernel_0", "=32 @0 #7", "@2")
    %s = func.call @kernel_1(%B)                ("call", "kernel_1", "@2", "#5")
    %C = tensor.collapse_shape %B [[0, 1]]      ("view", 3, 2, (2,))
    %y = func.call @kernel_2(%n, %A, %x)        ("matmul", "ik,k->i", "@4 @5", "32,0", "@6")
    %a = tensor.extract %B[%k]                  ("touch", "@2")
    scf.while (%v = %B) …                       ("copy", "@2", "@7")
    %t = func.call @kernel_3(%n, %B)            ("call", "kernel_3", "=32 @2", "@8")
                                                ("combine", "@8")
    %u = func.call @kernel_5(%n, %z)            ("ahead",), ("call", "kernel_5", "=32 @12", "@13")
    %S = func.call @kernel_6(%n, %m, %A)        ("scan", "@14", "add", 1, False, "=32,=8", "@15")
    %z = func.call @kernel_4(%x, %w)            ("ahead",), ("ahead",), ("windows", "@2 @10", …)
    %c = scf.if … { … scf.yield %B } …          ("exchange", "@2", "@9")

Each kernel has machine code of its own, the same that Python calls, and threads share it; what
calls it is `job_calls.py`, and who makes it ready is `diablo.runtime.program.prepared_loops`; what
the words are `loop_steps` says there. Products are BLAS's, those over windows with two jobs ahead
(`window_steps.py`). What scans vectors has one ahead, which folds all pieces but the last; lines of
arrays are scanned by loops of the runtime (`line_scans.py`). Extents are the same in a whole call
of the loop; other numbers may be others in each iteration. Where jobs have to do with an array
whose elements the loop itself reads or writes, it finds them by the array's address. A loop within
the loop has memory of its own for an array that it carries and exchanges for others. What a branch
gives becomes the array that is chosen as `Way` says. Where each piece of a kernel has a table of
its own, as of the sums of columns, another job combines them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import (
    ComplexType,
    IndexType,
    IntegerType,
    Signedness,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects.comprehension import TableType
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import is_sparse
from diablo.kernel_signature import Dimension, Signature, Slot, dimensions_text
from diablo.lowering.collapsed_axes import collapsed_axes
from diablo.lowering.kernel_types import element_type, has_rows, is_tensor
from diablo.lowering.multiloop.compile_kernel import CompiledKernels
from diablo.lowering.native_loops.called_kernels import (
    SparseProduct,
    called_kernel,
    overwritten,
    sparse_product,
    sparse_product_with_matrix,
)
from diablo.lowering.native_loops.library_products import Factor, LibraryProduct, library_product
from diablo.lowering.native_loops.line_scans import LineScan, line_scan
from diablo.lowering.native_loops.native_loops import (
    Buffers,
    check_native_loop,
    dimension_in_call,
    fixed_dimension,
)
from diablo.lowering.native_loops.tuple_words import holds_tuples
from diablo.lowering.native_loops.window_steps import AHEAD, WindowStep, window_step
from diablo.lowering.outlined_loops import loop_of
from diablo.lowering.python_text import symbol_name
from diablo.passes.analyses.loops.trip_counts import loops_around
from diablo.passes.analyses.refused import Refused
from diablo.row_kernel_signature import RowSignature
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot

Step = tuple[object, ...]
"""As `diablo.runtime.program.loop_steps` takes it, but for the name of a kernel."""
_COMPLEX: tuple[Attribute, ...] = (ComplexType(f64), ComplexType(f32))
_INTEGERS: tuple[Attribute, ...] = (
    *(i64, i32, i16, i8, i1, IndexType()),
    *(IntegerType(bits, Signedness.UNSIGNED) for bits in (8, 16, 32)),
)
_NUMBERS: tuple[Attribute, ...] = (f64, f32, *_INTEGERS, *_COMPLEX)
"""The numbers that a job may be given or give: a complex one is given as two words.

Also the elements that the loop itself reads and writes of arrays that jobs write.
"""
Part = Operation | SSAValue | tuple[Operation, int]
"""What has a step: an op, an array that is copied or combined, the end of a branch that gives an
array of a number, or a call with the number of a job that is ahead of it."""
Way = Literal["copy", "exchange", "refer"]
"""How an array becomes a chosen one: its elements are copied, memory is exchanged with it, or that
stands for it meanwhile."""
_OF_ELEMENTS = (tensor.ExtractOp, tensor.InsertOp)


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
    kernels: CompiledKernels = field(default_factory=CompiledKernels)
    count: int = field(default=0, init=False)
    """How many arguments the loop has, which come first among the arrays."""
    carried: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]], init=False)
    """Of arrays that the loop carries what they become: what a kernel makes, or another of them."""
    inner: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]], init=False)
    """The same of the loops within the loop."""
    steps: list[Step] = field(default_factory=list[Step], init=False)
    step_of: dict[Part, int] = field(default_factory=dict[Part, int], init=False)
    """The steps of ops, and those that copy what a loop within the loop begins with.

    Also those that copy what a branch gives.
    """
    words: int = field(default=0, init=False)
    """How many words the table has."""
    given: dict[tuple[Operation, int], int] = field(
        default_factory=dict[tuple[Operation, int], int], init=False
    )
    """The first words of the numbers that calls are given, by the number of the argument."""
    divisors: set[tuple[Operation, int]] = field(
        default_factory=set[tuple[Operation, int]], init=False
    )
    """Those of them that divide, and are above zero in calls that machine code does to the end."""
    numbers: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int], init=False)
    """The word that says where the numbers of the pieces are."""
    totals: dict[Operation, list[tuple[str, list[SSAValue]]]] = field(
        default_factory=dict[Operation, list[tuple[str, list[SSAValue]]]], init=False
    )
    """Of each call what combines the numbers that it gives, of a tuple all parts."""
    windows: dict[Operation, WindowStep] = field(
        default_factory=dict[Operation, WindowStep], init=False
    )
    """The calls that are products over windows."""
    loops: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]], init=False)
    """The first step of each loop within the loop, and that behind its last."""
    rank: int = field(default=0, init=False)
    """How many dimensions the kernels go through, at most."""
    _places: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int], init=False)
    _shared: set[SSAValue] = field(default_factory=set[SSAValue], init=False)
    _signatures: dict[Operation, Signature | SparseSignature] = field(
        default_factory=dict[Operation, Signature | SparseSignature], init=False
    )
    """Those of the kernels that calls are of, but for products and scans of lines."""
    _scans: dict[Operation, LineScan] = field(default_factory=dict[Operation, LineScan], init=False)

    def __post_init__(self) -> None:
        loop = loop_of(self.function)
        assert loop is not None
        self.count = len(self.function.args)
        self._places = {argument: k for k, argument in enumerate(self.function.args)}
        steps = [op for op in loop.walk() if _is_step(op)]
        chosen, made = self.buffers.chosen, self.buffers.made
        for result in [result for op in steps for result in op.results if is_tensor(result.type)]:
            if result not in made or self.buffers.of(result) is result:
                self._places[result] = len(self._places)
        if not any(isinstance(op, func.CallOp) for op in steps):
            raise Refused("it calls no kernel")
        if any(holds_tuples(v.type) for op in steps for v in (*op.operands, *op.results)):
            raise Refused("a kernel takes or makes an array of tuples")
        for slot in (*self.buffers.slots, *chosen):
            self._places[slot] = len(self._places)
        self._note_shared(steps)
        for op in steps:
            self._compile(op)
        parts = [part for op in loop.walk() for part in self._parts(op)]
        self.words = self.arrays + 2 * len(parts)
        for part in parts:
            self.step_of[part] = len(self.steps)
            self.steps.append(self._step_of(part))
        for op in loop.walk():
            if isinstance(op, (tensor.DimOp, *_OF_ELEMENTS)):
                array = op.source if isinstance(op, tensor.DimOp) else array_of(op)
                owner = self.buffers.whole(array)
                if owner not in self.function.args and owner not in self.buffers.extents:
                    raise Refused("an extent is read of an array that may have others")
        self._note_carried(loop)
        self._note_loops(loop)

    @cached_property
    def choices(self) -> dict[tuple[Operation, int], SSAValue]:
        """The arrays that branches choose between, by where one is copied to its memory."""
        return {copy: array for array, copies in self.buffers.chosen.items() for copy in copies}

    @property
    def arrays(self) -> int:
        """How many arrays there are."""
        return len(self._places)

    @property
    def equal(self) -> list[tuple[str, str]]:
        """The extents that are equal in calls that machine code does, and not below zero."""
        return [(str(one), str(other)) for one, other in self.buffers.equal]

    def place(self, array: SSAValue) -> int:
        """The number of an array."""
        return self._places[array if array in self._places else self.buffers.of(array)]

    def address_word(self, array: SSAValue) -> int:
        """The word that is the address of an array."""
        return self._places[self.buffers.of(array)]

    def is_shared(self, array: SSAValue) -> bool:
        """Whether jobs write or make an array, or one that the loop's own code writes is theirs.

        To the loop's own code each array that it is given is memory that nothing else knows.
        """
        return self.buffers.of(array) in self._shared

    def job_word(self, op: Part) -> int:
        """The word that is the address of a job; that behind it is how many points it has."""
        return self.arrays + 2 * self.step_of[op]

    @staticmethod
    def of(function: func.FuncOp, kernels: CompiledKernels | None = None) -> LoopJobs:
        """The jobs of the loop that a function was outlined for, of a module with such kernels.

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
        return LoopJobs(function, buffers, kernels or CompiledKernels())

    # -- Steps ----------------------------------------------------------------------------

    def _compile(self, op: Operation) -> None:
        """Find out what the kernel of a call takes and gives as machine code."""
        kernel = called_kernel(op)
        if kernel is None or _sparse_product(kernel) or library_product(kernel):
            return
        if (windows := window_step(kernel)) is not None:
            self.windows[op] = windows
            return
        if (scan := line_scan(kernel)) is not None:
            self._scans[op] = scan
            return
        if has_rows(kernel):
            raise Refused("a kernel is over rows")
        signature = self.kernels.of(kernel).signature
        assert not isinstance(signature, RowSignature)
        self._signatures[op] = signature

    def _step_of(self, part: Part) -> Step:
        if isinstance(part, Operation):
            return self._step(part)
        if isinstance(part, tuple):
            return ("ahead",) if part in self.ahead(part[0]) else self._choose(*part)
        if part in self.buffers.slots:
            return self._copy(part, self.buffers.slots[part])
        return "combine", f"@{self.place(part)}"

    def _step(self, op: Operation) -> Step:
        if isinstance(op, tensor.CollapseShapeOp):
            widths = tuple(len(axes) for axes in collapsed_axes(op))
            return "view", self.place(op.result), self.place(op.src), widths
        if isinstance(op, _OF_ELEMENTS):
            array = array_of(op)
            if (element := element_type(array.type)) not in _NUMBERS:
                raise Refused(f"an element of {element} is read of an array that jobs write")
            return "touch", f"@{self.place(array)}"
        assert isinstance(op, func.CallOp)
        kernel = called_kernel(op)
        assert kernel is not None
        product = _sparse_product(kernel)
        if product is not None:
            return self._product(op, product)
        if (library := library_product(kernel)) is not None:
            return self._library_product(op, library)
        if op in self.windows:
            return self._windows(op, self.windows[op])
        if op in self._scans:
            return self._scan(op, self._scans[op])
        signature = self._signatures[op]
        given = [self._word(op, k, signature) for k in range(len(op.arguments))]
        made = [self._result_word(op, *each) for each in _results(op, signature)]
        self._note_extents(op, signature)
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
        dense, made = op.arguments[product.dense], op.results[0]
        shape = [extents[product.row], *extents[2:]]
        self.buffers.extents.setdefault(self.buffers.of(made), shape)
        self.rank = max(self.rank, len(shape))
        return (
            *("product", self._places[matrix], product.row, product.column),
            *(dimensions_text(extents), self.place(dense), self.place(made)),
        )

    def _library_product(self, op: func.CallOp, product: LibraryProduct) -> Step:
        extents = [
            dimension_in_call(dimension, op, self.function, self.buffers)
            for dimension in product.extents
        ]
        made = op.results[0]
        self.buffers.extents.setdefault(self.buffers.of(made), extents[:-1])
        self.rank = max(self.rank, len(extents))
        factors = [f"@{self.place(op.arguments[k])}" for k in (product.left, product.right)]
        step = "matmul", product.spec, " ".join(factors), dimensions_text(extents)
        result, added = f"@{self.place(made)}", product.added
        if added is None:
            return *step, result
        other = f"@{self.place(op.arguments[added.other])}"
        more = other, self._factor(op, added.alpha), self._factor(op, added.beta)
        return *step, result, *more, *(() if overwritten(op) is None else (True,))

    def _factor(self, op: func.CallOp, factor: Factor) -> float | str:
        if factor.argument is None:
            return factor.number
        word = self._given_word(op, factor.argument)
        return f"-{word}" if factor.number < 0.0 else word

    def _windows(self, op: func.CallOp, step: WindowStep) -> Step:
        def known(dimension: Dimension) -> Dimension:
            return dimension_in_call(dimension, op, self.function, self.buffers)

        made = op.results[0]
        weights = self.buffers.of(op.arguments[step.weights])
        loop = loop_of(self.function)
        assert loop is not None
        if step.has_limits and weights not in self.function.args[len(loop.arguments) :]:
            raise Refused("weights of windows that end at an edge are others in each iteration")
        own = [known(extent) for extent in step.extents[: step.parallel]]
        self.buffers.extents.setdefault(self.buffers.of(made), own)
        self.rank = max(self.rank, step.parallel)
        factors = [f"@{self.place(op.arguments[k])}" for k in (step.data, step.weights)]
        return "windows", " ".join(factors), *step.words(known), f"@{self.place(made)}"

    def _scan(self, op: func.CallOp, step: LineScan) -> Step:
        def known(dimension: Dimension) -> Dimension:
            return dimension_in_call(dimension, op, self.function, self.buffers)

        made = op.results[0]
        self.buffers.extents.setdefault(self.buffers.of(made), [known(d) for d in step.extents])
        self.rank = max(self.rank, len(step.extents))
        array = f"@{self.place(op.arguments[step.array])}"
        return "scan", array, *step.words(known), f"@{self.place(made)}"

    def _word(self, op: func.CallOp, number: int, signature: Signature | SparseSignature) -> str:
        """What a kernel is given as an argument."""
        value = op.arguments[number]
        if is_sparse(value.type):
            return str(self._places[self.buffers.of(value)])
        if is_tensor(value.type):
            return f"@{self.place(value)}"
        if number in _extents(signature):
            return str(fixed_dimension(value, self.function, self.buffers))
        slot = signature.arguments[number]
        if isinstance(slot, Slot) and slot.positive:
            try:
                return str(fixed_dimension(value, self.function, self.buffers))
            except Refused:
                self._check_divisor()
                self.divisors.add((op, number))
        if value.type not in _NUMBERS:
            raise Refused(f"a kernel is given {value.type}")
        return self._given_word(op, number)

    def _given_word(self, op: func.CallOp, number: int) -> str:
        """The word of a number that a call is given; a complex one has two."""
        count = 2 if op.arguments[number].type in _COMPLEX else 1
        if (op, number) not in self.given:
            self.given[op, number] = self.words
            self.words += count
        first = self.given[op, number]
        return f"#{','.join(map(str, range(first, first + count)))}"

    def _check_divisor(self) -> None:
        """Raise `Refused` if a call could not begin anew where a divisor is not above zero."""
        if any(isinstance(argument.type, TableType) for argument in self.function.args):
            raise Refused("a kernel divides by a number that may be zero")

    def _result_word(
        self, op: func.CallOp, slot: Slot | SparseSlot, values: Sequence[SSAValue]
    ) -> str:
        """What a kernel gives: an array, a number, or a tuple in its parts."""
        if is_tensor(values[0].type):
            if is_sparse(values[0].type):
                raise Refused("a kernel makes a sparse array")
            return f"@{self.place(values[0])}"
        words: list[str] = []
        for value in values:
            if isinstance(slot, SparseSlot) or value.type not in _NUMBERS:
                raise Refused(f"a kernel gives {value.type}")
            self.numbers[value] = self.words
            words.append(f"#{self.words}")
            self.words += 2
        assert isinstance(slot, Slot)
        self.totals.setdefault(op, []).append((slot.monoid, list(values)))
        return " ".join(words)

    def _parts(self, op: Operation) -> Sequence[Part]:
        """The steps of an op: for a loop what it carries in memory of its own."""
        if isinstance(op, scf.WhileOp):
            return [a for a in op.before_region.block.args if a in self.buffers.slots]
        if isinstance(op, scf.YieldOp):
            return [(op, k) for k in range(len(op.operands)) if (op, k) in self.choices]
        if isinstance(op, _OF_ELEMENTS):
            return [op] if self.is_shared(array_of(op)) else []
        tables: list[SSAValue] = []
        if (signature := self._signatures.get(op)) is not None:
            for slot, values in _results(op, signature):
                if isinstance(slot, Slot) and slot.own:
                    if not _is_combined(slot):
                        raise Refused("each thread has a table of its own")
                    tables += values
        return [*self.ahead(op), op, *tables] if _is_step(op) else []

    def ahead(self, op: Operation) -> list[tuple[Operation, int]]:
        """The jobs that are ahead of that of a call."""
        if op in self.windows:
            return [(op, number) for number in AHEAD]
        signature = self._signatures.get(op)
        return [(op, 0)] if isinstance(signature, Signature) and signature.has_scans else []

    def _copy(self, slot: SSAValue, source: SSAValue) -> Step:
        given = self.buffers.whole(source)
        arguments = list[SSAValue](self.function.args)
        extents = self.buffers.extents
        if given in extents:
            extents.setdefault(slot, extents[given])
        elif given in arguments and is_tensor(given.type):
            axes, number = range(given.type.get_num_dims()), arguments.index(given)
            extents.setdefault(slot, [Dimension(None, number, axis) for axis in axes])
        return "copy", f"@{self.place(given)}", f"@{self.place(slot)}"

    def _choose(self, end: Operation, number: int) -> Step:
        """The step by which what a branch gives becomes the array that is chosen."""
        chosen, given = self.choices[end, number], end.operands[number]
        step = self._copy(chosen, given)
        way = self.ways[end, number]
        if way == "exchange":
            self.inner.append((self.address_word(chosen), self.address_word(given)))
        return way, *step[1:]

    @cached_property
    def ways(self) -> dict[tuple[Operation, int], Way]:
        """How what a branch gives becomes the array that is chosen."""
        read_only = self.buffers.read_only
        lent = {
            self.buffers.of(end.operands[number])
            for (end, number), chosen in self.choices.items()
            if chosen in read_only
        }
        return {
            (end, number): "refer"
            if chosen in read_only
            else "exchange"
            if self.buffers.of(end.operands[number]) not in lent and self._is_left(end, number)
            else "copy"
            for (end, number), chosen in self.choices.items()
        }

    def _is_left(self, end: Operation, number: int) -> bool:
        """Whether nothing needs the memory of what a branch gives any more, in any iteration.

        It is made in the iteration, or is carried by the loop, which goes on with another one.
        """
        array, branch = self.buffers.of(end.operands[number]), end.parent_op()
        assert isinstance(branch, scf.IfOp)
        loop, *_ = loops_around(branch)
        given = [self.buffers.of(value) for value in end.operands if is_tensor(value.type)]
        if given.count(array) > 1 or not loop.after_region.is_ancestor(branch):
            return False
        made = array in self.buffers.made or array in self.buffers.chosen
        carried = {held for each, held, _ in self.buffers.carried if each is loop}
        if not (made and is_made_inside(array, loop)) and array not in carried:
            return False
        return not any(
            self.buffers.of(value) is array
            for op in _behind(branch, loop)
            for value in op.operands
            if is_tensor(value.type)
        )

    # -- What is around them --------------------------------------------------------------

    def carried_by(self, loop: scf.WhileOp) -> dict[int, int]:
        """The words of the arrays that a loop carries, and of what each is next."""
        return {
            self.address_word(held): self.address_word(source)
            for each, held, source in self.buffers.carried
            if each is loop
        }

    def _note_carried(self, outer: scf.WhileOp) -> None:
        loops = [op for op in outer.walk() if isinstance(op, scf.WhileOp)]
        for loop in loops:
            carried = self.carried_by(loop)
            arrays = [v for v in loop.before_region.block.args if is_tensor(v.type)]
            others = {self.address_word(v) for v in arrays} - carried.keys()
            sources = set(carried.values())
            if len(sources) < len(carried) or sources & others:
                raise Refused("two arrays that are carried become one")
            (self.carried if loop is outer else self.inner).extend(sorted(carried.items()))

    def _note_loops(self, loop: scf.WhileOp) -> None:
        for op in loop.walk():
            if isinstance(op, scf.WhileOp) and op is not loop:
                inside = [step for each, step in self.step_of.items() if _is_inside(each, op)]
                if inside:
                    self.loops.append((min(inside), max(inside) + 1))

    def _note_shared(self, steps: Sequence[Operation]) -> None:
        """Note the arrays that the loop's own code finds by their addresses."""
        loop = loop_of(self.function)
        assert loop is not None
        copied = [end.operands[number] for end, number in self.choices]
        given = {self.buffers.of(v) for v in (*self.buffers.slots.values(), *copied)}
        changed = set[SSAValue](self.buffers.chosen)
        for op in steps:
            given |= {self.buffers.of(v) for v in op.operands if is_tensor(v.type)}
            changed |= {self.buffers.of(v) for v in op.results if is_tensor(v.type)}
        written = {
            self.buffers.of(op.dest) for op in loop.walk() if isinstance(op, tensor.InsertOp)
        }
        moved = {held for _, held, _ in self.buffers.carried}
        self._shared = changed | moved | self.buffers.slots.keys() | (written & given)

    def _note_extents(self, op: func.CallOp, signature: Signature | SparseSignature) -> None:
        """Note those of the arrays that a kernel makes, if they are known before the loop."""
        if overwritten(op) is not None:
            return
        for slot, (result, *_) in _results(op, signature):
            if isinstance(slot, Slot) and is_tensor(result.type) and slot.dimensions is not None:
                try:
                    extents = [
                        dimension_in_call(d, op, self.function, self.buffers)
                        for d in slot.dimensions
                        if d is not None
                    ]
                    self.buffers.extents.setdefault(self.buffers.of(result), extents)
                except Refused:
                    continue  # Nothing but kernels may have to know.


def _results(
    op: Operation, signature: Signature | SparseSignature
) -> list[tuple[Slot | SparseSlot, Sequence[SSAValue]]]:
    """The outputs that are results of a call, each with these: a tuple has one for each part."""
    slots = [s for s in signature.outputs if isinstance(s, SparseSlot) or not s.temporary]
    found: list[tuple[Slot | SparseSlot, Sequence[SSAValue]]] = []
    taken = 0
    for slot in slots:
        width = len(slot.elements) if isinstance(slot, Slot) and slot.is_tuple else 1
        found.append((slot, op.results[taken : taken + width]))
        taken += width
    return found


def _behind(branch: Operation, loop: scf.WhileOp) -> Iterator[Operation]:
    """The ops that come after a branch in an iteration of a loop around it."""
    around: Operation | None = branch
    while around is not None and around is not loop:
        op = around.next_op
        while op is not None:
            yield from op.walk()
            op = op.next_op
        around = around.parent_op()


def _is_combined(slot: Slot) -> bool:
    """Whether a job combines the tables that pieces have of their own."""
    if slot.element == "i1":
        return slot.monoid in ("or", "and")
    if slot.element in ("complex128", "complex64"):
        return slot.monoid == "add"
    return slot.monoid in ("add", "min", "max") and slot.element in ("f64", "f32", "i64", "i32")


def _is_inside(part: Part, loop: scf.WhileOp) -> bool:
    """Whether a step is one of a loop's iterations."""
    if isinstance(part, tuple):
        part, _ = part
    if isinstance(part, Operation):
        return loop.is_ancestor(part)
    block = part.owner
    if isinstance(block, Operation):
        return loop.is_ancestor(block)
    own = block.parent_op()
    return own is not None and own is not loop and loop.is_ancestor(own)


def _sparse_product(kernel: func.FuncOp) -> SparseProduct | None:
    return sparse_product(kernel) or sparse_product_with_matrix(kernel)


def _is_step(op: Operation) -> bool:
    return called_kernel(op) is not None or isinstance(op, tensor.CollapseShapeOp)


def array_of(op: Operation) -> SSAValue:
    """The array of which the loop itself reads or writes an element."""
    assert isinstance(op, _OF_ELEMENTS)
    return op.tensor if isinstance(op, tensor.ExtractOp) else op.dest


def _extents(signature: Signature | SparseSignature) -> set[int]:
    """The numbers of a kernel that are extents."""
    slots: Sequence[Slot | SparseSlot] = (*signature.arguments, *signature.outputs)
    work = signature.work if isinstance(signature, Signature) else signature.factors
    space = () if isinstance(signature, Signature) else signature.space
    dimensions = [*work, *space, *(d for slot in slots for d in slot.dimensions or () if d)]
    return {d.argument for d in dimensions if d.constant is None and d.axis is None}
