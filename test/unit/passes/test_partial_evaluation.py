"""What is known of the results of ops, from what is known of their operands."""

from xdsl.dialects import arith, scf, test
from xdsl.dialects.builtin import IntegerType, i1, i64
from xdsl.ir import Block, Region, SSAValue

from diablo.passes.analyses.values.partial_evaluation import Known, Same, evaluate_op, fact_of


def unknown(type: IntegerType = i64) -> SSAValue:
    return test.TestOp(result_types=[type]).results[0]


def test_the_results_of_the_branch_that_is_taken() -> None:
    condition, one, other = unknown(i1), unknown(), unknown()
    sides = [Region(Block([scf.YieldOp(value)])) for value in (one, other)]
    branch = scf.IfOp(condition, [i64], sides[0], sides[1])
    for holds, taken in ((True, one), (False, other)):
        known: Known = {condition: holds}
        evaluate_op(branch, known, {})
        assert fact_of(branch.results[0], known) == Same(taken)
    known = {one: 3, other: 3}
    evaluate_op(branch, known, {})
    assert fact_of(branch.results[0], known) == 3
    known = {one: 3, other: 4}
    evaluate_op(branch, known, {})
    assert fact_of(branch.results[0], known) == Same(branch.results[0])


def test_a_branch_without_results_needs_no_other_side() -> None:
    condition, one = unknown(i1), unknown()
    branch = scf.IfOp(condition, [], Region(Block([arith.AddiOp(one, one), scf.YieldOp()])))
    known: Known = {condition: False, one: 1}
    evaluate_op(branch, known, {})
    assert known == {condition: False, one: 1}
