# docs/passes.md is what the docstrings of the passes give, and each has one that says its level.
from pathlib import Path

import pytest

from diablo.universe import PASSES
from writers import pass_page


def test_the_page_is_up_to_date():
    assert pass_page.main(["--check"]) == 0


def test_check_names_an_old_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(pass_page, "PAGE", tmp_path / "passes.md")
    assert pass_page.main(["--check"]) == 1
    assert "docs/passes.md is out of date" in capsys.readouterr().err
    assert pass_page.main([]) == 0
    assert pass_page.main(["--check"]) == 0


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_shows_before_and_after(name: str):
    section = pass_page.page().split(f"## `{name}`\n")[1].split("\n## ")[0]
    assert "```mlir" in section or "\n    " in section
