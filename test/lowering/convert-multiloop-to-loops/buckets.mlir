// Values are combined for each key: in a hash table, and in one with a place for each key.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,cse | filecheck %s

// With keys that are integers there is a table besides; as nothing else is made, a call may be told
// which part of the keys is its own.
// CHECK-LABEL: func.func @by_integer(%length: index, %column: memref<?xi64>, %column_1: memref<?xf64>, %key: memref<?xi64>, %value: memref<?xf64>, %slots: memref<?xi32>, %table: memref<?xf64>, %seen: memref<?xi1>, %base: i64, %extent: i64, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index, %part: index, %parts: index)
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %count = memref.alloca() {alignment = 8 : i64} : memref<1xindex>
// CHECK-NEXT:    scf.if %fresh {
// CHECK-NEXT:      memref.store %0, %count[%0] : memref<1xindex>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %1 = arith.constant 1 : index
// CHECK-NEXT:      %2 = memref.load %state[%1] : memref<?xindex>
// CHECK-NEXT:      memref.store %2, %count[%0] : memref<1xindex>
// CHECK-NEXT:    }
// CHECK-NEXT:    %3 = memref.dim %slots, %0 : memref<?xi32>
// CHECK-NEXT:    %4 = arith.constant 1 : index
// CHECK-NEXT:    %mask = arith.subi %3, %4 : index
// CHECK-NEXT:    %5 = arith.index_cast %3 : index to i64
// CHECK-NEXT:    %6 = math.cttz %5 : i64
// CHECK-NEXT:    %7 = arith.constant 64 : i64
// CHECK-NEXT:    %shift = arith.subi %7, %6 : i64
// CHECK-NEXT:    %8 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:    scf.for %9 = %0 to %8 step %4 {
// CHECK-NEXT:      %10 = memref.load %key[%9] : memref<?xi64>
// CHECK-NEXT:      %11 = arith.constant -7046029254386353131 : i64
// CHECK-NEXT:      %hash = arith.muli %10, %11 : i64
// CHECK-NEXT:      %12 = arith.shrui %hash, %shift : i64
// CHECK-NEXT:      %slot = arith.index_cast %12 : i64 to index
// CHECK-NEXT:      %13, %14 = scf.while (%15 = %slot) : (index) -> (index, i32) {
// CHECK-NEXT:        %16 = memref.load %slots[%15] : memref<?xi32>
// CHECK-NEXT:        %17 = arith.constant 0 : i32
// CHECK-NEXT:        %18 = arith.cmpi sge, %16, %17 : i32
// CHECK-NEXT:        scf.condition(%18) %15, %16 : index, i32
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb{{.*}}(%19: index, %20: i32):
// CHECK-NEXT:        %21 = arith.addi %19, %4 : index
// CHECK-NEXT:        %22 = arith.andi %21, %mask : index
// CHECK-NEXT:        scf.yield %22 : index
// CHECK-NEXT:      }
// CHECK-NEXT:      %23 = arith.index_cast %9 : index to i32
// CHECK-NEXT:      memref.store %23, %slots[%13] : memref<?xi32>
// CHECK-NEXT:    }
// CHECK:           scf.for %row = %45 to %46 step %4 {
// CHECK-NEXT:        %k = memref.load %column[%row] : memref<?xi64>
// CHECK-NEXT:        %x = memref.load %column_1[%row] : memref<?xf64>
// CHECK-NEXT:        %47 = arith.subi %k, %base : i64
// CHECK-NEXT:        %48 = arith.cmpi ult, %47, %extent : i64
// CHECK-NEXT:        %49 = arith.index_cast %47 : i64 to index
// CHECK-NEXT:        scf.if %48 {
// CHECK-NEXT:          %50 = memref.load %table[%49] : memref<?xf64>
// CHECK-NEXT:          %51 = arith.addf %50, %x fastmath<reassoc,contract> : f64
// CHECK-NEXT:          memref.store %51, %table[%49] : memref<?xf64>
// CHECK-NEXT:          %52 = arith.constant true
// CHECK-NEXT:          memref.store %52, %seen[%49] : memref<?xi1>
// CHECK-NEXT:        } else {
// CHECK-NEXT:          %53 = arith.constant -7046029254386353131 : i64
// CHECK-NEXT:          %hash_1 = arith.muli %k, %53 : i64
// CHECK-NEXT:          %54 = arith.constant 32 : i64
// CHECK-NEXT:          %55 = arith.constant 4294967295 : i64
// CHECK-NEXT:          %56 = arith.andi %hash_1, %55 : i64
// CHECK-NEXT:          %57 = arith.index_cast %parts : index to i64
// CHECK-NEXT:          %58 = arith.muli %56, %57 : i64
// CHECK-NEXT:          %59 = arith.shrui %58, %54 : i64
// CHECK-NEXT:          %60 = arith.index_cast %part : index to i64
// CHECK-NEXT:          %61 = arith.cmpi eq, %59, %60 : i64
// CHECK-NEXT:          scf.if %61 {
// CHECK-NEXT:            %62 = arith.shrui %hash_1, %shift : i64
// CHECK-NEXT:            %slot_1 = arith.index_cast %62 : i64 to index
// CHECK-NEXT:            %63, %64 = scf.while (%65 = %slot_1) : (index) -> (index, i32) {
// CHECK-NEXT:              %66 = memref.load %slots[%65] : memref<?xi32>
// CHECK-NEXT:              %67 = arith.constant 0 : i32
// CHECK-NEXT:              %68 = arith.cmpi sge, %66, %67 : i32
// CHECK-NEXT:              %69 = arith.maxsi %66, %67 : i32
// CHECK-NEXT:              %70 = arith.index_cast %69 : i32 to index
// CHECK-NEXT:              %71 = memref.load %key[%70] : memref<?xi64>
// CHECK-NEXT:              %72 = arith.cmpi ne, %71, %k : i64
// CHECK-NEXT:              %73 = arith.andi %68, %72 : i1
// CHECK-NEXT:              scf.condition(%73) %65, %66 : index, i32
// CHECK-NEXT:            } do {
// CHECK-NEXT:            ^bb{{.*}}(%74: index, %75: i32):
// CHECK-NEXT:              %76 = arith.addi %74, %4 : index
// CHECK-NEXT:              %77 = arith.andi %76, %mask : index
// CHECK-NEXT:              scf.yield %77 : index
// CHECK-NEXT:            }
// CHECK-NEXT:            %78 = arith.constant 0 : i32
// CHECK-NEXT:            %79 = arith.cmpi slt, %64, %78 : i32
// CHECK-NEXT:            scf.if %79 {
// CHECK-NEXT:              %80 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:              %81 = arith.index_cast %80 : index to i32
// CHECK-NEXT:              memref.store %81, %slots[%63] : memref<?xi32>
// CHECK-NEXT:              memref.store %k, %key[%80] : memref<?xi64>
// CHECK-NEXT:              memref.store %x, %value[%80] : memref<?xf64>
// CHECK-NEXT:              %82 = arith.addi %80, %4 : index
// CHECK-NEXT:              memref.store %82, %count[%0] : memref<1xindex>
// CHECK-NEXT:            } else {
// CHECK-NEXT:              %83 = arith.index_cast %64 : i32 to index
// CHECK-NEXT:              %84 = memref.load %value[%83] : memref<?xf64>
// CHECK-NEXT:              %85 = arith.addf %84, %x fastmath<reassoc,contract> : f64
// CHECK-NEXT:              memref.store %85, %value[%83] : memref<?xf64>
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %46 : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %86 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:    memref.store %86, %state[%4] : memref<?xindex>
// CHECK-NEXT:    memref.store %26, %state[%0] : memref<?xindex>
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

