# No name, string or comment from outside becomes more than that in an emitted program.
import ast
import functools
import re
from symtable import symtable

import pytest
from case_numbers import number
from hostile_names import difference, renamed
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import diablo
from diablo.lowering.pyspark.emit_pyspark import emit_pyspark
from diablo.lowering.python_text import (
    block_literal,
    comment,
    docstring,
    identifier,
    string_literal,
    symbol_name,
)
from diablo.lowering.reserved_names import DRIVER_NAMES

PAYLOAD = "raise SystemExit(99)"
PIECES = [
    *("'", '"', '"""', "'''", "\\", "\n", "\r", "\r\n", "\0", "\f", "\x85", "\u2028", "\u2029"),
    *("{", "}", "{0}", "{PAYLOAD}", "%", "%s", "%(x)d", "#", ";", "=", ")", "(", "]", ",", "\t"),
    *(
        "\udc80",
        "\ud83d",
        "\U0001f600",
        "\u202e",
        "é",
        "ﬁ",
        "²",
        "\x7f",
        "\ufeff",
        " ",
        "\N{DIGIT ONE}",
    ),
    *("\\N{DIGIT ONE}", "\\x41", "\\u0041", "\\\n", "\\'", '\\"', "\n    ", f"\n{PAYLOAD}\n", "@"),
    *("# coding: utf-7\n", "\n# -*- coding: latin-1 -*-", f'""" + {PAYLOAD} + """'),
]
NAMES = [
    *("None", "True", "def", "class", "lambda", "match", "case", "type", "async", "_", "__", "___"),
    *("__debug__", "__name__", "__builtins__", "__import__", "__file__", "__class__", "print"),
    *("np", "sp", "rows", "main", "sc", "LLVM", "compiled", "block_size", "partitions", "loop"),
    *("SystemExit", "range", "len", "slice", "kernel_0", "kernel_1", "best_combine", "argmin"),
    *("symbol_main", "symbol_0main", "arithmetic", "Iterations", "into", "x_1", "x_1_1", "self"),
]
PROGRAMS = {
    "monoid": """
input n: Int = 5; input s: String = "a"; input M: map[String,Double];
monoid best((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);
input V: vector[Double];
var nearest = best/[ (abs(v - 0.5), i) | (i,v) <- V ];
var counts: map[String,Int] = map();
for (k,v) in M do counts[k + "é\\n"] += 1;
var k = 0;
while (k < n) k += n / (k+1);
(nearest._2, counts, k, V[n-1], M[s])
""",
    "arrays": """
input A: matrix[Double]; input B: matrix[Double]; input n: Int;
var C = tensor*(n,n)[ ((i,j),+/c) | ((i,k),a) <- A, ((kk,j),b) <- B, k == kk,
                                   let c = min(a,b), group by (i,j) ];
var total = 0.0;
for i = 0, n-1 do for j = 0, n-1 do total += sqrt(C[i,j]);
var t = 0;
while (t < 3) {
    C = tensor*(n,n)[ ((i,j),c/(total+1.0)) | ((i,j),c) <- C ];
    t += 1;
}
(C, total)
""",
}


@functools.cache
def lowered(name, whole):
    """A module at the spark level, from which programs are emitted."""
    from diablo.variant import Variant

    return Variant(PROGRAMS[name], f"{name}.diablo", {}, whole=whole).spark_module


def counted():
    """Gives each name a harmless one."""
    names = {}
    return lambda what, old: names.setdefault((what, old), f"{what}h{len(names)}z")


@functools.cache
def harmless(name, whole):
    return emit_pyspark(renamed(lowered(name, whole), counted()), "harmless.diablo")


TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(NAMES), st.text(max_size=3)), max_size=6
).map("".join)
SYMBOLS = st.one_of(st.sampled_from(NAMES), TEXTS.filter(bool))
HINTS = st.one_of(
    st.sampled_from(NAMES),
    st.from_regex(r"[A-Za-z_$.\-][A-Za-z0-9_$.\-]{0,5}", fullmatch=True).filter(
        lambda name: not re.fullmatch(r"(_\d+)+", name)  # xDSL takes the number off
    ),
)
KINDS = {"file": TEXTS, "text": TEXTS.filter(bool), "symbol": SYMBOLS, "value": HINTS}


