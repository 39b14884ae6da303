// RUN: diablo-opt %s -p encode-columns --split-input-file --verify-diagnostics | filecheck %s

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// CHECK-LABEL: func.func @computes
// CHECK:         ^bb{{.*}}(%k: !comprehension.string, %x: i64
// expected-remark @+1 {{columns stay as they are: comprehension.string_call needs the values of a column}}
func.func @computes(%l: !rows) -> i64 {
  %r = multiloop.loop rows(%l : !rows) -> i64 {
  ^bb0(%k: !string, %x: i64, %sum: !multiloop.reduce<add : i64>):
    %n = comprehension.string_call "index_of" (%k, %k) : (!string, !string) -> i64
    multiloop.emit %sum(%n : i64)
  }
  func.return %r : i64
}

// -----

// CHECK-LABEL: func.func @combines
// expected-remark @+1 {{columns stay as they are: values of type f16 are combined}}
func.func @combines(%l: !comprehension.bag<f16>) -> f16 {
  %r = multiloop.loop rows(%l : !comprehension.bag<f16>) -> f16 {
  ^bb0(%x: f16, %sum: !multiloop.reduce<add : f16>):
    multiloop.emit %sum(%x : f16)
  }
  func.return %r : f16
}

// -----

!rows = !comprehension.bag<i64, f16>

// CHECK-LABEL: func.func @combines_groups
// expected-remark @+1 {{columns stay as they are: values of type f16 are combined}}
func.func @combines_groups(%l: !rows) -> !rows {
  %r = multiloop.loop rows(%l : !rows) -> !rows {
  ^bb0(%k: i64, %x: f16, %sum: !multiloop.bucket_reduce<[i64], add : f16>):
    multiloop.emit %sum[%k : i64](%x : f16)
  }
  func.return %r : !rows
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, !string>

// CHECK-LABEL: func.func @two_columns
// expected-remark @+1 {{columns stay as they are: a column that is made has values of two columns}}
func.func @two_columns(%l: !rows) -> !comprehension.bag<!string> {
  %r = multiloop.loop rows(%l : !rows) -> !comprehension.bag<!string> {
  ^bb0(%a: !string, %b: !string, %all: !multiloop.collect<!string>):
    multiloop.emit %all(%a : !string)
    multiloop.emit %all(%b : !string)
  }
  func.return %r : !comprehension.bag<!string>
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string>

// CHECK-LABEL: func.func @makes
// expected-remark @+1 {{columns stay as they are: values of type !comprehension.string are made}}
func.func @makes(%l: !rows) -> !comprehension.bag<!string, !string> {
  %name = comprehension.string "name"
  %r = multiloop.loop rows(%l : !rows) -> !comprehension.bag<!string, !string> {
  ^bb0(%a: !string, %all: !multiloop.collect<!string, !string>):
    multiloop.emit %all(%a, %name : !string, !string)
  }
  func.return %r : !comprehension.bag<!string, !string>
}

// -----

!list = !comprehension.bag<i64>
!rows = !comprehension.bag<!list, i64>

// CHECK-LABEL: func.func @no_hash
// expected-remark @+1 {{columns stay as they are: there is no hash of !comprehension.bag<i64>}}
func.func @no_hash(%l: !rows) -> !rows {
  %r = multiloop.loop rows(%l : !rows) -> !rows {
  ^bb0(%k: !list, %x: i64, %sum: !multiloop.bucket_reduce<[!list], add : i64>):
    multiloop.emit %sum[%k : !list](%x : i64)
  }
  func.return %r : !rows
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// CHECK-LABEL: func.func @two_loops
// expected-remark @+1 {{columns stay as they are: it goes through rows that it makes}}
func.func @two_loops(%l: !rows) -> i64 {
  %g = multiloop.loop rows(%l : !rows) -> !rows {
  ^bb0(%k: !string, %x: i64, %sum: !multiloop.bucket_reduce<[!string], add : i64>):
    multiloop.emit %sum[%k : !string](%x : i64)
  }
  %r = multiloop.loop rows(%g : !rows) -> i64 {
  ^bb0(%k: !string, %x: i64, %most: !multiloop.reduce<max : i64>):
    multiloop.emit %most(%x : i64)
  }
  func.return %r : i64
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// CHECK-LABEL: func.func @looks_in_rows_it_makes
// expected-remark @+1 {{columns stay as they are: it looks for rows among those that it makes}}
func.func @looks_in_rows_it_makes(%l: !rows) -> i64 {
  %g = multiloop.loop rows(%l : !rows) -> !rows {
  ^bb0(%k: !string, %x: i64, %sum: !multiloop.bucket_reduce<[!string], add : i64>):
    multiloop.emit %sum[%k : !string](%x : i64)
  }
  %r = multiloop.loop rows(%l : !rows) -> i64 {
  ^bb0(%k: !string, %x: i64, %sum: !multiloop.reduce<add : i64>):
    multiloop.loop matches[0](%g, %k : !rows, !string) {
    ^bb1(%j: !string, %y: i64):
      multiloop.emit %sum(%y : i64)
    }
  }
  func.return %r : i64
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// CHECK-LABEL: func.func @returns_rows
// expected-remark @+1 {{columns stay as they are: func.return is no loop}}
func.func @returns_rows(%l: !rows) -> (!rows, i64) {
  %r = multiloop.loop rows(%l : !rows) -> i64 {
  ^bb0(%k: !string, %x: i64, %most: !multiloop.reduce<max : i64>):
    multiloop.emit %most(%x : i64)
  }
  func.return %l, %r : !rows, i64
}

// -----

!string = !comprehension.string
!list = !comprehension.bag<!string>
!rows = !comprehension.bag<!list>

// CHECK-LABEL: func.func @strings_of_lists
// expected-remark @+1 {{columns stay as they are: values of type !comprehension.string are made}}
func.func @strings_of_lists(%l: !rows) -> !rows {
  %r = multiloop.loop rows(%l : !rows) -> !rows {
  ^bb0(%xs: !list, %all: !multiloop.collect<!list>):
    %same = multiloop.loop rows(%xs : !list) -> !list {
    ^bb1(%x: !string, %kept: !multiloop.collect<!string>):
      multiloop.emit %kept(%x : !string)
    }
    multiloop.emit %all(%same : !list)
  }
  func.return %r : !rows
}
