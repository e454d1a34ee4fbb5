"""Settings and prompts: listed, shown, changed and given back in the chat; no key is shown."""

import sys
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.actions.configuration import CHANGED
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.memory import LEARNT
from astrbot_plugin_tidemark.core.ports import Filter, Journal
from astrbot_plugin_tidemark.core.prompts.instructions import LONGEST, catalogue
from astrbot_plugin_tidemark.core.settings import SETTINGS, Configuration, configure
from astrbot_plugin_tidemark.tests.kit import ScriptedModel

from ...commands.web.page import asked, data
from ..command_rig import ANN, BEN, CommandRig, admin, in_group

BOSS = admin(ANN)
CHEF = replace(BOSS, language="zh")


@dataclass
class Office:
    """A rig whose settings come from a document and from what is changed by command."""

    rig: CommandRig
    document: dict[str, Any] = field(default_factory=lambda: {"display": {"timezone": "UTC"}})

    @property
    def journal(self) -> Journal:
        return self.rig.engine.journal

    async def reconfigure(self) -> Configuration:
        """As the plugin's shell does it: a new engine over the same files."""
        configuration = configure(self.document, await self.journal.overrides())
        parts = replace(self.rig.engine.parts, settings=configuration.settings)
        self.rig.engine = MemoryEngine(parts)
        self.rig.services = replace(
            self.rig.services, configuration=configuration, reconfigure=self.reconfigure
        )
        return configuration

    async def config(self, argument: str, *, chinese: bool = False) -> str:
        return await self.rig.ask("config", argument, by=CHEF if chinese else BOSS)

    async def save(self, document: dict[str, Any]) -> None:
        """What the host's form does."""
        self.document = {"display": {"timezone": "UTC"}} | document
        await self.reconfigure()


@pytest.fixture
async def office(rig: CommandRig) -> Office:
    office = Office(rig)
    await office.reconfigure()
    return office


async def test_a_preset_changes_several_settings_and_says_which(office: Office) -> None:
    assert "balanced (in force)" in await office.config("preset")
    answer = await office.config("preset listen")
    assert answer.splitlines()[0] == "In force: listen."
    assert "recall.enabled: true → false" in answer
    assert not office.rig.engine.settings.recall.enabled
    assert "只听不说（现在这样）" in await office.config("preset", chinese=True)
    await office.config("preset 安静", chinese=True)
    assert office.rig.engine.settings.recall.eagerness == "quiet"
    await office.config("preset balanced")
    assert await office.journal.overrides() == {}
    assert (await office.config("preset loud")).startswith("Usage: ")


async def test_the_list_shows_every_group_with_the_number_of_its_settings(office: Office) -> None:
    lines = (await office.config("list")).splitlines()
    assert lines[0] == "Groups of settings (/memory config list GROUP):"
    assert lines[1] == "recall (Recall): 10"
    groups = list(dict.fromkeys(name.partition(".")[0] for name in SETTINGS))
    assert [line.partition(" ")[0] for line in lines[1:]] == groups
    await office.save({"recall": {"deadline_ms": 900}})
    await office.config("set recall.budget_tokens 100")
    assert "recall (Recall): 10, of which 2 not at the default" in await office.config("list")


async def test_a_group_is_listed_with_values_and_origins(office: Office) -> None:
    await office.save({"recall": {"deadline_ms": 900}})
    await office.config("set recall.enabled off")
    assert (await office.config("list recall")).splitlines() == [
        "What is put in front of the model in each turn",
        "recall.enabled = false (changed at run time)",
        "recall.deadline_ms = 900 (from the file)",
        "recall.budget_tokens = 800 (default)",
        "recall.eagerness = balanced (default)",
        "recall.fusion = weighted (default)",
        "recall.meaning_weight = 1 (default)",
        "recall.graph_weight = 1 (default)",
        "recall.profile = private (default)",
        "recall.rerank_provider = (empty) (default)",
        "recall.rerank_model = (empty) (default)",
    ]


async def test_a_group_within_a_group_is_listed_and_an_unknown_is_not(office: Office) -> None:
    answer = await office.config("list decay.override")
    assert "decay.override.useful_boost = 1 (default)" in answer
    assert "decay.bin_days" not in answer
    expected = "There is no setting “‹xyzzy›”. All settings: /memory config list"
    for action in ("get <xyzzy>", "list <xyzzy>"):
        assert await office.config(action) == expected


