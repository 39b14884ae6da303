"""What says that something is not done, and why.

    raise Refused("a range of the window is not constant")

A function that makes, plans or finds something raises it where it cannot, with a clause that a
remark can quote; only who asked decides whether that is an error, a remark or nothing. `None` is
no refusal: it says that there is nothing of what was looked for.
"""

from __future__ import annotations


class Refused(Exception):
    """Carries why something is not done, as a clause: `str` of it is the reason."""
