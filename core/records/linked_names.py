"""The names of one person, linked by memories of a scope that sleep has noted. Async."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from ..model.memory import Memory, Succession
from ..ports import MemoryReader
from .namings import Others, other_names

LINKING = "linking"
"""The step of sleep under which the ids are kept."""


class Marks(Protocol):
    """What sleep keeps."""

    async def marks(self, scopes: Collection[str], step: str) -> Mapping[str, str]:
        """What a step has kept, by scope."""
        ...


async def linked_names(store: MemoryReader, marks: Marks, scopes: Collection[str]) -> Others:
    """The other names of whoever goes by one, as recallable memories of these scopes say."""
    told: list[Memory] = []
    kept = await marks.marks(scopes, LINKING)
    for scope in sorted(kept):
        if ids := _read(kept[scope]):
            found = await store.find(ids, frozenset({scope}))
            told += [*found, *await merged_into(store, found)]
    return other_names(memory for memory in told if memory.recallable)


async def merged_into(store: MemoryReader, memories: Collection[Memory]) -> list[Memory]:
    """What these have become part of since."""
    followed = [m.successor for m in memories if m.successor is not None]
    ids = [link.memory for link in followed if link.how is Succession.MERGES]
    return await store.find(ids) if ids else []


def joined(same: Mapping[str, Sequence[str]], others: Others) -> Mapping[str, Sequence[str]]:
    """The names that accounts go by, with those that were said to be theirs."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, own in (*same.items(), *others.items()):
        found[name].update(own)
    return {name: sorted(own) for name, own in found.items()}


def _read(mark: str) -> list[str]:
    """The ids in a mark; none of an unreadable one, which the next sleep writes anew."""
    try:
        return [str(id) for id in json.loads(mark or "[]")]
    except (ValueError, TypeError):
        return []
