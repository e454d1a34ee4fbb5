"""What the bot was shown of somebody's private memories in a group never becomes the group's."""

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.actions import tools
from astrbot_plugin_tidemark.core.actions.tools import StoredFact, ToolContext, ToolRefusal
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.consent import person_in
from astrbot_plugin_tidemark.core.model.conversation import (
    NewTurn,
    Place,
    Role,
    Scope,
    ScopeKind,
    Speaker,
    reply_id,
)
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Origin, Source, Succession
from astrbot_plugin_tidemark.core.recall.trace import Drop, Recalled
from astrbot_plugin_tidemark.core.records.learnt import replaced_by
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings
from astrbot_plugin_tidemark.storage import open_journal

from ...kit import item, learnt
from ...rig import Rig, drops, open_rig
from ...samples import ANN, BEN, GROUP

ANNS = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
BENS = Scope(ScopeKind.PRIVATE, "qq", "902", "default")
HERE = Place("qq:GroupMessage:5000", "c1", GROUP.key)
BEES = "Ann keeps bees behind the chapel"
HOUR = 3_600.0


async def shares(rig: Rig, *texts: str) -> None:
    """Ann lets her private memories be used in groups; these are some."""
    person = person_in(ANNS, ANN.id)
    await rig.engine.consents.change(person, lambda consent: replace(consent, shared=True))
    for number, text in enumerate(texts or (BEES,)):
        await rig.keep(text, ANNS, id=f"anns-{number}")


async def says(rig: Rig, who: Speaker, text: str, where: Place = HERE) -> int:
    rig.clock.at += 1
    turn = NewTurn(where, Role.USER, who, text, rig.clock.at)
    return (await rig.engine.observe(turn)).turn.seq


async def answers(rig: Rig, to: int, text: str, where: Place = HERE) -> int:
    rig.clock.at += 1
    turn = NewTurn(where, Role.ASSISTANT, Speaker("bot", ""), text, rig.clock.at)
    written = await rig.engine.answer(turn, to=to)
    return written.turn.seq


async def shown(rig: Rig, who: Speaker, text: str, where: Place = HERE) -> tuple[int, Recalled]:
    """Somebody asks in the group; the message and what the model is shown for it."""
    seq = await says(rig, who, text, where)
    ask = RecallRequest(Scope.parse(where.scope), text, seq, asker=who.id, place=where)
    recalled = await rig.engine.recalls.recall(ask)
    assert recalled is not None
    return seq, recalled


async def told(rig: Rig, who: Speaker = ANN, where: Place = HERE) -> int:
    """Ann is told in the group where her bees are; the bot's turn."""
    seq, recalled = await shown(rig, who, "Where do I keep my bees?", where)
    assert BEES in recalled.block
    return await answers(rig, seq, "Behind the chapel, Ann. Rain is coming, take coats.", where)


async def repeated(rig: Rig, where: Place = HERE) -> int:
    """Hours later Ben has the bot repeat it out of the host's history; the bot's turn."""
    rig.clock.at += 2 * HOUR
    await rig.engine.jobs.tick()
    seq, recalled = await shown(rig, BEN, "What did you just tell Ann?", where)
    assert "chapel" not in recalled.block
    return await answers(rig, seq, "That her hives stand by the chapel wall.", where)


async def is_private_reply(rig: Rig, seq: int) -> bool:
    turn = await rig.journal.turn(seq)
    return turn.private_reply


async def groups_own(rig: Rig) -> str:
    """All that is stored in the group's scopes, and all that a model was given to learn from."""
    await rig.settle()
    await rig.sleep()
    kept = [asdict(m) for m in await rig.memories() if Scope.parse(m.scope).kind is GROUP.kind]
    return repr(kept) + "".join(prompt.user for prompt in rig.model.prompts)


