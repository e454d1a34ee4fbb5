"""Whether what one person said is about another. Pure."""

import re

from ..model.memory import RAW, Memory
from ..text.display_names import entity_id


def is_about(memory: Memory, person: str, name: str) -> bool:
    """Whether others said it of this person: a user id of its platform, and the name they bear
    there, "" if that is nobody's alone.

    It is learnt, and names them as whom it is about, or they are mentioned in it as the host
    writes that, `@NAME(ID)`. What people say themselves is no statement about them here.
    """
    if memory.kind in RAW or (memory.speaker is not None and memory.speaker.id == person):
        return False
    if person and re.search(rf"@[^@\n]*?\({re.escape(person)}\)", memory.text):
        return True
    subject = () if memory.claim is None else (memory.claim.subject.partition("/")[0],)
    return bool(name) and entity_id(name) in map(entity_id, (*memory.about, *subject))
