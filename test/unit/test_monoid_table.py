# What is asked of a built-in monoid is found by combining samples.
from math import inf

import numpy as np
import pytest
from xdsl.dialects.builtin import IndexType, IntegerType, f32, f64, i1, i32, i64

from diablo.dialects import monoids
from diablo.monoid_table import (
    MONOIDS,
    annihilated_by,
    extremum_monoid,
    monoid_named,
    monoid_of_symbol,
    monoid_of_ufunc,
    monoid_on,
)
from diablo.runtime.monoid_ufuncs import identity, ufunc


def those(question: str) -> list[str]:
    return [m.name for m in MONOIDS.values() if getattr(m, question)]


def test_properties():
    assert those("idempotent") == ["min", "max", "and", "or"]
    assert [m.repeated for m in MONOIDS.values()] == ["multiple", "power", *["value"] * 4]
    assert those("neutral_zero") == ["add", "or"]
    assert those("is_sum") == ["add"]
    assert those("mixes_parts") == ["mul"]
    assert those("is_word") == ["min", "max"]
    assert those("needs_initial") == ["min", "max"]
    assert those("keeps_sign") == ["add", "mul", "min", "max", "and", "or"]
    assert [m.extremum for m in MONOIDS.values()] == ["", "", "<", ">", "", ""]
    # Zero times infinity is NaN, and so is the sum of both infinities.
    assert [m.annihilator for m in MONOIDS.values()] == [None, None, -inf, inf, False, True]


def test_absorption():
    pairs = {(m.name, o.name) for m in MONOIDS.values() for o in MONOIDS.values() if m.absorbs(o)}
    assert pairs == {("min", "max"), ("max", "min"), ("and", "or"), ("or", "and")}


def test_what_they_are_of_other_values():
    found = {name: monoid_on("boolean", name) for name in MONOIDS}
    assert found == {
        "add": "or", "mul": "and", "min": "and", "max": "or", "and": "and", "or": "or",
    }  # fmt: skip
    assert monoid_on("complex", "add") == "add"
    assert monoid_on("complex", "min") is None
    assert monoid_on("integer", "or") is None


def test_how_they_are_found():
    assert extremum_monoid("<").name == "min"
    assert annihilated_by(True).name == "or"
    assert monoid_of_symbol("&&") is MONOIDS["and"]
    assert monoid_of_symbol("-") is None
    assert monoid_of_ufunc("logical_and") is MONOIDS["and"]
    assert not monoid_of_ufunc("bitwise_and").name


def test_nothing_is_known_of_a_monoid_of_the_program():
    own = monoid_named("@argmin")
    asked = (
        "idempotent",
        "neutral_zero",
        "is_sum",
        "keeps_sign",
        "extremum",
        "repeated",
        "mixes_parts",
    )
    assert not any(getattr(own, question) for question in asked)
    assert own.annihilator is None
    assert not any(own.absorbs(m) or m.absorbs(own) for m in MONOIDS.values())


@pytest.mark.parametrize("name", MONOIDS)
def test_the_compiler_and_running_programs_agree(name: str):
    wanted = {
        f64: np.float64, f32: np.float32, i64: np.int64, i32: np.int32, i1: np.bool_,
        IndexType(): np.int64,
    }  # fmt: skip
    for type, dtype in wanted.items():
        if monoids.accepts(name, type):
            constant = monoids.identity(name, type).value.data
            neutral = identity(name, np.dtype(dtype))
            assert dtype(constant) == neutral
            value = dtype(1 if isinstance(type, IntegerType) else 2)
            assert ufunc(name)(neutral, value) == value
