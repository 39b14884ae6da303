"""Write calls of kernels that threads share where a loop of the driver makes them.

    %s = func.call @kernel_1(%n, %B, %x)    =>    memref.store %x, %table[7]
                                                  func.call @diablo_share_call(%job, %table)
                                                  %s = the sum of what each piece gives

What the words of the table are `diablo.runtime.program.loop_steps` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, complex, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    ComplexType,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.complex_numbers import part_type
from diablo.dialects.locations import located
from diablo.dialects.scalar_types import is_complex, is_unsigned
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.native_loops.called_kernels import overwritten
from diablo.lowering.native_loops.loop_jobs import LoopJobs, Part
from diablo.lowering.native_loops.native_loop_code import UNSUITABLE, NativeCode

SHARE_CALL = "diablo_share_call"
"""The function of the process that does a job, with words of a table."""
READ = {64: "diablo_word_at"} | {bits: f"diablo_int{bits}_at" for bits in (8, 16, 32)}
WRITE = {64: "diablo_put_word"} | {bits: f"diablo_put_int{bits}" for bits in (8, 16, 32)}
"""Those that read and write an element of the array at an address, by its bits: in a word."""
_LINE = 8
"""The words of a cache line, which the numbers of pieces have each."""
_HALF = 32
"""The bits of half a word."""


@dataclass
class JobCalls:
    """Writes the jobs of a loop."""

    code: NativeCode
    jobs: LoopJobs

    def write(self, op: func.CallOp | tensor.CollapseShapeOp) -> None:
        """Write a step."""
        if isinstance(op, tensor.CollapseShapeOp):
            return  # It has the address of what it is a view of.
        code = self.code
        for number, value in enumerate(op.arguments):
            word = self.jobs.given.get((op, number))
            if (op, number) in self.jobs.divisors:
                self._require_positive(op, code.fitting(value))
            if word is not None:
                for own, part in enumerate(self._parts_of(value)):
                    self._store(code.word(part), word + own)
        if (written := overwritten(op)) is not None:
            code.note_written(op.arguments[written])
        for ahead in self.jobs.ahead(op):
            self._share(ahead, op)
        self._share(op, op)
        for result in op.results:
            if result in self.jobs.step_of:
                self._share(result, op)
        for monoid, results in self.jobs.totals.get(op, ()):
            for result, total in zip(results, self._totals(op, monoid, results), strict=True):
                code.values[result] = total
                total.name_hint = result.name_hint

    def _require_positive(self, op: func.CallOp, divisor: SSAValue) -> None:
        """Write that the call has done nothing that counts if a number is not above zero."""
        code = self.code
        zero = code.integer(0, divisor.type)
        above = "ugt" if is_unsigned(divisor.type) else "sgt"
        code.end_unless(code.add(arith.CmpiOp(divisor, zero, above)), op, UNSUITABLE)

    def _parts_of(self, value: SSAValue) -> Sequence[SSAValue]:
        """What a kernel is given of a number: of a complex one both parts."""
        given = self.code.fitting(value)
        if not is_complex(value.type):
            return [given]
        return [self.code.add(part(given)) for part in (complex.ReOp, complex.ImOp)]

    def has(self, array: SSAValue) -> bool:
        """Whether the loop finds the elements of an array by its address."""
        return self.jobs.is_shared(array)

    def read(self, op: tensor.ExtractOp, indices: Sequence[SSAValue]) -> None:
        """Write a read of an element of an array that jobs have to do with."""
        type = op.result.type
        words = [
            self.code.add(func.CallOp(READ[_bits_of(type)], given, [i64]))
            for given in self._places_of(op.tensor, indices, _words_in(type))
        ]
        value = self._as(type, words)
        value.name_hint = op.result.name_hint
        self.code.values[op.result] = value

    def put(self, op: tensor.InsertOp, indices: Sequence[SSAValue]) -> None:
        """Write that an element of such an array is written."""
        name, words = WRITE[_bits_of(op.scalar.type)], self._words_of(self.code.values[op.scalar])
        places = self._places_of(op.dest, indices, len(words))
        for place, word in zip(places, words, strict=True):
            self.code.block.add_op(located(func.CallOp(name, [*place, word], []), op))

    def _places_of(
        self, array: SSAValue, indices: Sequence[SSAValue], words: int
    ) -> list[list[SSAValue]]:
        """For each of the words of an element the address of an array, and which word it is."""
        code = self.code
        place, *others = indices
        for axis, index in enumerate(others, start=1):
            row = code.add(arith.MuliOp(place, code.extent(array, axis)))
            place = code.add(arith.AddiOp(row, index))
        address = self._load(self.jobs.address_word(array))
        first = code.word(place)
        if words == 1:
            return [[address, first]]
        first = code.add(arith.MuliOp(first, code.integer(words)))
        others = [code.add(arith.AddiOp(first, code.integer(k))) for k in range(1, words)]
        return [[address, word] for word in (first, *others)]

    def enter(self, loop: scf.WhileOp) -> None:
        """Write before a loop within the loop what it carries in memory of its own."""
        for argument in loop.before_region.block.args:
            if argument in self.jobs.step_of:
                self._share(argument, loop)

    def choose(self, end: Operation) -> None:
        """Write at the end of a branch that what it gives is what is chosen."""
        becomes: dict[int, int] = {}
        for number, value in enumerate(end.operands):
            if (end, number) not in self.jobs.step_of:
                continue
            way = self.jobs.ways[end, number]
            if way == "copy":
                self._share((end, number), end)
                continue
            chosen = self.jobs.address_word(self.jobs.choices[end, number])
            given = self.jobs.address_word(value)
            becomes[chosen] = given
            if way == "exchange":
                becomes[given] = chosen
        words = {word: self._load(word) for word in sorted({*becomes.values()})}
        for word, source in sorted(becomes.items()):
            self._store(words[source], word)

    def _share(self, step: Part, op: Operation) -> None:
        """Write that threads do the job of a step."""
        code = self.code
        word = self.jobs.job_word(step)
        job, points = self._load(word), self._load(word + 1)
        code.count_points(points)
        assert code.table is not None
        code.block.add_op(located(func.CallOp(SHARE_CALL, [job, code.table], []), op))

    def exchanges(self, loop: scf.WhileOp) -> bool:
        """Whether a loop carries arrays that are others in each iteration."""
        return bool(self.jobs.carried_by(loop))

    def exchange(self, loop: scf.WhileOp) -> None:
        """Write what a loop carries on: arrays that kernels made, or that it has carried before.

        The last of those that follow one another leaves its memory to what a kernel has made.
        """
        becomes = self.jobs.carried_by(loop)
        left = {source: held for held, source in becomes.items()}
        for source in [source for source in left if source not in becomes]:
            last = left[source]
            while last in left:
                last = left[last]
            becomes[source] = last
        words = {word: self._load(word) for word in sorted(becomes)}
        for word, source in sorted(becomes.items()):
            self._store(words[source], word)

    def _totals(
        self, op: func.CallOp, monoid: str, results: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """A number of which each piece has given a part, or the parts of a tuple of such."""
        code = self.code
        words = [self.jobs.numbers[result] for result in results]
        places = [self._index(self._load(word)) for word in words]
        types = [result.type for result in results]
        firsts = [self._part(*each) for each in zip(places, types, strict=True)]
        if not monoid:
            return firsts
        fold = Fold.of(monoid, types[0], op)
        count = self._index(self._load(words[0] + 1))
        one, line = code.integer(1, IndexType()), code.integer(_LINE, IndexType())
        outer = code.into(Block(arg_types=[IndexType(), *types]))
        number, *held = code.block.args
        offset = code.add(arith.MuliOp(number, line))
        parts = [
            self._part(code.add(arith.AddiOp(place, offset)), type)
            for place, type in zip(places, types, strict=True)
        ]
        code.block.add_op(scf.YieldOp(*fold.combine(code.block, op, held, parts)))
        body = code.into(outer)
        loop = located(scf.ForOp(one, count, one, firsts, body), op)
        code.block.add_op(loop)
        return loop.results

    def _part(self, place: SSAValue, type: Attribute) -> SSAValue:
        """The words of the table from a place on, as a number."""
        code = self.code
        assert code.table is not None
        words: list[SSAValue] = []
        for number in range(_words_in(type)):
            if number:
                place = code.add(arith.AddiOp(place, code.integer(number, IndexType())))
            words.append(code.add(memref.LoadOp.get(code.table, [place])))
        return self._as(type, words)

    def _words_of(self, value: SSAValue) -> Sequence[SSAValue]:
        """A number as the words that it is in memory."""
        code = self.code
        if not is_complex(value.type):
            return [code.word(value)]
        parts = [code.word(code.add(part(value))) for part in (complex.ReOp, complex.ImOp)]
        if _words_in(value.type) == len(parts):
            return parts
        high = code.add(arith.ShLIOp(parts[1], code.integer(_HALF)))
        return [code.add(arith.OrIOp(parts[0], high))]

    def _as(self, type: Attribute, words: Sequence[SSAValue]) -> SSAValue:
        """What words hold, one of them in its lowest bits."""
        code = self.code
        word = words[0]
        if is_complex(type):
            high = words[1:] or [code.add(arith.ShRUIOp(word, code.integer(_HALF)))]
            part = part_type(type)
            real, imaginary = (self._as(part, [half]) for half in (word, *high))
            return code.add(complex.CreateOp(real, imaginary, ComplexType(part)))
        if isinstance(type, Float64Type):
            return code.add(arith.BitcastOp(word, f64))
        if isinstance(type, Float32Type):
            return code.add(arith.BitcastOp(code.add(arith.TruncIOp(word, i32)), f32))
        if isa(type, IntegerType) and type != i64:
            return code.add(arith.TruncIOp(word, type))
        return self._index(word) if isinstance(type, IndexType) else word

    def _index(self, word: SSAValue) -> SSAValue:
        return self.code.add(arith.IndexCastOp(word, IndexType()))

    def _load(self, word: int) -> SSAValue:
        code = self.code
        assert code.table is not None
        return code.add(memref.LoadOp.get(code.table, [code.integer(word, IndexType())]))

    def _store(self, value: SSAValue, word: int) -> None:
        code = self.code
        assert code.table is not None
        place = code.integer(word, IndexType())
        store: Operation = memref.StoreOp.get(value, code.table, [place])
        code.block.add_op(located(store, self.code.function))


def _bits_of(type: Attribute) -> int:
    """How many bits a number has in memory, of a complex one of two words each of these."""
    if isinstance(type, Float32Type):
        return 32
    return max(8, type.width.data) if isa(type, IntegerType) else 64


def _words_in(type: Attribute) -> int:
    """How many words a number has in memory: a complex one of two words has two, others one."""
    return 2 if type == ComplexType(f64) else 1
