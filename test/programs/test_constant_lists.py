"""Lists of many constants, on both engines and by the interpreter."""

from __future__ import annotations

from typing import Any

import pytest

import diablo

ENGINES = [
    pytest.param({}, id="local"),
    pytest.param({"block_size": 7}, id="local-7"),
    pytest.param(
        {"engine": "spark", "master": "local[2]", "block_size": 7},
        id="spark",
        marks=pytest.mark.spark,
    ),
]
NUMBERS = range(-50, 50)


def listed(row: str) -> str:
    """A list of rows, `#` in which is a number."""
    return "[ " + ", ".join(row.replace("#", str(i)) for i in NUMBERS) + " ]"


PROGRAMS: list[tuple[str, Any]] = [
    (f"+/{listed('#')};", sum(NUMBERS)),
    (f"var L = {listed('#')}; (L.length, L[3]);", (100, -47)),
    (f"[ 2.0*x | x <- {listed('#')} ];", [2.0 * i for i in NUMBERS]),
    (f"[ x | x <- {listed('#.5')}, x > 48.0 ];", [48.5, 49.5]),
    (
        "[ (k,v,b,c) | (k,v,(b,c)) <- " + listed("(\"k#\",#,(true,'x'))") + ", v > 47 ];",
        [("k48", 48, True, "x"), ("k49", 49, True, "x")],
    ),
    (f"[ r.b | r <- {listed('<a = #, b = 0.25>')}, r.a == 7 ];", [0.25]),
    (
        "[ (k,+/[ x | (x,s) <- l ]) | (k,l) <- " + listed('(#,[(#,"a"),(1,"b")])') + ", k > 47 ];",
        [(48, 49), (49, 50)],
    ),
    (f"[ (k,l.length) | (k,l) <- {listed('(#,[])')}, k > 48 ];", [(49, 0)]),
    ("[ x | x <- " + listed('"#é\\n"') + ', x == "3é\\n" ];', ["3é\n"]),
    (f"[ (k,+/x) | (k,x) <- {listed('(# % 1,#)')}, group by k ];", [(0, sum(NUMBERS))]),
    (
        f"input L: list[Int]; [ i + max/[ x | x <- {listed('#')}, x < i ] | i <- L ];",
        [1 + 0, 20 + 19],
    ),
    (f"[ [ i*x | x <- {listed('#')}, x > 48 ] | i <- 1..2 ];", [[49], [98]]),
    (
        f"var V = tensor(100)[ (i+50,1.0*i) | i <- {listed('#')} ]; +/[ v | (i,v) <- V ];",
        float(sum(NUMBERS)),
    ),
    ('var s = ""; for x in ' + listed('"#"') + ' do if (x == "49") s = x; s;', "49"),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize(("text", "wanted"), PROGRAMS)
def test_constants(text: str, wanted: Any, options: dict[str, Any]):
    program = diablo.compile(text, **options)
    given = {"L": [1, 20]} if "input L" in text else {}
    result = program(**given)
    assert (sorted(result.to_list()) if isinstance(wanted, list) else result) == wanted


def test_a_list_of_constants_is_one_op():
    program = diablo.compile("+/[ " + ", ".join(map(str, range(20_000))) + " ];")
    assert program() == sum(range(20_000))
    assert program.ir("diablo").count("\n") < 20
