"""Values cache what is derived from them; times are told in a zone; texts are masked."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.model.consent import RecordingRules, Utterance, entries_in
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.derived import once
from astrbot_plugin_tidemark.core.model.errors import (
    HIDDEN,
    EmbeddingUnavailable,
    Incident,
    Incidents,
    StorageError,
    TidemarkError,
    masked,
)
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.model.times import local_date, local_time, utc_day, zone
from astrbot_plugin_tidemark.core.records.serialisation import fields_of

from ...samples import memory


def test_a_memory_is_asked_once_by_each_question_and_anew_when_it_changed() -> None:
    asked: list[str] = []

    @once
    def length(memory: Memory) -> int:
        asked.append(memory.id)
        return len(memory.text)

    own = memory("tea", id="a")
    assert [length(own), length(own), length(memory("coffee", id="b"))] == [3, 3, 6]
    assert asked == ["a", "b"]
    length = once(lambda memory: len(memory.text))
    own = memory("tea", id="a")
    assert length(own) == 3
    assert length(replace(own, text="coffee")) == 6
    first, last = once(lambda memory: memory.text[0]), once(lambda memory: memory.text[-1])
    own = memory("tea", id="a")
    assert (first(own), last(own)) == ("t", "a")
    own, other = memory("tea", id="a"), memory("tea", id="a")
    once(lambda memory: memory.text)(own)
    assert own == other
    assert hash(own) == hash(other)
    assert fields_of(own) == fields_of(other)


NEW_YEAR = 1_767_225_600.0  # 2026-01-01T00:00Z
SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")


def test_the_same_moment_is_another_day_elsewhere_but_a_budgets_day_is_utc() -> None:
    assert local_date(NEW_YEAR, SHANGHAI) == "2026-01-01"
    assert local_date(NEW_YEAR, NEW_YORK) == "2025-12-31"
    assert local_time(NEW_YEAR, SHANGHAI) == "2026-01-01 08:00"
    assert utc_day(NEW_YEAR) == "2026-01-01"
    assert utc_day(NEW_YEAR - 0.001) == "2025-12-31"
    assert str(zone("Asia/Shanghai")) == str(SHANGHAI)


@pytest.mark.parametrize("at", [-1e18, 0.0, 1e18, float("inf"), float("-inf")])
def test_every_time_can_be_shown(at: float) -> None:
    for where in (SHANGHAI, NEW_YORK, None):
        assert local_date(at, where)[:2] in ("19", "99")
        assert len(local_time(at, where)) == len("2026-01-01 00:00")


@pytest.mark.parametrize("name", ["", "Mars/Base", "../x", "America", "/etc", "a\0b", "\ud800"])
def test_a_zone_that_is_none_means_the_machine_s_own(name: str) -> None:
    assert zone(name) is None


KEY = "Zk9-plain_looking-7781"


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Incorrect API key provided: abcd1234efgh.", f"Incorrect API key provided: {HIDDEN}"),
        ("no such key sk-proj-AbCdEf0123456789xyz", f"no such key {HIDDEN}"),
        ("AuthenticationError: AIzaSyA1234567890abcdefghijk", f"AuthenticationError: {HIDDEN}"),
        ("bad 0123456789abcdef0123456789abcdef.AbCdEf123456", f"bad {HIDDEN}"),
        (f"Illegal header value b'Bearer {KEY}'", f"Illegal header value b'Bearer {HIDDEN}'"),
        (f"{{'Authorization': 'Bearer {KEY}'}}", f"{{'Authorization': 'Bearer {HIDDEN}'}}"),
        (f"{{'X-Chroma-Token': '{KEY}'}}", f"{{'X-Chroma-Token': '{HIDDEN}'}}"),
        (f'{{"api_key": "{KEY}"}}', f'{{"api_key": "{HIDDEN}"}}'),
        (f"http://h/v1?api-key={KEY}&v=2", f"http://h/v1?api-key={HIDDEN}&v=2"),
        (f"http://h/v1?key={KEY}", f"http://h/v1?key={HIDDEN}"),
        (f"https://ann:{KEY}@host/v1", f"https://{HIDDEN}@host/v1"),
    ],
)
def test_what_looks_like_a_key_is_hidden(told: str, shown: str) -> None:
    assert masked(told) == shown
    assert masked(shown) == shown


def test_a_known_key_is_hidden_whatever_it_looks_like() -> None:
    assert masked(f"who is {KEY}?", KEY) == f"who is {HIDDEN}?"
    assert masked("an empty or very short key hides nothing", "", "a") != HIDDEN


@pytest.mark.parametrize(
    "plain",
    [
        "no answer in 20 s",
        "3 tokens of 2000000; token limit reached",
        "https://api.example.com/v1: Connection error.",
        "memory 3f2c1d90-1b7e-5c1e-9a55-0d2f6c3b1a77 differs",
        "the password of a wizard is a riddle",
        "local:multilingual-e5-small-q4.1-1571fc98:384",
        "学习用的模型不可用：HTTP 401",
        'run `python -m pip install "chromadb>=1.5,<2"` there',
    ],
)
def test_other_words_stay(plain: str) -> None:
    assert masked(plain) == plain


@pytest.mark.parametrize("error", [TidemarkError, EmbeddingUnavailable, StorageError])
def test_no_error_of_ours_repeats_a_key(error: type[TidemarkError]) -> None:
    assert KEY not in str(error(f"refused: {{'Authorization': 'Bearer {KEY}'}}"))


def test_failures_at_one_place_are_counted_with_their_last_words_short_and_without_key() -> None:
    incidents = Incidents()
    incidents.record("learn", ValueError("first"), 1.0)
    incidents.record("recall", "slow", 2.0)
    assert incidents.record("learn", KeyError("second"), 3.0).count == 2
    assert incidents.snapshot() == {
        "learn": Incident(2, 3.0, "KeyError: 'second'"),
        "recall": Incident(1, 2.0, "slow"),
    }
    assert list(incidents.snapshot()) == ["learn", "recall"]
    assert len(Incidents().record("x", ValueError("y" * 9_000), 0.0).text) == 300
    incidents = Incidents()
    before = incidents.snapshot()
    incidents.record("x", "y", 0.0)
    assert before == {}
    incidents = Incidents()
    incidents.record("command", ValueError(f"Illegal header value b'Bearer {KEY}'"), 1.0)
    assert KEY not in incidents.snapshot()["command"].text


GROUP = Scope(ScopeKind.GROUP, "qq", "5000")
PRIVATE = Scope(ScopeKind.PRIVATE, "qq", "901")


def rules(*, allow: str = "", deny: str = "") -> RecordingRules:
    allowed, denied = entries_in(allow), entries_in(deny)
    assert allowed is not None
    assert denied is not None
    return RecordingRules(allowed, denied)


IN_GROUP = Utterance(GROUP, "901", "nurse")
ALONE = Utterance(PRIVATE, "901", "nurse")


def test_a_denial_comes_first_and_a_person_is_meant_by_any_account() -> None:
    assert not rules().refuse(IN_GROUP)
    assert not rules().refuse(ALONE)
    assert rules(allow="group:5000", deny="person:901").refuse(IN_GROUP)
    elsewhere = Utterance(GROUP, "901", joined=frozenset({("tg", "ann")}))
    assert rules(deny="person:tg/ann").refuse(elsewhere)
    assert not rules(allow="person:ann").refuse(elsewhere)
    nobody = Utterance(GROUP, "901")
    assert rules(allow="persona:nurse").refuse(nobody)
    assert not rules(deny="persona:nurse").refuse(nobody)
    odd = Utterance(Scope(ScopeKind.GROUP, "tg", "my group:7"), "1")
    assert rules(deny="group:my%20group:7").refuse(odd)


@pytest.mark.parametrize(
    ("deny", "in_group", "alone"),
    [
        ("group:5000", True, False),
        ("group:qq/5000", True, False),
        ("group:tg/5000", False, False),
        ("group:*", True, False),
        ("private:901", False, True),
        ("private:*", False, True),
        ("person:901", True, True),
        ("person:qq/901", True, True),
        ("person:902", False, False),
        ("platform:qq", True, True),
        ("persona:nurse", True, True),
        ("PERSONA：nurse，group:1", True, True),
        ("persona:default", False, False),
    ],
)
def test_a_denied_platform_group_or_person_is_out(deny: str, in_group: bool, alone: bool) -> None:
    assert rules(deny=deny).refuse(IN_GROUP) is in_group
    assert rules(deny=deny).refuse(ALONE) is alone


@pytest.mark.parametrize(
    ("allow", "in_group", "alone"),
    [
        ("group:5000", False, False),
        ("group:1", True, False),
        ("private:902", False, True),
        ("person:902 person:901", False, False),
        ("person:902", True, True),
        ("platform:tg", True, True),
        ("persona:nurse group:1", True, False),
        ("persona:cook", True, True),
    ],
)
def test_of_a_kind_allowed_only_the_named_is_kept(allow: str, in_group: bool, alone: bool) -> None:
    assert rules(allow=allow).refuse(IN_GROUP) is in_group
    assert rules(allow=allow).refuse(ALONE) is alone


@pytest.mark.parametrize("text", ["5000", "group:", ":5000", "grup:5000", "group 5000", "ok:1,"])
def test_what_is_no_list_of_rules_is_not_read(text: str) -> None:
    assert entries_in(text) is None
