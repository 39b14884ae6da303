# Breaking long statements changes how a kernel looks, and nothing else.
import ast

import pytest
from kernel_oracle import parse_kernel
from random_kernels import random_kernel

from diablo.lowering.numpy import numpy_lines as lines
from diablo.lowering.numpy.kernel_to_numpy import emit_numpy_kernel


@pytest.mark.sampled(2)
@pytest.mark.parametrize("width", [30, 60])
def test_breaking_keeps_the_meaning(width: int, monkeypatch: pytest.MonkeyPatch):
    for seed in range(150):
        function = parse_kernel(random_kernel(seed).text)
        monkeypatch.setattr(lines, "WIDTH", 10_000)
        whole = ast.parse(emit_numpy_kernel(function))
        monkeypatch.setattr(lines, "WIDTH", width)
        assert ast.dump(ast.parse(emit_numpy_kernel(function))) == ast.dump(whole)


def test_calls_break_between_arguments(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "WIDTH", 30)
    assert lines.broken("r = ", "np.where(first > 0, second + third, f(x, y))", 0) == [
        "r = np.where(",
        "    first > 0,",
        "    second + third,",
        "    f(x, y),",
        ")",
    ]
    assert lines.broken("r = ", "f((alpha, beta), (gamma,), delta)", 0) == [
        "r = f(",
        "    (alpha, beta),",
        "    (gamma,),",
        "    delta,",
        ")",
    ]


def test_operators_break_at_the_loosest(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "WIDTH", 28)
    assert lines.broken("r = ", "alpha * beta + gamma * (delta - 1)", 0) == [
        "r = (",
        "    alpha * beta",
        "    + gamma * (delta - 1)",
        ")",
    ]


def test_methods_stay_on_the_last_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "WIDTH", 28)
    assert lines.broken("r = ", "(product(alpha, beta)).reshape((n, m))", 0) == [
        "r = (",
        "    product(alpha, beta)",
        ").reshape((n, m))",
    ]
    assert lines.broken("r = ", "tensordot(alpha, beta, axes)[()]", 0) == [
        "r = tensordot(",
        "    alpha, beta, axes",
        ")[()]",
    ]
    assert lines.broken("r = ", "alpha_beta + gamma(delta)[()]", 0) == [
        "r = (",
        "    alpha_beta",
        "    + gamma(delta)[()]",
        ")",
    ]


def test_subscripts_break_between_indices(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "WIDTH", 28)
    assert lines.broken("r[a:b] = ", "tile[first:second, third:last]", 0) == [
        "r[a:b] = tile[",
        "    first:second, third:last",
        "]",
    ]
    # A comma would make a tuple of the only index.
    assert lines.broken("result = ", "tile[some_very_long_index]", 0) == [
        "result = tile[",
        "    some_very_long_index",
        "]",
    ]
    assert lines.broken("r = ", "view(alpha, beta)[:, None, :]", 0) == [
        "r = view(",
        "    alpha, beta",
        ")[:, None, :]",
    ]


def test_tuples_break_between_values(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "WIDTH", 28)
    assert lines.broken("return ", "first_result, second_result", 4) == [
        "    return (",
        "        first_result,",
        "        second_result,",
        "    )",
    ]
