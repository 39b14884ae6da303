"""What is said of regions and arrays over them that are wrong.

`«…»` in a program is what the message must mark; it is no part of the program.
"""

from __future__ import annotations

import pytest
from marked import check, errors_of

BEGIN = """input n: Int = 6; input F: matrix[Double]; input V: vector[Boolean];
region R = (0..n-1, 0..n-1);
region R1 = (0..n-1);
region Tri = R where (i,j) => abs(i-j) < 2;
region Diag = Tri where (i,j) => i == j;
region Even = R by (2,2);
region Flood = (*, 0..n-1);
var A: matrix[Double] over Tri;
var B: matrix[Double] over R;
var D: matrix[Double] over Diag;
"""

WRITES = [
    (
        "var E: matrix[Int] over Tri - Diag; for (i,j) in R - Diag do «E[i,j]» = 1;",
        "`E` is over the sparse region `Tri - Diag`, "
        "and this writes it under the sparse region `R - Diag`",
        "write it under its own region: for (i,j) in Tri - Diag do …, "
        "or where the index is in it, which takes a name: region S = …",
    ),
    (
        "for (i,j) in R do «A[i,j]» = B[i,j];",
        "`A` is over the sparse region `Tri`, and this writes it under the dense region `R`",
        "write it under its own region: for (i,j) in Tri do …, "
        "or where the index is in it: if (Tri[i,j]) …",
    ),
    (
        "for (i,j) in Tri do «D[i,j]» += 1.0;",
        "`D` is over the sparse region `Diag`, and this writes it under the sparse region `Tri`",
        "write it under its own region: for (i,j) in Diag do …, "
        "or where the index is in it: if (Diag[i,j]) …",
    ),
    (
        "for ((i,j),a) in A do «D[i,j]» = a;",
        "`D` is over the sparse region `Diag`, and this writes it under the sparse region `Tri`",
        "write it under its own region: for (i,j) in Diag do …, "
        "or where the index is in it: if (Diag[i,j]) …",
    ),
    (
        "for (i,j) in Tri do «A[i,j+1]» = 1.0;",
        "`A` is over the sparse region `Tri`, "
        "and this writes it beside the index that `Tri` controls",
        "write it where the index is in it: if (Tri[i,j+1]) …",
    ),
    (
        "for i = 0, n-1 do «A[i,i]» = 1.0;",
        "`A` is over the sparse region `Tri`, "
        "and this writes it where no region controls the indices",
        "write it under its own region: for (i,j) in Tri do …, "
        "or where the index is in it: if (Tri[i,i]) …",
    ),
    (
        "region S = Tri || Even; for (i,j) in S do «A[i,j]» = 1.0;",
        "`A` is over the sparse region `Tri`, and this writes it under the sparse region `S`",
        "write it under its own region: for (i,j) in Tri do …, "
        "or where the index is in it: if (Tri[i,j]) …",
    ),
    (
        "var E: matrix[Double] over Even; for (i,j) in R do «E[i,j]» = 1.0;",
        "`E` is over the dense region `Even`, and this writes it under the dense region `R`",
        "write it under its own region: for (i,j) in Even do …, "
        "or where the index is in it: if (Even[i,j]) …",
    ),
    (
        "region S = (1..n, 0..n-1); for (i,j) in S do «B[i,j]» = 1.0;",
        "`B` is over the dense region `R`, and this writes it under the dense region `S`",
        "write it under its own region: for (i,j) in R do …, "
        "or where the index is in it: if (R[i,j]) …",
    ),
    (
        "region S = Tri where ?; for (i,j) in R do «S[i,j]» = true;",
        "`S` is made of the sparse region `Tri`, and this writes it under the dense region `R`",
        "write it under its own region: for (i,j) in Tri do …, "
        "or where the index is in it: if (Tri[i,j]) …",
    ),
    (
        "«A» = F;",
        "`A` is over the sparse region `Tri`, "
        "and this writes an array that is over no region to it",
        "loop over its region: for (i,j) in Tri do A[i,j] = …",
    ),
    (
        "«D» = 2.0*A;",
        "`D` is over the sparse region `Diag`, "
        "and this writes values over the sparse region `Tri` to it",
        "loop over its region: for (i,j) in Diag do D[i,j] = …",
    ),
    (
        "«A» += B;",
        "`A` is over the sparse region `Tri`, and this writes all of its box",
        "loop over its region: for (i,j) in Tri do A[i,j] += …",
    ),
]

