"""The machine code of a loop of the driver: how it is called, and what its failures are.

    code = loop_code(LLVM["loop_0"], "i64 f64[?] -> f64() i64() whole =1", written=(1,),
                     failures=[("divide", "a.diablo:3:5")])
    values = code.run(arguments)

Kernels are either a part of it, which the thread that calls it computes, or jobs that threads share
(`loop_steps.py`). What fails ends the call, and is raised as Python's function would raise it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from struct import error as StructError
from typing import Any, NoReturn, cast

import numpy as np

from diablo.kernel_signature import Dimension, Signature
from diablo.runtime.arrays import memory
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import arithmetic
from diablo.runtime.kernels.compiled import CompiledKernel
from diablo.runtime.kernels.kernel_code import KernelCode
from diablo.runtime.kernels.signature import Array
from diablo.runtime.kernels.sparse_products import product_job
from diablo.runtime.native.interruption import expect_questions, raise_interruption
from diablo.runtime.native.row_tables import raise_failure
from diablo.runtime.native.thread_team import Job
from diablo.runtime.program.data import local_element, require
from diablo.runtime.program.loop_steps import LoopJobs
from diablo.runtime.program.planned_loops import Prepared
from diablo.runtime.program.prepared_loops import Preparations
from diablo.runtime.program.tables import Table, of_words
from diablo.scalar_table import BY_ELEMENT

Failure = tuple[str, str] | tuple[str, str, int | str | tuple[str, ...]]
"""How something fails, its place or message, and the array that was read: its number, or the
extents of one that the loop has made; or the types of the key that a hash table has not."""
Product = tuple[int, int, int, str]
"""The number of a sparse matrix, which of its dimensions are the rows and the columns of a product
with vectors, and its two extents there, as signatures have them."""

_UNSUITABLE = -2
"""The failure of a call that is Python's: arrays do not have the extents that the loop wants, or a
number that it divides by is not above zero."""

_NOTHING = np.zeros(1, np.int64)
"""What machine code is given of a sparse array that jobs alone read."""


class LoopCode:
    """The machine code of a loop; its integers are Python's.

    Parameters
    ----------
    code : what the compiler says of it
    results : of each result the number of the argument whose array it is, None for a number
    written : the numbers of the arrays that are written
    failures : what may fail, by the number that the machine code gives it
    copied : the numbers of the arrays of which the machine code needs a copy, which it writes
    products : the products of sparse matrices that it makes; instead of a matrix it is given the
        address of the job and the number of entries for each of them
    tables : the numbers of the hash tables, which are machine code's from its first call on
    jobs : the kernels that are no part of it
    divides : whether it may find out in any iteration that the call is Python's, which begins with
        what it was given: so it writes to copies
    """

    def __init__(
        self,
        code: KernelCode,
        results: Sequence[int | None],
        written: Sequence[int] = (),
        failures: Sequence[Failure] = (),
        copied: Sequence[int] = (),
        products: Sequence[Product] = (),
        tables: Sequence[int] = (),
        jobs: LoopJobs | None = None,
        divides: bool = False,
    ):
        assert isinstance(code.signature, Signature)
        self.identity = ("loop", code.identity)
        self.weight = code.signature.reads
        """What an iteration costs Python."""
        self._results = results
        self._written = written
        self._failures = failures
        self._copied = sorted({*copied, *written}) if divides else copied
        self._tables = tables
        self._products = [
            (number, (row,), (column,), [Dimension.parse(word) for word in extents.split(",")])
            for number, row, column, extents in products
        ]
        self._jobs = None if jobs is None else Preparations(jobs)
        self._divides = divides
        self._is_unsuitable = False
        """Whether a call has been Python's in the end, as others may be: none is tried again."""
        self.kernel = CompiledKernel(_no_function, code, code.signature)
        numbers = [slot.element for slot in code.signature.outputs[: results.count(None)]]
        self._exact = [not BY_ELEMENT[element].is_numpy for element in numbers]

    @property
    def is_compiled(self) -> bool:
        """Whether there is machine code already."""
        return self.kernel.is_compiled

    @property
    def copies(self) -> bool:
        """Whether arrays that the loop carries are copied."""
        return bool(self._copied)

    @property
    def has_jobs(self) -> bool:
        """Whether threads share its kernels."""
        return self._jobs is not None

    def run(self, arguments: Sequence[Any]) -> Any:
        """The results, or `NotImplemented` if the arguments are not for machine code."""
        given = arguments
        jobs: list[Job] | None = []
        if self._products:
            jobs, arguments = self._with_jobs(arguments)
            if jobs is None:
                return NotImplemented
        arguments = list(arguments)
        records = [number for number, value in enumerate(given) if _is_of_records(value)]
        if self._divides and not set(records).isdisjoint(self._written):
            return NotImplemented  # Where records lie is found by their words alone.
        for number in records:
            arguments[number] = _in_words(given[number])
        for number in self._tables:
            words = cast("Table", given[number]).in_words()
            if words is None:
                return NotImplemented
            arguments[number] = words.words
        if self._is_unsuitable or (self._jobs is not None and self._jobs.are_refused(arguments)):
            return NotImplemented
        for number in self._copied:
            if type(arguments[number]) is not np.ndarray:
                return NotImplemented
            arguments[number] = memory.copied(arguments[number])
        for number in self._written:
            array = arguments[number]
            if type(array) is not np.ndarray or not array.flags.carray:
                return NotImplemented
        prepared: Prepared | None = None
        passed = arguments
        if self._jobs is not None:
            prepared = self._jobs.prepare(arguments)
            if prepared is None:
                return NotImplemented
            passed = [*[_NOTHING if isinstance(a, SparseTile) else a for a in arguments]]
            passed.append(prepared.table)
        expect_questions()
        try:
            with nullcontext() if prepared is None else prepared.around():
                found = self.kernel.in_machine_code(passed)
        except (OverflowError, StructError):
            return NotImplemented  # An index has more than 64 bits.
        if found is NotImplemented:
            return NotImplemented
        values = _values(found)
        count = len(self._exact)
        if failure := int(values[count]):
            if failure == _UNSUITABLE:
                self._is_unsuitable = self._divides
                return NotImplemented
            self._fail(failure, given, values[count + 1 :])
        numbers = iter(
            [v.item() if exact else v for v, exact in zip(values, self._exact, strict=False)]
        )
        for number in records:
            arguments[number] = given[number]  # What was written to words stands in the records.
        if self._jobs is not None and prepared is not None:
            for number, _ in self._jobs.jobs.carried:
                arguments[number] = prepared.array_at(number, arguments[number])
            self._jobs.give_back(prepared)
        return [next(numbers) if number is None else arguments[number] for number in self._results]

    def _with_jobs(self, arguments: Sequence[Any]) -> tuple[list[Job] | None, Sequence[Any]]:
        """The jobs of the products of a call, and its arguments with these for the matrices.

        There is None where one is not made in machine code.
        """
        jobs: list[Job] = []
        given: dict[int, list[int]] = {}
        for number, rows, columns, dimensions in self._products:
            extents = tuple(d.of(arguments) for d in dimensions if d is not None)
            made = product_job(arguments[number], rows, columns, extents)
            if made is None:
                return None, arguments
            job, entries = made
            jobs.append(job)
            given.setdefault(number, []).extend([job.address, entries])
        passed = list(arguments)
        for number, words in given.items():
            passed[number] = np.array(words, np.int64)
        return jobs, passed

    def _fail(self, number: int, arguments: Sequence[Any], indices: Sequence[Any]) -> NoReturn:
        """Raise what ended a call of the machine code."""
        if number < 0:
            raise_interruption()
        match self._failures[number - 1]:
            case "key", message, tuple(codes):
                words = np.array(indices, np.int64)
                columns = [words[number : number + 1] for number in range(len(codes))]
                key = [
                    chr(int(column[0])) if code == "chr" else of_words(column, code)[0]
                    for column, code in zip(columns, codes, strict=True)
                ]
                require(False, message, key)
            case "table", _:
                raise_failure()
            case "divide", place:
                arithmetic.quotient(1, 0, at=place)
            case "element", place, int(array):
                given = arguments[array]
                local_element(given, tuple(map(int, indices[: given.ndim])), place)
            case "element", place, str(extents):
                dimensions = map(Dimension.parse, extents.split(","))
                shape = tuple([d.of(arguments) for d in dimensions if d is not None])
                made = np.broadcast_to(np.zeros(()), shape)
                local_element(made, tuple(map(int, indices[: len(shape)])), place)
            case failure:
                require(False, failure[1])
        raise AssertionError(f"failure {number} of a loop is none")


