// Values are combined for each key: in a hash table, and in one with a place for each key.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,cse | filecheck %s

// With keys that are integers there is a table besides; as nothing else is made, a call may be told
// which part of the keys is its own.
// CHECK-LABEL: func.func @by_integer(
// CHECK-SAME:    %key: memref<?xi64>, %value: memref<?xf64>, %slots: memref<?xi32>, %table: memref<?xf64>, %seen: memref<?xi1>, %base: i64, %extent: i64, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index, %part: index, %parts: index)
// Keys of a call before are put in the new slots.
// CHECK:         [[COUNT:%.+]] = memref.load %count
// CHECK-NEXT:    scf.for [[G:%.+]] = {{.+}} to [[COUNT]]
// CHECK-NEXT:      memref.load %key{{\[}}[[G]]{{\]}}
// CHECK:           memref.store {{.+}}, %slots
// CHECK:           scf.for %row =
// CHECK:             [[BEHIND:%.+]] = arith.subi %k, %base : i64
// CHECK-NEXT:        [[INSIDE:%.+]] = arith.cmpi ult, [[BEHIND]], %extent : i64
// CHECK-NEXT:        [[PLACE:%.+]] = arith.index_cast [[BEHIND]] : i64 to index
// CHECK-NEXT:        scf.if [[INSIDE]] {
// CHECK-NEXT:          [[OLD:%.+]] = memref.load %table{{\[}}[[PLACE]]{{\]}}
// CHECK-NEXT:          [[NEW:%.+]] = arith.addf [[OLD]], %x fastmath<reassoc,contract> : f64
// CHECK-NEXT:          memref.store [[NEW]], %table{{\[}}[[PLACE]]{{\]}}
// CHECK-NEXT:          [[TRUE:%.+]] = arith.constant true
// CHECK-NEXT:          memref.store [[TRUE]], %seen{{\[}}[[PLACE]]{{\]}}
// CHECK-NEXT:        } else {
// CHECK:               [[MINE:%.+]] = arith.cmpi eq, {{.+}} : i64
// CHECK-NEXT:          scf.if [[MINE]] {
// CHECK:                 scf.while
// CHECK:                 [[EMPTY:%.+]] = arith.cmpi slt, {{.+}} : i32
// CHECK-NEXT:            scf.if [[EMPTY]] {
// CHECK:                   memref.store %k, %key
// CHECK:                   [[FIRST:%.+]] = arith.addf %identity, %x
// CHECK-NEXT:              memref.store [[FIRST]], %value
// CHECK:                 } else {
// CHECK:                   memref.load %value
// CHECK-NEXT:              arith.addf
// CHECK-NEXT:              memref.store {{.+}}, %value
// CHECK:         memref.store {{.+}}, %state
// CHECK-NEXT:    memref.store {{.+}}, %state
// CHECK-NEXT:    func.return
func.func @by_integer(%rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  ^bb0(%k: i64, %x: f64, %sum: !multiloop.bucket_reduce<[i64], add : f64>):
    multiloop.emit %sum[%k : i64](%x : f64)
  }
  func.return %r : !comprehension.bag<i64, f64>
}

