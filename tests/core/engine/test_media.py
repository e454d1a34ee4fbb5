"""What came with messages besides words: on record, found again, described, erased."""

from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Media, MediaType
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.records.evidence import evidence_of, redescribed
from astrbot_plugin_tidemark.core.settings import Settings
from astrbot_plugin_tidemark.storage import open_store

from ...rig import Rig, open_rig, place
from ..privacy.erasure_rig import files_with

ANN, BEN = Speaker("901", "Ann"), Speaker("902", "Ben")
GROUP = Scope(ScopeKind.GROUP, "qq", "5000")
CAT = Media("cat", MediaType.IMAGE, "https://example.com/cat.jpg")
WAVE = Media("wave", MediaType.STICKER, "https://example.com/wave.gif")


async def send(rig: Rig, who: Speaker, media: Media, text: str = "") -> int:
    rig.clock.at += 1
    words = rig.engine.worded(text, [media])
    turn = NewTurn(place(GROUP), Role.USER, who, words, rig.clock.at, media=(media,))
    return (await rig.engine.observe(turn)).turn.seq


async def test_a_picture_is_remembered_and_found_once_described(rig: Rig) -> None:
    await send(rig, ANN, CAT)
    await rig.settle()
    (memory,) = await rig.store.page(Filter(), limit=5)
    assert memory.media == (CAT,)
    assert memory.speaker == ANN
    assert memory.text == "[图片]"
    seq = await send(rig, ANN, CAT, "看")
    await rig.say(GROUP, "今天食堂的面条不错")
    await rig.settle()
    await rig.engine.describe(seq, ["一只橘猫趴在窗台上"])
    await rig.settle()
    turn = await rig.journal.turn(seq)
    assert turn.text == "看\n[图片：一只橘猫趴在窗台上]"
    found = await rig.ask(GROUP, "我发过的那张猫的照片呢？")
    assert any("橘猫" in memory.text for memory in found.memories)


async def test_a_turn_that_is_described_twice_is_indexed_twice(rig: Rig) -> None:
    seq = await send(rig, ANN, CAT, "Look")
    await rig.settle()
    for caption in ("a cat", "a sleeping cat"):
        media = (replace(CAT, caption=caption),)
        await rig.journal.describe_turn(seq, f"Look\n[{caption}]", media)
        rig.engine.worker.wake()
        await rig.settle()
        (memory,) = await rig.store.page(Filter(), limit=5)
        assert memory.media == media
        assert caption in memory.text
    assert rig.reports == []


async def test_a_caption_stays_and_is_not_described_again(rig: Rig) -> None:
    seq = await send(rig, ANN, CAT, "Look")
    read = await rig.journal.turn(seq)
    await rig.engine.describe(seq, ["a cat"])
    await rig.settle()
    assert read is not None
    early = evidence_of(read, None, journal=rig.journal.id)
    await rig.store.amend([early.id], lambda memory: redescribed(memory, early))
    (memory,) = await rig.store.page(Filter(), limit=5)
    assert memory.media == (replace(CAT, caption="a cat"),)
    assert "a cat" in memory.text
    seq = await send(rig, ANN, CAT)
    await rig.engine.describe(seq, ["a cat"])
    await rig.engine.describe(seq, ["a dog"])
    await rig.engine.describe(seq + 100, ["a dog"])
    turn = await rig.journal.turn(seq)
    assert turn.media[0].caption == "a cat"


async def test_the_same_sticker_of_the_same_person_is_one_memory(rig: Rig) -> None:
    seqs = [await send(rig, ANN, WAVE) for _ in range(3)]
    other = await send(rig, BEN, WAVE)
    said = await send(rig, ANN, WAVE, "Bye then, see you in Bergen")
    await rig.settle()
    memories = await rig.store.page(Filter(), limit=10)
    assert sorted(memory.origin.turns for memory in memories) == [tuple(seqs), (other,), (said,)]


async def test_no_byte_of_a_preview_is_left_of_who_is_erased(tmp_path: Path) -> None:
    rig = await open_rig(tmp_path, Settings(), store=await open_store("sqlite", tmp_path))
    preview = "/9j/UNLIKELY" + "A" * 9_000
    seq = await send(rig, ANN, replace(CAT, preview=preview), "my cat")
    await rig.engine.jobs.capture.index_turn(seq)
    await rig.engine.describe(seq, ["a cat"])
    await rig.engine.jobs.capture.index_turn(seq)
    (memory,) = await rig.store.page(Filter(), limit=5)
    assert memory.media[0].preview == preview
    assert memory.media[0].caption == "a cat"
    assert files_with(tmp_path, "UNLIKELY")
    await rig.engine.eraser.erase(Scope(ScopeKind.PRIVATE, "qq", ANN.id))
    await rig.engine.close()
    assert files_with(tmp_path, "UNLIKELY") == []


@pytest.mark.parametrize("caption", ["", " ", "x" * 100_000, "[图片]\n[x"])
async def test_an_odd_caption_breaks_nothing(rig: Rig, caption: str) -> None:
    seq = await send(rig, ANN, CAT, "look")
    await rig.engine.describe(seq, [caption])
    await rig.settle()
    turn = await rig.journal.turn(seq)
    assert turn.text.startswith("look\n[")
    assert len(turn.text) < 1_000