async def test_every_group_fits_and_every_setting_can_be_shown(office: Office) -> None:
    for group in {name.partition(".")[0]: name for name in SETTINGS}:
        for chinese in (False, True):
            assert not (await office.config(f"list {group}", chinese=chinese)).endswith("…")
    for name in SETTINGS:
        for chinese in (False, True):
            lines = (await office.config(f"get {name}", chinese=chinese)).splitlines()
            assert lines[0].startswith(f"{name} = ")
            assert len(lines) >= 4


async def test_one_setting_is_explained_in_the_callers_language(office: Office) -> None:
    assert (await office.config("get backup.keep")).splitlines() == [
        "backup.keep = 7 (default)",
        "Backups kept",
        "Older daily ones are deleted; those made by hand are not; 1 to 365. "
        "Lower it where the disk is small",
        "Default: 7. Values: a whole number 1..365",
    ]
    assert (await office.config("get backup.keep", chinese=True)).splitlines() == [
        "backup.keep = 7（默认）",
        "保留几份",
        "更早的每日备份自动删除；手动备份不会自动删除；1 至 365。盘小的人调低",
        "默认：7；取值：1 至 365 的整数",
    ]
    answer = await office.config("get display.language")
    assert "Values: one of auto (automatic), zh (Chinese), en (English)" in answer


async def test_a_change_tells_old_and_new_value_and_outlives_another_file(office: Office) -> None:
    answer = await office.config("set backup.keep 5")
    assert answer == "In force now:\nbackup.keep: 7 → 5 (changed at run time)"
    assert office.rig.engine.settings.backup.keep == 5
    await office.config("set decay.bin_days 7.5")
    await office.save({"decay": {"bin_days": 90}})
    assert office.rig.engine.settings.decay.bin_days == 7.5


async def test_a_change_tells_who_made_it_and_a_reset_goes_back(office: Office) -> None:
    await office.save({"backup": {"keep": 3}})
    await office.config("set backup.keep 5")
    last = (await office.config("get backup.keep")).splitlines()[-1]
    assert last == "Changed by Ann (901), 2025-06-15 15:06; otherwise it would be 3"
    answer = await office.config("reset backup.keep")
    assert answer == "In force now:\nbackup.keep: 5 → 3 (from the file)"
    assert office.rig.engine.settings.backup.keep == 3
    assert await office.journal.overrides() == {}


async def test_who_changed_it_in_a_group_is_not_told_by_that_card_elsewhere(office: Office) -> None:
    card = replace(in_group(BOSS), name="Choir of the ill")
    await office.rig.ask("config", "set backup.keep 5", by=card)
    elsewhere = replace(in_group(admin(BEN)), scope=replace(card.scope, subject="6000"))
    told = (await office.rig.ask("config", "get backup.keep", by=elsewhere)).splitlines()[-1]
    assert told.startswith("Changed by 901, ")
    there = await office.rig.ask("config", "get backup.keep", by=card)
    assert "Changed by Choir of the ill (901), " in there


async def test_everything_can_be_reset_together(office: Office) -> None:
    await office.config("set backup.keep 5")
    await office.config("set capture.enabled 关")
    assert (await office.config("reset all")).splitlines() == [
        "In force now:",
        "backup.keep: 5 → 7 (default)",
        "capture.enabled: false → true (default)",
    ]
    assert (await office.config("reset all")).startswith("No setting has been changed at run time;")
    answer = await office.config("reset backup.keep")
    assert answer.startswith("It has not been changed at run time: backup.keep.")


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("backup.keep 0", "backup.keep must be a whole number 1..365, not 0"),
        ("backup.keep many", "backup.keep must be a whole number 1..365, not 'many'"),
        ("capture.enabled maybe", "capture.enabled must be true or false, not 'maybe'"),
        ("learning.extractor gpt", "learning.extractor must be one of auto, host, endpoint, rules"),
        ("display.timezone Mars", "display.timezone must be a time zone known here, not 'Mars'"),
    ],
)
async def test_a_value_that_does_not_fit_is_refused_and_changes_nothing(
    office: Office, argument: str, complaint: str
) -> None:
    answer = await office.config(f"set {argument}")
    assert answer.startswith(f"Nothing was changed. {complaint}")
    assert await office.journal.overrides() == {}


