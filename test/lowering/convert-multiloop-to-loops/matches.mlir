// Rows that match a key are found in chains, of which a caller says where that of an integer begins;
// rows that match any number of others are taken back
// where there is no room for what they emit.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize | filecheck %s
// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize,convert-kernel-to-llvm | filecheck %s --check-prefix=LLVM
// RUN: diablo-opt %s -p convert-multiloop-to-loops --remarks 2>&1 | filecheck %s --check-prefix=REMARK

!pairs = !comprehension.bag<i64, f64>

// LLVM-DAG: llvm.func @sum
// LLVM:      llvm.call_intrinsic "llvm.prefetch.p0"({{.+}}) : (!llvm.ptr, i32, i32, i32)
// LLVM-DAG: llvm.func @all
// LLVM-DAG: llvm.func @numbers

// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %heads: memref<?xi32>, %next: memref<?xi32>, %base: i64, %factor: i64, %by: i64, %result: memref<f64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index, %build: i1)
// With a shift of 0 all rows of a chain have the same key.
// CHECK:         %exact = arith.cmpi eq, %by, {{.+}} : i64
// The last row comes into the chains first; one before others is a number below the empty one.
// CHECK:         [[COUNT:%.+]] = arith.select %build, %length_1, {{.+}} : index
// CHECK:         scf.for [[N:%.+]] = {{.+}} to [[COUNT]]
// CHECK-NEXT:      %row = arith.subi {{.+}}, [[N]] : index
// CHECK:           [[LEFT:%.+]] = arith.subi {{.+}}, %base : i64
// CHECK-NEXT:      [[HASH:%.+]] = arith.muli [[LEFT]], %factor : i64
// CHECK-NEXT:      arith.shrui [[HASH]], %by : i64
// CHECK:           [[OLD:%.+]] = memref.load %heads[%place]
// CHECK-NEXT:      memref.store [[OLD]], %next[%row]
// CHECK:           [[FIRST:%.+]] = arith.cmpi eq, [[OLD]], {{.+}} : i32
// CHECK-NEXT:      [[HEAD:%.+]] = arith.select [[FIRST]],
// CHECK-NEXT:      memref.store [[HEAD]], %heads[%place]
// What is far is asked for: heads before what they lead to, and keys only where a chain has several.
// CHECK:         scf.if %far
// CHECK:           scf.for %row{{.*}} = %begin to %end
// CHECK:             %later = arith.minsi
// CHECK-NEXT:        memref.load %column[%later] : memref<?xi64>
// CHECK:             multiloop.prefetch %heads[{{.+}}] : memref<?xi32>
// CHECK:             %later{{.*}} = arith.minsi
// CHECK:             memref.load %heads[
// CHECK:             arith.maxsi
// CHECK:             multiloop.prefetch %column_{{.}}[{{.+}}] : memref<?xf64>
// CHECK:             [[HASHED:%.+]] = arith.xori %exact
// CHECK-NEXT:        scf.if [[HASHED]] {
// CHECK-NEXT:          multiloop.prefetch %column_{{.}}[{{.+}}] : memref<?xi64>
// CHECK-NEXT:        }
// CHECK:             scf.while
// What is near is not.
// CHECK:           scf.for %row{{.*}} = %begin to %end
// CHECK-NOT:         multiloop.prefetch
// CHECK:           [[INSIDE:%.+]] = arith.cmpi ult, %place{{.*}}, {{.+}} : index
// CHECK:           arith.select [[INSIDE]],
// CHECK:           scf.while
// CHECK:             arith.cmpi ne
// CHECK:             scf.condition
// CHECK:             [[FOLLOWED:%.+]] = arith.cmpi slt
// CHECK:             %match{{.*}} = arith.index_cast
// CHECK-NEXT:        [[SAME:%.+]] = scf.if %exact
// CHECK:               arith.cmpi eq
// CHECK:             scf.if [[SAME]] {
// CHECK:               arith.mulf
// CHECK:             scf.if [[FOLLOWED]] -> (i32) {
// CHECK-NEXT:          memref.load %next[%match{{.*}}]
func.func @sum(%L: !pairs, %M: !pairs) -> f64 {
  %s = multiloop.loop rows(%L : !pairs) -> f64 {
  ^bb0(%k: i64, %x: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.loop matches[0](%M, %k : !pairs, i64) {
    ^bb1(%j: i64, %y: f64):
      %p = arith.mulf %x, %y : f64
      multiloop.emit %sum(%p : f64)
    }
  }
  func.return %s : f64
}

// CHECK-LABEL: func.func @all(
// CHECK:         scf.while ([[ROW:%.+]] = %begin, [[OK:%.+]] = {{.+}}) : (index, i1) -> index {
// CHECK:           %row{{.*}}: index
// CHECK:           [[BEFORE:%.+]] = memref.load %count
// CHECK:             [[SIZE:%.+]] = memref.dim %column
// CHECK:             [[ROOM:%.+]] = arith.cmpi slt, {{.+}}, [[SIZE]]
// CHECK-NEXT:        scf.if [[ROOM]] {
// CHECK-NEXT:          memref.store
// CHECK:           [[OVER:%.+]] = arith.cmpi slt, {{.+}} : index
// CHECK:           scf.if [[OVER]] {
// CHECK-NEXT:        memref.store [[BEFORE]], %count
// CHECK:           [[NEXT:%.+]] = arith.select [[OVER]], %row{{.*}}, {{.+}} : index
// CHECK:           scf.yield [[NEXT]], {{.+}} : index, i1
func.func @all(%L: !pairs, %M: !pairs) -> !comprehension.bag<f64, f64> {
  %s = multiloop.loop rows(%L : !pairs) -> !comprehension.bag<f64, f64> {
  ^bb0(%k: i64, %x: f64, %some: !multiloop.collect<f64, f64>):
    multiloop.loop matches[0](%M, %k : !pairs, i64) {
    ^bb1(%j: i64, %y: f64):
      multiloop.emit %some(%x, %y : f64, f64)
    }
  }
  func.return %s : !comprehension.bag<f64, f64>
}

// What later rows look for is not known where it is computed.
// CHECK-LABEL: func.func @computed(
// CHECK-NOT:     multiloop.prefetch
// CHECK:         func.return
func.func @computed(%L: !pairs, %M: !pairs) -> f64 {
  %s = multiloop.loop rows(%L : !pairs) -> f64 {
  ^bb0(%k: i64, %x: f64, %sum: !multiloop.reduce<add : f64>):
    %next = arith.addi %k, %k : i64
    multiloop.loop matches[0](%M, %next : !pairs, i64) {
    ^bb1(%j: i64, %y: f64):
      multiloop.emit %sum(%y : f64)
    }
  }
  func.return %s : f64
}

// A row whose key is NaN is in no chain.
// CHECK-LABEL: func.func @numbers(
// CHECK-NOT:     %base
// CHECK:         [[NUMBER:%.+]] = arith.cmpf ord, [[KEY:%.+]], [[KEY]] : f64
// CHECK-NEXT:    scf.if [[NUMBER]] {
// CHECK:           memref.store {{.+}}, %next
func.func @numbers(%L: !pairs, %M: !pairs) -> f64 {
  %s = multiloop.loop rows(%L : !pairs) -> f64 {
  ^bb0(%k: i64, %x: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.loop matches[1](%M, %x : !pairs, f64) {
    ^bb1(%j: i64, %y: f64):
      multiloop.emit %sum(%y : f64)
    }
  }
  func.return %s : f64
}

// REMARK: remark: no loops over buffers: rows with emits of a number of their own fill buckets
// CHECK-LABEL: func.func @groups(
// CHECK:         multiloop.loop matches
func.func @groups(%L: !pairs, %M: !pairs) -> !pairs {
  %s = multiloop.loop rows(%L : !pairs) -> !pairs {
  ^bb0(%k: i64, %x: f64, %sums: !multiloop.bucket_reduce<[i64], add : f64>):
    multiloop.loop matches[0](%M, %k : !pairs, i64) {
    ^bb1(%j: i64, %y: f64):
      multiloop.emit %sums[%k : i64](%y : f64)
    }
  }
  func.return %s : !pairs
}
