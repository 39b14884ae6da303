"""Lists that stay with Spark: data frames given and taken, and results that are passed on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import InputError, RunError
from diablo.runtime.engines.spark import spark_context
from diablo.runtime.io.inputs import WantedRows, load
from diablo.runtime.io.parquet_files import frame_of_file
from diablo.runtime.results.result_types import Rows
from diablo.tools.run_tool.run_driver import run

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.spark

GROUPS = (
    'input L: list[(Int,Double,String)]; [ (k, +/x, max/x) | (k,x,w) <- L, w != "b", group by k ]'
)
RECORDS = "input R: list[<sum: Double, k: Int>]; +/[ r.sum | r <- R, r.k > 2 ]"
ROWS = [(k % 5, float(k), "abc"[k % 3]) for k in range(40)]


@pytest.fixture(scope="module")
def frame() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession(spark_context("local[2]")).createDataFrame(
        ROWS, "k bigint, x double, w string"
    )


def test_a_frame_in_and_a_frame_out(frame: Any):
    program = diablo.compile(GROUPS, engine="auto")
    result = program(L=frame)
    assert isinstance(result, Rows)
    assert result.is_with_spark
    found = result.to_spark()
    assert found.dtypes == [("_1", "bigint"), ("_2", "double"), ("_3", "double")]
    kept = {}
    for k, x, w in ROWS:
        if w != "b":
            kept.setdefault(k, []).append(x)
    expected = sorted((k, sum(xs), max(xs)) for k, xs in kept.items())
    assert sorted(map(tuple, found.collect())) == expected
    # It is the input of another program where it is, and of the same in this process as well.
    other = diablo.compile(
        "input R: list[(Int,Double,Double)]; [ x+y | (k,x,y) <- R ]", engine="spark"
    )
    np.testing.assert_allclose(sorted(other(R=result)), sorted(x + y for _, x, y in expected))
    assert sorted(diablo.compile(GROUPS)(L=frame).to_list()) == expected
    # The columns of a record are found by their names.
    sums = diablo.compile(RECORDS, engine="spark")(R=found.selectExpr("_1 as k", "_2 as sum"))
    assert sums == sum(x for k, x, _ in expected if k > 2)


@pytest.mark.parametrize(
    ("columns", "message"),
    [(["k", "x"], "L: "), (["w", "x", "k"], "L: "), (["k", "w", "x"], "L: ")],
)
def test_other_frames_are_refused_before_anything_runs(
    frame: Any, columns: list[str], message: str
):
    program = diablo.compile(GROUPS, engine="spark")
    with pytest.raises(InputError, match=message):
        program(L=frame.select(*columns))


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("use", ["program", "list", "distribute", "map"])
def test_what_a_frame_fails_with_is_a_line(
    lazy: bool, use: str, frame: Any, capfd: pytest.CaptureFixture[str]
):
    session = frame.sparkSession
    given = session.range(3) if lazy else session.createDataFrame([(0,), (1,)], "id bigint")
    wrong = given.selectExpr("id k", "cast(concat(id, 'x') as double) v")
    text = "input L: list[(Int,Double)]; [ (k, +/v) | (k,v) <- L, group by k ]"
    calls = {
        "program": lambda: diablo.compile(
            "input L: list[(Int,Double)]; +/[ v | (k,v) <- L ]", engine="spark"
        )(L=wrong),
        "list": lambda: diablo.compile(text, engine="spark")(L=wrong).to_list(),
        "distribute": lambda: diablo.distribute(wrong),
        "map": lambda: diablo.compile("input M: map[Int,Double]; +/[ v | (k,v) <- M ]")(M=wrong),
    }
    with pytest.raises((InputError, RunError)) as failed:
        calls[use]()
    first = str(failed.value).splitlines()[0]
    assert "CAST_INVALID_INPUT" in first
    assert "in: cast(concat(id, 'x') as double) v" in first
    assert "\tat " not in str(failed.value)
    assert "\tat " not in capfd.readouterr().err


def test_rows_of_this_process_are_no_frame():
    with pytest.raises(InputError, match="are in this process"):
        diablo.compile("[ (i, 2*i) | i <- 0..3 ]", engine="local")().to_spark()


def test_maps_are_frames(frame: Any):
    single = diablo.compile(
        "input L: list[(Int,Double,String)]; map*[ (k,+/x) | (k,x,w) <- L, group by k ]"
    )
    text = (
        "input L: list[(Int,Double,String)];"
        " map*[ ((k,w),(+/x,max/x)) | (k,x,w) <- L, group by (k,w) ]"
    )
    sums: dict[int, float] = {}
    for k, x, _ in ROWS:
        sums[k] = sums.get(k, 0.0) + x
    assert single(L=ROWS).to_dict() == sums
    found = diablo.compile(single.text, engine="spark")(L=frame).to_spark()
    assert found.dtypes == [("key", "bigint"), ("value", "double")]
    assert {row.key: row.value for row in found.collect()} == sums
    pairs = diablo.compile(text, engine="spark")(L=frame)
    found = pairs.to_spark()
    assert found.columns == ["key._1", "key._2", "value._1", "value._2"]
    rows = {((a, b), (c, d)) for a, b, c, d in found.collect()}
    assert rows == set(diablo.compile(text)(L=ROWS).to_dict().items())
    with pytest.raises(InputError, match="are in this process"):
        single(L=ROWS).to_spark()


def test_frames_as_maps_and_matrices(frame: Any):
    total = "input M: map[Int,Double]; +/[ x | (k,x) <- M ]"
    one = frame.where("w = 'a'").groupBy("k").agg({"x": "sum"})
    expected = sum(x for _, x, w in ROWS if w == "a")
    assert diablo.compile(total, engine="spark")(M=one) == expected
    matrix = "input A: matrix[Double]; +/[ a | ((i,j),a) <- A, i == 3 ]"
    entries = frame.selectExpr("k", "cast(x as bigint) as j", "x + 1 as v")
    with pytest.raises(InputError, match=r"A: .*`diablo.distribute\(frame, shape=\(n, m\)\)`"):
        diablo.compile(matrix, engine="spark")(A=entries)
    with diablo.distribute(entries, shape=(5, 40)) as A:
        found = diablo.compile(matrix, engine="spark")(A=A)
        assert found == sum(x + 1 for k, x, _ in ROWS if k == 3)
    with pytest.raises(InputError, match="column 'd' is of type date"):
        diablo.distribute(frame.selectExpr("k", "date'2020-01-01' as d"))


def test_parquet_files_do_not_pass_the_driver(
    frame: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    frame.write.parquet(str(tmp_path / "l.parquet"))
    (tmp_path / "p.diablo").write_text(
        "input L: list[<w: String, x: Double, k: Int>];"
        " var S = [ <k: k, x: +/x> | r <- L, let x = r.x, group by k: r.k ];"
        " var T = +/[ s.x | s <- S ];"
    )
    collected: list[Any] = []
    monkeypatch.setattr(Rows, "to_numpy", lambda self: collected.append(self))
    command = [str(tmp_path / "p.diablo"), "--master", "local[2]"]
    command += ["--input", f"L={tmp_path / 'l.parquet'}", "--output"]
    assert run([*command, f"S={tmp_path / 's.parquet'}"]) == 0, capsys.readouterr().err
    assert not collected
    monkeypatch.undo()
    back = load(str(tmp_path / "s.parquet"), WantedRows(("i64", "f64")))
    sums: dict[int, float] = {}
    for k, x, _ in ROWS:
        sums[k] = sums.get(k, 0.0) + x
    assert dict(zip(*map(np.ndarray.tolist, back), strict=True)) == sums
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"l.parquet", "p.diablo", "s.parquet"}
    # Another run takes its place.
    assert run([*command, f"S={tmp_path / 's.parquet'}"]) == 0
    frame.drop("x").write.parquet(str(tmp_path / "other.parquet"))
    command[4] = f"L={tmp_path / 'other.parquet'}"
    assert run([*command, f"S={tmp_path / 's.parquet'}"]) == 2
    assert "other.parquet: the table has no column 'x'" in capsys.readouterr().err
    (tmp_path / "bad.parquet").write_text("no")
    command[4] = f"L={tmp_path / 'bad.parquet'}"
    assert run([*command, f"S={tmp_path / 's.parquet'}"]) == 2
    assert "cannot be read as .parquet" in capsys.readouterr().err
    assert dict(zip(*map(np.ndarray.tolist, back), strict=True)) == sums


def test_values_that_are_not_there(frame: Any):
    program = diablo.compile("input L: list[(Int,Double)]; +/[ x | (k,x) <- L ]", engine="spark")
    with pytest.raises(InputError, match=r"^L: there is no value in column 'x'$"):
        program(L=frame.selectExpr("k", "nullif(x, 0.0) as x"))
    rows = "input L: list[(Int,Int)]; +/[ x | (k,x) <- L ]"
    with pytest.raises(InputError, match=r"^L: \d+\.5 in column 'x' is not an integer"):
        diablo.compile(rows, engine="spark")(L=frame.selectExpr("k", "x + 0.5 as x"))


@pytest.mark.parametrize("engine", ["local", "spark"])
def test_columns_of_other_types(frame: Any, engine: Any):
    """Their type is told of, and no value that nobody gave; other columns may be of any type."""
    records = diablo.compile("input L: list[<k: Int, x: Double>]; +/[ r.k*r.x | r <- L ]", engine)
    texts = diablo.compile('input L: list[(String,Int)]; +/[ x | (w,x) <- L, w == "a" ]', engine)
    for column, of in (
        ("current_timestamp()", "timestamp"),
        ("date'2020-01-01'", "date"),
        ("interval '2' year", "interval year"),
        ("w", "string"),
        ("cast(x as decimal(10,2))", "decimal(10,2)"),
        ("array(k)", "array<bigint>"),
    ):
        with pytest.raises(InputError) as raised:
            records(L=frame.selectExpr("x", f"{column} as k"))
        assert str(raised.value) == f"L: column 'k' is of type {of} where an integer is wanted"
    with pytest.raises(InputError, match="L: column 'k' is of type bigint where a string is want"):
        texts(L=frame.select("k", "x"))
    others = ["interval '2' year as `a``b.c`", "current_date() as d"]
    assert records(L=frame.selectExpr("x", *others, "k")) == sum(k * x for k, x, _ in ROWS)
    letters = "input L: list[(Char,Double)]; +/[ x | (c,x) <- L, c == 'a' ]"
    expected = sum(x for _, x, w in ROWS if w == "a")
    assert diablo.compile(letters, engine)(L=frame.select("w", "x")) == expected


def test_held_columns_of_other_types(frame: Any):
    program = diablo.compile("input L: list[<k: Int, x: Int>]; +/[ r.k*r.x | r <- L ]", "spark")
    with (
        diablo.distribute(frame.selectExpr("w as k", "x")) as held,
        pytest.raises(InputError, match=r"^L: column 'k' is of type String where an integer is"),
    ):
        program(L=held)
    with (
        diablo.distribute(frame.selectExpr("k", "x + 0.5 as x")) as held,
        pytest.raises(InputError, match=r"^L: \d+.5 in column 'x' is not an integer$"),
    ):
        program(L=held)


def test_decimals_without_a_fraction_are_integers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Spark reads columns of unsigned integers of 64 bits as such decimals."""
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    Path("p.diablo").write_text("input L: list[(Int,Double)]; +/[ k*x | (k,x) <- L ]")

    def said(k: Any, x: Any) -> list[str]:
        parquet.write_table(arrow.table({"k": k, "x": x}), "l.parquet")
        found: list[str] = []
        for options in (["--engine", "local"], ["--engine", "spark", "--master", "local[2]"]):
            run(["p.diablo", *options, "--input", "L=l.parquet"])
            captured = capsys.readouterr()
            found.append(captured.out + captured.err)
        return found

    unsigned, decimal = arrow.uint64(), arrow.decimal128(38, 0)
    assert said(arrow.array([1, 2], unsigned), [0.5, 2.0]) == ["4.5\n"] * 2
    assert said([1, 2], arrow.array([2**63, 0], unsigned)) == [f"{2.0**63}\n"] * 2
    assert said([1, 2], arrow.array([3, -5], decimal)) == ["-7.0\n"] * 2
    message = "diablo-run: error: l.parquet: {} in row 2 of column 'k' is not a 64-bit integer\n"
    assert said(arrow.array([1, 2**63], unsigned), [0.5, 2.0]) == [message.format(2**63)] * 2
    assert said(arrow.array([1, 2**90], decimal), [0.5, 2.0]) == [message.format(2**90)] * 2


