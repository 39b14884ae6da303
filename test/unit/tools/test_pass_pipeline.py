import pytest

from diablo.anchors import AnchoredPass
from diablo.pass_pipeline import (
    PipelineError,
    load_passes,
    load_steps,
    parse_pass_pipeline,
    pipeline_text,
)
from diablo.registry import available_passes


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("builtin.module()", []),
        ("builtin.module(a)", ["a"]),
        ("builtin.module(a,b)", ["a", "b"]),
        (" builtin.module( a , b{x=1,2 y} ) ", ["a", "b{x=1,2 y}"]),
        ("builtin.module(a,func.func(b,c),d)", ["a", "func.func(b,c)", "d"]),
        ('builtin.module(a{s="x,\\"(y}"},b)', ['a{s="x,\\"(y}"}', "b"]),
        ('builtin.module(a{s="x,(y}"},b)', ['a{s="x,(y}"}', "b"]),
    ],
)
def test_anchored_pipelines(text: str, passes: list[str]):
    assert parse_pass_pipeline(text, anchored=True) == passes


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("", []),
        ("a", ["a"]),
        ("a, b{x=1}", ["a", "b{x=1}"]),
        ("builtin.module(a,b)", ["a", "b"]),
    ],
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


@pytest.mark.parametrize(
    "text",
    [
        "builtin.module(cse,func.func(canonicalize),any(builtin.module(dce)))",
        'builtin.module(choose-layouts{report=true force="a \\"b\\", \\\\c"})',
    ],
)
def test_a_pipeline_is_spelled_as_it_is_read(text: str):
    elements = parse_pass_pipeline(text, anchored=True)
    assert pipeline_text(load_steps(elements, available_passes(), {})) == text


def test_anchors_go_with_each_pass():
    steps = load_steps(["any(func.func(cse,named))"], available_passes(), {"named": "dce,cse"})
    assert [step.name for step in steps] == ["cse", "dce", "cse"]
    assert all(isinstance(s, AnchoredPass) and s.anchors == ("any", "func.func") for s in steps)


@pytest.mark.parametrize(
    ("element", "message"),
    [
        ("nosuch.op(cse)", "there is no operation 'nosuch.op' to run passes on"),
        ("func.fun(cse)", "did you mean 'func.func'?"),
        ("func.func(scf.for(cse))", "'scf.for', which is not isolated from above"),
        ("func.func(update-in-place)", "'update-in-place' runs on builtin.module, not func.func"),
        ("any(mlir-opt)", "pass 'mlir-opt' runs on builtin.module, not any"),
        ("func.func(named)", "'share-kernels' runs on builtin.module, not func.func"),
    ],
)
def test_what_no_pass_can_run_on(element: str, message: str):
    with pytest.raises(PipelineError) as raised:
        load_steps([element], available_passes(), {"named": "cse,share-kernels"})
    assert message in str(raised.value)
