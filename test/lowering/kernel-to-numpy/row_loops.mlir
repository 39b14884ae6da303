// RUN: diablo-opt %s -t numpy --split-input-file | filecheck %s

// Loops in the body of a row op: the totals of all rows, over some iterations at a time.

// A list: its columns lie along the iterations, those of the rows along the rows. What guards an
// emit is a mask.
func.func private @over_rows(%P: !comprehension.bag<f64>, %L: !comprehension.bag<f64, i8>) -> !comprehension.bag<f64, f64, i8> {
  %r = tensor_block.extend %P : !comprehension.bag<f64> -> !comprehension.bag<f64, f64, i8> {
  ^bb0(%x: f64):
    %sum, %most = multiloop.loop rows(%L : !comprehension.bag<f64, i8>) -> f64, i8 {
    ^bb1(%y: f64, %z: i8, %s: !multiloop.reduce<add : f64>, %m: !multiloop.reduce<max : i8>):
      %less = arith.cmpf olt, %y, %x : f64
      scf.if %less {
        %p = arith.mulf %x, %y : f64
        multiloop.emit %s(%p : f64)
      } else {
        multiloop.emit %m(%z : i8)
      }
    }
    tensor_block.yield %sum, %most : f64, i8
  }
  func.return %r : !comprehension.bag<f64, f64, i8>
}
// CHECK-LABEL: def over_rows(P, L):
// CHECK:         x, = rows.columns(P, 1)
// CHECK-NEXT:    sum = np.full(len(P[0]), 0.0, np.float64)
// CHECK-NEXT:    most = np.full(len(P[0]), np.int8(-128), np.int8)
// CHECK-NEXT:    for begin, end in arithmetic.chunks(rows.length(L), len(P[0])):
// CHECK-NEXT:        y = L[0][begin:end, None]
// CHECK-NEXT:        z = L[1][begin:end, None]
// CHECK-NEXT:        less = y < x
// CHECK-NEXT:        sum = rows.accumulate(sum, x * y, "add", (end - begin, len(P[0])), where=less)
// CHECK-NEXT:        other = np.logical_not(less)
// CHECK-NEXT:        most = rows.accumulate(most, z, "max", (end - begin, len(P[0])), where=other)
// CHECK-NEXT:    r = rows.extend(P, (sum, most))

// -----

// A range whose ends differ from row to row: each has as many numbers as the longest one.
func.func private @own_range(%P: !comprehension.bag<index>, %n: index, %V: tensor<?xf64>) -> !comprehension.bag<index, f64> {
  %r = tensor_block.extend %P : !comprehension.bag<index> -> !comprehension.bag<index, f64> {
  ^bb0(%k: index):
    %sum = multiloop.loop range(%k, %n : index, index) -> f64 {
    ^bb1(%i: index, %s: !multiloop.reduce<add : f64>):
      %v = tensor.extract %V[%i] : tensor<?xf64>
      multiloop.emit %s(%v : f64)
    }
    tensor_block.yield %sum : f64
  }
  func.return %r : !comprehension.bag<index, f64>
}
// CHECK-LABEL: def own_range(P, n, V):
// CHECK:         counts = n - k
// CHECK-NEXT:    for begin, end in arithmetic.chunks(int(np.max(counts, initial=0)), len(P[0])):
// CHECK-NEXT:        place = np.arange(begin, end)[:, None]
// CHECK-NEXT:        i = k + place
// CHECK-NEXT:        inside = place < counts
// CHECK-NEXT:        sum = rows.accumulate(
// CHECK-NEXT:            sum, rows.probe_one(V, (i,), "f8")[0], "add", (end - begin, len(P[0])), where=inside

// -----

