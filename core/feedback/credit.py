"""Which recalled memories the answers drew on; verdicts applied once, everywhere they count."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ..forgetting.lifecycle import BinPolicy, accessed, to_bin
from ..forgetting.policy import ForgettingPolicy, Judgement
from ..forgetting.tmd import already_judged
from ..languages.registry import languages
from ..languages.terms import content_terms
from ..model.conversation import Injected, Role, Turn
from ..model.memory import Memory, Status
from ..ports import Amendment, AuditEntry, Journal, MemoryRecords
from ..records.evidence import answered_by
from ..records.intentions import referenced

LEAST_TERMS = 2
LEAST_SHARE = 0.15
MANY_TERMS = 4
LONG_WORD = 6


def useful_numbers(
    replies: Sequence[str], queries: Sequence[str], known: Mapping[int, str]
) -> frozenset[int]:
    """Numbers of the `known` memories whose own content comes up in the replies.

    A memory's own content is its content terms that the queries do not hold (the bot may
    simply repeat the question), that are not everyday words, and that fewer than half of three
    or more memories share (the speaker's name is in all of them). Of these the replies must
    hold

    - two or more that make up 15 % of them: two words of a sentence of ten, or in Chinese a
      run of three characters (two bigrams), since one bigram is met by chance; or
    - four or more, whatever the length of the memory; or
    - one word of six letters or more that no other memory has: such words are rare enough to
      be a name or a topic of their own.
    """
    own, holders = _own_terms(queries, known)
    said = _terms(replies) - _terms(queries) - _everyday()
    return frozenset(
        number for number, terms in own.items() if _words_drawn_on(terms, said, holders)
    )


def undecided_numbers(queries: Sequence[str], known: Mapping[int, str]) -> frozenset[int]:
    """Numbers of the `known` memories that say nothing of their own beside the queries.

    Whether a reply drew on them cannot be seen: what the person said themselves is in both.
    """
    own, _ = _own_terms(queries, known)
    return frozenset(number for number, terms in own.items() if not terms)


def _own_terms(
    queries: Sequence[str], known: Mapping[int, str]
) -> tuple[dict[int, frozenset[str]], Counter[str]]:
    """The own content of each memory, see `useful_numbers`, and how many hold each term."""
    asked = _terms(queries)
    contents = {number: content_terms(text) - asked - _everyday() for number, text in known.items()}
    holders = Counter(term for terms in contents.values() for term in terms)
    shared_by_most = {
        term for term, count in holders.items() if len(known) >= 3 and 2 * count >= len(known)
    }
    return {number: terms - shared_by_most for number, terms in contents.items()}, holders


def _terms(texts: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(content_terms, texts))


def _words_drawn_on(own: frozenset[str], said: frozenset[str], holders: Mapping[str, int]) -> bool:
    used = own & said
    telling = any(len(term) >= LONG_WORD and holders[term] == 1 for term in used)
    if telling or len(used) >= MANY_TERMS:
        return True
    return len(used) >= LEAST_TERMS and len(used) >= LEAST_SHARE * len(own)


@cache
def _everyday() -> frozenset[str]:
    return frozenset(content_terms(" ".join(language.everyday for language in languages())))


USELESS = "useless"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judgement of one memory for the turn it was injected in."""

    memory: str
    turn: int
    useful: bool


def shown_with_an_answer(injected: Sequence[Injected], turns: Sequence[Turn]) -> dict[str, int]:
    """Memory to the last of an episode's `turns` that showed it and was answered.

    A memory shown for a turn without an answer was neither useful nor useless.
    """
    replies = [turn for turn in turns if turn.role is Role.ASSISTANT]
    answered = {asked.seq for reply in replies if (asked := answered_by(reply, turns))}
    return {item.memory: item.turn for item in injected if item.turn in answered}


def answers_to_shown(injected: Sequence[Injected], turns: Sequence[Turn]) -> dict[str, list[str]]:
    """By memory, what the bot answered those whom it was shown for, of an episode's `turns`.

    In a group others ask the bot meanwhile: what it tells them judges nothing that they were not
    shown. An answer to a turn of another episode counts for all.
    """
    who = {turn.seq: turn.speaker.id for turn in turns}
    people: dict[str, set[str]] = {}
    for item in injected:
        people.setdefault(item.memory, set()).add(who[item.turn])
    replies = [turn for turn in turns if turn.role is Role.ASSISTANT]
    answered = [(reply.text, answered_by(reply, turns)) for reply in replies]
    return {
        memory: [text for text, asked in answered if asked is None or asked.speaker.id in asking]
        for memory, asking in people.items()
    }


def verdicts_of(
    injected: Mapping[str, int], known: Mapping[int, str], useful: frozenset[int]
) -> list[Verdict]:
    """Useful as judged, useless for the rest of what was injected.

    `injected` maps memory to the last turn that showed it: a memory shown in several turns of
    an episode is judged once.
    """
    helped = {known[number] for number in useful if number in known}
    return [Verdict(memory, turn, memory in helped) for memory, turn in sorted(injected.items())]


async def credit(
    verdicts: Sequence[Verdict],
    *,
    store: MemoryRecords,
    journal: Journal,
    policy: ForgettingPolicy,
    bin_policy: BinPolicy,
    source: str,
    now: float,
) -> list[Amendment]:
    """Apply verdicts in one transaction, then note them. Doing it again changes nothing."""
    by_memory = {verdict.memory: verdict for verdict in verdicts}

    def judged(memory: Memory) -> Memory:
        return _judged(memory, by_memory[memory.id], policy, bin_policy, now)

    amendments = await store.amend(list(by_memory), judged)
    for useful in (True, False):
        pairs = [(v.turn, v.memory) for v in verdicts if v.useful is useful]
        await journal.record_verdicts(pairs, useful=useful, source=source, at=now)
    existing = {memory.id: memory for memory in await store.find(list(by_memory))}
    await journal.audit(
        [
            _entry(verdict, existing[verdict.memory], source, now)
            for verdict in verdicts
            if verdict.memory in existing
        ]
    )
    return amendments


def _judged(
    memory: Memory, verdict: Verdict, policy: ForgettingPolicy, bin_policy: BinPolicy, now: float
) -> Memory:
    if already_judged(memory.vitality, verdict.turn):
        return memory
    judgement = Judgement.USEFUL if verdict.useful else Judgement.USELESS
    changed = accessed(policy.judge(memory, judgement, turn=verdict.turn, now=now), now=now)
    changed = referenced(changed, now) if verdict.useful else changed
    if changed.standing.status is Status.LIVE and policy.forgets(changed):
        return to_bin(changed, now=now, reason=USELESS, policy=bin_policy)
    return changed


def _entry(verdict: Verdict, memory: Memory, source: str, now: float) -> AuditEntry:
    vitality = memory.vitality
    detail = {
        "turn": verdict.turn,
        "strength": vitality.strength,
        "useful_score": vitality.useful_score,
        "status": memory.standing.status,
    }
    action = "useful" if verdict.useful else "useless"
    return AuditEntry.of(memory, f"judged:{verdict.turn}", action, source, now, **detail)
