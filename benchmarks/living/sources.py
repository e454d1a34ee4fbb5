"""The data sets as lives: lines at their own times, needs, and what a good reader learns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from ..datasets import locomo, madial, proactive
from ..datasets.everyday import Earlier
from ..datasets.reading import Complaints
from ..datasets.world import Said, World
from .script import Idle, IdleTurn, Life, Line, Need, Part, Recorded

PLATFORM = "life"
BEGINNING = 1_640_995_200.0
"""1 January 2022, UTC: what MADial dates earlier would make the clock stand still for years."""


def lives(folder: Path, complaints: Complaints) -> list[Life]:
    """All there is under the folder; a data set that is not there is left out."""
    found: list[Life] = []
    for name, read in (
        ("proactive_zh_dev", _proactive),
        ("madial_zh_dev", _madial),
        ("locomo_dev", _locomo),
    ):
        if (folder / name).is_dir():
            found += map(named, read(folder / name, complaints))
        else:
            complaints.add(name, "not there")
    return found


def named(life: Life) -> Life:
    """The life with its name before every label, so that lives can be mixed."""

    def own(labels: frozenset[str]) -> frozenset[str]:
        return frozenset(f"{life.name}/{label}" for label in labels)

    def need_of(need: Need) -> Need:
        return replace(need, parts=tuple(replace(p, labels=own(p.labels)) for p in need.parts))

    return replace(
        life,
        lines=tuple(replace(one, label=f"{life.name}/{one.label}") for one in life.lines),
        needs=tuple(map(need_of, life.needs)),
        recorded=tuple(
            replace(each, rests_on=own(each.rests_on), causes=own(each.causes))
            for each in life.recorded
        ),
    )


def answered(turns: Sequence[Said]) -> Iterator[Line]:
    """A person's turns, each with the bot's answer that follows it."""
    for said, after in zip(turns, (*turns[1:], None), strict=True):
        if said.role is Role.USER:
            answer = after.text if after is not None and after.role is Role.ASSISTANT else ""
            yield Line(said.at, said.speaker, said.text, said.label, answer=answer)


def _part(label: str) -> Part:
    return Part(frozenset({label}))


def _proactive(folder: Path, complaints: Complaints) -> list[Life]:
    return [_half_year(each) for each in proactive.read(folder, complaints)]


def _half_year(told: proactive.HalfYear) -> Life:
    speaker = Speaker(told.name, told.name)
    asked_of = _answers_to(told.turns)
    needs = [
        Need(
            f"{told.name}:{each.id}:{number}",
            "proactive",
            each.trigger,
            each.text,
            speaker,
            tuple(_concept(one, asked_of) for one in each.reachable),
        )
        for number, each in enumerate(told.associations)
        if each.reachable
    ]
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, told.name)
    return Life(told.name, "zh", scope, tuple(answered(told.turns)), tuple(needs))


def _concept(concept: proactive.Concept, asked_of: Mapping[str, str]) -> Part:
    """What the bot said is kept with the turn that it answered."""
    bot = {asked_of[label] for label in concept.bot if label in asked_of}
    return Part(concept.person | bot, concept.text)


def _answers_to(turns: Sequence[Said]) -> dict[str, str]:
    return {
        after.label: said.label
        for said, after in pairwise(turns)
        if said.role is Role.USER and after.role is Role.ASSISTANT
    }


def _madial(folder: Path, complaints: Complaints) -> list[Life]:
    return [_companion(world) for world in madial.read(folder, complaints)]


def _companion(world: World) -> Life:
    """Facts about somebody, told by them in the first person on the day of the fact."""
    name = next(one.speaker.name for one in world.probes[0].before if one.role is Role.USER)
    speaker = Speaker(name, name)
    told = sorted((m for m in world.memories if m.created_at >= BEGINNING), key=_when)
    lines = [
        # Several facts of one day are not one conversation.
        Line(m.created_at + 7_200 * (number % 5), speaker, m.text.replace(name, "我"), m.id)
        for number, m in enumerate(told)
    ]
    known = {line.label for line in lines}
    needs = [
        Need(
            f"madial{world.name}:{number}",
            "madial",
            probe.category,
            probe.text,
            speaker,
            tuple(_part(label) for label in sorted(probe.gold & known)),
            tuple(Earlier(one.role, one.text) for one in probe.before[:-1]),
            probe.answer,
        )
        for number, probe in enumerate(world.probes)
        if probe.gold & known
    ]
    recorded = tuple(Recorded(m.text, frozenset({m.id})) for m in told)
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, name)
    lines.sort(key=lambda line: line.at)
    return Life(name, "zh", scope, tuple(lines), tuple(needs), recorded=recorded)


def _when(memory: madial.Memory) -> float:
    return memory.created_at


def _locomo(folder: Path, complaints: Complaints) -> list[Life]:
    observed = locomo.observations(folder, complaints)
    return [_pair(world, observed.get(world.name, ())) for world in locomo.read(folder, complaints)]


def _pair(world: World, observed: Sequence[locomo.Observation]) -> Life:
    """Two people of a group talk to one another, and ask the bot."""
    lines = tuple(
        Line(said.at, said.speaker, said.text, said.label, Role.BYSTANDER) for said in world.turns
    )
    asker = world.turns[0].speaker
    needs = [
        Need(
            f"{world.name}:{number}",
            "locomo",
            probe.category,
            probe.text,
            asker,
            tuple(_part(label) for label in sorted(probe.gold)),
            answer=probe.answer,
        )
        for number, probe in enumerate(world.probes)
        if probe.counted
    ]
    wrong = [
        IdleTurn(Idle.OTHER_PERSON, probe.text, "en") for probe in world.probes if not probe.counted
    ]
    return Life(
        world.name,
        "en",
        Scope(ScopeKind.GROUP, PLATFORM, world.name),
        lines,
        tuple(needs),
        tuple(wrong),
        tuple(Recorded(each.text, each.rests_on) for each in observed),
    )
