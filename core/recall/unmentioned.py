"""What somebody does not want brought up: its lines stay out of recall unless it is asked for."""

from dataclasses import dataclass

from ..conflict.slots import UNMENTIONED, own
from ..languages.entity_matching import named
from ..languages.terms import content_terms
from ..model.claims import slot_of
from ..model.memory import Memory
from ..ports import Filter, MemoryRecords
from ..text.display_names import entity_id

MOST = 20
"""Matters of one person that are looked at, the newest."""


@dataclass(frozen=True, slots=True)
class Matter:
    """What is not to be brought up, as the person called it, and the memory that says so."""

    name: str
    wish: str

    def is_named_in(self, text: str) -> bool:
        """Whether a text names it, or all its words."""
        terms = content_terms(self.name)
        whole = named(entity_id(self.name), entity_id(text))
        return whole or (bool(terms) and terms <= content_terms(text))

    def is_told_by(self, memory: Memory) -> bool:
        """Whether a memory names it, beside the wish itself and the message that it was."""
        return memory.id != self.wish and self.is_named_in(memory.text)


async def matters(
    store: MemoryRecords, scopes: frozenset[str], person: str | None, asked: str = ""
) -> tuple[Matter, ...]:
    """Those of the person of a private chat, or of this one of a group, that are not asked for."""
    slots = frozenset(slot_of(UNMENTIONED, own(account)) for account in ("", person or ""))
    where = Filter(scopes=scopes, recallable=True, slots=slots, holds=True)
    found = [
        Matter(memory.claim.value, memory.id)
        for memory in await store.page(where, limit=MOST)
        if memory.claim is not None and memory.claim.value and not memory.claim.denied
    ]
    return tuple(each for each in found if not each.is_named_in(asked))