// Floats have no table: one NaN stands for all, and 0.0 for -0.0. The last value stays as it is.
// CHECK-LABEL: func.func @by_float(%length: index, %column: memref<?xf64>, %column_1: memref<?xf32>, %key: memref<?xf64>, %value: memref<?xf32>, %slots: memref<?xi32>, %result: memref<f64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
// CHECK:             %k = memref.load %column[%row] : memref<?xf64>
// CHECK-NEXT:        %x = memref.load %column_1[%row] : memref<?xf32>
// CHECK-NEXT:        %49 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:        %50 = arith.constant 0x7ff8000000000000 : f64
// CHECK-NEXT:        %51 = arith.addf %k, %49 : f64
// CHECK-NEXT:        %52 = arith.cmpf uno, %k, %k : f64
// CHECK-NEXT:        %53 = arith.select %52, %50, %51 : f64
// CHECK-NEXT:        %54 = arith.bitcast %53 : f64 to i64
// CHECK-NEXT:        %55 = arith.constant -7046029254386353131 : i64
// CHECK-NEXT:        %hash_1 = arith.muli %54, %55 : i64
// CHECK-NEXT:        %56 = arith.shrui %hash_1, %shift : i64
// CHECK-NEXT:        %slot_1 = arith.index_cast %56 : i64 to index
// CHECK-NEXT:        %57, %58 = scf.while (%59 = %slot_1) : (index) -> (index, i32) {
// CHECK-NEXT:          %60 = memref.load %slots[%59] : memref<?xi32>
// CHECK-NEXT:          %61 = arith.constant 0 : i32
// CHECK-NEXT:          %62 = arith.cmpi sge, %60, %61 : i32
// CHECK-NEXT:          %63 = arith.maxsi %60, %61 : i32
// CHECK-NEXT:          %64 = arith.index_cast %63 : i32 to index
// CHECK-NEXT:          %65 = memref.load %key[%64] : memref<?xf64>
// CHECK-NEXT:          %66 = arith.bitcast %65 : f64 to i64
// CHECK-NEXT:          %67 = arith.cmpi ne, %66, %54 : i64
// CHECK-NEXT:          %68 = arith.andi %62, %67 : i1
// CHECK-NEXT:          scf.condition(%68) %59, %60 : index, i32
// CHECK-NEXT:        } do {
// CHECK-NEXT:        ^bb{{.*}}(%69: index, %70: i32):
// CHECK-NEXT:          %71 = arith.addi %69, %4 : index
// CHECK-NEXT:          %72 = arith.andi %71, %mask : index
// CHECK-NEXT:          scf.yield %72 : index
// CHECK-NEXT:        }
// CHECK-NEXT:        %73 = arith.constant 0 : i32
// CHECK-NEXT:        %74 = arith.cmpi slt, %58, %73 : i32
// CHECK-NEXT:        scf.if %74 {
// CHECK-NEXT:          %75 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:          %76 = arith.index_cast %75 : index to i32
// CHECK-NEXT:          memref.store %76, %slots[%57] : memref<?xi32>
// CHECK-NEXT:          memref.store %53, %key[%75] : memref<?xf64>
// CHECK-NEXT:          memref.store %x, %value[%75] : memref<?xf32>
// CHECK-NEXT:          %77 = arith.addi %75, %4 : index
// CHECK-NEXT:          memref.store %77, %count[%0] : memref<1xindex>
// CHECK-NEXT:        } else {
// CHECK-NEXT:          %78 = arith.index_cast %58 : i32 to index
// CHECK-NEXT:          memref.store %x, %value[%78] : memref<?xf32>
// CHECK-NEXT:        }
func.func @by_float(%rows: !comprehension.bag<f64, f32>) -> (!comprehension.bag<f64, f32>, f64) {
  %r, %t = multiloop.loop rows(%rows : !comprehension.bag<f64, f32>) -> !comprehension.bag<f64, f32>, f64 {
  ^bb0(%k: f64, %x: f32, %last: !multiloop.bucket_reduce<[f64], any : f32>, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %last[%k : f64](%x : f32)
    multiloop.emit %sum(%k : f64)
  }
  func.return %r, %t : !comprehension.bag<f64, f32>, f64
}

// The columns of a key are hashed one after the other, each extended as its type is, and count the
// rows and columns of a table.
// CHECK-LABEL: func.func @by_several(
// CHECK-SAME:    %slots: memref<?xi32>, %seen: memref<?xi1>, %base: i64, %extent: i64, %base_1: i64, %extent_1: i64, %state
// CHECK:             %k = memref.load %column[%row] : memref<?xui8>
// CHECK-NEXT:        %j = memref.load %column_1[%row] : memref<?xi16>
// CHECK-NEXT:        [[K:%.+]] = arith.extui %k : ui8 to i64
// CHECK-NEXT:        [[J:%.+]] = arith.extsi %j : i16 to i64
// CHECK-NEXT:        [[A:%.+]] = arith.subi [[K]], %base : i64
// CHECK-NEXT:        [[P:%.+]] = arith.cmpi ult, [[A]], %extent : i64
// CHECK-NEXT:        [[B:%.+]] = arith.subi [[J]], %base_1 : i64
// CHECK-NEXT:        [[Q:%.+]] = arith.cmpi ult, [[B]], %extent_1 : i64
// CHECK-NEXT:        [[INSIDE:%.+]] = arith.andi [[P]], [[Q]] : i1
// CHECK-NEXT:        [[ROW:%.+]] = arith.muli [[A]], %extent_1 : i64
// CHECK-NEXT:        [[SUM:%.+]] = arith.addi [[ROW]], [[B]] : i64
// CHECK-NEXT:        [[PLACE:%.+]] = arith.index_cast [[SUM]] : i64 to index
// CHECK-NEXT:        scf.if [[INSIDE]] {
// CHECK:               memref.store {{.+}}, %seen{{\[}}[[PLACE]]{{\]}}
// CHECK:             } else {
// CHECK:               [[FIRST:%.+]] = arith.muli [[K]], [[GOLDEN:%.+]] : i64
// CHECK:               [[HIGH:%.+]] = arith.shrui [[FIRST]], {{.+}} : i64
// CHECK-NEXT:          [[MIXED:%.+]] = arith.xori [[FIRST]], [[HIGH]] : i64
// CHECK-NEXT:          [[WORD:%.+]] = arith.xori [[J]], [[MIXED]] : i64
// CHECK-NEXT:          arith.muli [[WORD]], [[GOLDEN]] : i64
// CHECK:               scf.while
// CHECK:                 [[STORED:%.+]] = arith.extui {{.+}} : ui8 to i64
// CHECK-NEXT:            [[ONE:%.+]] = arith.cmpi ne, [[STORED]], [[K]] : i64
// CHECK:                 [[OTHER:%.+]] = arith.extsi {{.+}} : i16 to i64
// CHECK-NEXT:            [[TWO:%.+]] = arith.cmpi ne, [[OTHER]], [[J]] : i64
// CHECK-NEXT:            arith.ori [[ONE]], [[TWO]] : i1
func.func @by_several(%rows: !comprehension.bag<ui8, i16>) -> !comprehension.bag<ui8, i16> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<ui8, i16>) -> !comprehension.bag<ui8, i16> {
  ^bb0(%k: ui8, %j: i16, %keys: !multiloop.bucket_reduce<[ui8, i16]>):
    multiloop.emit %keys[%k, %j : ui8, i16]()
  }
  func.return %r : !comprehension.bag<ui8, i16>
}
