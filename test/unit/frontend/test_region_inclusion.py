"""Which writes to arrays over regions are known to be within them: these have no error."""

from __future__ import annotations

import pytest

from diablo.frontend.importer import import_program

BEGIN = """input n: Int = 6;
region R = (0..n-1, 0..n-1);
region Tri = R where (i,j) => abs(i-j) < 2;
region Diag = Tri where (i,j) => i == j;
region Band = R where (i,j) => i <= j + 3;
var A: matrix[Double] over Tri;
var B: matrix[Double] over R;
"""

KNOWN = [
    "for (i,j) in Tri do A[i,j] = 1.0;",
    "for (i,j) in Diag do A[i,j] = 1.0;",
    "for (i,j) in Tri && Band do A[i,j] = 1.0;",
    "for (i,j) in Band && Tri do A[i,j] = 1.0;",
    "for (i,j) in Tri - Diag do A[i,j] = 1.0;",
    "var E: matrix[Double] over Tri - Diag; for (i,j) in Tri - Diag do E[i,j] = 1.0;",
    "var E: matrix[Double] over Band - Diag; for (i,j) in (Tri && Band) - Tri do E[i,j] = 1.0;",
    "region S = Tri by (2,1); for (i,j) in S do A[i,j] = 1.0;",
    "region S = Diag || Tri; for (i,j) in S do A[i,j] = 1.0;",
    "region S = Tri where ?; S = Band; for (i,j) in S do A[i,j] = 1.0;",
    "region S = Tri; for (i,j) in S do A[i,j] = 1.0;",
    "for (i,j) in Tri[1:3,*] do A[i,j] = 1.0;",
    "for ((i,j),a) in A do A[i,j] = 2.0*a;",
    "for (i,j) in R do if (i > 2 && Tri[i,j]) A[i,j] = 1.0;",
    "for i = 0, n-2 do if (Tri[i,i+1]) A[i,i+1] = 1.0;",
    "for (i,j) in R do if (Tri[i/2,(i*j)%n]) A[i/2,(i*j)%n] += 1.0;",
    "region S = Tri at (1,0); for (i,j) in S do A[i-1,j] = 1.0;",
    "region S = Tri at (1,0); var E: matrix[Double] over S; for (i,j) in Tri do E[i+1,j] = 1.0;",
    "region S = Tri at (n,0); region T = Diag at (n,0); var E: matrix[Double] over S;"
    " for (i,j) in T do E[i,j] = 1.0;",
    "region S = Tri || Band; var E: matrix[Double] over S; for (i,j) in Diag do E[i,j] = 1.0;",
    "region S = Tri && Band; var E: matrix[Double] over S;"
    " region T = Band && Diag; for (i,j) in T do E[i,j] = 1.0;",
    "A = 2.0*A; A = 1.0; var D: matrix[Double] over Diag; A = D;",
    "region In = (1..n-2, 1..n-2); for (i,j) in In do B[i,j] = 1.0;",
    "var C: matrix[Double] over (1..n-2, 1..n-2);"
    " for (i,j) in R do if (i > 0 && j > 0) C[i,j] = 1.0;",
    "region E = R by (2,2); region E4 = R by (4,4); var C: matrix[Double] over E;"
    " for (i,j) in E4 do C[i,j] = 1.0;",
    "var r: matrix[Double] over (0..0, 0..n-1); for (i,j) in (0..0, 0..n-1) do r[i,j] = 1.0;",
    "var r: matrix[Double] over (0..0, 0..n-1); for j = 0, n-1 do r[0,j] = 1.0;",
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("program", KNOWN)
def test_known_to_be_within(program: str) -> None:
    import_program(BEGIN + program, "test.diablo")


def test_a_variable_that_changes_is_not_compared() -> None:
    """Both regions are up to `m`, but at different times."""
    text = """
        var m = 3;
        region Small = (0..m-1);
        m = 9;
        region Large = (0..m);
        var V: vector[Double] over Small;
        for i in Large do V[i] = 1.0;
    """
    import_program(text, "test.diablo")  # a longer loop than the array: dropped at run time
