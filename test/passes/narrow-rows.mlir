// RUN: diablo-opt %s -p narrow-rows | filecheck %s

!string = !comprehension.string
!words = !comprehension.bag<!string>

// Lines and what was computed of them alone go away before the words are listed and tested.
// CHECK-LABEL: func.func @words
// CHECK-NEXT:    %[[SPLIT:.*]] = tensor_block.extend %lines : {{.*}} -> !comprehension.bag<!comprehension.string, !comprehension.bag<!comprehension.string>> {
// CHECK-NEXT:    ^bb0(%line: !comprehension.string):
// CHECK-NEXT:      "split"
// CHECK-NEXT:      tensor_block.yield
// CHECK:         %[[PIECES:.*]] = tensor_block.project %[[SPLIT]][1]
// CHECK-NEXT:    %[[ALL:.*]] = tensor_block.unnest %[[PIECES]][0]
// CHECK-NEXT:    %[[WORDS:.*]] = tensor_block.project %[[ALL]][1]
// CHECK-NEXT:    %[[SOME:.*]] = tensor_block.filter %[[WORDS]]
// CHECK-NEXT:    ^bb0(%w: !comprehension.string):
// CHECK:         func.return
func.func @words(%lines: !words, %space: !string) -> !words {
  %1 = tensor_block.extend %lines : !words -> !comprehension.bag<!string, !string, !words> {
  ^bb0(%line: !string):
    %upper = comprehension.string_call "upper"(%line) : (!string) -> !string
    %split = comprehension.string_call "split"(%line, %space) : (!string, !string) -> !words
    tensor_block.yield %upper, %split : !string, !words
  }
  %2 = tensor_block.unnest %1[2] : !comprehension.bag<!string, !string, !words> -> !comprehension.bag<!string, !string, !words, !string>
  %3 = tensor_block.filter %2 : !comprehension.bag<!string, !string, !words, !string> {
  ^bb0(%a: !string, %b: !string, %c: !words, %w: !string):
    %keep = comprehension.string_call "ne"(%w, %space) : (!string, !string) -> i1
    tensor_block.yield %keep : i1
  }
  %4 = tensor_block.project %3[3] : !comprehension.bag<!string, !string, !words, !string> -> !words
  func.return %4 : !words
}

!bag = !comprehension.bag<i64, f64, i64>
!pairs = !comprehension.bag<i64, f64, i64, i64, f64, i64>

// Both sides of a join are sent with their keys and what is wanted of them only.
// CHECK-LABEL: func.func @join
// CHECK-NEXT:    %[[H:.*]] = tensor_block.project %H[0, 2]
// CHECK-NEXT:    %[[P:.*]] = tensor_block.join %G[2], %[[H]][0] outer [0 : i64, 7 : i64]
// CHECK:         tensor_block.project %[[P]][{{.*}}]
func.func @join(%G: !bag, %H: !bag) -> !bag {
  %1 = tensor_block.join %G[2], %H[0] outer [0, 1.0, 7] : !bag, !bag -> !pairs
  %2 = tensor_block.project %1[0, 1, 5] : !pairs -> !bag
  func.return %2 : !bag
}

// CHECK-LABEL: func.func @others
// CHECK-NEXT:    %[[A:.*]] = tensor_block.project %G[2]
// CHECK-NEXT:    %[[B:.*]] = tensor_block.number %[[A]]
// CHECK-NEXT:    %[[C:.*]] = tensor_block.lookup %[[B]][0] in %V probe
// CHECK-NEXT:    %[[R:.*]] = tensor_block.project %[[C]][1, 2]
// CHECK-NEXT:    %[[D:.*]] = tensor_block.expand %[[R]]
// CHECK-NEXT:    ^bb0(%{{[^,]*}}: i64, %{{[^,]*}}: f64):
// CHECK:         %[[E:.*]] = tensor_block.project %[[D]][0, 1]
// CHECK-NEXT:    %[[F:.*]] = tensor_block.group_reduce %[[E]] keys 1 monoids(add)
// CHECK-NEXT:    func.return %[[F]]
func.func @others(%G: !comprehension.bag<i64, f64, index>, %V: tensor<?xf64>, %n: index) -> !comprehension.bag<i64, f64> {
  %1 = tensor_block.number %G : !comprehension.bag<i64, f64, index> -> !comprehension.bag<i64, f64, index, i64>
  %2 = tensor_block.lookup %1[2] in %V probe : !comprehension.bag<i64, f64, index, i64>, tensor<?xf64> -> !comprehension.bag<i64, f64, index, i64, f64, i1>
  %3 = tensor_block.expand %2 : !comprehension.bag<i64, f64, index, i64, f64, i1> -> !comprehension.bag<i64, f64, index, i64, f64, i1, index> {
  ^bb0(%a: i64, %b: f64, %c: index, %d: i64, %e: f64, %f: i1):
    tensor_block.yield %n, %n : index, index
  }
  %4 = tensor_block.project %3[3, 4, 1] : !comprehension.bag<i64, f64, index, i64, f64, i1, index> -> !comprehension.bag<i64, f64, f64>
  %5 = tensor_block.group_reduce %4 keys 1 monoids(add, max) : !comprehension.bag<i64, f64, f64>
  %6 = tensor_block.project %5[0, 1] : !comprehension.bag<i64, f64, f64> -> !comprehension.bag<i64, f64>
  func.return %6 : !comprehension.bag<i64, f64>
}