// A loop around another is Python's own, and so is what guards it if that is the same for all rows.
// A monoid of the program combines tuples.
comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1 : i64] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
func.func private @nested(%P: !comprehension.bag<f64>, %L: !comprehension.bag<f64>, %V: tensor<?xf64>, %n: index) -> !comprehension.bag<f64, tuple<f64, i64>> {
  %zero = arith.constant 0 : index
  %none = arith.constant 0.0 : f64
  %r = tensor_block.extend %P : !comprehension.bag<f64> -> !comprehension.bag<f64, tuple<f64, i64>> {
  ^bb0(%x: f64):
    %best = multiloop.loop rows(%L : !comprehension.bag<f64>) -> tuple<f64, i64> {
    ^bb1(%y: f64, %b: !multiloop.reduce<@argmin : tuple<f64, i64>>):
      %some = arith.cmpf ogt, %y, %none : f64
      scf.if %some {
        multiloop.loop range(%zero, %n : index, index) {
        ^bb2(%i: index):
          %v = tensor.extract %V[%i] : tensor<?xf64>
          %d = arith.subf %x, %v : f64
          %k = arith.index_cast %i : index to i64
          %t = comprehension.pack %d, %k : tuple<f64, i64>
          multiloop.emit %b(%t : tuple<f64, i64>)
        }
      }
    }
    tensor_block.yield %best : tuple<f64, i64>
  }
  func.return %r : !comprehension.bag<f64, tuple<f64, i64>>
}
// CHECK-LABEL: def nested(P, L, V, n):
// CHECK:         best = argmin.zeros(len(P[0]))
// CHECK-NEXT:    for other_k in range(rows.length(L)):
// CHECK-NEXT:        y = L[0][other_k]
// CHECK-NEXT:        if y > 0.0:
// CHECK-NEXT:            for begin, end in arithmetic.chunks(n, len(P[0])):
// CHECK-NEXT:                i = np.arange(begin, end)[:, None]
// CHECK-NEXT:                d = x - rows.extract_one(V, (i,), "f8", at=
// CHECK-NEXT:                best = rows.accumulate(
// CHECK-NEXT:                    best,
// CHECK-NEXT:                    rows.pack((d, i), ("tuple", "f8", "i8")),
// CHECK-NEXT:                    argmin,

// -----

