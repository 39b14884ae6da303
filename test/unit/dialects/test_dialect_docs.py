# The pages in docs/dialects are those that the docstrings give.
from pathlib import Path

import pytest

from writers import dialect_pages


def test_pages_are_up_to_date():
    assert dialect_pages.main(["--check"]) == 0


def test_check_names_old_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(dialect_pages, "PAGES", tmp_path / "dialects")
    assert dialect_pages.main(["--check"]) == 1
    assert "docs/dialects/comprehension.md is out of date" in capsys.readouterr().err
    assert dialect_pages.main([]) == 0
    assert dialect_pages.main(["--check"]) == 0
    (tmp_path / "dialects" / "spark.md").write_text("old")
    assert dialect_pages.main(["--check"]) == 1


def test_a_page():
    page = dialect_pages.page("tensor_block")
    assert page.startswith("# The `tensor_block` dialect\n")
    section = page.split("### `tensor_block.lookup`\n")[1].split("### ")[0]
    assert "| operand | `offsets` | any number of: `index` |" in section
    assert "| attribute | `columns` | list of integers (`i64`) |" in section
    assert "| attribute | `stored` | optional; flag |" in section
    assert "SegmentSizes" not in page
    assert "### `#tensor_block.tiles`" in page
