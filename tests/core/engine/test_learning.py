"""What an episode teaches: with a model, without one, when it fails, whatever it replies."""

import json
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.calibrator import Calibrator
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.errors import ModelTimedOut
from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Memory, Status, Succession
from astrbot_plugin_tidemark.core.model.times import utc_day
from astrbot_plugin_tidemark.core.ports import Completion, Filter, Prompt, WorkKind, WorkState
from astrbot_plugin_tidemark.core.ports.models import MOST_TOKENS
from astrbot_plugin_tidemark.core.records.learnt import memory_id
from astrbot_plugin_tidemark.core.settings import LearningSettings
from astrbot_plugin_tidemark.core.similarity.calibration import Scales, VectorScale
from astrbot_plugin_tidemark.core.text.token_count import estimate_tokens

from ...kit import DOWN, item, learnt
from ...rig import START, Rig
from ...samples import ANNS, DAY

RULES_READ_THIS = "我叫小林"


async def told(rig: Rig, text: str = "I keep bees in Bath") -> int:
    return await rig.say(ANNS, text)


async def test_one_episode_is_one_call_however_long(rig: Rig) -> None:
    for number in range(6):
        await rig.exchange(ANNS, f"Hive {number} is full", "Well done")
    memories = await rig.learn(learnt(item("Ann's hives are full", 1)))
    assert [m.text for m in memories] == ["Ann's hives are full"]
    assert len(rig.model.prompts) == 1
    assert len(rig.model.judging) == 1
    assert (await rig.journal.usage(utc_day(START))).calls == 2


async def test_after_a_reply_that_nobody_can_read_the_model_is_asked_once_more(rig: Rig) -> None:
    await told(rig)
    memories = await rig.learn("I would rather not", learnt(item("Ann keeps bees", 1)))
    assert [m.extractor for m in memories] == [Extractor.MODEL]
    assert len(rig.model.prompts) == 2
    assert rig.model.prompts[1].user.startswith(rig.model.prompts[0].user + "\n\nThe last reply")


async def test_a_model_that_is_down_is_asked_again_later(rig: Rig) -> None:
    await told(rig)
    assert await rig.learn(DOWN) == []
    assert (await rig.journal.backlog())[WorkKind.LEARN, WorkState.READY] == 1
    rig.clock.at += 10
    memories = await rig.learn(learnt(item("Ann keeps bees", 1)))
    assert [m.extractor for m in memories] == [Extractor.MODEL]
    assert "learn" in rig.engine.incidents.snapshot()


async def test_the_last_try_at_a_model_that_stays_down_uses_the_rules(rig: Rig) -> None:
    await told(rig, RULES_READ_THIS)
    for _ in range(LearningSettings().max_attempts):
        memories = await rig.learn(DOWN)
        rig.clock.at += 1800
    assert {m.extractor for m in memories} == {Extractor.RULES}
    assert await rig.journal.dead() == []
    assert len(rig.model.prompts) == LearningSettings().max_attempts


