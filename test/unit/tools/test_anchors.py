# A pass inside an anchor does to each function what it does to a module of it.
from io import StringIO
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from diablo.frontend.importer import import_program
from diablo.lowering.pipelines import PIPELINES
from diablo.pass_manager import PassManager
from diablo.pass_pipeline import load_steps
from diablo.registry import available_passes, new_context
from diablo.universe import PASSES

PROGRAM = Path(__file__).parents[3] / "examples" / "pagerank.diablo"


def after(module: ModuleOp, elements: list[str]) -> str:
    copy = module.clone()
    steps = load_steps(elements, available_passes(), PIPELINES)
    PassManager(steps).run(new_context(), copy)
    output = StringIO()
    Printer(stream=output).print_op(copy)
    return output.getvalue()


@pytest.fixture(scope="module")
def levels() -> dict[str, ModuleOp]:
    """The program before each pass of the pipeline that may be nested."""
    module = import_program(PROGRAM.read_text(encoding="utf-8"), PROGRAM.name)
    before: dict[str, ModuleOp] = {}
    for name in PIPELINES["diablo-to-tensor-block"].split(","):
        before.setdefault(name, module.clone())
        PassManager(load_steps([name], available_passes(), {})).run(new_context(), module)
    return before


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", [n for n, entry in PASSES.items() if entry.nested] + ["dce"])
def test_functions_one_by_one_are_the_module(name: str, levels: dict[str, ModuleOp]):
    module = levels.get(name, levels["expand-reads"])
    assert after(module, [f"func.func({name})"]) == after(module, [name])
    assert after(module, [f"builtin.module({name})"]) == after(module, [])
