"""Which loops have their arrays brought to the driver: what takes long to see."""

import diablo


def test_what_an_index_is_computed_of_is_looked_at_once():
    """Each statement reads the one before twice: there are 2**60 ways to the first."""
    steps = " ".join(["a = a + bitxor(a, a/3);"] * 60)
    text = f"""
        input V: vector[Double];
        input n: Int;
        var P = V;
        var t = 1;
        while (t < 10) {{ var a = n; {steps} P[a % 7] += 1.0; P[t] = 2.0; t += 1; }};
        (P, P+V)
    """
    ir = diablo.compile(text, engine="spark").ir("comprehension")
    assert "comprehension.place" in ir