async def test_a_refusal_in_chinese_is_chinese_a_choice_may_be_its_label(office: Office) -> None:
    answer = await office.config("set backup.keep 0", chinese=True)
    assert answer == "没有改动。backup.keep 的取值：1 至 365 的整数；不能用 0"
    await office.config("set learning.extractor 仅规则", chinese=True)
    assert office.rig.engine.settings.learning.extractor == "rules"
    await office.config("set learning.provider_id openai/gpt")
    answer = await office.config('set learning.provider_id ""')
    assert "learning.provider_id: openai/gpt → (empty)" in answer


async def test_a_change_without_effect_says_what_it_would_take(office: Office) -> None:
    answer = await office.config("set decay.override.forget_speed 2")
    name = "decay.override.forget_speed"
    told = f"{name} has no effect now: that takes decay.override.enabled = true."
    assert answer.splitlines()[-1] == told
    assert (await office.config(f"get {name}")).splitlines()[-1] == told
    await office.config("set decay.override.enabled on")
    assert "no effect" not in await office.config(f"get {name}")
    assert office.rig.engine.policy.parameters.forget_speed == 2.0


@pytest.mark.parametrize("action", ["set storage.backend chroma", "get storage.backend"])
async def test_the_storage_is_not_changed_at_run_time(office: Office, action: str) -> None:
    answer = await office.config(action)
    assert "storage.backend cannot be changed at run time; change it on the plugin's" in answer
    assert await office.journal.overrides() == {}


@pytest.mark.parametrize("name", ["learning.endpoint_key", "embedding.endpoint_key"])
async def test_a_key_is_never_shown(office: Office, name: str) -> None:
    group, key = name.split(".")
    assert f"{name} = not set (default)" in await office.config(f"list {group}")
    await office.save({group: {key: "sk-filed"}})
    answers = [await office.config(f"set {name} sk-typed")]
    answers += [await office.config(f"{action}") for action in (f"get {name}", f"list {group}")]
    answers.append(await office.rig.ask("health", by=BOSS))
    answers.append(await office.config(f"reset {name}"))
    assert not any("sk-" in answer for answer in answers)
    assert all(f"{name} = set, not shown" in answer for answer in answers[1:3])


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("quiet_hours", "reminders.quiet_hours"),
        ("backup.kep", "backup.keep"),
        ("learning.extractr", "learning.extractor"),
        ("decay.forget_speed", "decay.override.forget_speed"),
    ],
)
async def test_an_unknown_name_is_answered_with_those_that_may_be_meant(
    office: Office, asked: str, meant: str
) -> None:
    for action in (f"get {asked}", f"set {asked} 1", f"reset {asked}"):
        answer = await office.config(action)
        assert answer.startswith(f"There is no setting “{asked}”. Perhaps you mean: {meant}")


@pytest.mark.parametrize("argument", ["", "get", "set", "set backup.keep", "lists", "reset"])
async def test_anything_else_is_answered_with_the_usage(office: Office, argument: str) -> None:
    assert (await office.config(argument)).startswith("Usage: /memory config list [GROUP]")


async def test_a_change_that_a_new_version_refuses_is_told_and_can_be_reset(office: Office) -> None:
    await office.journal.set_override("backup.keep", '{"value": 999, "by": "x", "at": 1}')
    await office.journal.set_override("recall.gone", '{"value": 1, "by": "x", "at": 1}')
    await office.reconfigure()
    told = "Change at run time not usable, the file holds: backup.keep must be a whole"
    assert told in await office.rig.ask("health", by=BOSS)
    assert told in await office.config("get backup.keep")
    answer = await office.config("reset all")
    assert answer == "In force now:\nbackup.keep: 7 → 7 (default)"
    assert await office.journal.overrides() == {}
    assert "backup" not in await office.rig.ask("health", by=BOSS)


