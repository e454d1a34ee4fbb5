"""Evidence: raw turns and their media as memories, and how much of them was learnt. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from ..forgetting.tmd import initial_strength
from ..languages.markers import is_question, tells, without_denials
from ..languages.registry import media_wording, media_words
from ..languages.scripts import language_of
from ..languages.terms import content_terms
from ..model.conversation import REPLY_TO, Role, Scope, ScopeKind, Turn, reply_id
from ..model.knowledge import PICTURES, Entity, Media
from ..model.memory import (
    RELIABILITY,
    REPLY_MARK,
    Access,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Source,
    Vector,
    Vitality,
    unmarked,
)
from ..text.quoting import quoted
from .tool_calls import CALL_MARK, split_calls

LONGEST_TOLD = 400
"""Characters of what a picture shows, or a voice says, in the words of a turn."""

RAW_MOST = 0.5
"""Importance of a raw turn at most."""


def worded(said: str, media: Sequence[Media], default: str) -> str:
    """What was said, and a line for all that came with it, in the language of the words at hand.

    `default` is a language for where there are none.
    """
    if not media:
        return said
    told = " ".join([said, *(each.caption or each.name for each in media)])
    wording = media_wording(language_of(told, default))
    lines = [_line(each, wording.line, wording.told, wording.labels[each.type]) for each in media]
    return "\n".join(filter(None, [said, " ".join(lines)]))


def described(media: Sequence[Media], captions: Sequence[str]) -> tuple[Media, ...]:
    """The media with captions for its pictures, in their order; none is overwritten.

    A single one for several pictures tells of all of them, as the host asks for it: it stands with
    the first. Where there are otherwise not as many as pictures without one, nothing changes.
    """
    bare = [n for n, each in enumerate(media) if each.type in PICTURES and not each.caption]
    if len(captions) not in (1, len(bare)):
        return tuple(media)
    given = dict(zip(bare, captions, strict=False))
    return tuple(
        replace(each, caption=given[n]) if n in given else each for n, each in enumerate(media)
    )


def captioned(media: Sequence[Media]) -> int:
    """How many have a caption."""
    return sum(bool(each.caption) for each in media)


def asked_by(media: Sequence[Media]) -> tuple[str, ...]:
    """Words by which people ask for such media, for the cues of a memory."""
    return tuple(dict.fromkeys(media_words(each.type) for each in media))


def _line(media: Media, line: str, told: str, label: str) -> str:
    # A caption may say anything: it must not close the bracket and go on as if it had been said.
    known = [media.caption, media.name] if media.caption else [media.name]
    text = "; ".join(quoted(each, LONGEST_TOLD) for each in known if each)
    text = text.replace("[", "(").replace("]", ")")
    return told.format(label=label, told=text) if text else line.format(label=label)


LONGEST_TURN = 20_000
LONGEST_REPLY = 4_000
LONGEST_CUE = 200

MOST_SENDINGS = 32
"""Turns that are noted of a file which somebody sends again and again."""


def evidence_id(journal: str, seq: int) -> str:
    """The id of a turn's evidence: the same however often the work is done."""
    return str(uuid5(UUID(journal), f"turn:{seq}"))


def raw_turns(journal: str, memory: Memory) -> list[str]:
    """Ids of the evidence that the memory was learnt from, which would say it again."""
    return [evidence_id(journal, seq) for seq in memory.origin.turns]


def as_said(text: str) -> str:
    """What evidence keeps of a message: its beginning, without the mark that sets a reply off."""
    return unmarked(text[:LONGEST_TURN]).strip()


def worth_keeping(turn: Turn) -> bool:
    """Whether the turn says anything: a text of function words or marks alone does not."""
    return bool(turn.media) or bool(content_terms(_beginning(turn)))


def evidence_of(
    turn: Turn,
    before: Turn | None,
    *,
    journal: str,
    entities: Sequence[Entity] = (),
    happened_at: float | None = None,
) -> Memory:
    """Evidence of a user's turn with the `entities` it names; the turn before it is a cue. The turn
    after it does not exist yet: `with_turn_after` adds it.

    `happened_at` is when that was which it tells of, if it says so.
    """
    return Memory(
        id=evidence_id(journal, turn.seq),
        scope=turn.place.scope,
        kind=Kind.EVIDENCE,
        text=as_said(turn.text),
        summary="",
        created_at=turn.at,
        happened_at=turn.at if happened_at is None else happened_at,
        vitality=Vitality(initial_strength(0.0), sole=tells(_beginning(turn))),
        access=Access(turn.at, turn.at),
        source=Source.USER,
        extractor=Extractor.TURN,
        facet=Facet.EPISODIC,
        importance=0.0,
        confidence=1.0,
        trust=RELIABILITY[Source.USER],
        speaker=turn.speaker,
        about=(turn.speaker.name,) if turn.speaker.name else (),
        cues=(*((quotation(before.text),) if before is not None else ()), *asked_by(turn.media)),
        media=turn.media,
        entities=tuple(entities),
        origin=Origin(turn.place.session, turn.place.conversation, turn.episode, (turn.seq,)),
    )


