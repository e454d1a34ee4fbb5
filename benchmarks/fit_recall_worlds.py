"""Lives whose memories are asked for, each among others until a scope has the size wanted."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from random import Random

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.model.conversation import NewTurn, Place, Scope, ScopeKind, Speaker
from ..core.model.memory import Access, Extractor, Kind, Memory, Origin, Source, Vitality
from ..core.ports import Embedder, Filter
from .datasets import cdconv, everyday, locomo, madial, proactive
from .datasets.everyday import LEFT_OUT
from .datasets.reading import Complaints
from .datasets.world import PRESENT, Probe, Said, World
from .installation import FixedEmbedder, installed
from .recall_quality_answers import SETTINGS, FixedClock, indexed, journaled, labels_of

TURNS_OF_A_CLASS = 8
CHIT_CHAT = 24
ASKED = 60
FOREIGN = 15
HOUR = 3_600.0
TALK = 20
"""Turns of an episode of what stands beside a life."""

BESIDE = 1_000_000
"""Its first turn in the journal."""


class Mix(StrEnum):
    """What stands in a scope: raw turns, what was learnt, or both."""

    SAID = "said"
    LEARNT = "learnt"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Life:
    """A world, its memories as the product keeps them, with what each says, and its data set."""

    family: str
    mix: Mix
    language: str
    world: World
    memories: tuple[Memory, ...]
    labels: dict[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Told:
    """Something learnt of somebody, in whose life, and the labels of what it was learnt from."""

    life: str
    speaker: str
    text: str
    rests_on: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn, and the labels that it needs; of a class that needs none otherwise.

    `form` is how it is written, "" for as it is given.
    """

    probe: Probe
    kind: str
    hand: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """The lives, what stands among them, and turns that need no memory."""

    lives: tuple[Life, ...]
    noise: tuple[str, ...]
    facts: dict[str, tuple[Told, ...]]
    silent: dict[str, tuple[Asked, ...]]


async def sources(data: Path, folder: Path, seed: int) -> Sources:
    """Everything that the worlds are made of. Raises NoData."""
    complaints = Complaints()
    worlds = [
        *(("locomo", "en", world) for world in locomo.read(data / "locomo_dev", complaints)),
        *(("madial", "zh", world) for world in madial.read(data / "madial_zh_dev", complaints)),
        *(
            ("proactive", "zh", half.world())
            for half in proactive.read(data / "proactive_zh_dev", complaints)
        ),
        ("life", "zh", cdconv.small_life()),
        *changed(complaints),
    ]
    lives = [
        await _lived(family, language, world, empty(folder / f"{family} {world.name}"))
        for family, language, world in worlds
    ]
    seen = locomo.observations(data / "locomo_dev", complaints)
    facts = {
        "en": tuple(
            Told(name, one.speaker, one.text, one.rests_on)
            for name, every in seen.items()
            for one in every
        ),
        "zh": tuple(
            Told(world.name, "", memory.text)
            for family, _, world in worlds
            if family == "madial"
            for memory in world.memories
        ),
    }
    lives += [_learnt_of_changes(life) for life in lives if life.family == "changes"]
    lives += [
        with_learnt(life, [one for one in facts["en"] if one.life == life.world.name], mix)
        for life in lives
        if life.family == "locomo"
        for mix in (Mix.BOTH, Mix.LEARNT)
    ]
    again = {"madial": Mix.LEARNT, "life": Mix.LEARNT, "proactive": Mix.BOTH}
    in_chat = [_in_chat(life) for life in lives if life.family == "life"]
    lives += [replace(life, mix=again[life.family]) for life in lives if life.family in again]
    lives += in_chat
    openings = [each.opening for each in cdconv.exchanges(data / "cdconv_dev", complaints)]
    chance = Random(seed)
    opened = openings[-600:]
    chance.shuffle(opened)
    written = everyday.everyday(complaints)
    silent = {
        language: tuple(_everyday(each) for each in written if each.language == language)
        for language in ("zh", "en")
    }
    silent["zh"] += tuple(
        Asked(cdconv.chit_chat(text), "chit_chat") for text in opened[: 8 * CHIT_CHAT]
    )
    return Sources(tuple(lives), tuple(openings[:-600]), facts, silent)


def changed(complaints: Complaints) -> list[tuple[str, str, World]]:
    """People who tell what has changed: that half of hand a which the rules were written with."""
    people: list[dict[str, everyday.Change]] = []
    for each in everyday.changes(complaints):
        if each.hand == LEFT_OUT or not int(each.id[-3:]) % 2:
            continue
        slot = f"{each.language} {each.slot}"
        alike = (one for one in people if slot not in one and _language(one) == each.language)
        free = next(alike, None)
        if free is None:
            free = {}
            people.append(free)
        free[slot] = each
    return [
        ("changes", _language(one), _told_by(f"changes {number}", list(one.values())))
        for number, one in enumerate(people)
    ]


