# Imports point one way: who may import whom, read from the source text.
import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("dialects", "passes", "lowering", "frontend", "runtime", "tools")

ALLOWED = {
    "dialects": {"dialects"},
    "passes": {"passes", "dialects"},
    "lowering": {"lowering", "passes", "dialects"},
    "frontend": {"frontend", "dialects"},
    "runtime": {"runtime"},
    "tools": set(FOLDERS),
}
# What stands beside the folders: `diagnostics` is for all, the rest for the tools.
DRIVERS = {path.stem for path in (ROOT / "diablo").glob("*.py")} - {"__init__", "diagnostics"}


def _imports(path: Path) -> Iterator[tuple[int, str, int]]:
    """The line, module and level of every import in a file, late ones too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name, 0
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield node.lineno, module, node.level
            if module == "diablo":
                for name in node.names:
                    yield node.lineno, f"diablo.{name.name}", 0


def _files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_point_one_way(folder: str):
    wrong: list[str] = []
    for path in _files(folder):
        for line, module, level in _imports(path):
            place = f"{path.relative_to(ROOT)}:{line}"
            parts = module.split(".")
            if level or parts[0] in FOLDERS:
                wrong.append(f"{place}: imports {module!r}, not by its name under diablo")
            elif parts[0] == "diablo" and len(parts) > 1:
                target = parts[1]
                if target in FOLDERS and target not in ALLOWED[folder]:
                    wrong.append(f"{place}: {folder} may not import {module}")
                if target in DRIVERS and folder != "tools":
                    wrong.append(f"{place}: {folder} may not import {module}")
    assert not wrong, "\n".join(wrong)


def test_the_runtime_needs_no_compiler():
    for path in [*_files("runtime"), ROOT / "diablo" / "diagnostics.py"]:
        for line, module, _ in _imports(path):
            assert module.split(".")[0] != "xdsl", f"{path}:{line}"


def test_the_start_of_a_tool_loads_no_numerics():
    import subprocess
    import sys

    code = (
        "import sys, diablo.tools.opt_tool.opt_driver, diablo;"
        "print([m for m in ('numpy', 'scipy', 'llvmlite', 'pyspark', 'importlib.metadata')"
        " if m in sys.modules and m != 'importlib.metadata'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.strip() == "[]", run.stderr
