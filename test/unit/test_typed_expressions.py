"""Expressions of tables: what several parts of one share is gone through once."""

from diablo.table.column_values import INT64
from diablo.table.typed_expressions import Typed, moved, read, replaced


def _doubled(times: int) -> Typed:
    """Return column 3 times a power of two: a tree of it has as many leaves."""
    made = read(3, INT64)
    for _ in range(times):
        made = Typed("call", INT64, (made, made), "add")
    return made


def test_shared_parts_stay_shared():
    made = _doubled(200)
    assert len(list(made.walk())) == 201
    assert made.reads == {3}
    other = moved(made, {3: 5})
    assert len(list(other.walk())) == 201
    assert other.reads == {5}
    assert replaced(made, {3: Typed("constant", INT64, (), 7)}).reads == frozenset()
    assert hash(made) == hash(_doubled(200))
    assert hash(made) != hash(other)


def test_equal_expressions_are_one_key():
    assert {_doubled(6): 1} == {_doubled(6): 1}
    assert _doubled(6) != _doubled(5)
    assert _doubled(6) != moved(_doubled(6), {3: 4})
