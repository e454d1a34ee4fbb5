"""What a recall has read before is not made of its row again, unless the row has changed."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.errors import UnreadableRecord
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.storage.sqlite.read_before import ReadBefore
from astrbot_plugin_tidemark.storage.sqlite.records import Row, encoded
from astrbot_plugin_tidemark.storage.sqlite.store import SqliteStore

from ...samples import ANNS, memory


def row_of(kept: Memory) -> Row:
    columns, body = encoded(kept)
    return (kept.scope, body, *columns)


@pytest.fixture
def three() -> list[Memory]:
    return [memory(f"Hive {id}", id=id) for id in ("a", "b", "c")]


def test_a_row_that_is_as_it_was_gives_the_same_memory(three: list[Memory]) -> None:
    before = ReadBefore()
    first = before.decoded(row_of(three[0]))
    assert first == three[0]
    assert before.decoded(row_of(three[0])) is first


def test_whatever_has_changed_is_read_anew(three: list[Memory]) -> None:
    before = ReadBefore()
    before.decoded(row_of(three[0]))
    weaker = replace(three[0], vitality=replace(three[0].vitality, strength=1))
    for changed in (weaker, replace(three[0], text="Hive z"), replace(three[0], scope=ANNS.owner)):
        assert before.decoded(row_of(changed)) == changed


def test_no_more_are_kept_than_wanted_and_the_last_used_stay(three: list[Memory]) -> None:
    before = ReadBefore(most=2)
    first, second, _ = (before.decoded(row_of(each)) for each in (*three[:2], three[0]))
    before.decoded(row_of(three[2]))
    assert before.decoded(row_of(three[0])) is first
    assert before.decoded(row_of(three[1])) is not second


def test_what_cannot_be_read_is_not_kept(three: list[Memory]) -> None:
    before = ReadBefore()
    before.decoded(row_of(three[0]))
    scope, _, *columns = row_of(three[0])
    with pytest.raises(UnreadableRecord):
        before.decoded((scope, b"{", *columns))
    assert before.decoded(row_of(three[0])) == three[0]


async def test_nothing_of_a_deleted_memory_stays_in_memory(
    store: SqliteStore, three: list[Memory]
) -> None:
    await store.put(three)
    await store.find(["a", "b"])
    assert store.read_before.ids == {"a", "b"}
    await store.purge(["a"])
    assert store.read_before.ids == {"b"}
    await store.amend(["b"], lambda old: replace(old, text="Hive y"))
    assert store.read_before.ids == set()
    assert [each.text for each in await store.find(["a", "b", "c"])] == ["Hive y", "Hive c"]
