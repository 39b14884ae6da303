# Kinds of values from their texts.
from random import Random

import pytest

from diablo.runtime.io.kind_texts import parse_kind, wanted
from diablo.runtime.io.wanted import WantedRows, WantedScalar
from diablo.runtime.value_kinds import ArrayKind, Kind, ListKind, MapKind, ScalarKind, TupleKind
from diablo.scalar_table import SCALARS


def _drawn(random: Random, depth: int) -> Kind:
    if depth == 0:
        return ScalarKind(random.choice(SCALARS).element)
    parts = [_drawn(random, depth - 1) for _ in range(random.randint(1, 3))]
    names = tuple(f"field_{k}" for k in range(len(parts)))
    return random.choice(
        [
            TupleKind(tuple(parts)),
            TupleKind(tuple(parts), names),
            ListKind(parts[0]),
            MapKind(parts[0], parts[-1]),
            ArrayKind(random.randint(1, 5), parts[0]),
            parts[0],
        ]
    )


def test_the_text_of_each_kind_is_that_kind():
    random = Random(0)
    for _ in range(300):
        kind = _drawn(random, 3)
        assert parse_kind(str(kind)) == kind


@pytest.mark.parametrize(
    "text",
    [
        *("", "Imt", "list[Int", "list[Int]]", "list[Int,Int]", "map[Int]", "<x Int>", "(Int;Int)"),
        *("array[Int]", "vector Int", "list[]", "()", "<: Int>"),
    ],
)
def test_what_is_no_type(text: str):
    with pytest.raises(ValueError, match="is no type"):
        parse_kind(text)


def test_what_is_wanted():
    assert wanted("Double") == WantedScalar("f64")
    found = wanted("list[<x: Double, p: (Int, String)>]")
    assert isinstance(found, WantedRows)
    assert len(found.columns) == 3
    assert str(found) == "list[<x: Double, p: (Int, String)>]"
    with pytest.raises(ValueError, match="is no input"):
        wanted("(Int, Int)")