FLAT_AND_FLOOD = [
    (
        "var p: matrix[Double] over Flood; region Across = (0..n-1, *); "
        "var q: matrix[Double] over Across = «p»;",
        "`p` is an array over a region with a flood dimension, and no value as a whole",
        "read its elements",
    ),
    (
        "var p: matrix[Double] over Flood; var q: matrix[Int] over Flood = «p»;",
        "`q` is matrix[Int] over the dense region `Flood`, and this is matrix[Double]",
        None,
    ),
    (
        "var r: matrix[Double] over (0..0, 0..n-1); for (i,j) in R do B[i,j] = «r[i,j]»;",
        "`r` is over the dense region `(0..0, 0..n-1)`, which has one index in dimension 1, "
        "and is used here at other indices",
        "to repeat the values for all indices, make it a flood dimension: *",
    ),
    (
        "var p: matrix[Double] over Flood; for (i,j) in R do «p[i,j]» = 1.0;",
        "`p` has one value for all indices of its dimension 1, and this writes it for one of them",
        "write it for all of them: p[*,j] = …",
    ),
    (
        "for (i,j) in «Flood» do B[i,j] = 1.0;",
        "`Flood` has a flood dimension `*`, which has no indices of its own",
        "give that dimension a range",
    ),
    (
        "var p: matrix[Double] over Flood; var q = «p»;",
        "`p` is an array over a region with a flood dimension, and no value as a whole",
        "read its elements",
    ),
    (
        "def f(p: matrix[Double]): matrix[Double] = «p» + 1.0;"
        " var q: matrix[Double] over Flood; var r = f(q); n",
        "an array over a flood dimension as a whole is not supported yet",
        None,
    ),
    (
        "B[«*»,1] = 3.0;",
        "dimension 1 of `B` is no flood dimension",
        "`*` stands where the region has `*`",
    ),
    (
        "region S = Flood where «(i,j) => i < j»;",
        "`Flood` has a flood dimension `*`, which has no indices of its own",
        "give that dimension a range",
    ),
    (
        "var p: matrix[Double] over Flood = «F»;",
        "`p` is matrix[Double] over the dense region `Flood`, and this is matrix[Double]",
        "give its values along the other dimensions: vector[Double]",
    ),
    ("region S = «(*, *)»;", "a region needs a dimension other than `*`", None),
]

DECLARATIONS = [
    (
        "region S = «Trii»;",
        "there is no region `Trii`",
        "did you mean `Tri`?",
    ),
    (
        "region S = «T»; region T = R;",
        "the region `T` is not declared yet",
        "it is declared further down, in line 11",
    ),
    (
        "region S = «F»;",
        "`F` is no region, it is matrix[Double]",
        "a region is made of ranges, (0..n-1, 0..m-1), or of other regions",
    ),
    (
        "region S = (0..3, «2»);",
        "a dimension of a region is a range, or `*`",
        "write for example 0..n-1",
    ),
    (
        "region S = (0..«1.5», 0..2);",
        "the upper bound of a region must be Int, not Double",
        "convert it: toInt(…) truncates",
    ),
    (
        "region S = R where «F»;",
        "`where` takes a predicate, a matrix[Boolean], a list of indices, a region or `?`, "
        "not matrix[Double]",
        "write a predicate: (i,j) => …",
    ),
    (
        "region L = 0..3; region S = L where «1.5»;",
        "`where` takes a predicate, a vector[Boolean], a list of indices, a region or `?`, "
        "not Double",
        "write i => …",
    ),
    (
        "region L = (0..3, 0..3, 0..3); region S = L where «1.5»;",
        "`where` takes a predicate, an array3[Boolean], a list of indices, a region or `?`, "
        "not Double",
        "write a predicate: (i,j,k) => …",
    ),
    ("region S = R where «V»;", "the region has 2 dimensions, and this pattern 1", None),
    (
        "region S = R where «(i,j,k)» => i < j;",
        "this pattern has 3 parts, but it is matched with values of type (Int,Int)",
        None,
    ),
    (
        "region S = R where (i,j) => «i+j»;",
        "this function should give Boolean, and gives Int",
        None,
    ),
    (
        "region S = R where «read(n)»;",
        "`read` takes the path of a file as a string",
        'write it out: read("pattern.mtx")',
    ),
    (
        'region S = R where read("p.mtx"); region T = R1 where «read("p.mtx")»;',
        "this file is already read as a matrix[Boolean]",
        None,
    ),
    (
        "region S = «R1 && R»;",
        "the intersection needs regions of one rank, and `R1` has 1 dimension, `R` 2",
        None,
    ),
    ("region S = R by «2»;", "the region has 2 dimensions, and `by` gives 1", None),
    ("region S = R by («0»,1);", "the step of a region must be positive", None),
    ("region S = R at «1»;", "the region has 2 dimensions, and `at` gives 1", None),
    ("region S = «R[1,*,*]»;", "`R` has 2 dimensions, not 3", None),
    (
        "for i = 0, 3 do «region S = (0..i)»;",
        "a region cannot be declared inside a `for`",
        "declare it before the loop",
    ),
    (
        "var u: «vector[Double]» over R;",
        "vector[Double] has 1 dimension, and the region `R` 2",
        None,
    ),
    (
        'var u: matrix[Double] over R fill «"x"»;',
        "the elements of `u` are Double, and this fill value is String",
        None,
    ),
    (
        "var u: «Double» over R;",
        "`u` is over a region, and Double is no array",
        "write vector[T], matrix[T], array3[T]",
    ),
    (
        "var u: matrix[Double] over «Rr»;",
        "there is no region `Rr`",
        "did you mean `R`?",
    ),
    (
        "for i = 0, 3 do «var u: matrix[Double] over R»;",
        "an array over a region cannot be declared inside a `for`",
        "declare it before the loop",
    ),
    (
        "var u: matrix[Double] over R = «V»;",
        "`u` is matrix[Double] over the dense region `R`, and this is vector[Boolean]",
        None,
    ),
]

