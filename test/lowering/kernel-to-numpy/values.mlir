// Strings, tuples, lists and arrays in rows: columns of any type, row by row in one call.
// RUN: diablo-opt - --split-input-file -t numpy < %s | filecheck %s

!string = !comprehension.string
!words = !comprehension.bag<!string>
!row = !comprehension.bag<!string, !words>
!out = !comprehension.bag<!string, !words, i64, !string, tuple<i64, !string>, !words, index, i1>

func.func private @strings(%R: !row, %t: !string) -> !out {
  %E = tensor_block.extend %R : !row -> !out {
  ^bb0(%s: !string, %w: !words):
    %n = comprehension.length %w : !words
    %x = comprehension.string "a\22"
    %u = comprehension.string_call "concat" (%s, %x) : (!string, !string) -> !string
    %p = comprehension.pack %n, %s : tuple<i64, !string>
    %l = comprehension.list (%s), (%t) : !words
    %h = comprehension.hash %s : !string
    %less = comprehension.string_call "lt" (%s, %t) : (!string, !string) -> i1
    tensor_block.yield %n, %u, %p, %l, %h, %less : i64, !string, tuple<i64, !string>, !words, index, i1
  }
  func.return %E : !out
}
// CHECK-LABEL: def strings(R, t):
// CHECK:         s, w = rows.columns(R, 7)
// CHECK:         rows.list_lengths(w)
// CHECK:         rows.extend(
// CHECK:             s + "a\"",
// CHECK-NEXT:        rows.pack((n, s), ("tuple", "i8", "U")),
// CHECK-NEXT:        rows.literal_lists(len(R[0]), [(s,), (t,)], ("U",)),
// CHECK-NEXT:        rows.hash_values(s),
// CHECK-NEXT:        rows.strings.lt(s, t),

// -----

// NumPy drops NULs at the end of a string beside a column, which a literal without one has not.
!string = !comprehension.string
!bag = !comprehension.bag<!string>
func.func private @nuls(%R: !bag, %S: !bag) -> !comprehension.bag<!string, !string, !string, i1> {
  %E = tensor_block.extend %R : !bag -> !comprehension.bag<!string, !string, !string, i1> {
  ^bb0(%s: !string):
    %nul = comprehension.string "b\00"
    %plain = comprehension.string "b"
    %a = comprehension.string_call "concat" (%s, %nul) : (!string, !string) -> !string
    %b = comprehension.string_call "concat" (%plain, %s) : (!string, !string) -> !string
    %c = comprehension.string_call "eq" (%nul, %s) : (!string, !string) -> i1
    tensor_block.yield %a, %b, %c : !string, !string, i1
  }
  func.return %E : !comprehension.bag<!string, !string, !string, i1>
}
// CHECK-LABEL: def nuls(R, S):
// CHECK:         rows.strings.concat(s, "b\u0000")
// CHECK-SAME:    "b" + s
// CHECK-SAME:    rows.strings.eq("b\u0000", s)

// -----

// What a loop may double asks for its memory.
!string = !comprehension.string
!bag = !comprehension.bag<!string>
func.func private @doubled(%R: !bag, %t: !string) -> !comprehension.bag<!string, !string> {
  %E = tensor_block.extend %R : !bag -> !comprehension.bag<!string, !string> {
  ^bb0(%s: !string):
    %a = comprehension.string_call "concat" (%s, %s) : (!string, !string) -> !string
    tensor_block.yield %a : !string
  }
  func.return %E : !comprehension.bag<!string, !string>
}
// CHECK-LABEL: def doubled(R, t):
// CHECK:         rows.strings.concat(s, s, at="{{.*}}")

// -----

!string = !comprehension.string
!bag = !comprehension.bag<!string, i1>

// What can fail is evaluated for the rows that take the branch, and so is all that it needs.
func.func private @branches(%R: !bag) -> !comprehension.bag<!string, i1, i64> {
  %E = tensor_block.extend %R : !bag -> !comprehension.bag<!string, i1, i64> {
  ^bb0(%s: !string, %c: i1):
    %zero = arith.constant 0 : i64
    %n = scf.if %c -> (i64) {
      %i = comprehension.string_call "to_int" (%s) : (!string) -> i64
      scf.yield %i : i64
    } else {
      scf.yield %zero : i64
    }
    tensor_block.yield %n : i64
  }
  func.return %E : !comprehension.bag<!string, i1, i64>
}
// CHECK-LABEL: def branches(R):
// CHECK:         s, c = rows.columns(R, 2)
// CHECK-NEXT:    c_rows = np.flatnonzero(c)
// CHECK-NEXT:    s_1 = s[c_rows]
// CHECK-NEXT:    other_c_rows = np.flatnonzero(~c)
// CHECK-NEXT:    n = rows.scatter(c, rows.strings.to_int(s_1, at="{{.*}}"), 0, "i8")
// CHECK-NEXT:    E = rows.extend(R, (n,))

// -----

