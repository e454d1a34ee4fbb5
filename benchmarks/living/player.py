"""People's lines said to an installation, questions asked of it, and what came of each."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from ...core.engine.engine import RecallRequest
from ...core.model.conversation import NewTurn, Place, Role, Scope, Speaker
from ...core.model.memory import Kind, Memory, Status
from ...core.ports import Filter
from ...core.recall.trace import Recalled
from ...core.records.evidence import evidence_id
from ...core.text.quoting import normalise
from ..datasets.everyday import Earlier
from ..datasets.proactive import literal
from .installation import Installation
from .judging import Seen, holds, parts_held
from .ledger import Shown
from .script import Life, Line, Need, Part

SEEN = 20
"""Earlier messages of a conversation that the model sees."""

SAME_CONVERSATION = 1_800.0
"""Seconds of silence after which the model sees none of what was said."""

BOT = Speaker("bot", "")
NO_MEMORY = {"zh": "这个我不记得了。", "en": "I don't remember that."}

type Record = dict[str, object]


@dataclass(slots=True)
class Player:
    """One installation being lived in.

    `noise` counts the turns of every day, and those for which nothing was shown. `kept` is the
    text under which each labelled line was remembered at the end of its episode:
    what was never kept cannot be forgotten. Unless it `recalls`, nothing is brought up for what is
    said, and nothing judged.
    """

    at: Installation
    chance: Random
    shown: list[Shown] = field(default_factory=list[Shown])
    kept: dict[str, str] = field(default_factory=dict[str, str])
    recalls: bool = True
    noise: dict[str, int] = field(default_factory=lambda: {"turns": 0, "silent": 0})
    _said: dict[str, list[tuple[float, str]]] = field(
        default_factory=dict[str, list[tuple[float, str]]]
    )
    _fresh: dict[str, int] = field(default_factory=dict[str, int])
    _batteries: int = 0

    async def say(self, life: Life, line: Line) -> tuple[Need, Seen] | None:
        """One line with its recall and its answer; what a need's recall brought up."""
        silent = line.at - self.at.clock.at > SAME_CONVERSATION
        await self.at.until(line.at)
        if silent:
            await self.note_kept()
        history = self._history(life.name, line)
        turn = await self._journal(life.place, line.role, line.speaker, line.text)
        if line.label:
            self.at.told[turn] = line.label
            self.at.seqs[line.label].append(turn)
            self._fresh[line.label] = turn
        if line.role is Role.BYSTANDER:
            await self.at.work()
            return None
        seen = None
        if self.recalls:
            ask = RecallRequest(life.scope, line.text, turn, history, asker=line.speaker.id)
            recalled = await self.brought_up(ask)
            seen = await self.seen(recalled) if line.need is not None else None
            self._note(turn, line, seen, recalled)
        answer = line.answer if line.need is None else answer_to(line.need, seen, life.language)
        if answer:
            reply = NewTurn(life.place, Role.ASSISTANT, BOT, answer, self.at.clock.now())
            await self.at.engine.answer(reply, to=turn)
            self.at.messages[life.place.session] += 1
        await self.at.work()
        return None if seen is None or line.need is None else (line.need, seen)

    async def ask(
        self, life: Life, text: str, before: Sequence[Earlier], asker: Speaker
    ) -> Recalled:
        """A question in a conversation of its own, of which nothing is left behind."""
        return await self.brought_up(await self.request(life, text, before, asker))

    async def request(
        self, life: Life, text: str, before: Sequence[Earlier], asker: Speaker
    ) -> RecallRequest:
        """The question said in a conversation of its own, still to be recalled for."""
        self._batteries += 1
        session = f"{life.place.session}:asked{self._batteries}"
        place = Place(session, "chat", life.scope.key)
        for earlier in before:
            await self._journal(place, earlier.role, asker, earlier.text)
        turn = await self._journal(place, Role.USER, asker, text)
        history = frozenset(normalise(each.text).strip() for each in before)
        return RecallRequest(life.scope, text, turn, history, asker=asker.id)

    async def come_to_rest(self) -> None:
        """End every conversation and do all that follows from it."""
        await self._close_all()
        await self.at.settle()
        await self.note_kept()

    async def leave_no_trace(self) -> None:
        """After questions asked for measuring: nothing is indexed or learnt of them."""
        await self.at.engine.recorded()
        await self._close_all()
        await self.at.drop_work()

    async def _close_all(self) -> None:
        now = self.at.clock.now()
        await self.at.engine.parts.journal.close_silent(quiet_since=now, at=now)

    async def seen(self, recalled: Recalled) -> Seen:
        """The recall with the records of its candidates and the labels they rest on."""
        ids = [candidate.memory for candidate in recalled.trace.candidates]
        ids += [memory.id for memory in recalled.memories]
        records = await self.at.engine.parts.store.find(list(dict.fromkeys(ids)))
        return Seen(
            recalled,
            {memory.id: memory for memory in records},
            {memory.id: self.labels(memory) for memory in records},
        )

    def labels(self, memory: Memory) -> frozenset[str]:
        """The labelled lines that a memory rests on."""
        told = self.at.told
        return frozenset(told[seq] for seq in memory.origin.turns if seq in told)

    async def gone(self, need: Need, scope: Scope) -> frozenset[str]:
        """Numbers of the need's parts that were kept, and that no memory holds any more."""
        store = self.at.engine.parts.store
        lost: set[str] = set()
        for number, part in enumerate(need.parts):
            if not any(self._was_kept(part, label) for label in part.labels):
                continue
            said = self.at.seqs
            seqs = [seq for label in part.labels if label in said for seq in said[label]]
            journal = self.at.engine.parts.journal.id
            learnt = await store.distilled(seqs, frozenset({scope.key}))
            ids = [evidence_id(journal, seq) for seq in seqs]
            ids += [each for some in learnt.values() for each in some]
            alive = (m for m in await store.find(ids) if m.recallable)
            if not any(holds(part, m.text, self.labels(m)) for m in alive):
                lost.add(str(number))
        return frozenset(lost)

    def _was_kept(self, part: Part, label: str) -> bool:
        text = self.kept.get(label)
        return text is not None and literal(part.text) in literal(text)

    async def size(self, life: Life) -> int:
        """Live memories of the life's scope."""
        where = Filter(scopes=frozenset({life.scope.key}))
        return await self.at.engine.parts.store.count(where)

    async def left(self, life: Life) -> dict[str, int]:
        """Memories of the life's scope by where they are."""
        store, scopes = self.at.engine.parts.store, frozenset({life.scope.key})
        return {
            status.value: await store.count(Filter(scopes=scopes, status=status))
            for status in Status
        }

    async def note_kept(self) -> None:
        """Read what has been remembered of the lines said since the last time."""
        journal, fresh = self.at.engine.parts.journal.id, self._fresh
        ids = {evidence_id(journal, seq): label for label, seq in fresh.items()}
        for memory in await self.at.engine.parts.store.find(list(ids)):
            if memory.kind is Kind.EVIDENCE:
                self.kept[ids[memory.id]] = memory.text
        self._fresh = {}

    def _note(self, turn: int, line: Line, seen: Seen | None, recalled: Recalled) -> None:
        need = line.need
        if not line.life:
            self.noise["turns"] += 1
            self.noise["silent"] += not recalled.memories
        served = frozenset(memory.id for memory in recalled.memories)
        right = frozenset[str]()
        if need is not None and seen is not None:
            right = frozenset(
                m.id for m in recalled.memories if parts_held(need, m.text, self.labels(m))
            )
        if served:
            self.shown.append(Shown(turn, right, served - right))

    def _history(self, session: str, line: Line) -> frozenset[str]:
        said = self._said.setdefault(session, [])
        if said and line.at - said[-1][0] > SAME_CONVERSATION:
            said.clear()
        history = frozenset(text for _, text in said[-SEEN:])
        said.append((line.at, normalise(line.text).strip()))
        return history

    async def _journal(self, place: Place, role: Role, speaker: Speaker, text: str) -> int:
        who = BOT if role is Role.ASSISTANT else speaker
        turn = NewTurn(place, role, who, text, self.at.clock.now())
        self.at.messages[place.session] += 1
        return (await self.at.engine.observe(turn)).turn.seq

    async def brought_up(self, ask: RecallRequest) -> Recalled:
        """Within the deadline, or TimeoutError."""
        recalled = await self.at.engine.recall(ask)
        if recalled is None:
            raise TimeoutError(f"no recall in ten seconds: {ask.text}")
        return recalled


def answer_to(need: Need, seen: Seen | None, language: str) -> str:
    """What a bot says that answers from what it is shown, and from nothing else."""
    shown = () if seen is None else seen.recalled.memories
    held = {
        number
        for memory in shown
        if seen is not None
        for number in parts_held(need, memory.text, seen.labels.get(memory.id, frozenset()))
    }
    if not held:
        return NO_MEMORY[language]
    return need.answer or "、".join(need.parts[int(number)].text for number in sorted(held))


def speaker_of(life: Life, need: Need | None = None) -> Speaker:
    """Who asks: whom the data have ask, else whoever speaks first."""
    return life.asker if need is None else need.asker
