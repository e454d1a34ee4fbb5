"""Tidemark as it is installed: its own settings, learning, sleep and decision."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from ...core.engine.engine import MemoryEngine, RecallRequest
from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from ...core.ports import Embedder
from ...core.recall.trace import Recalled
from ...core.settings import RecallSettings
from ...core.text.normalisation import normalise
from ..datasets.everyday import Earlier
from ..living.installation import KEPT, Learning, opened
from ..living.judging import shown_lines
from ..living.player import Player
from ..living.script import DAY, Life, Line, Recorded
from ..recall_quality_figures import RANKED
from .system import Answer, Fact, Item, Question, Turn

MOST = 50
"""Lines of a block that is bounded by its tokens."""

QUIET = 7 * DAY
"""Where nothing is said for long, every seventh night is slept through."""


@dataclass(slots=True)
class Tidemark:
    """One installation with the life of one chat. `learning` as in benchmarks.life."""

    folder: Path
    embedder: Embedder | None
    learning: Learning
    group: bool
    language: str
    _facts: list[Recorded] = field(default_factory=list[Recorded])
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)
    _player: Player | None = None
    _life: Life | None = None
    _wide: dict[int, MemoryEngine] = field(default_factory=dict[int, MemoryEngine])

    async def learn(self, fact: Fact) -> None:
        """Replied by the model when the episode of the last of its turns is learnt."""
        self._facts.append(Recorded(fact.text, fact.rests_on, fact.slot, fact.value))

    async def add(self, turn: Turn) -> None:
        """Through the hooks' engine calls, the clock moved to its time."""
        player, life = await self._started(turn)
        speaker = Speaker(turn.speaker, turn.speaker)
        role = Role.BYSTANDER if turn.group else Role.USER
        line = Line(turn.at, speaker, turn.text, turn.id, role, turn.answer)
        await player.say(life, line)

    async def rest(self, at: float) -> None:
        """The nights until then."""
        if self._player is not None:
            await self._player.at.until(at)
            await self._player.come_to_rest()

    async def block(self, question: Question, budget: int | None = None) -> Answer:
        """Its recall; with a budget, by an engine with that budget over the same store."""
        player, life = self._player, self._life
        if player is None or life is None:
            return Answer((), (), 0, 0.0)
        asker = Speaker(question.asker, question.asker)
        if budget is None:
            before = [Earlier(Role.USER, text) for text in question.before]
            recalled = await player.ask(life, question.text, before, asker)
            await player.leave_no_trace()
        else:
            recalled = await self._within(player, life, question, budget)
        return await self._answer(player, recalled)

    async def close(self) -> int:
        """Calls of the model that learns."""
        calls = 0 if self._player is None else self._player.at.model.calls
        for engine in self._wide.values():
            await engine.finish()
        await self._open.aclose()
        return calls

    async def _started(self, turn: Turn) -> tuple[Player, Life]:
        if self._player is not None and self._life is not None:
            return self._player, self._life
        kind = ScopeKind.GROUP if self.group else ScopeKind.PRIVATE
        subject = "team" if self.group else turn.speaker
        self._life = Life("board", self.language, Scope(kind, "board", subject), ())
        at = opened(self.folder, self.embedder, KEPT, self.learning, self._facts)
        self._player = Player(await self._open.enter_async_context(at), Random(0))
        self._player.at.clock.at = turn.at - DAY
        self._player.at.quiet = QUIET
        return self._player, self._life

    async def _within(
        self, player: Player, life: Life, question: Question, budget: int
    ) -> Recalled:
        if budget not in self._wide:
            self._wide[budget] = _with_budget(player.at.engine, budget)
        history = frozenset(normalise(text).strip() for text in question.before)
        ask = RecallRequest(life.scope, question.text, None, history, asker=question.asker)
        recalled = await self._wide[budget].recall(ask)
        if recalled is None:
            raise TimeoutError(f"no recall in ten seconds: {question.text}")
        return recalled

    async def _answer(self, player: Player, recalled: Recalled) -> Answer:
        seen = await player.seen(recalled)
        ranked = [each.memory for each in recalled.trace.candidates if each.drop in RANKED]
        known = [seen.records[memory] for memory in ranked if memory in seen.records]
        return Answer(
            tuple(Item(seen.labels[memory.id], memory.text) for memory in known),
            _shown(recalled, seen.labels),
            recalled.trace.tokens,
            seen.confidence,
        )


def _with_budget(engine: MemoryEngine, tokens: int) -> MemoryEngine:
    """Another engine over the same store, which shows as much as fits into so many tokens."""
    recall = RecallSettings(deadline_ms=10_000, budget_tokens=tokens, max_items=MOST)
    settings = replace(engine.parts.settings, recall=recall)
    return MemoryEngine(replace(engine.parts, settings=settings))


def _shown(recalled: Recalled, labels: Mapping[str, frozenset[str]]) -> tuple[Item, ...]:
    return tuple(
        Item(labels.get(memory.id, frozenset()), memory.text, line)
        for line, memory in shown_lines(recalled)
    )
