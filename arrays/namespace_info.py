"""What the standard asks a namespace about itself."""

from __future__ import annotations

from typing import Any

from diablo.array import data_types
from diablo.array.data_types import check_device, isdtype

_NAMES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


class NamespaceInfo:
    """The types, devices and abilities of the namespace."""

    def capabilities(self) -> dict[str, Any]:
        """Return what the standard leaves open."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """Return the device of arrays that are made without one."""
        return "cpu"

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """Return the types of arrays that are made without one."""
        check_device(device)
        return {
            "real floating": data_types.float64,
            "complex floating": data_types.complex128,
            "integral": data_types.int64,
            "indexing": data_types.int64,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """Return the types of a kind, or of several."""
        check_device(device)
        found = {name: getattr(data_types, name) for name in _NAMES}
        return {n: t for n, t in found.items() if kind is None or isdtype(t, kind)}

    def devices(self) -> list[str]:
        """Return all devices."""
        return ["cpu"]


def __array_namespace_info__() -> NamespaceInfo:
    """Return what the namespace says of itself."""
    return NamespaceInfo()
