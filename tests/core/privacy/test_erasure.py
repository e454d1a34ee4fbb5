"""A person who is erased is gone from every place, and everybody else is left as they were."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.consent import Consent, Pause, person_in
from astrbot_plugin_tidemark.core.model.conversation import Scope, Speaker
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Origin,
    Standing,
    Status,
    Succession,
    Successor,
    UserFeedback,
)
from astrbot_plugin_tidemark.core.ports import ERASED, Completion, Prompt, WorkKind, WorkState
from astrbot_plugin_tidemark.core.privacy.erasure import Extent
from astrbot_plugin_tidemark.core.records.evidence import evidence_id
from astrbot_plugin_tidemark.core.records.manual import pinned

from ...kit import Fuse, Interruption, files_with, item, learnt, until
from ...strength import strength
from .erasure_rig import (
    ANN,
    ANN_ELSEWHERE,
    BEN,
    GROUP,
    POET,
    STRANGE_GROUP,
    STRANGER,
    TG_GROUP,
    ErasureRig,
    erasure_rig,
)

WORD = "quagga"
"""Only Ann says it."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[ErasureRig]:
    opened = await erasure_rig(tmp_path)
    yield opened
    await opened.close()


async def erase(here: ErasureRig, person: Scope = ANN) -> Extent:
    return await here.rig.engine.eraser.erase(person_in(person, person.subject))


async def waiting(here: ErasureRig) -> int:
    """How many erasures are confirmed and not carried out."""
    return (await here.rig.journal.backlog()).get((WorkKind.ERASE, WorkState.READY), 0)


async def test_private_chats_go_under_every_persona_and_account(here: ErasureRig) -> None:
    await here.joined()
    for scope in (ANN, POET, ANN_ELSEWHERE):
        await here.say(scope, scope.subject, f"I love {WORD}s", "How lovely")
    await here.work()
    kept = await here.kept()
    assert {memory.kind for memory in kept.values()} > {Kind.EVIDENCE}
    extent = await erase(here)
    assert {scope.subject for scope in extent.accounts} == {"901", "ann"}
    assert (extent.memories, extent.turns) == (len(kept), 6)
    assert await here.kept() == {}
    assert await here.mentions(WORD) == []
    assert await here.rig.journal.scopes() == frozenset()


@pytest.mark.parametrize("status", Status)
async def test_memories_go_in_any_status(here: ErasureRig, status: Status) -> None:
    await here.rig.keep(f"Ann keeps a {WORD}", ANN, standing=Standing(status, 1.0, "", 9e9))
    assert (await erase(here)).memories == 1
    assert await here.kept() == {}


async def test_what_was_said_in_groups_goes_and_what_others_said_stays(here: ErasureRig) -> None:
    await here.say(GROUP, "901", f"I love {WORD}s", "How lovely for you")
    await here.say(GROUP, "902", "I keep goats behind the chapel", "Goats are fine animals")
    await here.say(BEN, "902", "I lent out the smoker of my hives")
    await here.work()
    theirs = {m.id: m for m in (await here.kept()).values() if "goats" in m.text.lower()}
    assert (await erase(here)).turns == 2
    assert await here.mentions(WORD) == []
    kept = await here.kept()
    assert theirs.keys() <= kept.keys()
    for memory in theirs.values():
        assert replace(kept[memory.id], cues=()) == replace(memory, cues=())
    assert any("smoker" in memory.text for memory in kept.values())


async def test_the_same_id_elsewhere_or_an_unjoined_account_stays(here: ErasureRig) -> None:
    await here.say(STRANGER, "901", "I keep goats behind the chapel")
    await here.say(STRANGE_GROUP, "901", "My goats eat everything")
    await here.work()
    before = await here.kept()
    assert (await erase(here)).turns == 0
    assert await here.kept() == before
    await here.say(ANN_ELSEWHERE, "ann", "I keep goats behind the chapel")
    await here.work()
    assert (await erase(here)).memories == 0
    assert (await here.kept()) != {}


async def test_a_joined_account_goes_from_the_groups_of_its_platform(here: ErasureRig) -> None:
    await here.joined()
    await here.say(TG_GROUP, "ann", f"I love {WORD}s")
    await here.work()
    await erase(here)
    assert await here.mentions(WORD) == []


async def test_a_memory_that_rests_on_anything_of_theirs_goes(here: ErasureRig) -> None:
    seq = await here.say(GROUP, "901", "The fair is on Sunday")
    other = await here.say(GROUP, "902", "I shall sing at it")
    shared = Origin(turns=(other, seq))
    await here.rig.keep("Ben sings on Sunday", GROUP, origin=shared, speaker=Speaker("902", "Ben"))
    await erase(here)
    assert "m1" not in await here.kept()


