"""Kernels of a program that several devices run: each call on one of them.

kernel_0 = DealtKernel(kernel_0, source)
y = kernel_0(0, n, x)          # a DeviceArray of the device that has x
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diablo.runtime.device.device_kernels import DeviceKernel
from diablo.runtime.device.device_run import current_run, running


class DealtKernel(DeviceKernel):
    """A kernel as a program with several devices calls it."""

    def into(self, array: Any, arguments: Sequence[Any]) -> Any:
        """Run the kernel; its result has memory of its own, since others may be copying from
        that of an array which dies here."""
        run = current_run()
        if run is None or run.dealt is None:
            return self.here(*arguments)
        with running(run.dealt.run_for(arguments)):
            return super().into(None, arguments)

    def on_host(self) -> Any:
        """Itself: functions of this process call it with what is on devices."""
        return self
