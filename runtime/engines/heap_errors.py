"""What Spark says when a heap or a worker is full, with the statement and a block size that fits.

    with explaining_heap(sc):
        note_tiles(10_000, [(10_000, 10_000)])     # what arrays are cut into, 800 MB
        …                                          # OutOfMemoryError: Java heap space

    error: out of memory: Spark's JVM has 512 MiB, and tiles take up to 763 MiB; a block size of
    833 needs less (it is 10000), and more of spark.executor.memory helps

A tile is in the heap several times while it is moved: as it is read, as it is sent, and in what is
kept. PySpark writes several tiles together for a shuffle, and each task that runs at a time has
some. A tile that the driver sends with a task has to fit into one message as well, whose size Spark
bounds: if not, it is an error of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextvars import ContextVar
from math import prod
from typing import Any

from diablo.context_values import Holding
from diablo.costs import ELEMENT_BYTES, largest_edge
from diablo.diagnostics import OutOfMemory, size_text
from diablo.runtime.memory_limit import parse_size
from diablo.runtime.source_lines import line_of

_FULL = (
    "Java heap space",
    "GC overhead limit exceeded",
    "Required array size too large",
    "Command exited with code 52",  # So an executor ends that is out of memory.
)
_THROWN = "java.lang.OutOfMemoryError"
"""What begins with it the driver's own JVM has thrown."""
_PYTHON_FULL = re.compile(r"^MemoryError\b", re.MULTILINE)
"""What a worker raises that is at its bound."""
_NO_MESSAGE = "exceeds max allowed: spark.rpc.message.maxSize"
_RESERVED = 300 << 20
"""What Spark keeps of a heap for itself."""
_COPIES = 4
"""How many times the rest has to hold what each task moves, with room for all else."""
_TOGETHER = 10
"""How many tiles PySpark writes together for each partition of a shuffle."""

_Tiles = tuple[int, tuple[int, ...]]
_cut: ContextVar[list[_Tiles] | None] = ContextVar("diablo_tiles", default=None)


def note_tiles(edge: int, arrays: Sequence[Sequence[int]]) -> None:
    """Note that arrays of these extents are cut into tiles with an edge."""
    noted = _cut.get()
    if noted is not None:
        noted += [(edge, tuple(dims)) for dims in arrays]


class explaining_heap:
    """A context manager: an error of a heap that is full says which statement, and what fits."""

    def __init__(self, context: Any):
        self._context = context
        self._tiles: list[_Tiles] = []
        self._held = Holding(_cut, self._tiles)

    def __enter__(self) -> None:
        self._held.__enter__()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._held.__exit__()
        if not isinstance(error, Exception):
            return
        said = _said(error)
        message = None
        if any(text in said for text in _FULL):
            message = heap_message(self._context, self._tiles, said.startswith(_THROWN))
        elif _NO_MESSAGE in said:
            message = heap_message(self._context, self._tiles, is_sent=True)
        elif _PYTHON_FULL.search(said):
            message = worker_message(self._context, self._tiles)
        if message is not None:
            failed = OutOfMemory(f"out of memory: {message}")
            failed.line = line_of(error)
            raise failed from error


def _said(error: Exception) -> str:
    """Return what Spark says of an error, or nothing where it is none of Spark's."""
    if type(error).__module__.split(".")[0] not in ("py4j", "pyspark"):
        return ""
    return str(getattr(error, "java_exception", None) or error)


def heap_message(
    context: Any, tiles: Sequence[_Tiles], is_drivers: bool = False, is_sent: bool = False
) -> str:
    """Return what is said of a heap that is full, where arrays are cut into such tiles.

    It is the heap of the driver, or else of what has the workers. What `is_sent` found no room in a
    message, rather than on the heap.
    """
    settings = context.getConf()
    is_local = context.master.startswith("local") and "cluster" not in context.master
    name = "spark.driver.memory" if is_local or is_drivers else "spark.executor.memory"
    heap = parse_size(settings.get(name, "1g"))
    cores = (
        context.defaultParallelism if is_local else int(settings.get("spark.executor.cores", "1"))
    )
    message = f"Spark's JVM has {size_text(heap)}"
    more = f"more of {name} helps"
    if is_drivers and not is_local:
        return f"the driver's JVM, which distributes the inputs, has {size_text(heap)}; {more}"
    if is_sent:
        most = int(settings.get("spark.rpc.message.maxSize", "128")) << 20
        message = f"a message of Spark's has {size_text(most)}"
        more = "more of spark.rpc.message.maxSize helps"
    room = max(heap - _RESERVED, heap // 4) // max(1, int(cores))
    return _with_advice(message, more, tiles, room)


def worker_message(context: Any, tiles: Sequence[_Tiles]) -> str | None:
    """Return what is said of a Python worker that is out of memory, if Spark bounds that."""
    name = "spark.executor.pyspark.memory"
    given = context.getConf().get(name)
    if given is None:
        return None
    cores = max(1, int(context.getConf().get("spark.executor.cores", "1")))
    has = parse_size(given) // cores
    message = f"a worker has {size_text(has)}"
    room = max(has - _RESERVED, has // 4)
    return _with_advice(message, f"more of {name} helps", tiles, room)


def _with_advice(message: str, more: str, tiles: Sequence[_Tiles], room: int) -> str:
    """Return a message with a block size with which a task needs no more than `room`, if any."""
    if not tiles:
        return f"{message}; {more}"

    def elements(found: _Tiles) -> int:
        return prod(min(found[0], extent) for extent in found[1])

    edge, dims = max(tiles, key=elements)
    taken = elements((edge, dims)) * ELEMENT_BYTES
    message += f", and tiles take up to {size_text(taken)}"
    fitting = largest_edge(dims, room // (_COPIES * _TOGETHER * ELEMENT_BYTES))
    if fitting is None or fitting >= edge:
        return f"{message}; {more}"
    return f"{message}; a block size of {fitting} needs less (it is {edge}), and {more}"
