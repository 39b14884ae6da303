# The package list of pyproject.toml, the folders and the links in diablo/ agree.
import ast
import os
import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from source_folders import FOLDERS, PACKAGES, ROOT
from xdsl.universe import Universe

with open(ROOT / "pyproject.toml", "rb") as file:
    PYPROJECT = tomllib.load(file)
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]


def _packages_of_the_tree() -> dict[str, str]:
    """From each package to its folder."""
    packages = {"diablo": "diablo"}
    for folder in FOLDERS:
        for path, _, files in os.walk(ROOT / folder):
            if "__init__.py" in files:
                relative = os.path.relpath(path, ROOT)
                folder_name, *rest = relative.split(os.sep)
                name = ".".join(["diablo", PACKAGES.get(folder_name, folder_name), *rest])
                packages[name] = relative
    return packages


def test_every_package_is_listed():
    assert sorted(SETUPTOOLS["packages"]) == sorted(_packages_of_the_tree())


def test_every_package_has_its_folder():
    tree = _packages_of_the_tree()
    for package, folder in SETUPTOOLS["package-dir"].items():
        assert tree[package] == folder
    # A sub-package is found below its parent; every top folder has its own entry.
    tops = {f"diablo.{PACKAGES.get(folder, folder)}" for folder in FOLDERS}
    assert tops <= set(SETUPTOOLS["package-dir"])


def test_every_folder_of_modules_is_a_package():
    for folder in FOLDERS:
        for path, _, files in os.walk(ROOT / folder):
            if any(name.endswith(".py") for name in files):
                assert "__init__.py" in files, path


def test_files_that_are_no_modules_are_packaged():
    packaged = {
        path.relative_to(ROOT)
        for package, patterns in SETUPTOOLS["package-data"].items()
        for pattern in patterns
        for path in (ROOT / _packages_of_the_tree()[package]).glob(pattern)
    }
    # What the loops are made from stays behind, as no program needs it.
    wanted = {
        path.relative_to(ROOT)
        for path in (ROOT / "runtime").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".mlir")
    }
    assert wanted
    assert wanted <= packaged


def _packed_modules() -> list[Path]:
    """The modules that an installation has."""
    folders = _packages_of_the_tree()
    packages: list[str] = SETUPTOOLS["packages"]
    return [path for name in packages for path in (ROOT / folders[name]).glob("*.py")]


def _imported(path: Path) -> set[str]:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
        elif isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
    return imported


def test_what_only_a_clone_needs_stays_behind():
    # The names of these commands are packed, and what they do is in test/.
    commands = {
        "array_fuzz",
        "check",
        "dialect_docs",
        "fuzz",
        "gpu_check",
        "loop_code",
        "pass_docs",
        "row_fuzz",
    }
    starting = "diablo.tools.clone"
    packed = {path for path in _packed_modules() if starting in path.read_text(encoding="utf-8")}
    assert packed == {ROOT / "tools" / f"{name}.py" for name in commands}
    for path in packed:
        assert _imported(path) == {"__future__", starting}


def test_nothing_that_is_packed_needs_a_folder_of_the_clone():
    named = re.compile(r"""["'](docs|test|bench|examples)["']""")
    for path in _packed_modules():
        if path != ROOT / "tools" / "clone.py":
            assert not named.search(path.read_text(encoding="utf-8")), path


def test_links_lead_to_the_folders():
    for folder in FOLDERS:
        link = ROOT / "diablo" / PACKAGES.get(folder, folder)
        assert link.is_symlink()
        assert os.readlink(link) == f"../{folder}"


def test_no_package_is_installed_at_the_top():
    assert all(p == "diablo" or p.startswith("diablo.") for p in SETUPTOOLS["packages"])


def test_pyright_is_given_the_links():
    with open(ROOT / "pyproject.toml", "rb") as file:
        include = tomllib.load(file)["tool"]["pyright"]["include"]
    links = [f"diablo/{PACKAGES.get(folder, folder)}" for folder in FOLDERS]
    of_tests = ["test/fuzzing", "test/run_checks.py", "test/writers"]
    assert sorted(include) == sorted(["diablo", *links, *of_tests])


def test_xdsl_opt_starts_where_this_is_installed(monkeypatch: pytest.MonkeyPatch):
    named = PYPROJECT["project"]["entry-points"]["xdsl.universe"]

    def entry_points(*, group: str) -> list[EntryPoint]:
        assert group == "xdsl.universe"
        own = [EntryPoint(name, value, group) for name, value in named.items()]
        return [EntryPoint("xdsl", "xdsl.universe:XDSL_UNIVERSE", group), *own]

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    both = Universe.get_multiverse()
    # It refuses names that are there twice.
    assert "tensor_block" in both.all_dialects
    assert both.all_passes["cse"]().__module__.startswith("xdsl.")
    assert both.all_passes["fuse-multiloops"]().__module__.startswith("diablo.")
    assert "pyspark" in both.all_targets
