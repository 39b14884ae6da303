// Strings with any character come back as they were.
// RUN: diablo-opt %s | diablo-opt | filecheck %s

// CHECK:      %0 = comprehension.string "x\22\\\0A"
// CHECK-NEXT: %1 = comprehension.string "\E2\98\83"
// CHECK-NEXT: %2 = comprehension.string ""
%0 = comprehension.string "x\22\\\n"
%1 = comprehension.string "☃"
%2 = comprehension.string ""
