"""What a model makes up waits for a person; a person who says that an answer was right confirms."""

from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status, Succession
from astrbot_plugin_tidemark.core.ports import Filter

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS

DAY = 86_400.0
TOLD = "I keep two bee hives in Bath"
MADE_UP = "Ann keeps 40 bee hives in Bath"


async def only(rig: Rig, text: str) -> Memory:
    (found,) = [memory for memory in await rig.memories() if memory.text == text]
    return found


async def made_up(rig: Rig) -> Memory:
    await rig.say(ANNS, TOLD)
    await rig.learn(learnt(item(MADE_UP, 1)))
    return await only(rig, MADE_UP)


async def test_what_was_not_said_is_set_aside_and_never_recalled(rig: Rig) -> None:
    memory = await made_up(rig)
    assert (memory.standing.status, memory.standing.reason) == (Status.QUARANTINED, "unsaid_number")
    (note,) = [
        each for each in await rig.journal.audit_of(memory.id) if each.action == "quarantined"
    ]
    assert MADE_UP not in note.detail
    kept = await rig.keep("Ann keeps bees", ANNS, kind=Kind.SEMANTIC)
    seq = await rig.say(ANNS, TOLD)
    await rig.ask(ANNS, "bees", turn=seq)
    await rig.say(ANNS, "Two, as I said")
    await rig.learn(learnt(item(MADE_UP, 1, corrects=1)))
    assert MADE_UP not in await rig.texts(ANNS, "how many bee hives does Ann keep in Bath?")
    (after,) = await rig.store.find([kept.id])
    assert after.successor is None
    assert after.recallable


async def test_it_takes_no_place_and_goes_into_the_bin_undecided(rig: Rig) -> None:
    await made_up(rig)
    (raw,) = await rig.memories(Kind.EVIDENCE)
    assert raw.recallable
    assert raw.vitality.sole
    rig.clock.at += 31 * DAY
    await rig.engine.retention.apply_in(ANNS.key, rig.clock.at)
    memory = await only(rig, MADE_UP)
    assert (memory.standing.status, memory.standing.reason) == (Status.BINNED, "undecided")


async def test_what_is_kept_is_recalled_and_follows_what_it_corrects(rig: Rig) -> None:
    kept = await rig.keep("Ann keeps ten bee hives", ANNS, kind=Kind.SEMANTIC)
    seq = await rig.say(ANNS, TOLD)
    await rig.ask(ANNS, "bee hives", turn=seq)
    await rig.learn(learnt(item(MADE_UP, 1, corrects=1)))
    memory = await only(rig, MADE_UP)
    await rig.engine.curation.keep([memory.id], by="qq:901")
    (older,) = await rig.store.find([kept.id])
    assert older.successor is not None
    assert older.successor.how is Succession.CORRECTS
    assert (await only(rig, MADE_UP)).recallable
    assert await rig.engine.curation.keep([memory.id], by="qq:901") == []


async def test_what_is_dropped_takes_nothing_along_that_was_said(rig: Rig) -> None:
    memory = await made_up(rig)
    await rig.engine.curation.forget([memory.id], by="qq:901")
    assert (await only(rig, MADE_UP)).standing.status is Status.BINNED
    (raw,) = await rig.memories(Kind.EVIDENCE)
    assert raw.recallable


async def test_learning_done_again_leaves_alone_what_was_decided(rig: Rig) -> None:
    memory = await made_up(rig)
    await rig.engine.curation.keep([memory.id], by="qq:901")
    extraction = await rig.journal.extraction(memory.origin.episode)
    episode = await rig.journal.episode(memory.origin.episode)
    assert extraction is not None
    assert episode is not None
    await rig.engine.jobs.capture.apply(extraction, episode)
    assert (await only(rig, MADE_UP)).recallable
    assert await rig.store.count(Filter(status=Status.QUARANTINED)) == 0


SLOOP = "Ann's sloop Kittiwake lies in the harbour of Wells"
TEA = "Ann drinks oolong from a chipped mug"


async def learnt_of(rig: Rig) -> dict[str, Memory]:
    return {one.text: one for one in await rig.memories(*set(Kind) - {Kind.EVIDENCE})}
