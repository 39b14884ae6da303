"""What went wrong in a Spark job, in one line instead of a JVM stack trace.

A failing task reaches the driver as a Java exception whose message holds the Python
worker's whole traceback:

    Py4JJavaError: … PythonException: Traceback … ZeroDivisionError: division by zero … at org.…
        ->  RunError: ZeroDivisionError: division by zero

This module does not import PySpark, so that the local engine can use it for nothing.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from errno import ENOSPC
from subprocess import TimeoutExpired
from tempfile import gettempdir
from typing import Any

from diablo.diagnostics import Error, InputError, LostBlock, OutOfMemory, RunError
from diablo.runtime.engines.block_store import LOST
from diablo.runtime.source_lines import line_of, without_place

_TRACEBACK = "Traceback (most recent call last):"
_INPUT_ERROR = re.compile(r"^(?:diablo\.diagnostics\.)?InputError: ")
_OWN_ERROR = re.compile(
    r"^(?:diablo\.diagnostics\.)?(?:RunError|InputError|LostBlock|OutOfMemory): "
)
_EXCEPTION_CLASS = re.compile(r"(?:[\w$]+\.)+\w*(?:Exception|Error): ")
_SQL_STATE = re.compile(r"\s*SQLSTATE: \w+$")
_EXPRESSION = re.compile(r"^== SQL .*==\n((?:(?!==|\^|\t).+\n)+)", re.MULTILINE)
_CALLED = re.compile(r'^== DataFrame ==\n("[^\n]+") was called from\n([^\n]+)', re.MULTILINE)
_NO_CHECKPOINT = "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND"
LOST_CHECKPOINT = "an executor was lost, and with it what a loop carried from one iteration on"
"""What is said of a block that cannot be computed again, since the lineage was cut there."""
JAVA_ENDED = (
    "the Java process of Spark has ended, and with it what Spark held: a new call starts another"
)
_DISK_FULL = "No space left on device"
_EXPLAINED = {
    "SparkContext has been shutdown": "the connection was lost; is the master there?",
}


_TOO_MANY = "out of memory: an array or a range has more elements than memory can hold"

_NEGATIVE = "an array cannot have fewer than 0 elements in a dimension"

_WRONG_SIZES = {
    "negative dimensions are not allowed": _NEGATIVE,
    "all elements of broadcast shape must be non-negative": _NEGATIVE,
    "'minlength' must not be negative": _NEGATIVE,
    "Maximum allowed dimension exceeded": _TOO_MANY,
    "Maximum allowed size exceeded": _TOO_MANY,
    "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.": (
        _TOO_MANY
    ),
}
"""What NumPy says of sizes, and what that means in a program."""


class as_run_errors:
    """A context manager: what fails inside, in Spark or because of the data, is a `RunError`."""

    __slots__ = ("_handled",)

    def __enter__(self) -> None:
        self._handled = sys.exception()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and (signal := _interruption(error, self._handled)):
            raise signal from None
        if error is not None:
            _raise_run_error(error)


def _interruption(error: Exception, handled: BaseException | None) -> BaseException | None:
    """Return the end by a signal that an error hides, if it came while that was handled.

    PySpark closes what it has not opened yet when it is interrupted as it connects to the JVM, and
    an error of Python's is what comes of that. What the caller has `handled` all along is none.
    """
    before = error.__context__
    while before is not None and before is not handled:
        if isinstance(before, KeyboardInterrupt | SystemExit):
            return before
        before = before.__context__
    return None


def _raise_run_error(error: BaseException) -> None:
    """Raise what an error is to the caller of a program; nothing, if it is that itself."""
    match error:
        case RunError():
            message, line = without_place(str(error))
            if line is not None:  # What a kernel says of itself.
                error.args = (message, *error.args[1:])
            error.line = error.line or line or line_of(error)
        case MemoryError():
            message = f"out of memory: {error}" if str(error) else "out of memory"
            located = OutOfMemory(message)
            located.line = line_of(error)
            raise located from error
        case Error():
            pass
        # Its connections end a little earlier than it does.
        case Exception() if is_of_a_connection(error) and java_has_ended(patience=0.5):
            raise _at_line_of(error, JAVA_ENDED) from None
        case OSError() if error.errno == ENOSPC:  # The driver's part of what Spark is given.
            raise _at_line_of(error, _of_full_disk()) from error
        case ValueError():
            # NumPy's words where an array of the driver is made; tiles are counted before.
            message = _WRONG_SIZES.get(str(error))
            if message is not None:
                raise _at_line_of(error, message) from error
        case ArithmeticError() | RecursionError():  # What a program's data can cause.
            raise _at_line_of(error, f"{type(error).__name__}: {error}") from error
        case Exception() if is_of_spark(error):
            # The trace of the gateway and of the JVM would hide the one line that matters.
            message, line = without_place(summary(error))
            if _INPUT_ERROR.match(_python_error(error) or ""):  # Workers read inputs as well.
                raise InputError(message) from None
            if _NO_CHECKPOINT in message:
                message = LOST_CHECKPOINT
            is_lost = LOST in message or message == LOST_CHECKPOINT
            if _DISK_FULL in message:
                message = _of_full_disk()
            failed = (LostBlock if is_lost else RunError)(message)
            failed.line = line or line_of(error)
            raise failed from None
        case _:
            pass


def is_of_a_connection(error: Exception) -> bool:
    """Return whether an error can mean that what is at the other end has gone."""
    return isinstance(error, OSError | EOFError) or is_of_spark(error)


def is_of_spark(error: Exception) -> bool:
    """Return whether an error is one of PySpark's or Py4J's."""
    return type(error).__module__.split(".")[0] in ("py4j", "pyspark")


def java_has_ended(patience: float = 0.0) -> bool:
    """Return whether the Java process that this one has started for Spark is no longer there.

    It may have so many seconds to end.

    >>> java_has_ended()  # Spark has not started.
    False
    """
    pyspark = sys.modules.get("pyspark")
    gateway = None if pyspark is None else pyspark.SparkContext._gateway
    process = getattr(gateway, "proc", None)
    if process is None:
        return False
    with suppress(TimeoutExpired):
        process.wait(patience)
    return process.poll() is not None


def is_of_lost_java(error: Exception) -> bool:
    """Return whether an error of a start of Spark says that its Java process has gone."""
    if getattr(error, "getErrorClass", lambda: None)() == "JAVA_GATEWAY_EXITED":
        return True
    return isinstance(error, OSError | EOFError) or type(error).__name__ == "Py4JNetworkError"


def check_there(context: Any, what: str, name: str) -> None:
    """Raise an `InputError` if the SparkContext of an input was stopped."""
    if context._jsc is None:
        raise InputError(f"{name}: the Spark of this {what} was stopped")


def _of_full_disk() -> str:
    """Return the message for where a disk of Spark's has no room."""
    pyspark = sys.modules.get("pyspark")
    context = None if pyspark is None else pyspark.SparkContext._active_spark_context
    named = None if context is None else context.getConf().get("spark.local.dir")
    folders = os.environ.get("SPARK_LOCAL_DIRS") or named or gettempdir()
    return (
        f"the disk is full: Spark writes what it shuffles and keeps to {folders} on each machine;"
        " `spark.local.dir` names a folder with more room"
    )


