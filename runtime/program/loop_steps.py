"""The kernels that a loop of the driver calls in machine code, as jobs that threads share.

    jobs = LoopJobs(arrays=2, words=9, carried=[(0, 2)], steps=[
        ("call", kernel_0, "=32 @0 #7", "@2"),          @2 = kernel_0(32, @0, #7)
        ("call", kernel_1, "@2", "#5"),                 #5 = kernel_1(@2)
        ("matmul", "ik,k->i", "@1 @2", "8,=32", "@3"),  @3 = np.einsum("ik,k->i", @1, @2)
        ("matmul", "ik,kj->ij", "@0 @0", "8,=32,8", "@6", "@0", "-#7", 1.0),
                                                        @6 = -#7*(@0 @ @0) + 1.0*@0
        ("product", 0, 0, 1, "8,=32,8", 1, 3),          @3 = @0 @ @1, where @0 is sparse
        ("touch", "@3"),                                what the loop itself does with @3
        ("copy", "@3", "@4"),                           @4 = a copy of @3
        ("refer", "@3", "@4"),                          @4 is @3
        ("exchange", "@3", "@4"),                       @4 has the memory of @3, which has its own
        ("call", kernel_2, "@4", "@5"),                 each piece has a table of its own for @5
        ("combine", "@5"),                              @5 = these combined
        ("ahead",),                                     what folds pieces of @5 before the next one
        ("call", kernel_3, "@5", "@7"),                 scans them
        ("scan", "@1", "add", 1, False, "8,=3", "@8"),  @8 = np.cumsum(@1, axis=1)
        ("ahead",), ("ahead",),                         what brings data and weights together for
        ("windows", "@1 @2", "8,=3", …, "@6"),          @6 = window_products.product(@1, @2, …)
    ])

One call of the loop's machine code does all of it: its scalars, and the kernels, which are those
that Python calls elsewhere. It has a table of words:

* `@k`, the address of array k: first come those that the loop is given, then what kernels make;
* behind them for each step the address of its job, and how many points it goes through;
* `#k`, a number that a kernel is given, `#k,l` the parts of a complex one; of one that it gives,
  where the first of the numbers of the pieces stands in the table, and behind that how many there
  are: a cache line each.

An array that the loop carries and a kernel makes anew exchanges its address with that of the new
one at the end of an iteration. It may become another one that is carried as well, as where a loop
carries the last two of its arrays: then the oldest leaves its memory to the new one. Memory whose
array is read no more is that of the next one of its size: a loop through four arrays that follow
from one another needs two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Step = tuple[Any, ...]
"""A call of a kernel: what it is given, what it makes, and the array whose memory it takes, if
it takes one. A product of a sparse matrix: the matrix, its dimensions, extents, the vector and
what is made, or a dense matrix, whose columns are the last extent. One of dense arrays: how it
is written, these, extents and what is made, which may be alpha times the product and beta times
another array, in the memory of that if the last word is true; each of these factors is a number,
or what the call is given, which may have a minus in front of it. A view of an array, and how
many of its axes each of the other's is. A place where the loop reads or writes elements of an
array. A copy of an array, in memory that a loop within the loop exchanges. What a branch
chooses: a copy of an array, the array, or what exchanges its memory with that. The combination
of the tables of a kernel's pieces. A scan of the lines of an array: this, the monoid, the axis,
whether lines are scanned from their ends, extents, and what is made. A sum of products over
windows, with two steps ahead of it: data and weights, extents, how many of these are of the
result, the index along each axis, the dimensions of the weights, limits as `(axis, whether it is
the least, an extent, a number)`, and what is made."""


@dataclass(frozen=True)
class LoopJobs:
    """The steps of an iteration.

    Parameters
    ----------
    given : how many arguments the loop has, which are the first arrays, if they are any
    arrays : how many arrays there are
    words : how many words the table has, without the numbers that pieces give
    carried : of arrays that the loop carries those which they become in an iteration: made ones, or
        others that it carries
    steps : in order
    loops : the first step of each loop within the loop, and that behind its last
    inner : as `carried`, of the loops within the loop and of branches
    equal : the extents that have to be equal, and not below zero, when the loop begins: then those
        that it carries are the same in each iteration
    """

    given: int
    arrays: int
    words: int
    carried: Sequence[tuple[int, int]]
    steps: Sequence[Step]
    loops: Sequence[tuple[int, int]] = ()
    inner: Sequence[tuple[int, int]] = ()
    equal: Sequence[tuple[str, str]] = ()

    @cached_property
    def exchanged(self) -> frozenset[int]:
        """The arrays whose memory is exchanged within the loop: it is nobody else's meanwhile."""
        return frozenset(self.memory_of[array] for pair in self.inner for array in pair)

    @cached_property
    def extents(self) -> frozenset[int]:
        """The numbers of the arguments that are extents, or sparse arrays."""
        found: set[int] = set()
        for step in self.steps:
            if step[0] == "call":
                found |= {int(word.split(".")[0]) for word in step[2].split() if word[0].isdigit()}
            elif step[0] in ("product", "matmul"):
                words = step[4] if step[0] == "product" else step[3]
                found |= _arguments(words.split(","))
            elif step[0] == "scan":
                found |= _arguments(step[5].split(","))
            elif step[0] == "windows":
                found |= _arguments([*step[2].split(","), *(end for *_, end, _ in step[6] if end)])
        found |= self.multiplied
        return frozenset(found)

    @cached_property
    def multiplied(self) -> frozenset[int]:
        """The numbers of the sparse arrays that products are made with."""
        return frozenset(step[1] for step in self.steps if step[0] == "product")

    @cached_property
    def finite(self) -> frozenset[int]:
        """The numbers of the arrays that have finite numbers alone in calls of machine code."""
        windows = (step for step in self.steps if step[0] == "windows" and step[6])
        return frozenset(_arrays(step[1])[1] for step in windows)

    @cached_property
    def made_by(self) -> dict[int, int]:
        """The step that makes each array."""
        found: dict[int, int] = {}
        for number, step in enumerate(self.steps):
            for array in _made(step):
                found.setdefault(array, number)
        return found

    @cached_property
    def memory_of(self) -> dict[int, int]:
        """The array whose memory an array has: its own, or that of what it is a view of."""
        found = {number: number for number in range(self.arrays)}
        for step in self.steps:
            match step:
                case ("view", int(made), int(source), _):
                    found[made] = found[source]
                case ("call", _, _, made, int(place)):
                    found[int(made[1:])] = found[place]
                case ("matmul", _, _, _, made, other, _, _, True):
                    found[int(made[1:])] = found[int(other[1:])]
                case _:
                    pass
        return found

    @cached_property
    def last_use(self) -> dict[int, int]:
        """The last step that needs the memory of an array; of one that is carried on, none does."""
        found: dict[int, int] = {}
        for number, step in enumerate(self.steps):
            for array in (*_read(step), *_made(step)):
                own = self.memory_of[array]
                # What a loop within reads and does not make it reads again.
                around = [
                    end - 1
                    for begin, end in self.loops
                    if begin <= number < end and self.made_by.get(own, -1) < begin
                ]
                found[own] = max([number, found.get(own, -1), *around])
        for step in reversed(self.steps):
            if step[0] == "refer":
                (source,), (made,) = _arrays(step[1]), _arrays(step[2])
                own = self.memory_of[source]
                found[own] = max(found[own], found[made])
        for array in (*(source for _, source in self.carried), *self.exchanged):
            found[self.memory_of[array]] = len(self.steps)
        return found

    @cached_property
    def in_place(self) -> dict[int, int]:
        """The arrays made where the one that they follow in the loop is: nothing reads that then.

        By the array that is made.
        """
        return {
            self.memory_of[made]: held
            for held, made in self.carried
            if made >= self.given and not {held, self.memory_of[made]} & self.exchanged
            if self.last_use.get(held, -1) < self.made_by[self.memory_of[made]]
        }


def _arguments(extents: Sequence[str]) -> set[int]:
    """The numbers of the arguments that extents are of."""
    return {int(word.split(".")[0]) for word in extents if not word.startswith("=")}


def _arrays(words: str) -> list[int]:
    return [int(word[1:]) for word in words.split() if word.startswith("@")]


def _read(step: Step) -> list[int]:
    match step[0]:
        case "call":
            return _arrays(step[2])
        case "matmul":
            return _arrays(" ".join((step[2], *step[5:6])))
        case "touch" | "copy" | "exchange" | "refer" | "scan" | "windows":
            return _arrays(step[1])
        case "product":
            return [step[5]]
        case "combine" | "ahead":
            return []
        case _:
            return [step[2]]


def _made(step: Step) -> list[int]:
    match step[0]:
        case "call":
            return _arrays(step[3])
        case "matmul":
            return _arrays(step[4])
        case "touch" | "combine" | "ahead":
            return []
        case "scan":
            return _arrays(step[6])
        case "windows":
            return _arrays(step[7])
        case "copy" | "exchange" | "refer":
            return _arrays(step[2])
        case "product":
            return [step[6]]
        case _:
            return [step[1]]
