"""Plan the jobs of a loop of the driver, for arguments of some extents: `prepared_loops` keeps it.

    prepared = plan(jobs, arguments, key)
    loop(*arguments, prepared.table)            # the loop's machine code does the jobs
    prepared.array_at(0)                        # an array that it has carried

What the words of the table are, `loop_steps.py` says. Nothing is computed: each kernel is asked how
it would make a call, with memory that is that of other arrays once these are read no more.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from math import prod
from typing import Any, cast

import numpy as np

from diablo.kernel_signature import Dimension, Slot
from diablo.runtime.arrays import memory
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import blas_jobs, window_products
from diablo.runtime.kernels.blas_products import FACTOR_WORDS, are_transposed
from diablo.runtime.kernels.compiled import CompiledKernel
from diablo.runtime.kernels.compiled_sparse import CompiledSparseKernel
from diablo.runtime.kernels.planned_calls import PlannedCall
from diablo.runtime.kernels.planned_copies import planned_combination, planned_copy
from diablo.runtime.kernels.scans import planned_scan
from diablo.runtime.kernels.signature import Array
from diablo.runtime.kernels.sparse_products import matrix_product_job, product_job
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import Job
from diablo.runtime.program.interleaving import joined_axes
from diablo.runtime.program.loop_steps import LoopJobs, Step

_WORD = 8
"""The bytes of a word."""
_LINE = 8
"""The words of a cache line."""
_MOST_BYTES = 1 << 20
"""How much a loop holds to be ready: the vectors of a sparse array, or the memory of kernels."""


class _UnsuitableError(Exception):
    """An array that the loop carries has other extents than what it becomes."""


@dataclass
class Prepared:
    """What a call of the machine code is given, and what lives meanwhile."""

    key: Hashable
    table: Array
    given: list[int]
    """Which of the arguments are arrays."""
    blocks: list[tuple[tuple[int, ...], np.dtype[Any]]]
    """The arrays that the loop makes, but for those in the memory of others."""
    sources: Array
    """Of each word of the table that is an address, whose: an argument's, or a block's behind."""
    held: list[Any]
    lasting: list[weakref.ref[Any]] | None
    """What the words of jobs have vectors of, for as long as it lives; None if not for so long."""
    around: Callable[[], AbstractContextManager[None]]
    """What a call is made within."""
    arrays: list[Array] = field(default_factory=list[Array])
    """The arguments and the blocks of a call."""

    def begin(self, arguments: Sequence[Any]) -> None:
        """Take the memory of a call."""
        arrays: list[Array] = [arguments[number] for number in self.given]
        arrays += [memory.empty(*block) for block in self.blocks]
        places = np.array([0, *map(address_of, arrays)], np.int64)
        self.table[: len(self.sources)] = places[self.sources]
        self.arrays = arrays

    def array_at(self, number: int, like: Array) -> Array:
        """The array that a number stands for by now, with the extents of another one."""
        place = int(self.table[number])
        for array in self.arrays:
            if address_of(array) == place:
                return array.reshape(like.shape)
        raise AssertionError("an address is that of no array")


def plan(jobs: LoopJobs, arguments: Sequence[Any], key: Hashable) -> Prepared | None:
    """Return what a call of the machine code is given, known by `key` where it is kept.

    None where a kernel has no machine code for the arguments, or an array that the loop carries
    becomes one of other extents.
    """
    try:
        return _Preparation(jobs, arguments, key).prepared()
    except _UnsuitableError:
        return None


@dataclass
class _Planned:
    """A call of a kernel that is to be a job."""

    call: PlannedCall
    varying: list[tuple[int, int]]
    """Which of its words are which of the table."""
    numbers: list[tuple[int, int]]
    """The words of the table that say where its numbers are, and which of its words do."""

    def job(self, table: Array, cells: int) -> tuple[Job, int]:
        """The job, whose numbers stand in the table from `cells` on; where the next ones do."""
        pieces = len(self.call.calls)
        for word, own in self.numbers:
            table[word : word + 2] = cells, pieces
            for number, call in enumerate(self.call.calls):
                call[own] = address_of(table) + _WORD * (cells + _LINE * number)
            cells += _LINE * pieces
        call = self.call
        return Job(call.entry, call.calls, self.varying, call.points), cells


def _bytes_of(held: Any) -> int:
    """How much memory a call holds beside arguments and results."""
    if isinstance(held, np.ndarray):
        return held.nbytes
    parts = cast("list[Any]", held) if isinstance(held, list) else []
    return sum(map(_bytes_of, parts))


def _has(array: Array, sizes: Sequence[int]) -> bool:
    """Whether an array has so many elements in each dimension, which are none too few."""
    return all(0 <= size <= n for size, n in zip(sizes, array.shape, strict=True))


def _number(factor: float | str) -> float:
    """A factor of an array, or the sign that its word of the table has in front of it."""
    if isinstance(factor, str):
        return -1.0 if factor.startswith("-") else 1.0
    return factor


class _Preparation:
    """What `LoopJobs.prepare` knows of the steps so far."""

    def __init__(self, jobs: LoopJobs, arguments: Sequence[Any], key: Hashable):
        self._jobs = jobs
        self._arguments = arguments
        self._key = key
        self._given: list[int] = []
        """Which of the arguments are arrays."""
        self._blocks: list[Array] = []
        self._arrays: list[Array | None] = [None] * jobs.arrays
        self._held: list[Any] = []
        self._planned: dict[int, _Planned] = {}
        self._done: dict[int, tuple[Job, int]] = {}
        """The jobs that are ready, and how many points each goes through."""
        self._free: dict[int, tuple[Array, int]] = {}
        """Memory that nothing needs any more, and the step that will, by its first array."""
        self._taken: dict[int, tuple[int, int]] = {}
        """For arrays in such memory the same, and whose it was."""
        self._tables: dict[int, tuple[Array, Slot]] = {}
        """Of arrays that are yet to be combined of the tables of pieces these, and how."""
        self._around: Callable[[], AbstractContextManager[None]] = nullcontext
        self._source: dict[int, int] = {}
        """Of arrays with memory of their own the number of it, as `Prepared.sources` has it."""

    def prepared(self) -> Prepared | None:
        """What the machine code is given."""
        prepared = self._planned_call()
        # The memory that was planned with is the first that a call takes.
        self._planned.clear()
        self._free.clear()
        self._arrays, self._blocks = [], []
        if prepared is not None:
            prepared.begin(self._arguments)
        return prepared

    def _planned_call(self) -> Prepared | None:
        """All of it but the memory of a call."""
        jobs = self._jobs
        for number in range(jobs.given):
            value = self._arguments[number]
            if isinstance(value, np.ndarray):
                self._arrays[number] = cast("Array", value)
                self._given.append(number)
                self._source[number] = len(self._given)
        for held, source in jobs.carried:
            first, second = self._arrays[held], self._arrays[source]
            if first is None or second is None:
                continue  # Another one is made.
            if (first.shape, first.dtype) != (second.shape, second.dtype):
                raise _UnsuitableError
        self._release(-1)
        for number, step in enumerate(jobs.steps):
            if not self._take(number, step):
                return None
            self._release(number)
        for held, source in jobs.inner:
            first, second = self._arrays[held], self._arrays[source]
            assert first is not None
            assert second is not None
            if (first.shape, first.dtype) != (second.shape, second.dtype):
                raise _UnsuitableError
        lasting = self._lasting()
        pieces = [len(p.call.calls) * len(p.numbers) for p in self._planned.values()]
        cells = jobs.words + _LINE - 1
        table = np.zeros(cells + _LINE * sum(pieces), np.int64)
        for number, planned in self._planned.items():
            job, cells = planned.job(table, cells)
            self._done[number] = job, planned.call.points
            self._held += planned.call.held
        for number, (job, points) in self._done.items():
            word = jobs.arrays + 2 * number
            table[word : word + 2] = job.address, points
            self._held.append(job)
        return Prepared(
            self._key,
            table,
            self._given,
            [(block.shape, block.dtype) for block in self._blocks],
            self._sources(),
            self._held,
            lasting,
            self._around,
        )

    def _lasting(self) -> list[weakref.ref[Any]] | None:
        """What the words of jobs have vectors of; None if that is not kept, or much."""
        found: list[weakref.ref[Any]] = []
        for number, value in enumerate(self._arguments):
            if not isinstance(value, SparseTile):
                continue
            if number in self._jobs.multiplied:
                found.append(weakref.ref(value))
                continue
            vectors = value.pattern.form.vectors().values()
            if sum(vector.nbytes for vector in vectors) > _MOST_BYTES:
                return None
            self._held.append(value.pattern)  # Whoever asks for the layout again is lent this one.
        calls = [planned.call for planned in self._planned.values()]
        if sum(_bytes_of(part) for call in calls for part in call.held) > _MOST_BYTES:
            return None
        return found if all(call.lasts for call in calls) else None

    def _sources(self) -> Array:
        """Of each array whose memory it is, as `Prepared.sources` has it; 0 for what is none.

        Arguments that are one array in this call may be others in the next one.
        """
        memory_of = self._jobs.memory_of
        return np.array(
            [self._source.get(memory_of[number], 0) for number in range(self._jobs.arrays)],
            np.int64,
        )

    def _take(self, number: int, step: Step) -> bool:
        """Plan a step; returns whether machine code does it."""
        match step:
            case ("view", int(made), int(source), widths):
                array = self._arrays[source]
                assert array is not None
                self._arrays[made] = joined_axes(array, widths)
                return True
            case ("product", *parts):
                return self._product(number, parts)
            case ("matmul", str(spec), factors, extents, made, *added):
                arrays = [int(word[1:]) for word in (*factors.split(), made)]
                return self._library_product(number, spec, arrays, extents, *added)
            case ("touch", _) | ("ahead",):
                return True
            case ("windows", factors, *parts, made):
                return self._windows(number, f"{factors} {made}", parts)
            case ("scan", array, monoid, axis, reverse, extents, made):
                sizes = self._sizes(extents)
                return self._scan(number, f"{array} {made}", sizes, (monoid, axis, reverse))
            case ("copy", source, made):
                return self._copy(number, int(source[1:]), int(made[1:]))
            case ("refer" | "exchange" as way, source, made):
                self._choose(int(source[1:]), int(made[1:]), in_memory=way == "exchange")
                return True
            case ("combine", made):
                return self._combine(number, int(made[1:]))
            case ("call", kernel, given, made, *place):
                return self._call(number, kernel, given.split(), made.split(), *place)
            case _:
                raise AssertionError(f"{step[0]} is no step")

    def _call(
        self, number: int, kernel: Any, given: list[str], made: list[str], place: int | None = None
    ) -> bool:
        if not isinstance(kernel, CompiledKernel | CompiledSparseKernel):
            return False
        values = [self._value(word) for word in given]
        # Of a table that is yet to be combined each piece has its own.
        behind = takewhile(lambda step: step[0] == "combine", self._jobs.steps[number + 1 :])
        combined = {step[1] for step in behind}
        results = [int(w[1:]) for w in made if w.startswith("@") and w not in combined]

        def empty(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
            return self._memory(results.pop(0), shape, dtype)

        before = None if place is None else self._arrays[place]
        if before is None:
            planned = kernel.plan(values, empty)
        else:
            planned = memory.into(before, kernel.plan, values, memory.empty)
        if planned is None:
            return False
        words = zip(given, planned.argument_words, strict=True)
        varying = [
            (own + k, given_word)
            for word, own in words
            if word[0] in "@#"
            for k, given_word in enumerate(self._words(word))
        ]
        numbers: list[tuple[int, int]] = []
        outputs = zip(planned.slots, planned.outputs, planned.output_words, strict=True)
        own_results: list[tuple[Slot, Array, int]] = []
        for slot, parts, own in outputs:
            if not isinstance(slot, Slot):
                return False
            if not slot.temporary:
                own_results += [(slot, part, own + k) for k, part in enumerate(parts)]
        for word, (slot, array, own) in zip(made, own_results, strict=True):
            target = int(word[1:])
            if slot.own:
                self._tables[target] = array, slot
            elif word.startswith("@"):
                if before is not None and address_of(array) != address_of(before):
                    return False
                self._arrays[target] = array
                varying.append((own, self._words(word)[0]))
            elif array.dtype.itemsize <= _LINE * _WORD:
                numbers.append((target, own))
            else:
                return False
        self._planned[number] = _Planned(planned, varying, numbers)
        if number and self._jobs.steps[number - 1][0] == "ahead":
            points = planned.points if planned.ahead else 0
            ahead = replace(planned, calls=planned.ahead, points=points)
            self._planned[number - 1] = _Planned(ahead, varying, [])
        return True

    def _product(self, number: int, parts: Sequence[Any]) -> bool:
        matrix, row, column, extents, dense, made = cast(
            "tuple[int, int, int, str, int, int]", tuple(parts)
        )
        tile = self._arguments[matrix]
        sizes = self._sizes(extents)
        width, given = sizes[2:], self._arrays[dense]
        if given is None or given.dtype != np.float64 or not _has(given, [sizes[column], *width]):
            return False
        words = (self._jobs.memory_of[dense], self._jobs.memory_of[made])
        key = tile, (row,), (column,), (sizes[0], sizes[1])
        found = (
            matrix_product_job(*key, given[:, : width[0]], words)
            if width
            else product_job(*key, words)
        )
        if found is None:
            return False
        self._done[number] = found
        self._arrays[made] = self._memory(made, (sizes[row], *width), given.dtype)
        return True

    def _library_product(
        self,
        step: int,
        spec: str,
        arrays: Sequence[int],
        extents: str,
        added: str | None = None,
        alpha: float | str = 1.0,
        beta: float | str = 1.0,
        is_in_place: bool = False,
    ) -> bool:
        """Plan a product of dense arrays: two factors, and what is made, are `arrays`."""
        memory_of = self._jobs.memory_of
        inputs, made_as = spec.split("->")
        letters = dict(zip(f"{made_as}k", self._sizes(extents), strict=True))
        views: list[Array] = []
        for array, dimensions in zip(arrays, inputs.split(","), strict=False):
            whole = self._arrays[array]
            sizes = [letters[letter] for letter in dimensions]
            if whole is None or not _has(whole, sizes):
                return False
            view = whole[tuple(map(slice, sizes))]
            views.append(view.T if dimensions in ("ki", "jk") else view)
        left, right = views
        target = arrays[2]
        varying: list[int] = [*arrays[:2]]
        factors: list[tuple[int, int]] = []
        is_one = memory_of[arrays[0]] == memory_of[arrays[1]]
        if added is None and left.ndim == right.ndim and is_one and are_transposed(left, right):
            planned = blas_jobs.planned_symmetric(left, partial(self._memory, target))
        elif added is None:
            planned = blas_jobs.planned(left, right, partial(self._memory, target))
        else:
            varying.append(int(added[1:]))
            other = self._arrays[varying[-1]]
            shape = left.shape[0], right.shape[1]
            if other is None or not _has(other, shape):
                return False
            if is_in_place and other.shape != shape:
                return False
            other = other[: shape[0], : shape[1]]
            made = other if is_in_place else self._memory(target, shape, other.dtype)
            words = zip(FACTOR_WORDS, (alpha, beta), strict=True)
            factors = [(k, int(word.lstrip("-#"))) for k, word in words if isinstance(word, str)]
            numbers = _number(alpha), _number(beta)
            planned = blas_jobs.planned_sum(left, right, other, numbers, made)
        if planned is None:
            return False
        self._arrays[target] = planned.outputs[0][0]
        own = [*planned.argument_words, *planned.output_words]
        places = [memory_of[array] for array in varying[: len(planned.argument_words)]]
        pairs = list(zip(own, [*places, memory_of[target]], strict=True))
        self._planned[step] = _Planned(planned, pairs + factors, [])
        self._around = blas_jobs.blas_alone
        return True

    def _windows(self, number: int, words: str, parts: Sequence[Any]) -> bool:
        """Plan a sum of products over windows: of data and weights, and what is made."""
        arrays = [int(word[1:]) for word in words.split()]
        extents, parallel, axes, dimensions, limits = parts
        data, weights = (self._arrays[array] for array in arrays[:2])
        if data is None or weights is None:
            return False
        ends = [sum(self._sizes(extent) if extent else (), shift) for _, _, extent, shift in limits]
        planned = window_products.planned(
            data,
            weights,
            self._sizes(extents),
            parallel,
            [(dict(terms), first) for terms, first in axes],
            dimensions,
            [
                (axis, end, None) if is_least else (axis, None, end)
                for (axis, is_least, _, _), end in zip(limits, ends, strict=True)
            ],
            partial(self._memory, arrays[2]),
        )
        if planned is None:
            return False
        self._arrays[arrays[2]] = planned[-1].outputs[0][0]
        first = number + 1 - len(planned)
        for step, (call, array) in enumerate(zip(planned, arrays, strict=True), start=first):
            (own,) = (*call.argument_words, *call.output_words)
            self._planned[step] = _Planned(call, [(own, self._jobs.memory_of[array])], [])
        self._around = blas_jobs.blas_alone
        return True

    def _scan(self, number: int, words: str, sizes: list[int], how: tuple[str, int, bool]) -> bool:
        """Plan a scan of the lines of an array: the array, and what is made."""
        source, target = (int(word[1:]) for word in words.split())
        array = self._arrays[source]
        if array is None or array.shape != tuple(sizes):
            return False
        planned = planned_scan(array, *how, partial(self._memory, target))
        if planned is None:
            return False
        self._arrays[target] = planned.outputs[0][0]
        return self._plan(number, planned, source, target)

    def _copy(self, number: int, source: int, target: int) -> bool:
        """Plan a copy of an array."""
        array = self._arrays[source]
        if array is None:
            return False
        made = self._arrays[target] = self._memory(target, array.shape, array.dtype)
        planned = planned_copy(array, made)
        return planned is not None and self._plan(number, planned, source, target)

    def _plan(self, number: int, planned: PlannedCall, source: int, target: int) -> bool:
        """Note the plan of what makes one array of another, whose memory may be others' later."""
        memory_of = self._jobs.memory_of
        varying = [
            (planned.argument_words[0], memory_of[source]),
            (planned.output_words[0], memory_of[target]),
        ]
        self._planned[number] = _Planned(planned, varying, [])
        return True

    def _choose(self, source: int, target: int, *, in_memory: bool) -> None:
        """Have an array stand for another one, which may be one of several and have memory."""
        array, known = self._arrays[source], self._arrays[target]
        if array is None or not (array.flags.c_contiguous or not in_memory):
            raise _UnsuitableError
        if in_memory:
            known = self._memory(target, array.shape, array.dtype)
        elif known is None:
            known = array
        if (array.shape, array.strides, array.dtype) != (known.shape, known.strides, known.dtype):
            raise _UnsuitableError
        self._arrays[target] = known

    def _combine(self, number: int, target: int) -> bool:
        """Plan to combine the tables that the pieces of the kernel before have."""
        tables, slot = self._tables[target]
        made = self._arrays[target] = self._memory(target, tables.shape[1:], tables.dtype)
        planned = planned_combination(tables, made, slot.monoid, slot.element)
        if planned is None:
            return False
        word = planned.output_words[0], self._jobs.memory_of[target]
        self._planned[number] = _Planned(planned, [word], [])
        return True

    def _sizes(self, extents: str) -> list[int]:
        """The extents that words say."""
        dimensions = [d for word in extents.split(",") if (d := Dimension.parse(word))]
        return [d.of(self._arguments) for d in dimensions]

    def _words(self, word: str) -> list[int]:
        """The words of the table that a kernel is given: an array has that of its memory."""
        numbers = [int(number) for number in word[1:].split(",")]
        return [self._jobs.memory_of[numbers[0]]] if word.startswith("@") else numbers

    def _value(self, word: str) -> Any:
        """What a kernel is given in place of something: of a number that varies any."""
        if word.startswith("@"):
            return self._arrays[int(word[1:])]
        if word.startswith("#"):
            return 1
        dimension = Dimension.parse(word)
        assert dimension is not None
        return dimension.of(self._arguments)

    def _memory(self, array: int, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
        """Memory for an array that is made: the same for both branches of which one makes it."""
        jobs = self._jobs
        if (made := self._arrays[array]) is not None:
            if made.dtype != dtype or made.shape != tuple(shape):
                raise _UnsuitableError
            return made
        last = jobs.last_use.get(array, -1)
        before = [held for held, made in jobs.carried if jobs.memory_of[made] == array]
        for held in before:
            old = self._arrays[held]
            if old is None or old.dtype != dtype or not memory.is_split(old.shape, tuple(shape)):
                raise _UnsuitableError
        for number, (free, until) in self._free.items():
            if array in jobs.exchanged:
                break
            wanted = jobs.in_place.get(array) == number if before else last < until
            if wanted and free.dtype == dtype and free.size == prod(shape):
                self._taken[array] = number, until
                self._source[array] = self._source[number]
                del self._free[number]
                return free.reshape(shape)
        self._blocks.append(memory.empty(shape, dtype))
        self._source[array] = len(self._given) + len(self._blocks)
        return self._blocks[-1]

    def _release(self, number: int) -> None:
        """Have the memory free that nothing needs behind a step."""
        jobs = self._jobs
        for held, made in jobs.carried:
            array = self._arrays[held]
            if made >= jobs.given and jobs.last_use.get(held, -1) == number and array is not None:
                by = jobs.memory_of[made]
                if by in jobs.in_place:
                    self._free[held] = array, jobs.made_by[by]
        for array, last in jobs.last_use.items():
            made = self._arrays[array]
            # What just refers to others has no memory that it could leave.
            if (
                last == number
                and array >= jobs.given
                and array in self._source
                and made is not None
            ):
                first, until = self._taken.get(array, (array, len(jobs.steps)))
                self._free[first] = made, until