!string = !comprehension.string
!bag = !comprehension.bag<!string, i1>

// What cannot fail is evaluated everywhere.
func.func private @choice(%R: !bag) -> !comprehension.bag<!string, i1, !string> {
  %E = tensor_block.extend %R : !bag -> !comprehension.bag<!string, i1, !string> {
  ^bb0(%s: !string, %c: i1):
    %n = scf.if %c -> (!string) {
      %i = comprehension.string_call "upper" (%s) : (!string) -> !string
      scf.yield %i : !string
    } else {
      scf.yield %s : !string
    }
    tensor_block.yield %n : !string
  }
  func.return %E : !comprehension.bag<!string, i1, !string>
}
// CHECK-LABEL: def choice(R):
// CHECK:         s, c = rows.columns(R, 2)
// CHECK-NOT:     flatnonzero
// CHECK:         rows.where(c, rows.strings.upper(s), s, "U")

// -----

!string = !comprehension.string
!words = !comprehension.bag<!string>

// A text that is the same for all rows is read only if there are rows, under a condition that
// is the same for all rows only if that is met.
func.func private @uniform(%R: !words, %t: !string, %c: i1) -> !comprehension.bag<!string, i64, i64> {
  %E = tensor_block.extend %R : !words -> !comprehension.bag<!string, i64, i64> {
  ^bb0(%s: !string):
    %i = comprehension.string_call "to_int" (%t) : (!string) -> i64
    %zero = arith.constant 0 : i64
    %j = scf.if %c -> (i64) {
      %k = comprehension.string_call "to_int" (%s) : (!string) -> i64
      scf.yield %k : i64
    } else {
      scf.yield %zero : i64
    }
    tensor_block.yield %i, %j : i64, i64
  }
  func.return %E : !comprehension.bag<!string, i64, i64>
}
// CHECK-LABEL: def uniform(R, t, c):
// CHECK:         i = rows.strings.to_int(t, at="{{.*}}") if len(R[0]) > 0 else np.int64(0)
// CHECK-NEXT:    if c:
// CHECK-NEXT:        j = rows.strings.to_int(s, at="{{.*}}")
// CHECK-NEXT:    else:
// CHECK-NEXT:        j = np.full(len(R[0]), 0, np.int64)

// -----

!entries = !comprehension.bag<index, f64>
!vector = tensor<?xf64>
!row = !comprehension.bag<index, !entries>

// Arrays in rows are built from lists, and read at the rows' own indices; an array that is the
// same for all rows is read as a whole.
func.func private @arrays(%R: !row, %n: index, %V: !vector) -> !comprehension.bag<index, !entries, !vector, f64, f64, i1> {
  %E = tensor_block.extend %R : !row -> !comprehension.bag<index, !entries, !vector, f64, f64, i1> {
  ^bb0(%i: index, %e: !entries):
    %v = tensor_block.from_bag add %e extents(%n) : !entries -> !vector
    %x = tensor.extract %v[%i] : !vector
    %y, %found = comprehension.probe %V[%i] : !vector
    tensor_block.yield %v, %x, %y, %found : !vector, f64, f64, i1
  }
  func.return %E : !comprehension.bag<index, !entries, !vector, f64, f64, i1>
}
// CHECK-LABEL: def arrays(R, n, V):
// CHECK:             v = rows.build_arrays(e, (n,), 1, np.float64, monoid="add")
// CHECK-NEXT:    y, found = rows.probe_one(V, (i,), "f8")
// CHECK-NEXT:    E = rows.extend(R, (v, rows.extract(v, (i,), "f8", at="{{.*}}"), y, found))

// -----

!pair = tuple<f64, i64>
!rows = !comprehension.bag<i64, !pair>

comprehension.monoid @argmin : !pair identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: !pair, %y: !pair):
  comprehension.yield %x
}

// A monoid of the program's own is a variable; a left row without a partner has values.
func.func private @folds(%L: !comprehension.bag<i64>, %R: !rows) -> !comprehension.bag<i64, i64, !pair> {
  %G = tensor_block.group_reduce %R keys 1 monoids(@argmin) : !rows
  %A = tensor_block.group_reduce %G keys 1 monoids(any) : !rows
  %J = tensor_block.join %L[0], %A[0] outer [7 : i64, unit] : !comprehension.bag<i64>, !rows -> !comprehension.bag<i64, i64, !pair>
  func.return %J : !comprehension.bag<i64, i64, !pair>
}
// CHECK-LABEL: def folds(L, R):
// CHECK:         G = rows.group_reduce(R, 1, (argmin,))
// CHECK:         A = rows.group_reduce(G, 1, ("any",))
// CHECK:         J = rows.join(L, A, (0,), (0,), outer=(7, None), at="{{.*}}")

// -----

!map = !comprehension.bag<keys = 2, !comprehension.string, index, f64, i64>