async def test_what_others_are_found_by_no_longer_quotes_them(here: ErasureRig) -> None:
    await here.say(GROUP, "901", f"Where does a {WORD} sleep?", f"A {WORD} sleeps in the stable")
    seq = await here.say(GROUP, "902", "My goats sleep in the kitchen")
    await here.say(GROUP, "903", "Kitchens are for people")
    await here.work()
    raw = evidence_id(here.rig.journal.id, seq)
    assert WORD in (await here.rig.store.get(raw)).cues[0]
    await erase(here)
    assert (await here.rig.store.get(raw)).cues == ("Kitchens are for people",)
    assert await here.mentions(WORD) == []
    (last,) = [m for m in (await here.kept()).values() if "Kitchens" in m.text]
    assert last.cues == ("My goats sleep in the kitchen",)


async def test_a_turn_without_text_takes_the_cues_of_its_episode(here: ErasureRig) -> None:
    await here.say(GROUP, "901", f"Where does a {WORD} sleep?")
    seq = await here.say(GROUP, "902", "My goats sleep in the kitchen")
    await here.work()
    here.rig.clock.at += 10
    await here.rig.journal.drop_texts(here.rig.clock.at, await here.rig.journal.scopes())
    await erase(here)
    assert (await here.rig.store.get(evidence_id(here.rig.journal.id, seq))).cues == ()


async def test_a_correction_by_them_leaves_no_text_on_what_it_corrected(here: ErasureRig) -> None:
    await here.rig.keep(f"Ann: it is a {WORD}", GROUP, id="hers", speaker=Speaker("901", "Ann"))
    await here.rig.keep(
        "Ben says it is a horse",
        GROUP,
        id="his",
        speaker=Speaker("902", "Ben"),
        successor=Successor("hers", Succession.CORRECTS),
        feedback=UserFeedback(accurate=False, correction=f"Ann: it is a {WORD}"),
    )
    await erase(here)
    (his,) = (await here.kept()).values()
    assert (his.id, his.recallable) == ("his", False)
    assert his.feedback == UserFeedback(accurate=False)


async def test_recalls_of_others_that_showed_it_are_emptied(here: ErasureRig) -> None:
    await here.say(GROUP, "901", f"My {WORD} sleeps behind the chapel")
    await here.work()
    seq = await here.say(GROUP, "902", f"Where does the {WORD} sleep, behind the chapel?")
    await here.rig.engine.recalls.recorded()
    recalled = await here.rig.journal.recollection("qq:group:5000")
    assert recalled.turn == seq
    assert WORD in recalled.block
    await erase(here)
    emptied = await here.rig.journal.recollection("qq:group:5000")
    assert (emptied.trace, emptied.block, emptied.injected) == ("", "", ())


async def test_choices_go_back_to_their_defaults_and_a_pause_stays(here: ErasureRig) -> None:
    consents = here.rig.engine.consents
    await consents.change(ANN, lambda _: Consent(paused=True, shared=True, keep_days=9.0))
    await consents.change(GROUP, lambda _: Consent(keep_days=9.0))
    await erase(here)
    assert await consents.of(ANN) == Consent(paused=True)
    assert await consents.of(GROUP) == Consent(keep_days=9.0)


async def test_what_would_go_is_what_goes_and_then_nothing_is_left_to_go(here: ErasureRig) -> None:
    await here.say(ANN, "901", "I love honey", "Bees, how nice")
    await here.say(GROUP, "901", "I love bees")
    await here.work()
    foreseen = await here.rig.engine.eraser.extent(person_in(ANN, "901"))
    assert foreseen == await erase(here)
    assert foreseen.memories > 2
    assert foreseen.turns == 3
    again = await erase(here)
    assert (again.memories, again.turns) == (0, 0)


async def test_the_erased_is_remembered_anew_and_work_goes_on(here: ErasureRig) -> None:
    await here.say(ANN, "901", "I keep bees behind the chapel")
    await here.work()
    await erase(here)
    await here.say(ANN, "901", "I keep bees behind the chapel")
    await here.work()
    assert {m.kind for m in (await here.kept()).values()} >= {Kind.EVIDENCE}
    here.rig.engine.start()
    await erase(here)
    await here.say(BEN, "902", "I keep goats behind the chapel")
    await until(here.kept)


async def test_an_answer_that_comes_after_the_erasure_is_not_written(here: ErasureRig) -> None:
    hers = await here.say(ANN, "901", f"What does a {WORD} eat?")
    his = await here.say(BEN, "902", "What do goats eat?")
    await erase(here)
    assert not await here.answer(ANN, hers, f"A {WORD} eats grass")
    assert await here.answer(BEN, his, "Everything")
    assert await here.mentions(WORD) == []