def redescribed(memory: Memory, evidence: Memory) -> Memory:
    """The memory of a turn in the words of its evidence, if its media have other captions.

    Captions are only ever added: evidence with fewer was read before the memory's, and comes late.
    """
    late = captioned(evidence.media) < captioned(memory.media)
    if late or memory.media == evidence.media:
        return memory
    _, mark, reply = memory.text.partition(f"\n{REPLY_MARK} ")
    return replace(memory, text=f"{evidence.text}{mark}{reply}", media=evidence.media)


def sent_again(evidence: Memory, turn: Turn) -> Memory:
    """The same evidence of a file, which the turn brings once more; twice is no more than once."""
    turns = tuple(sorted({*evidence.origin.turns, turn.seq})[:MOST_SENDINGS])
    if turns == evidence.origin.turns:
        return evidence
    access = replace(evidence.access, last_at=max(evidence.access.last_at, turn.at))
    return replace(evidence, origin=replace(evidence.origin, turns=turns), access=access)


def said_wholly(turns: Iterable[Turn], learnt: Sequence[Memory]) -> frozenset[int]:
    """Of these turns, by seq, those of which what was learnt says every content term."""
    said: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
    for memory in learnt:
        for seq in memory.origin.turns:
            said[seq] |= content_terms(memory.text)
    return frozenset(t.seq for t in turns if content_terms(_beginning(t)) <= said[t.seq])


def bears(memory: Memory, turns: Iterable[Turn], wholly: Collection[int]) -> bool:
    """Whether no raw turn is kept for what was learnt from it.

    None of its `turns` tells anything, or all that it tells is said `wholly` by what was learnt.
    """
    sources = [turn for turn in turns if turn.seq in memory.origin.turns]
    return all(turn.seq in wholly or not tells(_beginning(turn)) for turn in sources)


def bearing(memory: Memory) -> Memory:
    """The same memory, of which nothing else says what it tells."""
    replaced = memory.successor is not None
    if memory.vitality.sole or replaced or memory.kind is Kind.PROSPECTIVE:
        return memory
    return replace(memory, vitality=replace(memory.vitality, sole=True))


def weighed(memory: Memory, lasting: float) -> Memory:
    """The raw turn with the importance that its vector says, as a logit; weighed once alone.

    At most `RAW_MOST`: what a reader makes of a turn is as important, and shorter.
    """
    if memory.kind is not Kind.EVIDENCE or memory.importance:
        return memory
    importance = round(RAW_MOST / (1.0 + math.exp(-lasting)), 3)
    more = initial_strength(importance) - initial_strength(0.0)
    vitality = replace(memory.vitality, strength=memory.vitality.strength + more)
    return replace(memory, importance=importance, vitality=vitality)


def _beginning(turn: Turn) -> str:
    return turn.text[:LONGEST_TURN]


def with_turn_after(evidence: Memory, after: Turn) -> Memory:
    """The same evidence with what was said next as a cue; doing it again changes nothing."""
    cue = quotation(after.text)
    return evidence if cue in evidence.cues else replace(evidence, cues=(*evidence.cues, cue))


def quotation(text: str) -> str:
    """What the evidence of its neighbours keeps of a turn, as a cue."""
    return text[:LONGEST_CUE]


def without_quotes(evidence: Memory, quotes: Collection[str]) -> Memory:
    """The same evidence without cues that are one of these quotations of its neighbours.

    The text behind an empty quotation is unknown: then no cue is left.
    """
    if "" in quotes:
        return replace(evidence, cues=())
    return replace(evidence, cues=tuple(cue for cue in evidence.cues if cue not in quotes))


def answered_by(reply: Turn, turns: Sequence[Turn]) -> Turn | None:
    """The turn of an episode's `turns` that the bot's `reply` answers.

    The one it names; in a group several may wait for their answers at once. A reply that names
    none answers what was last said to the bot.
    """
    if reply.message_id.startswith(REPLY_TO):
        return next((turn for turn in turns if reply_id(turn.seq) == reply.message_id), None)
    said = [turn for turn in turns if turn.role is Role.USER and turn.seq < reply.seq]
    return said[-1] if said else None


def answer_to(turn: Turn, turns: Sequence[Turn]) -> Turn | None:
    """The bot's first reply to a `turn`, of the episode's `turns`."""
    replies = (reply for reply in turns if reply.role is Role.ASSISTANT)
    return next((reply for reply in replies if answered_by(reply, turns) == turn), None)


def says_something_new(reply: str, known: Iterable[str]) -> bool:
    """Whether at least half of what a reply says is in none of the `known` texts.

    An answer made of the memories it was given must not become a memory: each answer would
    quote the one before. That the bot knows nothing is no news either: the question would come
    up with it whenever it is asked again.
    """
    said = content_terms(without_denials(reply[:LONGEST_TURN]))
    old = frozenset(term for text in known for term in content_terms(text[:LONGEST_TURN]))
    return len(said - old) * 2 >= max(len(said), 1)


