"""The texts that a memory is embedded as beside the whole. Pure."""

import re

from ..model.claims import SPEAKER, Claim
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..model.views import ASKED, MOST_PARTS, NEEDED, VIEWS
from ..records.enrichment import added_cues
from ..records.searched_text import key_in_words

LONG = 1_200
"""Characters of a text that is embedded in parts, too: models read some 500 tokens, or fewer."""

PART = 600
"""Characters of a part, at least; of a text that would have more than `MOST_PARTS`, more."""

_ENDS = re.compile(r"(?<=[.!?\u3002\uff01\uff1f\n])")


def views_of(memory: Memory) -> dict[str, str]:
    """The texts of the memory's views by name, in their order."""
    views = dict[str, str]()
    if len(memory.text) >= LONG:
        parts = _parts(memory.text, max(PART, -(-len(memory.text) // MOST_PARTS)))
        views = dict(zip(VIEWS, parts, strict=False))
    if memory.claim is not None:
        views[ASKED] = _question(memory, memory.claim)
    if cues := added_cues(memory):
        views[NEEDED] = "\n".join(cues)
    return views


def _question(memory: Memory, claim: Claim) -> str:
    """Questions are nearer to each other, in any language, than to what answers them.

    "Up at five with the ovens" is far from "what do I do for a living", and "what is my job" near.
    """
    whose = f"{claim.subject}'s"
    if claim.subject.startswith(SPEAKER):
        group = Scope.kind_of(memory.scope) is ScopeKind.GROUP
        whose = f"{memory.speaker.name}'s" if group and memory.speaker is not None else "my"
    about = f"{claim.relation}'s {claim.attribute}" if claim.relation else claim.attribute
    return f"what is {whose} {key_in_words(about)}"


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
