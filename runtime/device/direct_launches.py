"""Calls of kernels of a device that cost little more than their launches: a function per code.

What a kernel takes and gives does not vary from call to call, and looking for it in its signature
takes ten times as long as to launch it. For

    i64 f64[0] f64 -> f64[0] f64()

whose third argument is a number on the device, the text of a function is written that looks at just
these arguments:

    def call(run, into, a0, a1, a2):
        if type(a0) is not int:
            a0 = number(s0, a0)
            if type(a0) is not int:
                return NotImplemented
        device = run.device
        if not (type(a1) is DeviceArray and a1.device is device and a1.dtype is t1
                and len(a1.shape) == 1 and (r1 := a1.raw) is not None):
            return NotImplemented
        if not (type(a2) is DeviceNumber and a2.dtype is t2 and not a2.is_known):
            return NotImplemented
        if not (a1.shape[0] >= a0):
            return NotImplemented
        n0 = (a0,)
        o0 = None if into is None else taken(into, n0, u0)
        if o0 is None:
            o0 = device.empty(n0, u0)
        else:
            into = None
        o1 = device.empty((), u1)
        launches(device.loaded(code), device.scratch, device.look, a0, r1, a2.raw, o0, o1)
        return DeviceArray.there(device, o0), DeviceNumber(device, o1)

What it cannot do, it leaves to the general way (`device_launches`): arrays that are not on the
device yet, tiles that this code has not been passed before, arguments of other types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from diablo.kernel_signature import Signature, Slot
from diablo.runtime.device.device_arguments import number_of
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber
from diablo.runtime.device.device_code import DeviceCode, launches_of
from diablo.runtime.device.device_launches import taken
from diablo.runtime.kernels.direct_calls import extent_text
from diablo.runtime.kernels.signature import ELEMENTS
from diablo.scalar_table import BY_ELEMENT
from diablo.sparse_kernel_signature import SparseSlot

DirectLaunches = Callable[..., Any]
"""Given the run, an array that dies with the call, and the arguments, makes it; `NotImplemented`
where it cannot, before anything is launched."""


def direct_launches(code: DeviceCode, resident: Sequence[int]) -> DirectLaunches | None:
    """Return what makes calls of a code whose numbers `resident` are on the device.

    There is none where arguments or results are tuples, where a result is sparse, or where one
    begins as something.
    """
    signature = code.on_arrays
    if not _is_plain(code):
        return None
    names: dict[str, Any] = {
        "DeviceArray": DeviceArray,
        "DeviceNumber": DeviceNumber,
        "code": code,
        "identity": code.identity,
        "launches": launches_of(code.launches),
        "number": number_of,
        "taken": taken,
    }
    refused = "    return NotImplemented"
    lines: list[str] = ["device = run.device"]
    passed: list[str] = []
    sizes: list[str] = []
    for k, slot in enumerate(signature.arguments):
        for axis, dimension in enumerate(slot.dimensions or ()):
            if dimension is not None:
                sign = "==" if isinstance(slot, SparseSlot) else ">="
                sizes.append(f"a{k}.shape[{axis}] {sign} {extent_text(dimension)}")
        if isinstance(slot, SparseSlot):
            lines += [f"p{k} = run.pass_again(a{k}, identity)", f"if p{k} is None:", refused]
            passed.append(f"*p{k}")
            continue
        names[f"t{k}"] = ELEMENTS[slot.element].dtype
        if slot.dimensions is not None:
            tests = [
                f"type(a{k}) is DeviceArray",
                f"a{k}.device is device",
                f"a{k}.dtype is t{k}",
                f"len(a{k}.shape) == {len(slot.dimensions)}",
                f"(r{k} := a{k}.raw) is not None",
            ]
            lines += [f"if not ({' and '.join(tests)}):", refused]
            passed.append(f"r{k}")
        elif k in resident:
            tests = [f"type(a{k}) is DeviceNumber", f"a{k}.dtype is t{k}", f"not a{k}.is_known"]
            lines += [f"if not ({' and '.join(tests)}):", refused]
            passed.append(f"a{k}.raw")
        else:
            names[f"s{k}"] = slot
            kind = BY_ELEMENT[slot.element].python.__name__
            positive = f" or a{k} <= 0" if slot.positive else ""
            lines += [
                f"if type(a{k}) is not {kind}{positive}:",
                f"    a{k} = number(s{k}, a{k}, keep=True)",
                f"    if type(a{k}) is not {kind}:",
                f"    {refused}",
            ]
            passed += [f"a{k}.real", f"a{k}.imag"] if slot.is_complex else [f"a{k}"]
    if sizes:
        lines += [f"if not ({' and '.join(sizes)}):", refused]
    results: list[str] = []
    for k, slot in enumerate(signature.outputs):
        assert isinstance(slot, Slot)
        names[f"u{k}"] = dtype = ELEMENTS[slot.element].dtype
        passed.append(f"o{k}")
        if slot.dimensions is None:
            lines.append(f"o{k} = device.empty((), u{k})")
            looked = f"device.copy_out(o{k})[()]"
            result = f"DeviceNumber(device, o{k})" if dtype.kind in "fc" else looked
        else:
            extents = [extent_text(d) for d in slot.dimensions if d is not None]
            lines += [
                f"n{k} = ({', '.join([*extents, ''])})" if extents else f"n{k} = ()",
                f"o{k} = None if into is None else taken(into, n{k}, u{k})",
                f"if o{k} is None:",
                f"    o{k} = device.empty(n{k}, u{k})",
                "else:",
                "    into = None",
            ]
            result = f"DeviceArray.there(device, o{k})"
        if not slot.temporary:
            results.append(result)
    given = ", ".join(passed)
    lines.append(f"launches(device.loaded(code), device.scratch, device.look, {given})")
    lines.append(f"return {', '.join(results)}")
    parameters = ", ".join(["run", "into", *[f"a{k}" for k in range(len(signature.arguments))]])
    body = "".join(f"    {line}\n" for line in lines)
    exec(f"def call({parameters}):\n{body}", names)
    return names["call"]


def _is_plain(code: DeviceCode) -> bool:
    """Return whether all that a code takes and gives is told by the types of its arguments."""
    signature = code.on_arrays
    for slot in signature.arguments:
        if slot.like is not None if isinstance(slot, SparseSlot) else slot.is_tuple:
            return False
    if not isinstance(signature, Signature) and any(signature.beginnings):
        return False
    return not code.turned and not any(
        isinstance(slot, SparseSlot) or slot.is_tuple for slot in signature.outputs
    )
