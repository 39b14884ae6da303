// RUN: diablo-opt %s --split-input-file | diablo-opt --split-input-file | filecheck %s
// RUN: diablo-opt %s --split-input-file --print-op-generic | diablo-opt --split-input-file | filecheck %s

// CHECK-LABEL: func.func @scans
// CHECK-NEXT:    %sums = spark.scan add %A along 1 dims(%m, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>
// CHECK-NEXT:    %least = spark.scan min %C along 0 reverse dims(%n) : !spark.rdd<[index], [tensor<?xi64>]>
func.func @scans(%A: !spark.rdd<[index, index], [tensor<?x?xf64>]>, %C: !spark.rdd<[index], [tensor<?xi64>]>, %m: index, %n: index) {
  %sums = spark.scan add %A along 1 dims(%m, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>
  %least = spark.scan min %C along 0 reverse dims(%n) : !spark.rdd<[index], [tensor<?xi64>]>
  func.return
}
