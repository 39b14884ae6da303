// Scans: every element combined with all that come before it along one dimension of an array.
//
// An array in C order is lines of %count rows of %width elements. The rows of line l begin at
// l * %stride + %first, and lie %step elements apart: a negative step scans from the end. `scan_…`
// goes through the columns from %left to %right of the lines from %begin to %end, and begins each
// of them with what %carry has for it. `fold_…` combines the elements from %begin to %end in any
// order.

func.func @scan_add_f64(%array: memref<?xf64>, %result: memref<?xf64>, %carry: memref<?xf64>,
                     %stride: index, %first: index, %step: index, %count: index, %width: index,
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
      %initial = memref.load %carry[%before] : memref<?xf64>
      %from = arith.addi %start, %left : index
      %total = scf.for %k = %zero to %count step %one iter_args(%held = %initial) -> (f64) {
        %distance = arith.muli %k, %step : index
        %at = arith.addi %from, %distance : index
        %x = memref.load %array[%at] : memref<?xf64>
        %sum = arith.addf %held, %x : f64
        memref.store %sum, %result[%at] : memref<?xf64>
        scf.yield %sum : f64
      }
    } else {
      scf.for %c = %left to %right step %one {
        %before = arith.addi %place, %c : index
        %initial = memref.load %carry[%before] : memref<?xf64>
        %at = arith.addi %start, %c : index
        %x = memref.load %array[%at] : memref<?xf64>
        %sum = arith.addf %initial, %x : f64
        memref.store %sum, %result[%at] : memref<?xf64>
      }
      scf.for %k = %one to %count step %one {
        %distance = arith.muli %k, %step : index
        %row = arith.addi %start, %distance : index
        %above = arith.subi %row, %step : index
        scf.for %c = %left to %right step %one {
          %at = arith.addi %row, %c : index
          %over = arith.addi %above, %c : index
          %held = memref.load %result[%over] : memref<?xf64>
          %x = memref.load %array[%at] : memref<?xf64>
          %sum = arith.addf %held, %x : f64
          memref.store %sum, %result[%at] : memref<?xf64>
        }
      }
    }
  }
  func.return
}

func.func @fold_add_f64(%array: memref<?xf64>, %result: memref<f64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %identity = arith.constant 0.0 : f64
  %total = scf.for %k = %begin to %end step %one iter_args(%held = %identity) -> (f64) {
    %x = memref.load %array[%k] : memref<?xf64>
    %next = arith.addf %held, %x fastmath<reassoc,contract> : f64
    scf.yield %next : f64
  }
  memref.store %total, %result[] : memref<f64>
  func.return
}

func.func @scan_min_f64(%array: memref<?xf64>, %result: memref<?xf64>, %carry: memref<?xf64>,
                     %stride: index, %first: index, %step: index, %count: index, %width: index,
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
      %initial = memref.load %carry[%before] : memref<?xf64>
      %from = arith.addi %start, %left : index
      %total = scf.for %k = %zero to %count step %one iter_args(%held = %initial) -> (f64) {
        %distance = arith.muli %k, %step : index
        %at = arith.addi %from, %distance : index
        %x = memref.load %array[%at] : memref<?xf64>
        %sum = arith.minimumf %held, %x : f64
        memref.store %sum, %result[%at] : memref<?xf64>
        scf.yield %sum : f64
      }
    } else {
      scf.for %c = %left to %right step %one {
        %before = arith.addi %place, %c : index
        %initial = memref.load %carry[%before] : memref<?xf64>
        %at = arith.addi %start, %c : index
        %x = memref.load %array[%at] : memref<?xf64>
        %sum = arith.minimumf %initial, %x : f64
        memref.store %sum, %result[%at] : memref<?xf64>
      }
      scf.for %k = %one to %count step %one {
        %distance = arith.muli %k, %step : index
        %row = arith.addi %start, %distance : index
        %above = arith.subi %row, %step : index
        scf.for %c = %left to %right step %one {
          %at = arith.addi %row, %c : index
          %over = arith.addi %above, %c : index
          %held = memref.load %result[%over] : memref<?xf64>
          %x = memref.load %array[%at] : memref<?xf64>
          %sum = arith.minimumf %held, %x : f64
          memref.store %sum, %result[%at] : memref<?xf64>
        }
      }
    }
  }
  func.return
}

