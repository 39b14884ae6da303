"""Run passes over a module, verifying after each, and say which of them failed and why.

`diablo.compile` verifies after the last pass only, for half of a compilation would be
verification; with `DIABLO_VERIFY_EACH=1` in the environment, as for some random programs, after
each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from diablo.anchors import Step
from diablo.diagnostics import CompileError, Diagnostic
from diablo.rewrite_limit import rewrite_limit
from diablo.verification import IncrementalVerifier, verify_module

DEFAULT_REWRITE_LIMIT = 1_000_000


class PassFailure(Exception):
    """A pass has failed: `index` tells which, `diagnostics` why.

    `internal` is set where the pass is at fault and not the program: it raised what no pass
    should, or left invalid IR. The Python error, if any, is the `__cause__`.
    """

    def __init__(self, index: int, name: str, diagnostics: Sequence[Diagnostic], *, internal: bool):
        super().__init__("\n".join(d.render({}) for d in diagnostics))
        self.index = index
        self.name = name
        self.diagnostics = tuple(diagnostics)
        self.internal = internal


Watcher = Callable[[Step, ModuleOp], None]


@dataclass
class PassManager:
    """A list of passes and what happens around each."""

    passes: Sequence[Step]
    verify: bool = True
    verify_each: bool = True
    """Whether to verify after each pass or after the last one only."""
    max_rewrites: int = DEFAULT_REWRITE_LIMIT
    before: Sequence[Watcher] = ()
    after: Sequence[Watcher] = ()
    seconds: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    """How long each pass took, and each verification, in the order they ran."""
    _verifier: IncrementalVerifier = field(default_factory=IncrementalVerifier, init=False)

    def run(self, ctx: Context, module: ModuleOp) -> None:
        """Run the passes; the first that fails raises `PassFailure`."""
        for index, module_pass in enumerate(self.passes):
            for watch in self.before:
                watch(module_pass, module)
            self._run_pass(index, module_pass, ctx, module)
            for watch in self.after:
                watch(module_pass, module)

    def _run_pass(self, index: int, module_pass: Step, ctx: Context, module: ModuleOp) -> None:
        name = module_pass.name
        started = perf_counter()
        try:
            with rewrite_limit(self.max_rewrites):
                module_pass.apply(ctx, module)
        except Exception as raised:
            diagnostics, internal, cause = _explain(name, raised)
            raise PassFailure(index, name, diagnostics, internal=internal) from cause
        finally:
            self.seconds.append((name, perf_counter() - started))
        is_last = index == len(self.passes) - 1
        if not self.verify or not (self.verify_each or is_last):
            return
        started = perf_counter()
        # What a verifier sees of distant ops is not missed: the last time, all is looked at.
        wrong = verify_module(module) if is_last else self._verifier.verify(module)
        self.seconds.append(("(verify)", perf_counter() - started))
        if wrong is not None:
            after = f"pass '{name}'" if self.verify_each else "the passes"
            note = Diagnostic("note", f"the IR is invalid after {after}")
            raise PassFailure(index, name, [wrong, note], internal=True)


def _explain(name: str, raised: Exception) -> tuple[Sequence[Diagnostic], bool, Exception]:
    """The diagnostics for an exception from a pass, and whether the pass itself is at fault.

    xDSL prints the half-rewritten module before it passes an exception on, which may fail in
    turn; so the error is looked for in the whole chain.
    """
    error: BaseException | None = raised
    while error is not None:
        if isinstance(error, CompileError):
            return error.diagnostics, False, error
        if isinstance(error, DiagnosticException):
            return [Diagnostic("error", f"pass '{name}' failed: {error}")], False, error
        error = error.__context__
    message = f"pass '{name}' failed: {type(raised).__name__}: {raised}"
    return [Diagnostic("error", message)], True, raised