async def test_health_tells_of_settings_in_chinese(office: Office) -> None:
    await office.save({"backup": {"keep": "many"}, "decay": 5})
    answer = await office.rig.ask("health", by=CHEF)
    lines = [line for line in answer.splitlines() if "设置" in line]
    assert lines == [
        "未采用的设置，已用默认值：decay 的取值：一组设置；不能用 5",
        "未采用的设置，已用默认值：backup.keep 的取值：1 至 365 的整数；不能用 'many'",
    ]


FSRS = "pip install fsrs"


def without_fsrs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsrs", None)


async def test_a_policy_whose_package_is_missing_is_refused_with_what_to_install(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_fsrs(monkeypatch)
    told = await office.config("set forgetting.policy fsrs", chinese=True)
    assert told == f"没有改动。这种策略需要先安装：{FSRS}"
    assert await office.journal.overrides() == {}
    assert office.rig.engine.settings.forgetting.policy == "tmd"


async def test_where_the_file_names_a_missing_package_other_settings_can_be_changed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_fsrs(monkeypatch)
    await office.save({"forgetting": {"policy": "fsrs"}})
    changed = await office.config("set backup.keep 3")
    assert changed.startswith("In force")
    assert changed.splitlines()[-1].endswith(FSRS)
    assert FSRS not in await office.config("set forgetting.policy tmd")
    assert FSRS in await office.config("reset forgetting.policy")


async def test_with_its_package_the_policy_is_in_force(office: Office) -> None:
    assert FSRS not in await office.config("set forgetting.policy fsrs")
    assert office.rig.engine.settings.forgetting.policy == "fsrs"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("learning.endpoint_key", "Zk9-plain_looking-7781"),
        ("embedding.endpoint_key", "Zk9-plain_looking-7781"),
        ("learning.endpoint_url", "https://ann:Zk9-plain_looking-7781@host/v1"),
        ("embedding.endpoint_url", "https://host/v1?api_key=Zk9-plain_looking-7781"),
        ("learning.endpoint_model", "sk-Zk9-plain_looking-7781"),
        ("backup.keep", "sk-Zk9-plain_looking-7781"),
    ],
)
async def test_a_key_shows_in_no_answer_whichever_setting_it_was_written_into(
    office: Office, name: str, value: str
) -> None:
    group = name.partition(".")[0]
    told = [
        await office.config(f"set {name} {value}"),
        await office.config(f"get {name}"),
        await office.config(f"list {group}"),
        await office.config(f"reset {name}"),
    ]
    first, _, last = name.partition(".")
    await office.save({first: {last: value}})
    told += [await office.config(f"get {name}"), await office.rig.ask("health", by=BOSS)]
    told.append(await office.rig.ask("status", by=BOSS))
    assert [text for text in told if "Zk9-plain" in text] == []


KEPT = {"words": "I keep bees", "who": "Ann", "fact": "Ann keeps bees", "kind": "like"}
MINE = "Tell it as sentences,\neach a text that cites its lines"


async def prompts(office: Office, argument: str = "") -> str:
    return await office.rig.ask("prompts", argument, by=BOSS)


async def test_every_call_is_listed_and_a_former_text_is_told(office: Office) -> None:
    lines = (await prompts(office)).splitlines()
    assert [line.partition(" ")[0] for line in lines[1:]] == [*catalogue()]
    assert lines[1].startswith("learn.zh · picks facts from a conversation · ours · ")
    in_chinese = await office.rig.ask("prompts", "", by=CHEF)
    assert "story.zh · 把一件事讲成一段经过 · 原样 · " in in_chinese
    await office.journal.set_override("prompt.story.en", '{"value": "Old", "by": "Ann", "at": 5}')
    await office.reconfigure()
    assert "story.en · tells one matter as a story · changed, but not usable: ours holds" in (
        await prompts(office)
    )
    assert (await prompts(office, "show story.en")).endswith(catalogue()["story.en"].text)
    assert office.rig.engine.settings.learning.prompts.of("story", "en") != "Old"