async def test_learning_revives_nothing(here: ErasureRig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, asked, gate = here.rig, list[Prompt](), asyncio.Event()
    rig.model.present = True

    async def complete(prompt: Prompt, *, session: str) -> Completion:
        asked.append(prompt)
        await gate.wait()
        return Completion(json.dumps(learnt(item(f"Ann keeps a {WORD}", 1))), 1)

    monkeypatch.setattr(rig.model, "complete", complete)
    rig.engine.start()
    await here.say(ANN, "901", f"I love {WORD}s", "How lovely")
    await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)
    rig.engine.wake()
    await until(lambda: asked)
    await erase(here)
    gate.set()
    await rig.settle()
    assert await here.kept() == {}
    assert await here.mentions(WORD) == []


async def test_a_recall_under_way_records_nothing_of_it_afterwards(here: ErasureRig) -> None:
    rig = here.rig
    await here.say(GROUP, "901", f"My {WORD} sleeps behind the chapel")
    await here.work()
    seq = await here.say(GROUP, "902", "And where do the goats sleep?")
    rig.embedder.gate = asyncio.Event()
    ask = RecallRequest(GROUP, f"Where does the {WORD} sleep, behind the chapel?", seq, asker="902")
    recall = asyncio.create_task(rig.engine.recalls.recall(ask))
    before = rig.embedder.calls
    await until(lambda: rig.embedder.calls > before)
    erasing = asyncio.create_task(erase(here))
    await until(lambda: waiting(here))
    rig.embedder.gate.set()
    recalled = await recall
    assert WORD in recalled.block
    await erasing
    await rig.engine.recalls.recorded()
    assert await here.mentions(WORD) == []


async def peopled(here: ErasureRig) -> None:
    """Ann and Ben in private and in a group, learnt from, corrected and injected."""
    await here.joined()
    consents = here.rig.engine.consents
    await consents.change(ANN, lambda _: Consent(paused=True, shared=True))
    await here.say(ANN, "901", f"I love {WORD}s", "How lovely")
    await here.say(ANN_ELSEWHERE, "ann", f"My {WORD} is ill")
    await here.say(GROUP, "901", f"My {WORD} pulls a green cart to market", f"A strong {WORD}!")
    await here.say(GROUP, "902", "My goats are whole goats", "They are")
    await here.work()
    await here.say(GROUP, "902", "Who pulls a green cart to market?")
    await here.rig.engine.recalls.recorded()
    recalled = await here.rig.journal.recollection("qq:group:5000")
    assert WORD in recalled.block
    await here.rig.keep("Ben: no", GROUP, id="hers", speaker=Speaker("901", "Ann"))
    corrected = UserFeedback(correction=f"It is a {WORD}")
    follows = Successor("hers", Succession.CORRECTS)
    await here.rig.keep("It is a horse", GROUP, id="his", successor=follows, feedback=corrected)


async def remains(here: ErasureRig) -> dict[str, object]:
    """All that is left, without what differs between any two journals."""
    journal = here.rig.journal
    said = [
        (turn.speaker.id, turn.text)
        for session in ("qq:private:901", "tg:private:ann", "qq:group:5000")
        for turn in await journal.last_turns(session, 99)
    ]
    told = [(m.kind, m.text, m.cues, m.feedback) for m in await here.rig.memories()]
    recalled = await journal.recollection("qq:group:5000")
    return {
        "said": said,
        "told": told,
        "recalled": recalled and (recalled.block, recalled.trace, len(recalled.injected)),
        "consents": await journal.consents(),
        "waiting": await waiting(here),
        "scopes": sorted(await journal.scopes()),
    }


async def interrupted(folder: Path, step: int, *, after: bool = False) -> tuple[int, object]:
    """Ann is erased, cut short at the step (0: not at all), and the worker ticks once.

    How many steps it took, and what is left.
    """
    fuse = Fuse(after=after)
    here = await erasure_rig(folder, fuse=fuse)
    await peopled(here)
    began = fuse.calls
    if step:
        fuse.blow_at = fuse.calls + step
        with pytest.raises(Interruption):
            await erase(here)
        # Before it was entered nothing has happened; then it is asked for again.
        if not await here.erase_later():
            await erase(here)
    else:
        await erase(here)
    steps, fuse.blow_at = fuse.calls - began, 0
    left = await remains(here)
    assert await here.mentions(WORD) == []
    await here.close()
    return steps, left


