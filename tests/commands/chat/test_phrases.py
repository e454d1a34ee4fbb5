"""The message catalogue: the same in both languages, and exactly what the code says."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import TypeGuard

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS
from astrbot_plugin_tidemark.commands.chat.forgetting import PROFILE_NAMES
from astrbot_plugin_tidemark.commands.chat.phrases import FILES, load_phrases
from astrbot_plugin_tidemark.commands.chat.request import SORTS
from astrbot_plugin_tidemark.core.actions.answers import Refusal
from astrbot_plugin_tidemark.core.actions.configuration import PRESETS
from astrbot_plugin_tidemark.core.actions.conflicts import Which
from astrbot_plugin_tidemark.core.actions.details import ACTORS, VERDICTS
from astrbot_plugin_tidemark.core.actions.explanation import DUE
from astrbot_plugin_tidemark.core.actions.installation import NextStep, SwitchedOn
from astrbot_plugin_tidemark.core.capture.grounding import Lack
from astrbot_plugin_tidemark.core.embedding.local.install import ModelFileState
from astrbot_plugin_tidemark.core.feedback.credit import USELESS
from astrbot_plugin_tidemark.core.forgetting.lifecycle import HAND, PURGING, RETENTION, UNDECIDED
from astrbot_plugin_tidemark.core.model.consent import Pause
from astrbot_plugin_tidemark.core.model.conversation import ScopeKind
from astrbot_plugin_tidemark.core.model.errors import Fault
from astrbot_plugin_tidemark.core.model.knowledge import EventType, IntentionType
from astrbot_plugin_tidemark.core.model.memory import (
    Extractor,
    Kind,
    Mood,
    Source,
    Status,
    Succession,
)
from astrbot_plugin_tidemark.core.model.sleeping import Deed, JobKind, JobState, Left, SleepCause
from astrbot_plugin_tidemark.core.ports import Order, WorkKind
from astrbot_plugin_tidemark.core.privacy.unsharing import RevelationKind
from astrbot_plugin_tidemark.core.prompts.instructions import InstructionFault, call_of, catalogue
from astrbot_plugin_tidemark.core.recall.profile import Section
from astrbot_plugin_tidemark.core.recall.trace import Drop, Intent, Leg, LegState, SilenceReason
from astrbot_plugin_tidemark.core.records.intentions import OVER, STALE
from astrbot_plugin_tidemark.core.records.merging import MERGED, TAKEN_APART
from astrbot_plugin_tidemark.core.scoring.decision import Column, TurnColumn
from astrbot_plugin_tidemark.core.settings import SettingOrigin, Want
from astrbot_plugin_tidemark.core.sleep import steps
from astrbot_plugin_tidemark.core.sleep.sweep import DECAYED, POLICY, SUMMARISED
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.foreign.rows import Skip, SourceProblem
from astrbot_plugin_tidemark.core.transfer.migration import MigrationStage, NotMoved
from astrbot_plugin_tidemark.core.transfer.moving_in import BatchState
from astrbot_plugin_tidemark.tests.for_each import for_each

TELLERS = frozenset(
    {"failed", "_failed", "report", "_report", "_count", "_run", "run", "supervised"}
)
"""Functions whose first argument says where something failed."""

INSTALLER = Path("core", "embedding", "local", "install.py")
"""There `report` tells how far it is."""

ROOT = Path(__file__).resolve().parents[3]
ZH, EN = (load_phrases().messages[language] for language in FILES)

REASONS = frozenset({*Refusal, *SourceProblem, *NotMoved})
OUTCOMES = ("on", "off", "already_on", "already_off")


def worded(family: str) -> set[str]:
    """Names of a family that may be anything, those that the catalogue has a word for."""
    return {key.partition(".")[2] for key in ZH if key.startswith(f"{family}.")}


LISTS = {
    *("list", "scopes", "bin", "quarantine", "conflicts", "imports", "reports"),
    *("mine", "holding", "about", *(f"plans_{which}" for which in Which)),
}
PAUSED = [
    f"{command}_{outcome}_{whose}"
    for command in ("pause", "resume")
    for outcome in ("done", "already")
    for whose in Pause
]
FAMILIES = {
    "kind": Kind,
    "source": Source,
    "extractor": Extractor,
    "succession": Succession,
    "leg": Leg,
    "leg_did": LegState,
    "reranker_did": LegState,
    "move": MigrationStage,
    "drop": Drop,
    "intent": Intent,
    "silence": SilenceReason,
    "column": Column,
    "because": {*Column, DUE},
    "preset": PRESETS,
    "preset_about": PRESETS,
    "prompt": {call_of(name) for name in catalogue()},
    "prompt_fault": InstructionFault,
    "turn": TurnColumn,
    "action": {*worded("action"), *VERDICTS, *Succession, *RevelationKind},
    "attribute": worded("attribute"),
    "kin": worded("kin"),
    "actor": {*worded("actor"), *ACTORS},
    "refused": Refusal,
    "refused_by": [
        key.removeprefix("refused_by.")
        for key in (f"refused_by.{c.name}.{reason}" for c in COMMANDS for reason in REASONS)
        if key in ZH
    ],
    "reason": {
        *(HAND, USELESS, DECAYED, PURGING, RETENTION, UNDECIDED, STALE, OVER, MERGED, TAKEN_APART),
        *(SUMMARISED, POLICY.strip(), *(f"unsaid_{lack}" for lack in Lack)),
    },
    "confirm": ("purge", "storage", "restore-backup", "forget-me", "imports", "learn"),
    "important": OUTCOMES,
    "pin": OUTCOMES,
    "section": Section,
    "listed_empty": LISTS,
    "listed_header": LISTS,
    "done": OUTCOMES,
    "intention": IntentionType,
    "verdict": ("useful", "useless", "binned"),
    "still_paused": Pause,
    "pausing": PAUSED,
    "recall_pausing": PAUSED,
    "share": (*OUTCOMES, "is_on", "is_off"),
    "remind": (*OUTCOMES, "is_on", "is_off"),
    "retention": (ScopeKind.PRIVATE, ScopeKind.GROUP),
    "from_now_on": ("paused", "recorded"),
    "scope": ScopeKind,
    "standing": Status,
    "order": Order,
    "installer": [*ModelFileState],
    "space": ("hashed", "local", "folder", "host", "endpoint"),
    "profile": PROFILE_NAMES,
    "place": {*worded("place"), *WorkKind},
    "failure": [*SORTS.values(), "other"],
    "file": Fault,
    "tier": ("t0", "t1", "t2"),
    "origin": SettingOrigin,
    "wanted": Want,
    "range": (Want.WHOLE, Want.NUMBER),
    "import_skip": Skip,
    "imports": BatchState,
    "next": NextStep,
    "on": SwitchedOn,
    "job_kind": JobKind,
    "job_state": frozenset(JobState) - {JobState.RUNNING},
    "job_done": frozenset(JobKind) - {JobKind.MODEL, JobKind.EMBEDDING, JobKind.SLEEP},
    "job_cancelled": JobKind,
    "job_interrupted": frozenset(JobKind) - {JobKind.MIGRATION, JobKind.EMBEDDING, JobKind.SLEEP},
    "occasion": Occasion,
    "recording": ("private", "group_all", "group_addressed", "group_none"),
    "deed": Deed,
    "left": Left,
    "mood": frozenset(Mood) - {Mood.NEUTRAL},
    "event": EventType,
    "cause": SleepCause,
    "step": [
        each.name
        for file in Path(steps.__path__[0]).glob("[a-z]*.py")
        for each in vars(import_module(f"{steps.__name__}.{file.stem}")).values()
        if isinstance(each, type) and isinstance(getattr(each, "name", None), str)
    ],
    "usage": [command.name for command in COMMANDS],
    "summary": [command.name for command in COMMANDS],
    "detail": [command.name for command in COMMANDS],
}
"""Keys that are composed in the code, by their first part."""


@cache
def spoken() -> set[str]:
    keys: set[str] = set()
    host = ROOT / "core" / "host"
    shell = (ROOT / "main.py", host / "reminding.py", host / "tools.py")
    for file in (*shell, *(ROOT / "commands").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in (
                "say",
                "_say",
                "named",
            ):
                keys |= {key for argument in node.args[:2] for key in _keys(argument)}
    return keys - FILES.keys()


def _keys(argument: ast.expr) -> set[str]:
    match argument:
        case (
            ast.Constant(value=str(key)) | ast.JoinedStr(values=[ast.Constant(value=str(key)), *_])
        ):
            return {key}
        case ast.IfExp(body=one, orelse=other):
            return _keys(one) | _keys(other)
        case _:
            return set()


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def expected_keys() -> set[str]:
    fixed = {key for key in spoken() if not key.endswith((".", ".t"))}
    composed = {f"{family}.{name}" for family, names in FAMILIES.items() for name in names}
    return fixed | composed


def test_every_message_is_said_in_both_languages_and_the_reverse() -> None:
    assert list(ZH) == list(EN)
    assert expected_keys() - set(ZH) == set()
    assert set(ZH) - expected_keys() == set()
    composed = {key.partition(".")[0] for key in spoken() if key.endswith((".", ".t"))}
    assert composed == set(FAMILIES)


@for_each(ZH)
def test_a_message_has_the_same_placeholders_in_both_languages(key: str) -> None:
    assert placeholders(ZH[key]) == placeholders(EN[key])


def test_the_catalogues_are_of_their_language_and_without_emoji() -> None:
    astral = [text for text in (*ZH.values(), *EN.values()) if max(map(ord, text)) > 0xFFFF]
    assert astral == []

    def chinese(text: str) -> bool:
        return any("\u4e00" <= character <= "\u9fff" for character in text)

    formats = {
        "show.header",
        "show.message",
        "why.and",
        "why.because",
        "config.preset",
        "show.message_of",
        "help.line",
        "config.line",
        "config.choice",
        "reports.line",
        "reports.decision",
        "me.line",
    }
    named = {key for key, text in ZH.items() if not chinese(text)}
    assert {key for key in named if not key.startswith("usage.")} == formats
    assert [key for key, text in EN.items() if chinese(text)] == []


def test_values_are_shown_as_they_are_in_english_unless_chinese() -> None:
    said = load_phrases().say("en", "command.unknown", name="{usage} {0} {")
    assert "“{usage} {0} {”" in said
    phrases = load_phrases()
    assert phrases.say("ja", "command.opening") == phrases.say("en", "command.opening")
    with pytest.raises(KeyError):
        load_phrases().say("zh", "no.such.key")


def places_in(file: Path) -> set[str]:
    """The places that calls in a file name as such."""
    calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if is_telling(node)]
    first = [call.args[0] for call in calls if call.args]
    return {
        arg.value for arg in first if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
    }


def is_telling(node: ast.AST) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in TELLERS


def test_every_failure_has_a_phrase_and_every_refusal_a_remedy() -> None:
    files = [ROOT / "main.py", *(ROOT / "core").rglob("*.py")]
    named = set[str]().union(*(places_in(file) for file in files if file != ROOT / INSTALLER))
    assert {"tools", "forgetting", "recall", "backup", "queue", "embedding"} <= named
    assert named <= worded("place")
    way = re.compile(r"/memory|\b(ask|say|send|wait|write|may)\b", re.I)
    silent = [key for key in EN if key.startswith("refused.") and not way.search(EN[key])]
    assert silent == []
