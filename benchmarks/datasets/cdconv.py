"""CDConv: chit-chat that needs no memory, asked of somebody whose memory holds other things.

Zheng et al., "CDConv: A Benchmark for Contradiction Detection in Chinese Conversations" (EMNLP
2022): every `*.tsv` of the folder, rows of u1, b1, u2, b2 and label. Each distinct u1 is an
opening turn. What is remembered, and the turns that do need it, are MADial's if a folder of
that is given, else those of a small life told here.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from . import madial
from .reading import Complaints, NoData, files, rows
from .small_life import LIFE, REMARKS
from .world import PRESENT, Probe, Said, World

CHIT_CHAT, MID_CHAT = "chit-chat", "mid-chat"
TRUE, TRUE_IN_TALK = "true", "true in talk"
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two turns with their answers; `contradicts`: the second answer denies the first."""

    opening: str
    answer: str
    second: str
    second_answer: str
    contradicts: bool


def exchanges(folder: Path, complaints: Complaints) -> list[Exchange]:
    """Every row of every file, distinct openings only, in their order. Raises NoData if none."""
    found: dict[str, Exchange] = {}
    for path in files(folder, "*.tsv"):
        for _, row in rows(path, columns=5, complaints=complaints):
            first, answer, second, second_answer, label = (cell.strip() for cell in row)
            if first and second.strip("~～"):
                exchange = Exchange(first, answer, second, second_answer, label == "1")
                found.setdefault(first, exchange)
    if not found:
        raise NoData(f"{folder} has no row: {'; '.join(complaints.found)}")
    return list(found.values())


def read(
    folder: Path, memories: Path | None, sample: int, seed: int, complaints: Complaints
) -> list[World]:
    """Worlds with probes of the categories `CHIT_CHAT`, `MID_CHAT` and `TRUE`.

    Those of the small life are asked once more, right after a remark on their topic:
    `TRUE_IN_TALK`.

    `sample` openings are drawn, 0 for all of them, and the second turns that follow these; shared
    out among the worlds. Raises NoData if there are none.
    """
    openings = list(
        dict.fromkeys(
            row[0].strip()
            for path in files(folder, "*.tsv")
            for _, row in rows(path, columns=5, complaints=complaints)
            if row[0].strip()
        )
    )
    if not openings:
        raise NoData(f"{folder} has no row: {'; '.join(complaints.found)}")
    if 0 < sample < len(openings):
        openings = Random(seed).sample(openings, sample)
    lives = [small_life()] if memories is None else madial.read(memories, complaints)
    drawn = frozenset(openings)
    seconds = [each for each in exchanges(folder, Complaints()) if each.opening in drawn]
    return [
        World(
            life.name,
            life.scope,
            life.now,
            memories=life.memories,
            probes=(
                *_true(life),
                *(_in_talk(life) if memories is None else ()),
                *map(chit_chat, openings[index :: len(lives)]),
                *map(mid_chat, seconds[index :: len(lives)]),
            ),
        )
        for index, life in enumerate(lives)
    ]


def chit_chat(text: str) -> Probe:
    """An opening turn that needs nothing."""
    return Probe(text, frozenset(), CHIT_CHAT, (Said(Speaker("u", "小林"), text, PRESENT),))


def mid_chat(exchange: Exchange) -> Probe:
    """The second turn of an exchange: what it asks for was said just before, if anywhere."""
    speaker, bot = Speaker("u", "小林"), Speaker("bot", "bot")
    before = (
        Said(speaker, exchange.opening, PRESENT),
        Said(bot, exchange.answer, PRESENT, role=Role.ASSISTANT),
        Said(speaker, exchange.second, PRESENT),
    )
    return Probe(exchange.second, frozenset(), MID_CHAT, before)


def _true(life: World) -> list[Probe]:
    return [replace(probe, category=TRUE) for probe in life.probes]


def _in_talk(life: World) -> list[Probe]:
    """What is asked of the small life, right after a remark on its topic that does not tell it."""
    return [
        replace(
            probe,
            category=TRUE_IN_TALK,
            before=(replace(probe.before[0], text=said), *probe.before),
        )
        for probe in life.probes
        for said in (REMARKS[int(min(probe.gold).removeprefix("life"))],)
    ]


def small_life() -> World:
    """The memories of a made-up person, and turns that need them."""
    scope = Scope(ScopeKind.PRIVATE, "bench", "u")
    memories = [
        madial.memory_of(f"life{index}", told, scope, PRESENT - (index + 1) * DAY)
        for index, (told, _) in enumerate(LIFE)
    ]
    probes = [
        Probe(text, frozenset({f"life{index}"}), TRUE, (Said(Speaker("u", "小林"), text, PRESENT),))
        for index, (_, asked) in enumerate(LIFE)
        for text in asked
    ]
    return World("small life", scope, PRESENT, memories=tuple(memories), probes=tuple(probes))
