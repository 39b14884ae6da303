# What a failing pass becomes: diagnostics, and whose mistake it is.
from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects import test
from xdsl.dialects.arith import AddiOp
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern

from diablo.diagnostics import CompileError, Diagnostic
from diablo.pass_manager import PassFailure, PassManager


@dataclass(frozen=True)
class Refuse(ModulePass):
    name = "refuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise CompileError([Diagnostic("error", "not this")])


class RefuseInPattern(RewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter):
        raise CompileError([Diagnostic("error", "not this")])


@dataclass(frozen=True)
class RefuseByPattern(ModulePass):
    name = "refuse-by-pattern"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(RefuseInPattern()).rewrite_module(op)


@dataclass(frozen=True)
class Crash(ModulePass):
    name = "crash"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyError("x")


@dataclass(frozen=True)
class Keep(ModulePass):
    name = "keep"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


@dataclass(frozen=True)
class Break(ModulePass):
    """Leaves an op that uses its own result."""

    name = "break"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if isinstance(inner, AddiOp):
                inner.operands[0] = inner.result


def a_module() -> ModuleOp:
    value = test.TestOp(result_types=[i64])
    inside = AddiOp(value.res[0], value.res[0])
    return ModuleOp([ModuleOp([value, inside])])


@pytest.mark.parametrize("module_pass", [Refuse(), RefuseByPattern()])
def test_a_refusal_is_the_programs_fault(module_pass: ModulePass):
    with pytest.raises(PassFailure) as failure:
        PassManager([module_pass]).run(Context(), a_module())
    assert [d.message for d in failure.value.diagnostics] == ["not this"]
    assert not failure.value.internal


def test_a_crash_is_not():
    with pytest.raises(PassFailure) as failure:
        PassManager([Crash()]).run(Context(), a_module())
    assert failure.value.internal
    assert isinstance(failure.value.__cause__, KeyError)


def test_invalid_ir_is_found_after_the_pass():
    with pytest.raises(PassFailure) as failure:
        PassManager([Break()]).run(Context(), a_module())
    assert failure.value.internal
    assert "does not dominate" in failure.value.diagnostics[0].message
    assert "after pass 'break'" in failure.value.diagnostics[1].message


def test_verifying_once_finds_it_at_the_end():
    with pytest.raises(PassFailure) as failure:
        PassManager([Break(), Keep()], verify_each=False).run(Context(), a_module())
    assert failure.value.name == "keep"
    assert "after the passes" in failure.value.diagnostics[1].message


def test_watchers_and_times():
    seen: list[str] = []
    manager = PassManager(
        [Crash()],
        before=[lambda p, m: seen.append(f"before {p.name}")],
        after=[lambda p, m: seen.append(f"after {p.name}")],
    )
    with pytest.raises(PassFailure):
        manager.run(Context(), a_module())
    assert seen == ["before crash"]
    assert [name for name, _ in manager.seconds] == ["crash"]