// A loop in a branch is evaluated for the rows that take it.
func.func private @in_branch(%P: !comprehension.bag<f64>, %L: !comprehension.bag<f64>) -> !comprehension.bag<f64, f64> {
  %none = arith.constant 0.0 : f64
  %r = tensor_block.extend %P : !comprehension.bag<f64> -> !comprehension.bag<f64, f64> {
  ^bb0(%x: f64):
    %some = arith.cmpf ogt, %x, %none : f64
    %v = scf.if %some -> (f64) {
      %sum = multiloop.loop rows(%L : !comprehension.bag<f64>) -> f64 {
      ^bb1(%y: f64, %s: !multiloop.reduce<add : f64>):
        %p = arith.mulf %x, %y : f64
        multiloop.emit %s(%p : f64)
      }
      scf.yield %sum : f64
    } else {
      scf.yield %none : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !comprehension.bag<f64, f64>
}
// CHECK-LABEL: def in_branch(P, L):
// CHECK:         some_rows = np.flatnonzero(some)
// CHECK:         sum = np.full(len(some_rows), 0.0, np.float64)
// CHECK:         for begin, end in arithmetic.chunks(rows.length(L), len(some_rows)):
// CHECK:         rows.scatter(some, sum, 0.0, "f8")

// -----

// A loop that emits nothing has a body all the same.
func.func private @nothing(%P: !comprehension.bag<f64>, %L: !comprehension.bag<f64>) -> !comprehension.bag<f64, f64> {
  %r = tensor_block.extend %P : !comprehension.bag<f64> -> !comprehension.bag<f64, f64> {
  ^bb0(%x: f64):
    %sum = multiloop.loop rows(%L : !comprehension.bag<f64>) -> f64 {
    ^bb1(%y: f64, %s: !multiloop.reduce<add : f64>):
    }
    tensor_block.yield %sum : f64
  }
  func.return %r : !comprehension.bag<f64, f64>
}
// CHECK-LABEL: def nothing(P, L):
// CHECK:         for begin, end in arithmetic.chunks(rows.length(L), len(P[0])):
// CHECK-NEXT:        pass

// -----

// Strings: pairs of a row and an iteration, some at a time. What hangs on one of the two is computed
// once for it, and what a condition guards for the pairs alone for which that holds.
func.func private @prefixes(%Q: !comprehension.bag<!comprehension.string, i64>, %W: !comprehension.bag<!comprehension.string, i64>) -> !comprehension.bag<!comprehension.string, i64, i64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = tensor_block.extend %Q : !comprehension.bag<!comprehension.string, i64> -> !comprehension.bag<!comprehension.string, i64, i64> {
  ^bb0(%q: !comprehension.string, %k: i64):
    %sum = multiloop.loop rows(%W : !comprehension.bag<!comprehension.string, i64>) -> i64 {
    ^bb1(%w: !comprehension.string, %c: i64, %s: !multiloop.reduce<add : i64>):
      %p = comprehension.string_call "substring" (%q, %zero, %one) : (!comprehension.string, i64, i64) -> !comprehension.string
      %is = comprehension.string_call "starts_with" (%w, %p) : (!comprehension.string, !comprehension.string) -> i1
      scf.if %is {
        %d = arith.divsi %c, %k : i64
        multiloop.emit %s(%d : i64)
      }
    }
    tensor_block.yield %sum : i64
  }
  func.return %r : !comprehension.bag<!comprehension.string, i64, i64>
}
// CHECK-LABEL: def prefixes(Q, W):
// CHECK:         sum = np.full(len(Q[0]), 0, np.int64)
// CHECK-NEXT:    q_1 = rows.strings.column(q, len(Q[0]) * rows.length(W))
// CHECK-NEXT:    w = rows.strings.column(W[0], len(Q[0]) * rows.length(W))
// CHECK-NEXT:    c = W[1]
// CHECK-NEXT:    for first, last, begin, end in rows.blocks(len(Q[0]), rows.length(W)):
// CHECK-NEXT:        q_2 = q_1[first:last]
// CHECK-NEXT:        k_1 = k[first:last]
// CHECK-NEXT:        is_1 = rows.strings.of_all_pairs(
// CHECK-NEXT:            "starts_with",
// CHECK-NEXT:            w[begin:end],
// CHECK-NEXT:            rows.strings.substring(q_2, 0, 1, at="{{.*}}"),
// CHECK-NEXT:            rows_first=False,
// CHECK-NEXT:        )
// CHECK-NEXT:        kept = np.flatnonzero(is_1)
// CHECK-NEXT:        row, step = np.divmod(kept, end - begin)
// CHECK-NEXT:        c_1 = c[begin:end][step]
// CHECK-NEXT:        k_2 = k_1[row]
// CHECK-NEXT:        d = arithmetic.quotient(c_1, k_2, at="{{.*}}")
// CHECK-NEXT:        sum = rows.accumulate_pairs(sum, first + row, d, "add")
// CHECK-NEXT:    r = rows.extend(Q, (sum,))

// -----

// The lists of the rows: at the items of all lists, one behind the other, each of which is of a row.
// A list within that is gone through at the items of its items.
func.func private @own_list(%L: !comprehension.bag<f64, !comprehension.bag<f64>>) -> !comprehension.bag<f64, !comprehension.bag<f64>, f64, !comprehension.bag<f64>, f64> {
  %r = tensor_block.extend %L : !comprehension.bag<f64, !comprehension.bag<f64>> -> !comprehension.bag<f64, !comprehension.bag<f64>, f64, !comprehension.bag<f64>, f64> {
  ^bb0(%k: f64, %xs: !comprehension.bag<f64>):
    %sum, %some = multiloop.loop rows(%xs : !comprehension.bag<f64>) -> f64, !comprehension.bag<f64> {
    ^bb1(%x: f64, %total: !multiloop.reduce<add : f64>, %list: !multiloop.collect<f64>):
      %less = arith.cmpf olt, %x, %k : f64
      scf.if %less {
        multiloop.emit %total(%x : f64)
        %y = arith.addf %x, %k : f64
        multiloop.emit %list(%y : f64)
      }
    }
    %most = multiloop.loop rows(%xs : !comprehension.bag<f64>) -> f64 {
    ^bb2(%a: f64, %greatest: !multiloop.reduce<max : f64>):
      multiloop.loop rows(%xs : !comprehension.bag<f64>) {
      ^bb3(%b: f64):
        %p = arith.mulf %a, %b : f64
        multiloop.emit %greatest(%p : f64)
      }
    }
    tensor_block.yield %sum, %some, %most : f64, !comprehension.bag<f64>, f64
  }
  func.return %r : !comprehension.bag<f64, !comprehension.bag<f64>, f64, !comprehension.bag<f64>, f64>
}
// CHECK-LABEL: def own_list(L):
// CHECK:              k, xs = rows.columns(L, 2)
// CHECK-NEXT:         sum = np.full(len(L[0]), 0.0, np.float64)
// CHECK-NEXT:         some = rows.literal_lists(len(L[0]), (), ("f8",))
// CHECK-NEXT:         places = rows.list_places(xs)
// CHECK-NEXT:         k_1 = k.take(places)
// CHECK-NEXT:         x = xs.values[0]
// CHECK-NEXT:         less = x < k_1
// CHECK-NEXT:         sum = rows.accumulate_items(sum, x, "add", places, where=less)
// CHECK-NEXT:         some = rows.collect_items(some, (x + k_1,), places, where=less)
// CHECK-NEXT:         most = np.full(len(L[0]), -np.inf, np.float64)
// CHECK-NEXT:         places_1 = rows.list_places(xs)
// CHECK-NEXT:         xs_1 = xs.take(places_1)
// CHECK-NEXT:         a = xs.values[0]
// CHECK-NEXT:         places_2 = rows.list_places(xs_1)
// CHECK-NEXT:         a_1 = a.take(places_2)
// CHECK-NEXT:         b = xs_1.values[0]
// CHECK-NEXT:         most = rows.accumulate_items(most, a_1 * b, "max", places_1.take(places_2))
// CHECK-NEXT:         r = rows.extend(L, (sum, some, most))
// CHECK-NEXT:         return r

// -----

// A list of the numbers of a range: at the numbers of all rows, one behind the other. What a
// condition leaves is evaluated at what is left, where it may fail. Elements of lists that are
// folded are read for pairs of a row and a number.
func.func private @positions(%L: !comprehension.bag<index, !comprehension.bag<f64>>) -> !comprehension.bag<index, !comprehension.bag<f64>, !comprehension.bag<f64>, f64> {
  %r = tensor_block.extend %L : !comprehension.bag<index, !comprehension.bag<f64>> -> !comprehension.bag<index, !comprehension.bag<f64>, !comprehension.bag<f64>, f64> {
  ^bb0(%k: index, %xs: !comprehension.bag<f64>):
    %zero = arith.constant 0 : index
    %some = multiloop.loop range(%zero, %k : index, index) -> !comprehension.bag<f64> {
    ^bb1(%i: index, %list: !multiloop.collect<f64>):
      %less = arith.cmpi slt, %i, %k : index
      scf.if %less {
        %p = arith.index_cast %i : index to i64
        %x = comprehension.element %xs[%p] : !comprehension.bag<f64>
        multiloop.emit %list(%x : f64)
      }
    }
    %sum = multiloop.loop range(%zero, %k : index, index) -> f64 {
    ^bb2(%j: index, %total: !multiloop.reduce<add : f64>):
      %q = arith.index_cast %j : index to i64
      %y = comprehension.element %xs[%q] : !comprehension.bag<f64>
      multiloop.emit %total(%y : f64)
    }
    tensor_block.yield %some, %sum : !comprehension.bag<f64>, f64
  }
  func.return %r : !comprehension.bag<index, !comprehension.bag<f64>, !comprehension.bag<f64>, f64>
}
// CHECK-LABEL: def positions(L):
// CHECK:              k, xs = rows.columns(L, 2)
// CHECK-NEXT:         some = rows.literal_lists(len(L[0]), (), ("f8",))
// CHECK-NEXT:         lists = rows.range_lists(0, k, len(L[0]))
// CHECK-NEXT:         places = rows.list_places(lists)
// CHECK:              less = i < k_1
// CHECK-NEXT:         kept = np.flatnonzero(less)
// CHECK-NEXT:         places_1 = places.take(kept)
// CHECK-NEXT:         i_1 = i.take(kept)
// CHECK-NEXT:         xs_2 = xs_1.take(kept)
// CHECK-NEXT:         x, = rows.list_elements(xs_2, i_1
// CHECK-NEXT:         some = rows.collect_items(some, (x,), places_1)
// CHECK:              for first, last, begin, end in rows.blocks(
// CHECK:                y, = rows.list_elements(
// CHECK-NEXT:           sum = rows.accumulate_pairs(sum, first + {{.+}}, y, "add")

// A list of a row that nothing emits to is empty.
!kept = !comprehension.bag<i64, !comprehension.bag<f64>, !comprehension.bag<f64>>
func.func private @nothing(%L: !comprehension.bag<i64, !comprehension.bag<f64>>) -> !kept {
  %r = tensor_block.extend %L : !comprehension.bag<i64, !comprehension.bag<f64>> -> !kept {
  ^bb0(%k: i64, %xs: !comprehension.bag<f64>):
    %made = multiloop.loop rows(%xs : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
    ^bb1(%x: f64, %all: !multiloop.collect<f64>):
    }
    tensor_block.yield %made : !comprehension.bag<f64>
  }
  func.return %r : !kept
}
// CHECK-LABEL: def nothing(
// CHECK:         rows.literal_lists({{.*}}, (), ("f8",))
