"""Which arrays lie in the memory of a GPU, where NumPy does not see them."""

from __future__ import annotations

from typing import Any

import numpy as np

CUDA = 2
"""What DLPack calls NVIDIA's GPUs."""


def is_on_device(value: Any) -> bool:
    """Return whether something is an array in the memory of a GPU, or of what stands in for one."""
    return not isinstance(value, np.ndarray) and hasattr(value, "__cuda_array_interface__")


def is_lent_by_device(value: Any) -> bool:
    """Return whether something is in the memory of a GPU as far as DLPack alone says."""
    place = getattr(value, "__dlpack_device__", None)
    return place is not None and not isinstance(value, np.ndarray) and int(place()[0]) == CUDA
