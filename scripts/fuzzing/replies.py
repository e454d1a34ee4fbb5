"""Any reply of the model to the learning call: the episode is learnt from, nothing is lost.

A reply goes the whole way: prompt, parser, repair, kept reply, store, verdicts.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, fields, is_dataclass, replace
from math import isfinite
from random import Random
from typing import Any

from ...core.model.conversation import Scope, ScopeKind
from ...core.model.memory import Extractor, Facet, Kind, Memory, Mood
from ...core.ports import Filter, Prompt, WorkKind
from ...core.prompts.schema import KINDS, LONGEST_SUMMARY, LONGEST_TEXT
from ...core.records.evidence import evidence_id
from ...storage.codec import decode, encode
from .documents import NUMBERS, any_value, as_text, broken, disturbed
from .findings import Findings, chance_of, failure, shrunk
from .furnished import Furnished, furnished
from .population import Population, settings_of
from .stand_ins import AnsweringModel
from .text import WORDS, hostile_text

KIND = "replies"
CASES_A_POPULATION = 100
TURNS = 2
"""Turns of a person in an episode; the bot answers each."""

UNSOUND = 0.01
"""Share of values that the contract does not allow, in a reply that is whole otherwise."""

MUCH_LATER = 7_200.0
"""Seconds after which failed work would be due again."""


@dataclass(frozen=True, slots=True)
class Case:
    """What the model answers to an episode, first and when it is asked to repair that."""

    number: int
    first: str
    second: str

    @property
    def session(self) -> str:
        """The private chat in which the episode happens."""
        return f"qq:FriendMessage:reader-{self.number}"

    @property
    def scope(self) -> Scope:
        """Whose memory it is."""
        return Scope(ScopeKind.PRIVATE, "qq", f"reader-{self.number}", "default")


async def run(cases: int, seed: int) -> Findings:
    """Learn from so many episodes, `CASES_A_POPULATION` at a time."""
    findings = Findings()
    for first in range(0, cases, CASES_A_POPULATION):
        numbers = range(first, min(first + CASES_A_POPULATION, cases))
        batch = [case_of(chance_of(seed, KIND, number), number) for number in numbers]
        for case in await suspects(batch):
            async with population_for(case.number) as made:
                for problem in await problems_of(case, made):
                    if not findings.repeated(problem):
                        shown = await _shrunk(case, problem, made)
                        findings.add(problem, case.number, shown)
    return findings


def case_of(chance: Random, number: int) -> Case:
    """Two replies: near the contract, disturbed, broken as text, or any text at all."""
    return Case(number, _reply(chance), _reply(chance))


async def suspects(cases: Sequence[Case]) -> list[Case]:
    """Those cases of a batch after which something is wrong; all of them if the batch broke."""
    try:
        async with population_for(cases[0].number) as made:
            found = await _learnt(cases, made)
    except Exception:  # noqa: BLE001 - each is tried alone, and then the exception is the finding
        return list(cases)
    return [case for case in cases if found[case.number]]


async def problems_of(case: Case, made: Furnished) -> list[str]:
    """What is wrong after learning from this one episode."""
    try:
        return (await _learnt([case], made))[case.number]
    except Exception as error:  # noqa: BLE001 - whatever comes out is the finding
        return [f"learning raised {failure(error)}"]


def population_for(number: int) -> AbstractAsyncContextManager[Furnished]:
    """That of the case, or of the batch that begins with it."""
    chance = chance_of(number, "population", 0)
    settings = settings_of(chance)
    learning = replace(settings.learning, concurrency=8)
    return furnished(chance, replace(settings, learning=learning))


async def _learnt(cases: Sequence[Case], made: Furnished) -> Mapping[int, list[str]]:
    """The problems of each case after all have been learnt from in one population."""
    answers, chance = {c.session: iter((c.first, c.second)) for c in cases}, made.chance()

    def answer(prompt: Prompt, session: str) -> str:
        return next(answers[session], "") if session in answers else ""

    async with made.opened(AnsweringModel(answer)) as population:
        before = await population.everything()
        seqs = {case.number: await _talked(population, case, chance) for case in cases}
        await population.engine.sleep()
        shared = [*population.reports] if len(cases) == 1 else []
        shared += ["an older memory is lost"] * bool(before.keys() - await population.everything())
        return {
            case.number: shared + await _case_problems(population, case, seqs[case.number])
            for case in cases
        }


async def _talked(population: Population, case: Case, chance: Random) -> list[int]:
    """An episode in which a memory is shown to the model; the seqs of its turns."""
    chat = replace(
        population.chats[0], scope=case.scope, session=case.session, person=case.scope.subject
    )
    own = replace(population.seeded[0], id=f"known-{case.number}", scope=case.scope.key)
    await population.engine.parts.store.put([replace(own, text="I like lantern tea")])
    seqs: list[int] = []
    for _ in range(TURNS):
        words = " ".join(chance.choices(WORDS, k=4))
        seqs += (await population.exchange(f"lantern {words}", chat))[1]
    return seqs


async def _case_problems(population: Population, case: Case, seqs: Sequence[int]) -> list[str]:
    journal, store = population.engine.parts.journal, population.engine.parts.store
    turn = await journal.turn(seqs[0])
    assert turn is not None, "what has been observed is on disk"
    problems = []
    if await journal.extraction(turn.episode) is None:
        problems.append("no lesson is kept")
    due = await journal.due(
        population.clock.now() + MUCH_LATER,
        kinds=frozenset(WorkKind),
        limit=10_000,
        skip=frozenset(),
    )
    if any(work.payload.get("episode") == turn.episode for work in due):
        problems.append("learning is not over")
    spoken = [evidence_id(journal.id, seq) for seq in seqs[::2]]
    if len(await store.find(spoken)) != TURNS:
        problems.append("raw evidence is lost")
    where = Filter(scopes=frozenset({case.scope.key}), status=None)
    async for memory in store.iterate(where):
        problems += _memory_problems(memory, seqs)
    return list(dict.fromkeys(problems))


def _memory_problems(memory: Memory, seqs: Sequence[int]) -> Iterator[str]:
    if decode(encode(memory)) != memory:
        yield "a memory is stored as another one"
    if not all(isfinite(number) for number in _numbers(memory)):
        yield "a number of a memory is not finite"
    shares = (memory.importance, memory.confidence, memory.trust, memory.sentiment.intensity)
    if not all(0 <= share <= 1 for share in shares):
        yield "a share of a memory is not within 0..1"
    if memory.extractor is not Extractor.MODEL or memory.kind is Kind.EVIDENCE:
        return
    if memory.id.startswith("known-"):
        return
    if not 0 < len(memory.text) <= LONGEST_TEXT or len(memory.summary) > LONGEST_SUMMARY:
        yield "a text is empty or too long"
    if not memory.origin.turns or not set(memory.origin.turns) <= set(seqs):
        yield "a memory rests on turns of no episode"


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, int | float):
        yield value
    elif is_dataclass(value):
        for item in fields(value):
            yield from _numbers(getattr(value, item.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)


def _reply(chance: Random) -> str:
    kind = chance.random()
    if kind < 0.05:
        return hostile_text(chance)
    if kind < 0.15:
        return as_text(any_value(chance))
    document = {
        "summary": hostile_text(chance, 20),
        "facts": [_item(chance) for _ in range(_one_of(chance, (0, 1, 1, 2, 3, 30), (31,)))],
        "useful": _one_of(chance, ([], [1], [1, 1], None), ([2], [0], [True])),
    }
    text = as_text(disturbed(chance, document, chance.choice((0.0, 0.0, 0.005, 0.03, 0.2))))
    return broken(chance, text) if chance.random() < 0.2 else text


def _item(chance: Random) -> dict[str, Any]:
    names = [hostile_text(chance, 12).strip("\0 ") or "Ann" for _ in range(chance.randint(0, 3))]
    triple = dict.fromkeys(("subject", "predicate", "object"), chance.choice(WORDS))
    return {
        "fact": _sentence(chance),
        "words": _one_of(chance, ("", _sentence(chance)), (None, 7, ["a"])),
        "summary": hostile_text(chance, 20),
        "turns": _one_of(chance, ([1], [1, 3], [4, 2, 2], [1, 2, 3, 4]), ([5], [], [0], ["1"])),
        "kind": _one_of(chance, (*KINDS, *Kind), (Kind.EVIDENCE, "", 7)),
        "facet": _one_of(chance, (*Facet, None), ("mood",)),
        "importance": _one_of(chance, (0, 0.3, 0.31, 1, chance.random()), NUMBERS),
        "confidence": _one_of(chance, (0, 5e-324, 1.0, chance.random()), NUMBERS),
        "about": names,
        "cues": names,
        "entities": [{"name": name, "type": "thing", "role": ""} for name in names],
        "relations": chance.choice(([], [triple], [triple, triple])),
        "sentiment": chance.choice((None, {"mood": chance.choice(tuple(Mood)), "intensity": 0.5})),
        "happened_at": _one_of(
            chance,
            (None, "2025-06-15", "2025-06-15T10:00:00+08:00", "1900-01-01T00:00:00+23:59"),
            ("never", "0001-01-01", "9999-12-31", 20250615),
        ),
    }


def _one_of(chance: Random, sound: Sequence[Any], unsound: Sequence[Any]) -> Any:
    """One that fits the contract, or now and then one that does not."""
    return chance.choice(unsound) if chance.random() < UNSOUND else chance.choice(sound)


def _sentence(chance: Random) -> str:
    words = " ".join(chance.choices(WORDS, k=chance.choice((1, 5, 200))))
    return words if chance.random() < 0.8 else hostile_text(chance) + words


async def _shrunk(case: Case, problem: str, made: Furnished) -> str:
    async def fails(first: str) -> bool:
        return problem in await problems_of(replace(case, first=first), made)

    return await shrunk(case.first, fails)
