"""Programs at the tensor_block level on arrays of tuples and lists, and on arrays in rows.

As in `value_programs`, each case compiles a program and compares its results on a context.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from value_programs import TYPES, Compile, strings


def arrays_in_rows(compile: Compile, context: Any, block_size: int | None) -> None:
    """Each row's list becomes an array, which is read at indices inside and outside."""
    main = compile(
        TYPES
        + """
        !entries = !comprehension.bag<index, f64>
        !vector = tensor<?xf64>
        !row = !comprehension.bag<i64, !entries>
        !result = !comprehension.bag<i64, !vector, f64, f64, i1, i64>
        func.func @main(%L: !comprehension.bag<i64, index, f64>, %n: index, %i: index,
                        %V: tensor<?xf64>) -> !result {
          %G = tensor_block.group %L keys 1 : !comprehension.bag<i64, index, f64> -> !row
          %R = tensor_block.extend %G : !row
              -> !comprehension.bag<i64, !entries, !vector, f64, f64, i1, i64> {
          ^bb0(%k: i64, %e: !entries):
            %v = tensor_block.from_bag add %e extents(%n) : !entries -> !vector
            %c0 = arith.constant 0 : index
            %d = tensor.dim %v, %c0 : !vector
            %c1 = arith.constant 1 : index
            %x = tensor.extract %v[%c1] : !vector
            %y, %found = comprehension.probe %v[%i] : !vector
            %j = arith.index_cast %k : i64 to index
            %w = tensor.extract %V[%j] : tensor<?xf64>
            %s = arith.addf %y, %w : f64
            %size = arith.index_cast %d : index to i64
            tensor_block.yield %v, %x, %s, %found, %size : !vector, f64, f64, i1, i64
          }
          %P = tensor_block.project %R[0, 2, 3, 4, 5, 6]
              : !comprehension.bag<i64, !entries, !vector, f64, f64, i1, i64> -> !result
          func.return %P : !result
        }
        """
    )
    rows = (np.array([0, 1, 0, 1, 0]), np.array([1, 0, 1, 2, 9]), np.arange(5) + 0.5)
    weights = np.array([100.0, 200.0])
    for i, expected in ((2, [(100.0, True), (203.5, True)]), (3, [(100.0, False), (200.0, False)])):
        result = main(context, rows, 3, i, weights, block_size=block_size).to_list()
        result.sort(key=lambda row: row[0])
        assert [list(row[1]) for row in result] == [[0.0, 3.0, 0.0], [1.5, 0.0, 3.5]]
        assert [(row[0], row[2], row[5]) for row in result] == [(0, 3.0, 3), (1, 0.0, 3)]
        assert [(row[3], row[4]) for row in result] == expected


def probed_matrix(compile: Compile, context: Any, block_size: int | None) -> None:
    """A row that looks outside of a matrix stays, on the driver it is told."""
    main = compile(
        TYPES
        + """
        !rows = !comprehension.bag<index, index>
        !found = !comprehension.bag<index, index, f64, i1>
        func.func @main(%A: !matrix, %L: !rows, %i: index) -> (!found, f64, i1) {
          %R = tensor_block.lookup %L[0, 1] in %A probe : !rows, !matrix -> !found
          %x, %inside = comprehension.probe %A[%i, %i] : !matrix
          func.return %R, %x, %inside : !found, f64, i1
        }
        """
    )
    a = np.arange(12.0).reshape(4, 3)
    index = (np.array([0, 3, 4, -1, 2]), np.array([2, 0, 1, 1, 3]))
    for i, expected in ((2, (8.0, True)), (3, (0.0, False))):
        rows, x, inside = main(context, a, index, i, block_size=block_size)
        assert (x, inside) == expected
        assert sorted(rows.to_list()) == [
            (-1, 1, 0.0, False),
            (0, 2, 2.0, True),
            (2, 3, 0.0, False),
            (3, 0, 9.0, True),
            (4, 1, 0.0, False),
        ]


