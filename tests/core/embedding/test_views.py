"""The views of a memory: the parts of a long text, all of it, and what its claim answers."""

import pytest
from astrbot_plugin_tidemark.core.embedding.backfill import LONG, PART, embedding_texts, views_of
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.lesson import NoteDetails
from astrbot_plugin_tidemark.core.model.memory import VIEWS
from astrbot_plugin_tidemark.core.records.learnt import enriched
from hypothesis import given
from hypothesis import strategies as st

from ...storage.memories import memory

PRIVATE = Scope(ScopeKind.PRIVATE, "qq", "42").key
GROUP = Scope(ScopeKind.GROUP, "qq", "7").key


def parts(text: str) -> list[str]:
    return list(views_of(memory("a", text)).values())


def test_a_long_text_has_views_by_sentence_and_by_sleeps_cues() -> None:
    assert parts("I keep bees. " * 50) == []
    said = [f"This is sentence {number}, and it is of some length." for number in range(60)]
    found = parts(" ".join(said))
    assert len(found) > 2
    assert all(PART <= len(part) < PART + 60 for part in found[:-1])
    assert all(part.endswith(".") for part in found)
    assert " ".join(found) == " ".join(said)
    assert "".join(parts("好" * 3_000)) == "好" * 3_000
    own = memory("a", "Ann speaks Japanese", cues=("her skills",))
    added = enriched(own, NoteDetails(cues=("who interprets?", "planning a trip")), own.text)
    assert views_of(added) == {"needed": "who interprets?\nplanning a trip"}
    assert embedding_texts(added) == embedding_texts(own) == ("Ann speaks Japanese\nher skills",)


@given(st.text(st.sampled_from("ab 好.。\n"), min_size=LONG, max_size=20_000))
def test_names_are_known_and_no_character_is_lost(text: str) -> None:
    views = views_of(memory("a", text))
    assert list(views) == list(VIEWS[: len(views)])
    assert "".join("".join(views.values()).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("claim", "scope", "asked"),
    [
        (Claim("@42", "residence", "Bergen", 0.0), PRIVATE, "what is my residence"),
        (Claim("@42/sister", "job", "baker", 0.0), PRIVATE, "what is my sister's job"),
        (Claim("tom", "favourite:drink", "tea", 0.0), PRIVATE, "what is tom's favourite drink"),
        (Claim("@42", "work_mode", "remote", 0.0), GROUP, "what is Ann's work mode"),
    ],
)
def test_a_claim_is_embedded_as_what_it_answers(claim: Claim, scope: str, asked: str) -> None:
    told = memory("a", "as ever", scope=scope, claim=claim, speaker=Speaker("42", "Ann"))
    assert views_of(told) == {"asked": asked}
