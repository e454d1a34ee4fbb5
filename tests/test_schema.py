"""The settings form, the parser and the catalogues describe the same settings."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from astrbot_plugin_tidemark.core.settings import SETTINGS, Problem, Settings, parse

ROOT = Path(__file__).resolve().parent.parent
SCHEMA: dict[str, Any] = json.loads((ROOT / "_conf_schema.json").read_text(encoding="utf-8"))
CATALOGUES: dict[str, Any] = {
    locale: json.loads(
        (ROOT / ".astrbot-plugin" / "i18n" / f"{locale}.json").read_text(encoding="utf-8")
    )
    for locale in ("zh-CN", "en-US")
}
TYPES = {bool: "bool", int: "int", float: "float", str: "string"}
SHOWN = ("description", "hint", "labels")


def form(items: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every entry of the form by dotted path, groups included."""
    for name, item in items.items():
        yield path + name, item
        if item["type"] == "object":
            yield from form(item["items"], f"{path}{name}.")


def parsed(shape: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every setting of the parser: path, type and field, groups included."""
    hints = get_type_hints(shape)
    for item in fields(shape):
        kind = hints[item.name]
        yield path + item.name, kind, item
        if is_dataclass(kind):
            yield from parsed(kind, f"{path}{item.name}.")


def words(section: dict[str, Any], path: str) -> dict[str, Any]:
    for name in path.split("."):
        section = section[name]
    return {key: section[key] for key in SHOWN if key in section}


FORM = dict(form(SCHEMA))
PARSED = {path: (kind, item) for path, kind, item in parsed(Settings)}
LEAVES = [path for path, (kind, _) in PARSED.items() if not is_dataclass(kind)]


def bounds(item: dict[str, Any]) -> list[float] | None:
    if "slider" in item:
        return [item["slider"]["min"], item["slider"]["max"]]
    return item.get("range")


def test_the_form_has_the_parsers_settings_in_the_same_order() -> None:
    assert list(FORM) == list(PARSED)


def test_groups_are_objects() -> None:
    groups = {path for path in PARSED if path not in LEAVES}
    assert {path for path, item in FORM.items() if item["type"] == "object"} == groups


@pytest.mark.parametrize("path", LEAVES)
def test_a_setting_has_the_parsers_type_default_range_and_choices(path: str) -> None:
    item, (kind, declared) = FORM[path], PARSED[path]
    literal = get_origin(kind) is Literal
    limits = [declared.metadata[end] for end in ("low", "high") if end in declared.metadata]
    assert item["type"] == TYPES[str if literal else kind]
    assert item["default"] == declared.default
    assert type(item["default"]) is (str if literal else kind)
    assert item.get("options") == (list(get_args(kind)) if literal else None)
    assert bounds(item) == (limits or None)


@pytest.mark.parametrize("path", [path for path in LEAVES if "slider" in FORM[path]])
def test_a_slider_can_be_set_to_its_default_and_to_both_ends(path: str) -> None:
    slider = FORM[path]["slider"]
    for value in (FORM[path]["default"], slider["max"]):
        steps = (value - slider["min"]) / slider["step"]
        assert steps == pytest.approx(round(steps))


@pytest.mark.parametrize("path", [path for path in LEAVES if "range" in FORM[path]])
def test_a_range_without_a_slider_is_written_in_the_hint_of_both_languages(path: str) -> None:
    for catalogue in CATALOGUES.values():
        hint = words(catalogue["config"], path)["hint"]
        assert all(f"{bound:.10g}" in hint for bound in FORM[path]["range"])


@pytest.mark.parametrize("path", [path for path in LEAVES if "options" in FORM[path]])
def test_every_choice_has_a_label_in_both_languages(path: str) -> None:
    for catalogue in CATALOGUES.values():
        assert len(words(catalogue["config"], path)["labels"]) == len(FORM[path]["options"])


def test_the_parser_accepts_the_forms_defaults_and_they_are_its_own() -> None:
    def defaults(items: dict[str, Any]) -> dict[str, Any]:
        return {
            name: defaults(item["items"]) if item["type"] == "object" else item["default"]
            for name, item in items.items()
        }

    assert parse(defaults(SCHEMA)) == (Settings(), ())


@pytest.mark.parametrize("path", [path for path in LEAVES if bounds(FORM[path])])
def test_the_parser_accepts_both_ends_of_a_range_and_nothing_outside(path: str) -> None:
    def problems(value: float) -> tuple[Problem, ...]:
        document: Any = value
        for name in reversed(path.split(".")):
            document = {name: document}
        return parse(document)[1]

    low, high = bounds(FORM[path]) or (0.0, 0.0)
    assert (problems(low), problems(high)) == ((), ())
    for value in (low - 1, high + 1):
        (problem,) = problems(value)
        assert problem.name == path


@pytest.mark.parametrize("locale", CATALOGUES)
def test_a_catalogue_describes_exactly_the_settings_of_the_form(locale: str) -> None:
    def paths(section: dict[str, Any], prefix: str = "") -> Iterator[str]:
        for name, value in section.items():
            if name not in SHOWN:
                yield prefix + name
                yield from paths(value, f"{prefix}{name}.")

    config = CATALOGUES[locale]["config"]
    assert list(paths(config)) == list(FORM)
    assert [
        path for path in FORM if not {"description", "hint"} <= words(config, path).keys()
    ] == []


@pytest.mark.parametrize("path", FORM)
def test_the_forms_own_words_are_those_of_the_chinese_catalogue(path: str) -> None:
    own = {key: FORM[path][key] for key in SHOWN if key in FORM[path]}
    assert own == words(CATALOGUES["zh-CN"]["config"], path)


def test_no_setting_has_a_name_that_the_host_or_the_catalogues_take() -> None:
    taken = {"hint", "description", "labels", "type", "items", "default", "options"}
    assert taken & {name for path in FORM for name in path.split(".")} == set()


def test_the_chat_model_is_picked_from_the_hosts_providers() -> None:
    assert FORM["learning.provider_id"]["_special"] == "select_provider"


@pytest.mark.parametrize("path", LEAVES)
def test_a_setting_is_hidden_where_it_does_not_matter(path: str) -> None:
    group, when = path.rpartition(".")[0], SETTINGS[path].when
    condition = FORM[path].get("condition", {})
    assert [(f"{group}.{name}", value) for name, value in condition.items()] == (
        [] if when is None else [when]
    )
    if when is not None:
        assert SETTINGS[when[0]].wanted.accepts(when[1])


@pytest.mark.parametrize("locale", CATALOGUES)
def test_a_catalogue_introduces_the_plugin(locale: str) -> None:
    assert set(CATALOGUES[locale]["metadata"]) == {"display_name", "short_desc", "desc"}