// A map that is the same for all points is looked into at all of them at once.
func.func private @look(%M: !map, %s: !comprehension.string, %n: index) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n) -> tensor<?xf64> {
  ^bb0(%i: index):
    %x, %k, %found = comprehension.probe %M[%s, %i] : !map
    tensor_block.yield %x : f64
  }
  func.return %r : tensor<?xf64>
}
// CHECK-LABEL: def look(M, s, n):
// CHECK:         i = np.arange(n)
// CHECK-NEXT:    x, _, _ = rows.probe_map(M, (s, i), "f8", "i8")
// CHECK-NEXT:    return x

// -----

!bag = !comprehension.bag<i64, f64>
!map = !comprehension.bag<keys = 1, i64, f64>

// Each row's list may be a map, which is looked into under a key of the row.
func.func private @maps(%R: !comprehension.bag<i64, !bag>) -> !comprehension.bag<i64, !bag, !map, f64> {
  %E = tensor_block.extend %R : !comprehension.bag<i64, !bag> -> !comprehension.bag<i64, !bag, !map, f64> {
  ^bb0(%k: i64, %l: !bag):
    %m = tensor_block.to_map %l : !bag -> !map
    %x, %found = comprehension.probe %m[%k] : !map
    tensor_block.yield %m, %x : !map, f64
  }
  func.return %E : !comprehension.bag<i64, !bag, !map, f64>
}
// CHECK-LABEL: def maps(R):
// CHECK:         x, _ = rows.probe_maps(l, (k,), "f8")
// CHECK-NEXT:    E = rows.extend(R, (l, x))

// -----

// The row at a position of each row's list; in a branch, for the rows that take it.
!list = !comprehension.bag<i64, f64>
!rows = !comprehension.bag<!list, i64, i1>
func.func private @elements(%R: !rows) -> !comprehension.bag<!list, i64, i1, i64, f64, f64> {
  %E = tensor_block.extend %R : !rows -> !comprehension.bag<!list, i64, i1, i64, f64, f64> {
  ^bb0(%l: !list, %i: i64, %c: i1):
    %k, %v = comprehension.element %l[%i] : !list
    %x = scf.if %c -> (f64) {
      %one = arith.constant 1 : i64
      %j, %w = comprehension.element %l[%one] : !list
      scf.yield %w : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %k, %v, %x : i64, f64, f64
  }
  func.return %E : !comprehension.bag<!list, i64, i1, i64, f64, f64>
}
// CHECK-LABEL: def elements(R):
// CHECK:         l, i, c = rows.columns(R, 4)
// CHECK:         k, v = rows.list_elements(l, i, at="{{.*}}")
// CHECK:         c_rows = np.flatnonzero(c)
// CHECK-NEXT:    l_1 = l[c_rows]
// CHECK-NEXT:    _, w = rows.list_elements(l_1, 1, at="{{.*}}")
// CHECK:         rows.scatter(c, w, 0.0, "f8")

// -----

// The one part of a tuple is a column as those of any other are.
!list = !comprehension.bag<f64>
!rows = !comprehension.bag<tuple<!list>>
func.func private @alone(%R: !rows) -> !comprehension.bag<tuple<!list>, f64, tuple<!list>> {
  %E = tensor_block.extend %R : !rows -> !comprehension.bag<tuple<!list>, f64, tuple<!list>> {
  ^bb0(%t: tuple<!list>):
    %l = comprehension.unpack %t : tuple<!list>
    %s = comprehension.reduce add %l : !list
    %u = comprehension.pack %l : tuple<!list>
    tensor_block.yield %s, %u : f64, tuple<!list>
  }
  func.return %E : !comprehension.bag<tuple<!list>, f64, tuple<!list>>
}
// CHECK-LABEL: def alone(R):
// CHECK:         l, = rows.unpack(t, ("tuple", ("list", "f8")))
// CHECK:         rows.list_reduce(l, "add")
// CHECK-SAME:    rows.pack((l,), ("tuple", ("list", "f8")))

// What is known of how many rows come of many is said at run time, before these are made.
func.func private @products(%L: !comprehension.bag<i64>, %R: !comprehension.bag<index>) -> !comprehension.bag<index> {
  %J = tensor_block.join %R[], %L[] at_most "left" : !comprehension.bag<index>, !comprehension.bag<i64> -> !comprehension.bag<index, i64>
  %P = tensor_block.project %J[0] : !comprehension.bag<index, i64> -> !comprehension.bag<index>
  %E = tensor_block.expand %P at_most "one" : !comprehension.bag<index> -> !comprehension.bag<index, index> {
  ^bb0(%i: index):
    tensor_block.yield %i, %i : index, index
  }
  %Q = tensor_block.project %E[1] : !comprehension.bag<index, index> -> !comprehension.bag<index>
  func.return %Q : !comprehension.bag<index>
}
// CHECK-LABEL: def products(L, R):
// CHECK:         rows.join(R, L, (), (), at="{{.*}}", at_most="left")
// CHECK:         rows.expand({{.*}} at="{{.*}}", at_most="one")