def test_decimals_that_are_distributed(frame: Any):
    of = frame.sparkSession.range(3)
    with diablo.distribute(of.selectExpr("cast(id as decimal(20,0)) k")) as rows:
        assert diablo.compile("input L: list[Int]; +/L", engine="spark")(L=rows) == 3
    with pytest.raises(InputError, match=r"decimal\(10,2\).*cast it: frame.withColumn\('x'"):
        diablo.distribute(of.selectExpr("cast(id as decimal(10,2)) x"))


@pytest.mark.parametrize("of", ["file", "folder"])
def test_files_without_some_values(
    of: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """The row has its number in the file, or in those of a folder, whoever reads it."""
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    Path("p.diablo").write_text("input L: list[(Int,Double)]; +/[ x | (k,x) <- L ]")
    table = arrow.table({"k": range(9), "x": [*map(float, range(7)), None, 8.0]})
    if of == "file":
        parquet.write_table(table, "l.parquet")
    else:
        Path("l.parquet").mkdir()
        for part in range(3):
            parquet.write_table(table.slice(3 * part, 3), f"l.parquet/part-{part}.parquet")
    said: list[str] = []
    for options in (["--engine", "local"], ["--engine", "spark", "--master", "local[2]"]):
        assert run(["p.diablo", *options, "--input", "L=l.parquet"]) == 2
        said.append(capsys.readouterr().err)
    message = "diablo-run: error: l.parquet: there is no value in row 8 of column 'x'\n"
    assert said == [message, message]


def test_a_file_with_a_column_of_another_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """It is the value in the file that is told of, and not one that stands for it."""
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    Path("p.diablo").write_text("input L: list[(Int,Double)]; +/[ x | (k,x) <- L ]")
    parquet.write_table(arrow.table({"k": [1, 2], "x": ["a", "b"]}), "l.parquet")
    said: list[str] = []
    for options in (["--engine", "local"], ["--engine", "spark", "--master", "local[2]"]):
        assert run(["p.diablo", *options, "--input", "L=l.parquet"]) == 2
        said.append(capsys.readouterr().err)
    message = "diablo-run: error: l.parquet: 'a' in row 1 of column 'x' is not a number\n"
    assert said == [message, message]


def test_folders_and_files_that_are_no_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """What is wrong with them is said in the same words whoever would read them."""
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    Path("p.diablo").write_text("input L: list[(Int,Double)]; +/[ x | (k,x) <- L ]")
    for name, column, values in (("names", "y", [1.5]), ("types", "x", ["a"])):
        Path(f"{name}.parquet").mkdir()
        parquet.write_table(arrow.table({"k": [1], "x": [0.5]}), f"{name}.parquet/a.parquet")
        parquet.write_table(arrow.table({"k": [1], column: values}), f"{name}.parquet/b.parquet")
    Path("none.parquet").mkdir()
    Path("empty.parquet").touch()
    Path("cut.parquet").write_bytes(Path("names.parquet/a.parquet").read_bytes()[:-9])
    for name, message in (
        ("names", "names.parquet: its files have columns of different names or types"),
        ("types", "types.parquet: its files have columns of different names or types"),
        ("none", "none.parquet: there is no .parquet file in this folder"),
        ("empty", "empty.parquet: cannot be read as .parquet: Parquet file size is 0 bytes"),
        ("cut", "cut.parquet: cannot be read as .parquet: Parquet magic bytes not found"),
        ("other", "other.parquet: there is no such file"),
    ):
        said: list[str] = []
        for options in (["--engine", "local"], ["--engine", "spark", "--master", "local[2]"]):
            assert run(["p.diablo", *options, "--input", f"L={name}.parquet"]) == 2
            said.append(capsys.readouterr().err)
        assert said[0] == said[1]
        assert said[0].startswith(f"diablo-run: error: {message}")
    elsewhere = (tmp_path / "none.parquet").as_uri()
    with pytest.raises(InputError, match=r"there is no \.parquet file in this folder"):
        frame_of_file(elsewhere, "local[2]")


def test_folders_that_are_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Both engines read what Spark writes with `partitionBy`, and nothing of hidden folders."""
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)

    def write(folder: str, **columns: Any) -> None:
        Path("l.parquet", folder).mkdir(parents=True, exist_ok=True)
        parquet.write_table(arrow.table(columns), f"l.parquet/{folder}/a.parquet")

    def said(row: str, value: str) -> list[str]:
        Path("p.diablo").write_text(f"input L: list[{row}]; +/[ {value} | r <- L ]")
        found: list[str] = []
        for options in (["--engine", "local"], ["--engine", "spark", "--master", "local[2]"]):
            run(["p.diablo", *options, "--input", "L=l.parquet"])
            captured = capsys.readouterr()
            found.append(captured.out + captured.err)
        return found

    record = "<v: Double, k: Int, w: String>"
    write("k=1/w=a%20b", v=[1.5, 2.5])
    write("k=02/w=c", v=[4.0])
    write("_temporary", v=[100.0])
    assert said(record, 'r.k*r.v + (if (r.w == "a b") 1.0 else 0.0)') == ["14.0\n"] * 2
    assert said("(Double,Int,String)", "r._1*r._2") == ["12.0\n"] * 2
    write("k=0.5/w=c", v=[4.0])
    assert said("<v: Double, k: Double>", "r.k*r.v") == ["14.0\n"] * 2
    write("k=__HIVE_DEFAULT_PARTITION__/w=c", v=[4.0])
    for message in said("<v: Double, k: Double>", "r.k*r.v"):
        assert "column 'k'" in message
    write("k=1", v=[4.0])
    [here, there] = said("<v: Double, k: Double>", "r.k*r.v")
    assert here == there
    assert "l.parquet: its files are in folders for different columns" in here
