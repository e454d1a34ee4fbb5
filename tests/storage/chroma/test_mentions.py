"""The mentions of a scope in memory: newest first, in step with any history, nothing left over."""

from collections import Counter

from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.storage.chroma.mentions import MentionIndex, counted, newest
from astrbot_plugin_tidemark.storage.chroma.text import IndexEntry, ScopeIndex
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = ("tea", "火锅", "🐝")


def holding(**told: tuple[float, tuple[str, ...]]) -> MentionIndex:
    index = MentionIndex()
    index.change((), told)
    return index


def test_the_newest_come_first_and_ties_by_id() -> None:
    index = holding(b=(1.0, ("tea",)), a=(1.0, ("tea",)), c=(2.0, ("tea", "bee")))
    assert [id for _, id in index.newest("tea", 9)] == ["c", "a", "b"]
    assert [id for _, id in index.newest("tea", 1)] == ["c"]
    assert index.newest("tea", -1) == index.newest("unknown", 9) == []


def test_a_memory_that_comes_again_replaces_itself() -> None:
    index = holding(a=(1.0, ("tea", "bee")))
    index.change((), {"a": (2.0, ("tea",))})
    assert index.counts(("tea", "bee")) == {"tea": 1}
    assert index.size == 1


def test_several_scopes_are_one_list() -> None:
    indexes = [holding(a=(1.0, ("tea",)), c=(3.0, ("tea",))), holding(b=(2.0, ("tea", "bee")))]
    assert counted(indexes, ["tea", "bee", "tea"]) == {"tea": 3, "bee": 1}
    assert [each.memory for each in newest(indexes, ["tea", "bee"], 2)] == ["c", "b", "b"]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.sampled_from("abcdef"),
            st.floats(-1e12, 1e12),
            st.lists(st.sampled_from(NAMES), unique=True),
        ),
        max_size=30,
    )
)
def test_after_any_history_it_holds_what_is_there(
    history: list[tuple[bool, str, float, list[str]]],
) -> None:
    index, there = MentionIndex(), dict[str, tuple[float, list[str]]]()
    for added, id, created_at, names in history:
        if added:
            there[id] = created_at, names
            index.change((), {id: there[id]})
        else:
            there.pop(id, None)
            index.change([id], {})
    counts = Counter(name for _, names in there.values() for name in names)
    assert index.counts(NAMES) == dict(counts)
    assert index.size == counts.total()
    for name in NAMES:
        mentioning = sorted((-at, id) for id, (at, names) in there.items() if name in names)
        assert index.newest(name, 3) == mentioning[:3]


def test_a_scope_knows_kinds_and_times_of_what_it_holds() -> None:
    index = ScopeIndex()
    how_to = IndexEntry("a", "tea", (), Kind.PROCEDURAL, 1.0, 5.0, ("tea",))
    index.change((), [how_to, IndexEntry("b", "tea", (), Kind.EPISODIC, 2.0, 7.0)])
    assert index.of_kinds({Kind.PROCEDURAL}) == {"a"}
    assert index.happened(5.0, 7.0) == [(5.0, "a"), (7.0, "b")]
    assert index.happened(5.0, 7.0, {Kind.EPISODIC}) == [(7.0, "b")]
    index.change(["a"], ())
    assert index.of_kinds({Kind.PROCEDURAL}) == frozenset()
    assert index.happened(float("-inf"), 6.0) == []
    assert index.mentions.counts(("tea",)) == {}


def test_mentions_count_towards_what_is_held() -> None:
    index = ScopeIndex()
    index.change((), [IndexEntry("a", "tea", (), mentions=("tea", "bee"))])
    assert index.size == 3
