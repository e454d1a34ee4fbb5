"""What is changed at run time: over the file, over the defaults, and never in the way of either."""

import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.settings import (
    SETTINGS,
    Change,
    Configuration,
    Problem,
    Setting,
    SettingOrigin,
    Settings,
    Want,
    configure,
    to_json,
    value_of,
)
from hypothesis import given
from hypothesis import strategies as st

CHANGEABLE = [setting for setting in SETTINGS.values() if setting.changeable]
NUMBERS = (Want.WHOLE, Want.NUMBER)


def override(value: object, *, by: str = "Ann (901)", at: float = 5.0) -> str:
    return json.dumps({"value": value, "by": by, "at": at})


def typed(name: str, text: str) -> object:
    """What comes of a text that a person has typed for a setting."""
    setting = SETTINGS[name]
    return setting.take(setting.wanted.read(text), SettingOrigin.OVERRIDE)


def sentences(configuration: Configuration) -> list[str]:
    return [str(problem) for problem in configuration.problems]


def values(setting: Setting) -> st.SearchStrategy[Any]:
    wanted = setting.wanted
    match wanted.kind:
        case Want.SWITCH:
            return st.booleans()
        case Want.CHOICE:
            return st.sampled_from(wanted.choices)
        case Want.ZONE:
            return st.sampled_from(("", "UTC", "Asia/Shanghai"))
        case Want.RULES:
            return st.sampled_from(("", "group:5000", "person:qq/901, platform:*"))
        case Want.HOURS:
            return st.sampled_from(("", "22-8", " 0 - 23 "))
        case Want.WHOLE:
            return st.integers(int(wanted.low or 0), int(wanted.high or 0))
        case Want.NUMBER:
            return st.floats(wanted.low, wanted.high, allow_nan=False, allow_infinity=False)
        case _:
            return st.text(st.characters(categories=("L", "N", "P")), max_size=30)


def test_an_override_comes_before_the_file_and_the_file_before_the_default() -> None:
    document = {"backup": {"keep": 4}, "recall": {"budget_tokens": 300}}
    found = configure(document, {"backup.keep": override(6)})
    assert (found.settings.backup.keep, found.file.backup.keep) == (6, 4)
    assert found.settings.recall.budget_tokens == 300
    names = ("backup.keep", "recall.budget_tokens", "recall.deadline_ms")
    assert [found.origin(name) for name in names] == [
        SettingOrigin.OVERRIDE,
        SettingOrigin.FILE,
        SettingOrigin.DEFAULT,
    ]
    assert configure({"backup": {"keep": 7}}).origin("backup.keep") is SettingOrigin.DEFAULT
    found = configure({"backup": {"keep": 4}}, {"backup.keep": override(4)})
    assert found.origin("backup.keep") is SettingOrigin.OVERRIDE
    found = configure({"backup": {"keep": 400}})
    assert found.origin("backup.keep") is SettingOrigin.DEFAULT
    assert [problem.origin for problem in found.problems] == [SettingOrigin.FILE]


def test_who_changed_a_value_is_known_and_shown_in_short() -> None:
    found = configure({}, {"capture.enabled": override(False, by="Boss (900)", at=7.5)})
    assert found.changes == {"capture.enabled": Change(False, "Boss (900)", 7.5)}
    found = configure({}, {"capture.enabled": '{"value": false, "by": 1, "at": NaN}'})
    assert found.changes["capture.enabled"] == Change(False, "1", 0.0)
    for value in (-(10**5_000), [10**5_000], "x" * 10**6, [[[[[1]]]]], -(10**400)):
        (problem,) = configure({"backup": {"keep": value}}).problems
        assert 0 < len(problem.given) <= 60
    assert problem.given == "-1e400"


@given(st.data())
def test_every_change_comes_back_from_the_journal_alone(data: st.DataObject) -> None:
    setting = data.draw(st.sampled_from(CHANGEABLE))
    value = data.draw(values(setting))
    found = configure({}, {setting.name: to_json(Change(value, "Ann", 1.0))})
    assert found.problems == ()
    assert value_of(found.settings, setting.name) == value
    assert type(value_of(found.settings, setting.name)) is type(setting.default)
    assert found.file == Settings()
    others = SETTINGS.keys() - {setting.name}
    assert all(value_of(found.settings, name) == SETTINGS[name].default for name in others)


UNREADABLE = {
    "nothing": "",
    "bare": "8",
    "null": "null",
    "cut": '{"value": 8',
    "anonymous": '{"value": 8}',
    "deep": "[" * 9_000,
    "control": "\0",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_a_change_that_nobody_can_read_leaves_the_file_in_force(text: str) -> None:
    found = configure({"backup": {"keep": 4}}, {"backup.keep": text})
    assert found.settings.backup.keep == 4
    (problem,) = found.problems
    assert (problem.name, problem.origin) == ("backup.keep", SettingOrigin.OVERRIDE)
    assert found.changes == {}


@pytest.mark.parametrize("name", ["storage.backend", "recall.limit", "recall", ""])
def test_a_change_of_what_cannot_be_changed_is_reported(name: str) -> None:
    found = configure({}, {name: override("chroma")})
    assert found.settings == Settings()
    assert [problem.wanted.kind for problem in found.problems] == [Want.CHANGEABLE]


json_text = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
).map(json.dumps)