def arrays_of_values(compile: Compile, context: Any, block_size: int | None) -> None:
    """Arrays of strings and of tuples, computed point by point."""
    main = compile(
        TYPES
        + """
        !names = tensor<?x!comprehension.string, #tensor_block.tiles<dense = 1>>
        !pairs = tensor<?x?xtuple<f64, i64>, #tensor_block.tiles<dense = 2>>
        func.func @main(%S: !names, %A: !matrix, %n: index, %m: index)
            -> (!names, !pairs, !names, i64, !string) {
          %T = tensor_block.map parallel(d0 < %n) ins(%S[d0] : !names) -> !names {
          ^bb0(%i: index, %s: !string):
            %up = comprehension.string_call "upper" (%s) : (!string) -> !string
            %k = arith.index_cast %i : index to i64
            %d = comprehension.string_call "from_int" (%k) : (i64) -> !string
            %r = comprehension.string_call "concat" (%up, %d) : (!string, !string) -> !string
            tensor_block.yield %r : !string
          }
          %P = tensor_block.map parallel(d0 < %n, d1 < %m)
              ins(%A[d0, d1] : !matrix, %S[d0] : !names) -> !pairs {
          ^bb0(%i: index, %j: index, %a: f64, %s: !string):
            %l = comprehension.string_call "length" (%s) : (!string) -> i64
            %t = comprehension.pack %a, %l : !pair
            tensor_block.yield %t : !pair
          }
          %x = comprehension.string "x"
          %U = tensor_block.map parallel(d0 < %n) -> !names {
          ^bb0(%i: index):
            tensor_block.yield %x : !string
          }
          %one = arith.constant 1 : index
          %p = tensor.extract %P[%one, %one] : !pairs
          %d, %k = comprehension.unpack %p : !pair
          %w = tensor.extract %T[%one] : !names
          func.return %T, %P, %U, %k, %w : !names, !pairs, !names, i64, !string
        }
        """
    )
    names, a = strings("a", "bb", "c", ""), np.arange(12.0).reshape(4, 3)
    upper, pairs, xs, length, word = main(context, names, a, 4, 3, block_size=block_size)
    assert upper.to_numpy().tolist() == ["A0", "BB1", "C2", "3"]
    assert pairs.to_numpy()[1].tolist() == [(3.0, 2), (4.0, 2), (5.0, 2)]
    assert xs.to_numpy().tolist() == ["x"] * 4
    assert (length, word) == (2, "BB1")


def looked_into(compile: Compile, context: Any, block_size: int | None) -> None:
    """Maps and arrays that the elements of other arrays are computed from, wherever they look."""
    main = compile(
        TYPES
        + """
        !vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
        !map = !comprehension.bag<keys = 1, !string, i64>
        func.func @main(%M: !map, %V: !vector, %n: index, %m: index)
            -> (!matrix, tensor<?xf64>) {
          %R = tensor_block.map parallel(d0 < %n, d1 < %m) -> !matrix {
          ^bb0(%i: index, %j: index):
            %k = arith.index_cast %i : index to i64
            %s = comprehension.string_call "from_int" (%k) : (i64) -> !string
            %x, %there = comprehension.probe %M[%s] : !map
            %y = arith.sitofp %x : i64 to f64
            %l = arith.addi %i, %j : index
            %v, %inside = comprehension.probe %V[%l] : !vector
            %z = arith.addf %y, %v : f64
            tensor_block.yield %z : f64
          }
          %L = tensor_block.map parallel(d0 < %n) -> tensor<?xf64> {
          ^bb0(%i: index):
            %v = tensor.extract %V[%i] : !vector
            tensor_block.yield %v : f64
          }
          func.return %R, %L : !matrix, tensor<?xf64>
        }
        """
    )
    keys, vector = (strings("3", "0", "9"), np.array([300, 100, 900])), np.arange(1.0, 6.0)
    matrix, local = main(context, keys, vector, 4, 3, block_size=block_size)
    offsets, padded = [100, 0, 0, 300], [*vector, 0.0]
    expected = [[offsets[i] + padded[i + j] for j in range(3)] for i in range(4)]
    np.testing.assert_array_equal(matrix.to_numpy(), expected)
    np.testing.assert_array_equal(local, vector[:4])


VALUE_ARRAY_CASES = [arrays_in_rows, probed_matrix, arrays_of_values, looked_into]
