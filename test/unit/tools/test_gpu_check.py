# The command that compares a GPU with the processor, with what stands in for one.
import json
import re
from pathlib import Path
from typing import Any

import pytest
from gpu_checking import gpu_benchmarks, gpu_driver
from gpu_checking.card_peaks import Peaks, peaks_by
from gpu_checking.gpu_benchmarks import Measured

from diablo.runtime.device import device as device_module
from diablo.runtime.device import found_device
from diablo.runtime.device.stand_in import StandIn


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(device_module.DEVICE, "cuda")


ARGUMENTS = [
    "--scale",
    "0.00001",
    "--problem",
    "S",
    "--only",
    "points of Int16",
    "--only",
    "rotation",
]


def test_what_is_right_is_said(capsys: pytest.CaptureFixture[str]):
    given = [*ARGUMENTS, "--only", "fused expression", "--profile"]
    assert gpu_driver.run(["--stand-in", *given]) == 0
    out = capsys.readouterr().out
    assert "device: stand-in" in out
    assert "right: points of Int16" in out
    assert "right: examples/rotation" in out
    assert "fused expression (500): " in out
    # Few steps, with one launch each.
    assert re.search(r"\n +[\d.]+ ms +4 x, least +[\d.]+ us: kernel_\d_0, 2 x 1 x 1 blocks\n", out)
    assert "2 checks, 0 wrong; 4 measured" in out
    assert "written" not in out


def test_what_is_wrong_is_said_and_makes_the_exit_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    copy_out = StandIn.copy_out

    def spoilt(device: StandIn, raw: Any) -> Any:
        return copy_out(device, raw) + 1

    monkeypatch.setattr(StandIn, "copy_out", spoilt)
    assert gpu_driver.run(["--stand-in", "--no-benchmark", *ARGUMENTS]) == 1
    out = capsys.readouterr().out
    assert "wrong: points of Int16: " in out
    assert "2 checks, 2 wrong; 0 measured" in out


def test_the_report_has_the_name_of_the_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(device_module.DEVICE, device_module.STAND_IN)
    assert gpu_driver.run([*ARGUMENTS, "--only", "reduction", "-o", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("stand-in-")
    report = json.loads(path.read_text())
    assert [check["name"] for check in report["checks"]] == ["points of Int16", "examples/rotation"]
    assert not any(check["failure"] for check in report["checks"])
    names = [each["name"] for each in report["measured"]]
    assert names[:3] == ["copy", "copy to the device", "copy from the device"]
    assert {"reduction", "row reduction"} <= {*names}


def test_differences_are_taken_until_they_are_clear(monkeypatch: pytest.MonkeyPatch):
    clock, calls = [0.0], [0]
    jitter = [3e-3, 0.0, 1e-3]

    def run(times: int) -> None:
        clock[0] += 0.5 + times * 1e-5 + jitter[calls[0] % 3]
        calls[0] += 1

    monkeypatch.setattr(gpu_benchmarks, "perf_counter", lambda: clock[0])
    bench = gpu_benchmarks.Bench(StandIn(), 1.0, "S", profile=False)
    assert bench.each(run) == pytest.approx(1e-5)
    assert calls[0] == 15, "three of 4, of 24, 96, 384, and 1536"
    with pytest.raises(ArithmeticError, match="1536 take no longer than 4"):
        bench.each(lambda times: run(0))


def test_figures_follow_from_what_was_measured():
    measured = Measured("points", "10", 0.5, 10**9, 2 * 10**9, 4e9, 1.0)
    figures = measured.figures()
    assert figures["gigabytes_per_second"] == 2.0
    assert figures["of_copying"] == 0.5
    assert figures["gigaflops"] == 4.0
    assert figures["of_library"] == 0.5
    assert str(measured).endswith("50 % of a copy, 4 GFLOP/s, 0.50 of the library's time")
    assert str(Measured("CG", "", failure="no room")) == "CG: failed: no room"


def test_without_a_gpu_the_reason_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    import sys

    monkeypatch.setitem(sys.modules, "cupy", None)
    found_device._device.cache_clear()  # pyright: ignore[reportPrivateUsage]
    assert gpu_driver.run([]) == 2
    assert "gpu_check: error: device 'gpu': CuPy is not installed" in capsys.readouterr().err


def test_what_a_card_could_do_follows_from_its_clocks():
    h200 = {
        "MemoryClockRate": 3_201_000,
        "GlobalMemoryBusWidth": 6144,
        "ClockRate": 1_980_000,
        "MultiProcessorCount": 132,
        "ComputeCapabilityMajor": 9,
        "ComputeCapabilityMinor": 0,
    }
    peaks = peaks_by(h200)
    assert round(peaks.bytes / 1e12, 2) == 4.92
    assert round(peaks.operations / 1e12, 1) == 66.9
    assert peaks.share(0.5, 1 << 40, 7) == (1 << 41) / peaks.bytes
    assert peaks.share(0.5, 0, 1 << 40) == (1 << 41) / peaks.operations
    assert peaks_by({}).share(0.5, 1, 1) == Peaks().share(0.5, 1, 1) == 0


def test_the_share_is_said_and_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def known(device: StandIn) -> Peaks:
        return Peaks(1e15, 1e15)

    monkeypatch.setattr(gpu_benchmarks, "peaks_of", known)
    monkeypatch.setenv(device_module.DEVICE, device_module.STAND_IN)
    arguments = [*ARGUMENTS, "--only", "fused expression", "-o", str(tmp_path)]
    assert gpu_driver.run(arguments) == 0
    assert "% of the card's peak" in capsys.readouterr().out
    (path,) = tmp_path.iterdir()
    (fused,) = [m for m in json.loads(path.read_text())["measured"] if "fused" in m["name"]]
    assert fused["of_peak"] == pytest.approx(fused["bytes"] / fused["seconds"] / 1e15)
