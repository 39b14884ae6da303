// The positions of the bits that are set in %count words of 64, lowest first.

func.func @set_bits(%words: memref<?xi64>, %count: index, %out: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %six = arith.constant 6 : index
  %none = arith.constant 0 : i64
  %all_ones = arith.constant -1 : i64
  %total = scf.for %w = %zero to %count step %one iter_args(%k = %zero) -> (index) {
    %word = memref.load %words[%w] : memref<?xi64>
    %base = arith.shli %w, %six : index
    %rest, %k_end = scf.while (%left = %word, %j = %k) : (i64, index) -> (i64, index) {
      %some = arith.cmpi ne, %left, %none : i64
      scf.condition(%some) %left, %j : i64, index
    } do {
    ^bb0(%left: i64, %j: index):
      %lowest = math.cttz %left : i64
      %within = arith.index_cast %lowest : i64 to index
      %position = arith.ori %base, %within : index
      memref.store %position, %out[%j] : memref<?xindex>
      %j_next = arith.addi %j, %one : index
      %less = arith.addi %left, %all_ones : i64
      %others = arith.andi %left, %less : i64
      scf.yield %others, %j_next : i64, index
    }
    scf.yield %k_end : index
  }
  func.return
}
