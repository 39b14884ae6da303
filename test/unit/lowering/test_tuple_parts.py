"""Tuples in parts: what is left of a monoid's body, and what is refused."""

import re
from io import StringIO

import pytest
from kernel_oracle import parse_kernel
from xdsl.dialects import func
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Block
from xdsl.printer import Printer

from diablo.dialects.comprehension.comprehension_monoids import find_monoid
from diablo.dialects.tuple_types import tuple_type
from diablo.lowering.llvm.tuple_parts import TupleParts, combine_parts, identity_parts, part_types
from diablo.passes.analyses.refused import Refused

KERNEL = "func.func @k(%x: tuple<f64, i64>) { func.return }"
CHOICE = """
comprehension.monoid @least : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
"""
BRANCHES = """
comprehension.monoid @least : tuple<f64, i64> identity [0.0, 0] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %r, %n = scf.if %less -> (tuple<f64, i64>, i64) {
    scf.yield %x, %ky : tuple<f64, i64>, i64
  } else {
    %sum = arith.addf %dx, %dy : f64
    %new = comprehension.pack %sum, %kx : tuple<f64, i64>
    scf.yield %new, %kx : tuple<f64, i64>, i64
  }
  %dr, %kr = comprehension.unpack %r : tuple<f64, i64>
  %result = comprehension.pack %dr, %n : tuple<f64, i64>
  comprehension.yield %result
}
"""
NUMBERS = """
comprehension.monoid @least : f64 identity 1.5 {
^bb0(%x: f64, %y: f64):
  %sum = arith.addf %x, %y : f64
  comprehension.yield %sum
}
"""
STORED = """
comprehension.monoid @least : tuple<f64, i64> identity [0.0, 0] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %r = builtin.unrealized_conversion_cast %x : tuple<f64, i64> to tuple<f64, i64>
  comprehension.yield %r
}
"""


LOOP = """
comprehension.monoid @least : tuple<f64, i64> identity [0.0, 0] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %three step %one iter_args(%acc = %x) -> (tuple<f64, i64>) {
    %d, %k = comprehension.unpack %acc : tuple<f64, i64>
    %double = arith.addf %d, %d : f64
    %next = comprehension.pack %double, %k : tuple<f64, i64>
    scf.yield %next : tuple<f64, i64>
  }
  comprehension.yield %r
}
"""


def inlined(monoid: str, count: int = 2) -> str:
    """The ops of a monoid's identity and then its body, for the arguments of a block."""
    kernel = parse_kernel(KERNEL + monoid)
    definition = find_monoid("@least", kernel)
    assert definition is not None
    types = part_types(definition.element)
    assert len(types) == count
    block = Block(arg_types=[*types, *types])
    for argument, name in zip(block.args, "abcd", strict=False):
        argument.name_hint = name
    identity = identity_parts(definition, block)
    assert [part.type for part in identity] == types
    parts = combine_parts(definition, block.args[:count], block.args[count:], block)
    assert [part.type for part in parts] == types
    block.add_op(func.ReturnOp(*parts))
    text = StringIO()
    Printer(text).print_block(block)
    return re.sub(r"\s+", " ", text.getvalue().partition("):")[2]).strip()


def test_a_tuple_that_is_chosen_is_chosen_part_by_part():
    assert inlined(CHOICE) == (
        "%0 = arith.constant 0x7ff0000000000000 : f64 "
        "%1 = arith.constant -1 : i64 "
        "%less = arith.cmpf ole, %a, %c : f64 "
        "%least = arith.select %less, %a, %c : f64 "
        "%least_1 = arith.select %less, %b, %d : i64 "
        "func.return %least, %least_1 : f64, i64"
    )


def test_branches_give_parts():
    assert inlined(BRANCHES) == (
        "%0 = arith.constant 0.000000e+00 : f64 "
        "%1 = arith.constant 0 : i64 "
        "%less = arith.cmpf ole, %a, %c : f64 "
        "%r, %r_1, %n = scf.if %less -> (f64, i64, i64) { "
        "scf.yield %a, %b, %d : f64, i64, i64 "
        "} else { "
        "%sum = arith.addf %a, %c : f64 "
        "scf.yield %sum, %b, %b : f64, i64, i64 "
        "} "
        "func.return %r, %n : f64, i64"
    )


def test_loops_carry_parts():
    assert (
        "%r, %r_1 = scf.for %i = %zero to %three step %one "
        "iter_args(%acc = %a, %acc_1 = %b) -> (f64, i64) { "
        "%double = arith.addf %acc, %acc : f64 "
        "scf.yield %double, %acc_1 : f64, i64 "
        "} func.return %r, %r_1 : f64, i64"
    ) in inlined(LOOP)


def test_what_is_no_tuple_has_one_part():
    assert inlined(NUMBERS, 1) == (
        "%0 = arith.constant 1.500000e+00 : f64 %sum = arith.addf %a, %b : f64 "
        "func.return %sum : f64"
    )


def test_tuples_within_tuples_lie_flat():
    type = tuple_type([f64, tuple_type([i64, f64])])
    assert part_types(type) == [f64, i64, f64]
    assert part_types(i64) == [i64]


def test_what_keeps_a_tuple_whole_is_refused():
    with pytest.raises(Refused, match="conversion_cast computes with a tuple"):
        inlined(STORED)
    kernel = parse_kernel(
        "func.func @k(%x: tuple<f64, i64>) { "
        "%d, %k = comprehension.unpack %x : tuple<f64, i64> func.return }"
    )
    with pytest.raises(Refused, match="a tuple comes from outside"):
        TupleParts().copy(kernel.body.block.ops, Block())
