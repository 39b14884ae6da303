"""Which arrays lie in the memory of a GPU, where NumPy does not see them."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_on_device(value: Any) -> bool:
    """Return whether something is an array in the memory of a GPU, or of what stands in for one."""
    return not isinstance(value, np.ndarray) and hasattr(value, "__cuda_array_interface__")
