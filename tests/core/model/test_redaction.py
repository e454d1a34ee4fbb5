"""Failures are counted, and no key is shown in what is told of them."""

import pytest
from astrbot_plugin_tidemark.core.model.errors import (
    HIDDEN,
    EmbeddingUnavailable,
    Incident,
    Incidents,
    StorageError,
    TidemarkError,
    masked,
)

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
