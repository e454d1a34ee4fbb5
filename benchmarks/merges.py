"""`python -m benchmarks.merges --json`: is merged what says the same, and nothing else?

Two hands wrote 200 pairs of memories of twenty people each (`benchmarks/data/merges.jsonl` and
`merges_b.jsonl`), half of them the same said otherwise, half traps. All memories of a person are
told before their first night; then their conflicts and mergers are looked at, night after night,
until a night asks no model and does nothing, as the plugin does it over a store of its own.

Without an endpoint twice: no model, and the recorded words of a second reading (`_second.json` in
place of `.jsonl`) in the form of a model's reply, "both" for pairs that nobody has written.

| option | default | |
|---|---|---|
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--people` | all | people of each language and hand |
| `--endpoint`, `--model` | none | ask this one; `--key`, `--timeout` and `--resume`, too |

Keys: `benchmark`, `machine`, `commit`, `pairs`, `same`; for each way (`no model`, `recorded`, or
the name of the model): `merged` pairs, `wrong` ones with their texts, `missed` ones with their
texts, `precision` and `recall`, each with its 95 % interval (Wilson), by language too, all of both
hands and by hand; `nights`, `calls`; `targets`, which each hand must reach. `guarded`: how many of
a hand's traps are kept apart if a judge says of all that they are the same, `leaking` the others.
"""

import json
import re
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from ..core.conflict.trust import SUPPORTS
from ..core.embedding.local.model import LocalEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.forgetting.lifecycle import DAY
from ..core.model.conversation import NewTurn, Place, Role
from ..core.model.memory import Memory
from ..core.model.sleeping import Deed, SleepCause
from ..core.ports import ChatModel, Completion, Embedder, ModelSource, Prompt, Work, WorkKind
from ..core.prompts.judge import PairAnswer
from ..core.records.opposition import judged
from ..core.records.sameness import apart
from ..core.sleep.pipeline import Pipeline, Steps
from . import machine
from .command import MODELS, progress, run, workspace
from .datasets.reading import Complaints, NoData, json_lines
from .installation import NoModel, installed
from .kept_replies import asked_of, endpoint_options
from .living.recorded import OneModel
from .night import worked
from .population import learnt_memory

DATA = Path(__file__).resolve().parent / "data"
MOST_NIGHTS = 40
APART_DAYS = 20.0
"""Days between the two of a pair; the first is as old as twice that."""

HANDS = {"a": "merges", "b": "merges_b"}
"""Who wrote pairs, neither with a sight of the other's, and in which file."""

LEAST_PRECISION, LEAST_RECALL = 0.98, {"no model": 0.35, "recorded": 0.7}

_NOTE = re.compile(r"^(?:(\w+)\. 1|   2)\) \([^)]*\) (.*)$")


@dataclass(frozen=True, slots=True)
class WrittenPair:
    """Two memories of one person; `differs` says in what, "" if they say the same."""

    id: str
    hand: str
    language: str
    one: Memory
    other: Memory
    differs: str


@dataclass(slots=True)
class Judge:
    """Answers the judging call with words that were written down, by the two texts."""

    words: Mapping[tuple[str, str], PairAnswer]
    settled: bool = True

    async def choose(self, session: str) -> ChatModel | None:
        """Always this one."""
        return self

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """A reply as a model writes it."""
        told: dict[str, PairAnswer] = {}
        letter = first = ""
        for line in prompt.user.splitlines():
            if (found := _NOTE.match(line)) is None:
                raise ValueError(line)
            letter = found[1] or letter
            if found[1]:
                first = found[2]
            else:
                told[letter] = self.words.get((first, found[2]), PairAnswer.BOTH)
        return Completion(json.dumps(told))