@pytest.mark.parametrize("after", [False, True], ids=["before the step", "after the step"])
async def test_interrupted_at_any_step_it_is_finished_by_the_worker(
    tmp_path_factory: pytest.TempPathFactory, after: bool
) -> None:
    steps, expected = await interrupted(tmp_path_factory.mktemp("clean"), 0)
    assert steps > 12
    # Before one step is after the one that went before it.
    for step in range(1, steps + 1, strength(2, 1)):
        folder = tmp_path_factory.mktemp(f"step{step}-")
        _, left = await interrupted(folder, step, after=after)
        assert left == expected, f"interrupted at step {step}"


async def test_a_wish_that_was_cut_short_is_granted_after_a_restart(tmp_path: Path) -> None:
    fuse = Fuse()
    here = await erasure_rig(tmp_path, fuse=fuse)
    await peopled(here)
    fuse.blow_at = fuse.calls + 9
    with pytest.raises(Interruption):
        await erase(here)
    await here.close()
    again = await erasure_rig(tmp_path)
    assert await waiting(again) == 1
    again.rig.engine.start()

    async def granted() -> bool:
        return not await waiting(again)

    await until(granted)
    # It is not over before the files are wiped.
    await again.rig.settle()
    assert await again.mentions(WORD) == []
    assert await again.rig.engine.consents.pause(ANN, "901") is Pause.PERSON
    await again.close()


async def test_two_who_are_erased_at_the_same_time_are_both_gone(here: ErasureRig) -> None:
    await here.say(GROUP, "901", f"I love {WORD}s")
    await here.say(GROUP, "902", "I keep goats behind the chapel")
    await here.work()
    await asyncio.gather(erase(here), erase(here, BEN))
    assert await here.kept() == {}
    assert await waiting(here) == 0


async def test_no_byte_of_it_is_left_on_disk(tmp_path: Path) -> None:
    here = await erasure_rig(tmp_path)
    await peopled(here)
    assert {"memories.db", "journal.db"} & {
        name.removesuffix("-wal") for name in await here.mentions(WORD)
    }
    await erase(here)
    assert await here.mentions(WORD) == []
    await here.close()
    assert files_with(tmp_path, WORD) == []


async def test_the_name_is_forgotten_until_the_person_speaks_again(here: ErasureRig) -> None:
    rig, account = here.rig, ("qq", "901")
    await here.say(ANN, "901", "Good morning to you")
    await here.say(GROUP, "901", "Good morning to all")
    chats = (ANN.owner, GROUP.owner)
    for chat in chats:
        assert account in await rig.engine.people.names([chat])
    await erase(here)
    assert account not in await rig.engine.people.names(chats)
    assert not any(account in names for names in (await rig.journal.names()).values())
    await here.say(ANN, "901", "Good morning to you")
    assert account in await rig.engine.people.names([ANN.owner])
    assert account not in await rig.engine.people.names([GROUP.owner])


async def test_work_of_who_was_erased_is_not_done_later(here: ErasureRig) -> None:
    await here.say(ANN, "901", f"I love {WORD}s")
    await erase(here)
    await here.rig.journal.close_silent(quiet_since=here.rig.clock.at, at=here.rig.clock.at)
    kinds = frozenset({WorkKind.INDEX_TURN, WorkKind.LEARN})
    due = here.rig.journal.due(here.rig.clock.at, kinds=kinds, limit=9, skip=frozenset())
    assert await due == []


async def test_an_admin_who_is_erased_is_named_in_no_memory_of_others(tmp_path: Path) -> None:
    here = await erasure_rig(tmp_path)
    rig, by = here.rig, "Annabel the boss (qq/901)"
    for number, scope in enumerate((BEN, GROUP, BEN)):
        await rig.keep(f"I keep goats in stable {number}", scope, id=f"goat{number}")
    await rig.engine.curation.forget(["goat0", "goat1"], by=by)
    await rig.engine.curation.restore(["goat1"], by=by)
    kept, by = partial(pinned, on=True), "Ann (tg/901)"
    await rig.engine.curation.apply(["goat2"], kept, "pinned", by=by)
    await erase(here)
    entries = [entry for n in range(3) for entry in await rig.journal.audit_of(f"goat{n}")]
    assert [entry.by for entry in entries] == [ERASED, ERASED, ERASED, "Ann (tg/901)"]
    assert {memory.standing.reason for memory in await rig.memories()} == {"by_hand", ""}
    await here.close()
    assert files_with(tmp_path, "Annabel") == []


async def test_who_binned_a_memory_stands_in_the_audit_log_alone(here: ErasureRig) -> None:
    await here.rig.keep("I keep goats", BEN, id="goat")
    (done,) = await here.rig.engine.curation.forget(["goat"], by="Annabel (901)")
    assert "Annabel" not in repr(done.after)
    (entry,) = await here.rig.journal.audit_of("goat")
    assert entry.by == "Annabel (901)"
