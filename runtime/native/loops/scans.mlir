// Scans: every element combined with all that come before it along one dimension of an array.
//
// An array in C order is lines of %count rows of %width elements. The rows of line l begin at
// l * %stride + %first, and lie %step elements apart: a negative step scans from the end. `scan`
// goes through the columns from %left to %right of the lines from %begin to %end, and begins each
// of them with what %carry has for it. `fold` combines the elements from %begin to %end, of which
// there is one at least, in any order.

!element = f64  // or i64
func.func private @combine(!element, !element) -> !element  // of add, min, max

func.func @scan(%array: memref<?x!element>, %result: memref<?x!element>,
                %carry: memref<?x!element>, %stride: index, %first: index, %step: index, %count: index, %width: index,
                     %begin: index, %end: index, %left: index, %right: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %next = arith.addi %left, %one : index
  %narrow = arith.cmpi eq, %next, %right : index
  scf.for %line = %begin to %end step %one {
    %offset = arith.muli %line, %stride : index
    %start = arith.addi %offset, %first : index
    %place = arith.muli %line, %width : index
    scf.if %narrow {
      %before = arith.addi %place, %left : index
      %initial = memref.load %carry[%before] : memref<?x!element>
      %from = arith.addi %start, %left : index
      %total = scf.for %k = %zero to %count step %one iter_args(%held = %initial) -> (!element) {
        %distance = arith.muli %k, %step : index
        %at = arith.addi %from, %distance : index
        %x = memref.load %array[%at] : memref<?x!element>
        %sum = func.call @combine(%held, %x) : (!element, !element) -> !element
        memref.store %sum, %result[%at] : memref<?x!element>
        scf.yield %sum : !element
      }
    } else {
      scf.for %c = %left to %right step %one {
        %before = arith.addi %place, %c : index
        %initial = memref.load %carry[%before] : memref<?x!element>
        %at = arith.addi %start, %c : index
        %x = memref.load %array[%at] : memref<?x!element>
        %sum = func.call @combine(%initial, %x) : (!element, !element) -> !element
        memref.store %sum, %result[%at] : memref<?x!element>
      }
      scf.for %k = %one to %count step %one {
        %distance = arith.muli %k, %step : index
        %row = arith.addi %start, %distance : index
        %above = arith.subi %row, %step : index
        scf.for %c = %left to %right step %one {
          %at = arith.addi %row, %c : index
          %over = arith.addi %above, %c : index
          %held = memref.load %result[%over] : memref<?x!element>
          %x = memref.load %array[%at] : memref<?x!element>
          %sum = func.call @combine(%held, %x) : (!element, !element) -> !element
          memref.store %sum, %result[%at] : memref<?x!element>
        }
      }
    }
  }
  func.return
}

func.func @fold(%array: memref<?x!element>, %result: memref<!element>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %second = arith.addi %begin, %one : index
  %first = memref.load %array[%begin] : memref<?x!element>
  %total = scf.for %k = %second to %end step %one iter_args(%held = %first) -> (!element) {
    %x = memref.load %array[%k] : memref<?x!element>
    %next = func.call @combine(%held, %x) {any_order} : (!element, !element) -> !element
    scf.yield %next : !element
  }
  memref.store %total, %result[] : memref<!element>
  func.return
}
