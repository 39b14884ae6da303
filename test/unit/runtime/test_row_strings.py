"""Functions of strings on columns, against Python's and against the interpreter's."""

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from row_models import batch_of

from diablo.diagnostics import RunError
from diablo.dialects.scalar_types import ir_type
from diablo.dialects.string_functions import STRING_FUNCTIONS
from diablo.passes.interpreter.interpreted_elements import hash_value
from diablo.passes.interpreter.scalar_evaluation import EvaluationError
from diablo.passes.interpreter.string_evaluation import EVALUATORS
from diablo.runtime import rows
from diablo.runtime.column_types import storage
from diablo.runtime.program import hash_rows
from diablo.runtime.rows import Lists, strings
from diablo.scalar_table import SCALARS

TEXTS = st.sampled_from(["", "a", "b", "ab", "aab b", " 7 ", "-12", "1e3", "nan", "Äß", "x\0y"])
ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    "!comprehension.string": TEXTS,
    "i64": st.integers(-1, 4),
    "f64": st.sampled_from([0.1, 1.0, 1e16, float("inf"), -0.0]),
    "complex<f64>": st.sampled_from([0j, 1 + 2j, -0.5j, complex(1e16, -0.0), complex("nan+infj")]),
    "ui64": st.sampled_from([0, 7, 2**64 - 1]),
    "i1": st.booleans(),
    "i24": st.sampled_from(["a", "\U0001f600"]),
}
CODES = {
    "!comprehension.string": "U",
    **{str(ir_type(row)): row.code for row in SCALARS},
}


def test_every_function_is_there():
    assert all(callable(getattr(strings, name)) for name in STRING_FUNCTIONS)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", STRING_FUNCTIONS)
@given(data=st.data())
def test_functions(name: str, data: st.DataObject):
    kinds = [str(argument) for argument in STRING_FUNCTIONS[name].arguments]
    table = data.draw(st.lists(st.tuples(*[ARGUMENTS[kind] for kind in kinds]), max_size=5))
    results: list[Any] = []
    kept: list[tuple[Any, ...]] = []
    function = getattr(strings, name)
    for row in table:
        try:
            row = tuple(ord(v) if k == "i24" else v for v, k in zip(row, kinds, strict=True))
            expected = EVALUATORS[name](*row)
        except EvaluationError:
            with pytest.raises(RunError, match=r"^p\.diablo:3:1: "):
                function(*row, at="p.diablo:3:1")
            continue
        scalar = function(*row)
        if name == "split":
            assert scalar[0].tolist() == [part for (part,) in expected]
            expected = scalar[0].tolist()
        else:
            assert scalar == expected or scalar != scalar
            assert type(scalar) is type(expected)
        results.append(expected)
        kept.append(row)
    column = function(*batch_of(kept, [CODES[kind] for kind in kinds]))
    if isinstance(column, Lists):
        assert column.tolist() == results
        return
    np.testing.assert_array_equal(column, np.array(results, column.dtype))
    assert column.dtype == storage(CODES[str(STRING_FUNCTIONS[name].result)])


def test_scalars_stand_for_all_rows():
    column = np.array(["a b", "b"], object)
    assert strings.split(column, " ").tolist() == [["a", "b"], ["b"]]
    assert strings.eq(column, "b").tolist() == [False, True]
    assert strings.lt("b", column).tolist() == [False, False]
    assert strings.concat("<", column).tolist() == ["<a b", "<b"]
    assert strings.char_at(column, 0).tolist() == [97, 98]
    assert strings.substring("abc", np.array([0, 1]), 2).tolist() == ["ab", "b"]
    assert strings.from_double(np.float32(0.1)) == repr(float(np.float32(0.1)))
    assert strings.from_int(np.int64(3)) == "3"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: strings.char_at("ab", 2), "position 2 is outside a string of length 2"),
        (
            lambda: strings.substring("ab", 1, 5),
            "the positions 1 to 5 are outside a string of length 2",
        ),
        (lambda: strings.to_int("1.5"), "'1.5' is no integer"),
        (lambda: strings.to_int("9" * 5000), f"'{'9' * 40}…' does not fit in 64 bits"),
        (lambda: strings.to_double("1_0"), "'1_0' is no number"),
        (
            lambda: strings.to_int(np.array(["1", "x"], object), at="p:1:2"),
            "p:1:2: 'x' is no integer",
        ),
    ],
)
def test_failures(call: Any, message: str):
    with pytest.raises(RunError) as error:
        call()
    assert str(error.value) == message


@given(st.lists(st.one_of(st.text(max_size=5), st.just("long" * 40)), max_size=40))
def test_hashes_of_strings(texts: list[str]):
    (column,) = batch_of([(text,) for text in texts], ["U"])
    assert rows.hash_values(column).tolist() == [hash_value(text) for text in texts]
    for text in texts:
        assert rows.hash_values(text) == hash_value(text)


def test_hashes_of_numbers():
    assert rows.hash_values(np.array([3, -1])).tolist() == [3, -1]
    assert rows.hash_values(np.array([True, False])).tolist() == [1, 0]
    assert rows.hash_values(np.int32(7)) == 7
    floats = [0.5, -0.0, 0.0, 1e300]
    expected = [struct.unpack("<q", struct.pack("<d", x + 0.0))[0] for x in floats]
    assert rows.hash_values(np.array(floats)).tolist() == expected
    assert rows.hash_values(0.5) == expected[0]


def test_rows_are_hashed_alike_everywhere():
    words = np.array([f"word{i % 50}" for i in range(500)], object)
    places: dict[str, int] = {}
    for (bucket,), (part, lists) in hash_rows((0,), 7)(
        (words, rows.Lists((words,), np.arange(501)))
    ):
        assert [[word] for word in part] == lists.tolist()
        for word in part:
            assert places.setdefault(word, bucket) == bucket
    # The same in every process: Python's own hash of strings is not.
    assert len(set(places.values())) == 7
    assert hash_rows((0,), 7)((np.array(["word0"], object),))[0][0] == (places["word0"],)
    assert rows.hash_values("a") == -5808556873153909620
