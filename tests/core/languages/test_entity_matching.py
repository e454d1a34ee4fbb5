"""Which names a text holds."""

from collections.abc import Iterator

import pytest
from astrbot_plugin_tidemark.core.languages.entities import MOST_CANDIDATES, candidates, names_in
from astrbot_plugin_tidemark.core.text.quoting import entity_id
from hypothesis import given
from hypothesis import strategies as st


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
