# Imports point one way: who may import whom, read from the source text.
import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from source_folders import FOLDERS, PACKAGES, ROOT

ALL = ("diablo", *FOLDERS)
FOLDER_OF = {PACKAGES.get(folder, folder): folder for folder in FOLDERS}

ALLOWED = {
    "arrays": {"arrays", "lowering", "dialects", "runtime"},
    "blocks": {"blocks", "arrays", "runtime"},
    "dialects": {"dialects"},
    "passes": {"passes", "dialects"},
    "lowering": {"lowering", "passes", "dialects"},
    "frontend": {"frontend", "dialects"},
    "runtime": {"runtime"},
    "tables": {"tables", "arrays", "lowering", "dialects", "runtime"},
    "tools": set(FOLDERS),
}
# What stands beside the folders: twelve modules are for all, the rest for the tools.
FOR_ALL = {
    "context_values",
    "diagnostics",
    "costs",
    "format_table",
    "kernel_signature",
    "linear_sums",
    "llvm_pipeline",
    "monoid_table",
    "program_names",
    "row_kernel_signature",
    "scalar_table",
    "sparse_kernel_signature",
}
DRIVERS = {path.stem for path in (ROOT / "diablo").glob("*.py")} - {"__init__"} - FOR_ALL


@dataclass(frozen=True)
class Import:
    """A module that a file imports, or what it imports from there."""

    line: int
    module: str
    level: int
    names: tuple[str, ...]
    """What is imported from the module; nothing for a plain import."""
    when: str
    """With the file (`early`), when something runs (`late`), or never (`checked`)."""


@cache
def _imports_of(path: Path) -> tuple[Import, ...]:
    """All imports of a file, in the order of its text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(_found(tree.body, "early"))


def _found(nodes: Iterable[ast.AST], when: str) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, name.name, 0, (), when) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(name.name for name in node.names)
            yield Import(node.lineno, node.module or "", node.level, names, when)
        elif not isinstance(node, ast.expr):
            checked = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            inner = "checked" if checked or when == "checked" else "late"
            yield from _found(ast.iter_child_nodes(node), inner)


def _imports(path: Path) -> Iterator[tuple[int, str, int]]:
    """The line, module and level of every import in a file, late ones too."""
    for found in _imports_of(path):
        yield found.line, found.module, found.level
        if found.module == "diablo":
            for name in found.names:
                yield found.line, f"diablo.{name}", 0


def _files(folder: str) -> list[Path]:
    """The modules of a folder; in `diablo` those beside the links to the others."""
    found = (ROOT / folder).glob("*.py") if folder == "diablo" else (ROOT / folder).rglob("*.py")
    return sorted(found)


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
                target = FOLDER_OF.get(parts[1], parts[1])
                if target in FOLDERS and target not in ALLOWED[folder]:
                    wrong.append(f"{place}: {folder} may not import {module}")
                if target in DRIVERS and folder not in ("arrays", "tables", "tools"):
                    wrong.append(f"{place}: {folder} may not import {module}")
    assert not wrong, "\n".join(wrong)


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """Nodes that reach each other in a graph, or none."""
    state = dict.fromkeys(graph, 0)
    path: list[str] = []

    def visit(node: str) -> list[str]:
        if state.get(node) == 1:
            return path[path.index(node) :]
        if state.get(node, 2) == 2:
            return []
        state[node] = 1
        path.append(node)
        for target in sorted(graph[node]):
            circle = visit(target)
            if circle:
                return circle
        path.pop()
        state[node] = 2
        return []

    return next(filter(None, map(visit, graph)), [])


def _dependences(folders: Iterable[str], *, late: bool = False) -> dict[str, set[str]]:
    """The modules that each module imports when it is loaded, or also later."""
    paths = {
        _module_of(path).removesuffix(".__init__"): path
        for folder in folders
        for path in _files(folder)
    }
    times = ("early", "late") if late else ("early",)
    return {
        module: {
            name if name in paths else found.module
            for found in _imports_of(path)
            if found.when in times and found.module
            for name in (f"{found.module}.{name}" for name in found.names)
        }
        & paths.keys()
        for module, path in paths.items()
    }


def _module_of(path: Path) -> str:
    folder, *rest = path.relative_to(ROOT).with_suffix("").parts
    if folder == "diablo":
        return ".".join((folder, *rest))
    return ".".join(("diablo", PACKAGES.get(folder, folder), *rest))


def _package_of(module: str) -> str:
    """The package that a module is in, or that it is."""
    _, *parts = module.split(".")
    parts[:1] = [FOLDER_OF.get(part, part) for part in parts[:1]]
    is_package = ROOT.joinpath(*parts).is_dir()
    return module if is_package else module.rpartition(".")[0]


def test_a_circle_is_found():
    assert _circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]
    assert _circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_modules_import_each_other():
    assert not _circle(_dependences(ALL))


def test_no_modules_import_each_other_late():
    # Ops alone name others of their dialect late: those they stand in, and what rewrites them. And
    # lazy arrays name what answers NumPy when it asks them, which is made of their functions.
    early, graph = _dependences(ALL), _dependences(ALL, late=True)
    excepted = ("diablo.dialects.", "diablo.array.lazy_array")
    graph |= {module: early[module] for module in graph if module.startswith(excepted)}
    assert not _circle(graph)


def test_no_packages_import_each_other():
    packages: dict[str, set[str]] = {}
    for module, targets in _dependences(FOLDERS, late=True).items():
        package = _package_of(module)
        packages.setdefault(package, set())
        packages[package] |= {_package_of(target) for target in targets} - {package}
    assert not _circle(packages)


def _written_imports() -> Iterator[tuple[str, set[str]]]:
    """Return what docs/architecture.md says that each package imports of its folder."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition("| package | imports |\n|---|---|\n")[2].partition("\n\n")[0]
    for row in table.splitlines():
        packages, imports = (re.findall(r"`([\w/]+)`", cell) for cell in row.split("|")[1:3])
        folder = packages[0].partition("/")[0]
        for package in packages:
            named = f"{folder}/{package.removeprefix(f'{folder}/')}"
            yield named, {f"{folder}/{name}" for name in imports}


