# What the analyses of indices say: linear forms, bounds, what a key determines.
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from diablo.dialects import comprehension
from diablo.dialects.functions.number_ranges import Interval
from diablo.passes.analyses.values.determined_values import DeterminedValues
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.intervals import facts_of, interval
from diablo.passes.analyses.values.linear_forms import (
    LinearForm,
    known_difference,
    linear_form,
    write_linear_form,
)
from diablo.registry import new_context

TEXT = """
func.func @main(%n: index, %A: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %s = comprehension.aggregate add : f64 {
    %i = comprehension.range %zero to %last
    %j, %k, %a = comprehension.each %A : tensor<?x?xf64>
    %two = arith.constant 2 : i64
    %w = arith.index_cast %i : index to i64
    %d = arith.muli %w, %two : i64
    %e = arith.addi %d, %two : i64
    %f = arith.subi %e, %w : i64
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %x = math.absf %a : f64
    %c = arith.constant 3.0 : f64
    %q = arith.cmpf ogt, %a, %c : f64
    comprehension.guard %q
    comprehension.yield %x
  }
  func.return %s : f64
}
"""


def parse() -> tuple[ModuleOp, dict[str, SSAValue]]:
    module = Parser(new_context(), TEXT).parse_module()
    values: dict[str, SSAValue] = {}
    for op in module.walk():
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            values[value.name_hint or ""] = value
    return module, values


def test_linear_forms_see_through_casts() -> None:
    _, v = parse()
    assert linear_form(v["e"]) == LinearForm({v["i"]: 2}, 2)
    assert linear_form(v["f"]) == LinearForm({v["i"]: 1}, 2)
    assert (linear_form(v["e"]) - linear_form(v["f"])) == LinearForm({v["i"]: 1})
    assert linear_form(v["a"]) == LinearForm({v["a"]: 1})


def test_emitted_forms_read_back() -> None:
    _, v = parse()
    form = LinearForm({v["j"]: 3, v["i"]: -1}, -4)
    ops: list[Operation] = []
    value = write_linear_form(form, ops.append)
    assert linear_form(value) == form
    assert isinstance(ops[-1], arith.SubiOp)


def test_sums_that_are_taken_away_begin_with_the_constant() -> None:
    _, v = parse()
    for form in (LinearForm({v["j"]: -1}, 3), LinearForm({v["j"]: -2}), LinearForm(constant=-4)):
        ops: list[Operation] = []
        value = write_linear_form(form, ops.append)
        assert linear_form(value) == form
        assert isinstance(ops[0], arith.ConstantOp)


def test_differences_of_sums_that_are_no_constants() -> None:
    _, v = parse()
    assert known_difference(v["n"], v["last"]) == 1
    assert known_difference(v["one"], v["zero"]) == 1
    assert known_difference(v["e"], v["f"]) is None


def test_bounds_of_ranges_and_arrays() -> None:
    _, v = parse()
    zero = LinearForm()
    assert is_at_least(linear_form(v["i"]), zero)
    assert is_at_least(linear_form(v["last"]), linear_form(v["i"]))
    assert is_at_least(linear_form(v["e"]), linear_form(v["i"]))
    assert not is_at_least(linear_form(v["i"]), LinearForm(constant=1))
    assert is_at_least(linear_form(v["j"]), zero)
    assert not is_at_least(linear_form(v["last"]), linear_form(v["j"]))


def test_what_a_key_determines() -> None:
    _, v = parse()
    root = v["s"].owner
    assert isinstance(root, comprehension.AggregateOp)
    ops = list(root.body.block.ops)
    by_both = DeterminedValues(ops, [v["f"], v["k"]])
    assert by_both.unique()
    assert by_both.has(v["x"])
    by_one = DeterminedValues(ops, [v["i"]])
    assert by_one.has(v["j"])
    assert not by_one.has(v["a"])
    assert not by_one.unique()


def test_intervals_with_what_guards_say() -> None:
    _, v = parse()
    facts = facts_of([v["q"]])
    assert interval(v["x"], {}) == Interval(low=0)
    assert interval(v["a"], facts).low > 3
    assert interval(v["x"], facts).low > 3
