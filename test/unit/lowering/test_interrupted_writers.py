"""What writes text is as it was before where an op inside cannot be written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from diablo.lowering.held_variables import HeldVariables
from diablo.lowering.numpy.numpy_scope import Scope
from diablo.lowering.pyspark.pyspark_lines import Lines
from diablo.passes.analyses.plans.liveness import Liveness


def interrupt(context: AbstractContextManager[None]) -> None:
    with pytest.raises(NotImplementedError), context:
        raise NotImplementedError


@pytest.mark.parametrize(
    "inside", [lambda v: v.keeping(["x"]), lambda v: v.repeated()], ids=["keeping", "repeated"]
)
def test_variables_are_let_go_of(
    inside: Callable[[HeldVariables], AbstractContextManager[None]],
) -> None:
    variables = HeldVariables(Liveness())
    variables.assign("x")
    interrupt(inside(variables))
    assert variables.release([]) == "del x"


def test_a_kernel_goes_on_at_its_depth_and_points() -> None:
    scope = Scope()
    outer = scope.points
    interrupt(scope.indented("if True:"))
    interrupt(scope.evaluated_at(2, "shape"))
    scope.line("pass")
    assert scope.points is outer
    assert scope.lines[-1] == "    pass"


def test_a_program_goes_on_at_its_depth() -> None:
    lines = Lines()
    interrupt(lines.indented("if True:"))
    lines.add("pass")
    assert lines.lines[-1] == "    pass"
