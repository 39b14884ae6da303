# diablo-run: every option, and one clear line for everything that can be wrong.
import gzip
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import io as scipy_io
from scipy import sparse

from diablo.api import Program
from diablo.diagnostics import InputError
from diablo.runtime.engines import spark
from diablo.runtime.engines.spark_settings import give_settings
from diablo.tools.run_tool.run_arguments import parse_arguments
from diablo.tools.run_tool.run_driver import Steps, run

SUM = "input n: Int;\nvar s = +/[ i*i | i <- 1..n ];\nvar t = 2*s;\ns;\n"
DEGREES = """
input G: list[(Int,Int)];
input n: Int = 4;
var C = tensor*(n)[ (i,j.length) | (i,j) <- G, group by i ];
C;
"""
ROW_SUMS = """
input A: matrix[Double];
input n: Int;
var S = tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("sum.diablo").write_text(SUM)
    Path("degrees.diablo").write_text(DEGREES)
    Path("row_sums.diablo").write_text(ROW_SUMS)
    Path("edges.csv").write_text("0,1\n0,2\n3,0\n")


def _failure(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    """The exit code and what was printed, which is one line and no traceback."""
    code = run(argv)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return code, captured.err.rstrip("\n")


def test_a_scalar_is_printed(capsys: pytest.CaptureFixture[str]):
    assert run(["sum.diablo", "--set", "n=10"]) == 0
    assert capsys.readouterr().out == "385\n"


@pytest.mark.parametrize(
    ("signal", "error", "code"),
    [
        ("SIGINT", KeyboardInterrupt(), 130),
        ("SIGTERM", SystemExit(143), 143),
        ("SIGHUP", SystemExit(129), 129),
    ],
)
def test_a_signal_that_ends_it_is_named(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    signal: str,
    error: BaseException,
    code: int,
):
    def interrupt(*_: object) -> None:
        raise error

    monkeypatch.setattr(Program, "check", interrupt)
    message = f"diablo-run: error: ended by {signal}"
    assert _failure(capsys, "sum.diablo", "--set", "n=10") == (code, message)


def test_a_step_that_starts_spark_is_two(monkeypatch: pytest.MonkeyPatch):
    starts: list[float] = []
    monkeypatch.setattr(spark, "STARTS", starts)
    steps = Steps("diablo-run", verbose=False)
    with steps.step("running (spark)"):
        starts.append(3.0)
    assert steps.seconds[0] == ("starting Spark", 3.0)
    assert steps.seconds[1][0] == "running (spark)"
    assert sum(seconds for _, seconds in steps.seconds) < 3.0


def test_pyspark_is_not_imported_and_need_not_be_there(tmp_path: Path):
    """What an engine that is chosen by size takes of Spark's settings, it reads without Spark."""
    (tmp_path / "pyspark.py").write_text("raise SystemExit('imported')")
    code = (
        "import sys; sys.path.insert(0, '.'); "
        "from diablo.tools.run_tool.run_driver import run; "
        "run(['sum.diablo', '--set', 'n=10']); "
        "sys.modules['pyspark'] = None; "
        "run(['sum.diablo', '--set', 'n=20'])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "385\n2870\n", result.stderr


def test_an_array_is_printed_as_numpy_prints(capsys: pytest.CaptureFixture[str]):
    assert run(["degrees.diablo", "--input", "G=edges.csv"]) == 0
    assert capsys.readouterr().out == "[2 0 0 1]\n"


def test_an_empty_string_is_a_value(capsys: pytest.CaptureFixture[str]):
    Path("s.diablo").write_text("input s: String; s.length;")
    assert run(["s.diablo", "--set", "s="]) == 0
    assert capsys.readouterr().out == "0\n"


def test_a_failure_shows_its_line(capsys: pytest.CaptureFixture[str]):
    Path("q.diablo").write_text("input n: Int;\n7/n")
    shown = "q.diablo:2:1: error: integer division by zero\n  7/n\n  ^"
    assert _failure(capsys, "q.diablo", "--set", "n=0") == (1, shown)


@pytest.mark.parametrize("size", ["1", "3", "100"])
def test_block_sizes(size: str, capsys: pytest.CaptureFixture[str]):
    assert run(["degrees.diablo", "--input=G=edges.csv", "--block-size", size]) == 0
    assert capsys.readouterr().out == "[2 0 0 1]\n"


def _write_matrix(kind: str, matrix: np.ndarray) -> str:
    path = f"a{kind}"
    if kind == ".npy":
        np.save(path, matrix)
    elif kind == ".npz":
        sparse.save_npz(path, sparse.csr_array(matrix))
    elif kind == ".mtx":
        scipy_io.mmwrite(path, sparse.coo_array(matrix))
    else:
        text = "".join(",".join(map(str, row)) + "\n" for row in matrix.tolist())
        with gzip.open(path, "wt") if kind.endswith(".gz") else open(path, "w") as file:
            file.write(text)
    return path


@pytest.mark.parametrize("kind", [".npy", ".npz", ".mtx", ".csv", ".csv.gz"])
def test_inputs_and_outputs(kind: str):
    matrix = np.array([[1.5, 0.0, 2.0], [0.0, 0.0, 3.0]])
    path = _write_matrix(kind, matrix)
    argv = ["row_sums.diablo", "--input", f"A={path}", "--set", "n=2", "--output", "S=s.npy"]
    assert run(argv) == 0
    np.testing.assert_allclose(np.load("s.npy"), matrix.sum(axis=1))


def test_several_outputs(capsys: pytest.CaptureFixture[str]):
    argv = ["sum.diablo", "--set", "n=3", "--output", "s=s.csv", "--output", "t=t.npy"]
    assert run(argv) == 0
    assert Path("s.csv").read_text() == "14\n"
    assert np.load("t.npy") == 28
    assert capsys.readouterr().out == ""


def test_stats_and_verbose(capsys: pytest.CaptureFixture[str]):
    assert run(["degrees.diablo", "--input=G=edges.csv", "--stats", "-v"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "[2 0 0 1]\n"
    assert "diablo-run: reading G from edges.csv" in captured.err
    assert "total" in captured.err


def test_one_output_that_cannot_be_written_leaves_no_other(capsys: pytest.CaptureFixture[str]):
    Path("s.csv").write_text("old\n")
    argv = ["sum.diablo", "--set=n=3", "--output=s=s.csv", "--output=t=t.txt"]
    message = "diablo-run: error: t.txt: .txt holds strings; give a .csv or a .json file"
    assert _failure(capsys, *argv) == (2, message)
    assert Path("s.csv").read_text() == "old\n"
    assert not list(Path().glob(".*"))


def test_the_seed(capsys: pytest.CaptureFixture[str]):
    Path("random.diablo").write_text("+/[ random() | i <- 1..5 ];")
    printed: list[str] = []
    for seed in ("0", "0", "7"):
        assert run(["random.diablo", "--seed", seed]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["none.diablo"], "none.diablo: cannot be read: No such file or directory"),
        (["sum.diablo"], "n: this input is missing (Int)"),
        (["sum.diablo", "--set", "N=3"], "N: the program has no such input; did you mean `n`?"),
        (["sum.diablo", "--set", "n=3.5"], "n: '3.5' is not an integer"),
        (["sum.diablo", "--set", "n=x"], "n: 'x' is not an integer"),
        (["sum.diablo", "--input", "n=edges.csv"], "edges.csv: a single Int is wanted, not a file"),
        (["degrees.diablo", "--set", "G=3"], "G: list[(Int, Int)] is wanted; give a file"),
        (["degrees.diablo"], "G: this input is missing (list[(Int,Int)])"),
        (["degrees.diablo", "--input", "G=none.csv"], "none.csv: there is no such file"),
        (["degrees.diablo", "--input", "G=."], ".: is not a file"),
        (["degrees.diablo", "--input=G=sum.diablo"], "sum.diablo: unknown kind of file"),
        (
            ["degrees.diablo", "--input=G=edges.csv", "--set=G=3"],
            "G: given by --input and by --set",
        ),
        (["sum.diablo", "--set=n=3", "--output=s=no/s.npy"], "no/s.npy: there is no folder no"),
        (["sum.diablo", "--set=n=3", "--output=s=s.xyz"], "s.xyz: results are written as"),
        (["sum.diablo", "--set=n=3", "--block-size=0"], "the block size is 0"),
        (["sum.diablo", "--set=n=3", "--device=gpu"], "CuPy is not installed"),
    ],
)
def test_wrong_data_and_options(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    code, text = _failure(capsys, *argv)
    assert code == 2
    assert text.startswith("diablo-run: error: ")
    assert message in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1\n0,2,3\n", "bad.csv:2: 3 columns"),
        ("0,1\n0,x\n", "bad.csv:2, column 2: 'x'"),
        ("0,1\n0,2.5\n", "bad.csv:2, column 2: '2.5'"),
        ("0,1,2\n3,4,5\n", "3"),
        ("0,1\n\x000\n", ""),
    ],
)
def test_wrong_files(text: str, message: str, capsys: pytest.CaptureFixture[str]):
    Path("bad.csv").write_text(text)
    code, printed = _failure(capsys, "degrees.diablo", "--input", "G=bad.csv")
    assert code == 2
    assert "bad.csv" in printed
    assert message in printed
    assert "\n" not in printed


