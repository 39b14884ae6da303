"""How errors are reported: several at once, cut short, with their place; programs without end."""

from __future__ import annotations

import pytest
from marked import errors_of

from diablo.diagnostics import CompileError
from diablo.frontend.importer import import_program


def test_several_errors_in_one_run() -> None:
    errors = errors_of("var x = ;\nvar y = (1;\nfor i 0 do { }\nvar ok = 3;\nwhile true { }\n")
    assert [e.span.line for e in errors if e.span] == [1, 2, 3, 5]
    errors = errors_of("var x = a;\nvar y = x + 1;\nvar z = y + b;\nz = true + 1;\n")
    assert [e.message for e in errors] == [
        "`a` is not declared",
        "`b` is not declared",
        "`+` cannot be applied to Boolean and Int",
    ]


def test_very_many_errors_are_cut_short() -> None:
    for text in ("var x = ;\n" * 250, "".join(f"y{k} = 3;\n" for k in range(250))):
        errors = errors_of(text)
        assert len(errors) == 101
        assert errors[-1].message == "there are 150 more errors from here on"
        assert errors[-1].span is not None
        assert errors[-1].span.line == 101


def test_second_declaration_shows_the_first() -> None:
    (error,) = errors_of("var x = 3;\nvar x = 4;\n")
    (note,) = error.notes
    assert note.message == "it is first declared here"
    assert note.span is not None
    assert (note.span.line, note.span.column) == (1, 5)


def test_rendered_with_line_and_caret() -> None:
    with pytest.raises(CompileError) as caught:
        import_program("var nodes = 3;\nvar y = node + 1;\n", "pagerank.diablo")
    assert str(caught.value).splitlines() == [
        "pagerank.diablo:2:9: error: `node` is not declared",
        "  var y = node + 1;",
        "          ^^^^",
        "  hint: did you mean `nodes`?",
    ]


@pytest.mark.parametrize(
    "program",
    [
        "var x = " + "(" * 5000 + "1" + ")" * 5000 + ";",
        "var x = " + "-" * 5000 + "1;",
        "var x = " + "1+" * 5000 + "1;",
        "{" * 5000 + "}" * 5000,
        "var x: " + "list[" * 5000 + "Int" + "]" * 5000 + " = 1;",
    ],
    ids=["parentheses", "signs", "terms", "blocks", "types"],
)
def test_too_deep(program: str) -> None:
    errors = errors_of(program)
    assert "nested too deeply" in errors[0].message or "more than" in errors[0].message
    assert errors[0].span is not None


FUNCTIONS_THAT_GROW = {
    "two calls": "def f{0}(x: Int): Int = f{1}(x) + f{1}(x+1);",
    "one call": "def f{0}(x: Int): Int = -(f{1}(x) + (1 + (2 + (3 + (4 + (5 + x))))));",
    "function applied twice": "def f{0}(x: Int): Int = twice(f{1}, x);",
    "condition": "def f{0}(x: Int): Int = if (x > {0}) f{1}(x) else 0;",
    "lambda applied twice": "def f{0}(x: Int): Int = twice((y) => f{1}(y + 1), x);",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("step", FUNCTIONS_THAT_GROW.values(), ids=list(FUNCTIONS_THAT_GROW))
def test_inlining_is_bounded(step: str) -> None:
    first = "def twice(f: Int -> Int, x: Int): Int = f(f(x));\ndef f0(x: Int): Int = x + 1;\n"
    levels = 300
    functions = [step.format(k, k - 1) for k in range(1, levels + 1)]
    (error,) = errors_of(first + "\n".join(functions) + f"\nf{levels}(1)")
    assert "once the functions that it calls are inlined" in error.message
    assert error.span is not None
    assert error.span.column == 5
