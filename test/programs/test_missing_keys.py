"""The error of a read that finds nothing says which key it sought."""

from __future__ import annotations

from typing import Any

import pytest

import diablo
from diablo.frontend.importer import import_program
from diablo.passes.interpreter.interpreter import interpret

PROGRAMS: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    (
        'input M: map[String,Int]; input s: String; M[s + "c"]',
        {"M": {"a": 1}, "s": "b"},
        {"M": [("a", 1)], "s": "b"},
        '"bc"',
    ),
    (
        "input M: map[(Int,Int),Int]; input i: Int; M[i+1,2]",
        {"M": {(1, 1): 1}, "i": 3},
        {"M": [(1, 1, 1)], "i": 3},
        "(4, 2)",
    ),
    ("var M: map[Double,Int] = map(); M[1.5] = 1; M[1.5] + M[2.5]", {}, {}, "2.5"),
    ("var M: map[Char,Int] = map(); M['a'] = 1; M['x']", {}, {}, '"x"'),
    ("var M: map[Boolean,Int] = map(); M[true] = 1; M[1 > 2]", {}, {}, "false"),
    (
        "input b: Boolean; var M: map[Int,Int] = map(); M[1] = 1; if (b) M[7] else 2",
        {"b": True},
        {"b": True},
        "7",
    ),
]


@pytest.mark.parametrize("block", [None, 3])
@pytest.mark.parametrize(("text", "inputs", "_", "key"), PROGRAMS)
def test_the_error_shows_the_key(
    text: str, inputs: dict[str, Any], _: dict[str, Any], key: str, block: int | None
) -> None:
    with pytest.raises(diablo.RunError) as error:
        diablo.compile(text, block_size=block)(**inputs)
    first = str(error.value).splitlines()[0]
    assert first.endswith(f"the map has no such key: {key}")


@pytest.mark.parametrize(("text", "_", "inputs", "key"), PROGRAMS)
def test_so_does_the_interpreters(
    text: str, _: dict[str, Any], inputs: dict[str, Any], key: str
) -> None:
    with pytest.raises(diablo.RunError) as error:
        interpret(import_program(text, "test.diablo"), inputs)
    assert str(error.value).endswith(f"the map has no such key: {key}")
