"""Loops of the driver that run as machine code, with their Python function beside them.

    loop_0 = compiled_loop(loop_0, LLVM["loop_0"], results=(None, 1), written=(1,),
                           failures=[("divide", "a.diablo:3:5")])

Python's function takes the number of its steps: where they do not suffice it returns None and
what the loop carries, from which the machine code goes on. So a short loop waits for no compiler,
and a long one is Python's for about as long as compiling takes, over all calls in a process.
`DIABLO_COMPILE` forces the one or the other. What fails in the machine code ends its call, and is
raised as Python's function would raise it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from math import prod
from struct import error as StructError
from typing import Any, NoReturn, cast

import numpy as np

from diablo.kernel_signature import Dimension, Signature
from diablo.runtime.arrays import memory
from diablo.runtime.kernels import arithmetic
from diablo.runtime.kernels.compiled import CompiledKernel
from diablo.runtime.kernels.kernel_code import KernelCode
from diablo.runtime.kernels.signature import Array
from diablo.runtime.kernels.sparse_products import product_job
from diablo.runtime.native.compile_mode import compile_mode, compiles_at_once
from diablo.runtime.native.interruption import expect_questions, raise_interruption
from diablo.runtime.native.row_tables import raise_failure
from diablo.runtime.native.thread_team import WORTH_SHARING, Job, thread_count
from diablo.runtime.native.work_seen import WORTH_COMPILING, left_to_see, pays_from
from diablo.runtime.program.data import local_element, require
from diablo.runtime.program.tables import Table, of_words
from diablo.scalar_table import BY_ELEMENT

Failure = tuple[str, str] | tuple[str, str, int | str | tuple[str, ...]]
"""How something fails, its place or message, and the array that was read: its number, or the
extents of one that the loop has made; or the types of the key that a hash table has not."""
Product = tuple[int, int, int, str]
"""The number of a sparse matrix, which of its dimensions are the rows and the columns of a product
with vectors, and its two extents there, as signatures have them."""

_UNSUITABLE = -2
"""The failure of a call that has done nothing, since arrays do not have the extents it wants."""


_WORTH_CALLING = 16
"""How many times the points that threads share a kernel must have for Python to call it for that:
a call takes it as long as some 100000 points take a thread, and a step has several."""


_WORK_OF_CALL = 1 << 12
"""As how much work of the loop around it a call of a loop's machine code counts.

