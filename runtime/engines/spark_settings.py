"""Settings of Spark that a user gives, as `spark-submit` takes them.

    give_settings({"spark.executor.memory": "2g"})    # before a context is there
    given_settings()["spark.executor.memory"]         # "2g"

PySpark reads them of the variable PYSPARK_SUBMIT_ARGS when it starts the JVM, which reads others in
`spark-defaults.conf`.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from diablo.diagnostics import InputError

_VARIABLE = "PYSPARK_SUBMIT_ARGS"
_OPTIONS = {
    "--driver-memory": "spark.driver.memory",
    "--driver-java-options": "spark.driver.extraJavaOptions",
    "--master": "spark.master",
    "--name": "spark.app.name",
}
"""The setting that an option of `spark-submit` gives."""


def give_settings(settings: Mapping[str, str]) -> None:
    """Have the JVM that is started later take settings.

    Raises
    ------
    InputError
        One is no setting of Spark's, or Spark runs already.
    """
    for key in settings:
        if not key.startswith("spark."):
            raise InputError(f"--conf {key}: a setting of Spark begins with 'spark.'")
    pyspark = sys.modules.get("pyspark")
    if settings and pyspark is not None and pyspark.SparkContext._active_spark_context is not None:
        raise InputError("--conf: Spark runs already, with other settings")
    words = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    if words:
        given = os.environ.get(_VARIABLE, "pyspark-shell")
        os.environ[_VARIABLE] = f"{shlex.join(words)} {given}"


def given_settings() -> dict[str, str]:
    """Return the settings that the user has given to Spark, of which none of ours is a default.

    They are in the environment's `PYSPARK_SUBMIT_ARGS`, as options of `spark-submit`, and in
    `spark-defaults.conf`, or the file that `--properties-file` names.
    """
    words = shlex.split(os.environ.get(_VARIABLE, ""))
    options: dict[str, str] = {}
    settings: dict[str, str] = {}
    for word, value in pairwise([*words, ""]):
        name, equals, rest = word.partition("=")
        argument = rest if equals else value
        if name in ("--conf", "-c"):
            key, _, setting = argument.partition("=")
            settings[key] = setting
        elif name in _OPTIONS:
            settings[_OPTIONS[name]] = argument
        elif name.startswith("--"):
            options[name] = argument
    # The package is looked for, and not imported: most programs that ask run without Spark.
    package = find_spec("pyspark")
    if package is None or package.origin is None:
        return settings
    home = os.environ.get("SPARK_HOME") or Path(package.origin).parent
    folder = os.environ.get("SPARK_CONF_DIR") or Path(home) / "conf"
    file = options.get("--properties-file") or Path(folder) / "spark-defaults.conf"
    return {**_properties(Path(file)), **settings}


def _properties(path: Path) -> dict[str, str]:
    """Return what a file of properties says, if there is one: a name, and a value behind it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    said = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    pairs = [re.split(r"[\s=:]+", line, maxsplit=1) for line in said]
    return {name: (value[0] if value else "") for name, *value in pairs}
