"""Tests whether an index is in a region that use only what the region is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fuzzing.region_model import Definition, Region


def tested(region: str, index: Sequence[str]) -> str:
    """A test whether an index is in a region."""
    return f"{region}[{','.join(index)}]"


def combination(op: str, one: Region, other: Region) -> Definition:
    """The test of a set operation of two regions."""
    return lambda names: f"({tested(one.text, names)} {op}{tested(other.text, names)})"


def filtered(base: Region, predicate: str, parameters: Sequence[str]) -> Definition:
    """The test of a region by a predicate."""

    def definition(names: Sequence[str]) -> str:
        given = dict(zip(parameters, names, strict=True))
        holds = re.sub(r"\w+", lambda word: given.get(word[0], word[0]), predicate)
        return f"{tested(base.text, names)} && ({holds})"

    return definition


def moved(base: Region, amounts: Sequence[int]) -> Definition:
    """The test of a region that is moved."""
    return lambda names: tested(
        base.text, [f"{name}-({amount})" for name, amount in zip(names, amounts, strict=True)]
    )


def sliced(base: Region, parts: Sequence[str]) -> Definition:
    """The test of a slice that keeps all dimensions."""

    def definition(names: Sequence[str]) -> str:
        tests = [tested(base.text, names)]
        for name, part in zip(names, parts, strict=True):
            if part != "*":
                lower, upper = part.split(":")
                tests.append(f"{lower} <= {name} && {name} < {upper}")
        return " && ".join(tests)

    return definition
