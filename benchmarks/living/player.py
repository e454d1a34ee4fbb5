"""People's lines said to an installation, questions asked of it, and what came of each."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...core.engine.recalls import RecallRequest
from ...core.model.conversation import NewTurn, Place, Role, Speaker
from ...core.model.memory import Memory
from ...core.recall.trace import Recalled
from ...core.text.quoting import normalise
from .installation import Installation
from .judging import Seen, parts_held
from .script import Earlier, Life, Line, Need

SEEN = 20
"""Earlier messages of a conversation that the model sees."""

SAME_CONVERSATION = 1_800.0
"""Seconds of silence after which the model sees none of what was said."""

BOT = Speaker("bot", "")
NO_MEMORY = {"zh": "这个我不记得了。", "en": "I don't remember that."}


@dataclass(slots=True)
class Player:
    """One installation being lived in.

    Unless it `recalls`, nothing is brought up for what is said, and nothing judged.
    """

    at: Installation
    recalls: bool = True
    _said: dict[str, list[tuple[float, str]]] = field(
        default_factory=dict[str, list[tuple[float, str]]]
    )
    _batteries: int = 0

    async def say(self, life: Life, line: Line) -> None:
        """One line with its recall and its answer."""
        await self.at.until(line.at)
        history = self._history(life.name, line)
        turn = await self._journal(life.place, line.role, line.speaker, line.text)
        if line.label:
            self.at.told[turn] = line.label
        if line.role is Role.BYSTANDER:
            await self.at.work()
            return
        seen = None
        if self.recalls:
            ask = RecallRequest(life.scope, line.text, turn, history, asker=line.speaker.id)
            recalled = await self.brought_up(ask)
            seen = await self.seen(recalled) if line.need is not None else None
        answer = line.answer if line.need is None else answer_to(line.need, seen, life.language)
        if answer:
            reply = NewTurn(life.place, Role.ASSISTANT, BOT, answer, self.at.clock.now())
            await self.at.engine.answer(reply, to=turn)
        await self.at.work()

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

    async def leave_no_trace(self) -> None:
        """After questions asked for measuring: nothing is indexed or learnt of them."""
        await self.at.engine.recalls.recorded()
        await self._close_all()
        await self.at.drop_work()

    async def _close_all(self) -> None:
        now = self.at.clock.now()
        await self.at.engine.journal.close_silent(quiet_since=now, at=now)

    async def seen(self, recalled: Recalled) -> Seen:
        """The recall with the records of its candidates and the labels they rest on."""
        ids = [candidate.memory for candidate in recalled.trace.candidates]
        ids += [memory.id for memory in recalled.memories]
        records = await self.at.engine.store.find(list(dict.fromkeys(ids)))
        return Seen(
            recalled,
            {memory.id: memory for memory in records},
            {memory.id: self.labels(memory) for memory in records},
        )

    def labels(self, memory: Memory) -> frozenset[str]:
        """The labelled lines that a memory rests on."""
        told = self.at.told
        return frozenset(told[seq] for seq in memory.origin.turns if seq in told)

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
        return (await self.at.engine.observe(turn)).turn.seq

    async def brought_up(self, ask: RecallRequest) -> Recalled:
        """Within the deadline, or TimeoutError."""
        recalled = await self.at.engine.recalls.recall(ask)
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
