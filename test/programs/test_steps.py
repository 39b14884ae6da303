"""Loops whose iterations write what depends on what is there, which run in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import diablo
from fuzzing.comparison import difference, plain
from fuzzing.trial import Trial

V = np.array([3.0, -1.0, 4.0, -1.0, 5.0, 4.0, 0.3, 0.7, 0.1])
W = np.array([2, 0, 1, 2, 2, 5, 1, 1, 0])
NAMES = ["b", "a", "c", "d\0", "", "f", "g", "h", "i"]
INPUTS: dict[str, Any] = {
    "V": V,
    "W": W,
    "L": list(zip(W.tolist(), V.tolist(), NAMES, strict=True)),
    "names": NAMES,
}
BEGIN = """
    input V: vector[Double]; input W: vector[Int];
    input L: list[(Int,Double,String)]; input names: list[String];
    var n = V.length; var s = ""; var by: map[Int,String] = map(); var t = (0,"");
    var D = tensor*(6)[ (i,1.0*i) | i <- 0..5 ]; var K = tensor*(6)[ (i,0) | i <- 0..5 ];
    var S = tensor*(6)[ (i,"") | i <- 0..5 ];
"""


def joined(key: int) -> str:
    return "".join(name for k, _, name in INPUTS["L"] if k == key)


def stepped(step: Callable[..., Any], start: Callable[[int], Any] = float) -> NDArray[Any]:
    """The elements of an array after `step` for each index and value."""
    result = np.array([start(i) for i in range(6)])
    for i, (w, v) in enumerate(zip(W, V, strict=True)):
        result[w] = step(result[w], v, i)
    return result


PROGRAMS: dict[str, tuple[str, Any]] = {
    "a string": ("for w in names do s = s + w; s", "".join(NAMES)),
    "a string from the right": ("for w in names do s = w + s; s", "".join(NAMES[::-1])),
    "a string that is added to": (
        'for w in names do if (w != "c") s += w + ","; s',
        "".join(f"{w}," for w in NAMES if w != "c"),
    ),
    "a part of a tuple": (
        "for (k,v,w) in L do { t#1 += k; t#2 += w; }; t",
        (int(W.sum()), "".join(NAMES)),
    ),
    "strings of keys": (
        "for (k,v,w) in L do by[k] = by[k] + w; by",
        {k: joined(k) for k in (0, 1, 2, 5)},
    ),
    "strings of elements": (
        "for (k,v,w) in L do S[k] += w; S",
        np.array([joined(k) for k in range(6)], object),
    ),
    "strings of computed elements": (
        "for i = n-1, 0, -1 do S[i%3] = S[i%3] + i; S",
        np.array(["630", "741", "852", "", "", ""], object),
    ),
    "strings of each iteration": (
        'for i = 0, 3 do { var own = ""; for (k,v,w) in L do if (k == i) own += w;'
        " S[i] = own; }; S",
        np.array([joined(0), joined(1), joined(2), "", "", ""], object),
    ),
    "quotients": ("for i = 0, n-1 do D[W[i]] /= V[i]; D", stepped(lambda d, v, _: d / v)),
    "remainders": ("for (i,v) in V do D[W[i]] %= v; D", stepped(lambda d, v, _: np.fmod(d, v))),
    "quotients of integers": (
        "for i = 0, n-1 do K[W[i]] = 1000; for (k,v,w) in L do K[k] /= 7; K",
        np.array([1000 // 7**2, 1000 // 7**3, 1000 // 7**3, 0, 0, 1000 // 7]),
    ),
    "values of keys": (
        "var M = map*[ (i,1.0*i) | i <- 0..5 ]; for (k,v,w) in L do M[k] = v - M[k]; M",
        dict(enumerate(stepped(lambda d, v, _: v - d))),
    ),
    "pairs of a map": (
        "var M = map*[ (i,1.0*i) | i <- 0..5 ]; for (k,v) in M do M[k/2] = 0.5*M[k/2] + v; M",
        {0: 1.0, 1: 4.25, 2: 7.5, 3: 3.0, 4: 4.0, 5: 5.0},
    ),
    "the first of each": (
        "for i = 0, n-1 do if (K[W[i]] == 0) K[W[i]] = i+1; K",
        stepped(lambda d, _, i: i + 1 if d == 0 else d, start=lambda _: 0),
    ),
    "what a variable remembers": (
        "for i = 0, n-1 do { var old = D[W[i]]; D[W[i]] = V[i] - 2.0*old; }; D",
        stepped(lambda d, v, _: v - 2 * d),
    ),
    "a function": (
        "def f(x: Double, y: Double): Double = 0.5*x + y; for (k,v,w) in L do D[k] = f(D[k],v); D",
        stepped(lambda d, v, _: 0.5 * d + v),
    ),
    "a variable over a list": (
        "var x = 1.0; for (k,v,w) in L do x = 0.5*x + v; x",
        float(0.5 ** len(V) + sum(v * 0.5 ** (len(V) - 1 - i) for i, v in enumerate(V))),
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_steps(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, expected = PROGRAMS[name]
    interpreted = Trial(BEGIN + text, INPUTS).expected()
    wanted = plain(expected if isinstance(expected, tuple) else (expected,))
    assert difference(interpreted, wanted) is None
    for block_size in (None, 2):
        found = diablo.compile(BEGIN + text, block_size=block_size)(**INPUTS)
        result = plain(found if isinstance(found, tuple) else (found,))
        assert difference(result, interpreted) is None
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    found = diablo.compile(BEGIN + text)(**INPUTS)
    assert difference(plain(found if isinstance(found, tuple) else (found,)), interpreted) is None
