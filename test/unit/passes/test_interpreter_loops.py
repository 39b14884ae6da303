"""What the interpreter does with loops and generators, also in the bodies of row ops."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from xdsl.parser import Parser

from diablo.diagnostics import RunError
from diablo.passes.interpreter.interpreter import interpret
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


def run(text: str, inputs: Mapping[str, Any]) -> list[Any]:
    module = Parser(new_context(), text).parse_module()
    module.verify()
    return interpret(module, inputs)


def test_generators_of_one_loop_take_what_is_emitted_to_each() -> None:
    rows, total, none = run(
        """
        func.func @main(%n: index {diablo.name = "n"})
            -> (!comprehension.bag<index, index>, i8, f64) {
          %zero = arith.constant 0 : index
          %c100 = arith.constant 100 : i8
          %pairs, %sum, %least = multiloop.loop range(%zero, %n : index, index)
              -> !comprehension.bag<index, index>, i8, f64 {
          ^bb0(%i: index, %all: !multiloop.collect<index, index>, %s: !multiloop.reduce<add : i8>,
               %m: !multiloop.reduce<min : f64>):
            multiloop.emit %s(%c100 : i8)
            multiloop.loop range(%zero, %i : index, index) {
            ^bb1(%j: index):
              multiloop.emit %all(%i, %j : index, index)
            }
          }
          func.return %pairs, %sum, %least : !comprehension.bag<index, index>, i8, f64
        }
        """,
        {"n": 3},
    )
    assert rows == [(1, 0), (2, 0), (2, 1)]
    assert total == 300 - 256
    assert none == np.inf


def test_a_scan_gives_what_is_folded_so_far_and_a_vector_has_places() -> None:
    sums, last, vector, none = run(
        """
        func.func @main(%n: index {diablo.name = "n"})
            -> (!comprehension.bag<i8>, i8, tensor<?xindex>, f64) {
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %c100 = arith.constant 100 : i8
          %rows, %last, %v, %none = multiloop.loop range(%zero, %n : index, index)
              -> !comprehension.bag<i8>, i8, tensor<?xindex>, f64 {
          ^bb0(%i: index, %all: !multiloop.collect<i8>, %s: !multiloop.scan<add : i8>,
               %w: !multiloop.place<index>, %m: !multiloop.scan<max : f64>):
            %a = multiloop.emit %s(%c100 : i8)
            %b = multiloop.emit %s(%c100 : i8)
            multiloop.emit %all(%b : i8)
            %next = arith.subi %n, %one : index
            %place = arith.subi %next, %i : index
            multiloop.emit %w[%place : index](%i : index)
          }
          func.return %rows, %last, %v, %none : !comprehension.bag<i8>, i8, tensor<?xindex>, f64
        }
        """,
        {"n": 3},
    )
    assert sums == [(200 - 256,), (400 - 512,), (600 - 512,)]
    assert last == 88
    assert vector.to_numpy().tolist() == [2, 1, 0]
    assert none == -np.inf


def test_buckets_are_in_the_order_of_their_first_keys() -> None:
    (groups,) = run(
        """
        !rows = !comprehension.bag<f64, i64>
        func.func @main(%L: !rows {diablo.name = "L"}) -> !comprehension.bag<f64, i64, i64> {
          %groups = multiloop.loop rows(%L : !rows) -> !comprehension.bag<f64, i64, i64> {
          ^bb0(%k: f64, %x: i64, %g: !multiloop.bucket_reduce<[f64], add : i64, any : i64>):
            %none = arith.constant 0 : i64
            %some = arith.cmpi ne, %x, %none : i64
            scf.if %some {
              multiloop.emit %g[%k : f64](%x, %x : i64, i64)
            }
          }
          func.return %groups : !comprehension.bag<f64, i64, i64>
        }
        """,
        {"L": [(2.0, 1), (np.nan, 2), (-0.0, 3), (2.0, 4), (5.0, 0), (0.0, 5), (-np.nan, 6)]},
    )
    assert [row[1:] for row in groups] == [(5, 4), (8, 6), (8, 5)]
    assert groups[0][0] == 2.0
    assert np.isnan(groups[1][0])
    assert str(groups[2][0]) == "0.0"


def test_a_loop_in_a_row_op_combines_with_a_monoid_of_the_program() -> None:
    (rows,) = run(
        ARGMIN
        + """
        !rows = !comprehension.bag<f64>
        !near = !comprehension.bag<f64, tuple<f64, i64>>
        func.func @main(%L: !rows {diablo.name = "L"}, %V: tensor<?xf64> {diablo.name = "V"})
            -> !near {
          %zero = arith.constant 0 : index
          %n = tensor.dim %V, %zero : tensor<?xf64>
          %near = tensor_block.extend %L : !rows -> !near {
          ^bb0(%x: f64):
            %best = multiloop.loop range(%zero, %n : index, index) -> tuple<f64, i64> {
            ^bb1(%k: index, %least: !multiloop.reduce<@argmin : tuple<f64, i64>>):
              %c = tensor.extract %V[%k] : tensor<?xf64>
              %d = arith.subf %x, %c : f64
              %distance = math.absf %d : f64
              %number = arith.index_cast %k : index to i64
              %both = comprehension.pack %distance, %number : tuple<f64, i64>
              multiloop.emit %least(%both : tuple<f64, i64>)
            }
            tensor_block.yield %best : tuple<f64, i64>
          }
          func.return %near : !near
        }
        """,
        {"L": [(1.0,), (8.0,)], "V": np.array([7.0, 0.5])},
    )
    assert rows == [(1.0, (0.5, 1)), (8.0, (1.0, 0))]


def test_what_is_asked_for_has_to_be_an_element() -> None:
    text = """
        func.func @main(%place: index {diablo.name = "place"}) -> i64 {
          %zero = arith.constant 0 : index
          %seven = arith.constant 7 : i64
          %held = memref.alloca() : memref<3xi64>
          memref.store %seven, %held[%zero] : memref<3xi64>
          multiloop.prefetch %held[%place] : memref<3xi64>
          %read = memref.load %held[%zero] : memref<3xi64>
          func.return %read : i64
        }
        """
    assert run(text, {"place": 2}) == [7]
    with pytest.raises(RunError):
        run(text, {"place": 3})
