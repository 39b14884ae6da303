"""Which values are needed where: in loops, in branches, in bodies."""

from __future__ import annotations

from xdsl.dialects import func, scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser

from diablo.passes.analyses.plans.liveness import Liveness
from diablo.registry import new_context

LOOP = """
func.func @main(%a: f64, %b: f64, %n: i64) -> f64 {
  %one = arith.constant 1 : i64
  %r, %m = scf.while (%c = %a, %k = %one) : (f64, i64) -> (f64, i64) {
    %more = arith.cmpi slt, %k, %n : i64
    scf.condition(%more) %c, %k : f64, i64
  } do {
  ^bb0(%d: f64, %l: i64):
    %e = arith.addf %d, %b : f64
    %f = arith.mulf %e, %e : f64
    %next = arith.addi %l, %one : i64
    scf.yield %f, %next : f64, i64
  }
  %s = arith.addf %r, %r : f64
  func.return %s : f64
}
"""
BRANCHES = """
func.func @main(%c: i1, %a: f64, %b: f64) -> f64 {
  %x = arith.addf %a, %a : f64
  %y = arith.addf %b, %b : f64
  %r = scf.if %c -> (f64) {
    %z = arith.mulf %x, %a : f64
    scf.yield %z : f64
  } else {
    scf.yield %y : f64
  }
  %s = arith.addf %r, %b : f64
  func.return %s : f64
}
"""
BODY = """
func.func @main(%n: index, %v: tensor<?xf64>, %b: f64) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n) ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %y = arith.mulf %e, %b : f64
    %z = arith.addf %y, %y : f64
    tensor_block.yield %z : f64
  }
  func.return %r : tensor<?xf64>
}
"""


class Names:
    """The live values of a function, by name."""

    def __init__(self, text: str) -> None:
        self.module = Parser(new_context(), text).parse_module()
        self.liveness = Liveness()

    def after(self, value: str) -> str:
        """The names of what is needed after the op that gives `value`."""
        return _names(self.liveness.after(self._op(value)))

    def end_of(self, kind: type[Operation]) -> str:
        """Those after the op of a kind."""
        return _names(self.liveness.after(next(o for o in self.module.walk() if type(o) is kind)))

    def at_start(self, value: str) -> str:
        """Those where the block begins in which `value` is computed."""
        block = self._op(value).parent
        assert isinstance(block, Block)
        return _names(self.liveness.at_start(block))

    def _op(self, value: str) -> Operation:
        return next(o for o in self.module.walk() if value in [r.name_hint for r in o.results])


def _names(values: object) -> str:
    assert isinstance(values, frozenset)
    found: list[str] = []
    for value in values:  # pyright: ignore[reportUnknownVariableType]
        assert isinstance(value, SSAValue)
        found.append(value.name_hint or "?")
    return " ".join(sorted(found))


def test_a_loop_keeps_what_its_next_iteration_reads() -> None:
    at = Names(LOOP)
    assert at.after("one") == "a b n one"
    assert at.at_start("more") == "b c k n one"
    assert at.at_start("e") == "b d l n one"
    # What is carried is used up, what is around the loop is not.
    assert at.after("e") == "b e l n one"
    assert at.after("f") == "b f l n one"
    assert at.end_of(scf.YieldOp) == "b c k n one"
    assert at.end_of(scf.ConditionOp) == "b d l n one r"
    assert at.after("r") == "r"
    assert at.end_of(func.ReturnOp) == ""


def test_what_one_branch_reads_is_dead_in_the_other() -> None:
    at = Names(BRANCHES)
    assert at.after("y") == "a b c x y"
    assert at.at_start("z") == "a b x"
    assert at.after("z") == "b z"
    assert at.end_of(scf.YieldOp) == "b r"
    branch = next(o for o in at.module.walk() if isinstance(o, scf.IfOp))
    assert _names(at.liveness.at_start(branch.false_region.block)) == "b y"
    assert at.after("r") == "b r"


def test_a_body_runs_again_with_all_that_its_op_reads() -> None:
    at = Names(BODY)
    assert at.at_start("y") == "b e n v"
    assert at.after("y") == "b n v y"
    assert at.after("r") == "r"


def test_what_stands_in_no_block_ends_with_itself() -> None:
    at = Names(BODY)
    op = next(o for o in at.module.walk() if o.name == "tensor_block.map").clone()
    assert at.liveness.after(op) == frozenset()
    first = op.regions[0].block.first_op
    assert first is not None
    assert _names(at.liveness.after(first)) == "b n v y"
