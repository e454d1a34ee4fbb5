"""After hundreds of turns no sentence that had to go is left in any byte of any file."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, to_bin
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.memory import Memory

from ...rig import Rig
from ...strength import strength
from .conftest import rigged

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
BEN = Scope(ScopeKind.PRIVATE, "qq", "902", "default")
CAI = Scope(ScopeKind.PRIVATE, "qq", "903", "default")
MARKED = {ANN: "x", BEN: "z", CAI: "y"}
TURNS = strength(150, 300)
SEEDS = range(strength(1, 2, "TIDEMARK_SEEDS"))
DAY = 86_400.0
MARK = re.compile(rb"q[xyz][0-9]{4}|q\0[xyz]\0(?:[0-9]\0){4}")
WORDS = "house river market garden winter letter 房子 河边 市场 花园 冬天 来信".split()


class Sentences:
    """What people say, by chance; each sentence has a mark that occurs nowhere else."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.said: dict[str, Scope] = {}

    def sentence(self, scope: Scope) -> str:
        mark = f"q{MARKED[scope]}{len(self.said):04}鳄"
        words = self.chance.choices(WORDS, k=self.chance.choice((3, 8, 60)))
        self.said[mark] = scope
        return f"{mark} {' '.join(words)}"

    def marks_of(self, scope: Scope) -> set[str]:
        return {mark for mark, whose in self.said.items() if whose == scope}


def left_in(folder: Path, marks: set[str]) -> dict[str, list[str]]:
    """Which marks are in which file: as UTF-8, UTF-16, escaped in JSON, or as a term."""
    plain = {mark.rstrip("鳄").encode() for mark in marks}
    found = {
        str(file.relative_to(folder)): sorted(_marks_in(file.read_bytes()) & plain)
        for file in folder.rglob("*")
        if file.is_file()
    }
    return {name: [mark.decode() for mark in marks] for name, marks in found.items() if marks}


def _marks_in(content: bytes) -> set[bytes]:
    """Every form of a mark begins with its ASCII part, in UTF-16 with a NUL after each letter."""
    return {found.replace(b"\0", b"") for found in MARK.findall(content)}


async def converse(rig: Rig, sentences: Sentences) -> None:
    """Turns of all three, with recalls, answers that repeat what was said, and changed memories."""
    for number in range(TURNS):
        scope = (ANN, BEN, CAI)[number % 3]
        text = sentences.sentence(scope)
        seq = await rig.say(scope, text)
        if number % 5 == 0:
            await rig.ask(scope, text, turn=seq)
            assert await rig.answer(scope, f"you said: {text}", to=seq)
    await rig.settle()
    await grow(rig, sentences)


async def grow(rig: Rig, sentences: Sentences) -> None:
    """Have rows moved, so that earlier ones are left in free pages."""
    every = [memory.id for memory in await rig.memories()]
    for id in sentences.chance.sample(every, len(every) // 3):
        await rig.store.amend([id], grown)
    await rig.embedded()


def grown(memory: Memory) -> Memory:
    """The same with more cues, so that its row moves."""
    return replace(memory, cues=(memory.text, memory.text[::2], memory.text))


@pytest.mark.parametrize("seed", SEEDS)
async def test_forgetting_a_person_purging_of_another(quick_folder: Path, seed: int) -> None:
    sentences = Sentences(seed)
    async with rigged(quick_folder) as (rig, _):
        rig.model.present = False
        await converse(rig, sentences)
        await forgotten(rig, sentences, quick_folder)
        await grow(rig, sentences)
        assert left_in(quick_folder, sentences.marks_of(BEN)) != {}
        await purged(rig)
        assert left_in(quick_folder, sentences.marks_of(BEN)) == {}
        assert {memory.scope for memory in await rig.memories()} == {CAI.key}
    assert left_in(quick_folder, sentences.marks_of(ANN) | sentences.marks_of(BEN)) == {}


async def forgotten(rig: Rig, sentences: Sentences, folder: Path) -> None:
    """Ann has had herself forgotten, and no byte of hers is left."""
    assert left_in(folder, sentences.marks_of(ANN)) != {}
    extent = await rig.engine.eraser.erase(ANN)
    assert extent.turns >= TURNS // 3
    assert left_in(folder, sentences.marks_of(ANN)) == {}
    # What is written afterwards brings nothing back.
    await rig.say(CAI, sentences.sentence(CAI))
    await rig.settle()
    assert left_in(folder, sentences.marks_of(ANN)) == {}
    assert len(await rig.memories()) > TURNS // 2


async def purged(rig: Rig) -> None:
    """Ben's memories have lain in the bin for as long as it keeps them."""
    theirs = [memory.id for memory in await rig.memories() if memory.scope == BEN.key]
    assert len(theirs) > TURNS // 4
    now = rig.clock.at
    await rig.store.amend(theirs, lambda m: to_bin(m, now=now, reason="test", policy=BinPolicy(30)))
    rig.clock.at += 31 * DAY
    await rig.sleep(patience=30.0)
    await rig.store.wiped()
    await rig.journal.wiped()
