"""Which names raw turns are found to hold."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.capture.pipeline import entities_of
from astrbot_plugin_tidemark.core.languages.entities import (
    MOST,
    MOST_CANDIDATES,
    candidates,
    first_of,
    names_by_rule,
    names_in,
)
from astrbot_plugin_tidemark.core.languages.zh.entity_extraction import chinese_names
from astrbot_plugin_tidemark.core.languages.zh.words import is_full_name
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
        ("we went to the Isle of Wight in May on Monday", ["Isle of Wight"]),
        ("STOP SHOUTING at me, said NASA", ["NASA"]),
        ("I read 'The Lean Startup' again", ["The Lean Startup"]),
        ('have you seen "Finding Freedom"?', ["Finding Freedom"]),
        ('she said "no way, never again" to me', []),
        ("我在看《三体》和《 活着 》", ["三体", "活着"]),
        ("小王说李老师明天来", ["李老师"]),
        ("听说老张回来了，“晴天”真好听", ["晴天"]),
        ("i like it. it is ok", []),
        ("", []),
    ],
)
def test_names_are_told_by_capitals_titles_and_address(text: str, names: list[str]) -> None:
    assert [entity.name for entity in names_by_rule(text)] == names


def test_jieba_is_not_loaded_for_a_name() -> None:
    code = (
        "import sys, conftest\n"
        "from astrbot_plugin_tidemark.core.languages.zh.entity_extraction import chinese_names\n"
        "assert chinese_names('我和张伟去了杭州') == []\n"
        "assert 'jieba' not in sys.modules"
    )
    tests = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code], cwd=tests, check=True)


@pytest.mark.usefixtures("jieba_loaded")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("我上周和王小明去了杭州西湖，见到了张伟", ["王小明", "杭州", "西湖", "张伟"]),
        ("她在清华大学读书", ["清华大学"]),
        ("这个城市很美丽，胡萝卜很好吃，我明白了", []),
        ("今天天气真好，我们去吃饭吧", []),
    ],
)
def test_chinese_names_are_told_by_dictionary_and_family_name(text: str, names: list[str]) -> None:
    assert [entity.name for entity in chinese_names(text)] == names


@pytest.mark.usefixtures("jieba_loaded")
def test_what_kind_of_name_it_is_is_kept() -> None:
    kinds = {entity.name: entity.type for entity in chinese_names("张伟在清华大学，我去了杭州")}
    assert kinds == {"张伟": "person", "清华大学": "organisation", "杭州": "place"}


@pytest.mark.parametrize(
    ("word", "is_name"),
    [("张伟", True), ("王小明", True), ("欧阳娜娜", True), ("周就会", False), ("我们", False),
     ("王", False), ("李小明明", False)],
)  # fmt: skip
def test_a_full_name_is_a_family_name_with_one_or_two_characters(word: str, is_name: bool) -> None:
    assert is_full_name(word) is is_name


@given(st.text(max_size=300))
def test_any_text_has_at_most_so_many_names_each_once_under_its_id(text: str) -> None:
    found = names_by_rule(text)
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

    def cut(text: str) -> Iterator[str]:
        yield from ("市长", text.removeprefix("市长"))

    assert names_in("市长来了", {"长来"}, cut) == ()
    assert names_in("市长来了", {"市长"}, cut) == ("市长",)
    asked: list[str] = []

    def cut(text: str) -> list[str]:
        asked.append(text)
        return [text]

    names_in("没有人在这里" * 50, {"小明"}, cut)
    assert asked == []


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
