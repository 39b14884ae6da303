"""Ranges that tests narrow give the rows that the tests left over, whatever they compare."""

from __future__ import annotations

from random import Random

import pytest
from known_results import KnownResults
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from diablo.dialects import comprehension
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context

PREDICATES = ("slt", "sle", "sgt", "sge", "eq", "ne")


class Writer:
    """Writes a list of index vectors: three ranges, and tests of sums of their indices."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def let(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, low: int, high: int) -> str:
        return self.let(f"arith.constant {self.random.randint(low, high)} : index")

    def sum(self, variables: list[str]) -> str:
        """A sum of multiples of variables, perhaps of its absolute value or an extreme."""
        total = self.constant(-3, 3)
        for variable in self.random.sample(variables, self.random.randint(1, len(variables))):
            factor = self.constant(1, 3)
            term = self.let(f"arith.muli {variable}, {factor} : index")
            op = self.random.choice(("addi", "subi"))
            total = self.let(f"arith.{op} {total}, {term} : index")
        match self.random.randrange(5):
            case 0 | 1:
                whole = self.let(f"arith.index_cast {total} : index to i64")
                absolute = self.let(f"math.absi {whole} : i64")
                return self.let(f"arith.index_cast {absolute} : i64 to index")
            case 2:
                op = self.random.choice(("maxsi", "minsi"))
                other = self.random.choice(variables)
                return self.let(f"arith.{op} {total}, {other} : index")
            case _:
                return total

    def text(self) -> str:
        variables: list[str] = []
        for name in ("%i", "%j", "%k"):
            low, high = self.constant(-4, 2), self.constant(0, 6)
            step = self.random.choice((1, 1, 1, 2, 3, -1, -2))
            if variables and self.random.random() < 0.3:
                low = self.random.choice(variables)
            if step < 0:
                low, high = high, low
            self.lines.append(f"{name} = comprehension.range {low} to {high} step {step}")
            variables.append(name)
            for _ in range(self.random.choice((0, 1, 1, 2))):
                predicate = self.random.choice(PREDICATES)
                left, right = self.sum(variables), self.constant(-2, 6)
                if self.random.random() < 0.3:
                    right = self.sum(variables)
                test = self.let(f"arith.cmpi {predicate}, {left}, {right} : index")
                self.lines.append(f"comprehension.guard {test}")
        body = "\n".join(self.lines)
        bag = "!comprehension.bag<index, index, index>"
        return f"""
func.func @main() -> {bag} {{
  %r = comprehension.collect : {bag} {{
    {body}
    comprehension.yield %i, %j, %k
  }}
  func.return %r : {bag}
}}"""


def rows(module: ModuleOp) -> list[tuple[int, int, int]]:
    (found,) = interpret(module, {})
    return sorted(found)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", range(0, 100, 25))
def test_narrowed_ranges_give_the_same_rows(first: int) -> None:
    context, narrowed = new_context(), 0
    narrow = available_passes()["narrow-ranges"]()()
    for seed in range(first, first + 25):
        module = Parser(context, Writer(seed).text()).parse_module()
        known = KnownResults(rows)
        expected = known(module)
        before = _guards(module)
        narrow.apply(context, module)
        assert known(module) == expected, f"{seed}: {module}"
        narrowed += _guards(module) < before
        narrow.apply(context, module)
        assert known(module) == expected, f"{seed}, twice: {module}"
    assert narrowed > 10


def _guards(module: ModuleOp) -> int:
    return sum(isinstance(op, comprehension.GuardOp) for op in module.walk())
