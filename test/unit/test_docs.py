# What the documentation shows is true: its code runs, and its links lead somewhere.
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def test_the_example_of_adding_a_pass(tmp_path: Path):
    from xdsl.parser import Parser

    from diablo.registry import new_context

    page = ROOT / "docs" / "adding-a-pass.md"
    source, *_ = _blocks(page, "python")
    (text,) = _blocks(page, "mlir")
    names: dict[str, Any] = {"__name__": "drop_true_guards"}
    exec(compile(source, str(page), "exec"), names)
    ctx = new_context()
    module = Parser(ctx, text).parse_module()
    assert any(op.name == "comprehension.guard" for op in module.walk())
    names["DropTrueGuardsPass"]().apply(ctx, module)
    module.verify()
    assert not any(op.name == "comprehension.guard" for op in module.walk())


def test_the_example_of_the_interpreter():
    page = ROOT / "docs" / "architecture.md"
    (source,) = _blocks(page, "python")
    assert "== [49]" in source
    exec(compile(source, str(page), "exec"), {})
    with pytest.raises(AssertionError):
        exec(compile(source.replace("49", "48"), str(page), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_keep_to_the_width(page: Path):
    """Rows of tables are a line each, and so is what a command has printed."""
    text = re.sub(r"^```(?:mlir)?\n.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("|")]
    assert [line for line in lines if len(line) > 100] == []


def _without_code(text: str) -> str:
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path):
    # Code such as `around [0](%n)` looks like a link and is none.
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", _without_code(page.read_text())):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_examples_of_block_matrices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # They stand on each other, from the first to the last.
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "blocks.md"
    names: dict[str, Any] = {}
    for source in _blocks(page, "python"):
        exec(compile(source, str(page), "exec"), names)
