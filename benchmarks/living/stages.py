"""The parts of the benchmark: months with everything as it comes, and changes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import count
from pathlib import Path
from random import Random

from ...core.ports import Embedder
from ...core.settings import Settings
from .idle import Idles, drawn
from .installation import DEFAULTS, Installation, Learning, opened
from .judging import judged_change, judged_need
from .learnt import learning_of, summed
from .ledger import against_truth, corroborations, false_contradictions
from .player import Player, Record, speaker_of
from .script import DAY, Idle, IdleTurn, Life, Line, Need
from .sources import SAID_AGAIN

type Show = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many turns of each class that needs nothing are asked of a life, and by which chance."""

    idle: int
    seed: int


@dataclass(frozen=True, slots=True)
class Stage:
    """One installation. Lines come in the order of their times, whoever's they are.

    Every life is asked once, a day after the last of it.
    """

    name: str
    lives: Sequence[Life]
    streams: Callable[[], Sequence[Iterator[Line]]]
    expected: int
    settings: Settings = DEFAULTS
    others: Sequence[Life] = ()
    idle: Idles = field(default_factory=lambda: dict[Idle, list[IdleTurn]]())


@dataclass(slots=True)
class StageResult:
    """Records of everything that was asked, and what the stage came to."""

    asked: list[Record]
    totals: Record


async def played(
    stage: Stage,
    folder: Path,
    embedder: Embedder | None,
    learning: Learning,
    sampling: Sampling,
    show: Show,
) -> StageResult:
    """The stage lived through."""
    recordings = [each for life in stage.lives for each in life.recorded]
    async with opened(folder, embedder, stage.settings, learning, recordings) as installation:
        play = _Play(stage, Player(installation, Random(sampling.seed)), sampling, show)
        await play.run()
        return StageResult(play.asked, await play.totals())


@dataclass(slots=True)
class _Play:
    stage: Stage
    player: Player
    sampling: Sampling
    show: Show
    asked: list[Record] = field(default_factory=list[Record])
    counts: dict[str, int] = field(default_factory=lambda: {"lines": 0, "recalls": 0})
    again: dict[str, int] = field(default_factory=lambda: {"facts": 0, "lost": 0})
    left: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])

    async def run(self) -> None:
        stage, player = self.stage, self.player
        streams = stage.streams()
        tagged = [_tagged(life, own) for life, own in zip(stage.lives, streams, strict=True)]
        step = count(1)
        ends = sorted(stage.lives, key=lambda life: life.end)
        for life, line in merge(*tagged, key=lambda each: each[1].at):
            if player.at.clock.at == 0:
                player.at.clock.at = line.at - DAY
            while ends and ends[0].end < line.at:
                await self._at_the_end(ends.pop(0))
            await self._said(life, line)
            self.show(min(next(step), stage.expected))
        for life in ends:
            await self._at_the_end(life)
        await player.come_to_rest()

    async def _at_the_end(self, life: Life) -> None:
        await self.player.at.until(life.end)
        await self.player.come_to_rest()
        self.left[life.name] = await self.player.left(life)
        await self._battery(life)

    async def _said(self, life: Life, line: Line) -> None:
        self.counts["lines"] += 1
        self.counts["recalls"] += line.need is not None or line.role == "user"
        size = await self.player.size(life) if line.need is not None else 0
        gone = frozenset[str]()
        if line.need is not None:
            await self.player.at.until(line.at)
            gone = await self.player.gone(line.need, life.scope)
        met = await self.player.say(life, line)
        if met is not None:
            need, seen = met
            figures = judged_need(need, seen, gone, self.player.chance)
            about = {"source": need.source, "days": _days(life, line, need)}
            self._add(life, size, "need", need.category, figures, **about)

    async def _battery(self, life: Life) -> None:
        """Questions of which nothing is left behind."""
        await self.player.come_to_rest()
        live = await self.player.size(life)
        await self._changes(life, live)
        await self._said_again(life)
        if any(need.source != SAID_AGAIN for need in life.needs):
            await self._idle(life, live)
        await self.player.leave_no_trace()

    async def _changes(self, life: Life, live: int) -> None:
        for asked in life.changes:
            recalled = await self.player.ask(life, asked.text, (), life.asker)
            about = {"listed": asked.listed, "past": asked.past, "hand": asked.hand}
            self._add(life, live, "change", asked.id, judged_change(asked, recalled), **about)

    async def _idle(self, life: Life, live: int) -> None:
        chance = Random(self.sampling.seed)
        turns = drawn(self.stage.idle, life, self.stage.others, self.sampling.idle, chance)
        for turn in turns:
            recalled = await self.player.ask(life, turn.text, turn.before, speaker_of(life))
            seen = await self.player.seen(recalled)
            figures: Record = {
                "silent": not recalled.memories,
                "lines": len(recalled.memories),
                "tokens": recalled.trace.tokens,
                "confidence": seen.confidence,
            }
            spoken = {"hand": turn.hand, "spoken": turn.language}
            self._add(life, live, "idle", turn.kind.value, figures, **spoken)

    def _add(
        self, life: Life, memories: int, what: str, kind: str, figures: Record, **more: object
    ) -> None:
        self.counts["recalls"] += what != "need"
        about = {"stage": self.stage.name, "life": life.name, "language": life.language}
        self.asked.append(
            {**about, "what": what, "kind": kind, "live_memories": memories} | figures | more
        )

    async def totals(self) -> Record:
        installation: Installation = self.player.at
        store = installation.engine.parts.store
        learning = {
            life.name: found
            for life in self.stage.lives
            if (found := learning_of(life, installation))["messages"]
        }
        consistent = [life for life in self.stage.lives if not life.changes]
        return {
            **self.counts,
            "noise": self.player.noise,
            "learning": summed(learning.values()),
            "learning_of": learning,
            "verdicts": against_truth(installation.verdicts, self.player.shown),
            "corroborations": await corroborations(store),
            "false_contradictions": await false_contradictions(store, consistent),
            "said_again": self.again,
            "left": self.left,
        }

    async def _said_again(self, life: Life) -> None:
        """Of what somebody says again and again, what is lost when nobody has for long."""
        for need in life.needs:
            if need.source == SAID_AGAIN:
                self.again["facts"] += 1
                self.again["lost"] += bool(await self.player.gone(need, life.scope))


def _tagged(life: Life, lines: Iterable[Line]) -> Iterator[tuple[Life, Line]]:
    return ((life, line) for line in lines)


def _days(life: Life, line: Line, need: Need) -> float:
    """From the last thing that the need rests on to its question."""
    told = life.told_at()
    last = max(told[label] for part in need.parts for label in part.labels if label in told)
    return round((line.at - last) / DAY, 2)