def _no_function(*_: Any) -> Any:
    raise AssertionError("a loop has no text in NumPy")


def _is_of_records(value: Any) -> bool:
    return isinstance(value, np.ndarray) and cast("Array", value).dtype.names is not None


def _in_words(value: Array) -> Any:
    """The words that an array of records lies in, in the same memory.

    Their number is the last dimension. The fields of an array that a program has are as wide as
    the first one and lie side by side, or there is no machine code for it. One whose records lie
    apart stays one of records, which no machine code takes.
    """
    if not value.flags.c_contiguous:
        return value
    field: np.dtype[Any] = value.dtype
    while field.names is not None:
        field = field[0]
    words = value.dtype.itemsize // field.itemsize
    flat = value.reshape(-1).view(f"i{field.itemsize}")
    return flat.reshape(*value.shape, words)


def _values(returned: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", returned) if isinstance(returned, tuple) else (returned,)


def loop_code(
    code: KernelCode | str,
    signature: str = "",
    results: Sequence[int | None] = (),
    **more: Any,
) -> LoopCode:
    """The machine code of a loop.

    `code` is what the compiler says of it, or the text of an LLVM module with one function, beside
    which `signature` is what the function takes and gives. The rest is as for `LoopCode`.
    """
    code = KernelCode.from_text(code, signature) if isinstance(code, str) else code
    return LoopCode(code, list(results), **more)
