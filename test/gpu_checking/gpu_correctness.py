"""Programs on the device against the processor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from diablo.api import Program
from diablo.diagnostics import Diagnostic
from diablo.runtime.device.device import Device
from diablo.runtime.results.result_types import DistributedArray, Map, Rows
from gpu_checking.gpu_programs import (
    example_programs,
    kinds,
    large_programs,
    row_programs,
    tiled_programs,
)
from gpu_checking.random_inputs import Inputs

_REFUSED = " does not run on a GPU: "
_TOLERANCE = 1e-9
_SINGLE = 1e-4
_SINGLE_TYPES = re.compile(r"\b(Float|Complex64)\b")


@dataclass(frozen=True)
class Checked:
    """What came of one program: nothing wrong, or what is; and what was left to the processor."""

    name: str
    failure: str = ""
    launches: int = 0
    left: list[str] = field(default_factory=list[str])


def checks(device: Device, only: Sequence[str] = (), scale: float = 1.0) -> Iterator[Checked]:
    """Check every kind of kernel, then the examples, where these are at hand, and large arrays."""
    for name, text, inputs in (*kinds(), *example_programs(), *large_programs(scale)):
        if not only or any(part in name for part in only):
            yield _check(device, name, text, inputs)
    for name, text, inputs in row_programs():
        if "bins of" in name or name == "groups":
            name = f"{name}, added as threads come"
            if not only or any(part in name for part in only):
                yield _check(device, name, text, inputs, fast_atomics=True)
    for name, text, inputs in tiled_programs():
        if not only or any(part in name for part in only):
            # Two contexts of one GPU, whose tiles go from one to the other as between two GPUs.
            yield _check(device, name, text, inputs, on="gpu:0,0", block_size=16)


def _check(
    device: Device,
    name: str,
    text: str,
    cases: Sequence[Inputs],
    *,
    on: str = "gpu",
    block_size: int | None = None,
    fast_atomics: bool = False,
) -> Checked:
    said: list[Diagnostic] = []
    before = device.traffic.launches
    try:
        options = {"device": on, "block_size": block_size, "fast_atomics": fast_atomics}
        there = Program(text, listener=said.append, **cast(Any, options))
        here = Program(text, listener=lambda _: None)
        tolerance = _SINGLE if _SINGLE_TYPES.search(text) else _TOLERANCE
        for inputs in cases:
            found = _plain(there(**inputs))
            _compare(found, _plain(here(**inputs)), tolerance)
            if not fast_atomics:
                _compare_again(_plain(there(**inputs)), found)
    except AssertionError as error:
        return Checked(name, " ".join(str(error).split()))
    except Exception as error:
        # Whatever a driver raises is a line of the report, and the next program is run.
        return Checked(name, f"{type(error).__name__}: {' '.join(str(error).split())}")
    reasons = [d.message.partition(_REFUSED)[2] for d in said if _REFUSED in d.message]
    left = list(dict.fromkeys(reasons))
    return Checked(name, "", device.traffic.launches - before, left)


def _compare_again(found: Any, before: Any) -> None:
    """Compare the result of a second run, whose bits are to be the same."""
    try:
        _compare(found, before, 0)
    except AssertionError as error:
        raise AssertionError(f"a second run has other bits: {error}") from error


def _plain(value: Any) -> Any:
    """A result as NumPy arrays, numbers, sorted lists and dictionaries."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, Map):
        return {key: _plain(item) for key, item in value.to_dict().items()}
    if isinstance(value, list | Rows):
        return sorted(map(_plain, value), key=_order)  # pyright: ignore[reportUnknownArgumentType]
    return value.to_numpy() if isinstance(value, DistributedArray) else value


def _order(row: Any) -> Any:
    """What rows are sorted by; complex numbers have no order of their own."""
    if isinstance(row, list):
        return [_order(part) for part in row]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(row, complex | np.complexfloating):
        number = complex(cast(Any, row))
        return number.real, number.imag
    return row


def _compare(found: Any, expected: Any, tolerance: float) -> None:
    """Compare two results; sums may be added up in another order."""
    if getattr(expected, "dtype", None) == np.int8:
        assert np.array_equal(found, expected), "other elements"  # In little memory.
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys(), "other keys"
        for key, value in expected.items():  # pyright: ignore[reportUnknownVariableType]
            _compare(found[key], value, tolerance)
    elif isinstance(expected, list):
        assert len(found) == len(expected), "another length"  # pyright: ignore
        for part, wanted in zip(found, expected, strict=True):  # pyright: ignore
            _compare(part, wanted, tolerance)
    elif isinstance(expected, str | bool):
        assert found == expected, f"{found} where {expected} is right"
    else:
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
