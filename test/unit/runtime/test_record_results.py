"""What callers get of records: arrays with fields, data frames, and maps as tables."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import diablo
from diablo.runtime.io.inputs import load
from diablo.runtime.io.outputs import save
from diablo.runtime.io.wanted import WantedArray, WantedRows
from diablo.runtime.value_kinds import ScalarKind, TupleKind

INT, STRING = ScalarKind("i64"), ScalarKind("string")


def made(text: str, **options: Any) -> Any:
    return diablo.compile(text, **options)()


@pytest.mark.parametrize("block_size", [None, 2])
def test_arrays_of_records_have_their_fields(block_size: int | None):
    result = made('tensor(3)[ (i,<a=i,b="x">) | i <- 0..2 ];', block_size=block_size)
    assert result.dtype == result.to_numpy().dtype == [("a", "i8"), ("b", "O")]
    assert result["a"].tolist() == [0, 1, 2]
    assert (result == result).tolist() == [True] * 3
    assert (result == result.to_numpy()).tolist() == (result.to_numpy() == result).tolist()
    assert (result != result).tolist() == [False] * 3
    assert "<div>3 array of &lt;a: Int, b: String&gt;</div>" in result._repr_html_()
    for frame in (result.to_pandas(), pd.DataFrame(result.to_numpy())):
        assert frame.to_dict("list") == {"a": [0, 1, 2], "b": ["x"] * 3}
    result["a"][0] = 7
    assert diablo.compile("input V: vector[<a: Int, b: String>]; V[0].a;")(V=result) == 7


def test_arrays_of_nested_records_and_of_tuples():
    nested = made("tensor(2)[ (i,<p=<x=i,y=(1,2)>,c='u'>) | i <- 0..1 ];")
    assert nested.dtype.names == ("p.x", "p.y.f0", "p.y.f1", "c")
    assert nested.to_numpy().tolist() == [(0, 1, 2, "u"), (1, 1, 2, "u")]
    assert list(nested.to_pandas().columns) == ["p.x", "p.y", "c"]
    assert made("tensor(2)[ (i,<a=i>) | i <- 0..1 ];").dtype == [("a", "i8")]
    assert made("tensor(2)[ (i,(i,2)) | i <- 0..1 ];").dtype.names == ("f0", "f1")
    inner = made("tensor(1)[ (i,<v=tensor(1)[ (k,<z=k>) | k <- 0..0 ],l=[<q=i>]>) | i <- 0..0 ];")
    assert inner[0]["v"].dtype.names == ("z",)
    assert inner[0]["l"][0].q == 0
    sparse = made("tensor*(3)[ (i,<a=i,b=2*i>) | i <- 1..1 ];")
    assert sparse.to_numpy()["b"].tolist() == [0, 2, 0]
    assert sparse.to_pandas()["b"].tolist() == [0, 2, 0]
    assert made("tensor(1,2)[ ((0,j),j) | j <- 0..1 ];").to_pandas().shape == (1, 2)
    with pytest.raises(TypeError, match="has one dimension, not 2"):
        made("tensor(1,2)[ ((0,j),(j,j)) | j <- 0..1 ];").to_pandas()


def test_arrays_of_records_in_files(tmp_path: Path):
    result = made('tensor(2)[ (i,<a=i,q=<x=i,y=(1,"s")>>) | i <- 0..1 ];')
    save(result, tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == [
        {"a": i, "q": {"x": i, "y": [1, "s"]}} for i in range(2)
    ]
    save(result, tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text() == "a,q.x,q.y.f0,q.y.f1\n0,0,1,s\n1,1,1,s\n"
    save(made('tensor(1)[ (i,<b="x",a=1>) | i <- 0..0 ];'), tmp_path / "r.npy")
    kind = TupleKind((INT, STRING), ("a", "b"))
    back = load(tmp_path / "r.npy", WantedArray(1, ("tuple", "i64", "string"), kind))
    assert back.tolist() == [(1, "x")]
    save(made("[ tensor(1)[ (k,<z=k>) | k <- 0..0 ] | i <- 0..0 ];"), tmp_path / "l.json")
    assert (tmp_path / "l.json").read_text() == '[[{"z": 0}]]\n'
    save(made("var r = <l=[<a=1>],m=map[ (i,i) | i <- 0..0 ]>; r;"), tmp_path / "t.json")
    assert (tmp_path / "t.json").read_text() == '{"l": [{"a": 1}], "m": [[0, 0]]}\n'


def test_tables_of_records_have_headers(tmp_path: Path):
    path = tmp_path / "r.csv"
    save(made("[ <b=2,p=<y=3,x=i>> | i <- 0..1 ];"), path)
    assert path.read_text() == "b,p.y,p.x\n2,3,0\n2,3,1\n"
    kind = TupleKind((TupleKind((INT, INT), ("x", "y")), INT), ("p", "b"))
    back = load(path, WantedRows(("i64",) * 3, kind))
    assert [column.tolist() for column in back] == [[0, 1], [3, 3], [2, 2]]
    path.write_text("u,v,w\n5,6,7\n")
    back = load(path, WantedRows(("i64",) * 3, kind))
    assert [column.tolist() for column in back] == [[5], [6], [7]]
    path.write_text("u,v,b\n5,6,7\n")
    with pytest.raises(diablo.InputError, match=r"r.csv:1: the header has no column 'p.x'"):
        load(path, WantedRows(("i64",) * 3, kind))


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("var r = (1,2); r;", "1,2\n"),
        ("var r = <a=1,b=2>; r;", "a,b\n1,2\n"),
        ('var r = <a=true,b=(1,<c="x,y">)>; r;', 'a,b.f0,b.f1.c\ntrue,1,"x,y"\n'),
    ],
)
def test_one_tuple_in_files(tmp_path: Path, text: str, table: str):
    result = made(text)
    save(result, tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text() == table
    for suffix in ("npy", "npz", "mtx", "txt"):
        with pytest.raises(diablo.InputError, match=r"\.csv"):
            save(result, tmp_path / f"r.{suffix}")
    with pytest.raises(diablo.InputError, match="arrays inside of a record are written"):
        save(made("var r = <a=[1]>; r;"), tmp_path / "l.csv")


def test_maps_are_data_frames():
    squares = made("map[ (i,i*i) | i <- 1..2 ];")
    assert squares.to_pandas().to_dict("list") == {"key": [1, 2], "value": [1, 4]}
    assert np.asarray(squares).tolist() == pd.DataFrame(squares).to_numpy().tolist()
    assert np.asarray(squares).tolist() == [[1, 1], [2, 4]]
    assert list(squares) == [1, 2]
    records = made('map[ (<u=i,v=2>,<a=i,b="x">) | i <- 1..1 ];')
    assert list(records.to_pandas().columns) == ["key.u", "key.v", "a", "b"]
    assert np.asarray(records)[0, 1].b == "x"
    assert list(made("map[ (i,<key=i,b=2>) | i <- 1..1 ];").to_pandas().columns) == [
        "key",
        "value.key",
        "value.b",
    ]
    pairs = made("map[ ((i,3),(i,2)) | i <- 1..1 ];").to_pandas()
    assert pairs.to_dict("list") == {"key": [(1, 3)], "value": [(1, 2)]}
    assert list(made("map[ (i,i) | i <- 1..0 ];").to_pandas().columns) == ["key", "value"]


def test_an_index_outside_of_a_list():
    rows = made("[ i | i <- 0..1 ];")
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"the list of 2 rows has none at index {index}"):
            rows[index]
    with pytest.raises(TypeError, match="a list is indexed by integers and slices, not by str"):
        rows["a"]
