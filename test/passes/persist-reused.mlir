// RUN: diablo-opt %s -p persist-reused | filecheck %s

!tiles = !spark.rdd<[index], [tensor<?xf64>]>

// Read twice: kept. Read once, or made faster than it is read back: not; what that is cut out of
// is read in its place.
func.func @main(%n: index, %A: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %P = spark.parallelize %A : tensor<?xf64> -> !tiles
  %B = spark.map @kernel_0(%P) dims(%n) : !tiles -> !tiles
  %C = spark.map @kernel_0(%B) dims(%n) : !tiles -> !tiles
  %D = spark.map @kernel_0(%B) dims(%n) : !tiles -> !tiles
  %E = spark.crop %D dims(%n) : !tiles
  %F = spark.map @kernel_0(%E) dims(%n) : !tiles -> !tiles
  %G = spark.map @kernel_0(%E) dims(%n) : !tiles -> !tiles
  %c = spark.collect %C dims(%n) : !tiles -> tensor<?xf64>
  %f = spark.collect %F dims(%n) : !tiles -> tensor<?xf64>
  %g = spark.collect %G dims(%n) : !tiles -> tensor<?xf64>
  func.return %c, %f : tensor<?xf64>, tensor<?xf64>
}
func.func private @kernel_0(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  func.return %x : tensor<?xf64>
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %P = spark.parallelize
// CHECK-NEXT:    %B = spark.map @kernel_0(%P)
// CHECK-NEXT:    %[[B:.*]] = spark.persist %B
// CHECK-NEXT:    %C = spark.map @kernel_0(%[[B]])
// CHECK-NEXT:    %D = spark.map @kernel_0(%[[B]])
// CHECK-NEXT:    %[[D:.*]] = spark.persist %D
// CHECK-NEXT:    %E = spark.crop %[[D]]
// CHECK-NEXT:    %F = spark.map
