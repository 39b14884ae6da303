// RUN: diablo-opt %s -p scan-loops,order-loops --remarks 2>&1 | filecheck %s

!array = tensor<?xf64>

// CHECK: remark: what this loop adds up and reads is a scan
// CHECK: remark: what this loop adds up is no scan: what is added depends on what the loop writes
// CHECK: remark: what this loop adds up is no scan: the loop runs in order for another reason

// What has been added up to the iteration, and what had been before it.
// CHECK-LABEL: func.func @sums
// CHECK:         %[[BEFORE:.*]] = diablo.load %s
// CHECK-NEXT:    diablo.for %i = %lo to %hi {
// CHECK:           %[[LAST:.*]] = arith.subi %i, %{{.*}} : index
// CHECK-NEXT:      %[[LESS:.*]] = comprehension.aggregate add : f64 {
// CHECK-NEXT:        comprehension.range %lo to %[[LAST]]
// CHECK:           arith.addf %[[BEFORE]], %[[LESS]] : f64
// CHECK:           diablo.accumulate add %{{.*}}, %s
// CHECK-NEXT:      %[[SUM:.*]] = comprehension.aggregate add : f64 {
// CHECK-NEXT:        %[[K:.*]] = comprehension.range %lo to %i
// CHECK-NEXT:        %[[X:.*]] = tensor.extract %x[%[[K]]]
// CHECK-NEXT:        comprehension.yield %[[X]]
// CHECK:           arith.addf %[[BEFORE]], %[[SUM]] : f64
func.func @sums(%x: !array, %p: !array, %zero: f64, %lo: index, %hi: index) {
  %s = diablo.var "s" = %zero : f64
  %P = diablo.var "P" = %p : !array
  %Q = diablo.var "Q" = %p : !array
  diablo.for ordered %i = %lo to %hi {
    %less = diablo.load %s : !diablo.ref<f64>
    diablo.store %less, %Q[%i] : !diablo.ref<!array>
    %v = tensor.extract %x[%i] : !array
    diablo.accumulate add %v, %s : !diablo.ref<f64>
    %t = diablo.load %s : !diablo.ref<f64>
    diablo.store %t, %P[%i] : !diablo.ref<!array>
  }
  func.return
}

// What is added depends on what has been stored.
// CHECK-LABEL: func.func @recurrence
// CHECK:         diablo.for ordered
// CHECK-NOT:     comprehension.aggregate
func.func @recurrence(%p: !array, %zero: f64, %lo: index, %hi: index) {
  %s = diablo.var "s" = %zero : f64
  %P = diablo.var "P" = %p : !array
  diablo.for ordered %i = %lo to %hi {
    %v = diablo.load %P[%i] : !diablo.ref<!array>
    diablo.accumulate add %v, %s : !diablo.ref<f64>
    %t = diablo.load %s : !diablo.ref<f64>
    diablo.store %t, %P[%lo] : !diablo.ref<!array>
  }
  func.return
}

// One element has the sum of the last iteration, so that the loop stays.
// CHECK-LABEL: func.func @last
// CHECK:         diablo.for ordered
// CHECK-NOT:     comprehension.aggregate
func.func @last(%x: !array, %p: !array, %zero: f64, %lo: index, %hi: index) {
  %s = diablo.var "s" = %zero : f64
  %P = diablo.var "P" = %p : !array
  diablo.for ordered %i = %lo to %hi {
    %v = tensor.extract %x[%i] : !array
    diablo.accumulate add %v, %s : !diablo.ref<f64>
    %t = diablo.load %s : !diablo.ref<f64>
    diablo.store %t, %P[%lo] : !diablo.ref<!array>
  }
  func.return
}
