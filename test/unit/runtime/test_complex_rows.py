# Rows with complex numbers as machine code, on the processor and on a device.
from typing import Any

import numpy as np
import pytest
from device_programs import device, on_gpu
from test_complex_device_runs import TYPES, close, numbers, refusals

from diablo.api import Program
from diablo.diagnostics import Diagnostic
from diablo.runtime.device.stand_in import StandIn
from diablo.runtime.rows import compiled_rows

__all__ = ["device"]

L = "input L: list[(Int,T)]; "
FOLDS = {
    "sum": (
        L + "+/[ v*conj(v)+exp(v) | (k,v) <- L, k % 3 != 0 ];",
        lambda k, v: (v * v.conj() + np.exp(v))[k % 3 != 0].sum(),
    ),
    "product": (L + "*/[ v/abs(v) | (k,v) <- L ];", lambda k, v: (v / abs(v)).prod()),
    "pairs": (
        L + "+/[ v*w | (k,v) <- L, (l,w) <- L, k == l ];",
        lambda k, v: (np.outer(v, v) * (k[:, None] == k)).sum(),
    ),
    "scan": (
        "input x: vector[T]; tensor*(x.length)"
        "[ (i,+/[ w | (j,w) <- x, j <= i ]) | i <- 0..x.length-1 ];",
        lambda k, v: v.cumsum(),
    ),
}
GROUPS = {
    "sums": (
        L + "[ (k,+/w,count/w) | (k,v) <- L, let w = v*v, group by k ];",
        lambda v: ((v * v).sum(), len(v)),
    ),
    "products": (
        L + "[ (k,*/w) | (k,v) <- L, let w = v/abs(v), group by k ];",
        lambda v: ((v / abs(v)).prod(),),
    ),
    "far keys": (
        L + "[ (l,+/v) | (k,v) <- L, let l = k*1000000007, group by l ];",
        lambda v: (v.sum(),),
    ),
}
COLUMNS = {
    "filter": (
        L + "[ (k,v*2) | (k,v) <- L, abs(v) > 1 ];",
        lambda v: np.where(abs(v) > 1, 2 * v, 0),
    ),
    "number": (L + "input z: T; [ (k,v*z) | (k,v) <- L ];", lambda v: v * (2 - 1j)),
}
EXTENTS = (0, 1, 31, 33, 1025)


def rows(text: str, dtype: Any, n: int) -> dict[str, Any]:
    keys, values = np.arange(n) * 7 % 13, numbers(n, dtype)
    known = {"L": (keys, values), "x": values, "z": dtype(2 - 1j)}
    return {name: value for name, value in known.items() if f"input {name}:" in text}


def of_type(text: str, type: str) -> str:
    return (
        text.replace(",T)", f",{type})").replace("[T]", f"[{type}]").replace(": T;", f": {type};")
    )


def check_fold(run: Any, name: str, dtype: Any, n: int) -> None:
    text, expected = FOLDS[name]
    given = rows(text, dtype, n)
    keys, values = np.arange(n) * 7 % 13, numbers(n, dtype).astype(complex)
    close(np.asarray(run(**given)), expected(keys, values), dtype)


def check_groups(run: Any, name: str, dtype: Any, n: int) -> None:
    text, expected = GROUPS[name]
    found = {row[0]: row[1:] for row in run(**rows(text, dtype, n))}
    keys, values = np.arange(n) * 7 % 13, numbers(n, dtype).astype(complex)
    by = 1000000007 if "far" in name else 1
    assert sorted(found) == [k * by for k in np.unique(keys)]
    for key, folded in found.items():
        for one, other in zip(folded, expected(values[keys == key // by]), strict=True):
            close(one, other, dtype)


def check_columns(run: Any, name: str, dtype: Any, n: int) -> None:
    text, expected = COLUMNS[name]
    wanted = expected(numbers(n, dtype).astype(complex))
    found = list(run(**rows(text, dtype, n)))
    close([value for _, value in found], wanted[wanted != 0], dtype)


CASES = [
    *[(name, FOLDS, check_fold) for name in FOLDS],
    *[(name, GROUPS, check_groups) for name in GROUPS],
    *[(name, COLUMNS, check_columns) for name in COLUMNS],
]
NAMES = [name for name, *_ in CASES]


@pytest.mark.sampled(8)
@TYPES
@pytest.mark.parametrize(("name", "texts", "check"), CASES, ids=NAMES)
def test_a_device_does_as_numpy(
    device: StandIn, name: str, texts: Any, check: Any, type: str, dtype: Any
):
    said: list[Diagnostic] = []
    program = on_gpu(of_type(texts[name][0], type), said)
    for n in EXTENTS:
        check(program, name, dtype, n)
    assert not refusals(said)
    assert device.traffic.launches


@pytest.mark.sampled(4)
@TYPES
@pytest.mark.parametrize(("name", "texts", "check"), CASES, ids=NAMES)
def test_the_processor_does_as_numpy(
    monkeypatch: pytest.MonkeyPatch, name: str, texts: Any, check: Any, type: str, dtype: Any
):
    calls: list[Any] = []
    run = compiled_rows._run  # pyright: ignore[reportPrivateUsage]

    def noted(*arguments: Any) -> Any:
        calls.append(arguments)
        return run(*arguments)

    monkeypatch.setattr(compiled_rows, "_run", noted)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    program = Program(of_type(texts[name][0], type))
    for n in EXTENTS:
        check(program, name, dtype, n)
    assert calls