async def test_a_text_is_shown_in_full_changed_and_given_back(office: Office) -> None:
    assert (await prompts(office, "show learn.zh")).endswith(catalogue()["learn.zh"].text)
    done = await prompts(office, f"set story.en {MINE}")
    assert done.splitlines()[1].startswith("story.en · tells one matter as a story · changed · ")
    learning = office.rig.engine.settings.learning
    assert learning.prompts.of("story", "en") == MINE
    shown = await prompts(office, "show STORY.EN")
    by, needed, *text = shown.splitlines()[1:]
    assert (by, needed) == (
        "Changed by Ann (901), 2025-06-15 15:06",
        "Has to name: sentences, text, cites",
    )
    assert "\n".join(text) == f"\n{MINE}"
    assert (await prompts(office, "reset story.en")).splitlines()[0] == "In force now:"
    assert await office.journal.overrides() == {}
    assert await prompts(office, "reset story.en") == "Nothing of that was changed."


async def test_what_cannot_be_used_is_refused_with_its_reason(office: Office) -> None:
    assert await prompts(office, "set story.en Tell sentences") == (
        "Nothing was changed: it does not name text, cites"
    )
    long = await prompts(office, f"set story.en {MINE}{'x' * LONGEST}")
    assert long == "Nothing was changed: it is longer than 3 900 characters"
    assert "no call has that name" in await prompts(office, "set poem of mine")
    assert "no call has that name" in await prompts(office, "show poem")
    assert "prompts [show NAME" in await prompts(office, "set story")
    assert await office.journal.overrides() == {}


async def test_all_are_given_back_and_settings_are_left_alone(office: Office) -> None:
    await office.config("set backup.keep 3")
    await prompts(office, f"set story.en {MINE}")
    await prompts(office, "set rewording.en Put the lines short: number and text")
    assert len((await prompts(office, "reset all")).splitlines()) == 3
    assert [*await office.journal.overrides()] == ["backup.keep"]
    await prompts(office, f"set story.en {MINE}")
    await office.config("reset all")
    assert [*await office.journal.overrides()] == ["prompt.story.en"]


async def test_who_changed_what_is_in_the_audit_log(office: Office) -> None:
    await prompts(office, f"set story.en {MINE}")
    await prompts(office, "reset story.en")
    noted = await office.journal.audit_by_action(frozenset({CHANGED}))
    assert [(each.memory, "Ann" in each.by) for each in noted] == [("prompt:story.en", True)] * 2


async def test_the_page_reads_changes_and_gives_back(office: Office) -> None:
    listed = (await data(office.rig, "GET prompts"))["prompts"]
    assert [each["name"] for each in listed] == [*catalogue()]
    done = await data(office.rig, "POST prompts/change", name="story.en", text=MINE)
    [story] = done["prompts"]
    assert (story["text"], story["changed"], story["by"]) == (MINE, True, "owner (owner)")
    refused = await data(office.rig, "POST prompts/change", name="story.en", text="sentences")
    assert (refused["fault"], refused["lacking"]) == ("lacking", ["text", "cites"])
    unknown = await data(office.rig, "POST prompts/reset", name="poem")
    assert unknown["fault"] == "unknown"
    back = await data(office.rig, "POST prompts/reset", name="all")
    assert [(each["name"], each["changed"]) for each in back["prompts"]] == [("story.en", False)]


async def test_a_learning_text_is_tried_and_nothing_is_kept(office: Office) -> None:
    rig, model = office.rig, ScriptedModel([{"facts": [KEPT]}, "no JSON"])
    assert (await asked(rig, "POST prompts/try", text=MINE))["message"] == "refused.nothing_there"
    turn = await rig.say("I keep bees")
    await rig.engine.recalls.recall(RecallRequest(ANN.scope, "I keep bees", turn, frozenset()))
    await rig.engine.recalls.recorded()
    learner = replace(rig.engine.jobs.learner, models=model)
    rig.engine.jobs.learner = learner
    masked = await asked(rig, "POST prompts/try", text=MINE)
    assert (masked["message"], model.prompts) == ("refused.reason_needed", [])
    tried = await data(rig, "POST prompts/try", text=MINE, reveal="to tune it")
    assert (tried["facts"], tried["problem"]) == (["Ann keeps bees"], "")
    assert MINE in model.prompts[0].system
    assert await rig.engine.store.find([]) == []
    assert [each async for each in rig.engine.store.iterate(Filter(kinds=LEARNT))] == []
    failed = await data(rig, "POST prompts/try", text=MINE, reveal="to tune it")
    assert (failed["facts"], bool(failed["problem"])) == ([], True)
