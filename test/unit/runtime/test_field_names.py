"""Records that a caller gives are matched by the names that they carry."""

from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import diablo
from diablo.tools.run_tool.run_driver import run

BA, BZ, BAC = namedtuple("BA", "b a"), namedtuple("BZ", "b z"), namedtuple("BAC", "b a c")
LIST = "input P: list[<a: Int, b: Int>]; [ (p.a,p.b) | p <- P ];"
LISTS = "input P: list[list[<a: Int, b: Int>]]; [ (p.a,p.b) | l <- P, p <- l ];"
MAP = "input P: map[Int,<a: Int, b: Int>]; [ (p.a,p.b) | (k,p) <- P ];"
VECTOR = "input P: vector[<a: Int, b: Int>]; [ (p.a,p.b) | (k,p) <- P ];"
NESTED = "input P: list[<k: Int, p: <a: Int, b: Int>>]; [ (p.p.a,p.p.b) | p <- P ];"
NESTED_VECTOR = "input P: vector[<k: Int, p: <a: Int, b: Int>>]; [ (v.p.a,v.p.b) | (i,v) <- P ];"


def made(text: str) -> Any:
    return diablo.compile(text)()


def structured(names: str, *row: Any) -> Any:
    return np.array([row], [(name, int) for name in names])


ROWS = made("[ <b=2,a=1> | i <- 0..0 ];")
STRANGERS = made("[ <b=2,z=1> | i <- 0..0 ];")
VECTORS = made("tensor(1)[ (i,<b=2,a=1>) | i <- 0..0 ];")
SPARSE = made("tensor*(1)[ (i,<b=2,a=1>) | i <- 0..0 ];")
MAPS = made("map[ (i,<b=2,a=1>) | i <- 0..0 ];")
NESTED_ROWS = made("[ <p=<b=2,a=1>,k=5> | i <- 0..0 ];")
NESTED_VECTORS = made("tensor(1)[ (i,<p=<b=2,a=1>,k=5>) | i <- 0..0 ];")
NESTED_ARRAY = np.array([((2, 1), 7)], [("p", [("b", int), ("a", int)]), ("k", int)])


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (LIST, ROWS),
        (LIST, list(ROWS)),
        (LIST, ROWS.to_pandas()),
        (LIST, [BA(2, 1)]),
        (LIST, [{"b": 2, "a": 1}]),
        (LIST, [(1, 2)]),
        (LIST, structured("ba", 2, 1)),
        (LIST, list(structured("ba", 2, 1))),
        (LIST, np.array([(1, 2)], "i8,i8")),
        (LIST, VECTORS),
        (LISTS, made("[ [<b=2,a=1>] | i <- 0..0 ];")),
        (LISTS, [[BA(2, 1)]]),
        (MAP, {0: BA(2, 1)}),
        (MAP, [(0, {"b": 2, "a": 1})]),
        (MAP, MAPS),
        (MAP, MAPS.to_dict()),
        (MAP, MAPS.to_pandas()),
        (MAP, made("[ (i,<b=2,a=1>) | i <- 0..0 ];")),
        (MAP, made("[ <k=i,b=2,a=1> | i <- 0..0 ];")),
        (MAP, made("[ <k=i,v=<b=2,a=1>> | i <- 0..0 ];")),
        (VECTOR, structured("ba", 2, 1)),
        (VECTOR, np.array([(1, 2)], "i8,i8")),
        (VECTOR, [BA(2, 1)]),
        (VECTOR, ROWS),
        (VECTOR, VECTORS),
        (VECTOR, VECTORS.to_numpy()),
        (VECTOR, SPARSE),
        (NESTED, NESTED_ROWS),
        (NESTED, NESTED_ROWS.to_pandas()),
        (NESTED, [namedtuple("Flat", "b a k")(2, 1, 5)]),
        (NESTED, NESTED_ARRAY),
        (NESTED_VECTOR, NESTED_VECTORS),
        (NESTED_VECTOR, NESTED_VECTORS.to_numpy()),
        (NESTED_VECTOR, NESTED_ARRAY),
    ],
)
def test_fields_are_found_by_name(text: str, given: Any):
    assert diablo.compile(text)(P=given) == [(1, 2)]


