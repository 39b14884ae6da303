"""From kernels to machine code, through loops and LLVM."""
