// RUN: not diablo-opt %s --pass-pipeline='builtin.module(choose-layouts{force="form = dense"})' 2>&1 | filecheck %s --check-prefix=WORD
// RUN: not diablo-opt %s --pass-pipeline='builtin.module(choose-layouts{force="A: form = auto; A: form = full"})' 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not diablo-opt %s --pass-pipeline='builtin.module(choose-layouts{force="form = auto> <"})' 2>&1 | filecheck %s --check-prefix=BRACKETS
// WORD:     error: 'form = dense' is no layout: the form of a layout is one of auto, compressed (CSR, CSC), hypersparse (DCSR, DCSC), coordinates (COO), bitmap, band (diagonal), full, got dense
// TWICE:    error: the layout of A is given twice
// BRACKETS: error: 'form = auto> <' is no layout: brackets are not part of it
func.func @nothing() {
  func.return
}
