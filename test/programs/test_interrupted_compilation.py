"""Who is interrupted while a program is compiled may compile and run it again."""

import inspect
import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import diablo
from diablo.lowering.llvm import kernel_to_llvm

LOOP = """
    input n: Int; input V: vector[Double]; var W = V; var k = 0;
    while (k < n) { W[k+1] = W[k]*0.5 + 1.0; k += 1; };
    (+/[ w | (i,w) <- W ], k)"""
PRODUCT = """
    input A: matrix[Double]; input B: matrix[Double];
    tensor*(5,5)[ ((i,j),+/v) | ((i,k),a) <- A, ((l,j),b) <- B, k == l, let v = a*b*1.0,
                  group by (i,j) ]"""
GROUPS = "input L: list[(Int,Double)]; [ (k,+/v) | (k,v) <- L, v > 1.0, group by k ]"
PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "a loop in order": (LOOP, {"n": 5, "V": np.arange(7.0)}),
    "a sparse result": (PRODUCT, {"A": np.arange(25.0).reshape(5, 5), "B": np.eye(5)}),
    "groups of rows": (GROUPS, {"L": [(i % 3, float(i)) for i in range(20)]}),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs_after_its_compilation_was_interrupted(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    text, inputs = PROGRAMS[name]
    wanted = repr(diablo.compile(text)(**inputs))

    def anew(number: int) -> str:
        return f"{text}  // {number}\n"  # Text that nobody has compiled yet.

    calls = profiled(lambda: diablo.compile(anew(0))(**inputs), None)
    places = random.Random(1)
    for number in range(1, 11):
        found: list[Any] = []

        def start(number: int = number, found: list[Any] = found) -> None:
            found.append(diablo.compile(anew(number)))
            found[0](**inputs)

        with pytest.raises(KeyboardInterrupt):
            profiled(start, places.randrange(calls * 9 // 10))
        program = found[0] if found else diablo.compile(anew(number))
        assert repr(program(**inputs)) == wanted


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_machine_code_is_written_after_an_interruption(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_CACHE", "off")
    text, inputs = PROGRAMS[name]
    # The constant makes kernels that no other test has compiled.
    program, other = [diablo.compile(text.replace("1.0", "1.28125")) for _ in range(2)]

    def interrupted(module: ModuleOp) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(kernel_to_llvm, "llvm_text", interrupted)
        with pytest.raises(KeyboardInterrupt):
            program(**inputs)
    found = repr(program(**inputs))
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    assert found == repr(other(**inputs))


def profiled(act: Callable[[], object], last: int | None) -> int:
    """Return how many functions of the compiler `act` calls, of which the `last` is interrupted."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        code = frame.f_code
        # What is raised in a generator that is thrown away is lost.
        counts = event == "call" and not code.co_flags & inspect.CO_GENERATOR
        if counts and str(frame.f_globals.get("__name__")).startswith("diablo."):
            count += 1
            if count == last:
                raise KeyboardInterrupt

    sys.setprofile(called)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count
