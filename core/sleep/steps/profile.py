"""The page about each person of a scope: which memories are its lines until the next sleep.

Algorithms, section 13.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ...conflict.clauses import LINKING, PREFERENCE
from ...model.conversation import Scope, ScopeKind
from ...model.errors import ReplyMalformed
from ...model.memory import Kind, Memory
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...ports import Filter, MemoryRecords
from ...prompts import rewording
from ...recall.profile import Line, is_over, line_text, lines_of, section_of
from ...records.manual import is_worded, worded
from ...records.sameness import default_names, impersonal, otherwise, pieces
from ...text.quoting import folded
from ...text.token_count import estimate_tokens
from ..pipeline import FULL, StepRun

LEAST_NEW = 3
"""Lines without words of a model from which one is asked."""

MOST_PAGES = 2
"""Of a scope that are re-worded in one sleep, by one call each."""

_TOLD = frozenset({Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.PROSPECTIVE})


@dataclass(frozen=True, slots=True)
class ProfileStep:
    """Keeps ids alone: what a line says is read from its memory, and goes with it.

    So do a model's words for it. `prompted` tells in which chats pages go into prompts; in
    others no model is asked.
    """

    name: ClassVar[str] = "profile"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryRecords
    key_of: Callable[[str], str]
    prompted: Callable[[ScopeKind], bool]

    async def run(self, run: StepRun) -> None:
        """Choose the lines anew, and have those that are new put shorter."""
        kind = Scope.kind_of(run.scope)
        people = await self._people(run, kind is ScopeKind.GROUP)
        kept: dict[str, list[list[str]]] = {}
        asked = 0
        for account, own in sorted(people.items()):
            # Tokens are counted line after line: too long for the event loop.
            lines = await asyncio.to_thread(lines_of, own, account)
            key = self.key_of(account) if account else ""
            kept[key] = [list(line.sources) for line in lines]
            if self.prompted(kind) and asked < MOST_PAGES:
                asked += await self._reword(run, key, lines)
        mark = json.dumps(kept, separators=(",", ":"))
        if mark != (await run.mark() or "{}"):
            run.count(Deed.PROFILED, len(kept))
            await run.set_mark(mark)

    async def undo(self, decided: Decided, now: float) -> Undone:
        """The lines have their own words again. Their choice is no decision: a line is struck by
        forgetting what it says.
        """
        ids = decided.decision.memories
        if not await self.store.find(ids):
            return Undone.GONE
        await self.store.amend(ids, lambda memory: worded(memory, "", memory.text))
        return Undone.DONE

    async def _people(self, run: StepRun, group: bool) -> Mapping[str, Sequence[Memory]]:
        """What may stand on each page, by account; "" in a private chat."""
        people: dict[str, list[Memory]] = {}
        where = Filter(frozenset({run.scope}), recallable=True, kinds=_TOLD)
        async for found in self.store.pages(where):
            for memory in found:
                account = memory.speaker.id if group and memory.speaker is not None else ""
                named = (account or not group) and section_of(memory, account) is not None
                if named and not is_over(memory, run.at):
                    people.setdefault(account, []).append(memory)
        return people

    async def _reword(self, run: StepRun, key: str, lines: Sequence[Line]) -> bool:
        """Whether a model has put the lines that it has not seen. A page once undone stays."""
        fresh = {each.memory.id: each.memory for each in lines if not is_worded(each.memory)}
        page = f"page {key}"
        if len(fresh) < LEAST_NEW or page in run.refused:
            return False
        texts = [memory.text for memory in fresh.values()]
        reply = await run.ask(rewording.build(texts, run.prompts))
        if reply is None:
            return False
        said = await asyncio.to_thread(self._accepted, list(fresh.values()), reply)
        if said:
            await run.decide(Decision(page, Deed.REWORDED, tuple(fresh), "told"))
        await self.store.amend(
            list(fresh),
            lambda memory: worded(memory, said.get(memory.id, ""), fresh[memory.id].text),
        )
        return True

    def _accepted(self, shown: Sequence[Memory], reply: str) -> Mapping[str, str]:
        """By id the words that keep what a line says and take no more room."""
        try:
            found = rewording.parse(reply, len(shown))
        except ReplyMalformed:
            return {}
        told = {shown[number - 1]: text for number, text in found.items()}
        return {
            memory.id: text
            for memory, text in told.items()
            if text != line_text(memory)
            and estimate_tokens(text) <= estimate_tokens(line_text(memory))
            and keeps_values(memory, text)
        }


KEPT = 0.5
"""Share of the content of a claim that stays, besides its whole value."""


def keeps_values(memory: Memory, wording: str) -> bool:
    """Whether the wording tells of the memory neither more nor less, but for how it is put.

    Of a claim the value and half of the rest stay; of anything else every word with a meaning.
    """
    reworded = replace(memory, text=wording)
    return (
        not otherwise(impersonal(memory), impersonal(reworded))
        and _names_all(memory, wording)
        and _tells_the_same(memory, reworded)
    )


def _names_all(memory: Memory, wording: str) -> bool:
    """Whether whatever the memory names is named, but for whoever the page is about."""
    speaker = () if memory.speaker is None else (memory.speaker.name,)
    themselves = {folded(name) for name in (*speaker, *default_names())}
    named = {folded(name) for name in (*memory.about, *(each.name for each in memory.entities))}
    own, told = folded(memory.text), folded(wording)
    return all(name in told for name in named - themselves if name in own)


def _tells_the_same(memory: Memory, reworded: Memory) -> bool:
    own, told = {*pieces(impersonal(memory))}, {*pieces(impersonal(reworded))}
    tastes = [{*PREFERENCE.findall(folded(each.text))} for each in (reworded, memory)]
    if told - own - {*pieces(LINKING)} or tastes[0] - tastes[1]:
        return False
    if memory.claim is None:
        return own <= told
    return {*pieces(memory.claim.value)} & own <= told and len(own & told) >= KEPT * len(own)