@pytest.fixture(autouse=True)
def _every_length(monkeypatch):
    """What is long gets a variable, and names have lengths."""
    monkeypatch.setattr("diablo.lowering.pyspark.driver._LONGEST_EXPRESSION", 10**9)
    monkeypatch.setattr("diablo.lowering.numpy.numpy_scope.LONGEST_INLINE", 10**9)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_names_add_no_statement(name, whole):
    @settings(max_examples=number(3, 6), deadline=None, phases=[Phase.generate])
    @given(st.data())
    def run(data):
        pool = {
            what: data.draw(st.lists(kind, min_size=1, max_size=4, unique=True))
            for what, kind in KINDS.items()
        }
        count = {}

        def rename(what, old):
            # Arrays of one name are named once where the program lists them: no two have it.
            number = count.setdefault((what, old), len(count))
            round, place = divmod(number, len(pool[what]))
            return pool[what][place] + "q" * round

        file = data.draw(TEXTS)
        text = emit_pyspark(renamed(lowered(name, whole), rename), file)
        text.encode("utf-8")

        harmless_name, ends = counted(), set()

        def alike(what, old):
            # NumPy drops a NUL at the end of a string: such a text is joined by a function.
            end = "\0" if what == "text" and rename(what, old).endswith("\0") else ""
            ends.add(end)
            return harmless_name(what, old) + end

        module = renamed(lowered(name, whole), alike)
        wanted = harmless(name, whole)
        if "\0" in ends:
            wanted = emit_pyspark(module, "harmless.diablo")
        assert difference(wanted, text) is None

    run()


@given(TEXTS)
def test_a_literal_has_the_value_of_its_text(text):
    for literal, value in (
        (string_literal(text), text),
        (block_literal(text), f"\n{text}\n"),
    ):
        assert ast.literal_eval(literal) == value
        literal.encode("utf-8")
    assert string_literal(text).isprintable()


@given(TEXTS, st.integers(1, 40))
def test_a_comment_is_one_line(text, width):
    for line in (comment(text), comment(text, width)):
        assert line.isprintable()
        assert ast.parse(line).body == []


@given(TEXTS)
def test_a_docstring_is_all_there_is(text):
    written = docstring([f"{text}, compiled", "", "second"])
    (statement,) = ast.parse(written).body
    assert isinstance(statement, ast.Expr)
    assert ast.literal_eval(statement.value) == f"{text}, compiled\n\nsecond\n"
    written.encode("utf-8")


@given(TEXTS)
def test_an_identifier_is_one(text):
    name = identifier(text, "x")
    assert name.isidentifier()
    assert name.isascii()
    assert not (name.startswith("__") and name.endswith("__"))


@given(st.sets(SYMBOLS, max_size=30))
def test_symbols_have_names_of_their_own(symbols):
    names = {symbol_name(symbol) for symbol in symbols}
    names |= {f"{symbol_name(symbol)}_combine" for symbol in symbols}
    assert len(names) == 2 * len(symbols)
    assert not names & DRIVER_NAMES
    assert all(name.isidentifier() and name.isascii() for name in names)


def test_symbols_keep_their_names_where_they_may():
    assert symbol_name("kernel_0") == "kernel_0"
    assert symbol_name("min") == "symbol_min"
    assert symbol_name("a.b") == "symbol_0a_2e_b"


HOSTILE_FILES = [
    f'"""\n{PAYLOAD}\n"""',
    f"a\n{PAYLOAD}\n#",
    f"a\\\r{PAYLOAD}",
    "a\\",
    '"',
    "'''",
    "a\u2028b{x}%s",
    "a\udcffb",
    "a\U0001f600b",
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", HOSTILE_FILES)
def test_a_file_may_have_any_name(tmp_path, name):
    text = "input V: vector[Int]; input n: Int; V[n] / n + (+/[ v | (i,v) <- V ]);"
    text += "  // a\0b\fc\x85d\u2028e\r\n"
    path = tmp_path / f"{name}.diablo"
    path.write_bytes(text.encode())
    program = diablo.compile(path)
    assert program(V=[4, 5, 6], n=2) == 18
    written = program.ir("pyspark")
    path = tmp_path / "harmless.diablo"
    path.write_bytes(text.encode())
    harmless = diablo.compile(path)
    harmless(V=[4, 5, 6], n=2)
    assert difference(harmless.ir("pyspark"), written) is None
    with pytest.raises(diablo.RunError):
        program(V=[4, 5, 6], n=3)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_programs_use_is_reserved(name, whole):
    text = emit_pyspark(lowered(name, whole), name)
    top = ast.parse(text).body
    defined = {s.name for s in top if isinstance(s, ast.FunctionDef)}
    defined |= {ast.unparse(s.targets[0]) for s in top if isinstance(s, ast.Assign)}
    for function in symtable(text, name, "exec").get_children():
        used = {s.get_name() for s in function.get_symbols() if s.is_global()}
        assert used - defined <= DRIVER_NAMES, function.get_name()
