// A join of rows that were not hashed before hashes them itself, or sends a short side whole. A
// hashed side that has a variable of its own, as another join reads it as well, is joined as it is.
// RUN: diablo-opt - --split-input-file -t "pyspark{llvm=false}" < %s | filecheck %s

!bag = !comprehension.bag<i64, f64>
!rows = !spark.rdd<[], [!bag]>
!hashed = !spark.rdd<[index], [!bag]>
!groups = !spark.rdd<[index], [!spark.group<!bag>, !spark.group<!bag>]>

// CHECK:      join_groups(partitions, (l, (0,), L), (m, (0,), M))
// CHECK-NOT:  cogroup(
func.func @main(%L: !bag {diablo.name = "L"}, %M: !bag {diablo.name = "M"}) -> !bag {
  %l = spark.parallelize %L : !bag -> !rows
  %m = spark.parallelize %M : !bag -> !rows
  %0 = spark.hash_rows %l[0] : !rows -> !hashed
  %1 = spark.hash_rows %m[0] : !rows -> !hashed
  %2 = spark.cogroup %0, %1 sent [0, 1] left(%L : !bag) right(%M : !bag)
      : !hashed, !hashed -> !groups
  %r = spark.map_groups @pairs(%2) indexing_maps[(d0) -> (d0), (d0) -> (d0)]
      to_keys [] : !groups -> !rows
  %s = spark.collect %r : !rows -> !bag
  func.return %s : !bag
}

func.func private @pairs(%l: !bag, %m: !bag) -> !bag {
  func.return %l : !bag
}

// -----

!bag = !comprehension.bag<i64, f64>
!rows = !spark.rdd<[], [!bag]>
!hashed = !spark.rdd<[index], [!bag]>
!groups = !spark.rdd<[index], [!spark.group<!bag>, !spark.group<!bag>]>

// CHECK-NOT:  join_groups(
// CHECK:      p = l.flatMap(hash_rows((0,), partitions))
// CHECK:      cogroup(partitions, p, m.flatMap(hash_rows((0,), partitions)))
// CHECK:      cogroup(partitions, p, m.flatMap(hash_rows((1,), partitions)))
func.func @main(%L: !bag {diablo.name = "L"}, %M: !bag {diablo.name = "M"}) -> (!bag, !bag) {
  %l = spark.parallelize %L : !bag -> !rows
  %m = spark.parallelize %M : !bag -> !rows
  %p = spark.hash_rows %l[0] : !rows -> !hashed
  %1 = spark.hash_rows %m[0] : !rows -> !hashed
  %3 = spark.hash_rows %m[1] : !rows -> !hashed
  %2 = spark.cogroup %p, %1 sent [0, 1] left(%L : !bag) right(%M : !bag)
      : !hashed, !hashed -> !groups
  %4 = spark.cogroup %p, %3 sent [0, 1] left(%L : !bag) right(%M : !bag)
      : !hashed, !hashed -> !groups
  %r = spark.map_groups @pairs(%2) indexing_maps[(d0) -> (d0), (d0) -> (d0)]
      to_keys [] : !groups -> !rows
  %t = spark.map_groups @pairs(%4) indexing_maps[(d0) -> (d0), (d0) -> (d0)]
      to_keys [] : !groups -> !rows
  %s = spark.collect %r : !rows -> !bag
  %u = spark.collect %t : !rows -> !bag
  func.return %s, %u : !bag, !bag
}

func.func private @pairs(%l: !bag, %m: !bag) -> !bag {
  func.return %l : !bag
}
