// The spellings of a pipeline: MLIR's, with anchors and options, and the plain list.
// RUN: diablo-opt %s --pass-pipeline='builtin.module(canonicalize,func.func(cse))' | filecheck %s
// RUN: diablo-opt %s --pass-pipeline='builtin.module(func.func(canonicalize,cse))' | filecheck %s
// RUN: diablo-opt %s -p canonicalize,cse | filecheck %s
// RUN: diablo-opt %s -p 'canonicalize, func.func(cse)' | filecheck %s
// RUN: diablo-opt %s -p 'builtin.module(canonicalize, any(cse))' | filecheck %s
// RUN: diablo-opt %s --pass-pipeline='builtin.module()' | filecheck %s --check-prefix=NONE
// RUN: not diablo-opt %s --pass-pipeline='builtin.module(mlir-opt{executable="x,(y)" generic=false arguments="-a","-b"})' 2>&1 | filecheck %s --check-prefix=OPTIONS
// RUN: cat %s | diablo-opt - -p canonicalize,cse | filecheck %s
// RUN: cat %s | diablo-opt -f mlir -p canonicalize,cse -o %t && filecheck %s < %t

// CHECK-LABEL: func.func @twice
// CHECK-NEXT:    %[[V:.*]] = arith.addi %a, %b : i64
// CHECK-NEXT:    func.return %[[V]], %[[V]] : i64, i64
// NONE:          arith.constant
// NONE-COUNT-2:  arith.addi
// OPTIONS:       pass 'mlir-opt': {{.*}}x,(y) is not available
func.func @twice(%a: i64, %b: i64) -> (i64, i64) {
  %unused = arith.constant 7 : i64
  %x = arith.addi %a, %b : i64
  %y = arith.addi %a, %b : i64
  func.return %x, %y : i64, i64
}
