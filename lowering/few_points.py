"""How many points a loop or a window has, at most, that may be written out."""

from __future__ import annotations

FEW = 16
