"""The line of the source that an error is about, found in the text of an emitted program."""

import linecache
from collections.abc import Callable
from pathlib import Path

import pytest

import diablo
from diablo.lowering.pyspark.long_statements import WIDTH
from diablo.runtime.source_lines import with_place, without_place

FILE = "<compiled from lines.diablo, 1>"
PROGRAM = Path(__file__).parents[2] / "lowering" / "emit-pyspark" / "many_inputs.diablo"


def _function(monkeypatch: pytest.MonkeyPatch, text: str) -> Callable[..., object]:
    names: dict[str, Callable[..., object]] = {}
    exec(compile(text, FILE, "exec"), names)
    lines = text.splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, FILE, (len(text), None, lines, FILE))
    return names["kernel_0"]


@pytest.mark.parametrize("count", [1, 12])
def test_the_place_of_a_function_with_a_long_header(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = "".join(f"    argument_{k},\n" for k in range(count))
    body = "    # lines.diablo:7\n    return argument_0\n"
    kernel = _function(monkeypatch, f"def kernel_0(\n{header}):\n{body}")
    assert without_place(with_place("what failed", kernel)) == ("what failed", 7)


def test_the_place_of_the_next_function_is_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "def kernel_0(a):\n    return a\n\n\ndef kernel_1(a):\n    # lines.diablo:7\n    return a\n"
    )
    kernel = _function(monkeypatch, text)
    assert without_place(with_place("what failed", kernel)) == ("what failed", None)


def test_long_headers_of_a_program_in_this_process() -> None:
    program = diablo.compile(PROGRAM)
    before = {*linecache.cache}
    label, total, steps, greatest = program(offset=0.5)
    assert (label, steps, greatest) == ("the sum is", 5, 10.0)
    assert total > 73.171875
    (name,) = [name for name in linecache.cache if name not in before and "many_inputs" in name]
    lines = linecache.getlines(name)
    assert "def main(\n" in lines
    assert any(line.startswith("def loop_0(\n") for line in lines)
    assert max(map(len, lines)) <= WIDTH + 1