def locked(folder: Path) -> sqlite3.Connection:
    """The journal, held by somebody else's transaction until this is closed."""
    other = sqlite3.connect(folder / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


@pytest.fixture
async def hurried(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, Settings(recall=RecallSettings(deadline_ms=800)))
    yield rig
    await rig.engine.close()


async def test_what_cannot_be_recorded_in_time_is_not_shown(hurried: Rig, tmp_path: Path) -> None:
    await shares(hurried)
    await hurried.keep("We keep bees behind the mill", GROUP, id="hive")
    seq = await says(hurried, ANN, "Where do I keep my bees?")
    await hurried.engine.consents.of(ANNS)
    for turn in (seq, None):
        with closing(locked(tmp_path)):
            ask = RecallRequest(GROUP, "Where do I keep my bees?", turn, asker=ANN.id, place=HERE)
            recalled = await hurried.engine.recalls.recall(ask)
        assert "mill" in recalled.block
        assert "chapel" not in recalled.block
        assert [memory.id for memory in recalled.memories] == ["hive"]
        assert Drop.UNRECORDED in drops(recalled).values()


async def test_a_turn_that_is_not_on_disk_yet_taints_all_the_same(rig: Rig) -> None:
    await shares(rig)
    question = "Where do I keep my bees?"
    recalled = await rig.engine.recalls.recall(
        RecallRequest(GROUP, question, None, asker=ANN.id, place=HERE)
    )
    assert BEES in recalled.block
    seq = await says(rig, ANN, question)
    assert await is_private_reply(rig, await answers(rig, seq, "Behind the chapel."))
    assert "chapel" not in await groups_own(rig)


async def test_where_it_is_unknown_what_chat_it_is_nothing_private_is_shown(rig: Rig) -> None:
    await shares(rig)
    recalled = await rig.engine.recalls.recall(
        RecallRequest(GROUP, "Where are my bees?", None, asker=ANN.id)
    )
    assert recalled.block == ""


async def test_it_is_on_disk_before_the_model_sees_it(rig: Rig, tmp_path: Path) -> None:
    await shares(rig)
    await shown(rig, ANN, "Where do I keep my bees?")
    # As a process finds it that comes after a kill at this moment.
    with closing(sqlite3.connect(tmp_path / "journal.db")) as other:
        found = other.execute("SELECT conversation FROM disclosures ORDER BY 1").fetchall()
    assert found == [("",), ("c1",)]


async def test_what_the_bot_repeats_in_a_later_episode_is_reserved(rig: Rig) -> None:
    await shares(rig)
    first, later = await told(rig), await repeated(rig)
    assert await is_private_reply(rig, first)
    assert await is_private_reply(rig, later)
    assert (await rig.journal.turn(first)).episode != (await rig.journal.turn(later)).episode
    own = await groups_own(rig)
    assert "What did you just tell Ann?" in own
    assert "chapel" not in own


async def test_another_persona_has_the_same_history_and_no_other_session(rig: Rig) -> None:
    await shares(rig)
    await told(rig)
    poet = replace(HERE, scope=replace(GROUP, persona="poet").key)
    assert await is_private_reply(rig, await repeated(rig, poet))
    bens = replace(HERE, session="qq:GroupMessage:902_5000")
    assert not await is_private_reply(rig, await repeated(rig, bens))


async def test_a_reset_ends_it_for_what_comes_after(rig: Rig) -> None:
    await shares(rig)
    await told(rig)
    await rig.journal.history_gone(HERE, whole=True)
    seq = await says(rig, BEN, "Who mends fences?")
    assert not await is_private_reply(rig, await answers(rig, seq, "Olga from the village."))
    own = await groups_own(rig)
    assert "Olga" in own
    assert "chapel" not in own


async def test_a_conversation_that_was_only_left_can_be_gone_back_to(rig: Rig) -> None:
    await shares(rig)
    await told(rig)
    new = replace(HERE, conversation="c2")
    await rig.journal.history_gone(new, whole=True)
    seq = await says(rig, BEN, "Who mends fences?", new)
    assert not await is_private_reply(rig, await answers(rig, seq, "Olga from the village.", new))
    assert await is_private_reply(rig, await repeated(rig))


async def test_a_conversation_whose_name_came_late_is_known_by_its_answer(rig: Rig) -> None:
    await shares(rig)
    nameless, named = replace(HERE, conversation=""), replace(HERE, conversation="c1")
    seq, _ = await shown(rig, ANN, "Where do I keep my bees?", nameless)
    await answers(rig, seq, "Behind the chapel.", named)
    await rig.journal.history_gone(replace(HERE, conversation="c2"), whole=True)
    assert await is_private_reply(rig, await repeated(rig))


async def test_an_answer_that_was_under_way_during_a_reset_is_reserved(rig: Rig) -> None:
    await shares(rig)
    seq, _ = await shown(rig, ANN, "Where do I keep my bees?")
    await rig.journal.history_gone(HERE, whole=True)
    turn = NewTurn(HERE, Role.ASSISTANT, Speaker("bot", ""), "By the chapel.", rig.clock.at)
    late = replace(turn, disclosed=frozenset({ANNS.owner}))
    written = await rig.engine.answer(late, to=seq)
    assert written.turn.private_reply
    assert await is_private_reply(rig, await repeated(rig))


async def test_nothing_is_learnt_from_reserved_answers(rig: Rig) -> None:
    await shares(rig)
    await told(rig)
    await shown(rig, ANN, "My coat has a hole since the fair")
    lesson = learnt(
        item("Ann keeps bees behind the chapel", 2), item("Ann asked after her hives", 1, 2)
    )
    (kept,) = [m for m in await rig.learn(lesson) if m.scope == GROUP.key]
    assert kept.text == "Ann asked after her hives"
    assert len(kept.origin.turns) == 1


# --- the tools ----------------------------------------------------------------------------


async def tool_context(rig: Rig, who: Speaker, text: str) -> ToolContext:
    seq, recalled = await shown(rig, who, text)
    return ToolContext(GROUP, HERE, who, seq, recalled)


FACTS = {
    "Ann has HIV": ("Ann has HIV", "Ann is HIV positive", "安感染了艾滋病", "Ann's HIV"),
    "小雨怀孕了": ("小雨怀孕了", "小雨有喜了", "Xiaoyu is pregnant"),
    "Ann's salary is 84000": ("Ann makes 84k", "Ann earns 84000 a year"),
}


@pytest.mark.parametrize(
    ("fact", "said"), [(fact, said) for fact, every in FACTS.items() for said in every]
)
async def test_the_tool_stores_no_paraphrase_of_a_show(rig: Rig, fact: str, said: str) -> None:
    await shares(rig, fact)
    mine = await tool_context(rig, ANN, f"{fact[:4]}: HIV, 怀孕, my salary?")
    assert mine.earlier.memories
    assert await tools.remember(said, mine, rig.engine) is ToolRefusal.PRIVATE
    bens = await tool_context(rig, BEN, "And what about her, does Ann have HIV or earn 84000?")
    assert await tools.remember(said, bens, rig.engine) is ToolRefusal.PRIVATE
    assert all(m.kind is Kind.EVIDENCE for m in await rig.memories() if m.scope == GROUP.key)


async def test_the_tool_keeps_what_people_say_themselves_or_said_before(rig: Rig) -> None:
    await shares(rig)
    await told(rig)
    mine = await tool_context(rig, ANN, "Listen. I am allergic to nuts! What else?")
    answer = await tools.remember("Ann is allergic to nuts and has bees", mine, rig.engine)
    assert isinstance(answer, StoredFact)
    (kept,) = [m for m in await rig.memories(Kind.SEMANTIC) if m.scope == GROUP.key]
    assert (kept.text, kept.source) == ("I am allergic to nuts!", Source.USER)
    assert (kept.speaker, kept.about) == (ANN, ("Ann",))
    await says(rig, ANN, "I am allergic to nuts")
    mine = await tool_context(rig, ANN, "Please remember that")
    assert isinstance(await tools.remember("Ann is allergic to nuts", mine, rig.engine), StoredFact)


async def block(rig: Rig, by: ToolContext) -> str:
    found = await tools.recall_memory("bees", by, rig.engine)
    return found.block


async def test_looking_something_up_in_a_group_taints_as_well(rig: Rig) -> None:
    await shares(rig)
    seq = await says(rig, ANN, "Look it up")
    mine = ToolContext(GROUP, HERE, ANN, seq)
    assert BEES in await block(rig, mine)
    assert await is_private_reply(rig, await answers(rig, seq, "By the chapel."))
    assert await is_private_reply(rig, await repeated(rig))


async def test_looking_up_taints_and_outside_a_turn_finds_nothing_private(rig: Rig) -> None:
    await shares(rig)
    assert BEES in await block(rig, ToolContext(GROUP, HERE, ANN))
    assert (
        await tools.remember(BEES, ToolContext(GROUP, HERE, BEN), rig.engine) is ToolRefusal.PRIVATE
    )
    group = replace(GROUP, subject=ANN.id)
    place = Place(f"qq:GroupMessage:{ANN.id}", "c1", group.key)
    task = ToolContext(group, place, Speaker(ANN.id, "Scheduler"), scheduled=True)
    assert await block(rig, task) == ""
    assert await tools.remember("Ann keeps bees", task, rig.engine) is ToolRefusal.NOBODY_SPEAKS


# --- sharing off, forgetting, going back ----------------------------------------------------


async def slipped(rig: Rig) -> list[str]:
    """What an earlier version made of two answers: evidence, a cue, a lesson, a tool's note."""
    first, later = await told(rig), await repeated(rig)
    after = await says(rig, BEN, "Thank you, noted")
    await rig.settle()
    asked = (await rig.journal.turn(later)).message_id.removeprefix(reply_id(0)[:-1])
    evidence = [m for m in await rig.memories(Kind.EVIDENCE) if m.scope == GROUP.key]
    for memory in evidence:
        if int(asked) in memory.origin.turns:
            text = f"{memory.text}\n↳ That her hives stand by the chapel wall."
            await rig.store.amend([memory.id], lambda m, text=text: replace(m, text=text))
        if after in memory.origin.turns:
            cue = "That her hives stand by the chapel wall."
            await rig.store.amend([memory.id], lambda m, cue=cue: replace(m, cues=(*m.cues, cue)))
    at = (await rig.journal.turn(first)).at
    origin = Origin(HERE.session, HERE.conversation)
    await rig.keep("Bees live at the chapel", GROUP, id="lesson", origin=Origin(turns=(first,)))
    await rig.keep(
        "Hives: chapel",
        GROUP,
        id="tool",
        extractor=Extractor.TOOL,
        source=Source.INFERRED,
        origin=origin,
        created_at=at,
    )
    await rig.keep("The choir meets on Friday", GROUP, id="choir", origin=origin)
    return [m.id for m in evidence]


async def test_taking_back_removes_what_slipped_through_of_one_alone(rig: Rig) -> None:
    await shares(rig)
    evidence = await slipped(rig)
    assert await rig.engine.unsharing.purge(frozenset({BENS.owner})) == 0
    own = {m.id for m in await rig.memories() if m.scope == GROUP.key}
    assert own == {*evidence, "choir", "tool", "lesson"}
    await rig.engine.unsharing.queue(frozenset({ANNS.owner}))
    await rig.settle()
    own = [m for m in await rig.memories() if m.scope == GROUP.key]
    assert [m for m in own if "chapel" in repr(m)] == []
    assert {m.id for m in own} == {*evidence, "choir"}
    texts = [t.text for t in await rig.journal.last_turns(HERE.session, 10)]
    assert texts == ["Where do I keep my bees?", "What did you just tell Ann?", "Thank you, noted"]
    assert await is_private_reply(rig, await repeated(rig)), "the host's history is still there"


async def test_a_memory_that_a_slip_had_replaced_is_itself_again(rig: Rig) -> None:
    await shares(rig)
    old = await rig.keep("Ann keeps bees at the mill", GROUP, id="old")
    await slipped(rig)
    how = Succession.CORRECTS
    await rig.store.amend([old.id], lambda m: replaced_by(m, "lesson", how, "At the chapel", 9.0))
    await rig.engine.unsharing.purge(frozenset({ANNS.owner}))
    again = await rig.store.get(old.id)
    assert (again.successor, again.feedback) == (None, old.feedback)


WEB = Scope(ScopeKind.PRIVATE, "web", "ann", "default")
THERE = Place("web:FriendMessage:ann", "c9", WEB.key)


async def joined(rig: Rig) -> int:
    """The bot tells one account of a person what the other has said; the bot's turn."""
    for account in (ANNS, WEB):
        await rig.journal.set_alias(account.platform, account.subject, "ann")
    await rig.keep(BEES, ANNS, id="bees")
    seq, recalled = await shown(rig, Speaker("ann", "Ann"), "Where do I keep my bees?", THERE)
    assert BEES in recalled.block
    return await answers(rig, seq, "Behind the chapel, Ann. Rain is coming, take coats.", THERE)


async def test_what_a_joined_account_hears_of_the_other_is_not_learnt_there(rig: Rig) -> None:
    assert await is_private_reply(rig, await joined(rig))
    await rig.settle()
    await rig.sleep()
    there = [asdict(m) for m in await rig.memories() if m.scope == WEB.key]
    prompts = "".join(prompt.user.partition("web:")[2] for prompt in rig.model.prompts)
    assert "take coats" not in repr(there) + prompts
    asked = ToolContext(WEB, THERE, Speaker("ann", "Ann"))
    stored = await tools.remember("Her bees are at the chapel", asked, rig.engine)
    assert stored is ToolRefusal.PRIVATE


async def test_an_account_s_own_memories_taint_nothing_in_its_own_chat(rig: Rig) -> None:
    await rig.journal.set_alias("qq", "901", "ann")
    await rig.journal.set_alias("web", "ann", "ann")
    await rig.keep(BEES, ANNS, id="bees")
    home = Place("qq:FriendMessage:901", "c2", ANNS.key)
    seq, recalled = await shown(rig, ANN, "Where do I keep my bees?", home)
    assert BEES in recalled.block
    assert not await is_private_reply(rig, await answers(rig, seq, "Behind the chapel.", home))


async def test_parted_accounts_keep_nothing_that_they_heard_of_one_another(rig: Rig) -> None:
    reply = await joined(rig)
    turn = await rig.journal.turn(reply)
    assert turn is not None
    await rig.keep("Bees: chapel", WEB, id="slip", origin=Origin(turns=(reply,)))
    await rig.engine.unsharing.purge(frozenset({ANNS.owner}), in_groups=True)
    assert await rig.journal.turn(reply) is not None, "they are still one person"
    await rig.journal.set_alias("web", "ann", None)
    await rig.engine.unsharing.queue(frozenset({ANNS.owner, WEB.owner}))
    await rig.settle()
    assert await rig.journal.turn(reply) is None
    assert await rig.store.find(["slip"]) == []
    assert (await rig.store.get("bees")).text == BEES


async def test_who_is_forgotten_leaves_no_answer_to_others_behind(rig: Rig) -> None:
    await shares(rig)
    await told(rig)
    await repeated(rig)
    await rig.settle()
    await rig.engine.eraser.erase(person_in(ANNS, ANN.id))
    texts = [t.text for t in await rig.journal.last_turns(HERE.session, 10)]
    assert texts == ["What did you just tell Ann?"]
    assert await is_private_reply(rig, await repeated(rig)), "the host's history is still there"


async def test_no_account_is_named_where_disclosures_are_kept(rig: Rig) -> None:
    await shares(rig)
    await told(rig)
    kept = repr(await rig.journal.every_disclosure())
    # Not as a part of a time.
    assert re.search(r"(?<![\d.])901(?!\d)", kept) is None
    assert "GroupMessage" not in kept


async def test_going_back_to_an_old_journal_forgets_no_disclosure(rig: Rig, tmp_path: Path) -> None:
    await shares(rig)
    (tmp_path / "older").mkdir()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as now:
        now.execute("VACUUM INTO ?", (str(tmp_path / "older" / "journal.db"),))
    await told(rig)
    older = await open_journal(tmp_path / "older")
    try:
        await older.adopt(await rig.journal.every_disclosure())
        assert await older.disclosed(HERE)
        await older.adopt(await rig.journal.every_disclosure())
        assert await older.every_disclosure() == await rig.journal.every_disclosure()
    finally:
        await older.close()