It takes Python some 20 us to make one."""


class _PythonWork(threading.local):
    """What the loops of a thread do as Python."""

    within = 0
    """How many of them run now, and count their steps."""
    done = 0
    """The work of those that Python has ended, and that of calling those that it has not."""


_python = _PythonWork()


class CompiledLoop:
    """A callable that runs a loop; its integers are Python's.

    Parameters
    ----------
    function : the loop in Python, which takes the number of its steps besides
    code : what the compiler says of it
    results : of each result the number of the argument whose array it is, None for a number
    written : the numbers of the arrays that are written
    failures : what may fail, by the number that the machine code gives it
    rank : how many dimensions the kernels go through that the loop calls, at most
    copied : the numbers of the arrays of which the machine code needs a copy, which it writes
    products : the products of sparse matrices that it makes; instead of a matrix it is given the
        address of the job and the number of entries for each of them
    tables : the numbers of the hash tables, which are machine code's from its first call on
    """

    def __init__(
        self,
        function: Callable[..., Any],
        code: KernelCode,
        results: Sequence[int | None],
        written: Sequence[int],
        failures: Sequence[Failure],
        rank: int = 0,
        copied: Sequence[int] = (),
        products: Sequence[Product] = (),
        tables: Sequence[int] = (),
    ):
        assert isinstance(code.signature, Signature)
        self._function = function
        self._results = results
        self._written = written
        self._failures = failures
        self._rank = rank
        self._copied = copied
        self._tables = tables
        self._products = [
            (number, (row,), (column,), [Dimension.parse(word) for word in extents.split(",")])
            for number, row, column, extents in products
        ]
        self._weight = code.signature.reads
        self._identity = ("loop", code.identity)
        self._kernel = CompiledKernel(function, code, code.signature)
        numbers = [slot.element for slot in code.signature.outputs[: results.count(None)]]
        self._exact = [not BY_ELEMENT[element].is_numpy for element in numbers]

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        points = self._points(arguments) if self._rank else 0
        shared = self._rank and self._has_work_to_share(points)
        weight = self._weight + points
        steps = -1 if shared else self._steps(weight)
        if steps:
            is_over, values = self._as_python(steps, weight, arguments)
            if is_over:
                return _result(values)
            arguments = (*values, *arguments[len(values) :])
        found = self._in_machine_code(arguments)
        if found is NotImplemented:
            _, *found = _values(self._function(-1, *arguments))
        elif _python.within:
            _python.done += _WORK_OF_CALL
        return _result(found)

    def _points(self, arguments: Sequence[Any]) -> int:
        """Return through how many points of an array a kernel goes at most."""
        arrays = [cast("Array", a) for a in arguments if isinstance(a, np.ndarray)]
        return max((prod(sorted(array.shape)[-self._rank :]) for array in arrays), default=0)

    def _has_work_to_share(self, points: int) -> bool:
        """Whether threads may share the work of a kernel, which they do if Python calls it."""
        if thread_count() == 1:
            return False
        # Machine code copies what a step makes to what the loop carries; Python exchanges them.
        enough = WORTH_SHARING if self._copied else _WORTH_CALLING * WORTH_SHARING
        return points >= enough

    def _steps(self, weight: int) -> int:
        """Return how many iterations Python does before the machine code takes over; -1 for all."""
        if self._kernel.is_compiled or compiles_at_once():
            return 0
        if compile_mode() == "never":
            return -1
        return left_to_see(self._identity, self._enough()) // weight

    def _as_python(
        self, steps: int, weight: int, arguments: Sequence[Any]
    ) -> tuple[bool, Sequence[Any]]:
        """Return whether Python has ended the loop, and its results or what it carries on.

        It does so many steps at most, -1 for all. What loops within the loop do as Python counts
        like its own work, as do the calls of those that are machine code, and is looked at after
        one step, then two, and so on: if the loop is machine code they are, too, and compiled once.
        """
        if steps < 0:
            _, *values = _values(self._function(steps, *arguments))
            return True, values
        enough = self._enough()
        part = 1
        while True:
            before = _python.done
            _python.within += 1
            try:
                left, *values = _values(self._function(part, *arguments))
            finally:
                _python.within -= 1
            inner = _python.done - before
            work = (part - (left or 0)) * weight + inner
            pays = pays_from(self._identity, work, enough)
            if left is not None:
                _python.done += work - inner
                return True, values
            if pays:
                return False, values
            arguments = (*values, *arguments[len(values) :])
            still = max(1, left_to_see(self._identity, enough) * part // work)
            part = min(2 * part, still) if inner else still

    @staticmethod
    def _enough() -> int:
        """Return from how much work on the loop is compiled: later within one that may be first."""
        return 2 * WORTH_COMPILING if _python.within else WORTH_COMPILING

    def _in_machine_code(self, arguments: Sequence[Any]) -> Any:
        """The results, or `NotImplemented` if the arguments are not for machine code."""
        given = arguments
        jobs: list[Job] | None = []
        if self._products:
            jobs, arguments = self._with_jobs(arguments)
            if jobs is None:
                return NotImplemented
        arguments = list(arguments)
        records = [number for number, value in enumerate(given) if _is_of_records(value)]
        for number in records:
            arguments[number] = _in_words(given[number])
        for number in self._tables:
            words = cast("Table", given[number]).in_words()
            if words is None:
                return NotImplemented
            arguments[number] = words.words
        for number in self._copied:
            if type(arguments[number]) is not np.ndarray:
                return NotImplemented
            arguments[number] = memory.copied(arguments[number])
        for number in self._written:
            array = arguments[number]
            if type(array) is not np.ndarray or not array.flags.carray:
                return NotImplemented
        expect_questions()
        try:
            found = self._kernel.in_machine_code(arguments)
        except (OverflowError, StructError):
            return NotImplemented  # An index has more than 64 bits.
        if found is NotImplemented:
            return NotImplemented
        values = _values(found)
        count = len(self._exact)
        if failure := int(values[count]):
            if failure == _UNSUITABLE:
                return NotImplemented
            self._fail(failure, given, values[count + 1 :])
        numbers = iter(
            [v.item() if exact else v for v, exact in zip(values, self._exact, strict=False)]
        )
        for number in records:
            arguments[number] = given[number]  # What was written to words stands in the records.
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


def _result(values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else tuple(values)


def compiled_loop(
    function: Callable[..., Any],
    code: KernelCode | str,
    signature: str = "",
    results: Sequence[int | None] = (),
    written: Sequence[int] = (),
    failures: Sequence[Failure] = (),
    rank: int = 0,
    copied: Sequence[int] = (),
    products: Sequence[Product] = (),
    tables: Sequence[int] = (),
) -> CompiledLoop:
    """Wrap a loop so that it runs as machine code once that pays.

    `code` is what the compiler says of it, or the text of an LLVM module with one function, beside
    which `signature` is what the function takes and gives. The rest is as for `CompiledLoop`.
    """
    code = KernelCode.from_text(code, signature) if isinstance(code, str) else code
    return CompiledLoop(
        function, code, list(results), written, failures, rank, copied, products, tables
    )
