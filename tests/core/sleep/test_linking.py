"""Names said to be one person's are one to recall and to merging, until it is undone."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.slots import own
from astrbot_plugin_tidemark.core.model.conversation import Scope
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Entity
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.model.sleeping import Decided, Deed, Undone
from astrbot_plugin_tidemark.core.records.names import (
    by_one_name,
    linked_names,
    other_names,
    stated_names,
)
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings

from ...kit import item, learnt
from ...rig import START, Rig, open_rig
from ...samples import ANN, ANNS, BEN, GROUP, memory


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, Settings(recall=RecallSettings(deadline_ms=10_000)))
    rig.model.present = False
    rig.engine.start()
    yield rig
    await rig.engine.close()


async def slept(rig: Rig, scope: Scope = ANNS) -> list[Decided]:
    rig.clock.at += 1
    await rig.sleep(patience=20.0)
    newest = (await rig.journal.reports([scope.key]))[:1]
    every = [d for sleep in newest for d in await rig.journal.decisions(sleep.id)]
    return [each for each in every if each.decision.deed is Deed.LINKED and each.at == rig.clock.at]


def naming(who: str, called: str, **changes: Any) -> dict[str, Any]:
    claim = Claim(who, "nickname", called, START)
    return {"claim": claim, "speaker": ANN, **changes}


async def test_a_nickname_that_was_told_finds_the_person_until_undone(rig: Rig) -> None:
    await rig.keep("王建国上个月搬到了青岛", ANNS, id="m2", entities=(Entity("王建国", "王建国"),))
    await rig.say(ANNS, "我有个同事叫王建国，我们都叫他老王")
    called = item("王建国也叫老王", 1, who="王建国", slot="nickname", value="老王")
    rig.model.present = True
    rig.model.answers = [learnt(called)]
    [decided] = await slept(rig)
    [telling] = await rig.store.find(decided.decision.memories)
    assert telling.text == "王建国也叫老王"
    assert await linked_names(rig.store, rig.journal, {ANNS.key}) == {
        "老王": {"王建国"},
        "王建国": {"老王"},
    }
    assert "王建国上个月搬到了青岛" in await rig.texts(ANNS, "老王现在在哪儿？")
    assert await slept(rig) == []
    for _ in range(2):
        assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    assert await linked_names(rig.store, rig.journal, {ANNS.key}) == {}
    assert await slept(rig) == []
    assert await linked_names(rig.store, rig.journal, {ANNS.key}) == {}


async def test_a_link_goes_with_its_memory_and_speakers_stay_two(rig: Rig) -> None:
    plain = {"kind": Kind.SEMANTIC}
    await rig.keep("Ann likes tea", GROUP, id="a", speaker=ANN, **plain)
    await rig.keep("Ben likes tea", GROUP, id="b", speaker=BEN, **plain)
    await rig.keep("Ben is also called Ann", GROUP, id="c", **naming("ben", "Ann"))
    assert await slept(rig, GROUP) == []
    kept = await rig.keep("Robert is also called Bob", ANNS, **naming("robert", "Bob"))
    assert len(await slept(rig)) == 1
    assert "bob" not in (await rig.journal.mark(ANNS.key, "linking")).casefold()
    await rig.engine.curation.forget([kept.id], by="Ann")
    assert await linked_names(rig.store, rig.journal, {ANNS.key}) == {}


async def test_what_is_told_under_both_names_becomes_one_memory_and_two_again(rig: Rig) -> None:
    await rig.keep("Robert is also called Bob", ANNS, **naming("robert", "Bob"))
    for id, name in (("m2", "Robert"), ("m3", "Bob")):
        claim = Claim(name.lower(), "hobby", "chess", START)
        about = {"about": (name,), "claim": claim, "speaker": ANN}
        await rig.keep(f"{name} plays chess", ANNS, id=id, kind=Kind.SEMANTIC, **about)
    await slept(rig)
    [sleep] = (await rig.journal.reports([ANNS.key]))[:1]
    [merged] = [
        each for each in await rig.journal.decisions(sleep.id) if each.decision.deed is Deed.MERGED
    ]
    assert merged.decision.memories[1:] == ("m2", "m3")
    assert await rig.engine.pipeline.undo(merged.id) is Undone.DONE
    assert all(each.recallable for each in await rig.store.find(["m2", "m3"]))


def test_one_who_shares_a_nickname_is_not_the_other() -> None:
    assert stated_names(memory(claim=Claim("robert", "nickname", "Bob", 1.0))) == ("robert", "bob")
    assert stated_names(memory(claim=Claim(own("", "sister"), "name", "Ruth", 1.0))) is None
    assert stated_names(memory(claim=Claim("robert", "job", "cook", 1.0))) is None
    assert by_one_name({"bob": {"robert"}, "robert": {"bob"}}) == {"robert": "bob"}
    shared = {"bob": {"robert", "bobby"}, "robert": {"bob"}, "bobby": {"bob"}}
    assert by_one_name(shared) == {}
    assert other_names([]) == {}


@pytest.mark.parametrize("mark", ["{", "7", '{"a": 1}'])
async def test_a_damaged_mark_costs_no_recall_and_is_written_anew(rig: Rig, mark: str) -> None:
    await rig.keep("Robert is also called Bob", ANNS, **naming("robert", "Bob"))
    await rig.journal.set_mark(ANNS.key, "linking", mark)
    assert await linked_names(rig.store, rig.journal, {ANNS.key}) == {}
    await slept(rig)
    assert "bob" in await linked_names(rig.store, rig.journal, {ANNS.key})
