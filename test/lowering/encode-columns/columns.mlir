// RUN: diablo-opt %s -p encode-columns --split-input-file | filecheck %s

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// The strings of a key are numbers of a dictionary.
// CHECK-LABEL: func.func @groups
// CHECK-SAME:    (%l: !comprehension.bag<i32, i64> {multiloop.columns = ["code0", ""]}) -> (!comprehension.bag<i32, i64> {multiloop.columns = ["code0", ""]})
// CHECK-NEXT:    %r = multiloop.loop rows(%l : !comprehension.bag<i32, i64>) -> !comprehension.bag<i32, i64> {
// CHECK-NEXT:    ^bb{{.*}}(%k: i32, %x: i64, %sum: !multiloop.bucket_reduce<[i32], add : i64>):
// CHECK-NEXT:      multiloop.emit %sum[%k : i32](%x : i64)
func.func @groups(%l: !rows) -> !rows {
  %r = multiloop.loop rows(%l : !rows) -> !rows {
  ^bb0(%k: !string, %x: i64, %sum: !multiloop.bucket_reduce<[!string], add : i64>):
    multiloop.emit %sum[%k : !string](%x : i64)
  }
  func.return %r : !rows
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// What is only collected is known by its row.
// CHECK-LABEL: func.func @moves
// CHECK-SAME:    (%l: !comprehension.bag<i32, i64, i32> {multiloop.columns = ["", "", "row"]}, %zero: i64)
// CHECK-SAME:    -> (!comprehension.bag<i64, i32> {multiloop.columns = ["", "row0.0"]})
// CHECK:         ^bb{{.*}}(%k: i32, %x: i64, %row: i32, %all: !multiloop.collect<i64, i32>):
// CHECK:             multiloop.emit %all(%x, %row : i64, i32)
func.func @moves(%l: !rows, %zero: i64) -> !comprehension.bag<i64, !string> {
  %r = multiloop.loop rows(%l : !rows) -> !comprehension.bag<i64, !string> {
  ^bb0(%k: !string, %x: i64, %all: !multiloop.collect<i64, !string>):
    %keep = arith.cmpi sgt, %x, %zero : i64
    scf.if %keep {
      multiloop.emit %all(%x, %k : i64, !string)
    }
  }
  func.return %r : !comprehension.bag<i64, !string>
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, !string>

// Columns that are compared have one dictionary; what is collected of them is known by its row.
// CHECK-LABEL: func.func @join
// CHECK-SAME:    (%l: !comprehension.bag<i32, i32, i32> {multiloop.columns = ["code0", "", "row"]},
// CHECK-SAME:     %m: !comprehension.bag<i32, i32, i32> {multiloop.columns = ["code0", "", "row"]})
// CHECK-SAME:    -> (!comprehension.bag<i32, i32> {multiloop.columns = ["row0.0", "row1.1"]})
// CHECK:         ^bb{{.*}}(%a: i32, %b: i32, %row: i32, %all: !multiloop.collect<i32, i32>):
// CHECK-NEXT:      multiloop.loop matches[0](%m, %a : !comprehension.bag<i32, i32, i32>, i32) {
// CHECK-NEXT:      ^bb{{.*}}(%c: i32, %d: i32, %[[ROW:row.*]]: i32):
// CHECK-NEXT:        multiloop.emit %all(%row, %[[ROW]] : i32, i32)
func.func @join(%l: !rows, %m: !rows) -> !rows {
  %r = multiloop.loop rows(%l : !rows) -> !rows {
  ^bb0(%a: !string, %b: !string, %all: !multiloop.collect<!string, !string>):
    multiloop.loop matches[0](%m, %a : !rows, !string) {
    ^bb1(%c: !string, %d: !string):
      multiloop.emit %all(%a, %d : !string, !string)
    }
  }
  func.return %r : !rows
}

// -----

!string = !comprehension.string
!list = !comprehension.bag<i64>
!rows = !comprehension.bag<!string, !string, !list>

// Each key has a dictionary of its own; lists can only be moved.
// CHECK-LABEL: func.func @last
// CHECK-SAME:    (%l: !comprehension.bag<i32, i32, i32, i32> {multiloop.columns = ["code0", "code1", "", "row"]})
// CHECK-SAME:    -> (!comprehension.bag<i32, i32, i32> {multiloop.columns = ["code0", "code1", "row0.2"]})
// CHECK:           multiloop.emit %last[%a, %b : i32, i32](%row : i32)
func.func @last(%l: !rows) -> !rows {
  %r = multiloop.loop rows(%l : !rows) -> !rows {
  ^bb0(%a: !string, %b: !string, %c: !list, %last: !multiloop.bucket_reduce<[!string, !string], any : !list>):
    multiloop.emit %last[%a, %b : !string, !string](%c : !list)
  }
  func.return %r : !rows
}

// -----

!string = !comprehension.string

// A constant that nothing reads, as the row that an outer join lacks, goes.
// CHECK-LABEL: func.func @unused
// CHECK-NOT:     comprehension.string
// CHECK:         func.return
func.func @unused(%l: !comprehension.bag<i64>) -> i64 {
  %r = multiloop.loop rows(%l : !comprehension.bag<i64>) -> i64 {
  ^bb0(%x: i64, %sum: !multiloop.reduce<add : i64>):
    %none = comprehension.string ""
    multiloop.emit %sum(%x : i64)
  }
  func.return %r : i64
}

// -----

!arrays = !comprehension.bag<i64, tensor<?xf64>>

// An array in a column is moved as the number of its row, like a list.
// CHECK-LABEL: func.func @arrays
// CHECK-SAME:    (%l: !comprehension.bag<i64, i32, i32> {multiloop.columns = ["", "", "row"]})
// CHECK-SAME:    -> (!comprehension.bag<i64, i32> {multiloop.columns = ["", "row0.1"]})
// CHECK:             multiloop.emit %all(%x, %row : i64, i32)
func.func @arrays(%l: !arrays) -> !arrays {
  %r = multiloop.loop rows(%l : !arrays) -> !arrays {
  ^bb0(%x: i64, %a: tensor<?xf64>, %all: !multiloop.collect<i64, tensor<?xf64>>):
    multiloop.emit %all(%x, %a : i64, tensor<?xf64>)
  }
  func.return %r : !arrays
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, !string, i64>
!made = !comprehension.bag<!string, !string, i64, !string>

// Neighbours that are of one row are one number; what stands apart has its own.
// CHECK-LABEL: func.func @neighbours
// CHECK-SAME:    -> (!comprehension.bag<i32, i64, i32> {multiloop.columns = ["row0.1+0", "", "row0.0"]})
// CHECK:         ^bb{{.*}}(%a: i32, %b: i32, %x: i64, %row: i32, %all: !multiloop.collect<i32, i64, i32>):
// CHECK:             multiloop.emit %all(%row, %x, %row : i32, i64, i32)
// CHECK:         func.return %r : !comprehension.bag<i32, i64, i32>
func.func @neighbours(%l: !rows, %zero: i64) -> !made {
  %r = multiloop.loop rows(%l : !rows) -> !made {
  ^bb0(%a: !string, %b: !string, %x: i64, %all: !multiloop.collect<!string, !string, i64, !string>):
    %keep = arith.cmpi sgt, %x, %zero : i64
    scf.if %keep {
      multiloop.emit %all(%b, %a, %x, %a : !string, !string, i64, !string)
    }
  }
  func.return %r : !made
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, !string>
!made = !comprehension.bag<!string, !string, !string>

// Two rows of one argument have two numbers.
// CHECK-LABEL: func.func @two_rows
// CHECK-SAME:    -> (!comprehension.bag<i32, i32> {multiloop.columns = ["row0.0", "row0.0+1"]})
// CHECK:         ^bb{{.*}}(%a: i32, %b: i32, %row: i32, %all: !multiloop.collect<i32, i32>):
// CHECK:           ^bb{{.*}}(%c: i32, %d: i32, %[[ROW:row.*]]: i32):
// CHECK-NEXT:        multiloop.emit %all(%row, %[[ROW]] : i32, i32)
func.func @two_rows(%l: !rows) -> !made {
  %r = multiloop.loop rows(%l : !rows) -> !made {
  ^bb0(%a: !string, %b: !string, %all: !multiloop.collect<!string, !string, !string>):
    multiloop.loop rows(%l : !rows) {
    ^bb1(%c: !string, %d: !string):
      multiloop.emit %all(%a, %c, %d : !string, !string, !string)
    }
  }
  func.return %r : !made
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64, !string>
!made = !comprehension.bag<!string, !comprehension.bag<i64, !string>>

// Groups that collect strings have the numbers of their rows.
// CHECK-LABEL: func.func @collected_groups
// CHECK-SAME:    (%l: !comprehension.bag<i32, i64, i32, i32> {multiloop.columns = ["code0", "", "", "row"]})
// CHECK-SAME:    -> (!comprehension.bag<i32, !comprehension.bag<i64, i32>> {multiloop.columns = ["code0", "", "row0.2"]})
// CHECK:         ^bb{{.*}}(%k: i32, %x: i64, %s: i32, %row: i32, %all: !multiloop.bucket_collect<[i32], (i64, i32)>):
// CHECK-NEXT:      multiloop.emit %all[%k : i32](%x, %row : i64, i32)
func.func @collected_groups(%l: !rows) -> !made {
  %r = multiloop.loop rows(%l : !rows) -> !made {
  ^bb0(%k: !string, %x: i64, %s: !string, %all: !multiloop.bucket_collect<[!string], (i64, !string)>):
    multiloop.emit %all[%k : !string](%x, %s : i64, !string)
  }
  func.return %r : !made
}

// -----

!list = !comprehension.bag<i64>
!rows = !comprehension.bag<!list>
!made = !comprehension.bag<!list, i64, !list>

// A list that is gone through is there as it is; where it is collected, it is known by its row. One
// that is made for the row is collected as it is.
// CHECK-LABEL: func.func @looped
// CHECK-SAME:    (%l: !comprehension.bag<!comprehension.bag<i64>, i32> {multiloop.columns = ["", "row"]})
// CHECK-SAME:    -> (!comprehension.bag<i32, i64, !comprehension.bag<i64>> {multiloop.columns = ["row0.0", "", ""]})
// CHECK:         ^bb{{.*}}(%xs: !comprehension.bag<i64>, %row: i32, %all: !multiloop.collect<i32, i64, !comprehension.bag<i64>>):
// CHECK-NEXT:      %most, %twice = multiloop.loop rows(%xs : !comprehension.bag<i64>) -> i64, !comprehension.bag<i64> {
// CHECK:           multiloop.emit %all(%row, %most, %twice : i32, i64, !comprehension.bag<i64>)
func.func @looped(%l: !rows) -> !made {
  %r = multiloop.loop rows(%l : !rows) -> !made {
  ^bb0(%xs: !list, %all: !multiloop.collect<!list, i64, !list>):
    %most, %twice = multiloop.loop rows(%xs : !list) -> i64, !list {
    ^bb1(%x: i64, %greatest: !multiloop.reduce<max : i64>, %sums: !multiloop.collect<i64>):
      multiloop.emit %greatest(%x : i64)
      %y = arith.addi %x, %x : i64
      multiloop.emit %sums(%y : i64)
    }
    multiloop.emit %all(%xs, %most, %twice : !list, i64, !list)
  }
  func.return %r : !made
}