def _language(person: Mapping[str, everyday.Change]) -> str:
    return next(iter(person.values())).language


def _told_by(name: str, changes: Sequence[everyday.Change]) -> World:
    """What is so now is asked; the line that tells it is needed."""
    scope, speaker = Scope(ScopeKind.PRIVATE, "bench", name), Speaker(name, "小林")
    turns = [
        Said(speaker, told.text, PRESENT - told.days_ago * 24 * HOUR, f"{change.id}:{told.current}")
        for change in changes
        for told in change.told
    ]
    probes = [
        Probe(text, frozenset({f"{change.id}:True"}), change.slot)
        for change in changes
        for text in change.ask_now
    ]
    turns.sort(key=lambda said: said.at)
    return World(name, scope, PRESENT, tuple(turns), probes=tuple(probes))


def with_learnt(life: Life, told: Sequence[Told], mix: Mix) -> Life:
    """The life with what a good model would have learnt from its turns, beside or without them."""
    learnt = [_learnt(life.world, place, one) for place, one in enumerate(told)]
    labels = {memory.id: one.rests_on for memory, one in zip(learnt, told, strict=True)}
    # In step with the turns, so that the first so many hold both.
    every = sorted(
        [
            *(enumerate(life.memories) if mix is Mix.BOTH else ()),
            *((place * 2, m) for place, m in enumerate(learnt)),
        ],
        key=lambda each: (each[0], each[1].id),
    )
    world = replace(life.world, name=f"{life.world.name} learnt")
    memories = tuple(memory for _, memory in every)
    labels = {
        id: told for id, told in (life.labels | labels).items() if id in {m.id for m in memories}
    }
    return replace(life, mix=mix, world=world, memories=memories, labels=labels)


def _learnt_of_changes(life: Life) -> Life:
    told = [
        Told(life.world.name, "", said.text, frozenset({said.label})) for said in life.world.turns
    ]
    return with_learnt(life, told, Mix.LEARNT)


def empty(folder: Path) -> Path:
    """A folder that was not there."""
    folder.mkdir(parents=True)
    return folder


def asked_of(life: Life, kept: frozenset[str], others: Sources, chance: Random) -> list[Asked]:
    """The questions of a life of which so much is `kept`, and turns that need nothing of it."""
    here, gone = list[Asked](), list[Asked]()
    for probe in life.world.probes:
        gold = probe.gold & kept
        if probe.category == "adversarial":
            gone.append(Asked(replace(probe, gold=frozenset()), "adversarial"))
        elif gold:
            here.append(Asked(replace(probe, gold=gold), "need"))
        else:
            gone.append(Asked(replace(probe, gold=frozenset()), "lacking"))
    quiet = others.silent[life.language]
    by_class = {kind: [one for one in quiet if one.kind == kind] for kind in _kinds(quiet)}
    classes = [
        one
        for kind, every in by_class.items()
        for one in _some(every, CHIT_CHAT if kind == "chit_chat" else TURNS_OF_A_CLASS, chance)
    ]
    told = {probe.category for probe in life.world.probes} if life.family == "changes" else set()
    foreign = [
        Asked(replace(probe, gold=frozenset()), "foreign")
        for other in others.lives
        if other.family == life.family != "life" and not _same(other.world.name, life.world.name)
        for probe in other.world.probes
        # What somebody else was asked of the same attribute is answered here, too.
        if probe.category not in {"adversarial", *told}
    ]
    adversarial = [one for one in gone if one.kind == "adversarial"]
    lacking = [one for one in gone if one.kind == "lacking"]
    return [
        *_some(here, ASKED, chance),
        *_some(adversarial, FOREIGN, chance),
        *_some(lacking, FOREIGN, chance),
        *_some(foreign, FOREIGN, chance),
        *classes,
    ]


@asynccontextmanager
async def populated(
    life: Life, size: int, others: Sources, folder: Path, embedder: Embedder | None
) -> AsyncIterator[tuple[MemoryEngine, frozenset[str]]]:
    """An engine over so many memories, the first of the life's among them, and what they say."""
    own = life.memories[:size]
    filling = beside(life, others)[: max(0, size - len(own))]
    async with installed(folder, HashedEmbedder()) as bare:
        parts = replace(
            bare.parts,
            clock=FixedClock(life.world.now),
            embedders=FixedEmbedder(embedder),
            settings=SETTINGS,
        )
        engine = MemoryEngine(parts)
        noticed(engine, life.world)
        await parts.store.put([*own, *filling])
        while await engine.backfill.once():
            pass
        kept = frozenset[str]().union(*(life.labels[memory.id] for memory in own))
        yield engine, kept
        await engine.finish()


