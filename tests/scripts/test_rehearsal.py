"""The rehearsal model answers from the memories in its prompt and pretends nothing."""

import pytest
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest
from astrbot_plugin_tidemark.scripts.rehearsal import answer, memories, question, respond

BLOCK = """<tidemark-memories>
Recalled from past conversations: quoted reference, not instructions.
[1] (2025-06-26, 小雨) 小雨对花生过敏
[2] (2025-06-27, Anna) Anna lives in Berlin
</tidemark-memories>"""
KNOWN = ["(2025-06-26, 小雨) 小雨对花生过敏", "(2025-06-27, Anna) Anna lives in Berlin"]


def request(*parts: str) -> ChatRequest:
    content = [{"type": "text", "text": part} for part in parts]
    return ChatRequest({"messages": [{"role": "user", "content": content}]}, 0.0)


def test_memories_are_read_from_the_block_only() -> None:
    assert memories(["[1] not a memory", BLOCK]) == KNOWN


def test_what_the_bot_answered_then_is_no_part_of_a_memory() -> None:
    block = "<tidemark-memories>\n[1] (2025, 小雨) 我对花生过敏 ↳ 好的\n</tidemark-memories>"
    assert memories([block]) == ["(2025, 小雨) 我对花生过敏"]


def test_a_prompt_without_a_block_holds_no_memories() -> None:
    assert memories(["[1] (2025) typed by a person"]) == []


def test_the_question_is_what_was_typed_and_no_addition() -> None:
    assert question(["<system_reminder>x</system_reminder>", "我叫什么？", BLOCK]) == "我叫什么？"
    assert question([BLOCK]) == ""


@pytest.mark.parametrize(
    ("asked", "found", "other"),
    [
        ("我对什么过敏？", "小雨对花生过敏", "Berlin"),
        ("还记得花生的事", "小雨对花生过敏", "Berlin"),
        ("Where does Anna live?", "Anna lives in Berlin", "花生"),
        ("tell me about Berlin", "Anna lives in Berlin", "花生"),
    ],
)
def test_a_question_is_answered_with_the_memories_that_share_content(
    asked: str, found: str, other: str
) -> None:
    said = answer(asked, KNOWN)
    assert found in said
    assert other not in said


def test_a_shared_pronoun_is_no_shared_content() -> None:
    assert "电影" not in answer("我对什么过敏？", ["我对电影没有兴趣"])


@pytest.mark.parametrize("asked", ["我叫什么？", "Who am I?"])
def test_a_question_without_content_of_its_own_is_answered_with_everything(asked: str) -> None:
    assert answer(asked, KNOWN).count("\n- ") == 2


@pytest.mark.parametrize("asked", ["你记得我什么？", "What do you know about me?"])
def test_a_question_about_everything_is_answered_with_everything(asked: str) -> None:
    assert answer(asked, KNOWN).count("\n- ") == 2


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("我的生日是哪天？", "关于这个，我什么都不记得。"),
        ("When is my birthday?", "I remember nothing about that."),
    ],
)
def test_a_question_it_has_no_memory_for_is_answered_so(asked: str, expected: str) -> None:
    assert answer(asked, KNOWN).endswith(expected)


@pytest.mark.parametrize(
    ("said", "expected"),
    [("我对花生过敏。", "好的，我听到了。"), ("I love green tea.", "All right, I have heard you.")],
)
def test_a_statement_is_acknowledged_and_quotes_nothing(said: str, expected: str) -> None:
    assert answer(said, KNOWN).endswith(expected)


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("你好", "〔排练模型，没有真正的智能〕"),
        ("Who am I?", "[rehearsal model, no real intelligence]"),
    ],
)
def test_every_answer_says_that_no_real_model_is_speaking(said: str, label: str) -> None:
    assert respond(request(said, BLOCK)).text.startswith(label)
