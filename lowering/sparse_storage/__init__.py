"""Kernels over sparse tiles: from `tensor_block` to iteration over regions, and on to loops."""
