"""Kernels are one if their IR is, whatever it is called and wherever it comes from."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

import diablo
from diablo.passes.analyses.plans.kernel_identity import kernel_identity
from diablo.registry import new_context
from diablo.runtime.native import machine_code

KERNEL = """
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c = arith.constant 0.0 : f64
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %p = arith.mulf %e, %e : f64
    %q = arith.subf %p, %c : f64
    %s = arith.addf %q, %e fastmath<none> : f64
    tensor_block.yield %s : f64
  }
  func.return %r : tensor<?xf64>
}
"""


FOLD = """
comprehension.monoid @far : f64 identity 0.0 {
^bb0(%a: f64, %b: f64):
  %x = math.absf %a : f64
  %y = math.absf %b : f64
  %more = arith.cmpf oge, %x, %y : f64
  %far = arith.select %more, %a, %b : f64
  comprehension.yield %far
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> f64 {
  %r = tensor_block.reduce @far reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %r : f64
}
"""


def identity(text: str) -> str:
    module = Parser(new_context(), text).parse_module()
    module.verify()
    return kernel_identity(next(op for op in module.walk() if isinstance(op, func.FuncOp)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@kernel_0", "@kernel_7"),
        ("%e", "%element"),
        ("%r", "%4"),
        ("%c = arith.constant 0.0 : f64", '%c = arith.constant {note = "here"} 0.0 : f64'),
        ("func.return %r : tensor<?xf64>", 'func.return %r : tensor<?xf64> loc("a":1:2)'),
    ],
)
def test_names_places_and_notes_count_for_nothing(old: str, new: str) -> None:
    changed = KERNEL.replace(old, new)
    assert changed != KERNEL
    assert identity(changed) == identity(KERNEL)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("constant 0.0", "constant 1.0"),
        # Floats are compared by their bits.
        ("constant 0.0", "constant -0.0"),
        ("f64", "f32"),
        ("subf %p, %c", "subf %c, %p"),
        ("mulf %e, %e", "addf %e, %e"),
        ("%x[d0]", "%x[d0 + 1]"),
        ("fastmath<none>", "fastmath<reassoc>"),
        ("%n: index, %x: tensor<?xf64>", "%x: tensor<?xf64>, %n: index"),
        # An argument that says where the part of a call begins is not one of the program.
        ("%n: index,", "%n: index {sparse_storage.split},"),
        (
            "tensor<?xf64>)",
            "tensor<?xf64> {sparse_storage.layout = #sparse_storage.layout<form = band>})",
        ),
    ],
)
def test_what_changes_the_code_is_told_apart(old: str, new: str) -> None:
    changed = KERNEL.replace(old, new, 1) if "layout" in new else KERNEL.replace(old, new)
    assert changed != KERNEL
    assert identity(changed) != identity(KERNEL)


PROGRAM = "input V: vector[Double]; tensor*(V.length)[ (i, v*v + {0}*v) | (i,v) <- V ];"


def entries() -> set[str]:
    """The functions that this process has compiled and somebody holds or has asked for lately."""
    return set(machine_code._living)  # pyright: ignore[reportPrivateUsage]


def test_compilations_share_the_machine_code_of_equal_kernels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    values = np.arange(5.0)

    def compiled_by(text: str, factor: float) -> int:
        before = entries()
        found = diablo.compile(text)(V=values).to_numpy()
        assert found.tolist() == (values * values + factor * values).tolist()
        return len(entries() - before)

    # Another name and another place: another compilation, with the same kernel.
    assert compiled_by(PROGRAM.format("0.8125"), 0.8125) == 1
    other = "\n// A comment.\n" + PROGRAM.format("0.8125").replace("(i, v*v", "(j, v*v")
    assert compiled_by(other.replace("(i,v)", "(j,v)"), 0.8125) == 0
    assert compiled_by(PROGRAM.format("0.40625"), 0.40625) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("oge", "ogt"),
        ("identity 0.0", "identity 1.0"),
        ("select %more, %a, %b", "select %more, %b, %a"),
    ],
)
def test_what_a_monoid_does_counts(old: str, new: str) -> None:
    changed = FOLD.replace(old, new)
    assert changed != FOLD
    assert identity(changed) != identity(FOLD)
    # The call combines what pieces give with the monoid of that name.
    assert identity(FOLD.replace("%far", "%kept")) == identity(FOLD)
