"""Which names raw turns are found to hold."""

import pytest
from astrbot_plugin_tidemark.core.capture.pipeline import entities_of
from astrbot_plugin_tidemark.core.languages.entities import (
    MOST,
    MOST_CANDIDATES,
    candidates,
    first_of,
    names_in,
    names_written,
)
from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.text.quoting import entity_id
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ...samples import ANNS, memory, turn


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I met Rosa at the mill", ["Rosa"]),
        ("Yesterday was fine", []),
        ("Paris is far. I love Paris!", ["Paris"]),
        ("Shia Labeouf gave a talk", ["Shia Labeouf"]),
        ("Hey Jon, how are you?", ["Jon"]),
        ("That's Rosa's goat", ["Rosa"]),
        ("we went to the Isle of Wight in May on Monday", ["Isle", "Wight"]),
        ("STOP SHOUTING at me, said NASA", ["NASA"]),
        ("I read 'The Lean Startup' again", ["Lean Startup"]),
        ('have you seen "Finding Freedom"?', ["Finding Freedom"]),
        ('she said "no way, never again" to me', []),
        ("我在看《三体》和《 活着 》", ["三体", "活着"]),
        ("She sees the dentist on Thursday 19 June 2025 with Mel", ["Mel"]),
        ("Ich war in Berlin mit Frau Schmidt", ["Berlin", "Frau Schmidt"]),
        ("i like it. it is ok", []),
        ("", []),
    ],
)
def test_names_are_told_by_capitals_and_titles(text: str, names: list[str]) -> None:
    assert [entity.name for entity in names_written(text)] == names


@given(st.text(max_size=300))
def test_any_text_has_at_most_so_many_names_each_once_under_its_id(text: str) -> None:
    found = names_written(text)
    assert len(found) <= MOST
    assert len({entity.id for entity in found}) == len(found)
    assert all(entity.id == entity_id(entity.name) for entity in found)


def test_function_words_and_endless_names_are_none() -> None:
    offered = [Entity("the", "the"), Entity("x" * 99, "x" * 99), Entity("rosa", "Rosa")]
    assert first_of(offered) == [Entity("rosa", "Rosa")]


async def test_what_the_scope_knows_is_recognised_and_no_other_or_the_speaker() -> None:
    store = ReferenceStore()
    await store.put([memory(entities=(Entity("big goat", "Big Goat"), Entity("ann", "Ann")))])
    found = await entities_of(turn(1, "ann says the big goat limps"), store)
    assert [entity.id for entity in found] == ["big goat"]
    store = ReferenceStore()
    other = ANNS.key.replace("901", "902")
    await store.put([memory(scope=other, entities=(Entity("big goat", "Big Goat"),))])
    assert await entities_of(turn(1, "the big goat limps"), store) == []


@pytest.mark.parametrize(
    ("text", "known", "named"),
    [
        ("Where does Ann live?", {"ann"}, ["ann"]),
        ("the annex is open", {"ann"}, []),
        ("Ann's dog", {"ann"}, ["ann"]),
        ("What did DR. SEUSS  write?", {"dr. seuss", "seuss"}, ["dr. seuss"]),
        ("C++ or C#? not C.", {"c++", "c#", "c"}, ["c++", "c#", "c"]),
        ("(.NET) core", {".net", "net"}, [".net"]),
        ("小雨放假了吗", {"小雨", "雨"}, ["小雨"]),
        ("今天下雨", {"雨"}, []),
        ("南京市长江大桥", {"南京市", "市长", "长江大桥"}, ["南京市", "长江大桥"]),
        ("跟ann去上海", {"ann", "上海"}, ["ann", "上海"]),
        ("列奥纳多·达·芬奇的画", {"列奥纳多·达·芬奇", "芬奇"}, ["列奥纳多·达·芬奇"]),
        ("I think it is the bees", {"i", "it", "the"}, []),
        ("我们走吧", {"我们", "我"}, []),
        ("call 🦊fox", {"🦊fox", "fox"}, ["🦊fox"]),
        ("🦊🦊", {"🦊"}, []),
        ("is a.*b( a name", {"a.*b(", "a"}, ["a.*b("]),
        ("John Ronald Reuel Tolkien wrote", {"john ronald reuel tolkien", "john"},
         ["john ronald reuel tolkien"]),
        ("", {"ann"}, []),
    ],
)  # fmt: skip
def test_names_are_found_whole_longest_first(text: str, known: set[str], named: list[str]) -> None:
    assert list(names_in(text, known)) == named


def test_a_name_counts_where_it_stands_alone_and_words_stay_whole() -> None:
    assert names_in("王小明和小明", {"王小明", "小明"}) == ("王小明", "小明")
    text = "Rosa " + "and then " * 400 + "Otto"
    assert names_in(text, {"rosa", "otto"}) == ("rosa", "otto")


@pytest.mark.parametrize(
    "text",
    ["今天天气真好" * 400, "hello world foo bar " * 100, "a.b+c" * 400, "🦊" * 2000, "。" * 2000,
     "𠀀𠀁" * 1000, "王\n" * 1000, "'" * 2000],
)  # fmt: skip
def test_however_long_a_text_is_the_candidates_are_bounded(text: str) -> None:
    assert len(candidates(entity_id(text))) <= MOST_CANDIDATES


@given(st.text(max_size=200))
def test_every_candidate_stands_in_the_text_and_is_an_entity_id(text: str) -> None:
    asked = entity_id(text)
    for (start, end), name in candidates(asked).items():
        assert asked[start:end] == name
        assert entity_id(name) == name


@given(st.text(max_size=60), st.sets(st.text(min_size=1, max_size=6), max_size=8))
def test_no_two_names_share_a_character(text: str, names: set[str]) -> None:
    known = {entity_id(name) for name in names}
    found = names_in(text, known)
    assert set(found) <= known
    assert sum(map(len, found)) <= len(entity_id(text))
