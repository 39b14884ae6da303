// Rows of groups are stored beside the numbers of their buckets; lists of rows lie in shared columns.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,cse | filecheck %s

!list = !comprehension.bag<f64>
!lists = !comprehension.bag<i64, !list>

// The table counts the rows of its keys, the hash table those of others, whose numbers come behind.
// CHECK-LABEL: func.func @collected(
// CHECK-SAME:    %key: memref<?xi64>, %counts: memref<?xi32>, %slots: memref<?xi32>, %counts_1: memref<?xi32>, %base: i64, %extent: i64, %emitted: memref<index>, %numbers: memref<?xi32>, %value: memref<?xf64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index, %part: index, %parts: index)
// CHECK:         [[SIZE:%.+]] = memref.dim %counts_1
// CHECK-NEXT:    %first = arith.index_cast [[SIZE]] : index to i32
// CHECK:           scf.for %row =
// CHECK:             scf.if %{{.+}} {
// CHECK-NEXT:          [[BEFORE:%.+]] = memref.load %counts_1{{\[}}[[PLACE:%.+]]{{\]}} : memref<?xi32>
// CHECK-NEXT:          [[ONE:%.+]] = arith.constant 1 : i32
// CHECK-NEXT:          [[AFTER:%.+]] = arith.addi [[BEFORE]], [[ONE]] : i32
// CHECK-NEXT:          memref.store [[AFTER]], %counts_1{{\[}}[[PLACE]]{{\]}} : memref<?xi32>
// CHECK-NEXT:          [[NUMBER:%.+]] = arith.index_cast [[PLACE]] : index to i32
// CHECK-NEXT:          [[AT:%.+]] = memref.load %emitted_1
// CHECK-NEXT:          memref.store [[NUMBER]], %numbers{{\[}}[[AT]]{{\]}} : memref<?xi32>
// CHECK-NEXT:          memref.store %x, %value{{\[}}[[AT]]{{\]}} : memref<?xf64>
// CHECK:             } else {
// CHECK:               %bucket = scf.if {{.+}} -> (i32) {
// CHECK:                 memref.store %k, %key
// CHECK:                 memref.store {{.+}}, %counts{{\[}}
// CHECK:               [[NUMBER:%.+]] = arith.addi %bucket, %first : i32
// CHECK:               memref.store [[NUMBER]], %numbers
// CHECK:         memref.store {{.+}}, %emitted[] : memref<index>
func.func @collected(%rows: !comprehension.bag<i64, f64>) -> !lists {
  %r = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !lists {
  ^bb0(%k: i64, %x: f64, %all: !multiloop.bucket_collect<[i64], f64>):
    multiloop.emit %all[%k : i64](%x : f64)
  }
  func.return %r : !lists
}

// The row says where its list begins and how long it is.
// CHECK-LABEL: func.func @own_list(
// CHECK-SAME:    %length: index, %column: memref<?xi64>, %starts: memref<?xindex>, %lengths: memref<?xindex>, %item: memref<?xf64>, %column_1: memref<?xi64>, %column_2: memref<?xf64>, %column_3: memref<?xi64>,
// CHECK:         scf.for %row = %begin to %end
// CHECK-NEXT:      %start = memref.load %starts[%row] : memref<?xindex>
// CHECK-NEXT:      %length_1 = memref.load %lengths[%row] : memref<?xindex>
// CHECK-NEXT:      %k = memref.load %column[%row] : memref<?xi64>
// CHECK:           scf.for %row_1 = %{{.+}} to %length_1 step
// CHECK-NEXT:        [[PLACE:%.+]] = arith.addi %start, %row_1 : index
// CHECK-NEXT:        %x = memref.load %item{{\[}}[[PLACE]]{{\]}} : memref<?xf64>
// CHECK:           [[LENGTH:%.+]] = arith.index_cast %length_1 : index to i64
// CHECK:           memref.store [[LENGTH]], %column_3[%row] : memref<?xi64>
func.func @own_list(%rows: !lists) -> !comprehension.bag<i64, f64, i64> {
  %r = multiloop.loop rows(%rows : !lists) -> !comprehension.bag<i64, f64, i64> {
  ^bb0(%k: i64, %xs: !list, %all: !multiloop.collect<i64, f64, i64>):
    %sum = multiloop.loop rows(%xs : !list) -> f64 {
    ^bb1(%x: f64, %total: !multiloop.reduce<add : f64>):
      multiloop.emit %total(%x : f64)
    }
    %n = comprehension.length %xs : !list
    multiloop.emit %all(%k, %sum, %n : i64, f64, i64)
  }
  func.return %r : !comprehension.bag<i64, f64, i64>
}

// A list that is made for a row begins where those before it end. A row is taken back for whose
// items there is no room.
// CHECK-LABEL: func.func @made(
// CHECK-SAME:    %starts_1: memref<?xindex>, %lengths_1: memref<?xindex>, %items: memref<index>, %item_1: memref<?xf64>,
// CHECK:         scf.while
// CHECK:           [[FIRST:%.+]] = memref.load %items_1
// CHECK:           scf.for
// CHECK:             scf.if %positive {
// CHECK:               [[SIZE:%.+]] = memref.dim %item_1
// CHECK:               [[FITS:%.+]] = arith.cmpi slt, [[AT:%.+]], [[SIZE]] : index
// CHECK-NEXT:          scf.if [[FITS]] {
// CHECK-NEXT:            memref.store %x, %item_1{{\[}}[[AT]]{{\]}} : memref<?xf64>
// CHECK:           [[LAST:%.+]] = memref.load %items_1
// CHECK:           [[LENGTH:%.+]] = arith.subi [[LAST]], [[FIRST]] : index
// CHECK-NEXT:      memref.store [[FIRST]], %starts_1[%row] : memref<?xindex>
// CHECK-NEXT:      memref.store [[LENGTH]], %lengths_1[%row] : memref<?xindex>
// CHECK:           [[OVER:%.+]] = arith.cmpi sgt, {{.+}} : index
// CHECK-NEXT:      scf.if [[OVER]] {
// CHECK-NEXT:        memref.store [[FIRST]], %items_1
// CHECK:         memref.store {{.+}}, %items[] : memref<index>
func.func @made(%rows: !comprehension.bag<!list>) -> !comprehension.bag<!list> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<!list>) -> !comprehension.bag<!list> {
  ^bb0(%xs: !list, %all: !multiloop.collect<!list>):
    %some = multiloop.loop rows(%xs : !list) -> !list {
    ^bb1(%x: f64, %kept: !multiloop.collect<f64>):
      %zero = arith.constant 0.0 : f64
      %positive = arith.cmpf ogt, %x, %zero : f64
      scf.if %positive {
        multiloop.emit %kept(%x : f64)
      }
    }
    multiloop.emit %all(%some : !list)
  }
  func.return %r : !comprehension.bag<!list>
}
