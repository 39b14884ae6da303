"""How much a run may take, and what is said where it would take more."""

import threading

import numpy as np
import pytest

from diablo.diagnostics import InputError, OutOfMemory, RunError, size_text
from diablo.runtime import memory_limit, rows
from diablo.runtime.arrays import memory
from diablo.runtime.arrays.tiles import assemble
from diablo.runtime.column_types import zeros
from diablo.runtime.memory_limit import check, limited, parse_size, reserve
from diablo.runtime.rows.lists import Lists
from diablo.runtime.source_lines import line_of

MB = 1 << 20


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("2g", 2 << 30),
        ("500m", 500 * MB),
        ("1.5 GiB", 3 << 29),
        ("1000", 1000),
        (7, 7),
        ("3KB", 3072),
    ],
)
def test_sizes(text: str | int, size: int):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "g", "-1", "0", 0, "2 apples", "1e9", True, "0.0001k"])
def test_wrong_sizes(text: str | int):
    with pytest.raises(InputError, match=r"the memory is .*, and must be a size such as 2g"):
        parse_size(text)


def test_sizes_are_read_as_they_are_said():
    shown = [size_text(n) for n in (0, 1023, 1536, 123 * MB, 5 << 40, 1 << 62)]
    assert shown == ["0 bytes", "1023 bytes", "1.5 KiB", "123 MiB", "5 TiB", "4096 PiB"]


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process takes and gives back nothing, as other threads of it may at any time."""
    monkeypatch.setattr(memory_limit, "memory_in_use", lambda: (1 << 28, 1 << 28))


@pytest.mark.usefixtures("still")
def test_what_is_small_is_refused_where_much_of_it_has_been_asked_for():
    with limited(1):
        reserve(memory_limit.SMALLEST - 1, "an array")
        with pytest.raises(OutOfMemory, match=r"^a block would take 100 bytes, and .* of the 1"):
            reserve(100, "a block")
        reserve(100, "a block")


def test_what_has_been_taken_is_said_where_nothing_is_left(monkeypatch: pytest.MonkeyPatch):
    with limited(20 << 20):
        held, _ = memory_limit.memory_in_use()
        taken = held + (34 << 20), held + (34 << 20)
        monkeypatch.setattr(memory_limit, "memory_in_use", lambda: taken)
        with pytest.raises(OutOfMemory, match=r"has taken 3\d.* already, where it may take 20"):
            reserve(64 << 20, "a block")


@pytest.mark.usefixtures("still")
def test_what_is_large_is_refused_at_once():
    with limited(1), pytest.raises(OutOfMemory, match=r"^an array would take 16 MiB, and .* the 1"):
        reserve(memory_limit.SMALLEST, "an array")


def test_what_has_been_made_is_checked():
    with limited(1):
        array = np.ones(4 * MB)
        with pytest.raises(OutOfMemory, match=r"have been taken for rows, of the 1 bytes that"):
            check(array.nbytes, "rows")
    with limited(1 << 40):
        check(array.nbytes, "rows")


def test_limits_are_those_of_the_call_on_every_thread():
    found: list[Exception] = []

    def ask() -> None:
        try:
            reserve(64 * MB, "{} rows", 8, at="a.diablo:1:2")
        except RunError as error:
            found.append(error)

    with limited(32 * MB):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
        with limited(1 << 40):
            ask()
    assert [str(error)[:40] for error in found] == ["a.diablo:1:2: 8 rows would take 64 MiB, "]


def test_what_waits_is_given_back_first():
    given: list[int] = []
    memory_limit.when_short(lambda: given.append(1))
    with limited(MB), pytest.raises(OutOfMemory):
        reserve(64 * MB, "an array")
    assert given


def test_what_waited_before_counts_once_it_is_taken():
    memory.empty((64 * MB,), np.dtype(np.uint8))[...] = 0
    assert memory.statistics().waiting >= 64 * MB
    with limited(16 * MB), pytest.raises(OutOfMemory):
        memory.empty((64 * MB,), np.dtype(np.uint8))


def test_memory_of_the_system():
    resident, asked = memory_limit.memory_in_use()
    assert resident > 0
    assert asked > 0
    assert memory_limit.free_memory() > 0


ROWS = (np.arange(5000), np.arange(5000.0))
LISTS = Lists((np.zeros(5000),), np.array([0, 5000])).take(np.zeros(2000, np.int64))
MAKERS = {
    "a join of 5000 with 5000 rows, which makes 25000000 rows,": lambda: rows.join(
        ROWS, ROWS, (), ()
    ),
    "a join of 5000 with 5000 rows, which makes 5000000 rows,": lambda: rows.join(
        (ROWS[0] % 5,), (ROWS[0] % 5,), (0,), (0,)
    ),
    "5000 rows, each with a range, which make 50000000 rows,": lambda: rows.expand(
        ROWS, np.zeros(5000, np.int64), np.full(5000, 9999)
    ),
    "a range of 100000000 rows": lambda: rows.index_range(1, 10**8),
    "2000 lists, which have 10000000 rows,": lambda: rows.unnest((LISTS,), 0),
    "an array of 100000000 elements": lambda: zeros(10**8, "f8"),
    "an array of 10000 x 20000": lambda: memory.empty((10000, 20000), np.dtype("f8")),
    "an array of 30000 x 30000": lambda: assemble([], (30000, 30000), 10, 2, "f8"),
    "the indices of 9000000 elements": lambda: rows.to_rows(np.broadcast_to(1.0, (3000, 3000))),
}


@pytest.mark.parametrize("what", MAKERS)
def test_operations_ask_before_they_allocate(what: str):
    with limited(16 * MB), pytest.raises(OutOfMemory) as error:
        MAKERS[what]()
    assert str(error.value).startswith(f"{what} would take ")


def test_the_line_of_a_failure_is_that_of_the_comment_above():
    import linecache

    lines = ["def main():", " # a.diablo:1: x", " y = 1", " # a.diablo:7: z", " w = (", "  1 / 0)"]
    text = "".join(f"{line}\n" for line in lines)
    name = "<compiled from a.diablo>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, object] = {}
    exec(compile(text, name, "exec"), names)
    with pytest.raises(ZeroDivisionError) as error:
        names["main"]()  # type: ignore
    assert line_of(error.value) == 7
    assert line_of(ValueError()) is None
