"""Programs at the tensor_block level on strings, tuples, lists and maps, and what they give.

As in `spark_programs`, each case compiles a program and compares its results on a context.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Compile = Callable[[str], Any]


TYPES = """
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!string = !comprehension.string
!words = !comprehension.bag<!string>
!counts = !comprehension.bag<keys = 1, !string, i64>
!pair = tuple<f64, i64>
!numbers = !comprehension.bag<f64>
comprehension.monoid @argmin : !pair identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: !pair, %y: !pair):
  %dx, %kx = comprehension.unpack %x : !pair
  %dy, %ky = comprehension.unpack %y : !pair
  %less = arith.cmpf olt, %dx, %dy : f64
  %same = arith.cmpf oeq, %dx, %dy : f64
  %lower = arith.cmpi sge, %kx, %ky : i64
  %tie = arith.andi %same, %lower : i1
  %first = arith.ori %less, %tie : i1
  %least = arith.select %first, %x, %y : !pair
  comprehension.yield %least
}
"""


def strings(*texts: str) -> Any:
    return np.array(texts, object)


def word_count(compile: Compile, context: Any, block_size: int | None) -> None:
    """Lines are split, words counted into a map, looked up, and grouped by their first letter."""
    main = compile(
        TYPES
        + """
        func.func @main(%lines: !words, %sep: !string, %M: !counts)
            -> (!counts, i64, i1, i1, !comprehension.bag<!string, !words>) {
          %parts = tensor_block.extend %lines : !words -> !comprehension.bag<!string, !words> {
          ^bb0(%line: !string):
            %w = comprehension.string_call "split" (%line, %sep) : (!string, !string) -> !words
            tensor_block.yield %w : !words
          }
          %all = tensor_block.unnest %parts[1]
              : !comprehension.bag<!string, !words> -> !comprehension.bag<!string, !words, !string>
          %word = tensor_block.project %all[2]
              : !comprehension.bag<!string, !words, !string> -> !words
          %long = tensor_block.filter %word : !words {
          ^bb0(%x: !string):
            %n = comprehension.string_call "length" (%x) : (!string) -> i64
            %one = arith.constant 1 : i64
            %keep = arith.cmpi sge, %n, %one : i64
            tensor_block.yield %keep : i1
          }
          %ones = tensor_block.extend %long : !words -> !comprehension.bag<!string, i64> {
          ^bb0(%x: !string):
            %one = arith.constant 1 : i64
            tensor_block.yield %one : i64
          }
          %C = tensor_block.update add %M with %ones : !counts, !comprehension.bag<!string, i64>
          %a = comprehension.string "a"
          %v, %found = comprehension.probe %C[%a] : !counts
          %no, %missing = comprehension.probe %C[%sep] : !counts
          %g0 = tensor_block.extend %long : !words -> !comprehension.bag<!string, !string> {
          ^bb0(%x: !string):
            %zero = arith.constant 0 : i64
            %one = arith.constant 1 : i64
            %p = comprehension.string_call "substring" (%x, %zero, %one)
                : (!string, i64, i64) -> !string
            tensor_block.yield %p : !string
          }
          %g1 = tensor_block.project %g0[1, 0]
              : !comprehension.bag<!string, !string> -> !comprehension.bag<!string, !string>
          %g = tensor_block.group %g1 keys 1
              : !comprehension.bag<!string, !string> -> !comprehension.bag<!string, !words>
          func.return %C, %v, %found, %missing, %g
              : !counts, i64, i1, i1, !comprehension.bag<!string, !words>
        }
        """
    )
    lines, old = (strings("a b  a", "cc b", "aa bb a"),), (strings("a", "z"), np.array([10, 20]))
    counts, value, found, missing, groups = main(context, lines, " ", old, block_size=block_size)
    assert counts.to_dict() == {"a": 13, "aa": 1, "b": 2, "bb": 1, "cc": 1, "z": 20}
    assert (value, found, missing) == (13, True, False)
    assert {key: sorted(words) for key, words in groups.to_list()} == {
        "a": ["a", "a", "a", "aa"],
        "b": ["b", "b", "bb"],
        "c": ["cc"],
    }


def nested_rows(compile: Compile, context: Any, block_size: int | None) -> None:
    """Rows are numbered, joined with another list's, and what was missing is filled in."""
    main = compile(
        TYPES
        + """
        !row = !comprehension.bag<i64, f64>
        !keyed = !comprehension.bag<i64, !numbers>
        func.func @main(%L: !comprehension.bag<i64>, %R: !row)
            -> (!comprehension.bag<i64, f64, i64, f64>, !comprehension.bag<i64>) {
          %N = tensor_block.number %L : !comprehension.bag<i64> -> !comprehension.bag<i64, i64>
          %J = tensor_block.join %N[0], %R[0]
              : !comprehension.bag<i64, i64>, !row -> !comprehension.bag<i64, i64, i64, f64>
          %P = tensor_block.project %J[1, 3]
              : !comprehension.bag<i64, i64, i64, f64> -> !row
          %G = tensor_block.group %P keys 1 : !row -> !keyed
          %S = tensor_block.group_reduce %P keys 1 monoids(any) : !row
          %A = tensor_block.join %N[1], %G[0] outer [0 : i64, unit]
              : !comprehension.bag<i64, i64>, !keyed -> !comprehension.bag<i64, i64, i64, !numbers>
          %B = tensor_block.extend %A : !comprehension.bag<i64, i64, i64, !numbers>
              -> !comprehension.bag<i64, i64, i64, !numbers, f64, i64> {
          ^bb0(%x: i64, %n: i64, %m: i64, %values: !numbers):
            %sum = comprehension.reduce add %values : !numbers
            %count = comprehension.length %values : !numbers
            tensor_block.yield %sum, %count : f64, i64
          }
          %D = tensor_block.join %B[1], %S[0] outer [0 : i64, -1.0 : f64]
              : !comprehension.bag<i64, i64, i64, !numbers, f64, i64>, !row
              -> !comprehension.bag<i64, i64, i64, !numbers, f64, i64, i64, f64>
          %E = tensor_block.project %D[0, 4, 5, 7]
              : !comprehension.bag<i64, i64, i64, !numbers, f64, i64, i64, f64>
              -> !comprehension.bag<i64, f64, i64, f64>
          %F = tensor_block.concat %L, %L
              : !comprehension.bag<i64>, !comprehension.bag<i64> -> !comprehension.bag<i64>
          func.return %E, %F : !comprehension.bag<i64, f64, i64, f64>, !comprehension.bag<i64>
        }
        """
    )
    left = (np.array([3, 1, 2, 1, 5]),)
    right = (np.array([1, 1, 2, 4]), np.array([0.5, 0.25, 2.0, 8.0]))
    rows, twice = main(context, left, right, block_size=block_size)
    found = sorted(rows.to_list())
    assert [row[:3] for row in found] == [
        (1, 0.75, 2),
        (1, 0.75, 2),
        (2, 2.0, 1),
        (3, 0.0, 0),
        (5, 0.0, 0),
    ]
    assert [row[3] for row in found[2:]] == [2.0, -1.0, -1.0]
    assert {row[3] for row in found[:2]} <= {0.5, 0.25}
    assert sorted(twice.to_list()) == [1, 1, 1, 1, 2, 2, 3, 3, 5, 5]


