"""Which stages there are: who lives in each, with how much noise, and when it is asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from ..datasets.cdconv import Exchange
from ..datasets.everyday import Change, Everyday
from .changing import changers
from .idle import Idles, idle_turns
from .installation import DEFAULTS, KEPT
from .noise import asked_in_time, with_noise
from .script import Life, Line
from .sources import PLATFORM, SAID_AGAIN, repeater
from .stages import Stage

IDLE_CHAT = 300
"""Exchanges of CDConv that are asked and never said."""

PER_LINE = 1.0
"""Turns of noise for each line of a life."""

SMALL = 300
"""Up to this size every life is grown by itself, beyond it all of one language together."""

MIXED = "everyone"


@dataclass(frozen=True, slots=True)
class Material:
    """What stages are made of."""

    lives: Sequence[Life]
    everyday: Sequence[Everyday]
    changes: Sequence[Change]
    chat: Sequence[Exchange]
    sizes: tuple[int, ...]
    seed: int
    patience: float = 30.0


def stages(material: Material) -> list[Stage]:
    """Each its own installation, so that an interrupted run goes on with the next."""
    chat = list(material.chat)
    Random(material.seed).shuffle(chat)
    idle, noise = idle_turns(material.everyday, chat[:IDLE_CHAT]), chat[IDLE_CHAT:]
    found = [_months(material, noise, idle)] if material.lives else []
    if material.changes:
        found.append(_changes(material, noise))
    small = tuple(size for size in material.sizes if size <= SMALL)
    large = tuple(size for size in material.sizes if size > SMALL)
    asked = [life for life in material.lives if life.needs]
    if small:
        found += [_grown(life, small, noise, material.lives, idle) for life in asked]
    for language in ("zh", "en"):
        own = [life for life in asked if life.language == language]
        if large and own:
            found.append(_grown(_mixed(language, own), large, noise, material.lives, idle))
    return found


def _months(material: Material, noise: Sequence[Exchange], idle: Idles) -> Stage:
    lives = [*material.lives, repeater(), *changers(material.changes, iter(noise))]
    keeping = replace(DEFAULTS.forgetting, patience=material.patience)
    return Stage(
        "months",
        lives,
        lambda: [_as_it_comes(life, number, noise) for number, life in enumerate(lives)],
        expected=sum(2 * len(life.lines) + len(life.needs) for life in material.lives),
        settings=replace(DEFAULTS, forgetting=keeping),
        others=material.lives,
        idle=idle,
    )


def _as_it_comes(life: Life, number: int, noise: Sequence[Exchange]) -> Iterator[Line]:
    """With its questions at their times; with noise where it is a private chat in Chinese."""
    needs = [need for need in life.needs if need.source != SAID_AGAIN]
    lines = asked_in_time(needs, life.lines) if needs else list(life.lines)
    if life.changes or life.language != "zh" or life.scope.kind is not ScopeKind.PRIVATE:
        return iter(lines)
    own = int(len(life.lines) * PER_LINE / 2)
    return with_noise(lines, iter(noise[number * own :][:own]), PER_LINE, life.asker)


def _changes(material: Material, noise: Sequence[Exchange]) -> Stage:
    lives = changers(material.changes, iter(noise))
    return Stage(
        "changes",
        lives,
        lambda: [iter(life.lines) for life in lives],
        expected=sum(len(life.lines) for life in lives),
        settings=KEPT,
    )


def _grown(
    life: Life,
    sizes: tuple[int, ...],
    noise: Sequence[Exchange],
    others: Sequence[Life],
    idle: Idles,
) -> Stage:
    said = noise if life.language == "zh" else ()
    return Stage(
        f"grown-{life.name}",
        [life],
        lambda: [with_noise(life.lines, iter(said), PER_LINE, life.asker)],
        expected=min(2 * len(said) + len(life.lines), max(sizes)),
        settings=KEPT,
        sizes=sizes,
        others=[] if life.name.startswith(MIXED) else others,
        idle=idle,
    )


def _mixed(language: str, lives: Sequence[Life]) -> Life:
    """All lives of a language as one person's, or as one group's where people talk."""
    group = all(life.scope.kind is ScopeKind.GROUP for life in lives)
    person = Speaker(f"{MIXED}-{language}", {"zh": "小林", "en": "Ann"}[language])
    lines = sorted((line for life in lives for line in life.lines), key=lambda line: line.at)
    needs = [need for life in lives for need in life.needs]
    if not group:
        lines = [replace(line, speaker=person, role=Role.USER) for line in lines]
        needs = [replace(need, asker=person) for need in needs]
    return Life(
        person.id,
        language,
        Scope(ScopeKind.GROUP if group else ScopeKind.PRIVATE, PLATFORM, person.id),
        tuple(lines),
        tuple(needs),
        tuple(turn for life in lives for turn in life.other_person),
        tuple(each for life in lives for each in life.recorded),
    )