@pytest.mark.parametrize("kind", [".npy", ".npz", ".mtx", ".csv.gz"])
def test_files_that_are_not_what_they_seem(kind: str, capsys: pytest.CaptureFixture[str]):
    Path(f"bad{kind}").write_bytes(b"\x93NUMPY nothing of the kind")
    code, printed = _failure(capsys, "row_sums.diablo", f"--input=A=bad{kind}", "--set=n=2")
    assert code == 2
    assert f"bad{kind}" in printed
    assert "\n" not in printed


@pytest.mark.parametrize(
    "argv", [["sum.diablo", "--set", "n"], ["sum.diablo", "--set=n=1", "--set=n=2"], [], ["--nope"]]
)
def test_wrong_usage(argv: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as exit:
        run(argv)
    assert exit.value.code == 2
    assert "diablo-run: error:" in capsys.readouterr().err


def test_errors_of_the_program(capsys: pytest.CaptureFixture[str]):
    Path("wrong.diablo").write_text("var a = nothing;\nvar b = nowhere;\n")
    code, text = _failure(capsys, "wrong.diablo")
    assert code == 1
    assert "wrong.diablo:1:9: error:" in text
    assert "wrong.diablo:2:9: error:" in text


def test_errors_while_running(capsys: pytest.CaptureFixture[str]):
    Path("divide.diablo").write_text("input d: Int; +/[ i / d | i <- 1..3 ];")
    code, text = _failure(capsys, "divide.diablo", "--set=d=0")
    assert code == 1
    assert text.startswith("divide.diablo:1:19: error: ")


def test_nothing_is_left_of_a_failed_output(capsys: pytest.CaptureFixture[str]):
    Path("t.npy").write_text("old")
    code, _ = _failure(capsys, "sum.diablo", "--set=n=3", "--output=t=t.npy", "--output=s=no/s.npy")
    assert code == 2
    assert Path("t.npy").read_text() == "old"


def test_an_internal_error_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object):
        raise KeyError("x")

    monkeypatch.setattr("diablo.api.Program.run", fail)
    monkeypatch.setenv("TMPDIR", ".")
    code, text = _failure(capsys, "sum.diablo", "--set=n=3")
    assert code == 1
    assert text.startswith("diablo-run: error: internal error: KeyError: 'x'")
    assert "\n" not in text
    path = text.rpartition("--run-reproducer ")[2].rstrip(")")
    report = Path(path).read_text()
    assert "// made by: diablo-run sum.diablo --set=n=3" in report
    assert "Traceback" in report
    assert report.endswith(SUM)