def own_monoid(compile: Compile, context: Any, block_size: int | None) -> None:
    """A monoid of the program's own, in every op that folds."""
    main = compile(
        TYPES
        + """
        !best = tensor<?xtuple<f64, i64>, #tensor_block.tiles<dense = 1>>
        !rows = !comprehension.bag<index, !pair>
        func.func @main(%A: !matrix, %n: index, %m: index)
            -> (!best, f64, i64, !comprehension.bag<index, f64, i64>, f64, i64, !best) {
          %B = tensor_block.reduce @argmin parallel(d0 < %n) reduced(d1 < %m)
              ins(%A[d0, d1] : !matrix) -> !best {
          ^bb0(%i: index, %j: index, %a: f64):
            %k = arith.index_cast %j : index to i64
            %t = comprehension.pack %a, %k : !pair
            tensor_block.yield %t : !pair
          }
          %one = arith.constant 1 : index
          %p = tensor.extract %B[%one] : !best
          %d, %k = comprehension.unpack %p : !pair
          %E = tensor_block.to_bag %A : !matrix -> !comprehension.bag<index, index, f64>
          %T = tensor_block.extend %E : !comprehension.bag<index, index, f64>
              -> !comprehension.bag<index, index, f64, !pair> {
          ^bb0(%i: index, %j: index, %a: f64):
            %k0 = arith.index_cast %i : index to i64
            %t = comprehension.pack %a, %k0 : !pair
            tensor_block.yield %t : !pair
          }
          %P = tensor_block.project %T[1, 3]
              : !comprehension.bag<index, index, f64, !pair> -> !rows
          %C = tensor_block.group_reduce %P keys 1 monoids(@argmin) : !rows
          %Q = tensor_block.project %P[1] : !rows -> !comprehension.bag<!pair>
          %f = tensor_block.fold @argmin %Q : !comprehension.bag<!pair>
          %fd, %fk = comprehension.unpack %f : !pair
          %V = tensor_block.from_bag @argmin %P extents(%m) : !rows -> !best
          %D = tensor_block.extend %C : !rows -> !comprehension.bag<index, !pair, f64, i64> {
          ^bb0(%j: index, %t: !pair):
            %td, %tk = comprehension.unpack %t : !pair
            tensor_block.yield %td, %tk : f64, i64
          }
          %F = tensor_block.project %D[0, 2, 3]
              : !comprehension.bag<index, !pair, f64, i64> -> !comprehension.bag<index, f64, i64>
          func.return %B, %d, %k, %F, %fd, %fk, %V
              : !best, f64, i64, !comprehension.bag<index, f64, i64>, f64, i64, !best
        }
        """
    )
    a = np.random.default_rng(3).permutation(35).reshape(7, 5) / 8
    best, d, k, columns, fd, fk, vector = main(context, a, 7, 5, block_size=block_size)
    rows = [(row.min(), row.argmin()) for row in a]
    assert best.to_numpy().tolist() == rows
    assert (d, k) == rows[1]
    by_column = [(column.min(), column.argmin()) for column in a.T]
    assert sorted(columns.to_list()) == [(j, *pair) for j, pair in enumerate(by_column)]
    assert (fd, fk) == (0.0, np.argwhere(a == 0)[0][0])
    assert vector.to_numpy().tolist() == by_column