// The columns of a key are hashed one after the other, each extended as its type is.
// CHECK-LABEL: func.func @by_several(%length: index, %column: memref<?xui8>, %column_1: memref<?xf32>, %key: memref<?xui8>, %key_1: memref<?xf32>, %slots: memref<?xi32>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index, %part: index, %parts: index)
// CHECK:             %k = memref.load %column[%row] : memref<?xui8>
// CHECK-NEXT:        %j = memref.load %column_1[%row] : memref<?xf32>
// CHECK-NEXT:        %55 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:        %56 = arith.constant 0x7fc00000 : f32
// CHECK-NEXT:        %57 = arith.addf %j, %55 : f32
// CHECK-NEXT:        %58 = arith.cmpf uno, %j, %j : f32
// CHECK-NEXT:        %59 = arith.select %58, %56, %57 : f32
// CHECK-NEXT:        %60 = arith.extui %k : ui8 to i64
// CHECK-NEXT:        %61 = arith.bitcast %59 : f32 to i32
// CHECK-NEXT:        %62 = arith.extui %61 : i32 to i64
// CHECK-NEXT:        %63 = arith.constant -7046029254386353131 : i64
// CHECK-NEXT:        %hash_2 = arith.muli %60, %63 : i64
// CHECK-NEXT:        %64 = arith.constant 29 : i64
// CHECK-NEXT:        %65 = arith.shrui %hash_2, %64 : i64
// CHECK-NEXT:        %66 = arith.xori %hash_2, %65 : i64
// CHECK-NEXT:        %67 = arith.xori %62, %66 : i64
// CHECK-NEXT:        %hash_3 = arith.muli %67, %63 : i64
// CHECK:               %77, %78 = scf.while (%79 = %slot_1) : (index) -> (index, i32) {
// CHECK-NEXT:            %80 = memref.load %slots[%79] : memref<?xi32>
// CHECK-NEXT:            %81 = arith.constant 0 : i32
// CHECK-NEXT:            %82 = arith.cmpi sge, %80, %81 : i32
// CHECK-NEXT:            %83 = arith.maxsi %80, %81 : i32
// CHECK-NEXT:            %84 = arith.index_cast %83 : i32 to index
// CHECK-NEXT:            %85 = memref.load %key[%84] : memref<?xui8>
// CHECK-NEXT:            %86 = arith.extui %85 : ui8 to i64
// CHECK-NEXT:            %87 = arith.cmpi ne, %86, %60 : i64
// CHECK-NEXT:            %88 = memref.load %key_1[%84] : memref<?xf32>
// CHECK-NEXT:            %89 = arith.bitcast %88 : f32 to i32
// CHECK-NEXT:            %90 = arith.extui %89 : i32 to i64
// CHECK-NEXT:            %91 = arith.cmpi ne, %90, %62 : i64
// CHECK-NEXT:            %92 = arith.ori %87, %91 : i1
// CHECK-NEXT:            %93 = arith.andi %82, %92 : i1
// CHECK-NEXT:            scf.condition(%93) %79, %80 : index, i32
func.func @by_several(%rows: !comprehension.bag<ui8, f32>) -> !comprehension.bag<ui8, f32> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<ui8, f32>) -> !comprehension.bag<ui8, f32> {
  ^bb0(%k: ui8, %j: f32, %keys: !multiloop.bucket_reduce<[ui8, f32]>):
    multiloop.emit %keys[%k, %j : ui8, f32]()
  }
  func.return %r : !comprehension.bag<ui8, f32>
}

