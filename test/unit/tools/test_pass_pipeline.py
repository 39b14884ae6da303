import pytest

from diablo.pass_pipeline import PipelineError, load_passes, parse_pass_pipeline
from diablo.tools.registry import available_passes


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("builtin.module()", []),
        ("builtin.module(a)", ["a"]),
        ("builtin.module(a,b)", ["a", "b"]),
        (" builtin.module( a , b{x=1,2 y} ) ", ["a", "b{x=1,2 y}"]),
        ("builtin.module(a,func.func(b,c),d)", ["a", "b", "c", "d"]),
        ("builtin.module(func.func(scf.for(a)))", ["a"]),
        ('builtin.module(a{s="x,(y}"},b)', ['a{s="x,(y}"}', "b"]),
    ],
)
def test_anchored_pipelines(text: str, passes: list[str]):
    assert parse_pass_pipeline(text, anchored=True) == passes


@pytest.mark.parametrize(
    ("text", "passes"), [("", []), ("a", ["a"]), ("a, b{x=1}", ["a", "b{x=1}"])]
)
def test_plain_lists(text: str, passes: list[str]):
    assert parse_pass_pipeline(text, anchored=False) == passes


@pytest.mark.parametrize(
    "text",
    ["builtin.module(a", "builtin.module(a))", "builtin.module(a,)", "a", "func.func(a)", ""],
)
def test_wrong_pipelines(text: str):
    with pytest.raises(PipelineError):
        parse_pass_pipeline(text, anchored=True)


@pytest.mark.parametrize(
    ("text", "report"),
    [("choose-layouts{report}", True), ("choose-layouts{report=false}", False)],
)
def test_a_flag_alone_is_true(text: str, report: bool):
    (loaded,) = load_passes([text], available_passes(), {})
    assert getattr(loaded, "report") is report  # noqa: B009
