// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%A = "test.op"() : () -> tensor<?x?xf64>
// expected-error @+1 {{expected a sparse array or its tiles, got tensor<?x?xf64>}}
%B = spark.with_layout %A as <form = auto> : tensor<?x?xf64>

// -----

%A = "test.op"() : () -> tensor<?xf64, #tensor_block.storage<dense = 0>>
// expected-error @+1 {{[1, 0] is no order of an array of rank 1}}
%B = spark.with_layout %A as <form = auto, orders = [[1, 0]]> : tensor<?xf64, #tensor_block.storage<dense = 0>>
