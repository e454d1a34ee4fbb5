"""`python -m benchmarks.enrichment --endpoint URL --model M`: what sleep finds in what was learnt.

The memories are `benchmarks/data/enrichment.jsonl`: a hundred of eight people, in Chinese and
English, with the names in each that a hand has listed (`--file` takes another of the form).
They are asked about as sleep does it, person by person; `--most` is how many go into a call,
`--limit` how many memories of each person. The other options are those of `benchmarks.extraction`.

Keys: `benchmark`, `model`, `memories`, `calls`, `read` (replies that could be read at first),
`told` (memories that these say anything of). `entities`, over all and for `zh` and `en`: `right`
(listed and found), `wrong` (found and neither listed nor as good), `missed` (listed and not found),
`precision`, `recall`. `notes`: each memory with what is kept of it, to be read. `asked`, `kept`,
`median_tokens`, `median_seconds` of a call as in `benchmarks.extraction`.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import batched, groupby
from pathlib import Path
from typing import Any

from ..core.languages.scripts import language_of
from ..core.model.errors import ModelUnavailable, ReplyMalformed
from ..core.model.lesson import NoteDetails
from ..core.model.memory import Memory
from ..core.ports import ChatModel
from ..core.prompts import enrich
from ..core.sleep.steps.enrichment import MOST
from ..core.text.quoting import entity_id
from .command import progress, run
from .datasets.reading import Complaints, NoData, json_lines
from .kept_replies import asked_of, endpoint_options
from .population import learnt_memory

WRITTEN = Path(__file__).resolve().parent / "data" / "enrichment.jsonl"


@dataclass(frozen=True, slots=True)
class KeyedMemory:
    """A memory, the names that it holds, and what is as good as a name."""

    memory: Memory
    language: str
    names: frozenset[str]
    also: frozenset[str]


@dataclass(slots=True)
class Outcome:
    """What a model told; `told` by the id of the memory."""

    calls: int = 0
    read: int = 0
    told: dict[str, NoteDetails] = field(default_factory=dict[str, NoteDetails])


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure."""
    return run(_parser(), _measure, arguments, as_json=True)


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    keyed = keyed_in(options.file, complaints, options.limit)
    async with asked_of(options, "enrichment") as model:
        outcome = await asked(model, keyed, options.most)
    return {"model": options.model, **figures(keyed, outcome), **model.figures()}


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.enrichment")
    top.add_argument("--file", type=Path, default=WRITTEN)
    top.add_argument("--most", type=int, default=MOST, help="memories in one call")
    top.add_argument("--limit", type=int, default=None, help="memories of each person")
    endpoint_options(top, timeout=600.0)
    return top


def keyed_in(path: Path, complaints: Complaints, limit: int | None = None) -> list[KeyedMemory]:
    """The memories of the file, person by person, in the order of time. Raises NoData of none."""
    items = [item for _, item in json_lines(path, complaints)]
    if not items:
        raise NoData(f"no memories in {path}")
    items.sort(key=lambda item: (item["language"], item["who"], item["day"], item["id"]))
    people = groupby(items, key=lambda item: (item["language"], item["who"]))
    return [_keyed(item) for _, own in people for item in list(own)[:limit]]


async def asked(model: ChatModel, keyed: Sequence[KeyedMemory], most: int) -> Outcome:
    """As sleep asks at first: what a reply leaves out is not asked about again."""
    outcome = Outcome()
    for _, own in groupby(keyed, key=lambda each: each.memory.scope):
        for batch in batched([each.memory for each in own], most):
            progress(f"{batch[0].id}: {len(batch)} memories")
            language = language_of(" ".join(memory.text for memory in batch))
            prompt = enrich.build(batch, shown_time=_day, language=language)
            outcome.calls += 1
            try:
                reply = (await model.complete(prompt, session="benchmark")).text
                found = enrich.parse(reply, batch)
            except (ModelUnavailable, ReplyMalformed) as error:
                progress(str(error))
                continue
            outcome.read += 1
            outcome.told |= {batch[number - 1].id: told for number, told in found.items()}
    return outcome


def figures(keyed: Sequence[KeyedMemory], outcome: Outcome) -> dict[str, Any]:
    """The figures of all memories, and the notes to be read."""
    every = {"all": keyed} | {
        code: [each for each in keyed if each.language == code] for code in ("zh", "en")
    }
    return {
        "memories": len(keyed),
        "calls": outcome.calls,
        "read": outcome.read,
        "told": len(outcome.told),
        "entities": {name: _entities(own, outcome.told) for name, own in every.items()},
        "notes": [_note(each, outcome.told.get(each.memory.id)) for each in keyed],
    }


def _entities(keyed: Iterable[KeyedMemory], told: Mapping[str, NoteDetails]) -> dict[str, Any]:
    right = wrong = missed = 0
    for each in keyed:
        details = told.get(each.memory.id, NoteDetails())
        found = {entity.id for entity in details.entities}
        right += len(found & each.names)
        wrong += len(found - each.names - each.also)
        missed += len(each.names - found)
    return {
        "right": right,
        "wrong": wrong,
        "missed": missed,
        "precision": round(right / max(1, right + wrong), 3),
        "recall": round(right / max(1, right + missed), 3),
    }


def _note(keyed: KeyedMemory, told: NoteDetails | None) -> dict[str, Any]:
    note: dict[str, Any] = {"id": keyed.memory.id, "text": keyed.memory.text}
    if told is None:
        return note
    return note | {
        "entities": [[each.name, each.type] for each in told.entities],
        "relations": [[each.subject, each.predicate, each.object] for each in told.relations],
        "event": told.event,
        "cause": told.cause,
        "mood": told.sentiment.mood,
        "cues": list(told.cues),
    }


def _keyed(item: Mapping[str, Any]) -> KeyedMemory:
    at = datetime.fromisoformat(item["day"]).replace(hour=12, tzinfo=UTC).timestamp()
    memory = learnt_memory(item["id"], item["who"], item["text"], at)
    names, also = (frozenset(map(entity_id, item[key])) for key in ("entities", "also"))
    return KeyedMemory(memory, item["language"], names, also)


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
