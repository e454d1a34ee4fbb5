"""The entities of a raw turn, found while it is indexed."""

import asyncio

from ..languages.entity_extraction import (
    LONGEST_TEXT,
    first_of,
    has_dictionary,
    names_by_dictionary,
    names_by_rule,
)
from ..languages.entity_matching import candidates, longest
from ..model.conversation import Turn
from ..model.knowledge import Entity
from ..ports import Relations
from ..text.display_names import entity_id


async def entities_of(turn: Turn, store: Relations) -> list[Entity]:
    """Names that the turn's text holds by rules, then those that its scope knows already.

    The speaker's own name is not among them: it is known without. A thread reads the dictionaries.
    """
    text = turn.text[:LONGEST_TEXT]
    found = names_by_rule(text)
    if has_dictionary(text):
        found += await asyncio.to_thread(names_by_dictionary, text)
    found += [Entity(name, name) for name in await _known(entity_id(text), turn, store)]
    speaker = entity_id(turn.speaker.name)
    return first_of(entity for entity in found if entity.id != speaker)


async def _known(text: str, turn: Turn, store: Relations) -> tuple[str, ...]:
    offered = candidates(text)
    if not offered:
        return ()
    names = list(dict.fromkeys(offered.values()))
    known = await store.known_entities(names, frozenset({turn.place.scope}))
    return longest(text, offered, known)