func.func @fold_min_f64(%array: memref<?xf64>, %result: memref<f64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %identity = arith.constant 0x7FF0000000000000 : f64
  %total = scf.for %k = %begin to %end step %one iter_args(%held = %identity) -> (f64) {
    %x = memref.load %array[%k] : memref<?xf64>
    %next = arith.minimumf %held, %x : f64
    scf.yield %next : f64
  }
  memref.store %total, %result[] : memref<f64>
  func.return
}

func.func @scan_max_f64(%array: memref<?xf64>, %result: memref<?xf64>, %carry: memref<?xf64>,
                     %stride: index, %first: index, %step: index, %count: index, %width: index,
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
      %initial = memref.load %carry[%before] : memref<?xf64>
      %from = arith.addi %start, %left : index
      %total = scf.for %k = %zero to %count step %one iter_args(%held = %initial) -> (f64) {
        %distance = arith.muli %k, %step : index
        %at = arith.addi %from, %distance : index
        %x = memref.load %array[%at] : memref<?xf64>
        %sum = arith.maximumf %held, %x : f64
        memref.store %sum, %result[%at] : memref<?xf64>
        scf.yield %sum : f64
      }
    } else {
      scf.for %c = %left to %right step %one {
        %before = arith.addi %place, %c : index
        %initial = memref.load %carry[%before] : memref<?xf64>
        %at = arith.addi %start, %c : index
        %x = memref.load %array[%at] : memref<?xf64>
        %sum = arith.maximumf %initial, %x : f64
        memref.store %sum, %result[%at] : memref<?xf64>
      }
      scf.for %k = %one to %count step %one {
        %distance = arith.muli %k, %step : index
        %row = arith.addi %start, %distance : index
        %above = arith.subi %row, %step : index
        scf.for %c = %left to %right step %one {
          %at = arith.addi %row, %c : index
          %over = arith.addi %above, %c : index
          %held = memref.load %result[%over] : memref<?xf64>
          %x = memref.load %array[%at] : memref<?xf64>
          %sum = arith.maximumf %held, %x : f64
          memref.store %sum, %result[%at] : memref<?xf64>
        }
      }
    }
  }
  func.return
}

func.func @fold_max_f64(%array: memref<?xf64>, %result: memref<f64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %identity = arith.constant 0xFFF0000000000000 : f64
  %total = scf.for %k = %begin to %end step %one iter_args(%held = %identity) -> (f64) {
    %x = memref.load %array[%k] : memref<?xf64>
    %next = arith.maximumf %held, %x : f64
    scf.yield %next : f64
  }
  memref.store %total, %result[] : memref<f64>
  func.return
}

func.func @scan_add_i64(%array: memref<?xi64>, %result: memref<?xi64>, %carry: memref<?xi64>,
                     %stride: index, %first: index, %step: index, %count: index, %width: index,
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
      %initial = memref.load %carry[%before] : memref<?xi64>
      %from = arith.addi %start, %left : index
      %total = scf.for %k = %zero to %count step %one iter_args(%held = %initial) -> (i64) {
        %distance = arith.muli %k, %step : index
        %at = arith.addi %from, %distance : index
        %x = memref.load %array[%at] : memref<?xi64>
        %sum = arith.addi %held, %x : i64
        memref.store %sum, %result[%at] : memref<?xi64>
        scf.yield %sum : i64
      }
    } else {
      scf.for %c = %left to %right step %one {
        %before = arith.addi %place, %c : index
        %initial = memref.load %carry[%before] : memref<?xi64>
        %at = arith.addi %start, %c : index
        %x = memref.load %array[%at] : memref<?xi64>
        %sum = arith.addi %initial, %x : i64
        memref.store %sum, %result[%at] : memref<?xi64>
      }
      scf.for %k = %one to %count step %one {
        %distance = arith.muli %k, %step : index
        %row = arith.addi %start, %distance : index
        %above = arith.subi %row, %step : index
        scf.for %c = %left to %right step %one {
          %at = arith.addi %row, %c : index
          %over = arith.addi %above, %c : index
          %held = memref.load %result[%over] : memref<?xi64>
          %x = memref.load %array[%at] : memref<?xi64>
          %sum = arith.addi %held, %x : i64
          memref.store %sum, %result[%at] : memref<?xi64>
        }
      }
    }
  }
  func.return
}

func.func @fold_add_i64(%array: memref<?xi64>, %result: memref<i64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %identity = arith.constant 0 : i64
  %total = scf.for %k = %begin to %end step %one iter_args(%held = %identity) -> (i64) {
    %x = memref.load %array[%k] : memref<?xi64>
    %next = arith.addi %held, %x : i64
    scf.yield %next : i64
  }
  memref.store %total, %result[] : memref<i64>
  func.return
}

