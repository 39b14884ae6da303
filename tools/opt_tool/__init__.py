"""The parts of `diablo-opt`."""
