"""The form of the settings and its texts: current, complete, and of what the host understands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.commands.chat.phrases import load_phrases
from astrbot_plugin_tidemark.core.settings import (
    ENTRIES,
    SETTINGS,
    Problem,
    Settings,
    SettingsGroup,
    configure,
)
from astrbot_plugin_tidemark.scripts.settings_form import schema
from astrbot_plugin_tidemark.tests.for_each import for_each

ROOT = Path(__file__).resolve().parent.parent
SCHEMA: dict[str, Any] = json.loads((ROOT / "_conf_schema.json").read_text(encoding="utf-8"))
CATALOGUES: dict[str, dict[str, Any]] = {
    language: json.loads(
        (ROOT / ".astrbot-plugin" / "i18n" / f"{locale}.json").read_text(encoding="utf-8")
    )
    for language, locale in (("zh", "zh-CN"), ("en", "en-US"))
}
HOST_TYPES = {"int", "float", "bool", "string", "text", "list", "object"}
TAKEN = {"hint", "description", "labels", "type", "items", "default", "options"}
BOUNDED = [name for name, setting in SETTINGS.items() if setting.wanted.low is not None]


def form(items: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every entry of the form by dotted path, groups included."""
    for name, item in items.items():
        yield path + name, item
        if item["type"] == "object":
            yield from form(item["items"], f"{path}{name}.")


FORM = dict(form(SCHEMA))


def test_the_form_is_current_and_shows_no_keys() -> None:
    assert schema(load_phrases().settings["zh"]) == SCHEMA, "run: python -m scripts.render"
    secret = {name for name, item in FORM.items() if item.get("secret")}
    assert secret == {name for name in SETTINGS if name.endswith(("_key", "token"))}
    assert FORM["learning.provider_id"]["_special"] == "select_provider"


def test_the_form_has_every_group_and_every_setting_in_the_order_of_the_declarations() -> None:
    assert list(FORM) == [entry.name for entry in ENTRIES]
    groups = {entry.name for entry in ENTRIES if isinstance(entry, SettingsGroup)}
    assert {path for path, item in FORM.items() if item["type"] == "object"} == groups


@for_each(FORM)
def test_an_entry_is_of_a_type_that_the_host_has(name: str) -> None:
    assert FORM[name]["type"] in HOST_TYPES
    assert TAKEN.isdisjoint(name.split("."))


@for_each(SETTINGS)
def test_the_default_is_of_the_type_of_its_field(name: str) -> None:
    kinds = {"int": int, "float": float, "bool": bool, "string": str}
    default = FORM[name]["default"]
    assert type(default) is kinds[FORM[name]["type"]]
    assert SETTINGS[name].wanted.accepts(default)


@for_each(ENTRIES, lambda entry: entry.name)
def test_an_entry_is_described_in_both_languages(entry: Any) -> None:
    for told in load_phrases().settings.values():
        said = told[entry.name]
        assert said.description
        assert said.hint
        choices = () if isinstance(entry, SettingsGroup) else entry.wanted.choices
        assert len(said.labels) == len(choices)


def test_nothing_is_described_that_there_is_not() -> None:
    for told in load_phrases().settings.values():
        assert list(told) == [entry.name for entry in ENTRIES]


@for_each(BOUNDED)
def test_a_range_is_shown_by_a_slider_or_told_in_the_hint(name: str) -> None:
    low, high = SETTINGS[name].wanted.low, SETTINGS[name].wanted.high
    slider = FORM[name].get("slider")
    if slider is not None:
        assert (slider["min"], slider["max"]) == (low, high)
    else:
        for told in load_phrases().settings.values():
            assert f"{low:.10g}" in told[name].hint
            assert f"{high:.10g}" in told[name].hint


@for_each(BOUNDED)
def test_the_parser_accepts_both_ends_of_a_range_and_nothing_outside(name: str) -> None:
    def problems(value: float) -> tuple[Problem, ...]:
        document: Any = value
        for part in reversed(name.split(".")):
            document = {part: document}
        return configure(document).problems

    setting = SETTINGS[name]
    kind = type(setting.default)
    low, high = kind(setting.wanted.low), kind(setting.wanted.high)
    assert (problems(low), problems(high)) == ((), ())
    for value in (low - 1, high + 1):
        (problem,) = problems(value)
        assert problem.name == name


def test_the_parser_accepts_the_forms_defaults_and_they_are_its_own() -> None:
    def defaults(items: dict[str, Any]) -> dict[str, Any]:
        return {
            name: defaults(item["items"]) if item["type"] == "object" else item["default"]
            for name, item in items.items()
        }

    found = configure(defaults(SCHEMA))
    assert (found.settings, found.problems) == (Settings(), ())


@for_each(name for name, item in FORM.items() if "condition" in item)
def test_a_condition_names_a_neighbour_and_a_value_it_can_have(name: str) -> None:
    group = name.rpartition(".")[0]
    for other, value in FORM[name]["condition"].items():
        assert SETTINGS[f"{group}.{other}"].wanted.accepts(value)


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_catalogue_introduces_the_plugin(language: str) -> None:
    assert set(CATALOGUES[language]["metadata"]) == {"display_name", "short_desc", "desc"}
