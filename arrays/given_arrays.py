"""Arrays of other libraries as NumPy's, without a copy where that can be.

array_of(x)    ->    NumPy's array of lists, Arrow's, CuPy's, SciPy's and pydata's sparse ones,
                     data frames, results of programs, blocks on Spark, and what speaks DLPack
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


def of_spark(value: Any) -> Any:
    """Return the array that an RDD of blocks makes up, as Spark has it; any other value itself.

    Raises
    ------
    InputError
        The blocks make up no array.
    """
    if type(value).__module__.partition(".")[0] != "pyspark":
        return value
    from diablo.residence import distribute

    return distribute(value)


def array_of(value: Any) -> NDArray[Any]:
    """Return the NumPy array of what is no lazy array; a `TypeError` if there is none."""
    given: Any = value
    is_numpy: bool = isinstance(value, np.ndarray | np.generic)
    package = type(value).__module__.partition(".")[0]
    if is_numpy:
        pass
    elif package == "pyarrow":
        given = _of_arrow(given)
    elif package == "pyspark":
        given = of_spark(given).to_numpy()
    elif hasattr(given, "__cuda_array_interface__"):
        given = _of_device(given)
    elif hasattr(given, "todense") and hasattr(given, "fill_value"):
        given = given.todense()  # Sparse arrays of pydata's.
    elif hasattr(given, "toarray"):
        given = given.toarray()  # SciPy's sparse arrays.
    elif hasattr(given, "to_numpy"):
        given = given.to_numpy()
    elif hasattr(given, "__dlpack__"):
        given = np.from_dlpack(given)
    elif isinstance(value, list | tuple):
        given = _without_arrays(cast("Sequence[Any]", value))
    if is_numpy and np.any(getattr(given, "mask", False)):
        raise TypeError("the array has masked elements, which stand for no number")
    array: Any = np.asarray(given)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"an array of numbers or truth values is wanted, not of {array.dtype}")
    return array


def _of_device(value: Any) -> Any:
    """Return an array that is on a GPU: CuPy's, PyTorch's, or one that DLPack brings here."""
    if hasattr(value, "get"):
        return value.get()
    if hasattr(value, "cpu"):
        return value.cpu().numpy()
    if not hasattr(value, "__dlpack__"):
        raise TypeError(f"{type(value).__name__} is on a GPU, and says not how it is brought here")
    return np.from_dlpack(value, device="cpu")


def _of_arrow(value: Any) -> Any:
    """Return Arrow's numbers where they lie; a `TypeError` if some are null."""
    if getattr(value, "null_count", 0):
        raise TypeError(f"the array has {value.null_count} nulls, which stand for no number")
    if hasattr(value, "to_numpy_ndarray"):
        return value.to_numpy_ndarray()  # Tensors of a fixed shape.
    if hasattr(value, "columns"):
        return np.column_stack([array_of(column) for column in value.columns])
    if hasattr(value, "num_chunks") or not hasattr(value, "to_numpy"):
        return np.asarray(value)
    try:
        return value.to_numpy()
    except ValueError:
        return value.to_numpy(zero_copy_only=False)  # Truth values are bits there.


def _without_arrays(value: Sequence[Any]) -> Any:
    if any(hasattr(v, "to_dense") for v in value):
        raise TypeError("a sparse array is made dense by `to_dense()`, and not in a list")
    return [
        v.to_numpy()
        if hasattr(v, "to_numpy")
        else _without_arrays(cast("Sequence[Any]", v))
        if isinstance(v, list | tuple)
        else v
        for v in value
    ]
