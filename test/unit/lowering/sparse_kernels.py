# Kernels over sparse tiles, as text, with the shapes of their arguments.
from dataclasses import dataclass, field

ROWS = "tensor<?x?xf64, #tensor_block.storage<dense = 1>>"
FLAT = "tensor<?x?xf64, #tensor_block.storage<dense = 0>>"
PATTERN = "tensor<?x?xi1, #tensor_block.storage<dense = 1>>"
INTEGERS = "tensor<?x?xi64, #tensor_block.storage<dense = 1>>"
VECTOR, MATRIX = "tensor<?xf64>", "tensor<?x?xf64>"
CUBE = "tensor<?x?x?xf64, #tensor_block.storage<dense = {}>>"


@dataclass(frozen=True)
class SparseKernel:
    """A kernel; `shapes` has for each argument the letters of its extents, none for a scalar.

    A scalar argument is the extent that its name says; `compiled` is whether machine code is
    expected.
    """

    name: str
    types: dict[str, str]
    shapes: dict[str, str]
    result: str
    body: str
    compiled: bool = True
    returned: str = "%r"
    extents: list[str] = field(default_factory=lambda: ["n", "m", "k"])

    @property
    def text(self) -> str:
        arguments = [f"%{name}: {type}" for name, type in self.types.items()]
        arguments += [f"%{name}: index" for name in self.extents]
        return f"""func.func private @kernel({", ".join(arguments)}) -> ({self.result}) {{
          {self.body}
          func.return {self.returned} : {self.result}
        }}"""


def reduce(monoid: str, parallel: str, reduced: str, ins: str, args: str, body: str, type: str):
    """The text of a reduction; `body` computes %v."""
    spaces = (f"parallel({parallel}) " if parallel else "") + f"reduced({reduced})"
    element = "f64" if type.startswith("tensor") else type
    return f"""%r = tensor_block.reduce {monoid} {spaces} ins({ins}) -> {type} {{
          ^bb0({args}):
            {body}
            tensor_block.yield %v : {element}
          }}"""


def map(parallel: str, ins: str, args: str, body: str, type: str) -> str:
    """The text of a map; `body` computes %v."""
    return f"""%r = tensor_block.map parallel({parallel}) ins({ins}) -> {type} {{
          ^bb0({args}):
            {body}
            tensor_block.yield %v : f64
          }}"""


IJA = "%i: index, %j: index, %a: f64"


def stored_only(value: str, neutral: str) -> str:
    """%v is `value` where %a is stored."""
    return f"""%zero = arith.constant 0.0 : f64
            %neutral = arith.constant {neutral} : f64
            %there = arith.cmpf une, %a, %zero : f64
            %v = arith.select %there, {value}, %neutral : f64"""


A_X = f"%A[d0, d1] : {ROWS}, %x[d1] : {VECTOR}"
WITH_X = {"A": ROWS, "x": VECTOR}
X_SHAPES = {"A": "nm", "x": "m"}

