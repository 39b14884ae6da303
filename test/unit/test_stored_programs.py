"""A program that any process has compiled is run by others without the compiler."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo
from diablo import api, compilations, openings
from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.checking.declarations import program_interface
from diablo.frontend.emission.bindings import ScalarBinding
from diablo.runtime import disk_cache
from diablo.stored_programs import CheckedProgram, found, keep
from diablo.variant import Variant

SCALED = "input V: vector[Double]; input c: Double; tensor*(V.length)[ (i,c*v) | (i,v) <- V ];"
POWERS = SCALED.replace("c*v", "c*v*pow(1.0,c)")
WARNED = """
input n: Int;
var V: vector[Double] = tensor*(n)[ (i,1.0) | i <- 0..n-1 ];
for i = 1, n-1 do V[i] = V[i-1] + 1.0;
V;
"""
# Kernels over dense arrays, over sparse ones, over rows, and with a monoid of the program's own.
KINDS = """
input n: Int;
monoid far(Double) = (0.0, (x,y) => if (abs(x) >= abs(y)) x else y);
var D = tensor*(n,n)[ ((i,j),1.0*i-2*j) | i <- 0..n-1, j <- 0..n-1 ];
var S = tensor*(n)(n)[ ((i,j),d) | ((i,j),d) <- D, (i*j) % 7 == 1 ];
var T = tensor*(n)(n)[ ((i,j),2.0*s) | ((i,j),s) <- S ];
var y = tensor*(n)[ (i,+/s) | ((i,j),s) <- T, group by i ];
var groups = [ (k,+/j) | ((i,j),s) <- T, let k = (i+j) % 5, group by k ];
(+/[ a | (i,a) <- y ], far/[ d | ((i,j),d) <- D ], groups);
"""

pytestmark = [
    pytest.mark.usefixtures("nothing_kept"),
    pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DIABLO_CACHE", str(tmp_path / "cache"))
    new_process()
    return tmp_path / "cache"


def new_process() -> None:
    """Forget what this process knows, as another one would."""
    compilations.forget()
    openings.forget()
    api._checked.cache_clear()  # pyright: ignore[reportPrivateUsage]


def run(code: str, **environment: str) -> Any:
    """Return what another process prints as JSON."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"import json, sys\n{code}"],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["auto", "always"])
def test_another_process_needs_no_compiler(mode: str):
    code = f"""
import diablo
from diablo.runtime.native import machine_code
compiled = []
once = machine_code.optimised
machine_code.optimised = lambda m, **how: (compiled.append(m.name), once(m, **how))[1]
total, far, groups = diablo.compile({KINDS!r})(n=20)
xdsl = [m for m in sys.modules if m.split(".")[0] == "xdsl"]
print(json.dumps([total, far, sorted(map(list, groups.to_list())), len(xdsl), len(compiled)]))
"""
    *first, loaded, compiled = run(code, DIABLO_COMPILE=mode)
    assert loaded
    *second, loaded, compiled_again = run(code, DIABLO_COMPILE=mode)
    assert first == second
    assert (loaded, compiled_again) == (0, 0)
    assert (compiled > 0) == (mode == "always")


def test_what_is_kept_is_not_lowered_again(lowered: list[str]):
    for _ in range(3):
        new_process()
        result = diablo.compile(SCALED)(V=np.ones(3), c=2.0)
        assert result.to_numpy().tolist() == [2.0, 2.0, 2.0]
    assert len(lowered) == 1


@pytest.mark.parametrize("option", ["text", "file", "layout", "fast_math", "outputs", "inputs"])
def test_other_options_are_other_entries(option: str, lowered: list[str]):
    one = Variant(SCALED, "a.diablo", {})
    assert one.main
    new_process()
    assert Variant(SCALED, "a.diablo", {}).main
    assert len(lowered) == 1
    new_process()
    other = Variant(
        SCALED + (" " if option == "text" else ""),
        "b.diablo" if option == "file" else "a.diablo",
        {"c": ScalarBinding(2.0)} if option == "inputs" else {},
        outputs=[] if option == "outputs" else None,
        layout="form = compressed" if option == "layout" else None,
        fast_math=option == "fast_math",
    )
    assert other.main
    assert len(lowered) == 2


