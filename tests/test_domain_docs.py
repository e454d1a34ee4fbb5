"""docs/domain-model.md says what the code says: fields, closed sets, numbers, worked examples."""

import re
import types
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, to_bin
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import (
    DAY,
    JUDGED_WINDOW,
    Tmd,
    TmdParameters,
    initial_strength,
)
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Role, ScopeKind
from astrbot_plugin_tidemark.core.model.knowledge import IntentionStatus, IntentionType, MediaType
from astrbot_plugin_tidemark.core.model.memory import (
    RELIABILITY,
    Extractor,
    Facet,
    Kind,
    Memory,
    Mood,
    Source,
    Status,
    Succession,
    Vitality,
)
from astrbot_plugin_tidemark.core.recall.trace import Leg

from .samples import memory as sample

PAGE = Path(__file__).resolve().parent.parent / "docs" / "domain-model.md"
TEXT = PAGE.read_text(encoding="utf-8")
POLICY = Tmd()
BORN = 1_000_000_000.0
ORIGINAL = """memory_id timestamp summary description embedding linked_media media_id media_type url
caption source_conversation_id memory_type importance_score confidence_score access_info
initial_creation_timestamp last_accessed_timestamp access_count emotional_valence sentiment
intensity user_feedback is_accurate is_important correction_text community_info last_calculated
event_entity event_id event_type entities entity_id name type role relationships""".split()


def section(title: str) -> str:
    """The text under a heading, up to the next one of any level."""
    match = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", TEXT, re.S | re.M)
    assert match is not None, f"no section {title!r}"
    return match[1]


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def paths(shape: type, prefix: str = "") -> Iterator[str]:
    """Every field of a record as the page writes it: `a.b`, and `a[].b` in a sequence."""
    hints = get_type_hints(shape)
    for item in fields(shape):
        inner, many = element(hints[item.name])
        if is_dataclass(inner):
            yield from paths(inner, f"{prefix}{item.name}{'[]' if many else ''}.")
        else:
            yield prefix + item.name


def element(kind: Any) -> tuple[Any, bool]:
    """The type inside an optional or a sequence, and whether it was a sequence."""
    if get_origin(kind) is tuple:
        return get_args(kind)[0], True
    if get_origin(kind) in (Union, types.UnionType):
        return get_args(kind)[0], False
    return kind, False


def test_the_record_table_has_every_field_of_the_record_once() -> None:
    written = [re.findall(r"`([^`]+)`", row[0])[0] for row in rows(section("The memory record"))]
    assert sorted(written) == sorted(paths(Memory))


@pytest.mark.parametrize("name", ORIGINAL)
def test_a_field_of_the_original_record_has_its_place_here(name: str) -> None:
    assert any(f"`{name}" in row[0] for row in rows(section("The original record")))


@pytest.mark.parametrize(
    ("title", "values"),
    [
        ("Kinds", [*Kind, *Facet, *Extractor, *Mood, *MediaType]),
        ("Intentions", [*IntentionType, *IntentionStatus]),
        ("Life cycle", [*Status, *Succession]),
        ("Trust", [*Source]),
        ("Scopes", [*ScopeKind]),
        ("Words", [*Role, *EpisodeEnd, *Leg]),
    ],
)
def test_a_section_names_every_member_of_its_closed_sets(title: str, values: list[StrEnum]) -> None:
    assert [value for value in values if f"`{value.value}`" not in section(title)] == []


def test_the_policys_parameters_and_reliabilities_are_in_force() -> None:
    written = {row[0].strip("`"): float(row[1]) for row in rows(section("Trust"))}
    assert written == {source.value: value for source, value in RELIABILITY.items()}
    text = section("TMD, tiered memory decay")
    written = dict(re.findall(r"`(\w+)` (\d+(?:\.\d+)?)", text))
    for item in fields(TmdParameters):
        assert float(written[item.name]) == item.default
    assert f"window of {JUDGED_WINDOW}" in text


@pytest.mark.parametrize(
    ("title", "importance"), [("Worked example", 0.5), ("A message nobody needed", 0.0)]
)
def test_a_worked_example_computes_as_stated(title: str, importance: float) -> None:
    memory = newborn(importance)
    for turn, row in enumerate(rows(section(title))):
        memory = after(memory, row[1], turn=turn, now=BORN + float(row[0]) * DAY)
        assert row[2:] == stated(memory), row


def test_a_message_nobody_needed_lasts_as_long_as_the_page_says() -> None:
    forgotten = Tiered(POLICY).forgotten_at(newborn(0.0))
    assert forgotten == BORN + 12 * DAY
    assert "lasts twelve days" in section("A message nobody needed")
    assert BinPolicy().keep_days == 30


def newborn(importance: float) -> Memory:
    vitality = Vitality(initial_strength(importance))
    return sample(created_at=BORN, importance=importance, vitality=vitality)


def after(memory: Memory, event: str, *, turn: int, now: float) -> Memory:
    """The memory after a row's event, as the store and the verdicts would change it."""
    match re.split(r"[, ]", event)[0]:
        case "created":
            return memory
        case "sweep":
            memory = replace(memory, vitality=POLICY.plan.faded(memory, now=now))
        case "useful" | "in" as verdict:
            useful = verdict == "useful"
            judged = POLICY.judge(memory.vitality, useful=useful, turn=turn, now=now)
            memory = replace(memory, vitality=judged)
        case _:
            raise AssertionError(f"no such event: {event}")
    if POLICY.plan.spends(memory):
        return to_bin(memory, now=now, reason="decayed", policy=BinPolicy())
    return memory


def stated(memory: Memory) -> list[str]:
    """Strength, useful count, useful score, tier and status as the page writes them."""
    vitality = memory.vitality
    tier = POLICY.tier(vitality.useful_score)
    counts = (vitality.strength, vitality.useful_count, vitality.useful_score, tier)
    return [*(f"{count:g}" for count in counts), memory.standing.status.value]
