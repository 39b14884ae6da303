"""What the interpreter does with strings, tuples, maps, nested bags and monoids of a program's own.

Each test runs IR as text: the source level need not reach every op.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import TensorType, TupleType, f64, i64
from xdsl.ir import Attribute
from xdsl.parser import Parser

from diablo.diagnostics import InputError, RunError
from diablo.dialects.string_functions import STRING_FUNCTIONS
from diablo.passes.interpreter.interpreted_elements import hash_value
from diablo.passes.interpreter.interpreted_values import Array, to_value
from diablo.passes.interpreter.interpreter import interpret
from diablo.passes.interpreter.string_evaluation import EVALUATORS
from diablo.registry import new_context

ARGMIN = """
comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1 : i64] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
"""


def run(text: str, inputs: Mapping[str, Any] | None = None) -> list[Any]:
    """Run a module, or the body of a function without arguments that ends with a return."""
    module = Parser(new_context(), text).parse_module()
    module.verify()
    results = interpret(module, inputs)
    return [value.to_numpy().tolist() if isinstance(value, Array) else value for value in results]


def call(function: str, *arguments: Any) -> Any:
    return EVALUATORS[function](*arguments)


def test_every_function_of_strings_has_a_meaning() -> None:
    assert set(EVALUATORS) == set(STRING_FUNCTIONS)
    assert call("split", "a b  c", " ") == [("a",), ("b",), ("",), ("c",)]
    assert call("split", "abc", "") == [("a",), ("b",), ("c",)]
    assert call("split", "", " ") == [("",)]
    assert call("index_of", "banana", "an") == 1
    assert call("index_of", "banana", "x") == -1
    assert call("substring", "banana", 1, 3) == "an"
    assert call("to_int", " -12 ") == -12
    assert call("to_double", "1e3") == 1000.0
    assert [call("from_double", x) for x in (0.1, 1.0, 1e16, -np.inf)] == [
        "0.1",
        "1.0",
        "1e+16",
        "-inf",
    ]
    assert call("from_boolean", True) == "true"


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("char_at", "%s, %two : (!comprehension.string, i64) -> i24", "position 2 is outside"),
        (
            "substring",
            "%s, %two, %two : (!comprehension.string, i64, i64) -> !comprehension.string",
            "the positions 2 to 2 are outside a string of length 1",
        ),
        ("to_int", "%s : (!comprehension.string) -> i64", "'x' is no integer"),
        ("to_double", "%s : (!comprehension.string) -> f64", "'x' is no number"),
    ],
)
def test_what_strings_cannot_do_is_an_error(function: str, arguments: str, message: str) -> None:
    operands, types = arguments.split(" : ")
    with pytest.raises(RunError, match=message):
        run(
            f"""
            func.func @main() {{
              %s = comprehension.string "x"
              %two = arith.constant 2 : i64
              %r = comprehension.string_call "{function}"({operands}) : {types}
              func.return
            }}
            """
        )


def test_hashes() -> None:
    assert hash_value(-3) == -3
    assert hash_value(True) == 1
    assert hash_value(-0.0) == hash_value(0.0) == 0
    assert hash_value(1.0) == 0x3FF0000000000000
    assert hash_value("") == 0xCBF29CE484222325 - 2**64
    assert hash_value("a") == 0xAF63DC4C8601EC8C - 2**64


def test_maps_and_nested_comprehensions() -> None:
    sums, groups, hit, miss, lengths = run(
        """
        !map = !comprehension.bag<keys = 1, !comprehension.string, i64>
        func.func @main(%L: !comprehension.bag<!comprehension.string, i64> {diablo.name = "L"})
            -> (!map, !map, i64, i1, !comprehension.bag<!comprehension.string, i64, i64>) {
          %empty = comprehension.collect : !map {
            %false = arith.constant false
            comprehension.guard %false
            %s = comprehension.string ""
            %zero = arith.constant 0 : i64
            comprehension.yield (%s) %zero
          }
          %sums = comprehension.merge add %empty : !map {
            %k, %v = comprehension.each %L : !comprehension.bag<!comprehension.string, i64>
            comprehension.yield (%k) %v
          }
          %one = arith.constant 1 : i64
          %b = comprehension.string "b"
          %again = comprehension.merge %sums : !map {
            comprehension.yield (%b) %one
          }
          %hit, %is = comprehension.probe %again[%b] : !map
          %none = comprehension.string "none"
          %no, %miss = comprehension.probe %again[%none] : !map
          %lengths = comprehension.collect
              : !comprehension.bag<!comprehension.string, i64, i64> {
            %k, %v = comprehension.each %sums : !map
            %inner = comprehension.collect : !comprehension.bag<i64> {
              %kk, %w = comprehension.each %L : !comprehension.bag<!comprehension.string, i64>
              %same = comprehension.string_call "eq"(%k, %kk)
                  : (!comprehension.string, !comprehension.string) -> i1
              comprehension.guard %same
              comprehension.yield %w
            }
            %n = comprehension.length %inner : !comprehension.bag<i64>
            %most = comprehension.reduce max %inner : !comprehension.bag<i64>
            comprehension.yield (%k) %n, %most
          }
          func.return %sums, %again, %hit, %miss, %lengths
              : !map, !map, i64, i1, !comprehension.bag<!comprehension.string, i64, i64>
        }
        """,
        {"L": [("a", 1), ("b", 5), ("a", 2)]},
    )
    assert sums == [("a", 3), ("b", 5)]
    assert groups == [("a", 3), ("b", 1)]
    assert (hit, miss) == (1, False)
    assert lengths == [("a", 2, 2), ("b", 1, 5)]


def test_monoids_of_the_program_and_arrays_of_tuples() -> None:
    nearest, array = run(
        ARGMIN
        + """
        func.func @main(%L: !comprehension.bag<index, f64, i64> {diablo.name = "L"})
            -> (tuple<f64, i64>, tensor<?xtuple<f64, i64>>) {
          %three = arith.constant 3 : index
          %all = comprehension.aggregate @argmin : tuple<f64, i64> {
            %i, %d, %k = comprehension.each %L : !comprehension.bag<index, f64, i64>
            %t = comprehension.pack %d, %k : tuple<f64, i64>
            comprehension.yield %t
          }
          %array = comprehension.build (%three) : tensor<?xtuple<f64, i64>> {
            %i, %d, %k = comprehension.each %L : !comprehension.bag<index, f64, i64>
            %t = comprehension.pack %d, %k : tuple<f64, i64>
            %g, %ts = comprehension.group_by keys(%i) values(%t)
                : index, !comprehension.bag<tuple<f64, i64>>
            %least = comprehension.reduce @argmin %ts : !comprehension.bag<tuple<f64, i64>>
            comprehension.yield (%g) %least
          }
          func.return %all, %array : tuple<f64, i64>, tensor<?xtuple<f64, i64>>
        }
        """,
        {"L": [(0, 2.0, 7), (2, 1.0, 8), (0, 1.5, 9)]},
    )
    assert nearest == (1.0, 8)
    assert array == [(1.5, 9), (0.0, 0), (1.0, 8)]


def test_groups_of_several_columns_and_lists() -> None:
    (groups,) = run(
        """
        !pairs = !comprehension.bag<i64, i64>
        func.func @main() -> !comprehension.bag<i64, !pairs, !comprehension.bag<i64>> {
          %0 = arith.constant 0 : i64
          %1 = arith.constant 1 : i64
          %2 = arith.constant 2 : i64
          %L = comprehension.list (%0, %1), (%1, %2), (%0, %2) : !pairs
          %groups = comprehension.collect
              : !comprehension.bag<i64, !pairs, !comprehension.bag<i64>> {
            %k, %v = comprehension.each %L : !pairs
            %g, %ps, %vs = comprehension.group_by keys(%k) values(%v, %k, %v)
                : i64, !pairs, !comprehension.bag<i64>
            comprehension.yield (%g) %ps, %vs
          }
          func.return %groups : !comprehension.bag<i64, !pairs, !comprehension.bag<i64>>
        }
        """
    )
    assert groups == [(0, [(1, 0), (2, 0)], [(1,), (2,)]), (1, [(2, 1)], [(2,)])]


def test_row_ops_with_lists() -> None:
    numbered, joined, probed, updated, opened, kept = run(
        """
        !list = !comprehension.bag<f64>
        !rows = !comprehension.bag<index, f64>
        !map = !comprehension.bag<keys = 1, index, f64>
        func.func @main(%R: !rows {diablo.name = "R"}, %V: tensor<?xf64> {diablo.name = "V"})
            -> (!comprehension.bag<index, f64, i64>,
                !comprehension.bag<index, f64, index, !list, i64, f64>,
                !comprehension.bag<index, f64, f64, i1>, !map,
                !comprehension.bag<index, !list, f64>, !rows) {
          %numbered = tensor_block.number %R : !rows -> !comprehension.bag<index, f64, i64>
          %one = tensor_block.filter %R : !rows {
          ^bb0(%i: index, %v: f64):
            %c1 = arith.constant 1 : index
            %is = arith.cmpi eq, %i, %c1 : index
            tensor_block.yield %is : i1
          }
          %groups = tensor_block.group %one keys 1 : !rows -> !comprehension.bag<index, !list>
          %totals = tensor_block.extend %groups
              : !comprehension.bag<index, !list> -> !comprehension.bag<index, !list, i64, f64> {
          ^bb0(%i: index, %vs: !list):
            %n = comprehension.length %vs : !list
            %s = comprehension.reduce add %vs : !list
            tensor_block.yield %n, %s : i64, f64
          }
          %joined = tensor_block.join %R[0], %totals[0] outer [9 : index, unit, 0 : i64, 0.5]
              : !rows, !comprehension.bag<index, !list, i64, f64>
              -> !comprehension.bag<index, f64, index, !list, i64, f64>
          %probed = tensor_block.lookup %R[0] in %V probe : !rows, tensor<?xf64>
              -> !comprehension.bag<index, f64, f64, i1>
          %both = tensor_block.concat %one, %one : !rows, !rows -> !rows
          %any = tensor_block.group_reduce %R keys 1 monoids(any) : !rows
          %M = tensor_block.to_map %any : !rows -> !map
          %updated = tensor_block.update add %M with %both : !map, !rows
          %opened = tensor_block.unnest %groups[1] : !comprehension.bag<index, !list>
              -> !comprehension.bag<index, !list, f64>
          func.return %numbered, %joined, %probed, %updated, %opened, %any
              : !comprehension.bag<index, f64, i64>,
                !comprehension.bag<index, f64, index, !list, i64, f64>,
                !comprehension.bag<index, f64, f64, i1>, !map,
                !comprehension.bag<index, !list, f64>, !rows
        }
        """,
        {"R": [(0, 1.0), (1, 2.0), (1, 3.0)], "V": np.array([7.0])},
    )
    assert numbered == [(0, 1.0, 0), (1, 2.0, 1), (1, 3.0, 2)]
    pair = [(2.0,), (3.0,)]
    assert joined == [
        (0, 1.0, 9, [], 0, 0.5),
        (1, 2.0, 1, pair, 2, 5.0),
        (1, 3.0, 1, pair, 2, 5.0),
    ]
    assert probed == [(0, 1.0, 7.0, True), (1, 2.0, 0.0, False), (1, 3.0, 0.0, False)]
    assert updated == [(0, 1.0), (1, 13.0)]  # of (1, 2.0) and (1, 3.0) the last is kept
    assert opened == [(1, pair, 2.0), (1, pair, 3.0)]
    assert kept == [(0, 1.0), (1, 3.0)]


def test_variables_that_hold_maps() -> None:
    text = """
    !map = !comprehension.bag<keys = 1, i64, f64>
    func.func @main(%L: !comprehension.bag<i64, f64> {{diablo.name = "L"}},
                    %m: !map {{diablo.name = "m"}}) -> (!map, f64) {{
      %M = diablo.var "M" = %m : !map
      %zero = arith.constant 0.0 : f64
      %s = diablo.var "s" = %zero : f64
      diablo.foreach %k, %v in %L : !comprehension.bag<i64, f64> {{
        %old = diablo.load %M[%k] : !diablo.ref<!map>
        diablo.accumulate add %old, %s : !diablo.ref<f64>
        diablo.accumulate add %v, %M[%k] : !diablo.ref<!map>
      }}
      %key = arith.constant {key} : i64
      %one = diablo.load %M[%key] : !diablo.ref<!map>
      %map = diablo.load %M : !diablo.ref<!map>
      %sum = diablo.load %s : !diablo.ref<f64>
      func.return %map, %sum : !map, f64
    }}
    """
    inputs = {"L": [(1, 0.5), (2, 0.25), (1, 2.0)], "m": {1: 10.0}}
    assert run(text.format(key=2), inputs) == [[(1, 12.5), (2, 0.25)], 20.0]
    with pytest.raises(RunError, match="the map has no such key: 3"):
        run(text.format(key=3), inputs)


PAIRS = TupleType((f64, i64))


@pytest.mark.parametrize(
    ("data", "type", "elements"),
    [
        ([(1.5, 2), (2.5, 3)], TensorType(PAIRS, [-1]), [(1.5, 2), (2.5, 3)]),
        ([[(1.5, 2)], [(2.5, 3)]], TensorType(PAIRS, [-1, -1]), [[(1.5, 2)], [(2.5, 3)]]),
        (np.array([(1.5, 2)], "f8,i8"), TensorType(PAIRS, [-1]), [(1.5, 2)]),
        ([], TensorType(PAIRS, [-1]), []),
        (["a", "b"], TensorType(i64, [-1]), [97, 98]),
    ],
)
def test_arrays_are_read_from_lists(data: Any, type: Attribute, elements: list[Any]) -> None:
    value = to_value(data, type)
    assert isinstance(value, Array)
    assert value.to_numpy().tolist() == elements


@pytest.mark.parametrize(
    ("data", "type", "message"),
    [
        ([(1.5, 2), (3.5,)], TensorType(PAIRS, [-1]), "a tuple of 2 values, got (3.5,)"),
        ((1.5, 2, 3), PAIRS, "a tuple of 2 values, got (1.5, 2, 3)"),
        ([[(1.5, 2)], []], TensorType(PAIRS, [-1, -1]), "the rows are of different lengths"),
    ],
)
def test_what_has_other_parts_is_refused(data: Any, type: Attribute, message: str) -> None:
    with pytest.raises(InputError) as caught:
        to_value(data, type)
    assert message in str(caught.value)