def careful_branches(compile: Compile, context: Any, block_size: int | None) -> None:
    """What can fail is evaluated only where its branch is taken; lists and tuples are chosen."""
    main = compile(
        TYPES
        + """
        !pairs = tuple<f64, !string>
        !result = !comprehension.bag<!string, i64, f64, f64, !string, !words, i64>
        func.func @main(%L: !words, %extra: !string, %divisor: i64) -> !result {
          %R = tensor_block.extend %L : !words -> !result {
          ^bb0(%s: !string):
            %zero = arith.constant 0 : i64
            %half = arith.constant 0.5 : f64
            %hash = comprehension.string "#"
            %is = comprehension.string_call "starts_with" (%s, %hash) : (!string, !string) -> i1
            %n, %x = scf.if %is -> (i64, f64) {
              %one = arith.constant 1 : i64
              %len = comprehension.string_call "length" (%s) : (!string) -> i64
              %rest = comprehension.string_call "substring" (%s, %one, %len)
                  : (!string, i64, i64) -> !string
              %dot = comprehension.string "."
              %point = comprehension.string_call "contains" (%rest, %dot) : (!string, !string) -> i1
              %i, %d = scf.if %point -> (i64, f64) {
                %d0 = comprehension.string_call "to_double" (%rest) : (!string) -> f64
                scf.yield %zero, %d0 : i64, f64
              } else {
                %i0 = comprehension.string_call "to_int" (%rest) : (!string) -> i64
                %q = arith.divsi %divisor, %i0 : i64
                scf.yield %q, %half : i64, f64
              }
              scf.yield %i, %d : i64, f64
            } else {
              scf.yield %zero, %half : i64, f64
            }
            %a = comprehension.pack %x, %s : !pairs
            %b = comprehension.pack %half, %extra : !pairs
            %t = arith.select %is, %a, %b : !pairs
            %l1 = comprehension.list (%s), (%extra) : !words
            %l0 = comprehension.list : !words
            %l = scf.if %is -> (!words) {
              scf.yield %l1 : !words
            } else {
              scf.yield %l0 : !words
            }
            %never = arith.cmpi slt, %divisor, %zero : i64
            %g = scf.if %never -> (i64) {
              %bad = comprehension.string_call "to_int" (%extra) : (!string) -> i64
              scf.yield %bad : i64
            } else {
              scf.yield %zero : i64
            }
            %tx, %ts = comprehension.unpack %t : !pairs
            tensor_block.yield %n, %x, %tx, %ts, %l, %g : i64, f64, f64, !string, !words, i64
          }
          func.return %R : !result
        }
        """
    )
    texts = strings("#2", "no number", "#1.5", "#", "")[:3]
    rows = main(context, (texts,), "!", 7, block_size=block_size)
    assert sorted(rows.to_list()) == [
        ("#1.5", 0, 1.5, 1.5, "#1.5", ["#1.5", "!"], 0),
        ("#2", 3, 0.5, 0.5, "#2", ["#2", "!"], 0),
        ("no number", 0, 0.5, 0.5, "!", [], 0),
    ]
    assert main(context, (texts[:0],), "!", 7, block_size=block_size).to_list() == []


