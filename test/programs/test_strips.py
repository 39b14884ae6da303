"""Chains of operations over the same rows, which are computed in strips, against NumPy.

Random programs fold rows of arrays, compute with what they have folded, and fold that with rows of
the same arrays. In small arrays nothing would be computed so unless it is forced.
"""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.lowering.pipelines import PIPELINES

INPUTS = """
input A: matrix[Double]; input B: matrix[Double]; input Z: matrix[Double];
input W: matrix[Double]; input y: vector[Double]; input w: vector[Double]; input u: vector[Double];
"""
N, M, K = 13, 4, 3


@pytest.fixture
def forced() -> Generator[None]:
    """Compute in strips wherever that is possible."""
    texts = dict(PIPELINES)
    for name, text in texts.items():
        PIPELINES[name] = text.replace("choose-strips", "choose-strips{force=true}")
    yield
    PIPELINES.update(texts)


def random_inputs(random: np.random.Generator) -> dict[str, Any]:
    shapes = {"A": (N, M), "B": (N, M), "Z": (M, N), "W": (M, K), "y": (N,), "w": (M,), "u": (K,)}
    return {name: random.integers(-3, 4, shape) / 4 for name, shape in shapes.items()}


class Chain:
    """Statements in the body of a loop, of which each reads what the ones before it made."""

    def __init__(self, random: Random):
        self.random = random
        self.rows, self.wide, self.columns = ["y"], list[str](), list[str]()
        self.lines: list[str] = []
        self.numpy: list[str] = []
        for _ in range(random.randint(3, 8)):
            self.add()
        self.add_column()

    def new(self, kind: list[str], text: str, twin: str) -> None:
        name = f"v{len(self.lines)}"
        self.lines.append(f"var {name} = {text};")
        self.numpy.append(f"{name} = {twin}")
        kind.append(name)

    def add(self) -> None:
        random = self.random
        a, r = random.choice("AB"), random.choice(self.rows)
        q = random.choice(self.rows)
        match random.randrange(9):
            case 0 | 1:
                self.new(self.rows, f"{a} @ w", f"{a} @ w")
            case 2:
                self.new(self.rows, f"{r} - {q}*{r}", f"{r} - {q}*{r}")
            case 3:
                each = f"tensor*({N})[ (i, exp(-{r}[i]*{r}[i]) + i) | i <- 0..{N - 1} ]"
                self.new(self.rows, each, f"np.exp(-{r}*{r}) + np.arange({N})")
            case 4:
                self.new(self.wide, f"{a} @ W", f"{a} @ W")
            case 5 if self.wide:
                h = random.choice(self.wide)
                self.new(self.rows, f"{h} @ u", f"{h} @ u")
            case 6:
                self.new(self.rows, "Z.t @ w", "Z.T @ w")
            case 7:
                most = f"tensor*({N})[ (i, max/a) | ((i,j),a) <- {a}, group by i ]"
                self.new(self.rows, most, f"{a}.max(axis=1)")
            case _:
                self.add_column()

    def add_column(self) -> None:
        random = self.random
        a, r = random.choice("AB"), random.choice(self.rows)
        match random.randrange(5):
            case 0:
                self.new(self.columns, f"Z @ {r}", f"Z @ {r}")
            case 1:
                total = f"+/[ {r}[i]*{r}[i] | i <- 0..{N - 1} ]"
                self.new(self.columns, total, f"({r}*{r}).sum()")
            case 2 if self.wide:
                h = random.choice(self.wide)
                self.new(self.columns, f"{a}.t @ {h}", f"{a}.T @ {h}")
            case _:
                self.new(self.columns, f"{a}.t @ {r}", f"{a}.T @ {r}")

    def program(self) -> str:
        step = next((v for v in reversed(self.columns) if self._is_gradient(v)), None)
        update = f"w = w - 0.125*{step};" if step else ""
        results = ", ".join(f"r{k}" for k, _ in enumerate(self.results()))
        keep = " ".join(f"r{k} = {v};" for k, v in enumerate(self.results()))
        before = " ".join(f"var r{k} = {self._zero(v)};" for k, v in enumerate(self.results()))
        body = "\n  ".join(self.lines)
        loop = f"var t = 0;\nwhile (t < 2) {{\n  t += 1;\n  {body}\n  {keep} {update}\n}};"
        return f"{INPUTS}{before}\n{loop}\n({results}, w)"

    def results(self) -> list[str]:
        """Some of the columns, and of the rows one at times."""
        rows = self.rows[-1:] if len(self.rows) > 1 and len(self.lines) % 3 == 0 else []
        return [*self.columns[-2:], *rows]

    def _is_gradient(self, name: str) -> bool:
        matrix, _, of = self._line(name).partition(" @ ")
        return matrix in ("Z", "A.T", "B.T") and of in self.rows

    def _line(self, name: str) -> str:
        return self.numpy[int(name[1:])].split(" = ")[1]

    def _zero(self, name: str) -> str:
        line = self._line(name)
        if "sum()" in line:
            return "0.0"
        if name in self.rows:
            return f"tensor*({N})[ (i, 0.0) | i <- 0..{N - 1} ]"
        if self._is_gradient(name):
            return f"tensor*({M})[ (i, 0.0) | i <- 0..{M - 1} ]"
        return f"tensor*({M},{K})[ ((i,j), 0.0) | i <- 0..{M - 1}, j <- 0..{K - 1} ]"

    def expected(self, inputs: dict[str, Any]) -> tuple[Any, ...]:
        known = dict(inputs, np=np)
        found: tuple[Any, ...] = ()
        step = next((v for v in reversed(self.columns) if self._is_gradient(v)), None)
        for _ in range(2):
            exec("\n".join(self.numpy), known)
            found = tuple([known[name] for name in self.results()])
            if step:
                known["w"] = known["w"] - 0.125 * known[step]
        return (*found, known["w"])


def check(seed: int, **options: Any) -> None:
    chain = Chain(Random(seed))
    inputs = random_inputs(np.random.default_rng(seed))
    text = chain.program()
    found = diablo.compile(text, **options)(**inputs)
    for one, other in zip(found, chain.expected(inputs), strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-9, atol=1e-9, err_msg=text)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("block_size", [1, 3, 7, None])
def test_strips_give_what_whole_arrays_do(forced: None, seed: int, block_size: int | None) -> None:
    check(seed, engine="local", block_size=block_size)


@pytest.mark.sampled(4)
@pytest.mark.spark
@pytest.mark.parametrize(("seed", "block_size"), [(0, 1), (1, 3), (2, 7), (3, None), (4, 3)])
def test_strips_on_spark(forced: None, seed: int, block_size: int | None) -> None:
    check(seed, engine="spark", master="local[2]", block_size=block_size)