// Held back: the rows are read elsewhere too, or every column is.
// CHECK-LABEL: func.func @held_back
// CHECK-NEXT:    %[[A:.*]] = tensor_block.number %G :
// CHECK-NEXT:    %[[B:.*]] = tensor_block.project %[[A]][3]
// CHECK-NEXT:    %[[C:.*]] = tensor_block.number %[[B]] :
// CHECK-NEXT:    %[[D:.*]] = tensor_block.project %[[C]][1, 0]
// CHECK-NEXT:    func.return %[[A]], %[[D]]
func.func @held_back(%G: !bag) -> (!comprehension.bag<i64, f64, i64, i64>, !comprehension.bag<i64, i64>) {
  %1 = tensor_block.number %G : !bag -> !comprehension.bag<i64, f64, i64, i64>
  %2 = tensor_block.project %1[3] : !comprehension.bag<i64, f64, i64, i64> -> !comprehension.bag<i64>
  %3 = tensor_block.number %2 : !comprehension.bag<i64> -> !comprehension.bag<i64, i64>
  %4 = tensor_block.project %3[1, 0] : !comprehension.bag<i64, i64> -> !comprehension.bag<i64, i64>
  func.return %1, %4 : !comprehension.bag<i64, f64, i64, i64>, !comprehension.bag<i64, i64>
}

// The columns that say which row of a group is kept are read, others that are kept with it are not.
// CHECK-LABEL: func.func @places
// CHECK-NEXT:    %[[A:.*]] = tensor_block.project %G[0, 1, 3]
// CHECK-NEXT:    %[[B:.*]] = tensor_block.group_reduce %[[A]] keys 1 monoids(place, any)
// CHECK-NEXT:    tensor_block.project %[[B]][0, 2]
func.func @places(%G: !comprehension.bag<i64, index, f64, f64>) -> !comprehension.bag<i64, f64> {
  %1 = tensor_block.group_reduce %G keys 1 monoids(place, any, any) : !comprehension.bag<i64, index, f64, f64>
  %2 = tensor_block.project %1[0, 3] : !comprehension.bag<i64, index, f64, f64> -> !comprehension.bag<i64, f64>
  func.return %2 : !comprehension.bag<i64, f64>
}

// What nobody reads of a window is not found, and columns that it does not read are not sent to it;
// one of which nothing is read goes away.
// CHECK-LABEL: func.func @windows
// CHECK-NEXT:    %[[FEW:.*]] = tensor_block.project %rows[0, 2]
// CHECK-NEXT:    %[[FOUND:.*]] = tensor_block.window %[[FEW]] keys [0] by [] functions [shift 1 by %n] : !comprehension.bag<i64, i64> -> !comprehension.bag<i64, i64, i64, i1>
// CHECK-NEXT:    %[[SOME:.*]] = tensor_block.project %[[FOUND]][2]
// CHECK-NEXT:    %[[ALONE:.*]] = tensor_block.project %rows[1]
// CHECK-NEXT:    func.return %[[SOME]], %[[ALONE]]
func.func @windows(%rows: !bag, %n: index) -> (!comprehension.bag<i64>, !comprehension.bag<f64>) {
  %1 = tensor_block.window %rows keys [0] by [] functions [scan add 1, shift 2 by %n, number] : !bag -> !comprehension.bag<i64, f64, i64, f64, i64, i1, i64>
  %2 = tensor_block.project %1[4] : !comprehension.bag<i64, f64, i64, f64, i64, i1, i64> -> !comprehension.bag<i64>
  %3 = tensor_block.window %rows keys [0] by [2] functions [number] : !bag -> !comprehension.bag<i64, f64, i64, i64>
  %4 = tensor_block.project %3[1] : !comprehension.bag<i64, f64, i64, i64> -> !comprehension.bag<f64>
  func.return %2, %4 : !comprehension.bag<i64>, !comprehension.bag<f64>
}

// A quantile of a column that moves stays one, of that column, with its interpolation.
// CHECK-LABEL: func.func @quantiles
// CHECK-NEXT:    %[[FEW:.*]] = tensor_block.project %rows[1, 2]
// CHECK-NEXT:    tensor_block.window %[[FEW]] keys [1] by [] functions [quantile lower 0 at %q] : !comprehension.bag<f64, i64> -> !comprehension.bag<f64, i64, f64>
func.func @quantiles(%rows: !bag, %q: f64) -> !comprehension.bag<f64> {
  %1 = tensor_block.window %rows keys [2] by [] functions [quantile lower 1 at %q, number] : !bag -> !comprehension.bag<i64, f64, i64, f64, i64>
  %2 = tensor_block.project %1[3] : !comprehension.bag<i64, f64, i64, f64, i64> -> !comprehension.bag<f64>
  func.return %2 : !comprehension.bag<f64>
}
