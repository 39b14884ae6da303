"""Records of RDDs as bytes, whose long arrays lie in files while a program runs.

SparkContext(serializer=BlockSerializer())

A function that is sent to the workers takes the folder of the running call along, into which they
write what Spark keeps, shuffles and sends to the driver. If somebody counts what is shuffled, the
bytes that Spark has the names of alone are added up as well.
"""

from __future__ import annotations

import sys
from typing import Any

from pyspark.serializers import CPickleSerializer

from diablo.runtime.engines.block_store import Folder, counted
from diablo.runtime.engines.keeping import current_folder
from diablo.runtime.engines.spark_statistics import shuffled_by_name

_WRITERS = ("add_shuffle_key", "write_for_shuffle")
"""The functions that write records for a shuffle: PySpark's own, and that of `partitioning`."""


class BlockSerializer(CPickleSerializer):
    """Pickles that name files, which any serializer of pickles reads."""

    in_files = True
    folder: Folder | None = None
    """Where a worker writes; on the driver it is the call that runs which has a folder."""
    shuffled: Any = None
    """The accumulator of the bytes of arrays that a worker shuffles by name."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _for_worker, (self.folder or current_folder(), self.shuffled or shuffled_by_name())

    def dumps(self, obj: Any) -> bytes:
        """The bytes of records."""
        data, _, in_files = counted(obj, self.folder or current_folder())
        if in_files and self.shuffled is not None and _writes_for_shuffle():
            self.shuffled.add(in_files)
        return data


def _writes_for_shuffle() -> bool:
    """Return whether the caller of `dumps` writes for a shuffle."""
    caller = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    return caller.f_code.co_name in _WRITERS


def _for_worker(folder: Folder | None, shuffled: Any = None) -> BlockSerializer:
    made = BlockSerializer()
    made.folder, made.shuffled = folder, shuffled
    return made
