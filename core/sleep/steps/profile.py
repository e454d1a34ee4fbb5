"""The page about each person of a scope: which memories are its lines until the next sleep."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from ...model.conversation import Scope, ScopeKind
from ...model.memory import Kind, Memory
from ...model.sleeping import Decided, Deed, SleepCause, Undone
from ...ports import Filter, MemoryReader
from ...recall.profile import lines_of, section_of
from ...text.token_count import CountTokens
from ..pipeline import FULL, StepRun
from ..policy_passes import paged

_TOLD = frozenset({Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.PROSPECTIVE})


@dataclass(frozen=True, slots=True)
class ProfileStep:
    """Keeps ids alone: what a line says is read from its memory, and goes with it."""

    name: ClassVar[str] = "profile"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryReader
    count: CountTokens
    key_of: Callable[[str], str]

    async def run(self, run: StepRun) -> None:
        """Choose the lines anew."""
        people: dict[str, list[Memory]] = {}
        group = Scope.kind_of(run.scope) is ScopeKind.GROUP
        where = Filter(frozenset({run.scope}), recallable=True, kinds=_TOLD)
        async for found in paged(self.store, where):
            for memory in found:
                account = memory.speaker.id if group and memory.speaker is not None else ""
                if (account or not group) and section_of(memory, account) is not None:
                    people.setdefault(account, []).append(memory)
            await run.advance(found[-1].id)
        kept: dict[str, list[list[str]]] = {}
        for account, own in sorted(people.items()):
            # Tokens are counted line after line: too long for the event loop.
            lines = await asyncio.to_thread(lines_of, own, account, self.count)
            key = self.key_of(account) if account else ""
            kept[key] = [list(line.sources) for line in lines]
        mark = json.dumps(kept, separators=(",", ":"))
        if mark != (await run.mark() or "{}"):
            run.count(Deed.PROFILED, len(kept))
            await run.set_mark(mark)

    async def undo(self, decided: Decided, now: float) -> Undone:
        """It decides nothing: a line is struck by forgetting what it says."""
        return Undone.NEVER
