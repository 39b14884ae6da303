"""Random programs mean the same at the source level and after every pass."""

from typing import Any

import numpy as np
from case_numbers import number
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from known_results import KnownResults
from test_interpreter import STAGES, plain
from xdsl.dialects.builtin import ModuleOp

from diablo.frontend.importer import import_program
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context

HEAD = """
input n: Int;
var A = tensor*(n,n)[ ((i,j),random()-0.5) | i <- 0..n-1, j <- 0..n-1 ];
var S = tensor*(n)(n)[ ((i,j),random()) | i <- 0..n-1, j <- 0..n-1, (i+2*j) % 3 == 0 ];
var V = tensor*(n)[ (i,random()) | i <- 0..n-1 ];
var W = tensor*(n)[ (i,0.25) | i <- 0..n-1 ];
var T = tensor*(n)(n)[ ((i,j),1.5) | i <- 0..n-1, j <- 0..n-1, i == j ];
var s = 0.0;
"""
TAIL = "(A, V, W, T, s);"

subscripts = st.sampled_from(["i", "j", "i-1", "j+1", "n-1-i", "2*j", "0"])
reads = st.one_of(
    st.builds("A[{},{}]".format, subscripts, subscripts),
    st.builds("S[{},{}]".format, subscripts, subscripts),
    st.builds("T[{},{}]".format, subscripts, subscripts),
    st.builds("V[{}]".format, subscripts),
    st.builds("W[{}]".format, subscripts),
    st.sampled_from(["0.5", "2", "i", "s"]),
)
expressions = st.recursive(
    reads,
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*"]), inner),
    max_leaves=3,
)
conditions = st.one_of(
    st.builds("{} {} {}".format, subscripts, st.sampled_from(["<", "==", "!="]), subscripts),
    st.builds("{} > 0.3".format, reads),
    st.builds("j != 0 && i / j > {}".format, st.integers(0, 2)),
)
# An assignment under two loops must set each element once, lest the order should matter.
writes = st.one_of(
    st.builds("A[i,j] = {};".format, expressions),
    st.builds("T[j,i] = {};".format, expressions),
    st.builds("T[i,j] += {};".format, expressions),
    st.builds("V[{}] += {};".format, subscripts, expressions),
    st.builds("W[{}] max= {};".format, subscripts, expressions),
    st.builds("s += {};".format, expressions),
)
statements = st.one_of(
    writes,
    st.builds("if ({}) {{ {} }} else {{ {} }};".format, conditions, writes, writes),
    st.builds("if ({}) {{ {} }};".format, conditions, writes),
)
nests = st.builds(
    "for i = 0, n-1 do for j = {}, n-1 do {{ {} }};\n".format,
    st.sampled_from(["0", "i", "1"]),
    st.lists(statements, min_size=1, max_size=2).map(" ".join),
)


arrow = st.sampled_from(["<-", "<="])
values = st.recursive(
    st.sampled_from(["a", "b", "c", "0.5", "i", "W[i]", "S[j,i]"]),
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*"]), inner),
    max_leaves=4,
)
tests = st.sampled_from(["a > 0.0", "i != k", "j < k", "c*b > 0.1", "j != 0 && i / j > 0", "true"])
heads = st.sampled_from(
    [
        "(g, +/v)",
        "(g, max/v)",
        "(g, +/v / v.length)",
        "(g, +/[ x*x | x <- v, x > 0.1 ])",
        "(g, +/v + max/w - w.length)",
    ]
)
comprehensions = st.builds(
    "tensor*(n)[ {} | ((i,j),a) {} A, ((jj,k),b) {} S, {}, jj == j, (l,c) {} V, l == k, {}, "
    "let v = {}, let w = {}, group by g: {} ];\n".format,
    heads,
    arrow,
    arrow,
    tests.filter(lambda test: "c" not in test),
    arrow,
    tests,
    values,
    values,
    st.sampled_from(["i", "k", "i+j", "(i+k) % 2"]),
)


def results(module: ModuleOp) -> list[Any]:
    return [plain(value) for value in interpret(module, {"n": 3})]


def check(program: str) -> None:
    module = import_program(program, "test.diablo")
    known = KnownResults(results)
    expected = known(module)
    context, passes = new_context(), available_passes()
    for stage in STAGES:
        passes[stage]()().apply(context, module)
        for found, wanted in zip(known(module, stage), expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12, err_msg=stage)


CONFIGURATION = settings(
    max_examples=number(6, 12),
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # shrinking a failure takes minutes; ask for it when there is one
    suppress_health_check=[HealthCheck.too_slow],
)


@CONFIGURATION
@given(st.lists(nests, min_size=1, max_size=2).map("".join))
def test_passes_keep_the_meaning_of_loops(loops: str) -> None:
    check(HEAD + loops + TAIL)


@CONFIGURATION
@given(comprehensions)
def test_passes_keep_the_meaning_of_comprehensions(program: str) -> None:
    check(HEAD + program)
