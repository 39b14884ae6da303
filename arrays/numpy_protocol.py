"""NumPy's functions on lazy arrays: `np.exp(a)`, `np.mean(a, axis=0)`, `a.sum()`.

A function of NumPy that has a lazy counterpart is that, other functions get the elements. A lazy
array that one writes to (`out=`, `np.copyto`) stands for what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from inspect import signature
from typing import Any, cast

import numpy as np

from diablo.array.assigned_arrays import alone_with
from diablo.array.elementwise_operations import elementwise, operation_of
from diablo.array.expression_graph import leaf
from diablo.array.lazy_array import Array, node_of, operands
from diablo.array.numpy_counterparts import counterparts, lazy_of, methods
from diablo.monoid_table import MONOIDS

_FOLDS = {monoid.ufunc: monoid.fold for monoid in MONOIDS.values() if monoid.fold}


def apply_ufunc(
    ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any]
) -> Any:
    """Return a ufunc of arrays of which some are lazy: lazily, where it is one of ours."""
    if {*options} <= {"out"} and (found := _lazily(ufunc, method, inputs)) is not None:
        if not options or _becomes(options["out"], found):
            return options["out"][0] if options else found
    elif (
        method == "reduce"
        and ufunc.__name__ in _FOLDS
        and {*options} <= {"axis", "keepdims"}
        and isinstance(inputs[0], Array)
        and inputs[0].ndim
    ):
        import diablo.array as da

        return getattr(da, _FOLDS[ufunc.__name__])(
            inputs[0], axis=options.get("axis", 0), keepdims=options.get("keepdims", False)
        )
    if method == "at":
        return _write(ufunc.at, *inputs)
    return _given_outputs(getattr(ufunc, method), inputs, options)


def _lazily(ufunc: np.ufunc, method: str, inputs: Sequence[Any]) -> Any:
    """Return what a call of a ufunc is as an expression, None if it is none."""
    if method != "__call__":
        return None
    operation = operation_of(ufunc)
    if operation is not None:
        try:
            nodes = operands(*inputs) if len(inputs) == 2 else map(node_of, inputs)
            return Array(elementwise(operation, *nodes))
        except (TypeError, OverflowError):
            return None  # NumPy knows more operands, as integers beside floats, or says why not.
    if ufunc is np.matmul:
        return lazy_of(inputs[0]) @ inputs[1]
    return divmod(lazy_of(inputs[0]), inputs[1]) if ufunc is np.divmod else None


def _becomes(outputs: tuple[Any, ...], value: Any) -> bool:
    """Let the only output stand for an expression, if it is lazy and NumPy would allow that."""
    if not isinstance(value, Array) or len(outputs) != 1 or not isinstance(outputs[0], Array):
        return False
    (output,) = outputs
    if output.shape != value.shape or not np.can_cast(value.dtype, output.dtype, "same_kind"):
        return False
    output.become(value)
    return True


def _given_outputs(
    function: Callable[..., Any], arguments: Sequence[Any], options: Mapping[str, Any]
) -> Any:
    """Return a function of NumPy's of the elements; lazy arrays in `out` stand for what it wrote.

    It writes to copies of these, so that elements stay that `where` leaves out, and whatever it
    refuses it refuses with its own words.
    """
    arguments, options = _with_named_output(function, arguments, options)
    given = options.get("out")
    rest = {name: _eager(value) for name, value in options.items() if name != "out"}
    outputs: list[Any] = [*given] if isinstance(given, tuple) else [given]
    if not any(isinstance(out, Array) for out in outputs):
        return function(*_eager(arguments), **rest, **({} if given is None else {"out": given}))
    written = [np.array(out) if isinstance(out, Array) else out for out in outputs]
    out = tuple(written) if isinstance(given, tuple) else written[0]
    results = function(*_eager(arguments), **rest, out=out)
    for output, elements in zip(outputs, written, strict=True):
        if isinstance(output, Array):
            output.become(Array(leaf(elements)))
    if isinstance(results, tuple):
        made = cast("tuple[Any, ...]", results)
        return tuple([r if o is None else o for r, o in zip(made, outputs, strict=True)])
    return outputs[0]


def _with_named_output(
    function: Callable[..., Any], arguments: Sequence[Any], options: Mapping[str, Any]
) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
    """Return arguments without an output that is given by its position, and options with it."""
    if "out" not in options and len(arguments) > 2 and isinstance(arguments[-1], Array):
        place = _parameters(function).index("out") if "out" in _parameters(function) else -1
        if place == len(arguments) - 1:
            return tuple(arguments[:-1]), {**options, "out": arguments[-1]}
    return tuple(arguments), options


@lru_cache
def _parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters of a function, none if nobody knows them."""
    try:
        return list(signature(function).parameters)
    except ValueError:
        return []


def _eager(value: Any) -> Any:
    """Return a value with NumPy's arrays for lazy ones."""
    if isinstance(value, Array):
        return value.to_numpy()
    if isinstance(value, list | tuple):
        items = cast("Sequence[Any]", value)
        made = [_eager(item) for item in items]
        return made if isinstance(value, list) else tuple(made)
    if isinstance(value, dict):
        return {k: _eager(v) for k, v in cast("dict[Any, Any]", value).items()}
    return value


_WRITERS = (np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask)
"""Functions of NumPy's that write to their first argument."""


def apply_function(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Return a function of NumPy's of arrays of which some are lazy."""
    if function in _WRITERS:
        return _write(function, *args, **kwargs)
    return _apply(counterparts().get(function), function, *args, **kwargs)


def _write(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
    """Let a function write to the memory of a lazy array, or to a copy if others look at that."""
    if not args:  # The array is given by the name of the first parameter.
        first = _parameters(function)[0]
        args = (kwargs.pop(first),) if first in kwargs else ()
    if not args or not isinstance(args[0], Array):
        function(*_eager(args), **_eager(kwargs))
        return
    others, options = _eager(args[1:]), _eager(kwargs)
    elements = alone_with(args[0])
    if elements is None:
        elements = np.array(args[0])
    function(elements, *others, **options)
    args[0].become(Array(leaf(elements)))


# ---- methods -------------------------------------------------------------------------

_METHODS_OF_ELEMENTS = ("argpartition", "choose", "compress", "dump", "dumps", "tobytes", "tofile")
_METHODS_THAT_WRITE = ("fill", "partition", "put", "sort")


def method_of(array: Array, name: str) -> Any:
    """Return a method of an array, or an attribute that NumPy's arrays have.

    Raises
    ------
    AttributeError
        There is none.
    """
    match name:
        case "real" | "imag":
            return counterparts()[getattr(np, name)](array)
        case "itemsize":
            return array.dtype.itemsize
        case "flat":
            return array.to_numpy().flat
        case _ if name in _METHODS_THAT_WRITE:
            return partial(_write, getattr(np.ndarray, name), array)
        case _ if name in methods() or name in _METHODS_OF_ELEMENTS:
            return partial(_apply, methods().get(name), getattr(np.ndarray, name), array)
        case _:
            raise AttributeError(f"a lazy array has no attribute {name!r}")


def _apply(
    lazily: Callable[..., Any] | None, function: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Return a function by its lazy counterpart, if that knows the options."""
    if lazily is not None:
        try:
            return lazily(*args, **kwargs)
        except TypeError:
            pass  # It has options that only NumPy knows.
    return _given_outputs(function, args, kwargs)