async def test_the_last_try_while_no_model_can_be_chosen_uses_the_rules(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unchosen(session: str) -> None:
        raise DOWN

    monkeypatch.setattr(rig.model, "choose", unchosen)
    await told(rig, RULES_READ_THIS)
    for _ in range(LearningSettings().max_attempts):
        memories = await rig.learn()
        rig.clock.at += 1800
    assert {m.extractor for m in memories} == {Extractor.RULES}
    assert await rig.journal.dead() == []


ANNS_CHAT = "qq:private:901"
LATE = ModelTimedOut("no answer in 120 s")
TOLD = ("My bees are in Bath", "My goat is in Wells", "My cat is in Cork", "My dog is in Deal")


async def told_at_length(rig: Rig) -> None:
    for text in TOLD:
        await rig.exchange(ANNS, text, "I see")


def facts(*places: int) -> dict[str, Any]:
    return learnt(
        *(item(TOLD[n].replace("My", "Ann's"), words=TOLD[n], about=["Ann"]) for n in places)
    )


def asked_about(rig: Rig) -> list[tuple[int, ...]]:
    """Of each call, the lines that it showed."""
    return [
        tuple(n for n, text in enumerate(TOLD) if text in prompt.user)
        for prompt in rig.model.prompts
    ]


async def test_after_a_time_out_each_half_is_asked_about_and_the_later_one_first(rig: Rig) -> None:
    await told_at_length(rig)
    halved = await rig.learn(LATE, facts(2, 3), facts(0, 1))
    assert asked_about(rig) == [(0, 1, 2, 3), (2, 3), (0, 1)]
    (episode,) = {turn.episode for turn in await rig.journal.last_turns(ANNS_CHAT, 8)}
    assert {m.text: m.id for m in halved} == {
        text.replace("My", "Ann's"): memory_id(rig.journal.id, episode, ordinal)
        for ordinal, text in enumerate(TOLD)
    }
    used = await rig.journal.usage(utc_day(START))
    assert used.calls == 3 + len(rig.model.judging)
    # What is asked is paid for, whether an answer comes or not.
    answered = rig.model.tokens * (used.calls - 1)
    assert used.tokens - answered == rig.model.prompts[0].tokens > 100
    incident = rig.engine.incidents.snapshot()["learn"]
    assert (incident.count, incident.text) == (1, "ModelTimedOut: no answer in 120 s")


async def test_a_verdict_that_takes_too_long_is_told_and_what_was_learnt_is_kept(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete = rig.model.complete

    async def late(prompt: Prompt, *, session: str) -> Completion:
        if prompt.name == "verdict":
            raise LATE
        return await complete(prompt, session=session)

    monkeypatch.setattr(rig.model, "complete", late)
    await rig.keep("Ann's hives are in Bath", ANNS)
    await rig.exchange(ANNS, "Where are my hives in Bath now? In Wells, you see", "I see")
    memories = await rig.learn(learnt(item("Ann's hives are in Wells", 1)))
    assert "Ann's hives are in Wells" in {m.text for m in memories}
    assert rig.engine.incidents.snapshot()["learn"].count == 1


async def test_a_half_that_takes_too_long_is_cut_at_the_next_try(rig: Rig) -> None:
    await told_at_length(rig)
    assert await rig.learn(LATE, LATE) == []
    rig.clock.at += 10
    memories = await rig.learn(facts(3), facts(2), facts(1), facts(0))
    assert len(memories) == len(TOLD)
    assert asked_about(rig) == [(0, 1, 2, 3), (2, 3), (3,), (2,), (1,), (0,)]


async def test_a_server_that_hangs_is_asked_at_most_twice_a_try(rig: Rig) -> None:
    await told_at_length(rig)
    for _ in range(3):
        await rig.learn(LATE)
        rig.clock.at += 1800
    assert asked_about(rig) == [(0, 1, 2, 3), (2, 3), (3,), (3,)]


@pytest.mark.parametrize("billed", [10, 0], ids=["billed", "estimated"])
class TestDailyCap:
    @pytest.fixture
    def changes(self) -> dict[str, object]:
        return {"learning": LearningSettings(daily_tokens=10)}

    @pytest.fixture(autouse=True)
    def bill(self, rig: Rig, billed: int) -> None:
        rig.model.tokens = billed

    async def test_past_the_cap_the_rules_read_and_the_next_day_the_model(self, rig: Rig) -> None:
        used = []
        for day in (0, 0, 1):
            rig.clock.at = START + day * 86_400 + 60 * len(used)
            before = len(rig.model.prompts)
            # Told again it would not be asked about.
            await told(rig, f"{RULES_READ_THIS}{'一二三'[len(used)]}")
            await rig.learn(learnt(item("Lin has a name", 1)))
            used.append(len(rig.model.prompts) - before)
        assert used == [1, 0, 1]

    async def test_a_repair_past_the_cap_is_not_asked_for(self, rig: Rig) -> None:
        await told(rig, RULES_READ_THIS)
        memories = await rig.learn("malformed")
        assert {m.extractor for m in memories} == {Extractor.RULES}
        assert len(rig.model.prompts) == 1


async def known_then_said(rig: Rig, reply: object) -> list:
    """Ann's hives are in Bath is known and injected as number 1; then the model replies."""
    await rig.keep("Ann's hives are in Bath", ANNS, id="old")
    await rig.exchange(ANNS, "Where are my hives in Bath now? In Wells, you see", "I see")
    return await rig.learn(reply)


async def test_a_correction_by_number_hides_the_old_memory_and_links_the_new(rig: Rig) -> None:
    await known_then_said(rig, learnt(item("Ann's hives are in Wells", 1, 2, corrects=1)))
    old = await rig.store.get("old")
    heir = await rig.store.get(old.successor.memory)
    assert (heir.text, old.successor.how) == ("Ann's hives are in Wells", Succession.CORRECTS)
    assert [(r.predicate, r.object) for r in heir.relations] == [("corrects", "old")]
    assert await rig.texts(ANNS, "Ann hives") == ["Ann's hives are in Wells"]
    assert "corrects" in [entry.action for entry in await rig.journal.audit_of("old")]


async def test_the_raw_turn_that_stated_a_corrected_fact_does_not_state_it_again(rig: Rig) -> None:
    await rig.exchange(ANNS, "My hives are in Bath", "Noted")
    await rig.learn(learnt(item("Ann's hives are in Bath", 1)))
    await rig.exchange(ANNS, "Where are my hives in Bath now? In Wells, you see", "I see")
    await rig.learn(learnt(item("Ann's hives are in Wells", 1, 2, corrects=1)))
    assert not [text for text in await rig.texts(ANNS, "hives in Bath") if "My hives" in text]


async def test_an_update_by_number_leaves_the_old_memory_in_recall(rig: Rig) -> None:
    await known_then_said(rig, learnt(item("Ann's hives are in Wells too", 1, 2, updates=1)))
    old = await rig.store.get("old")
    assert old.successor.how is Succession.UPDATES
    assert set(await rig.texts(ANNS, "Ann hives")) == {
        "Ann's hives are in Bath",
        "Ann's hives are in Wells too",
    }


async def test_a_value_that_is_so_no_longer_is_denied_though_the_model_names_it(rig: Rig) -> None:
    """Of "nicht mehr in Bath" it names the slot and Bath: with that it held for ever."""
    claim = Claim("@", "residence", "Bath", 1.0)
    await rig.keep("Ann wohnt in Bath", ANNS, id="old", claim=claim, about=("Ann",))
    await rig.exchange(ANNS, "Ich wohne nicht mehr in Bath", "Oh")
    told = item("Ann wohnt nicht mehr in Bath", 1, slot="city", value="Bath", updates=1)
    [new] = [m for m in await rig.learn(learnt(told)) if m.id != "old"]
    assert new.claim == Claim("@", "residence", "Bath", new.created_at, denied=True)
    assert not (await rig.store.get("old")).holds


async def test_a_correction_to_what_is_known_already_points_at_that(rig: Rig) -> None:
    await rig.keep("Ann's hives are in Wells", ANNS, id="true")
    await rig.keep("Ann's hives are in Bath", ANNS, id="old")
    said = "Where are my hives in Bath now? In Wells, you see"
    recalled, _ = await rig.exchange(ANNS, said, "I see")
    number = 1 + [memory.id for memory in recalled.memories].index("old")
    await rig.learn(learnt(item("Ann's hives are in Wells", 1, 2, corrects=number)))
    old = await rig.store.get("old")
    assert old.successor.memory == "true"


async def test_an_episode_is_learnt_once_and_a_statement_is_one_memory(rig: Rig) -> None:
    await told(rig)
    assert await rig.learn(learnt()) == []
    assert await rig.journal.backlog() == {}
    assert len(rig.model.prompts) == 1
    for _ in range(2):
        await told(rig)
        memories = await rig.learn(learnt(item("Ann keeps bees", 1), item("ann keeps BEES", 1)))
        rig.clock.at += 60
    assert [m.text for m in memories] == ["Ann keeps bees"]


async def test_a_reply_is_evidence_of_the_turn_it_answers_not_of_a_bystander(rig: Rig) -> None:
    await rig.say(ANNS, "How far is the chapel?")
    await rig.say(ANNS, "Nice weather today", Role.BYSTANDER)
    await rig.say(ANNS, "Two miles along the river", Role.ASSISTANT)
    await rig.settle()
    assert [m.text for m in await rig.memories(Kind.EVIDENCE)] == [
        "How far is the chapel?\n↳ Two miles along the river",
        "Nice weather today",
    ]


async def test_whether_the_bot_has_answered_in_the_open_episode_is_known(rig: Rig) -> None:
    first = await told(rig)
    await rig.say(ANNS, "Lovely", Role.ASSISTANT)
    second = await told(rig, "In Bath")
    assert not await rig.engine.answered_before("qq:private:901", first)
    assert await rig.engine.answered_before("qq:private:901", second)
    assert not await rig.engine.answered_before("elsewhere", second)


class TestOwnInstructions:
    @pytest.fixture
    def changes(self) -> dict[str, object]:
        return {"learning": LearningSettings(instructions="Never keep salaries")}

    async def test_the_model_is_told_what_the_owner_wants(self, rig: Rig) -> None:
        await told(rig)
        await rig.learn(learnt(item("Ann keeps bees", 1)))
        assert "<owner>\nNever keep salaries\n</owner>" in rig.model.prompts[0].system


@pytest.fixture
async def _chilly_passes(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    chilly = await rig.embedder.embed_query("such a chilly day")
    scale = VectorScale(np.asarray(-10 * chilly, np.float32), 5.0)
    never = VectorScale(np.zeros_like(chilly), -9.0)
    monkeypatch.setattr(Calibrator, "scales", lambda *asked: Scales(never, scale, never, never))


@pytest.mark.usefixtures("_chilly_passes")
async def test_a_raw_turn_weighs_what_its_vector_says_of_whether_it_lasts(rig: Rig) -> None:
    await told(rig, "such a chilly day")
    await told(rig)
    await rig.settle()
    await rig.embedded()
    await rig.learn(learnt())
    raw = await rig.memories(Kind.EVIDENCE)
    assert [memory.vitality.strength > 5 for memory in raw] == [False, True]


@pytest.mark.usefixtures("_chilly_passes")
async def test_a_model_that_picks_from_all_that_passes_is_shown_no_more_of_it(rig: Rig) -> None:
    careless = learnt(*(item("Ann is chilly", n) for n in (1, 2, 3, 4)), item("Ann has bees", 5))
    shown: list[int] = []
    for number in range(6):
        for text in (*["such a chilly day"] * 4, f"I have {number + 2} hives with bees"):
            await told(rig, text)
        await rig.settle()
        await rig.embedded()
        before = len(rig.model.prompts)
        await rig.learn(careless)
        prompts = [each.user for each in rig.model.prompts[before:] if each.name == "learn"]
        shown.append(prompts[0].count("chilly"))
    assert (shown[0], shown[-1]) == (4, 0)


SAID = "我叫小林，我喜欢抹茶"
GOOD = item("小林喜欢抹茶", 1)

UNREADABLE: dict[str, Any] = {
    "not json": "好的，我记住了！",
    "a list": "[1, 2, 3]",
    "a number": "1e999",
    "cut in its first memory": "```json\n" + json.dumps(learnt(GOOD))[:45] + "\n```",
    "another shape": {"remember": ["tea"]},
    "memories of text": {"memories": "tea"},
    "empty records": {"facts": [{}, {"words": "我喜欢抹茶"}]},
    "ten megabytes": "x" * 10_000_000,
    "ten megabytes of json": '{"memories": [' + "[[]," * 2_500_000,
    "nested": '{"memories": ' + "[" * 90_000 + "]" * 90_000 + "}",
}


@pytest.mark.parametrize("what", UNREADABLE)
async def test_an_unreadable_reply_leaves_the_raw_turn_and_the_rules(rig: Rig, what: str) -> None:
    await rig.say(ANNS, SAID)
    learned = await rig.learn(UNREADABLE[what])
    assert learned
    assert {memory.extractor for memory in learned} == {Extractor.RULES}
    assert [memory.text for memory in await rig.memories(Kind.EVIDENCE)] == [SAID]
    assert len(rig.model.prompts) == 2
    assert len(rig.model.prompts[1].user) < 50_000
    assert await rig.journal.dead() == []
    assert "抹茶" in (await rig.ask(ANNS, "我喜欢抹茶吗")).block


@pytest.mark.parametrize(
    ("billed", "counted"),
    [*((none, None) for none in (None, "12", 1.5, [], -5, 0)), (10**30, MOST_TOKENS), (7, 7)],
)
async def test_a_senseless_bill_does_not_undo_its_call_which_is_estimated(
    rig: Rig, billed: Any, counted: int | None
) -> None:
    rig.model.tokens = billed
    await rig.say(ANNS, SAID)
    learned = await rig.learn(learnt(GOOD))
    assert [memory.extractor for memory in learned] == [Extractor.MODEL]
    [prompt], usage = rig.model.prompts, await rig.journal.usage(utc_day(START))
    least = estimate_tokens(prompt.system + prompt.user)
    assert usage.calls == 1
    assert usage.tokens == counted if counted else least < usage.tokens < least + 500


HIVES = "I keep two bee hives in Bath"
MADE_UP = "Ann keeps 40 bee hives in Bath"


async def only(rig: Rig, text: str) -> Memory:
    (found,) = [memory for memory in await rig.memories() if memory.text == text]
    return found


async def made_up(rig: Rig) -> Memory:
    await rig.say(ANNS, HIVES)
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
    seq = await rig.say(ANNS, HIVES)
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
    seq = await rig.say(ANNS, HIVES)
    await rig.ask(ANNS, "bee hives", turn=seq)
    await rig.learn(learnt(item(MADE_UP, 1, corrects=1)))
    memory = await only(rig, MADE_UP)
    await rig.engine.curation.keep([memory.id], by="qq:901")
    (older,) = await rig.store.find([kept.id])
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