def _at_line_of(error: Exception, message: str) -> RunError:
    located = RunError(message)
    located.line = line_of(error)
    return located


def summary(error: BaseException) -> str:
    """The line that says what failed in a PySpark or Py4J exception."""
    message = _python_error(error)
    if message is not None:
        return _OWN_ERROR.sub("", message)
    text = _text(error)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    # Causes are chained as `Class: message: Class: message …`; the last one is the root.
    root = _EXCEPTION_CLASS.split(first)[-1].split(" Consider setting ")[0]
    root = _SQL_STATE.sub("", root)
    if where := _expression(text):
        root = f"{root.rstrip('.')}, {where}"
    return f"Spark: {_EXPLAINED.get(root, root) or type(error).__name__}"


def _expression(text: str) -> str:
    """The expression of a data frame that Spark says to have failed, or nothing.

    >>> _expression("malformed\\n== SQL (line 1, position 1) ==\\ncast(s as double)\\n^^^^\\n")
    'in: cast(s as double)'
    """
    if (found := _EXPRESSION.search(text)) is not None:
        return f"in: {' '.join(found[1].split())}"
    if (found := _CALLED.search(text)) is not None:
        return f"in: {found[1]}, called from {found[2].strip()}"
    return ""


def _text(error: BaseException) -> str:
    java = getattr(error, "java_exception", None)
    return str(java.toString()) if java is not None else str(error)


def _python_error(error: BaseException) -> str | None:
    """The exception of a worker that one of PySpark's or Py4J's tells of, if it does."""
    return python_failure(_text(error)) or python_failure(str(error))


def python_failure(text: str) -> str | None:
    """The exception of the last Python traceback in `text`, without the traceback."""
    _, found, rest = text.rpartition(_TRACEBACK)
    if not found:
        return None
    message: list[str] = []
    for line in rest.splitlines()[1:]:
        if not message and (line.startswith(" ") or not line.strip()):
            continue  # the frames
        if not line.strip() or line.startswith("\tat "):
            break
        message.append(line.strip())
    return _SQL_STATE.sub("", " ".join(message)) or None
