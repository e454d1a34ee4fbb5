"""The texts that a memory is embedded as beside the whole: the parts of a long one. Pure."""

import re

from ..model.memory import Memory
from ..model.views import MOST_PARTS, VIEWS

LONG = 1_200
"""Characters of a text that is embedded in parts, too: models read some 500 tokens, or fewer."""

PART = 600
"""Characters of a part, at least; of a text that would have more than `MOST_PARTS`, more."""

_ENDS = re.compile(r"(?<=[.!?\u3002\uff01\uff1f\n])")


def views_of(memory: Memory) -> dict[str, str]:
    """The texts of the memory's views by name, in their order; none of a short one."""
    if len(memory.text) < LONG:
        return {}
    parts = _parts(memory.text, max(PART, -(-len(memory.text) // MOST_PARTS)))
    return dict(zip(VIEWS, parts, strict=False))


def _parts(text: str, least: int) -> list[str]:
    """In whole sentences of `least` characters together; what has no end is cut there."""
    parts: list[str] = []
    part = ""
    for sentence in _ENDS.split(text):
        for start in range(0, len(sentence), least):
            part += sentence[start : start + least]
            if len(part) >= least:
                parts.append(part.strip())
                part = ""
    parts.append(part.strip())
    return [part for part in parts if part]
