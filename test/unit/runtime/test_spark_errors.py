"""One line from a Java stack trace."""

from errno import ENOSPC

import pytest

from diablo.diagnostics import LostBlock, RunError
from diablo.runtime.engines.spark_errors import as_run_errors, python_failure, summary

TRACE = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed \
1 times, most recent failure: org.apache.spark.api.python.PythonException: Traceback (most recent \
call last):
  File "worker.py", line 1, in main
    process()
    ~~~~~~~^^
  File "program.py", line 9, in kernel_0
    return a // b
{failure}

\tat org.apache.spark.api.python.BasePythonRunner.handlePythonException(PythonRunner.scala:118)
Caused by: org.apache.spark.api.python.PythonException: x
"""


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        ("ZeroDivisionError: division by zero", "ZeroDivisionError: division by zero"),
        ("ValueError: one\ntwo", "ValueError: one two"),
        ("KeyError: 3 SQLSTATE: 38000", "KeyError: 3"),
        ("diablo.diagnostics.RunError: division by zero", "division by zero"),
        ("MemoryError", "MemoryError"),
    ],
)
def test_python_failure(failure: str, message: str):
    assert summary(Exception(TRACE.format(failure=failure))) == message


def test_java_failure():
    text = "org.apache.spark.SparkException: Job aborted: java.io.IOException: disk full\n\tat x"
    assert python_failure(text) is None
    assert summary(Exception(text)) == "Spark: disk full"


def test_a_master_that_is_not_there():
    text = "java.lang.IllegalStateException: SparkContext has been shutdown\n\tat x"
    assert summary(Exception(text)) == "Spark: the connection was lost; is the master there?"


def test_only_spark_and_data_failures_are_turned():
    error = type("Py4JJavaError", (Exception,), {"__module__": "py4j.protocol"})
    with pytest.raises(RunError, match="Spark: no"), as_run_errors():
        raise error("no")
    with pytest.raises(LostBlock, match="an executor was lost"), as_run_errors():
        raise error(
            "x.SparkException: [CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND] block rdd_7_0 not found!"
        )
    with pytest.raises(TypeError), as_run_errors():
        raise TypeError("mistake")


def test_a_full_disk_is_said_with_the_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SPARK_LOCAL_DIRS", "/scratch")
    error = type("Py4JError", (Exception,), {"__module__": "py4j.protocol"})
    message = r"the disk is full: .* /scratch .*`spark\.local\.dir`"
    with pytest.raises(RunError, match=message), as_run_errors():
        raise error("java.io.IOException: No space left on device")
    with pytest.raises(RunError, match=message), as_run_errors():
        raise OSError(ENOSPC, "No space left on device")


@pytest.mark.parametrize("signal", [KeyboardInterrupt(), SystemExit(143)])
def test_an_error_of_an_interrupted_call_is_the_interruption(signal: BaseException):
    """As that of PySpark, which closes what it had not opened yet."""

    def interrupted() -> None:
        try:
            raise signal
        except BaseException:
            try:
                raise KeyError("socket")
            finally:
                raise UnboundLocalError("sockfile")

    with pytest.raises(type(signal)) as found, as_run_errors():
        interrupted()
    assert found.value is signal


@pytest.mark.parametrize("signal", [KeyboardInterrupt(), SystemExit(0)])
def test_an_error_of_a_call_that_follows_an_interruption_is_its_own(signal: BaseException):
    """A caller may run programs where it handles the end of something else."""

    def divided() -> None:
        raise RunError("division by zero")

    try:
        raise signal
    except BaseException:
        with pytest.raises(RunError, match="division by zero"), as_run_errors():
            divided()
