# Random tests of indices in the bodies of folds and maps, by which loops are cut, against one point
# at a time.
import random

import numpy as np
import pytest
from kernel_oracle import parse_kernel, run_naively

from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.runtime.kernels.compiled import CompiledKernel, compiled
from diablo.runtime.native import work_seen

PREDICATES = ["slt", "sle", "sgt", "sge", "eq", "ne", "ne"]
IDENTITIES = {"add": "0.0", "max": "0xFFF0000000000000", "mul": "1.0"}


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 0)


class Guard:
    """Lines that compute a test of `%i` and `%j`, whose result is the last name."""

    def __init__(self, choose: random.Random):
        self.choose = choose
        self.lines: list[str] = []
        self.name = self.comparison()
        for _ in range(choose.randint(0, 2)):
            self.name = self.add(f"arith.andi {self.name}, {self.comparison()} : i1")

    def add(self, text: str) -> str:
        name = f"%g{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self, value: int) -> str:
        return self.add(f"arith.constant {value} : index")

    def form(self, least: int) -> str:
        total = self.constant(self.choose.randint(-4, 6))
        for index in self.choose.sample(["%i", "%j"], self.choose.randint(least, 2)):
            factor = self.constant(self.choose.choice([1, 1, 1, -1, 2, -2, 3]))
            product = self.add(f"arith.muli {index}, {factor} : index")
            total = self.add(f"arith.addi {total}, {product} : index")
        return total

    def comparison(self) -> str:
        outside = self.choose.random() < 0.3
        sides = [self.form(1), "%k" if outside else self.form(0)]
        self.choose.shuffle(sides)
        predicate = self.choose.choice(PREDICATES)
        return self.add(f"arith.cmpi {predicate}, {sides[0]}, {sides[1]} : index")


def kernel_text(seed: int) -> str:
    choose = random.Random(seed)
    guard = Guard(choose)
    monoid = choose.choice([*IDENTITIES])
    folds = choose.random() < 0.7
    across = choose.random() < 0.3
    other = IDENTITIES[monoid] if folds and choose.random() < 0.9 else "2.0"
    place = "%a[d1, d0]" if across else "%a[d0, d1]"
    first, second = ("%m", "%n") if across else ("%n", "%m")
    loop = (
        f"tensor_block.reduce {monoid} parallel(d0 < {first}) reduced(d1 < {second})"
        if folds
        else f"tensor_block.map parallel(d0 < {first}, d1 < {second})"
    )
    result = "tensor<?xf64>" if folds else "tensor<?x?xf64>"
    lines = "\n".join(guard.lines)
    return f"""
    func.func @kernel(%a: tensor<?x?xf64>, %n: index, %m: index, %k: index) -> {result} {{
      %r = {loop} ins({place} : tensor<?x?xf64>) -> {result} {{
      ^body(%i: index, %j: index, %x: f64):
        {lines}
        %v = scf.if {guard.name} -> (f64) {{
          scf.yield %x : f64
        }} else {{
          %otherwise = arith.constant {other} : f64
          scf.yield %otherwise : f64
        }}
        tensor_block.yield %v : f64
      }}
      func.return %r : {result}
    }}
    """


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block", range(4))
def test_loops_that_are_cut_give_what_their_bodies_say(block: int):
    for seed in range(block * 8, block * 8 + 8):
        function = parse_kernel(kernel_text(seed))
        native = compile_kernel(function)
        run = compiled(_must_not_run, native.llvm_ir, str(native.signature))
        assert isinstance(run, CompiledKernel)
        numbers = np.random.default_rng(seed)
        for n, m, k in [(7, 11, 5), (9, 4, -3), (1, 18, 2**63 - 1), (6, 6, -(2**63)), (0, 3, 0)]:
            arguments = [numbers.integers(-3, 4, (n, m)).astype(float), n, m, k]
            with np.errstate(all="ignore"):
                expected = run_naively(function, arguments)
            np.testing.assert_array_equal(np.asarray(run(*arguments)), np.asarray(expected))


def _must_not_run(*_: object) -> object:
    raise AssertionError("fell back to NumPy")
