# What a run writes, and how two runs are compared.
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import history
import pytest
import reports
import run
from measuring import DIABLO, Figures, Settings


def _figures(first: float, later: float, wrong: str | None = None) -> dict[str, Any]:
    peaks = {"first_peak": 30 << 20, "later_peak": 20 << 20}
    return asdict(Figures(first, [later, 2 * later], wrong=wrong, **peaks))


def _measured(name: str, _: Settings, faster: float = 1.0) -> dict[str, Any]:
    wrong = "2, not 3" if name == "row sums" else None
    ways = {
        DIABLO: _figures(0.5, 0.1 / faster, wrong),
        "NumPy": _figures(0.2, 0.15),
        "Polars": _figures(0.1, 0.05, "another order"),
    }
    return {"name": name, "field": "arrays", "size": "10 x 10", "contenders": ways}


@pytest.fixture(autouse=True)
def nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "measure_apart", _measured)


def _record(folder: Path) -> dict[str, Any]:
    (path,) = folder.glob("*.json")
    return json.loads(path.read_text())


def test_a_run_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    options = ["--only", "add", "window", "--scale", "0.5", "--threads", "2", "-o", str(tmp_path)]
    assert run.main(options) == 0
    record = _record(tmp_path)
    assert [case["name"] for case in record["cases"]] == ["add", "window sums"]
    assert record["settings"]["scale"] == 0.5
    assert record["machine"]["cores"] >= 1
    assert {"Python", "NumPy", "SciPy"} <= record["versions"].keys()
    (page,) = tmp_path.glob("*.md")
    text = page.read_text()
    assert "| add | 10 x 10 | 100 | 30/20 | 150 x1.50 30/20 MB | wrong |" in text
    assert "| add | 500 | 200 x0.40 | wrong |" in text
    assert "| NumPy | 1.50 | 1.50 | 1.50 | 2 |" in text
    charts = list(tmp_path.glob("*.png"))
    assert len(charts) == reports.can_draw()
    for chart in charts:
        assert chart.read_bytes().startswith(b"\x89PNG")
        assert f"({chart.name})" in text
    shown = capsys.readouterr().out
    assert "NumPy 150 x1.50 30/20 MB, Polars wrong" in shown
    assert shown.startswith("2 threads, scale 0.5, load ")


def test_what_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(run.peers, "missing", lambda: {"DuckDB": "duckdb, pyarrow"})
    monkeypatch.setattr(reports, "can_draw", lambda: False)
    assert run.main(["--only", "add", "--no-record"]) == 0
    shown = capsys.readouterr().out
    assert "without DuckDB: duckdb, pyarrow is not installed" in shown
    assert "without a chart: matplotlib is not installed" in shown
    assert "written" not in shown


def test_without_matplotlib_there_is_no_chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reports, "can_draw", lambda: False)
    assert run.main(["--only", "add", "-o", str(tmp_path)]) == 0
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".md"]


def test_a_wrong_result_is_no_success(capsys: pytest.CaptureFixture[str]):
    assert run.main(["--only", "row sums", "--no-record"]) == 1
    assert "WRONG: 2, not 3" in capsys.readouterr().out


def test_two_runs_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    run.main(["--only", "add", "row sums", "-o", str(tmp_path)])
    commit = _record(tmp_path)["commit"]
    monkeypatch.setattr(run, "measure_apart", lambda n, s: _measured(n, s, faster=2.0))
    for what in ("last", str(next(tmp_path.glob("*.json"))), commit[:10]):
        run.main(["--only", "add", "window", "-o", str(tmp_path), "--no-record", "--compare", what])
        lines = capsys.readouterr().out.splitlines()
        (line,) = [line for line in lines if line.startswith("add") and "faster" in line]
        assert line.split() == ["add", "100.00", "50.00", "2.00", "1.00", "1.00", "faster"]
        assert any(line.split() == ["window", "sums", "new"] for line in lines)
        assert lines[-1].split() == ["geometric", "mean", "2.00"]


def test_a_run_that_is_not_there(tmp_path: Path):
    with pytest.raises(ValueError, match="there is no file 'nowhere'"):
        history.earlier("nowhere", tmp_path)
    with pytest.raises(SystemExit):
        run.main(["--only", "add", "-o", str(tmp_path), "--compare", "nowhere"])


def test_other_sizes_are_not_compared():
    before = {"commit": "a" * 40, "when": "then", "cases": [_measured("add", Settings())]}
    now = {"cases": [{**_measured("add", Settings()), "size": "20 x 20"}]}
    assert history.changes(before, now)[-1].split() == ["add", "was", "10", "x", "10"]


def test_names_choose_cases(capsys: pytest.CaptureFixture[str]):
    assert {case.field for case in run.chosen(["joins"])} == {"joins"}
    assert [case.name for case in run.chosen(["jacobi"])] == ["Jacobi step"]
    assert run.main(["--list", "--only", "jacobi"]) == 0
    assert capsys.readouterr().out.split() == ["arrays", "Jacobi", "step"]
    assert run.main(["--only", "no such"]) == 2
