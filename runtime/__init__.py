"""What runs: blocks, engines, kernels, input and output."""

from diablo.runtime.collection import freeze_survivors, is_spark_worker

if is_spark_worker():  # Whatever a task unpickles of this package comes by here first.
    freeze_survivors()
