# Kernels that change dense arrays where sparse tiles store elements, or read beside them, as text.
from sparse_kernels import FLAT, MATRIX, PATTERN, ROWS, VECTOR, SparseKernel, map, reduce

SPACE = "d0 < %n, d1 < %m"


def update(test: str, value: str, otherwise: str) -> str:
    """%v is `value`, computed only where %p holds, else `otherwise`."""
    return f"""%zero = arith.constant 0.0 : f64
            {test}
            %v = scf.if %p -> (f64) {{
              {value}
              scf.yield %w : f64
            }} else {{
              scf.yield {otherwise} : f64
            }}"""


STORED = "%p = arith.cmpf une, %a, %zero : f64"
IJ = "%i: index, %j: index"

UPDATES = [
    SparseKernel(
        "stencil_in_a_region",
        {"R": PATTERN, "T": MATRIX},
        {"R": "nm", "T": "nm"},
        MATRIX,
        map(
            SPACE,
            f"%R[d0 - 1, d1 + 2] : {PATTERN}, %T[d0, d1] : {MATRIX}, %T[d0 - 1, d1] : {MATRIX}, "
            f"%T[d0, d1 + 1] : {MATRIX}",
            f"{IJ}, %r: i1, %t: f64, %up: f64, %right: f64",
            update(
                "%p = arith.andi %r, %r : i1",
                "%s = arith.addf %up, %right : f64\n%w = arith.addf %s, %t : f64",
                "%t",
            ),
            MATRIX,
        ),
    ),
    SparseKernel(
        "assigned_in_a_corner",
        {"A": ROWS, "T": MATRIX},
        {"A": "kk", "T": "nm"},
        MATRIX,
        map(
            SPACE,
            f"%A[d0, d1] : {ROWS}, %T[d0, d1] : {MATRIX}",
            f"{IJ}, %a: f64, %t: f64",
            update(STORED, "%w = arith.addf %a, %t : f64", "%t"),
            MATRIX,
        ),
    ),
    SparseKernel(
        "zero_elsewhere",
        {"A": ROWS, "x": VECTOR},
        {"A": "mn", "x": "m"},
        MATRIX,
        map(
            SPACE,
            f"%A[d1, d0] : {ROWS}, %x[d1] : {VECTOR}",
            f"{IJ}, %a: f64, %b: f64",
            update(STORED, "%w = arith.addf %a, %b : f64", "%zero"),
            MATRIX,
        ),
    ),
    SparseKernel(
        "moved_by_a_symbol",
        {"A": FLAT, "T": MATRIX},
        {"A": "nm", "T": "nm"},
        MATRIX,
        map(
            SPACE + ") symbols(%k",
            f"%A[d0 - s0 + 1, d1 + s0 - 3] : {FLAT}, %T[d0, d1] : {MATRIX}, "
            f"%T[(d0 + s0) mod s0, d1] : {MATRIX}",
            f"{IJ}, %a: f64, %t: f64, %around: f64",
            update(STORED, "%w = arith.mulf %a, %around : f64", "%t"),
            MATRIX,
        ),
    ),
    SparseKernel(
        "where_both_store",
        {"A": ROWS, "B": ROWS, "T": MATRIX},
        {"A": "nm", "B": "nm", "T": "nm"},
        MATRIX,
        map(
            SPACE,
            f"%A[d0, d1] : {ROWS}, %B[d0 - 1, d1] : {ROWS}, %T[d0, d1] : {MATRIX}",
            f"{IJ}, %a: f64, %b: f64, %t: f64",
            update(
                """%q = arith.cmpf une, %a, %zero : f64
                %r = arith.cmpf une, %b, %zero : f64
                %p = arith.andi %q, %r : i1""",
                "%w = arith.subf %a, %b : f64",
                "%t",
            ),
            MATRIX,
        ),
    ),
    SparseKernel(
        "sparse_stencil",
        {"R": PATTERN, "T": MATRIX},
        {"R": "nm", "T": "nm"},
        ROWS,
        map(
            SPACE,
            f"%R[d0, d1] : {PATTERN}, %T[d0 - 1, d1] : {MATRIX}, %T[d0, d1 + 2] : {MATRIX}",
            f"{IJ}, %r: i1, %up: f64, %right: f64",
            update("%p = arith.andi %r, %r : i1", "%w = arith.addf %up, %right : f64", "%zero"),
            ROWS,
        ),
    ),
    SparseKernel(
        "sums_of_neighbours",
        {"A": ROWS, "x": VECTOR},
        {"A": "nm", "x": "m"},
        VECTOR,
        reduce(
            "add",
            "d0 < %n",
            "d1 < %m",
            f"%A[d0, d1] : {ROWS}, %x[d1 - 1] : {VECTOR}, %x[d0 + d1] : {VECTOR}",
            f"{IJ}, %a: f64, %left: f64, %other: f64",
            "%s = arith.addf %left, %other : f64\n%v = arith.mulf %a, %s : f64",
            VECTOR,
        ),
    ),
    SparseKernel(
        "product_with_a_moved_vector",
        {"A": ROWS, "x": VECTOR},
        {"A": "nm", "x": "m"},
        VECTOR,
        f"""%r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
            ins(%A[d0, d1] : {ROWS}, %x[d1 + 1] : {VECTOR}) -> {VECTOR} {{
          ^bb0({IJ}, %a: f64, %b: f64):
            %v = arith.mulf %a, %b : f64
            tensor_block.yield %v : f64
          }}""",
    ),
    SparseKernel(
        "inner_product",
        {"A": ROWS, "B": ROWS},
        {"A": "nm", "B": "nm"},
        "f64",
        f"""%r = tensor_block.reduce add reduced(d0 < %n, d1 < %m)
            ins(%A[d0, d1] : {ROWS}, %B[d0, d1] : {ROWS}) -> f64 {{
          ^bb0({IJ}, %a: f64, %b: f64):
            %v = arith.mulf %a, %b : f64
            tensor_block.yield %v : f64
          }}""",
    ),
    SparseKernel(
        "square",
        {"A": ROWS},
        {"A": "nm"},
        "f64",
        f"""%r = tensor_block.reduce add reduced(d0 < %n, d1 < %m)
            ins(%A[d0, d1] : {ROWS}, %A[d0, d1] : {ROWS}) -> f64 {{
          ^bb0({IJ}, %a: f64, %b: f64):
            %v = arith.mulf %a, %b : f64
            tensor_block.yield %v : f64
          }}""",
    ),
]
