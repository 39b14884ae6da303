"""What becomes of a program's kernels on a device, compiled now or found where processes keep it.

sources = device_sources(lambda: module, key)
sources["kernel_0"].refusal          # "", or why it stays with the processor
sources["kernel_0"].code()           # its launches, signature and PTX
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from diablo.diagnostics import unheard
from diablo.kernel_signature import Signature
from diablo.row_kernel_signature import RowSignature
from diablo.runtime.device.device_code import (
    COLUMNS,
    DeviceCode,
    DeviceSource,
    LaunchedKernel,
    SlicedProduct,
    Specialisation,
)
from diablo.runtime.kernels.kernel_code import read_signature
from diablo.sparse_kernel_signature import SparseSignature
from diablo.stored_programs import StoredDeviceCode, StoredDeviceKernel, found, keep

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from diablo.lowering.gpu.compile_device_kernel import DeviceKernel, SlicedProductKernel

Module = Callable[[], "ModuleOp"]


def device_sources(
    module: Module, key: Hashable, *, fast_atomics: bool = False
) -> Mapping[str, DeviceSource]:
    """Return what becomes of each kernel of a module, by their names.

    Parameters
    ----------
    key : what the module is compiled from; None if nothing of it is to be kept on the disk
    fast_atomics : whether floats may be added in memory in the order in which threads come
    """
    plain = Specialisation(fast_atomics=fast_atomics)
    place = ("device kernels", key, plain)
    made: dict[str, DeviceKernel] = {}
    known: Any = None if key is None else found(place)
    if known is None:
        known = _described(module(), made, plain)
        if key is not None:
            keep(place, known)
    kernels: dict[str, StoredDeviceKernel] = known
    return {
        name: DeviceSource(
            name,
            kernel.span,
            kernel.code.refusal,
            partial(_code, module, name, kernel, made),
            fast_atomics=fast_atomics,
        )
        for name, kernel in kernels.items()
    }


def _described(
    module: ModuleOp, made: dict[str, DeviceKernel], plain: Specialisation
) -> dict[str, StoredDeviceKernel]:
    """Return what is known of each kernel; `made` gets what is compiled for that."""
    from xdsl.dialects import func

    from diablo.dialects.locations import span_of
    from diablo.lowering.python_text import symbol_name
    from diablo.passes.analyses.plans.kernel_identity import kernel_identity

    described: dict[str, StoredDeviceKernel] = {}
    for function in module.ops:
        if not isinstance(function, func.FuncOp) or function.sym_visibility is None:
            continue
        spans = [span for op in function.body.block.ops if (span := span_of(op)) is not None]
        identity = kernel_identity(function)
        name = symbol_name(function.sym_name.data)
        code = _compiled(lambda k=function: k, identity, plain, made)
        described[name] = StoredDeviceKernel(identity, spans[0] if spans else None, code)
    return described


def _compiled(
    kernel: Callable[[], Any],
    identity: str,
    wanted: Specialisation,
    made: dict[str, DeviceKernel],
) -> StoredDeviceCode:
    """The code of a kernel, as any process has made it; this one puts what it makes into `made`."""
    place = ("device code", identity, wanted)
    known = found(place)
    if not isinstance(known, StoredDeviceCode):
        known = _compiled_now(kernel(), identity, wanted, made)
        keep(place, known)
    return known


def _compiled_now(
    kernel: Any,
    identity: str,
    wanted: Specialisation,
    made: dict[str, DeviceKernel],
) -> StoredDeviceCode:
    from diablo.passes.analyses.loops.cut_kernels import cut_of
    from diablo.passes.analyses.refused import Refused

    ways = [wanted]
    if not wanted.layouts and _takes_one_matrix(kernel):
        # What threads would add up in memory by rows is theirs by columns.
        ways.append(_turned(wanted))
    reasons: list[str] = []
    for way in ways:
        try:
            compiled = made[identity] = _made(kernel, way)
        except Refused as why:
            reasons.append(str(why))
        else:
            return replace(_stored(compiled), turned=way is not wanted, cut=cut_of(kernel))
    return StoredDeviceCode(reasons[0])


def _turned(wanted: Specialisation) -> Specialisation:
    """The same for a kernel that takes its matrix in compressed columns."""
    return replace(wanted, layouts=(COLUMNS,))


def _takes_one_matrix(kernel: Any) -> bool:
    """Return whether a kernel takes a sparse matrix, and no other sparse array."""
    from diablo.dialects.encodings import array_type, is_sparse

    taken = [argument for argument in kernel.args if is_sparse(argument.type)]
    return len(taken) == 1 and array_type(taken[0]).get_num_dims() == 2


def _made(kernel: Any, wanted: Specialisation) -> DeviceKernel:
    """The code of a kernel; raises `Refused` where there is none."""
    from diablo.lowering.gpu.compile_device_kernel import compile_device_kernel
    from diablo.lowering.multiloop.specialise import with_layouts

    with unheard():
        chosen = with_layouts(kernel, wanted.layouts) if wanted.layouts else kernel
        return compile_device_kernel(chosen, wanted.resident, fast_atomics=wanted.fast_atomics)


def _stored(made: DeviceKernel) -> StoredDeviceCode:
    return StoredDeviceCode(
        "", str(made.signature), made.launches, tuple(made.kernels), made.multiplies
    )


def _code(
    module: Module,
    name: str,
    kernel: StoredDeviceKernel,
    plain: dict[str, DeviceKernel],
    wanted: Specialisation,
) -> DeviceCode | None:
    """Return what a process runs for layouts and numbers in memory.

    What is compiled already for neither is among the `plain` ones, until it is run.
    """

    def function() -> Any:
        from xdsl.dialects import func

        from diablo.lowering.python_text import symbol_name

        return next(
            op
            for op in module().ops
            if isinstance(op, func.FuncOp) and symbol_name(op.sym_name.data) == name
        )

    made, known = plain, kernel.code
    if not wanted.is_plain:
        made = type(plain)()
        known = _compiled(function, kernel.identity, wanted, made)
    if known.refusal:
        return None
    signature = read_signature(known.signature)
    assert isinstance(signature, Signature | SparseSignature | RowSignature)

    def compiled() -> DeviceKernel:
        # Who runs it asks once, and needs nothing but the text from then on.
        again = made.pop(kernel.identity, None)
        if again is None:
            again = _made(function(), _turned(wanted) if known.turned else wanted)
        return again

    key = (kernel.identity, wanted)
    return DeviceCode(
        f"device {key!r}",
        signature,
        known.launches,
        _launched(known.kernels),
        lambda bits: _text(("ptx", *key, bits), lambda: compiled().write_ptx(bits)),
        lambda: compiled().loops(),
        known.multiplies,
        known.turned,
        known.cut,
        cache(partial(_sliced, element)) if (element := _factor(signature, known)) else None,
    )


def _factor(signature: Any, known: StoredDeviceCode) -> str:
    """The floats that a sparse matrix and a vector have, where that is all that is multiplied."""
    if not known.multiplies or not isinstance(signature, SparseSignature):
        return ""
    slots = (*signature.arguments, *signature.outputs)
    elements = {slot.element for slot in slots if slot.dimensions is not None}
    return elements.pop() if elements in ({"f32"}, {"f64"}) else ""


def _sliced(element: str) -> SlicedProduct:
    """Return what multiplies matrices in slices with vectors, compiled once for all programs."""
    key = ("sliced product", element)

    @cache
    def compiled() -> SlicedProductKernel:
        from xdsl.dialects.builtin import f32, f64

        from diablo.lowering.gpu.compile_device_kernel import compile_sliced_product

        return compile_sliced_product({"f32": f32, "f64": f64}[element])

    known: Any = found(key)
    if known is None:
        made = compiled()
        sizes = made.kernel.shared
        kernels = [(*kernel, n) for kernel, n in zip(made.kernel.kernels, sizes, strict=True)]
        known = made.kernel.launches, tuple(kernels), made.most, made.threads
        keep(key, known)
    launches, kernels, most, threads = known
    code = DeviceCode(
        f"device {key!r}",
        Signature((), (), ()),
        launches,
        _launched(kernels),
        lambda bits: _text(("ptx", *key, bits), lambda: compiled().kernel.write_ptx(bits)),
        lambda: compiled().kernel.loops(),
    )
    return SlicedProduct(code, most, threads)


def _launched(kernels: Iterable[Any]) -> tuple[LaunchedKernel, ...]:
    """The kernels of a code, of each its name, its parameters and, if it says so, shared bytes."""
    return tuple(
        [
            LaunchedKernel(str(name), tuple(map(_parameter, types)), *shared)
            for name, types, *shared in kernels
        ]
    )


def _parameter(parameter: Any) -> Any:
    return parameter if isinstance(parameter, str) else tuple(parameter)


def _text(key: Hashable, write: Callable[[], Any]) -> Any:
    """A text, as any process has written it."""
    known = found(key)
    if known is None:
        known = write()
        keep(key, known)
    return known
