"""Records of RDDs as bytes, whose long arrays lie in files while a program runs.

SparkContext(serializer=BlockSerializer())

A function that is sent to the workers takes the folder of the running call along, into which they
write what Spark keeps, shuffles and sends to the driver.
"""

from __future__ import annotations

from typing import Any

from pyspark.serializers import CPickleSerializer

from diablo.runtime.engines.block_store import Folder, dumps
from diablo.runtime.engines.keeping import current_folder


class BlockSerializer(CPickleSerializer):
    """Pickles that name files, which any serializer of pickles reads."""

    in_files = True
    folder: Folder | None = None
    """Where a worker writes; on the driver it is the call that runs which has a folder."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _for_worker, (self.folder or current_folder(),)

    def dumps(self, obj: Any) -> bytes:
        """The bytes of records."""
        return dumps(obj, self.folder or current_folder())


def _for_worker(folder: Folder | None) -> BlockSerializer:
    made = BlockSerializer()
    made.folder = folder
    return made
