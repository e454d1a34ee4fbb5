"""Tidemark as it is installed: its own settings, learning, sleep and decision."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...core.engine.recalls import RecallRequests
from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from ...core.model.memory import Kind, Memory
from ...core.ports import Embedder, Filter
from ...core.recall.trace import Recalled
from ...core.settings import Settings
from ..living.installation import Learning, opened
from ..living.judging import Seen, shown_lines
from ..living.player import Player
from ..living.script import DAY, Earlier, Life, Line, Recorded
from ..rankings import RANKED
from .system import Answer, Item, Question

MOST = 50
"""Lines of a block that is bounded by its tokens."""

MOST_CLAIMS = 500
"""Of the slots of one block."""

DEADLINE = 10.0
"""Seconds; the longest that can be set."""

QUIET = 7 * DAY
"""Where nothing is said for long, every seventh night is slept through."""


@dataclass(slots=True)
class Tidemark:
    """One installation with the life of one chat. `learning` as in benchmarks.changes."""

    folder: Path
    embedder: Embedder | None
    learning: Learning
    settings: Settings
    group: bool
    language: str
    recalls: bool = True
    _facts: list[Recorded] = field(default_factory=list[Recorded])
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)
    _player: Player | None = None
    _life: Life | None = None

    async def learn(self, fact: Recorded) -> None:
        """Replied by the model when the episode of the last of its turns is learnt."""
        self._facts.append(fact)

    async def add(self, line: Line) -> None:
        """Through the hooks' engine calls, the clock moved to its time."""
        player, life = await self._started(line)
        name = line.speaker.name
        await player.say(life, replace(line, speaker=Speaker(name, name)))

    async def rest(self, at: float) -> None:
        """The nights until then."""
        if self._player is not None:
            await self._player.at.until(at)
            await self._player.come_to_rest()

    async def block(self, question: Question, budget: int | None = None) -> Answer:
        """Its recall; with a budget, by settings that allow as much."""
        player, life = self._player, self._life
        if player is None or life is None:
            return Answer((), (), 0, 0.0)
        asker = Speaker(question.asker, question.asker)
        before = [Earlier(Role.USER, text) for text in question.before]
        ask = await player.request(life, question.text, before, asker)
        if budget is None:
            return await self._answer(player, await player.brought_up(ask))
        requests = _allowing(player.at.engine.recall_requests, budget)
        return await self._answer(player, await requests.recall(ask, DEADLINE))

    async def recalled(self, question: Question) -> tuple[Recalled, Seen]:
        """What its recall was and knew; nothing is learnt of what was asked."""
        player, life = self._player, self._life
        assert player is not None
        assert life is not None
        asker = Speaker(question.asker, question.asker)
        before = [Earlier(Role.USER, text) for text in question.before]
        recalled = await player.ask(life, question.text, before, asker)
        seen = await player.seen(recalled)
        await player.leave_no_trace()
        return recalled, seen

    async def answered(self) -> None:
        """Nothing is learnt of what was asked."""
        if self._player is not None:
            await self._player.leave_no_trace()

    async def memories(self) -> Sequence[Item]:
        """Whatever is neither forgotten nor replaced, in any form."""
        player, life = self._player, self._life
        if player is None or life is None:
            return ()
        where = Filter(scopes=frozenset({life.scope.key}))
        return [
            Item(player.labels(memory), memory.text, learnt=memory.kind is not Kind.EVIDENCE)
            async for memory in player.at.engine.store.iterate(where)
            if memory.recallable
        ]

    async def threads(self) -> list[list[frozenset[str]]]:
        """By thread, of each memory that it tells the turns that it rests on."""
        player, life = self._player, self._life
        if player is None or life is None:
            return []
        store, scopes = player.at.engine.store, frozenset({life.scope.key})
        threads = store.iterate(Filter(scopes, kinds=frozenset({Kind.NARRATIVE})))
        found = [thread async for thread in threads if thread.is_thread]
        return [
            [player.labels(memory) for memory in await store.find(each.tells)] for each in found
        ]

    async def close(self) -> int:
        """Calls of the model that learns."""
        calls = 0 if self._player is None else self._player.at.model.calls
        await self._open.aclose()
        return calls

    async def _started(self, line: Line) -> tuple[Player, Life]:
        if self._player is not None and self._life is not None:
            return self._player, self._life
        kind = ScopeKind.GROUP if self.group else ScopeKind.PRIVATE
        subject = "team" if self.group else line.speaker.name
        self._life = Life("board", self.language, Scope(kind, "board", subject), ())
        at = opened(self.folder, self.embedder, self.settings, self.learning, self._facts)
        self._player = Player(await self._open.enter_async_context(at), self.recalls)
        self._player.at.clock.at = line.at - DAY
        self._player.at.quiet = QUIET
        return self._player, self._life

    async def _answer(self, player: Player, recalled: Recalled) -> Answer:
        seen = await player.seen(recalled)
        ranked = [each.memory for each in recalled.trace.candidates if each.drop in RANKED]
        known = [seen.records[memory] for memory in ranked if memory in seen.records]
        return Answer(
            tuple(Item(seen.labels[memory.id], memory.text) for memory in known),
            await _shown(player, recalled, seen),
            recalled.trace.tokens,
            seen.confidence,
        )


def _allowing(requests: RecallRequests, tokens: int) -> RecallRequests:
    """The same with as many lines as fit into so many tokens."""
    settings = requests.parts.settings
    recall = replace(settings.recall, budget_tokens=tokens, max_items=MOST)
    return requests.with_settings(replace(settings, recall=recall))


async def _shown(player: Player, recalled: Recalled, seen: Seen) -> tuple[Item, ...]:
    """The lines of the block; a history rests on the turns that told the values it holds, too."""
    lines = shown_lines(recalled)
    slots = frozenset(memory.claim.slot for _, memory in lines if memory.claim)
    where = Filter(frozenset(memory.scope for _, memory in lines), slots=slots)
    claims = await player.at.engine.store.page(where, limit=MOST_CLAIMS) if slots else ()

    def ids(line: str, memory: Memory) -> frozenset[str]:
        own = seen.labels.get(memory.id, frozenset[str]())
        former = [one for one in claims if not one.holds and _has_slot_of(one, memory)]
        told = (one for one in former if one.claim and one.claim.value and one.claim.value in line)
        return own.union(*map(player.labels, told))

    return tuple(Item(ids(line, memory), memory.text, line) for line, memory in lines)


def _has_slot_of(one: Memory, other: Memory) -> bool:
    return bool(one.claim and other.claim and one.claim.slot == other.claim.slot)