def noticed(engine: MemoryEngine, world: World) -> None:
    """Its people have spoken there: names of those who did are no part of what a question means."""
    place = Place(world.name, "chat", world.scope.key)
    for said in world.turns:
        engine.people.notice(NewTurn(place, said.role, said.speaker, said.text, said.at))


async def _lived(family: str, language: str, world: World, folder: Path) -> Life:
    """The memories that capture makes of a world's turns, oldest first, and those it comes with."""
    async with installed(folder, HashedEmbedder()) as bare:
        engine = MemoryEngine(
            replace(bare.parts, clock=FixedClock(world.now), embedders=FixedEmbedder(None))
        )
        seqs = [await journaled(engine, world, "chat", said) for said in world.turns]
        await engine.parts.store.put(world.memories)
        await indexed(engine)
        told = dict(zip(seqs, (said.label for said in world.turns), strict=True))
        labels = await labels_of(engine.parts.store, told)
        memories = [memory async for memory in engine.parts.store.iterate(Filter())]
        await engine.finish()
    memories.sort(key=lambda memory: (memory.created_at, memory.id))
    mix = Mix.BOTH if family in ("madial", "life") else Mix.SAID
    return Life(family, mix, language, world, tuple(memories), labels)


def beside(life: Life, others: Sources) -> list[Memory]:
    """What else was said and learnt, one learnt to three said; in English the talk of others.

    Beside facts alone facts alone, beside turns alone turns alone.
    """
    said = [
        said.text
        for other in others.lives
        if other.language == life.language == "en" and not _same(other.world.name, life.world.name)
        for said in other.world.turns
    ]
    said = [*dict.fromkeys(said), *others.noise]
    told = [one for one in others.facts[life.language] if not _same(one.life, life.world.name)]
    if life.family == "madial" or life.mix is Mix.SAID:
        # What another user of the set tells may answer as well.
        told = []
    if life.mix is Mix.LEARNT:
        said = []
    here, now = life.world.scope, life.world.now
    talk = [chatted(here, place, text, now) for place, text in enumerate(said)]
    learnt = [_learnt(life.world, 10_000 + place, one) for place, one in enumerate(told)]
    mixed = [(place * 3, memory) for place, memory in enumerate(learnt)]
    mixed += [(place, memory) for place, memory in enumerate(talk)]
    return [memory for _, memory in sorted(mixed, key=lambda each: (each[0], each[1].id))]


def _same(one: str, other: str) -> bool:
    return one.removesuffix(" learnt") == other.removesuffix(" learnt")


def _learnt(world: World, place: int, told: Told) -> Memory:
    at = world.now - HOUR * (1 + place % 4_000)
    speaker = Speaker(told.speaker, told.speaker) if told.speaker else None
    memory = madial.memory_of(f"told{place:05}", told.text, world.scope, at)
    about = (told.speaker,) if told.speaker else ()
    return replace(memory, speaker=speaker, about=about)


def chatted(scope: Scope, place: int, text: str, now: float) -> Memory:
    """A raw turn that no life tells, said within the half year before."""
    at = now - HOUR * (1 + place % 4_000)
    return Memory(
        id=f"chat{place:05}",
        scope=scope.key,
        kind=Kind.EVIDENCE,
        text=text,
        summary="",
        created_at=at,
        happened_at=at,
        vitality=Vitality(6),
        access=Access(at, at),
        source=Source.USER,
        extractor=Extractor.TURN,
        speaker=Speaker("u", "小林"),
        # In use a turn stands among others, too; the places are those of no life's own turns.
        origin=Origin("beside", episode=f"beside{place // TALK}", turns=(BESIDE + place,)),
    )


def _in_chat(life: Life) -> Life:
    """A life of which nothing was learnt yet: its memories are what was said."""
    memories = tuple(
        replace(
            chatted(life.world.scope, 0, memory.text, life.world.now),
            id=memory.id,
            created_at=memory.created_at,
            origin=Origin(),
        )
        for memory in life.memories
    )
    return replace(life, mix=Mix.SAID, memories=memories)


def _everyday(turn: everyday.Everyday) -> Asked:
    speaker = Speaker("u", "小林")
    before = tuple(Said(speaker, one.text, 0.0, role=one.role) for one in turn.before)
    said = (*before, Said(speaker, turn.text, 0.0)) if before else ()
    return Asked(Probe(turn.text, frozenset(), turn.kind.value, said), turn.kind.value, turn.hand)


def _kinds(asked: Sequence[Asked]) -> list[str]:
    return sorted({one.kind for one in asked})


def _some(every: Sequence[Asked], count: int, chance: Random) -> list[Asked]:
    if len(every) <= count:
        return list(every)
    return chance.sample(list(every), count)
