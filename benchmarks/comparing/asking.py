"""A life told to a system, its questions asked, and what each came to."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ..figures import timed
from ..living.judging import holds, judged_lines
from ..living.player import speaker_of
from ..living.script import Asked, Earlier, IdleTurn, Life, Need, Part, Recorded
from .system import Answer, Item, MemorySystem, Question

BUDGETS = (200, 400, 1_000)
"""Tokens of the blocks whose evidence is counted."""

type Record = dict[str, Any]


async def asked_of(
    life: Life, idle: Sequence[IdleTurn], system: MemorySystem, *, learns: bool
) -> tuple[list[Record], float]:
    """Every question's record, and the seconds of the processor that hearing the life took.

    `learns`: the recorded facts are told, too.
    """
    began = time.process_time()
    await told(life, system, learns=learns)
    spent = time.process_time() - began
    remembered = await system.memories()
    needs = life.needs
    others, luck = (*needs[1:], *needs[:1]), _Shuffled(life)
    records: list[Record] = []

    records += [_fact(each, remembered) for each in life.recorded]

    for need, other in zip(needs, others, strict=True):
        record = await _need(life, need, (other.parts, luck(need)), system)
        records.append(record | {"gone": 1 - share(need.parts, remembered)})
        await system.answered()
    for turn in idle:
        records.append(await _idle(life, turn, system))
        await system.answered()
    for asked in life.changes:
        records.append(await _change(life, asked, system))
        await system.answered()
    return records, spent


async def told(life: Life, system: MemorySystem, *, learns: bool) -> None:
    """The whole life told, and the nights until its end."""
    if learns:
        for fact in life.recorded:
            await system.learn(fact)
    for line in life.lines:
        await system.add(line)
    await system.rest(life.end)


@dataclass(slots=True)
class _Shuffled:
    """Control: messages drawn by chance in the place of those that a question needs."""

    life: Life
    chance: Random = field(default_factory=lambda: Random(0))

    def __call__(self, need: Need) -> tuple[Part, ...]:
        labels = [line.label for line in self.life.lines if line.label]
        return tuple(Part(frozenset({self.chance.choice(labels)})) for _ in need.parts)


async def _need(
    life: Life, need: Need, controls: tuple[Sequence[Part], Sequence[Part]], system: MemorySystem
) -> Record:
    others, luck = controls
    answer, figures = await _brought_up(life, need.text, need.before, need, system)
    question = question_of(life, need.text, need.before, need)
    blocks = [(tokens, await system.block(question, tokens)) for tokens in BUDGETS]
    return {
        "kind": "need",
        "category": need.category,
        **figures,
        "evidence@5": share(need.parts, answer.ranked[:5]),
        "evidence@10": share(need.parts, answer.ranked[:10]),
        **{f"in_{tokens}_tokens": share(need.parts, each.shown) for tokens, each in blocks},
        "another's@10": share(others, answer.ranked[:10]),
        "shuffled@10": share(luck, answer.ranked[:10]),
        "both_sides": len(held(need.parts, answer.shown)) == len(need.parts),
        "right": sum(bool(held(need.parts, [item])) for item in answer.shown),
    }


def _fact(fact: Recorded, remembered: Sequence[Item]) -> Record:
    """Whether anything learnt rests on one of the turns that the fact is told in."""
    learnt = any(item.learnt and item.ids & fact.rests_on for item in remembered)
    return {"kind": "fact", "learnt": learnt}


async def _idle(life: Life, turn: IdleTurn, system: MemorySystem) -> Record:
    _, figures = await _brought_up(life, turn.text, turn.before, None, system)
    return {"kind": "idle", "category": turn.kind.value, **figures}


async def _change(life: Life, asked: Asked, system: MemorySystem) -> Record:
    answer, figures = await _brought_up(life, asked.text, (), None, system)
    lines = [(item.line or item.text, item.text) for item in answer.shown]
    about = {"past": asked.past, "listed": asked.listed}
    return {"kind": "change", **about, **figures, **judged_lines(asked, lines)}


async def _brought_up(
    life: Life, text: str, before: Sequence[Earlier], need: Need | None, system: MemorySystem
) -> tuple[Answer, Record]:
    question = question_of(life, text, before, need)
    began = time.process_time()
    with timed() as watch:
        answer = await system.block(question)
    processor = 1000 * (time.process_time() - began)
    return answer, {
        "lines": len(answer.shown),
        "tokens": answer.tokens,
        "silent": not answer.shown,
        "certainty": answer.certainty,
        "ms": watch.milliseconds,
        "processor_ms": processor,
    }


def held(parts: Sequence[Part], items: Sequence[Item]) -> frozenset[int]:
    """Numbers of the parts that one of the items is."""
    return frozenset(
        number
        for number, part in enumerate(parts)
        if any(holds(part, item.text, item.ids) for item in items)
    )


def share(parts: Sequence[Part], items: Sequence[Item]) -> float:
    """Of the parts, how much the items hold, 0..1."""
    return len(held(parts, items)) / len(parts)


def question_of(life: Life, text: str, before: Sequence[Earlier], need: Need | None) -> Question:
    """As the systems are asked it."""
    return Question(text, speaker_of(life, need).name, tuple(_texts(before)))


def _texts(before: Sequence[Earlier]) -> Iterator[str]:
    return (each.text for each in before)
