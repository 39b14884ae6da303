"""What the compiler says of a kernel that a GPU runs: its launches, its PTX, its arguments.

    def launches(launch, empty, look, n, x, y):
        blocks = max(min((n + 255) // 256, 65536), 1)
        launch(0, (blocks, 1, 1), (32, 8, 1), (n, x, y))

Each buffer is passed as an address, its sizes, and those of its strides that are not known when the
kernel is compiled. Nothing of it needs xDSL: it is handed over as text, as that of a kernel for the
processor is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from diablo.diagnostics import Span
from diablo.format_table import named
from diablo.kernel_signature import Cut, Signature
from diablo.row_kernel_signature import RowSignature
from diablo.runtime.forking import COMPILER
from diablo.runtime.kernels.kernel_code import Layouts
from diablo.sparse_kernel_signature import SparseSignature, StoredLayout

COLUMNS = StoredLayout(named("CSC")[0], (1, 0), 32)
"""A sparse matrix by columns, as libraries take it."""
MOST_ELEMENTS = 1 << 31
"""How many elements all buffers of a launch have less than, if its indices are of 32 bits."""
Parameter = str | tuple[int, ...]
"""The type of a number, or of a buffer its rank and the axes whose strides are passed."""


@dataclass(frozen=True)
class LaunchedKernel:
    """One kernel of the device, and what it takes."""

    name: str
    parameters: tuple[Parameter, ...]
    shared: int = 0
    """How many bytes a launch asks for, which the threads of a block share."""


@dataclass(frozen=True)
class DeviceCode:
    """A kernel of a program as kernels of the device.

    `write_ptx` writes the text of all of them, with indices of 32 bits for buffers of less than
    `MOST_ELEMENTS`, or of 64. `loops` tells each from those that do something
    else, and writes the LLVM IR of a function that does on the processor what its blocks and
    threads do, given the size of the grid first.
    """

    identity: str
    signature: Signature | SparseSignature | RowSignature
    launches: str
    """The text of a function that launches them, and returns what a kernel over rows makes; nothing
    for a product that a library computes."""
    kernels: tuple[LaunchedKernel, ...]
    write_ptx: Callable[[int], str]
    loops: Callable[[], Sequence[tuple[str, Callable[[], str]]]]
    multiplies: bool = False
    """Whether it is the product of a sparse matrix and a vector, which libraries have as well."""
    turned: bool = False
    """Whether it takes its sparse matrix in compressed columns alone."""
    cut: Cut | None = None
    """How it is called for some of its rows, if it can be."""
    sliced: Callable[[], SlicedProduct] | None = None
    """What multiplies with the matrix in slices, if it is the product of one of floats."""

    @property
    def on_arrays(self) -> Signature | SparseSignature:
        """The arguments and results of a kernel over arrays."""
        assert not isinstance(self.signature, RowSignature)
        return self.signature

    @property
    def on_rows(self) -> RowSignature:
        """The arguments and results of a kernel over rows."""
        assert isinstance(self.signature, RowSignature)
        return self.signature

    @property
    def is_library(self) -> bool:
        """Whether a library computes it, by the kernel's NumPy function."""
        return not self.launches


@dataclass(frozen=True)
class SlicedProduct:
    """What multiplies a sparse matrix in slices of windows with a vector (`simt.sliced_product`).

    It is passed the arrays of the matrix, the vector, the width of windows, how many blocks each
    has, the exponent of two of how many rows are side by side, and the result.
    """

    code: DeviceCode
    most: int
    """How many columns a window has at most, and the place of the zero behind them."""
    threads: int
    """How many threads a block has."""


@lru_cache(maxsize=1024)
def launches_of(text: str) -> Callable[..., None]:
    """Return the function that launches the kernels of a code."""
    names: dict[str, Any] = {}
    exec(text, names)
    return names["launches"]


Resident = tuple[int, ...]
"""The numbers of the arguments that are numbers in the memory of the device."""


@dataclass(frozen=True)
class Specialisation:
    """What a kernel is compiled for, besides what its ops say."""

    layouts: tuple[StoredLayout | None, ...] = ()
    """Those of its sparse arguments; nothing if these are as programs write them."""
    resident: Resident = ()
    fast_atomics: bool = False
    """Whether floats may be added in memory in the order in which threads come."""

    @property
    def is_plain(self) -> bool:
        """Whether arguments are what they are without a word of their layouts and places."""
        return not self.layouts and not self.resident


Compile = Callable[[Specialisation], DeviceCode | None]


class DeviceSource:
    """What becomes of a kernel on a device: code for the layouts of its sparse arguments.

    Parameters
    ----------
    name : that of the kernel in the program
    span : its place in the source
    refusal : why it does not run there, if it does not
    compile : makes the code for given layouts, and with numbers read from memory
    fast_atomics : whether floats may be added in memory in the order in which threads come
    """

    def __init__(
        self,
        name: str,
        span: Span | None,
        refusal: str,
        compile: Compile,
        *,
        fast_atomics: bool = False,
    ):
        self.name = name
        self.span = span
        self.refusal = refusal
        self.fast_atomics = fast_atomics
        self._compile = compile
        self._codes: dict[Specialisation, DeviceCode | None] = {}

    def code(self, layouts: Layouts = (), resident: Resident = ()) -> DeviceCode | None:
        """The code, compiled once; None if there is none for these layouts."""
        wanted = Specialisation(tuple(layouts) if any(layouts) else (), resident, self.fast_atomics)
        if wanted not in self._codes:
            with COMPILER:
                self._codes[wanted] = None if self.refusal else self._compile(wanted)
        return self._codes[wanted]
