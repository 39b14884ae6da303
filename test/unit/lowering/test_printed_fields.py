# Printed programs take and give fields by their names, and tuples in rows, as diablo-run does.
import json
import runpy
import sys
from pathlib import Path

import pytest

from diablo.lowering.pyspark.emit_pyspark import emit_pyspark
from diablo.variant import Variant

PROGRAM = """
input P: list[<x: Double, y: Double>];
input Q: list[(Int,(Double,Double))];
var s = +/[ p.x*10.0 + p.y | p <- P ];
var R = [ <a = p.x, b = p.y> | p <- P, p.x > 2.0 ];
var T = [ (k, (b, a)) | (k,(a,b)) <- Q ];
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    module = Variant(PROGRAM, "fields.diablo", {}, whole=False).spark_module
    path = tmp_path / "fields.py"
    path.write_text(emit_pyspark(module, "fields.diablo"))
    return path


def test_parts_of_a_tuple_have_their_own_fields():
    text = """input P: list[<x: Double, y: Double>];
    var T = ([ <a = p.x> | p <- P ], [ p.y | p <- P ]);"""
    module = Variant(text, "parts.diablo", {}, whole=False).spark_module
    text = emit_pyspark(module, "parts.diablo")
    assert 'kinds={"T": "(list[<a: Double>], list[Double])"},' in text


@pytest.mark.parametrize("format", ["csv", "json"])
def test_the_names_of_fields_find_columns(
    format: str,
    script: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    points = script.with_name(f"points.{format}")
    if format == "csv":
        points.write_text("y,x\n1,2\n3,4\n")
    else:
        points.write_text(json.dumps([{"y": 1, "x": 2}, {"x": 4, "y": 3}]))
    pairs = script.with_name("pairs.json")
    pairs.write_text(json.dumps([[1, [2, 3]], [4, [5, 6]]]))
    written = script.with_name("R.csv")
    given = [f"P={points}", "--input", f"Q={pairs}", "--output", f"R={written}"]
    monkeypatch.setattr(sys, "argv", [str(script), "--input", *given])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out == "s = 64.0\nT = [(1, (3.0, 2.0)), (4, (6.0, 5.0))]\n"
    assert written.read_text().splitlines() == ["a,b", "4.0,3.0"]
