"""Settings: what is usable is used, everything else is reported by name, nothing raises."""

import math
from collections.abc import Iterable
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.tmd import TmdParameters
from astrbot_plugin_tidemark.core.ports.files import ChromaServer
from astrbot_plugin_tidemark.core.settings import (
    SETTINGS,
    DecayOverride,
    DecaySettings,
    Problem,
    RecallSettings,
    Settings,
    Want,
    configure,
    value_of,
)
from astrbot_plugin_tidemark.tests.for_each import for_each
from hypothesis import given
from hypothesis import strategies as st

json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


PATHS = [tuple(name.split(".")) for name in SETTINGS]
NUMBERS = [
    (tuple(name.split(".")), setting.wanted)
    for name, setting in SETTINGS.items()
    if setting.wanted.kind in (Want.WHOLE, Want.NUMBER)
]


def parse(document: object) -> tuple[Settings, tuple[Problem, ...]]:
    found = configure(document)
    return found.settings, found.problems


def nested(path: tuple[str, ...], value: object) -> dict[str, Any]:
    document: Any = value
    for name in reversed(path):
        document = {name: document}
    return document


def sentences(problems: Iterable[Problem]) -> list[str]:
    return [str(problem) for problem in problems]


def at(path: tuple[str, ...], tree: Settings) -> Any:
    return value_of(tree, ".".join(path))


def test_without_a_document_every_default_holds_and_what_is_none_is_reported() -> None:
    assert parse(None) == parse({}) == (Settings(), ())
    for document in ([], "on", 5, True):
        parsed, problems = parse(document)
        assert parsed == Settings()
        assert sentences(problems) == [f"config must be an object, not {document!r}"]


def test_a_bad_section_or_value_does_not_spoil_its_neighbours() -> None:
    parsed, problems = parse({"recall": 7, "capture": {"enabled": False}})
    assert parsed.recall == RecallSettings()
    assert not parsed.capture.enabled
    assert sentences(problems) == ["recall must be an object, not 7"]
    parsed, problems = parse({"recall": {"deadline_ms": 0, "budget_tokens": 300}})
    assert (parsed.recall.deadline_ms, parsed.recall.budget_tokens) == (800, 300)
    assert len(problems) == 1


def test_every_problem_is_reported_together_by_name() -> None:
    document = {
        "recall": {"budget_tokens": 12.5, "deadline_ms": True},
        "learning": {"extractor": "magic", "provider_id": None},
        "decay": {"bin_days": "30", "override": {"enabled": "yes", "forget_speed": math.nan}},
    }
    parsed, problems = parse(document)
    assert parsed == Settings()
    assert sentences(problems) == [
        "recall.deadline_ms must be a whole number 50..10000, not True",
        "recall.budget_tokens must be a whole number 50..8000, not 12.5",
        "learning.extractor must be one of auto, host, endpoint, rules, not 'magic'",
        "learning.provider_id must be one line of text, not None",
        "decay.bin_days must be a number 1..3650, not '30'",
        "decay.override.enabled must be true or false, not 'yes'",
        "decay.override.forget_speed must be a number, not nan",
    ]


@for_each([path for path, _ in NUMBERS], ".".join)
def test_no_number_may_be_endless_undefined_or_no_number(path: tuple[str, ...]) -> None:
    for value in (math.nan, math.inf, -math.inf, True, 10**400, -(10**400), "1"):
        parsed, problems = parse(nested(path, value))
        assert parsed == Settings(), value
        assert len(problems) == 1, value


def test_impossible_hours_are_said_whole_numbers_are_taken() -> None:
    parsed, problems = parse({"decay": {"bin_days": 7}})
    assert problems == ()
    assert parsed.decay.bin_days == 7.0
    assert isinstance(parsed.decay.bin_days, float)
    assert parse({"new": {"thing": 1}, "recall": {"thing": 2}}) == (Settings(), ())
    settings, (problem,) = parse({"reminders": {"quiet_hours": "22-24"}})
    assert str(problem) == "reminders.quiet_hours must be two hours such as 22-8, not '22-24'"
    assert settings.reminders.quiet(23)


@given(json_like)
def test_no_document_raises(document: object) -> None:
    parsed, problems = parse(document)
    assert isinstance(parsed, Settings)
    assert all(str(problem).isprintable() for problem in problems)


@given(st.sampled_from(PATHS), json_like)
def test_a_value_is_either_used_or_reported(path: tuple[str, ...], value: object) -> None:
    parsed, problems = parse(nested(path, value))
    if not problems:
        assert at(path, parsed) == value
        return
    fallback = SETTINGS[".".join(path)].declaration.fallback
    assert parsed == (Settings() if fallback is None else parse(nested(path, fallback))[0])


def override(**changes: float) -> TmdParameters:
    return DecaySettings(override=DecayOverride(enabled=True, **changes)).parameters()


def test_an_override_changes_nothing_while_off_and_orders_its_thresholds() -> None:
    ignored = DecayOverride(enabled=False, tier1_threshold=99.0, forget_speed=50.0)
    assert DecaySettings(override=ignored).parameters() == TmdParameters()
    parameters = override(tier0_threshold=12.0)
    assert (parameters.tier0_threshold, parameters.tier1_threshold) == (12.0, 12.0)


@pytest.mark.parametrize("name", ["Mars/Olympus", "../../etc/passwd", "Asia", "\0"])
def test_a_time_zone_that_does_not_exist_is_named_as_a_problem(name: str) -> None:
    settings, (problem,) = parse({"display": {"timezone": name}})
    assert str(problem) == f"display.timezone must be a time zone known here, not {name!r}"
    assert settings.display.timezone == ""


@pytest.mark.parametrize(
    ("written", "server"),
    [
        ("", None),
        ("http://localhost:8000", ChromaServer("localhost")),
        ("http://10.0.0.7/", ChromaServer("10.0.0.7")),
        ("https://db.example/t/d", ChromaServer("db.example", 443, True, "", "t", "d")),
        ("https://[::1]:9000", ChromaServer("[::1]", 9000, True)),
    ],
)
def test_an_address_tells_of_a_chroma_server(written: str, server: ChromaServer | None) -> None:
    settings, problems = parse({"storage": {"chroma": {"address": written}}})
    assert (settings.storage.chroma.server(), problems) == (server, ())


@pytest.mark.parametrize(
    "written",
    ["localhost:8000", "ftp://h", "http://h:0", "http://h:x", "http://u:p@h", "http://h/t"],
)
def test_what_is_no_address_is_said_and_the_folder_is_used(written: str) -> None:
    settings, (problem,) = parse({"storage": {"chroma": {"address": written}}})
    assert str(problem).startswith("storage.chroma.address must be an address such as http://")
    assert settings.storage.chroma.server() is None


@pytest.mark.parametrize(
    ("written", "quiet"),
    [("22-8", {22, 23, *range(8)}), ("1 - 3", {1, 2}), ("", set()), ("7-7", set())],
)
def test_quiet_hours_may_lie_across_midnight(written: str, quiet: set[int]) -> None:
    settings, problems = parse({"reminders": {"quiet_hours": written}})
    assert ({h for h in range(24) if settings.reminders.quiet(h)}, problems) == (quiet, ())


def test_there_are_sixty_settings_at_most() -> None:
    assert len(SETTINGS) <= 60
