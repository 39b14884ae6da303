"""What is found when only changed ops are verified is what is found when all are."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from random_modules import write_module
from xdsl.dialects.builtin import ModuleOp, StringAttr, f32, i64
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter

from diablo.pass_pipeline import load_passes
from diablo.registry import available_passes, new_context
from diablo.verification import IncrementalVerifier, verify_module


def swap_operand(module: ModuleOp, op: Operation, random: Random) -> None:
    values = [result for other in module.walk() for result in other.results]
    if op.operands and values:
        op.operands[random.randrange(len(op.operands))] = random.choice(values)


def retype(module: ModuleOp, op: Operation, random: Random) -> None:
    if op.results:
        PatternRewriter(op).replace_value_with_new_type(op.results[0], random.choice([i64, f32]))


def retype_argument(module: ModuleOp, op: Operation, random: Random) -> None:
    for region in op.regions:
        for argument in region.block.args:
            PatternRewriter(op).replace_value_with_new_type(argument, random.choice([i64, f32]))


def erase(module: ModuleOp, op: Operation, random: Random) -> None:
    if op.parent is not None:
        op.parent.erase_op(op, safe_erase=False)


def drop_property(module: ModuleOp, op: Operation, random: Random) -> None:
    if op.properties:
        del op.properties[random.choice(list(op.properties))]


def set_property(module: ModuleOp, op: Operation, random: Random) -> None:
    if op.properties:
        op.properties[random.choice(list(op.properties))] = StringAttr("x")


def move(module: ModuleOp, op: Operation, random: Random) -> None:
    block = op.parent
    if block is not None and block.first_op not in (None, op):
        first = block.first_op
        op.detach()
        assert first is not None
        block.insert_op_before(op, first)


def clone(module: ModuleOp, op: Operation, random: Random) -> None:
    if op.parent is not None and not isinstance(op, FuncOp):
        op.parent.insert_op_before(op.clone(), op)


CHANGES: tuple[Callable[[ModuleOp, Operation, Random], None], ...] = (
    swap_operand,
    retype,
    retype_argument,
    erase,
    drop_property,
    set_property,
    move,
    clone,
)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_wrong_if_it_is(change: Callable[[ModuleOp, Operation, Random], None]):
    context, random, found = new_context(), Random(change.__name__), set[bool]()
    for seed in range(8):
        module = Parser(context, write_module(seed)).parse_module()
        verifier = IncrementalVerifier()
        assert verifier.verify(module) is None
        for _ in range(12):
            ops = [op for op in module.walk() if op is not module]
            change(module, random.choice(ops), random)
            expected = verify_module(module)
            assert verifier.verify(module) == expected
            found.add(expected is None)
            if expected is not None:
                break
    assert False in found


def test_a_change_of_a_function_is_found_at_its_calls():
    text = """
    func.func private @f(i64) -> i64
    func.func @g(%x: i64) -> i64 {
      %y = func.call @f(%x) : (i64) -> i64
      func.return %y : i64
    }"""
    module = Parser(new_context(), text).parse_module()
    verifier = IncrementalVerifier()
    assert verifier.verify(module) is None
    callee = next(op for op in module.walk() if isinstance(op, FuncOp))
    callee.properties["function_type"] = FuncOp.external("h", [f32], [i64]).function_type
    wrong = verifier.verify(module)
    assert wrong is not None
    assert wrong == verify_module(module)
    assert CallOp.name in wrong.message


def test_what_did_not_change_is_not_looked_at(monkeypatch: pytest.MonkeyPatch):
    looked_at: list[Operation] = []
    verify = FuncOp.verify

    def note(op: FuncOp, verify_nested_ops: bool = True) -> None:
        looked_at.append(op)
        verify(op, verify_nested_ops)

    monkeypatch.setattr(FuncOp, "verify", note)
    context = new_context()
    module = Parser(context, write_module(3)).parse_module()
    verifier = IncrementalVerifier()
    (clean,) = load_passes(["canonicalize"], available_passes(), {})
    clean.apply(context, module)
    counts = list[int]()
    for _ in range(3):
        verifier.verify(module)
        clean.apply(context, module)
        counts.append(len(looked_at))
    assert counts == [1, 1, 1]
