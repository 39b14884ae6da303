"""Files of programs that failed: the program, its inputs, and what went wrong.

// wrong: [0] 1.0 instead of 2.0 (block size 3)
// way = {'without': 'fuse-elementwise', 'block_sizes': (3,)}
// input n = 3
input n: Int;
...
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import scipy.sparse as sparse

from fuzzing.trial import Way


def write_report(
    path: Path, text: str, inputs: Mapping[str, Any], notes: list[str], way: Way | None
) -> None:
    """Write a program that failed."""
    lines = [f"// {line}" for note in notes for line in note.splitlines()]
    if way is not None:
        lines.append(f"// way = {_way_literal(way)!r}")
    lines += [f"// input {name} = {_literal(value)!r}" for name, value in inputs.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n" + text, encoding="utf-8")


def read_report(path: Path) -> tuple[str, dict[str, Any], Way | None]:
    """The program of a report, its inputs, and the way that failed."""
    inputs: dict[str, Any] = {}
    way: Way | None = None
    rest: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("// input "):
            name, _, literal = line.removeprefix("// input ").partition(" = ")
            inputs[name] = _value(ast.literal_eval(literal))
        elif line.startswith("// way = "):
            way = Way(**ast.literal_eval(line.removeprefix("// way = ")))
        elif not line.startswith("// "):
            rest.append(line)
    return "\n".join(rest) + "\n", inputs, way


def _way_literal(way: Way) -> dict[str, Any]:
    """Return what is not as in other ways; a single block size and number of threads always."""
    one = way if way.block_sizes else replace(way, block_sizes=(None,))
    values = {field.name: getattr(one, field.name) for field in fields(Way)}
    usual = {**vars(Way()), "block_sizes": None}
    return {name: value for name, value in values.items() if value != usual[name]}


def _literal(value: Any) -> Any:
    """An input as something that Python reads back."""
    if hasattr(value, "tocoo"):
        return {"sparse": value.toarray().tolist(), "dtype": str(value.dtype)}
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        return {"array": array.tolist(), "shape": array.shape, "dtype": str(array.dtype)}
    return value


def _value(literal: Any) -> Any:
    if isinstance(literal, dict):
        given = cast("dict[str, Any]", literal)
        if "sparse" in given:
            return sparse.csr_array(np.array(given["sparse"], dtype=given["dtype"]))
        if "array" in given:
            return np.array(given["array"], dtype=given["dtype"]).reshape(given["shape"])
    return cast("Any", literal)