def test_packages_import_what_is_written():
    found: dict[str, set[str]] = {}
    for module, targets in _dependences(FOLDERS, late=True).items():
        package = _package_of(module).removeprefix("diablo.").replace(".", "/")
        folder = package.partition("/")[0]
        others = {_package_of(t).removeprefix("diablo.").replace(".", "/") for t in targets}
        if package != folder:
            inner = {other for other in others if other.startswith(f"{folder}/")} - {package}
            found.setdefault(package, set()).update(inner)
    bare = {"passes/analyses"}  # What stands beside packages is for all.
    written = dict(_written_imports())
    assert written == {p: targets - bare for p, targets in found.items() if p not in bare}


INTERPRETER = "diablo.passes.interpreter"


def test_nothing_compiles_with_the_interpreter():
    for path in [file for folder in FOLDERS if folder != "tools" for file in _files(folder)]:
        if path.parent != ROOT / "passes" / "interpreter":
            for line, module, _ in _imports(path):
                assert not module.startswith(INTERPRETER), f"{path}:{line}"


def test_the_interpreter_knows_no_analysis():
    for path in _files("passes/interpreter"):
        for line, module, _ in _imports(path):
            is_own = not module.startswith("diablo.passes") or module.startswith(INTERPRETER)
            assert is_own, f"{path}:{line}"


def test_the_runtime_needs_no_compiler():
    shared = [ROOT / "diablo" / f"{name}.py" for name in FOR_ALL]
    for path in [*_files("runtime"), *shared]:
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


def test_what_runs_programs_loads_no_compiler():
    import subprocess
    import sys

    late = ("xdsl", "scipy", "llvmlite", "pyspark", "tqdm", "numpy.ma", "diablo.compiler")
    code = (
        "import sys, numpy, diablo.api, diablo.runtime.program;"
        "from diablo.frontend.checking.program_interface import InputDeclaration;"
        "from diablo.frontend.checking.types import DOUBLE, ArrayType;"
        "from diablo.call import Inputs;"
        "A = InputDeclaration('A', ArrayType(DOUBLE, 1), None);"
        "Inputs([A]).check({'A': numpy.ones(3)});"
        f"print([m for m in {late} if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.strip() == "[]", run.stderr


def test_a_name_is_that_of_one_module():
    places: dict[str, list[Path]] = {}
    for path in [file for folder in ALL for file in _files(folder)]:
        if path.stem == "__init__":
            continue
        places.setdefault(path.stem, []).append(path)
    assert not {name: found for name, found in places.items() if len(found) > 1}