@given(st.dictionaries(st.sampled_from(sorted(SETTINGS)) | st.text(max_size=8), json_text))
def test_no_journal_raises_and_every_change_is_used_or_reported(overrides: dict[str, str]) -> None:
    found = configure({}, overrides)
    reported = {problem.name for problem in found.problems}
    assert reported | found.changes.keys() == overrides.keys()
    assert reported.isdisjoint(found.changes)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("capture.enabled", "true", True),
        ("capture.enabled", "OFF", False),
        ("capture.enabled", "开", True),
        ("capture.enabled", "关", False),
        ("capture.enabled", "1", True),
        ("backup.keep", " 5 ", 5),
        ("backup.keep", "５", 5),
        ("decay.bin_days", "1.5", 1.5),
        ("decay.bin_days", "12", 12.0),
        ("decay.override.forget_speed", "1e3", 1000.0),
        ("learning.extractor", "Rules", "rules"),
        ("learning.endpoint_url", "https://example.com/v1", "https://example.com/v1"),
        ("learning.endpoint_url", '""', ""),
        ("learning.endpoint_url", "“two words”", "two words"),
        ("display.timezone", "Asia/Shanghai", "Asia/Shanghai"),
        ("display.timezone", "''", ""),
    ],
)
def test_a_value_is_read_as_people_type_it(name: str, text: str, value: object) -> None:
    read = typed(name, text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("capture.enabled", "maybe"),
        ("backup.keep", "0"),
        ("backup.keep", "5.0"),
        ("backup.keep", "1_0"),
        ("backup.keep", "9" * 5_000),
        ("decay.bin_days", "nan"),
        ("decay.bin_days", "inf"),
        ("decay.bin_days", "1e999"),
        ("decay.override.tier0_threshold", "-inf"),
        ("learning.extractor", "magic"),
        ("learning.endpoint_url", "x" * 2_001),
        ("learning.endpoint_url", "one\x00two"),
        ("learning.endpoint_url", "a\ud800"),
        ("display.timezone", "Mars/Olympus"),
    ],
)
def test_what_cannot_be_a_value_is_a_problem_that_can_be_shown(name: str, text: str) -> None:
    read = typed(name, text)
    assert read.name == name
    assert len(read.given) <= 60
    assert str(read).isprintable()


@given(st.sampled_from(CHANGEABLE), st.text())
def test_no_text_raises_and_what_is_taken_is_taken_again(setting: Setting, text: str) -> None:
    read = typed(setting.name, text)
    if not isinstance(read, Problem):
        assert setting.take(read, SettingOrigin.FILE) == read


@given(st.data())
def test_a_number_or_switch_can_be_typed_as_it_is_shown(data: st.DataObject) -> None:
    kinds = (*NUMBERS, Want.SWITCH)
    setting = data.draw(st.sampled_from([s for s in CHANGEABLE if s.wanted.kind in kinds]))
    value = data.draw(values(setting))
    assert typed(setting.name, json.dumps(value)) == value


@pytest.mark.parametrize("name", ["learning.endpoint_key", "embedding.endpoint_key"])
def test_a_secret_of_the_wrong_kind_is_reported_without_its_value(name: str) -> None:
    group, key = name.split(".")
    found = configure({group: {key: 12345678}}, {name: override(["sk-12345678"])})
    assert len(found.problems) == 2
    assert not any("1234" in sentence for sentence in sentences(found))


def test_a_setting_matters_only_while_its_neighbour_says_so() -> None:
    name = "decay.override.forget_speed"
    assert not configure({}).matters(name)
    assert configure({"decay": {"override": {"enabled": True}}}).matters(name)
    assert configure({}, {"decay.override.enabled": override(True)}).matters(name)


def test_the_settings_that_can_be_changed_are_all_but_those_of_storage_and_privacy() -> None:
    fixed = [setting.name for setting in SETTINGS.values() if not setting.changeable]
    assert fixed == [name for name in SETTINGS if name.startswith(("storage.", "privacy."))]
    assert fixed[:2] == ["privacy.admin_reveal", "storage.backend"]
    assert [setting.name for setting in SETTINGS.values() if setting.secret] == [
        "learning.endpoint_key",
        "embedding.endpoint_key",
        "storage.chroma.token",
    ]


OVERRIDE = [name for name in SETTINGS if name.startswith("decay.override.")]


@pytest.mark.parametrize(
    ("own", "host", "zone"),
    [
        ("", "Asia/Shanghai", "Asia/Shanghai"),
        ("Europe/Paris", "Asia/Shanghai", "Europe/Paris"),
        ("", "Mars/Olympus", ""),
        ("", "", ""),
    ],
)
def test_where_nobody_has_set_a_time_zone_the_hosts_holds(own: str, host: str, zone: str) -> None:
    found = configure({"display": {"timezone": own}}, host_zone=host)
    assert found.settings.display.timezone == zone
    assert found.file.display.timezone == own
    assert not found.problems
