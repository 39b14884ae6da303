"""The parts of `diablo-run`."""