@dataclass(slots=True)
class Merges:
    """Ids of memories that became one, and what it took."""

    clusters: list[frozenset[str]] = field(default_factory=list[frozenset[str]])
    nights: int = 0
    calls: int = 0


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure or no embedder."""
    top = ArgumentParser(prog="benchmarks.merges")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--models", type=Path, default=MODELS)
    top.add_argument("--people", type=int, help="of each language")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    endpoint_options(top, timeout=600.0, required=False)
    return run(top, _measured, arguments)


async def _measured(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    now = float(int(1.8e9))
    pairs = written(complaints, now, options.people)
    local = LocalEmbedder(options.models)
    ways: dict[str, Any] = {}
    try:
        if options.endpoint:
            ways[options.model] = await _asked(pairs, local, options)
        else:
            for name, models in (("no model", NoModel()), ("recorded", Judge(recorded(pairs)))):
                ways[name] = by_hand(pairs, await slept(pairs, local, models, options.folder))
    finally:
        await local.aclose()
    traps, leaking = [pair for pair in pairs if pair.differs], leaking_of(pairs)
    apart = [pair for pair in traps if pair not in leaking]
    return {
        "commit": machine.commit(),
        "pairs": len(pairs),
        "same": len(pairs) - len(traps),
        **ways,
        "guarded": {f"hand {hand}": sum(p.hand == hand for p in apart) for hand in HANDS},
        "leaking": [[p.id, p.differs, p.one.text, p.other.text] for p in leaking],
        "targets": targets(ways),
    }


def written(complaints: Complaints, now: float, people: int | None = None) -> list[WrittenPair]:
    """Each hand's pairs, of so many people of each language. Raises NoData of none."""
    pairs: list[WrittenPair] = []
    for hand, name in HANDS.items():
        names: defaultdict[str, dict[str, int]] = defaultdict(dict[str, int])
        for _, item in json_lines(DATA / f"{name}.jsonl", complaints):
            known = names[item["language"]]
            if people is None or known.setdefault(item["who"], len(known)) < people:
                pairs.append(_pair(item, hand, now))
    if not pairs:
        raise NoData("no pairs")
    return pairs


def _pair(item: Mapping[str, Any], hand: str, now: float) -> WrittenPair:
    id = f"{item['id']}-{hand}"

    def side(place: int, name: str) -> Memory:
        at = now - (2 - place) * APART_DAYS * DAY
        return learnt_memory(f"{id}-{place}", item["who"], item[name], at)

    one, other = side(0, "one"), side(1, "other")
    return WrittenPair(id, hand, item["language"], one, other, item["differs"])


def recorded(pairs: Sequence[WrittenPair]) -> dict[tuple[str, str], PairAnswer]:
    """What a second reading says, either way round."""
    told = {
        f"{id}-{hand}": word
        for hand, name in HANDS.items()
        for id, word in json.loads((DATA / f"{name}_second.json").read_text("utf-8")).items()
    }
    words: dict[tuple[str, str], PairAnswer] = {}
    for pair in pairs:
        answer = PairAnswer(told[pair.id])
        words[pair.one.text, pair.other.text] = answer
        words[pair.other.text, pair.one.text] = answer.turned
    return words


async def _asked(
    pairs: Sequence[WrittenPair], embedder: Embedder, options: Namespace
) -> dict[str, Any]:
    async with asked_of(options, "merges") as model:
        merges = await slept(pairs, embedder, OneModel(model), options.folder)
        return by_hand(pairs, merges) | model.figures()


async def slept(
    pairs: Sequence[WrittenPair], embedder: Embedder, models: ModelSource, folder: Path | None
) -> Merges:
    """Nights until one does nothing; what became one."""
    with workspace(folder) as own:
        async with installed(own, embedder, models=models) as engine:
            now = engine.clock.now()
            await engine.calibrator.learn(embedder)
            await _told(engine, pairs, now)
            return await _nights(engine, pairs, now)


async def _told(engine: MemoryEngine, pairs: Sequence[WrittenPair], now: float) -> None:
    """Everything at once, and a word of each person's that tells where a model is asked."""
    journal = engine.journal
    for memory in (pair.one for pair in pairs):
        if await journal.latest_episode(memory.scope) is None and memory.speaker is not None:
            place = Place(memory.scope, "c1", memory.scope)
            await engine.observe(NewTurn(place, Role.USER, memory.speaker, "hello", now - DAY))
    await journal.close_silent(quiet_since=now, at=now)
    # A night waits for what is still to be learnt, and nothing is in that word.
    await worked(engine, frozenset(WorkKind), _nothing, now)
    await engine.store.put([each for pair in pairs for each in (pair.one, pair.other)])
    while await engine.backfill.once():
        pass


async def _nothing(work: Work) -> None:
    """Done."""