// The table of several integers has a place for each pair of them, row by row.
// CHECK-LABEL: func.func @by_integers(%length: index, %column: memref<?xui8>, %column_1: memref<?xi16>, %key: memref<?xui8>, %key_1: memref<?xi16>, %slots: memref<?xi32>, %seen: memref<?xi1>, %base: i64, %extent: i64, %base_1: i64, %extent_1: i64, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index, %part: index, %parts: index)
// CHECK:             %k = memref.load %column[%row] : memref<?xui8>
// CHECK-NEXT:        %j = memref.load %column_1[%row] : memref<?xi16>
// CHECK-NEXT:        %54 = arith.extui %k : ui8 to i64
// CHECK-NEXT:        %55 = arith.extsi %j : i16 to i64
// CHECK-NEXT:        %56 = arith.subi %54, %base : i64
// CHECK-NEXT:        %57 = arith.cmpi ult, %56, %extent : i64
// CHECK-NEXT:        %58 = arith.subi %55, %base_1 : i64
// CHECK-NEXT:        %59 = arith.cmpi ult, %58, %extent_1 : i64
// CHECK-NEXT:        %60 = arith.andi %57, %59 : i1
// CHECK-NEXT:        %61 = arith.muli %56, %extent_1 : i64
// CHECK-NEXT:        %62 = arith.addi %61, %58 : i64
// CHECK-NEXT:        %63 = arith.index_cast %62 : i64 to index
// CHECK-NEXT:        scf.if %60 {
// CHECK-NEXT:          %64 = arith.constant true
// CHECK-NEXT:          memref.store %64, %seen[%63] : memref<?xi1>
// CHECK-NEXT:        } else {
func.func @by_integers(%rows: !comprehension.bag<ui8, i16>) -> !comprehension.bag<ui8, i16> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<ui8, i16>) -> !comprehension.bag<ui8, i16> {
  ^bb0(%k: ui8, %j: i16, %keys: !multiloop.bucket_reduce<[ui8, i16]>):
    multiloop.emit %keys[%k, %j : ui8, i16]()
  }
  func.return %r : !comprehension.bag<ui8, i16>
}
