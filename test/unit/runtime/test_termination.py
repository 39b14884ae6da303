# Signals that wait until what must not end half-way is done.
import signal
import threading
from collections.abc import Callable
from types import FrameType

import pytest

from diablo.runtime.termination import ending_on_signals, signals_waiting


def _noting(seen: list[str]) -> Callable[[int, FrameType | None], None]:
    def note(number: int, frame: FrameType | None) -> None:
        seen.append(signal.Signals(number).name)

    return note


def test_a_signal_is_raised_behind_what_it_must_not_end(monkeypatch: pytest.MonkeyPatch):
    seen: list[str] = []
    before = signal.signal(signal.SIGTERM, _noting(seen))
    try:
        with signals_waiting():
            signal.raise_signal(signal.SIGTERM)
            assert seen == []
        assert seen == ["SIGTERM"]
        signal.raise_signal(signal.SIGTERM)
        assert seen == ["SIGTERM", "SIGTERM"]
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupted(done: list[bool]) -> None:
    with signals_waiting():
        signal.raise_signal(signal.SIGINT)
        done.append(True)


def _hung_up() -> None:
    with ending_on_signals(), signals_waiting():
        signal.raise_signal(signal.SIGHUP)


def test_an_interruption_is_that_still():
    done: list[bool] = []
    # A job in the background ignores the one, and one of `nohup` the other.
    interrupted = signal.signal(signal.SIGINT, signal.default_int_handler)
    hung_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    ended_by = signal.getsignal(signal.SIGTERM)  # It is ignored from the first signal on.
    try:
        with pytest.raises(KeyboardInterrupt):
            _interrupted(done)
        assert done
        with pytest.raises(SystemExit) as ended:
            _hung_up()
        assert ended.value.code == 128 + signal.SIGHUP
    finally:
        signal.signal(signal.SIGINT, interrupted)
        signal.signal(signal.SIGHUP, hung_up)
        signal.signal(signal.SIGTERM, ended_by)


def test_ignored_signals_and_handlers_that_are_set_inside_stay():
    seen: list[str] = []
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    interrupted = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with signals_waiting():
            signal.raise_signal(signal.SIGHUP)
            signal.signal(signal.SIGINT, handler := _noting(seen))
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGHUP, before)
        signal.signal(signal.SIGINT, interrupted)


def test_other_threads_change_nothing():
    found: list[object] = []

    def look() -> None:
        with signals_waiting():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGINT)]