KERNELS = [
    SparseKernel(
        "row_sums",
        {"A": ROWS},
        {"A": "nm"},
        VECTOR,
        reduce(
            "add",
            "d0 < %n",
            "d1 < %m",
            f"%A[d0, d1] : {ROWS}",
            IJA,
            "%v = arith.mulf %a, %a : f64",
            VECTOR,
        ),
    ),
    SparseKernel(
        "column_sums",
        {"A": ROWS},
        {"A": "nm"},
        VECTOR,
        reduce(
            "add",
            "d0 < %m",
            "d1 < %n",
            f"%A[d1, d0] : {ROWS}",
            IJA,
            "%v = arith.addf %a, %a : f64",
            VECTOR,
        ),
    ),
    SparseKernel(
        "total",
        {"A": ROWS},
        {"A": "nm"},
        "f64",
        reduce(
            "add",
            "",
            "d0 < %n, d1 < %m",
            f"%A[d0, d1] : {ROWS}",
            IJA,
            "%v = arith.mulf %a, %a : f64",
            "f64",
        ),
    ),
    SparseKernel(
        "total_of_coordinates",
        {"A": FLAT},
        {"A": "nm"},
        "f64",
        reduce(
            "add",
            "",
            "d0 < %n, d1 < %m",
            f"%A[d0, d1] : {FLAT}",
            IJA,
            "%v = arith.mulf %a, %a : f64",
            "f64",
        ),
    ),
    *[
        SparseKernel(
            f"{monoid}_times_plus",
            WITH_X,
            X_SHAPES,
            VECTOR,
            reduce(
                monoid,
                "d0 < %n",
                "d1 < %m",
                A_X,
                f"{IJA}, %b: f64",
                f"%s = arith.{op} %a, %b : f64\n" + stored_only("%s", neutral),
                VECTOR,
            ),
        )
        for monoid, op, neutral in (
            ("min", "addf", "0x7FF0000000000000"),
            ("max", "mulf", "0xFFF0000000000000"),
            ("mul", "addf", "1.0"),
            ("add", "subf", "0.0"),
        )
    ],
    SparseKernel(
        "quadratic_form",
        {"A": ROWS, "x": VECTOR, "y": VECTOR},
        {"A": "nm", "x": "n", "y": "m"},
        "f64",
        reduce(
            "add",
            "",
            "d0 < %n, d1 < %m",
            f"%A[d0, d1] : {ROWS}, %x[d0] : {VECTOR}, %y[d1] : {VECTOR}",
            f"{IJA}, %b: f64, %c: f64",
            "%w = arith.mulf %a, %b : f64\n%v = arith.mulf %w, %c : f64",
            "f64",
        ),
    ),
    SparseKernel(
        "times_matrix",
        {"A": ROWS, "B": MATRIX},
        {"A": "nm", "B": "mk"},
        MATRIX,
        reduce(
            "add",
            "d0 < %n, d1 < %k",
            "d2 < %m",
            f"%A[d0, d2] : {ROWS}, %B[d2, d1] : {MATRIX}",
            "%i: index, %j: index, %l: index, %a: f64, %b: f64",
            "%w = arith.mulf %b, %b : f64\n%v = arith.mulf %a, %w : f64",
            MATRIX,
        ),
    ),
    *[
        SparseKernel(
            f"{name}_product",
            {"A": ROWS, "B": ROWS},
            {"A": "nm", "B": "mk"},
            MATRIX,
            reduce(
                "min",
                "d0 < %n, d1 < %k",
                "d2 < %m",
                inputs,
                f"%i: index, %j: index, %l: index, {arguments}",
                """%zero = arith.constant 0.0 : f64
                %inf = arith.constant 0x7FF0000000000000 : f64
                %this = arith.cmpf une, %a, %zero : f64
                %that = arith.cmpf une, %b, %zero : f64
                %both = arith.andi %this, %that : i1
                %v = scf.if %both -> (f64) {
                  %s = arith.addf %a, %b : f64
                  scf.yield %s : f64
                } else {
                  scf.yield %inf : f64
                }""",
                MATRIX,
            ),
        )
        for name, inputs, arguments in (
            ("min_plus", f"%A[d0, d2] : {ROWS}, %B[d2, d1] : {ROWS}", "%a: f64, %b: f64"),
            ("plus_min", f"%B[d2, d1] : {ROWS}, %A[d0, d2] : {ROWS}", "%b: f64, %a: f64"),
        )
    ],
    *[
        SparseKernel(
            f"sampled_product_{'sparse' if type == ROWS else 'dense'}",
            {"S": ROWS, "U": MATRIX, "V": MATRIX},
            {"S": "nm", "U": "nk", "V": "mk"},
            type,
            reduce(
                "add",
                "d0 < %n, d1 < %m",
                "d2 < %k",
                f"%S[d0, d1] : {ROWS}, %U[d0, d2] : {MATRIX}, %V[d1, d2] : {MATRIX}",
                "%i: index, %j: index, %l: index, %a: f64, %u: f64, %w: f64",
                "%p = arith.mulf %u, %w : f64\n%v = arith.mulf %a, %p : f64",
                type,
            ),
        )
        for type in (ROWS, MATRIX)
    ],
    SparseKernel(
        "scaled",
        WITH_X,
        X_SHAPES,
        ROWS,
        map(
            "d0 < %n, d1 < %m",
            A_X,
            f"{IJA}, %b: f64",
            "%v = arith.mulf %a, %b : f64",
            ROWS,
        ),
    ),
    SparseKernel(
        "both_stored",
        {"A": ROWS, "B": ROWS},
        {"A": "nm", "B": "nm"},
        ROWS,
        map(
            "d0 < %n, d1 < %m",
            f"%A[d0, d1] : {ROWS}, %B[d0, d1] : {ROWS}",
            f"{IJA}, %b: f64",
            "%v = arith.mulf %a, %b : f64",
            ROWS,
        ),
    ),
    *[
        SparseKernel(
            f"{name}_{'rows' if parallel else 'total'}",
            {"A": ROWS, "B": ROWS},
            {"A": "nm", "B": "nm"},
            VECTOR if parallel else "f64",
            reduce(
                "add",
                "d0 < %n" if parallel else "",
                "d1 < %m" if parallel else "d0 < %n, d1 < %m",
                f"%A[d0, d1] : {ROWS}, %B[d0, d1] : {ROWS}",
                f"{IJA}, %b: f64",
                f"%w = arith.{op} %a, %b : f64\n%v = arith.mulf %w, %w : f64",
                VECTOR if parallel else "f64",
            ),
        )
        for name, op in (("intersection", "mulf"), ("union", "subf"))
        for parallel in (True, False)
    ],
    SparseKernel(
        "transposed_partner",
        {"A": ROWS, "B": ROWS},
        {"A": "nm", "B": "mn"},
        VECTOR,
        reduce(
            "add",
            "d0 < %n",
            "d1 < %m",
            f"%A[d0, d1] : {ROWS}, %B[d1, d0] : {ROWS}",
            f"{IJA}, %b: f64",
            "%v = arith.mulf %a, %b : f64",
            VECTOR,
        ),
    ),
    SparseKernel(
        "pattern_rows",
        {"P": PATTERN, "x": VECTOR},
        {"P": "nm", "x": "m"},
        VECTOR,
        reduce(
            "add",
            "d0 < %n",
            "d1 < %m",
            f"%P[d0, d1] : {PATTERN}, %x[d1] : {VECTOR}",
            "%i: index, %j: index, %p: i1, %b: f64",
            "%zero = arith.constant 0.0 : f64\n%v = arith.select %p, %b, %zero : f64",
            VECTOR,
        ),
    ),
    *[
        SparseKernel(
            f"cube_{dense}",
            {"A": CUBE.format(dense)},
            {"A": "nmk"},
            MATRIX,
            reduce(
                "add",
                "d0 < %n, d1 < %m",
                "d2 < %k",
                f"%A[d0, d1, d2] : {CUBE.format(dense)}",
                "%i: index, %j: index, %l: index, %a: f64",
                "%t = arith.index_cast %l : index to i64\n%u = arith.sitofp %t : i64 to f64\n"
                "%v = arith.mulf %a, %u : f64",
                MATRIX,
            ),
        )
        for dense in (0, 1, 2)
    ],
    SparseKernel(
        "two_steps",
        WITH_X,
        X_SHAPES,
        VECTOR,
        f"""%y = tensor_block.map parallel(d0 < %m) ins(%x[d0] : {VECTOR}) -> {VECTOR} {{
          ^bb0(%i: index, %b: f64):
            %w = arith.mulf %b, %b : f64
            tensor_block.yield %w : f64
          }}
          """
        + reduce(
            "add",
            "d0 < %n",
            "d1 < %m",
            f"%A[d0, d1] : {ROWS}, %y[d1] : {VECTOR}",
            f"{IJA}, %b: f64",
            "%w = arith.addf %b, %b : f64\n%v = arith.mulf %a, %w : f64",
            VECTOR,
        ),
    ),
    SparseKernel(
        "conditional_total",
        WITH_X,
        X_SHAPES,
        "f64",
        f"""%rows = tensor_block.to_bag %A offsets(%n, %m)
              : {ROWS} -> !comprehension.bag<index, index, f64>
          %near = tensor_block.filter %rows : !comprehension.bag<index, index, f64> {{
          ^bb0(%i: index, %j: index, %a: f64):
            %zero = arith.constant 0.0 : f64
            %positive = arith.cmpf ogt, %a, %zero : f64
            tensor_block.yield %positive : i1
          }}
          %shifted = tensor_block.extend %near : !comprehension.bag<index, index, f64>
              -> !comprehension.bag<index, index, f64, index> {{
          ^bb0(%i: index, %j: index, %a: f64):
            %place = arith.subi %j, %m : index
            %one = arith.constant 1 : index
            %beside = arith.subi %place, %one : index
            tensor_block.yield %beside : index
          }}
          %found = tensor_block.lookup %shifted[3] in %x
              : !comprehension.bag<index, index, f64, index>, {VECTOR}
              -> !comprehension.bag<index, index, f64, index, f64>
          %pairs = tensor_block.project %found[4, 2]
              : !comprehension.bag<index, index, f64, index, f64> -> !comprehension.bag<f64, f64>
          %products = tensor_block.extend %pairs : !comprehension.bag<f64, f64>
              -> !comprehension.bag<f64, f64, f64> {{
          ^bb0(%b: f64, %a: f64):
            %p = arith.mulf %a, %b : f64
            tensor_block.yield %p : f64
          }}
          %values = tensor_block.project %products[2]
              : !comprehension.bag<f64, f64, f64> -> !comprehension.bag<f64>
          %r = tensor_block.fold add %values : !comprehension.bag<f64>""",
    ),
    SparseKernel(
        "count",
        {"A": INTEGERS},
        {"A": "nm"},
        "i64",
        reduce(
            "add",
            "",
            "d0 < %n, d1 < %m",
            f"%A[d0, d1] : {INTEGERS}",
            "%i: index, %j: index, %a: i64",
            "%zero = arith.constant 0 : i64\n%there = arith.cmpi ne, %a, %zero : i64\n"
            "%v = arith.extui %there : i1 to i64",
            "i64",
        ),
    ),
]
