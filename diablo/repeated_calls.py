"""A call that is like the one before, without what was found out for that one.

Programs in a loop of the caller's are mostly given arrays of the same form again. What is compiled
for them, where it runs and what kind of results it has are known then, and finding it out takes
longer than a small program runs: 70 microseconds, and some times that with a cold cache, when each
call goes through more memory than a cache holds.

    repeated = RepeatedCall(the call, what its inputs are like, its variant, …)
    if repeated.is_like(inputs, options_of(program)):
        result = repeated.run(inputs, report)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from diablo.call import Call, Inspected
from diablo.diagnostics import Listener, listening
from diablo.runtime.engines.keeping import release_dead
from diablo.runtime.engines.spark_errors import as_run_errors
from diablo.runtime.engines.tile_mode import tile_mode
from diablo.runtime.memory_limit import limited, results_limited
from diablo.runtime.native.compile_mode import held_environment
from diablo.runtime.program.run_main import local_context
from diablo.runtime.progress import is_shown
from diablo.runtime.results.aliases import detach
from diablo.runtime.results.result_types import rows_of
from diablo.runtime.results.shaped_results import shaped_results
from diablo.runtime.rows.row_counts import counting
from diablo.runtime.value_kinds import Kind
from diablo.variant import Variant

options_of = attrgetter(
    "engine", "master", "device", "block_size", "memory", "progress", "resume", "seed"
)
"""Return what a call of a program hangs on besides its inputs, which may be set between calls."""


class RepeatedCall:
    """What calls in this process share that are given NumPy's arrays and numbers alone."""

    def __init__(
        self,
        call: Call,
        inspected: Inspected,
        variant: Variant,
        kinds: Sequence[Kind],
        options: tuple[Any, ...],
        memory: int | None,
    ):
        self._inspected = inspected
        self.variant = variant
        self._main = variant.main
        self._parameters = [*variant.parameters.items()]
        self._kinds = kinds
        self._options = options
        self._memory = memory
        self._size = sum(rows_of(call.values[name]) for name in variant.parameters)

    def is_like(self, inputs: Mapping[str, Any], options: tuple[Any, ...]) -> bool:
        """Return whether a call with these inputs, made here and now, does the same with them."""
        return options == self._options and self._inspected.is_like(inputs) and not is_shown()

    def run(self, inputs: Mapping[str, Any], report: Listener) -> Any:
        """Return the value of the program, as `Program` does; `report` hears its warnings.

        Raises
        ------
        InputError
            A variable of the environment has a value that it cannot have.
        RunError
            The program failed, at a line of a source that is not shown yet.
        """
        tile_mode()  # Without a block size each array is one tile either way.
        arguments = {parameter: inputs[name] for name, parameter in self._parameters}
        release_dead()  # Of earlier calls on Spark.
        with (
            held_environment(),
            listening(report),
            as_run_errors(),
            np.errstate(all="ignore"),
            limited(self._memory),
            counting(self._size),
        ):
            result = self._main(local_context(), **arguments)
        with results_limited(self._memory):
            parts = shaped_results(detach(result, arguments), self._kinds)
        return parts[0] if len(parts) == 1 else tuple(parts)