def without_reply(evidence: Memory) -> Memory:
    """The same evidence without the bot's answer."""
    said, mark, _ = evidence.text.partition(f"\n{REPLY_MARK} ")
    return replace(evidence, text=said) if mark else evidence


def with_reply(evidence: Memory, reply: Turn) -> Memory:
    """The same evidence with the bot's answer after it, and with what the bot did for it.

    A second answer changes nothing.
    """
    if REPLY_MARK in evidence.text:
        return evidence
    said, calls = split_calls(reply.text)
    answer = " ".join(said[: 4 * LONGEST_REPLY].split())
    short = answer if len(answer) <= LONGEST_REPLY else answer[: LONGEST_REPLY - 1] + "…"
    did = (f"{CALL_MARK} {call}" for call in calls)
    return replace(evidence, text="\n".join([evidence.text, f"{REPLY_MARK} {short}", *did]))


UNTOLD = 0.25
"""A turn of which a memory tells less has been overlooked."""

WELL_TOLD = 0.5
"""A turn of which a memory tells so much need not be read again."""

OVERLOOKED = 0.5
"""Share of what an episode says, by weight, that must be overlooked for it to be read again."""

LEAST = 4
"""Overlooked turns: of a few nobody overlooks any; there was nothing in them."""

ALIKE = 0.5
"""What a centred cosine counts: of a turn and a memory of it, half of it is about their share of
common words."""

FEW = 30
"""Texts among which a term that two have is rare."""

type Rarity = Mapping[str, float]
"""How much each term tells; one that is not in it as much as the rarest."""


type Weigh = Callable[[frozenset[str]], float]
"""How much some terms tell together."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A turn that says something: its `weight`, and how much of it the best memory tells, 0..1."""

    turn: Turn
    weight: float
    told: float


def rarities(texts: Sequence[str]) -> Rarity:
    """The idf of each term, as BM25 has it, by how few of the texts have it; few count as `FEW`."""
    counts = Counter(term for text in texts for term in content_terms(text))
    size = max(FEW, len(texts))
    return {
        term: math.log1p((size - count + 0.5) / (count + 0.5)) for term, count in counts.items()
    }


def weigher(rarity: Rarity) -> Weigh:
    """By how rare they are."""
    most = max(rarity.values(), default=1.0)
    return lambda terms: sum(rarity.get(term, most) for term in terms)


def compared(
    turns: Iterable[Turn],
    learnt: Sequence[Memory],
    rarity: Rarity,
    vectors: Mapping[str, Vector],
    journal: str,
) -> list[Compared]:
    """The turns that tell something, each compared with what was `learnt` about its speaker.

    `vectors` are those of memories and raw turns, by id, as far as they are known.
    """
    weight = weigher(rarity)

    def told(turn: Turn, terms: frozenset[str], own: float) -> float:
        raw = vectors.get(evidence_id(journal, turn.seq))
        best = 0.0
        for memory, told_terms, mass in known:
            if not may_tell(memory, turn):
                continue
            share = weight(terms & told_terms) / (min(own, mass) or 1.0)
            other = None if raw is None else vectors.get(memory.id)
            alike = 0.0 if raw is None or other is None else ALIKE * float(raw @ other)
            best = max(best, share, alike)
        return min(1.0, best)

    known = [(each, terms, weight(terms)) for each in learnt if (terms := content_terms(each.text))]
    found: list[Compared] = []
    for turn in (each for each in turns if says_something(each) and not is_question(each.text)):
        terms = content_terms(turn.text[:LONGEST_TURN])
        found.append(Compared(turn, own := weight(terms), told(turn, terms, own)))
    return found


def overlooked(said: Sequence[Compared]) -> float:
    """Share of what is said that no memory tells, by weight: 0..1."""
    whole = sum(each.weight for each in said)
    return sum(each.weight for each in said if each.told < UNTOLD) / whole if whole else 0.0


def needs_rereading(said: Sequence[Compared]) -> bool:
    """Whether more than half of an episode was overlooked."""
    missed = sum(each.told < UNTOLD for each in said)
    return missed >= LEAST and overlooked(said) > OVERLOOKED


def to_read_again(said: Sequence[Compared]) -> list[Turn]:
    """The turns of which not even half is told."""
    return [each.turn for each in said if each.told < WELL_TOLD]


def says_something(turn: Turn) -> bool:
    """Whether a person tells something in it that would be missed."""
    person = turn.role is not Role.ASSISTANT and not turn.private_reply
    return person and tells(turn.text[:LONGEST_TURN])


def may_tell(memory: Memory, turn: Turn) -> bool:
    """Whether it may be of this turn: in a group what another person said tells nothing of it."""
    if Scope.kind_of(turn.place.scope) is ScopeKind.PRIVATE or memory.speaker is None:
        return True
    return memory.speaker.id == turn.speaker.id