def driver_values(compile: Compile, context: Any, block_size: int | None) -> None:
    """Strings, tuples, lists and maps as the driver's own values, carried by its control flow."""
    main = compile(
        TYPES
        + """
        !lists = !comprehension.bag<i64, !words>
        func.func @main(%s: !string, %n: i64)
            -> (!string, !counts, !lists, i64, f64, i64, !string, i24) {
          %zero = arith.constant 0 : i64
          %one = arith.constant 1 : i64
          %x = comprehension.string "x y"
          %rows = comprehension.list (%s, %zero), (%x, %n) : !comprehension.bag<!string, i64>
          %M0 = tensor_block.to_map %rows : !comprehension.bag<!string, i64> -> !counts
          %t, %M, %k = scf.while (%t0 = %s, %m0 = %M0, %k0 = %zero)
              : (!string, !counts, i64) -> (!string, !counts, i64) {
            %go = arith.cmpi slt, %k0, %n : i64
            scf.condition(%go) %t0, %m0, %k0 : !string, !counts, i64
          } do {
          ^bb0(%t1: !string, %m1: !counts, %k1: i64):
            %digits = comprehension.string_call "from_int" (%k1) : (i64) -> !string
            %t2 = comprehension.string_call "concat" (%t1, %digits) : (!string, !string) -> !string
            %new = comprehension.list (%t2, %k1), (%s, %one) : !comprehension.bag<!string, i64>
            %m2 = tensor_block.update add %m1 with %new : !counts, !comprehension.bag<!string, i64>
            %k2 = arith.addi %k1, %one : i64
            scf.yield %t2, %m2, %k2 : !string, !counts, i64
          }
          %comma = comprehension.string ","
          %l1 = comprehension.string_call "split" (%x, %comma) : (!string, !string) -> !words
          %l2 = comprehension.list (%s), (%t) : !words
          %L = comprehension.list (%one, %l1), (%n, %l2) : !lists
          %length = comprehension.length %L : !lists
          %half = arith.constant 0.5 : f64
          %p1 = comprehension.pack %half, %one : !pair
          %p2 = comprehension.pack %half, %n : !pair
          %big = arith.cmpi sgt, %n, %one : i64
          %p, %u = scf.if %big -> (!pair, !string) {
            scf.yield %p2, %t : !pair, !string
          } else {
            scf.yield %p1, %s : !pair, !string
          }
          %d, %i = comprehension.unpack %p : !pair
          %c = comprehension.string_call "char_at" (%s, %zero) : (!string, i64) -> i24
          func.return %t, %M, %L, %length, %d, %i, %u, %c
              : !string, !counts, !lists, i64, f64, i64, !string, i24
        }
        """
    )
    text, counts, lists, *rest = main(context, "s", 3, block_size=block_size)
    assert text == "s012"
    assert counts.to_dict() == {"s": 3, "x y": 3, "s0": 0, "s01": 1, "s012": 2}
    assert sorted(lists.to_list()) == [(1, ["x y"]), (3, ["s", "s012"])]
    assert rest == [2, 0.5, 3, "s012", ord("s")]
    assert main(context, "s", 1, block_size=block_size)[-4:] == (0.5, 1, "s", ord("s"))


VALUE_CASES = [
    word_count,
    nested_rows,
    own_monoid,
    careful_branches,
    driver_values,
]