def test_the_command_from_stdin():
    command = [sys.executable, "-m", "diablo.tools.run", "-", "--set", "n=4"]
    result = subprocess.run(command, input=SUM, capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "30\n", "")


REMARKED = """
input E: matrix[Double];
var V = tensor*(2)[ (i,1.0) | i <- 0..1 ];
var W = V;
for i = 0, 1 do
    for j = 0, 1 do
        W[i] += E[i,j]*V[j];
W;
"""


def test_remarks(capsys: pytest.CaptureFixture[str]):
    Path("remarked.diablo").write_text(REMARKED)
    sparse.save_npz("e.npz", sparse.eye_array(2, format="csr"))
    assert run(["remarked.diablo", "--input=E=e.npz"]) == 0
    assert "remark" not in capsys.readouterr().err
    assert run(["remarked.diablo", "--input=E=e.npz", "--remarks"]) == 0
    assert "remarked.diablo:7:" in capsys.readouterr().err


def test_an_output_that_is_no_variable(capsys: pytest.CaptureFixture[str]):
    argv = ["sum.diablo", "--set", "n=3", "--output"]
    expected = "diablo-run: error: x: the program has no such variable; it has s, t"
    assert _failure(capsys, *argv, "x=x.npy") == (2, expected)
    expected = "diablo-run: error: n: is an input of the program; outputs are its variables"
    assert _failure(capsys, *argv, "n=n.npy") == (2, expected)


