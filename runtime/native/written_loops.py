"""The loops of `loops/` as machine code: those that the runtime has besides a program's kernels.

    written_loop("dot")                             dot.ll
    written_loop("rows_times_vector", "i32")        rows_times_vector.i32.ll, for indices of 32 bits
    written_loop("scan", "add.f64")                 scan.add.f64.ll, for sums of such floats

Their sources are `loops/*.mlir`. The compiler makes LLVM IR of them once and for all
(`python -m diablo.tools.loop_code`), since it is not where programs run on Spark's workers.
"""

from __future__ import annotations

from functools import cache

from diablo.runtime.native.compile_mode import has_seen_enough, pays
from diablo.runtime.native.machine_code import Entry, is_code_kept, machine_code
from diablo.runtime.native.work_seen import seen_by

WORTH_COMPILING = 1 << 20
"""From how many elements on, over all calls in a process, a loop is compiled."""
WORTH_LINKING = 1 << 17
"""From how many on, where a process before this one has compiled it."""
CALL = 1 << 13
"""What several calls of NumPy take besides, in elements that are done meanwhile."""


def repaid_loop(
    work: int, name: str, kind: str | None = None, *, linking: int | None = None
) -> Entry | None:
    """Return the machine code of a loop once it repays its making, so many elements more counted.

    Where it takes the place of several calls of NumPy, `CALL` is counted too. From `linking` on,
    `WORTH_LINKING` if it is not given, what another process has compiled is used.

    None before, for a kind that there is no loop of, and without llvmlite.
    """
    if not is_written(name, kind):
        return None
    seen = seen_by((__name__, name, kind), work)
    enough = WORTH_LINKING if linking is None else linking
    worth = has_seen_enough(seen, WORTH_COMPILING) or (pays(seen, enough) and is_kept(name, kind))
    return written_loop(name, kind) if worth else None


@cache
def written_loop(name: str, kind: str | None = None) -> Entry | None:
    """The machine code of a loop, for what it leaves open; None without llvmlite.

    Arrays are passed as their addresses, all other arguments as integers, in the source's order.
    """
    file = _file(name, kind)
    return machine_code(f"{__name__} {file}", _text(file))


@cache
def is_written(name: str, kind: str | None = None) -> bool:
    """Return whether there is such a loop."""
    return _data(_file(name, kind)) is not None


@cache
def is_kept(name: str, kind: str | None = None) -> bool:
    """Whether a process before this one has compiled a loop, so that it needs only be linked."""
    return is_code_kept(_text(_file(name, kind)))


def _file(name: str, kind: str | None) -> str:
    return f"{name}.ll" if kind is None else f"{name}.{kind}.ll"


def _text(file: str) -> str:
    data = _data(file)
    assert data is not None
    return data.decode()


def _data(file: str) -> bytes | None:
    # Imported late: most processes need none of these. Packages may lie in an archive.
    from pkgutil import get_data

    try:
        return get_data("diablo.runtime.native", f"loops/{file}")
    except OSError:
        return None