async def _nights(engine: MemoryEngine, pairs: Sequence[WrittenPair], now: float) -> Merges:
    pipeline, journal, merges = _of_pairs(engine.pipeline), engine.journal, Merges()
    scopes = sorted({pair.one.scope for pair in pairs})
    while merges.nights < MOST_NIGHTS:
        merges.nights += 1
        at = now + merges.nights * DAY
        sleeps = await engine.rhythm.begin(scopes, SleepCause.COMMAND, at)
        await worked(engine, frozenset({WorkKind.SLEEP}), pipeline.work, at)
        calls = did = 0
        for id in sleeps:
            if (sleep := await journal.sleep(id)) is not None:
                calls += sleep.calls
                did += sum(sleep.counts.values())
                merges.clusters += [
                    frozenset(each.decision.memories[1:])
                    for each in await journal.decisions(id, limit=1_000)
                    if each.decision.deed is Deed.MERGED
                ]
        merges.calls += calls
        progress(f"night {merges.nights}: {calls} calls, {did} changes")
        if not calls and not did:
            break
    return merges


def _of_pairs(pipeline: Pipeline) -> Pipeline:
    """With the two steps that look at pairs, in their order."""
    names = {"conflicts", "merging"}
    steps = [step for step in pipeline.steps.of_scope if step.name in names]
    return replace(pipeline, steps=Steps(steps, []))


def by_hand(pairs: Sequence[WrittenPair], merges: Merges) -> dict[str, Any]:
    """The figures of both hands together and of each, and what the nights took."""
    hands = {hand: [pair for pair in pairs if pair.hand == hand] for hand in HANDS}
    each = {f"hand {hand}": figures(own, merges) for hand, own in hands.items()}
    return figures(pairs, merges) | each | {"nights": merges.nights, "calls": merges.calls}


def figures(pairs: Sequence[WrittenPair], merges: Merges) -> dict[str, Any]:
    """What was merged held against what was written."""
    known = {frozenset({p.one.id, p.other.id}): p for p in pairs}
    texts = {memory.id: memory.text for pair in pairs for memory in (pair.one, pair.other)}
    merged = {frozenset(two) for each in _whole(merges.clusters) for two in combinations(each, 2)}
    merged = {two for two in merged if two <= texts.keys()}
    right = {two for two in merged if two in known and not known[two].differs}
    same = {two for two, pair in known.items() if not pair.differs}

    def shares(code: str) -> dict[str, Any]:
        def own(some: set[frozenset[str]]) -> int:
            return sum(all(id.startswith(code) for id in two) for two in some)

        return {
            "precision": _share(own(right), own(merged)),
            "recall": _share(own(right), own(same)),
        }

    return {
        "merged": len(merged),
        **shares(""),
        **{code: shares(code) for code in ("zh", "en")},
        "wrong": [sorted(texts[id] for id in two) for two in merged - right],
        "missed": sorted(sorted(texts[id] for id in two) for two in same - right),
    }


def _whole(clusters: Sequence[frozenset[str]]) -> Iterator[frozenset[str]]:
    """What became one in several nights is one."""
    left = list(clusters)
    while left:
        whole = left.pop()
        while near := [each for each in left if each & whole]:
            whole = whole.union(*near)
            left = [each for each in left if each not in near]
        yield whole


def leaking_of(pairs: Sequence[WrittenPair]) -> list[WrittenPair]:
    """Traps that would be merged if a judge took both for the same."""

    def leaks(pair: WrittenPair) -> bool:
        one = judged(pair.one, SUPPORTS, pair.other.id)
        return not apart(one, judged(pair.other, SUPPORTS, pair.one.id))

    return [pair for pair in pairs if pair.differs and leaks(pair)]


def targets(ways: Mapping[str, Any]) -> dict[str, Any]:
    """Least figures, and whether each hand's reached them."""

    def met(name: str, told: Mapping[str, Any]) -> bool:
        precision, recall = (told[share]["share"] or 0.0 for share in ("precision", "recall"))
        return precision >= LEAST_PRECISION and recall >= LEAST_RECALL[name]

    return {
        name: {
            "precision": LEAST_PRECISION,
            "recall": LEAST_RECALL[name],
            "met": all(met(name, told[f"hand {hand}"]) for hand in HANDS),
        }
        for name, told in ways.items()
        if name in LEAST_RECALL
    }


def _share(part: int, whole: int) -> dict[str, Any]:
    """A share with the 95 % interval of Wilson."""
    if not whole:
        return {"share": None, "interval": None}
    z, share = 1.96, part / whole
    middle = (share + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole)
    half *= (share * (1 - share) / whole + z * z / (4 * whole * whole)) ** 0.5
    interval = [round(max(0.0, middle - half), 3), round(min(1.0, middle + half), 3)]
    return {"share": round(share, 3), "interval": interval}