func.func @scan_min_i64(%array: memref<?xi64>, %result: memref<?xi64>, %carry: memref<?xi64>,
                     %stride: index, %first: index, %step: index, %count: index, %width: index,
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
      %initial = memref.load %carry[%before] : memref<?xi64>
      %from = arith.addi %start, %left : index
      %total = scf.for %k = %zero to %count step %one iter_args(%held = %initial) -> (i64) {
        %distance = arith.muli %k, %step : index
        %at = arith.addi %from, %distance : index
        %x = memref.load %array[%at] : memref<?xi64>
        %sum = arith.minsi %held, %x : i64
        memref.store %sum, %result[%at] : memref<?xi64>
        scf.yield %sum : i64
      }
    } else {
      scf.for %c = %left to %right step %one {
        %before = arith.addi %place, %c : index
        %initial = memref.load %carry[%before] : memref<?xi64>
        %at = arith.addi %start, %c : index
        %x = memref.load %array[%at] : memref<?xi64>
        %sum = arith.minsi %initial, %x : i64
        memref.store %sum, %result[%at] : memref<?xi64>
      }
      scf.for %k = %one to %count step %one {
        %distance = arith.muli %k, %step : index
        %row = arith.addi %start, %distance : index
        %above = arith.subi %row, %step : index
        scf.for %c = %left to %right step %one {
          %at = arith.addi %row, %c : index
          %over = arith.addi %above, %c : index
          %held = memref.load %result[%over] : memref<?xi64>
          %x = memref.load %array[%at] : memref<?xi64>
          %sum = arith.minsi %held, %x : i64
          memref.store %sum, %result[%at] : memref<?xi64>
        }
      }
    }
  }
  func.return
}

func.func @fold_min_i64(%array: memref<?xi64>, %result: memref<i64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %identity = arith.constant 9223372036854775807 : i64
  %total = scf.for %k = %begin to %end step %one iter_args(%held = %identity) -> (i64) {
    %x = memref.load %array[%k] : memref<?xi64>
    %next = arith.minsi %held, %x : i64
    scf.yield %next : i64
  }
  memref.store %total, %result[] : memref<i64>
  func.return
}

func.func @scan_max_i64(%array: memref<?xi64>, %result: memref<?xi64>, %carry: memref<?xi64>,
                     %stride: index, %first: index, %step: index, %count: index, %width: index,
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
      %initial = memref.load %carry[%before] : memref<?xi64>
      %from = arith.addi %start, %left : index
      %total = scf.for %k = %zero to %count step %one iter_args(%held = %initial) -> (i64) {
        %distance = arith.muli %k, %step : index
        %at = arith.addi %from, %distance : index
        %x = memref.load %array[%at] : memref<?xi64>
        %sum = arith.maxsi %held, %x : i64
        memref.store %sum, %result[%at] : memref<?xi64>
        scf.yield %sum : i64
      }
    } else {
      scf.for %c = %left to %right step %one {
        %before = arith.addi %place, %c : index
        %initial = memref.load %carry[%before] : memref<?xi64>
        %at = arith.addi %start, %c : index
        %x = memref.load %array[%at] : memref<?xi64>
        %sum = arith.maxsi %initial, %x : i64
        memref.store %sum, %result[%at] : memref<?xi64>
      }
      scf.for %k = %one to %count step %one {
        %distance = arith.muli %k, %step : index
        %row = arith.addi %start, %distance : index
        %above = arith.subi %row, %step : index
        scf.for %c = %left to %right step %one {
          %at = arith.addi %row, %c : index
          %over = arith.addi %above, %c : index
          %held = memref.load %result[%over] : memref<?xi64>
          %x = memref.load %array[%at] : memref<?xi64>
          %sum = arith.maxsi %held, %x : i64
          memref.store %sum, %result[%at] : memref<?xi64>
        }
      }
    }
  }
  func.return
}

func.func @fold_max_i64(%array: memref<?xi64>, %result: memref<i64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %identity = arith.constant -9223372036854775808 : i64
  %total = scf.for %k = %begin to %end step %one iter_args(%held = %identity) -> (i64) {
    %x = memref.load %array[%k] : memref<?xi64>
    %next = arith.maxsi %held, %x : i64
    scf.yield %next : i64
  }
  memref.store %total, %result[] : memref<i64>
  func.return
}
