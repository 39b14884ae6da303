"""Settings of Spark that a user gives, as `spark-submit` takes them.

    give_settings({"spark.executor.memory": "2g"})    # before a context is there

PySpark reads them of the variable PYSPARK_SUBMIT_ARGS when it starts the JVM.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping

from diablo.diagnostics import InputError

_VARIABLE = "PYSPARK_SUBMIT_ARGS"


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