def test_two_outputs_in_one_file(capsys: pytest.CaptureFixture[str]):
    argv = ["sum.diablo", "--set", "n=3", "--output", "s=x.npy", "--output", "t=./x.npy"]
    expected = "diablo-run: error: ./x.npy: both s and t would be written there"
    assert _failure(capsys, *argv) == (2, expected)
    assert not Path("x.npy").exists()


def test_a_master_that_is_named_as_a_setting():
    """What runs on Spark because a master is named does so whichever option names it."""
    named = ["sum.diablo", "--conf", "spark.master=local[3]"]
    assert parse_arguments(named).master == "local[3]"
    assert parse_arguments([*named, "--master", "local[2]"]).master == "local[2]"
    assert parse_arguments(["sum.diablo", "--conf", "spark.ui.port=1"]).master is None


def test_a_master_without_spark(capsys: pytest.CaptureFixture[str]):
    argv = ["sum.diablo", "--set", "n=3", "--master"]
    expected = "diablo-run: error: master 'local[2]' is for Spark, but the engine is 'local'"
    assert _failure(capsys, *argv, "local[2]", "--engine", "local") == (2, expected)
    code, message = _failure(capsys, *argv, "nowhere")
    assert code == 2
    assert message.startswith("diablo-run: error: 'nowhere' is not a Spark master: ")


def test_a_matrix_larger_than_64_bits_number(capsys: pytest.CaptureFixture[str]):
    extent = 10**15
    Path("a.mtx").write_text(
        f"%%MatrixMarket matrix coordinate real general\n{extent} {extent} 0\n"
    )
    code, message = _failure(capsys, "row_sums.diablo", "--input=A=a.mtx", "--set", "n=2")
    assert code == 2
    size = f"{extent} x {extent} elements"
    assert message.startswith(f"diablo-run: error: a.mtx: {size} are more than 64 bits can number")


def test_settings_of_spark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """They reach the JVM by what PySpark starts it with, before those that were there."""
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--conf spark.ui.port=1 pyspark-shell")
    monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace(SparkContext=_NoContext))
    give_settings({"spark.executor.memory": "2g", "spark.app.name": "a b"})
    assert os.environ["PYSPARK_SUBMIT_ARGS"] == (
        "--conf spark.executor.memory=2g --conf 'spark.app.name=a b'"
        " --conf spark.ui.port=1 pyspark-shell"
    )
    program = tmp_path / "p.diablo"
    program.write_text("1 + 2;")
    for options, message in (
        (["--conf", "executor.memory=2g"], "a setting of Spark begins with 'spark.'"),
        (["--conf", "spark.executor.memory=2g", "--engine", "local"], "--conf is for Spark"),
    ):
        assert run([str(program), *options]) == 2
        assert message in capsys.readouterr().err
    monkeypatch.setattr(_NoContext, "_active_spark_context", object())
    with pytest.raises(InputError, match="Spark runs already"):
        give_settings({"spark.executor.memory": "2g"})


def test_settings_of_spark_where_this_process_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "pyspark-shell")
    spark = pytest.importorskip("pyspark")
    monkeypatch.setattr(spark.SparkContext, "_active_spark_context", None)
    argv = ["sum.diablo", "--set", "n=3"]
    assert run([*argv, "--conf", "spark.ui.port=1", "--conf", "spark.executor.memory=2g"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith(
        "warning: --conf spark.ui.port, --conf spark.executor.memory have no effect: the program "
        "runs in this process, as the inputs take 32 bytes, and there are "
    )
    assert said.endswith("--engine spark runs it on Spark")
    assert run(argv) == 0
    assert not capsys.readouterr().err


class _NoContext:
    _active_spark_context: object = None
