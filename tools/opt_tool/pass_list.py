"""The text of `--list-passes`: diablo's passes, the named pipelines, then xDSL's passes."""

from __future__ import annotations

from xdsl.universe import XDSL_UNIVERSE

from diablo.lowering.pipelines import PIPELINES
from diablo.universe import PASSES


def pass_list() -> str:
    """Return one line per pass; only xDSL's are imported, for the first line of their docs."""
    ours = {name: entry.summary for name, entry in PASSES.items()}
    pipelines = dict(PIPELINES)
    theirs = {name: _summary(name) for name in sorted(XDSL_UNIVERSE.all_passes)}
    width = max(len(name) for name in (*ours, *pipelines))
    parts = [("Passes of diablo", ours), ("Named pipelines", pipelines), ("xDSL", theirs)]
    return "\n".join(
        f"{title}:\n"
        + "".join(f"  {name:<{width}}  {text}".rstrip() + "\n" for name, text in rows.items())
        for title, rows in parts
    )


def _summary(name: str) -> str:
    """The first sentence of a pass's docstring; nothing where the pass needs what is missing."""
    try:
        text = XDSL_UNIVERSE.all_passes[name]().__dict__.get("__doc__") or ""
    except ImportError:
        return "(not available: it needs a package that is not installed)"
    sentence = " ".join(text.split()).split(". ")[0].rstrip(".")
    generated = sentence.endswith(")") and sentence.replace(" ", "").startswith(name)
    return "" if generated or "(" in sentence.split(" ")[0] else sentence
