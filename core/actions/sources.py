"""The messages that a memory rests on, for whom may see the memory itself."""

from dataclasses import dataclass

from ..conflict.trust import CORROBORATES, linked
from ..forgetting.lifecycle import forgotten_by_hand
from ..model.conversation import Role, Scope, Turn
from ..model.memory import Kind, Memory
from ..records.evidence import evidence_id
from .context import Context

MOST = 4
"""Messages that are told, the first among them and the newest."""


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """A message as it was said. `speaker` is what its speaker goes by in that chat now, "" for who
    said the memory; `by_bot` for an answer.
    """

    at: float
    text: str
    speaker: str = ""
    by_bot: bool = False


async def source_messages(context: Context, memory: Memory) -> list[SourceMessage]:
    """What is still recorded of them, oldest first; a raw turn is its own source.

    Of an imported memory the numbers of its turns may mean others here: only turns of its scope,
    of its episode or named as a repetition, are told. Not told are answers that may repeat
    somebody's private memories, and what somebody has forgotten by hand.
    """
    if memory.kind is Kind.EVIDENCE:
        return []
    journal, seqs = context.journal, memory.origin.turns
    wanted = seqs if len(seqs) <= MOST else (seqs[0], *seqs[-MOST + 1 :])
    found = [turn for seq in wanted if (turn := await journal.turn(seq)) is not None]
    raw = await context.store.find([evidence_id(journal.id, turn.seq) for turn in found])
    forgotten = {each.id for each in raw if forgotten_by_hand(each)}
    told = [
        turn
        for turn in found
        if _is_source(turn, memory, journal.id)
        and evidence_id(journal.id, turn.seq) not in forgotten
    ]
    return [await _message(context, turn, memory) for turn in told]


def _is_source(turn: Turn, memory: Memory, journal: str) -> bool:
    if turn.place.scope != memory.scope or turn.private_reply or not turn.text.strip():
        return False
    again = linked(memory, CORROBORATES)
    return turn.episode == memory.origin.episode or evidence_id(journal, turn.seq) in again


async def _message(context: Context, turn: Turn, memory: Memory) -> SourceMessage:
    if turn.role is Role.ASSISTANT:
        return SourceMessage(turn.at, turn.text, by_bot=True)
    if memory.speaker is not None and memory.speaker.id == turn.speaker.id:
        return SourceMessage(turn.at, turn.text)
    scope = Scope.parse(turn.place.scope)
    names = await context.engine.people.names([scope.owner])
    name = names.get((scope.platform, turn.speaker.id)) or turn.speaker.name
    return SourceMessage(turn.at, turn.text, name or turn.speaker.id)
