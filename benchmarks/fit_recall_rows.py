"""What a recall knew of its candidates, for each question of a life, as numbers to fit on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from ..core.engine.recalls import RecallRequest
from ..core.languages.scripts import language_of
from ..core.model.conversation import Scope, ScopeKind
from ..core.model.memory import Memory
from ..core.ports import Embedder
from ..core.recall.block import longest_of
from ..core.recall.trace import Recalled
from ..core.scoring.decision import Column, TurnColumn
from ..core.settings import Settings
from ..core.similarity.calibration import VectorScale
from ..core.text.token_count import estimate_tokens
from .command import workspace
from .comparing.asking import question_of, told
from .comparing.catalogue import made
from .comparing.sets import BoardSet
from .comparing.system import Question
from .comparing.tidemark import Tidemark
from .lived.life import Fact, line_of
from .lived.life import Life as LivedLife
from .living.installation import opened
from .living.judging import Seen, holds, judged_lines
from .living.player import Player
from .living.script import DAY, Asked, Idle, IdleTurn, Life, Need
from .living.tongues import WrittenTurn
from .rankings import RANKED

BESIDE = 10
"""Tokens of a line beside what it tells: number, name, and its share of a day."""

SYSTEMS = {"local": "tidemark", "hashed": "tidemark-hashed", "none": "tidemark-words"}
WITH_CHANGES = "tidemark-recorded"
"""Where facts change they are learnt as a model would; the embedder is whichever it is given."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question or turn: a row of `sheet` for each candidate.

    `held[c, p]` tells whether candidate c holds part p; `tokens` what its line takes. A turn that
    needs nothing has no parts. `asked` is the vector of `text`; empty without an embedder.
    """

    set: str
    kind: str
    sheet: np.ndarray
    held: np.ndarray
    tokens: np.ndarray
    turn: dict[str, float]
    text: str
    asked: np.ndarray

    @property
    def weighs_as(self) -> str:
        """The set whose weight it shares: the written months are one."""
        return "lived" if self.set.startswith("lived_") else self.set

    @property
    def needs(self) -> bool:
        """Whether it needs a memory."""
        return self.kind == "need"


def written_turn(turn: WrittenTurn, vector: np.ndarray) -> Row:
    """The row of a turn without a chat, of which nothing but its vector is known."""
    kind = "need" if turn.needs else Idle.REMARK.value
    nothing = np.empty((0, len(Column)), np.float32), np.empty((0, 0), bool), np.empty(0)
    return Row(f"turns_{turn.hand}", kind, *nothing, {}, turn.text, vector)


def asked_by(row: Row, asking: VectorScale) -> Row:
    """The row with what the product reads from the turn's vector by a sample of its own."""
    return replace(row, turn=row.turn | {TurnColumn.ASKS.value: asking.logit(row.asked)})


async def rows_of(board: BoardSet, embedder: Embedder | None, footing: str, seed: int) -> list[Row]:
    """Those of all lives of a set."""
    found: list[Row] = []
    for life, idle in zip(board.lives, board.idle, strict=True):
        found += await _of_life(board.name, life, idle, embedder, footing, seed)
    return found


async def _of_life(
    name: str,
    life: Life,
    idle: Sequence[IdleTurn],
    embedder: Embedder | None,
    footing: str,
    seed: int,
) -> list[Row]:
    named = WITH_CHANGES if life.changes else SYSTEMS[footing]
    with workspace(None) as folder:
        system, learns = made(named, folder, embedder, life, Random(seed))
        assert isinstance(system, Tidemark)
        system.recalls = False
        try:
            await told(life, system, learns=learns)
            return [
                _row(
                    name,
                    turn,
                    await system.recalled(_question(life, turn)),
                    await _vector(embedder, turn.text),
                )
                for turn in (*_needs(life), *idle)
            ]
        finally:
            await system.close()


class _Listener(Player):
    """A player that keeps the last recall."""

    recalled: Recalled | None = None

    async def brought_up(self, ask: RecallRequest) -> Recalled:
        self.recalled = await Player.brought_up(self, ask)
        return self.recalled


async def lived_rows(life: LivedLife, embedder: Embedder | None) -> list[Row]:
    """Those of a written month: each message that is marked, when it is said."""
    kind = ScopeKind.GROUP if life.group else ScopeKind.PRIVATE
    language = language_of(" ".join(each.text for each in life.said[:50]))
    chat = Life(f"lived_{life.name}", language, Scope(kind, "lived", life.name), ())
    found: list[Row] = []
    with workspace(None) as folder:
        async with opened(folder, embedder, Settings(), "rules", ()) as at:
            at.clock.at = life.said[0].at - DAY
            player = _Listener(at)
            for said in life.said:
                player.recalls = said.needs is not None
                await player.say(chat, line_of(said))
                if said.needs is not None and (recalled := player.recalled) is not None:
                    told = recalled, await player.seen(recalled)
                    asked = said.text, await _vector(embedder, said.text)
                    kind = "need" if said.needs else Idle.REMARK.value
                    facts = [life.facts[fact] for fact in said.needs]

                    def held(memory: Memory, facts: Sequence[Fact] = facts) -> list[bool]:
                        return [fact.told_by(memory.text) for fact in facts]

                    found.append(_filled(chat.name, kind, told, held, *asked))
    return found


def _needs(life: Life) -> Iterator[Need | Asked]:
    """What needs a memory; of what has changed the questions about the present."""
    yield from life.needs
    yield from (asked for asked in life.changes if not asked.past)


def _question(life: Life, turn: Need | Asked | IdleTurn) -> Question:
    before = () if isinstance(turn, Asked) else turn.before
    return question_of(life, turn.text, before, turn if isinstance(turn, Need) else None)


async def _vector(embedder: Embedder | None, text: str) -> np.ndarray:
    return np.empty(0, np.float32) if embedder is None else await embedder.embed_query(text)


def _row(
    name: str, asked: Need | Asked | IdleTurn, told: tuple[Recalled, Seen], vector: np.ndarray
) -> Row:
    seen = told[1]
    parts = asked.parts if isinstance(asked, Need) else ()

    def held(memory: Memory) -> list[bool]:
        if isinstance(asked, Asked):
            return [bool(judged_lines(asked, [(memory.text, memory.text)])["current_shown"])]
        return [holds(part, memory.text, seen.labels[memory.id]) for part in parts]

    kind = asked.kind.value if isinstance(asked, IdleTurn) else "need"
    return _filled(name, kind, told, held, asked.text, vector)


def _filled(
    name: str,
    kind: str,
    told: tuple[Recalled, Seen],
    held: Callable[[Memory], Sequence[bool]],
    text: str,
    vector: np.ndarray,
) -> Row:
    """The row of the candidates that could be shown."""
    recalled, seen = told
    kept = [
        each
        for each in recalled.trace.candidates
        if each.columns and each.memory in seen.records and each.drop in RANKED
    ]
    memories = [seen.records[each.memory] for each in kept]
    parts = [held(memory) for memory in memories]
    return Row(
        name,
        kind,
        np.array([each.columns for each in kept], np.float32).reshape(len(kept), len(Column)),
        np.array(parts, bool).reshape(len(kept), len(parts[0]) if parts else 0),
        np.array([BESIDE + estimate_tokens(m.text[: longest_of(m)]) for m in memories]),
        {column.value: value for column, value in recalled.trace.numbers},
        text,
        vector,
    )
