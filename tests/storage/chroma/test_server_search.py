"""While the index of a scope is not in memory, a server that searches text answers in its place."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.languages.terms import INDEX_VERSION, index_terms
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status
from astrbot_plugin_tidemark.core.ports import Scored
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.chroma.documents import document, said, term, with_turns
from astrbot_plugin_tidemark.storage.chroma.filling import IndexFilling
from astrbot_plugin_tidemark.storage.chroma.namespace import WORDS, Namespace
from astrbot_plugin_tidemark.storage.chroma.quotas import DOCUMENT_BYTES, PAGE, TEXT_SEARCH_BYTES
from astrbot_plugin_tidemark.storage.chroma.text import IndexEntry
from hypothesis import given
from hypothesis import strategies as st

from ..memories import ANNA, BEN, memory, vector, with_status
from .quota_proxy import Proxy, proxied
from .test_quotas import through

HERE = frozenset({ANNA})
MANY = PAGE + 100
FACTS = frozenset({Kind.SEMANTIC})
CATS = [
    memory("cat", "我後來養了一隻橘貓"),
    memory("dog", "Ben walks his dog", cues=("a dog named Rex",)),
    memory("old", "the dog of old", kind=Kind.EPISODIC),
    memory("bin", "a dog in the bin"),
]


def scope_of_many() -> list[Memory]:
    """Turns about tea and water, and a few memories about something else."""
    turns = [
        memory(f"{n:04}", f"tea {n}" if n % 5 else f"water {n}", kind=Kind.EVIDENCE)
        for n in range(MANY)
    ]
    origin = replace(turns[0].origin, turns=(7,))
    return [*turns, *CATS, memory("fact", "Anna likes tea", origin=origin)]


@pytest.fixture
def proxy(chroma_server: ServerProcess) -> Iterator[Proxy]:
    with proxied(chroma_server.port) as opened:
        yield opened


@pytest_asyncio.fixture
async def cold(
    tmp_path: Path, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ChromaStore]:
    """A large scope, and somebody else's; its index is never begun."""
    monkeypatch.setattr(IndexFilling, "at_hand", lambda *_: None)
    store = await ChromaStore.open(tmp_path, through(proxy))
    await store.put([*scope_of_many(), memory("ben", "my dog", scope=BEN)])
    await store.amend(["bin"], lambda each: with_status(each, Status.BINNED))
    yield store
    await store.close()
    assert proxy.refused == []


def ids(hits: list[Scored]) -> list[str]:
    return [hit.id for hit in hits]


@given(st.text(max_size=200), st.sampled_from(Kind), st.lists(st.integers(0, 10**9), max_size=3))
def test_a_document_says_what_is_indexed(text: str, kind: Kind, turns: list[int]) -> None:
    told = said(document(IndexEntry("a", text, turns, kind)))
    assert (told.kind, told.turns) == (kind, frozenset(turns))
    assert told.terms == [term(each) for each in index_terms(text)]


def test_a_long_document_ends_with_a_whole_word_within_the_quota() -> None:
    text = document(IndexEntry("a", "潮水 漲落 " + "沙灘上的貓 " * 9_000, ()))
    assert DOCUMENT_BYTES - 20 < len(text.encode()) <= DOCUMENT_BYTES
    assert set(said(text).terms) <= {term(each) for each in index_terms("潮水 漲落 沙灘上的貓")}


def test_turns_are_asked_for_in_few_filters_within_the_quota() -> None:
    filters = with_turns(range(10_000_000, 10_000_080))
    assert all(len(each["$regex"].encode()) <= TEXT_SEARCH_BYTES for each in filters)
    assert len(filters) < 10


async def test_rare_words_are_found_in_few_requests_and_in_this_scope_alone(
    cold: ChromaStore, proxy: Proxy
) -> None:
    asked = proxy.asked
    assert ids(await cold.search_text("Does Ben have a dog?", HERE)) == ["dog", "old"]
    assert ids(await cold.search_text("橘猫", HERE)) == ["cat"]
    assert ids(await cold.search_text("dog", HERE, kinds=FACTS)) == ["dog"]
    assert set(ids(await cold.search_text("dog", HERE | {BEN}))) == {"dog", "ben", "old"}
    assert proxy.asked - asked < 25


async def test_a_page_is_seen_of_what_more_than_a_page_have_in_common(cold: ChromaStore) -> None:
    told = await cold.search_text("tea", HERE, limit=PAGE)
    assert len(told) == PAGE
    assert {hit.score for hit in told} <= {hit.score for hit in told if 0 < hit.score < 1}
    assert ids(await cold.search_text("tea", HERE, kinds=FACTS)) == ["fact"]


async def test_scores_are_near_those_of_the_index(cold: ChromaStore) -> None:
    question = "Which dog named Rex drinks tea?"
    first = {hit.id: hit for hit in await cold.search_text(question, HERE, limit=9)}
    # An index is made for more than a server tells.
    exact = {hit.id: hit for hit in await cold.search_text(question, HERE, limit=PAGE + 1)}
    # Behind them are those that have the tea in common, which are as good as each other.
    assert [*first][:2] == [*exact][:2] == ["dog", "old"]
    assert all(abs(first[id].score - exact[id].score) < 0.05 for id in first.keys() & exact.keys())
    assert all(
        abs(first[id].rarest - exact[id].rarest) < 0.05 for id in first.keys() & exact.keys()
    )


async def test_what_is_reworded_set_aside_restored_or_purged_is_found_so(cold: ChromaStore) -> None:
    await cold.amend(["dog"], lambda each: replace(each, text="Ben walks his parrot", cues=()))
    await cold.amend(["bin"], lambda each: with_status(each, Status.LIVE))
    await cold.purge(["old"])
    assert ids(await cold.search_text("dog", HERE)) == ["bin"]
    assert ids(await cold.search_text("parrot", HERE)) == ["dog"]


async def test_a_recall_needs_no_index_for_meaning_sources_or_size(cold: ChromaStore) -> None:
    facts = {each.id: vector(1, n) for n, each in enumerate(CATS, 1)}
    turns = {f"{n:04}": vector(9, 1) for n in range(PAGE + 9)}
    await cold.set_vectors("f", turns | facts)
    assert ids(await cold.search_vector(vector(1, 1), "f", HERE, limit=2, kinds=FACTS)) == [
        "cat",
        "dog",
    ]
    assert await cold.distilled([6, 7], HERE) == {6: (), 7: ("fact",)}
    assert await cold.indexed(HERE) == {ANNA: MANY + len(CATS) + 1}


async def test_a_scope_without_documents_is_given_them_as_its_index_is_made(
    tmp_path: Path, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = through(proxy)
    with monkeypatch.context() as before:
        before.setattr(Namespace, "has_documents", lambda *_: False)
        store = await ChromaStore.open(tmp_path, server)
        await store.put(CATS)
        stored = store._namespace.records(ANNA)
        assert stored is not None
        stored.collection.modify(metadata=stored.collection.metadata | {WORDS: INDEX_VERSION - 1})
        await store.close()
    for _ in range(2):
        store = await ChromaStore.open(tmp_path, server)
        assert ids(await store.search_text("橘猫", HERE)) == ["cat"]
        await store.close()
    monkeypatch.setattr(IndexFilling, "filled", lambda *_: pytest.fail("it has documents now"))
    store = await ChromaStore.open(tmp_path, server)
    assert ids(await store.search_text("橘猫", HERE)) == ["cat"]
    await store.close()