def test_the_plans_that_are_compared_are_kept(lowered: list[str]):
    for times in (2, 2):
        new_process()
        for factor in (2.0, -0.0, -2.0):
            found = diablo.compile(POWERS)(V=np.ones(2), c=factor).to_numpy()
            assert found.tolist() == [factor, factor]
        assert len(lowered) == times


def test_warnings_are_said_again(lowered: list[str]):
    for _ in range(2):
        new_process()
        with pytest.warns(diablo.CompileWarning, match="an earlier iteration"):
            diablo.compile(WARNED)(n=3)
        new_process()
        with pytest.raises(diablo.CompileError, match="an earlier iteration"):
            diablo.compile(WARNED, strict=True)(n=3)
    assert len(lowered) == 1


def test_levels_are_there_all_the_same():
    texts: list[list[str]] = []
    for _ in range(2):
        new_process()
        program = diablo.compile(SCALED)
        program(V=np.ones(3), c=2.0)
        texts.append([program.ir("spark"), program.ir("pyspark"), program.explain()])
    assert texts[0] == texts[1]


def test_errors_know_their_lines():
    text = "input n: Int;\nvar V = tensor*(3)[ (i,i) | i <- 0..2 ];\nV[n];\n"
    for _ in range(2):
        new_process()
        program = diablo.compile(text)
        assert program(n=2) == 2
        with pytest.raises(diablo.RunError, match=r"<program>:3:1"):
            program(n=7)


def test_compile_errors_are_not_kept():
    for _ in range(2):
        new_process()
        with pytest.raises(diablo.CompileError, match="y"):
            diablo.compile("input n: Int; var x = y; x;")


@pytest.mark.parametrize("data", [b"", b"[", b'["CheckedProgram"]', b"7"])
def test_what_is_no_program_is_compiled_again(
    data: bytes, monkeypatch: pytest.MonkeyPatch, lowered: list[str]
):
    diablo.compile(SCALED)(V=np.ones(3), c=2.0)
    new_process()
    monkeypatch.setattr("diablo.stored_programs.stored", lambda *_: data)
    assert diablo.compile(SCALED)(V=np.ones(3), c=2.0).to_numpy().tolist() == [2.0] * 3
    assert len(lowered) == 2


def test_it_runs_without_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "file").write_text("")
    for folder in ("off", str(tmp_path / "file")):
        monkeypatch.setenv("DIABLO_CACHE", folder)
        new_process()
        assert diablo.compile("var s = 2; s + 1;")() == 3


def test_passes_that_are_verified_are_run(monkeypatch: pytest.MonkeyPatch, lowered: list[str]):
    monkeypatch.setenv("DIABLO_VERIFY_EACH", "1")
    for times in (1, 2):
        new_process()
        diablo.compile(SCALED)(V=np.ones(3), c=2.0)
        assert len(lowered) == times


INTERFACE = """
input a: Int = 4;
input b: Complex128 = 1.0;
input c: list[<x: Int, y: (Double,String)>];
input d: map[String,list[Int]];
input e: array3[Float];
input f: Double = 0.1;
var g = random();
var h = 3;
(a, g);
"""


def test_what_the_checker_finds_is_read_as_it_was():
    interface = program_interface(INTERFACE, "a.diablo")
    span = Span("a.diablo", 1, 2, 3)
    note = Diagnostic("note", "there \N{SNOWMAN}", span)
    checked = CheckedProgram(interface, [Diagnostic("warning", "here", span, "so", (note,))])
    keep("a", checked)
    assert found("a") == checked
    assert found("b") is None


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -0.0,
        float("inf"),
        2**70,
        "a\ud800",
        1j,
        (),
        [],
        (1, [2, ("3",)]),
        {"a": {1: ()}},
    ],
)
def test_values(value: Any):
    keep("value", (value,))
    (read,) = found("value")
    assert repr(read) == repr(value)


def test_one_program_is_of_one_version(monkeypatch: pytest.MonkeyPatch, lowered: list[str]):
    diablo.compile(SCALED)(V=np.ones(3), c=2.0)
    new_process()
    monkeypatch.setattr(disk_cache, "_version", lambda: "another")
    diablo.compile(SCALED)(V=np.ones(3), c=2.0)
    assert len(lowered) == 2