@pytest.mark.parametrize(
    ("text", "given", "message"),
    [
        (LIST, STRANGERS, "row 1 has no field 'a': it has b, z where <a: Int, b: Int> is wanted"),
        (LIST, list(STRANGERS), "row 1 has no field 'a': it has b, z where"),
        (LIST, [(1, 2), BZ(2, 1)], "row 2 has no field 'a': it has b, z where"),
        (LIST, [BAC(2, 1, 3)], "row 1 has an unknown field 'c': it has b, a, c where"),
        (LIST, [{0: 1, 1: 2}], "row 1 has no field 'a': it has 0, 1 where"),
        (MAP, {0: BZ(2, 1)}, "the value of entry 1 has no field 'a': it has b, z where"),
        (MAP, made("[ <k=i,b=2,z=1> | i <- 0..0 ];"), "the list has no field 'a': it has k, b, z"),
        (VECTOR, structured("xa", 2, 1), "the array has no field 'b': it has x, a where vector"),
        (VECTOR, structured("bac", 2, 1, 3), "the array has an unknown field 'c': it has b, a, c"),
        (VECTOR, made("tensor*(1)[ (i,<b=2,z=1>) | i <- 0..0 ];"), "the array has no field 'a'"),
        (NESTED, [BAC(2, 1, 3)], "row 1 has no field 'k': it has b, a, c where <k: Int, p: <a"),
    ],
)
def test_missing_and_unknown_fields(text: str, given: Any, message: str):
    with pytest.raises(diablo.InputError) as error:
        diablo.compile(text)(P=given)
    assert str(error.value).startswith(f"P: {message}")


def test_objects_may_have_more_fields_than_are_asked_for():
    program = diablo.compile(LIST)
    plain = program(P=[(1, 2)])
    assert list(program(P=[{"c": 3, "b": 2, "a": 1}])) == list(plain)


def test_fields_that_are_called_as_numpy_calls_those_without_names():
    program = diablo.compile("input P: list[<f1: Int, f0: Int>]; [ (p.f0,p.f1) | p <- P ];")
    assert list(program(P=structured(["f0", "f1"], 1, 2))) == [(1, 2)]
    assert list(program(P=[(1, 2)])) == [(2, 1)]


@pytest.mark.parametrize(
    ("header", "result"),
    [
        ("c,a,d", (2.0, 1.0, 3.0)),
        ("b.d,a,b.c", (2.0, 3.0, 1.0)),
        ("b.d,a,c", (2.0, 3.0, 1.0)),
        ("x,y,z", (1.0, 2.0, 3.0)),
        ("e,a,b.c", "no column 'b.d'"),
        ("d,c,b", "no column 'a'"),
    ],
)
def test_headers_of_nested_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], header: str, result: Any
):
    path, program = tmp_path / "in.csv", tmp_path / "a.diablo"
    path.write_text(f"{header}\n1,2,3\n")
    program.write_text(
        "input P: list[<a: Double, b: <c: Double, d: Double>>]; [ (p.a,p.b.c,p.b.d) | p <- P ];"
    )
    code = run([str(program), "--input", f"P={path}"])
    output = capsys.readouterr()
    if isinstance(result, str):
        assert code == 2
        assert f"{path}:1: the header has {result}" in output.err
    else:
        assert output.out == f"[{result}]\n"


def test_names_that_are_words_of_pythons():
    edges = made("[ <to=2,from=1> | i <- 0..0 ];")
    program = diablo.compile("input P: list[<from: Int, to: Int>]; [ (p.from,p.to) | p <- P ];")
    assert program(P=edges) == program(P=list(edges)) == [(1, 2)]
    assert edges[0]._fields == ("to", "from")
    assert getattr(edges[0], "from") == 1


def test_lists_of_records_in_arrays():
    lists = "input P: vector[list[<a: Int, b: Int>]]; [ (q.a,q.b) | (i,p) <- P, q <- p ];"
    for storage in ("", "*"):
        given = made(f"tensor{storage}(1)[ (i,[<b=2,a=1>]) | i <- 0..0 ];")
        assert diablo.compile(lists)(P=given) == [(1, 2)]
    beside = (
        "input P: vector[<n: Int, l: list[<a: Int, b: Int>]>];"
        " [ (q.a,q.b) | (i,p) <- P, q <- p.l ];"
    )
    given = made("tensor(1)[ (i,<l=[<b=2,a=1>],n=i>) | i <- 0..0 ];")
    assert diablo.compile(beside)(P=given) == [(1, 2)]


def test_tuples_go_by_position():
    pairs = diablo.compile("input P: list[(Int,Int)]; P;")
    assert pairs(P=[BA(1, 2)]) == pairs(P=structured("ba", 1, 2)) == [(1, 2)]
    assert pairs(P=pd.DataFrame({"b": [1], "a": [2]})) == [(1, 2)]
    assert diablo.compile(LIST)(P=made("[ (1,2) | i <- 0..0 ];")) == [(1, 2)]