USES = [
    (
        "«Tri» = R;",
        "the region `Tri` is fixed and cannot be assigned",
        "declare it to be filled while the program runs: region Tri = … where ?;",
    ),
    (
        "«Tri»[1,1] = true;",
        "the region `Tri` is fixed and cannot be assigned",
        "declare it to be filled while the program runs: region Tri = … where ?;",
    ),
    (
        "region S = R where ?; var u: matrix[Double] over S; «S»[1,1] = true;",
        "the indices of `S` cannot change any more: `u` is an array over it",
        "fill the region before that",
    ),
    (
        "region S = R where ?; region T = S && Tri; «S» = R;",
        "the indices of `S` cannot change any more: `T` is made of it",
        "fill the region before that",
    ),
    (
        "region S = R where ?; «S» += R;",
        "the indices of a region are assigned, not accumulated",
        "write S = …",
    ),
    (
        "var u = «R + 1»;",
        "`+` cannot be applied to matrix[Boolean] and Int",
        "`R` is a region: go through its indices",
    ),
    (
        "var u = «Tri || Even»;",
        "`||` cannot be applied to matrix[Boolean] and matrix[Boolean]",
        "give it a name: region S = Tri || Even;",
    ),
    ("var u: Double = «R»;", "`u` is declared Double, and this is matrix[Boolean]", None),
    (
        "for «(i,j,k)» in R do B[i,j] = 1.0;",
        "this pattern has 3 parts, but it is matched with values of type (Int,Int)",
        None,
    ),
    ("for (i,j) in «Rr» do B[i,j] = 2.0;", "`Rr` is not declared", "did you mean `R`?"),
    ("«R1.rows»", "a region of 1 dimension has no field `rows`", "it has .length"),
    ("«A.length»", "matrix[Double] has no field `length`", "it has .rows, .cols"),
    ("var u = «?»;", "`?` stands in regions only", "region R = (*, 0..n-1) where ?;"),
    ("var u = [ i | i <- R1[0:n:«0»] ];", "the step of a region must be positive", None),
    (
        "var u = [ i | i <- Even[«0:n»,2] ];",
        "slices of strided dimensions are not supported yet",
        None,
    ),
    (
        "for (i,j) in «n» by (2,1) do A[i,j] = 1.0;",
        "`n` is no region, it is Int",
        "a region is made of ranges, (0..n-1, 0..m-1), or of other regions",
    ),
    (
        "for (i,j) in R by «2» do A[i,j] = 1.0;",
        "the region has 2 dimensions, and `by` gives 1",
        None,
    ),
    (
        "for (i,j) in R where «?» do B[i,j] = 1.0;",
        "a region that the program fills needs a name",
        "declare it: region S = R where ?;",
    ),
    (
        "for (i,j) in «Flood at (0,1)» do B[i,j] = 1.0;",
        "`Flood at (0,1)` has a flood dimension `*`, which has no indices of its own",
        "give that dimension a range",
    ),
    (
        "var u: matrix[Int] over «V» by (1,1);",
        "`V` is no region, it is vector[Boolean]",
        "a region is made of ranges, (0..n-1, 0..m-1), or of other regions",
    ),
    (
        "var u: matrix[Int] over Tri by (2,1); for (i,j) in Tri do «u[i,j]» = 1;",
        "`u` is over the sparse region `Tri by (2,1)`, "
        "and this writes it under the sparse region `Tri`",
        "write it under its own region: for (i,j) in Tri by (2,1) do …, "
        "or where the index is in it, which takes a name: region S = …",
    ),
]


@pytest.mark.parametrize(("program", "message", "hint"), WRITES)
def test_writes(program: str, message: str, hint: str | None) -> None:
    check(BEGIN + program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), FLAT_AND_FLOOD)
def test_flat_and_flood_dimensions(program: str, message: str, hint: str | None) -> None:
    check(BEGIN + program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), DECLARATIONS)
def test_declarations(program: str, message: str, hint: str | None) -> None:
    check(BEGIN + program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), USES)
def test_uses(program: str, message: str, hint: str | None) -> None:
    check(BEGIN + program, message, hint)


def test_the_declaration_of_the_array_is_shown() -> None:
    (error,) = errors_of(f"{BEGIN}for (i,j) in R do A[i,j] = 1.0;")
    (note,) = error.notes
    assert note.message == "`A` is declared here"
    assert note.span is not None
    assert (note.span.line, note.span.column) == (8, 5)
