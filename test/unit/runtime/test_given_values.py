"""Python's values in lists and dictionaries are taken as single ones are, arrays by their type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import InputError


class Unreadable:
    """Something that says it is an array."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise ValueError("boom")


HALF = "holds half of a surrogate pair, which is no character"
REFUSED: list[tuple[str, Any, str]] = [
    ("vector[Int]", [True], "True in [0] is not an integer"),
    ("vector[Int]", [1, 3.0], "3.0 in [1] is not an integer"),
    ("matrix[Int]", [[1, 2], [3, 4.0]], "4.0 in [1, 1] is not an integer"),
    ("vector[Boolean]", [1], "1 in [0] is not true or false"),
    ("vector[Double]", [1, True], "True in [1] is not a number"),
    ("list[(Int,Double)]", [(1, 2), (1.0, 2)], "1.0 in row 2, column 1 is not an integer"),
    ("map[String,Int]", {"a": True}, "True in the value of entry 1 is not an integer"),
    ("list[Int]", [np.float64(3)], "3.0 in row 1 is not an integer"),
    ("vector[Double]", [1, "a"], "'a' in [1] is not a number"),
    ("vector[Double]", Unreadable(), "an Unreadable gives no array: boom"),
    ("vector[Double]", [[1], 2], "the rows are of different lengths"),
    (
        "vector[Double]",
        [10**5000],
        "1000000000000000…, a number of some 5000 digits, in [0] is not a 64-bit integer",
    ),
    ("vector[String]", ["a", "\ud800"], f"'\\ud800' in [1] {HALF}"),
    ("list[String]", np.array(["a", "\ud800"] * 2000), f"'\\ud800' in row 2 {HALF}"),
    ("list[String]", ["a", "\ud800"] * 2000, f"'\\ud800' in row 2 {HALF}"),
    ("String", "\ud800", f"'\\ud800' {HALF}"),
    ("Char", "\udfff", f"'\\udfff' {HALF}"),
    ("Char", 0xD800, "55296 is not the number of a character"),
]


@pytest.mark.parametrize(("type", "value", "message"), REFUSED)
def test_what_is_no_scalar_of_the_type_is_refused(type: str, value: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        diablo.compile(f"input x: {type}; x")(x=value)
    assert str(error.value) == f"x: {message}"


TAKEN: list[tuple[str, Any, list[Any]]] = [
    ("vector[Int]", np.array([3.0, 1.0]), [3, 1]),
    ("vector[Int]", [np.int8(3), 4], [3, 4]),
    ("matrix[Int]", [np.array([1.0, 2.0])], [[1, 2]]),
    ("vector[Double]", [1, 2.5], [1.0, 2.5]),
    ("vector[Boolean]", np.array([0, 1]), [False, True]),
    ("vector[Complex128]", [1, 2j], [1, 2j]),
]


@pytest.mark.parametrize(("type", "value", "wanted"), TAKEN)
def test_what_is_one_is_taken(type: str, value: Any, wanted: list[Any]) -> None:
    assert diablo.compile(f"input x: {type}; x")(x=value).to_numpy().tolist() == wanted


def test_json_that_is_nested_too_deeply(tmp_path: Path) -> None:
    from diablo.runtime.io.inputs import load
    from diablo.runtime.io.wanted import WantedArray

    path = tmp_path / "deep.json"
    path.write_text("[" * 200_000 + "]" * 200_000)
    with pytest.raises(InputError, match="its lists and objects are nested too deeply"):
        load(str(path), WantedArray(1, "f64"))
