"""The page about a person that goes into the prompts of their chats, as sleep has left it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, cast

from ..languages.scripts import language_of
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..model.times import zone
from ..privacy.consents import ScopeAccess
from ..recall.profile import Line, ShowDate, is_over, lines_of, page, section_of
from ..recall.selection import matters
from .parts import Parts

STEP = "profile"
"""The step of sleep under which the lines of a scope are kept."""

type Kept = Mapping[str, Sequence[Sequence[str]]]
"""By `key_of` a person the ids of each line's memories: no text, no name."""


def key_of(person: str) -> str:
    """What stands for a person of a group in what is kept; "" for the one of a private chat."""
    return blake2b(person.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


def kept_of(mark: str) -> Kept:
    """What a sleep has kept; nothing before the first."""
    try:
        found = json.loads(mark or "{}")
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Profiles:
    """Lines only leave between two sleeps: when what they say is no longer so, over or gone."""

    parts: Parts
    access: ScopeAccess
    show: ShowDate

    async def lines(self, scope: Scope, person: str) -> list[Line]:
        """The page of a person in a chat: in a group of what they said there themselves."""
        group = scope.kind is ScopeKind.GROUP
        key, account = (key_of(person), person) if group else ("", "")
        found, now = list[Memory](), self.parts.clock.now()
        sources: dict[str, tuple[str, ...]] = {}
        for own in sorted(await self.access.readable(scope, None)):
            if Scope.kind_of(own) is not scope.kind:
                continue
            kept = kept_of(await self.parts.journal.mark(own, STEP)).get(key, ())
            sources |= {ids[0]: tuple(ids) for ids in kept if ids}
            shown = [ids[0] for ids in kept if ids]
            found += await self.parts.store.find(shown, frozenset({own}))
        told = [
            (section, memory)
            for memory in found
            if (section := section_of(memory, account)) is not None and not is_over(memory, now)
        ]
        if len({memory.scope for _, memory in told}) > 1:
            return lines_of([memory for _, memory in told], account)
        return [Line(section, memory, sources[memory.id]) for section, memory in told]

    async def memories(self, scope: Scope, person: str) -> list[Memory]:
        """What the lines of the page say."""
        return [line.memory for line in await self.lines(scope, person)]

    async def text(self, scope: Scope, person: str, language: str) -> str:
        """The page as it goes into a prompt, "" for none; "auto" is the language of the lines."""
        lines = await self.lines(scope, person)
        scopes = frozenset(line.memory.scope for line in lines)
        unwanted = await matters(self.parts.store, scopes, person)
        lines = [each for each in lines if not any(m.is_told_by(each.memory) for m in unwanted)]
        if language == "auto":
            language = language_of(" ".join(line.memory.text for line in lines))
        where = zone(self.parts.settings.display.timezone)
        return page(lines, language, self.show, where)
