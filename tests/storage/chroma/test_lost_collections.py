"""A collection that somebody else deletes on the server while it is in use: the others answer."""

import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.ports.files import ChromaServer
from astrbot_plugin_tidemark.core.recall.trace import Recalled
from astrbot_plugin_tidemark.core.settings import RecallSettings, ScopeSettings, Settings
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.chroma.namespace import RECORDS, SCOPES, Label

from ...rig import Rig, open_rig
from ...samples import ANNS
from ..memories import ANNA, BEN, DAY, NOW, memory, vector

BOTH = frozenset({ANNA, BEN})
VECTORS = {id: vector(1, number) for number, id in enumerate("abz")}


@pytest.fixture
def server(chroma_server: ServerProcess) -> ChromaServer:
    return chroma_server.address(uuid.uuid4().hex)


@pytest.fixture
async def store(tmp_path: Path, server: ChromaServer) -> AsyncIterator[ChromaStore]:
    """Two memories of Anna's and one of Ben's, with vectors, and weakened once."""
    store = await ChromaStore.open(tmp_path, server)
    await store.belong_to("the journal")
    await store.put([memory("a", "green tea"), memory("b", "black tea")])
    await store.put([memory("z", "tea at Ben's", scope=BEN)])
    await store.set_vectors("f", VECTORS)
    await store.decay(NOW + 4 * DAY, Tmd().plan, BinPolicy())
    yield store
    await store.close()


def delete(store: ChromaStore, *labels: Label) -> None:
    """As another program does it."""
    for label in labels:
        store._client.api.delete_collection(store._namespace.name(label))


def vectors_of(store: ChromaStore, scope: str) -> list[Label]:
    return list(store._namespace.labels(store._namespace.place(scope)).values())


async def read(store: ChromaStore) -> list[str]:
    return sorted(memory.id for memory in await store.find(list(VECTORS)))


async def near(store: ChromaStore) -> list[str]:
    return sorted(hit.id for hit in await store.search_vector(vector(1, 0), "f", BOTH))


async def with_words(store: ChromaStore) -> list[str]:
    return sorted(hit.id for hit in await store.search_text("tea", BOTH))


async def test_without_the_names_of_scopes_everything_goes_on(store: ChromaStore) -> None:
    delete(store, SCOPES)
    assert sorted(await store.vectors(list(VECTORS))) == ["a", "b", "z"]
    amended = await store.amend(["a"], lambda one: replace(one, summary="changed"))
    assert [each.after.summary for each in amended] == ["changed"]
    assert await store.put([memory("c", "tea", scope="qq/private/cy")]) == {"c"}
    assert await store.purge(["b"]) == {"b"}
    assert await read(store) == ["a", "z"]
    assert await store.scopes() == {ANNA: 1, BEN: 1, "qq/private/cy": 1}
    assert await store.owner() == "the journal"


async def test_names_of_scopes_deleted_while_nobody_looked_are_made_anew_at_the_next_start(
    store: ChromaStore, tmp_path: Path, server: ChromaServer
) -> None:
    # Else nothing could be purged: whoever asks to be forgotten would be told that nothing is left.
    delete(store, SCOPES)
    await store.close()
    again = await ChromaStore.open(tmp_path, server)
    assert await again.scopes() == {ANNA: 2, BEN: 1}
    assert await again.purge(["a"]) == {"a"}
    assert await read(again) == ["b", "z"]
    await again.close()


async def test_without_its_vectors_a_chat_is_found_by_words(store: ChromaStore) -> None:
    delete(store, *vectors_of(store, ANNA))
    assert await near(store) == ["z"]
    assert await with_words(store) == ["a", "b", "z"]
    assert await store.embedded_count("f") == (1, 3)
    lost = {each.id for each in await store.unembedded("f")}
    assert lost == {"a", "b"}
    assert await store.set_vectors("f", {id: VECTORS[id] for id in lost}) == 2
    assert await near(store) == ["a", "b", "z"]


async def test_an_emptied_server_is_not_begun_anew_by_a_running_bot(store: ChromaStore) -> None:
    namespace = store._namespace
    delete(store, RECORDS, SCOPES, *vectors_of(store, ANNA), *vectors_of(store, BEN))
    for _ in range(2):
        with pytest.raises(StorageError) as told:
            await store.find(list(VECTORS))
        assert told.value.fault is Fault.LOST
        with pytest.raises(StorageError):
            await store.put([memory("n", "new tea")])
    assert not namespace._listed()


ACROSS = Settings(
    recall=RecallSettings(deadline_ms=10_000), scope=ScopeSettings(persona_separation=False)
)
PIRATES = replace(ANNS, persona="pirate")
HIVES = "Where do the hives of the chapel face?"


@pytest.fixture
async def rig(tmp_path: Path, server: ChromaServer) -> AsyncIterator[Rig]:
    """What Ann said under two personas, whose memories she is told of under both."""
    rig = await open_rig(tmp_path, ACROSS, store=await ChromaStore.open(tmp_path, server))
    for scope in (ANNS, PIRATES):
        for side in ("south", "north"):
            text = f"the hives of the chapel face {side}, says {scope.persona}"
            await rig.keep(text, scope, id=text)
    rig.engine.start()
    await rig.embedded()
    yield rig
    await rig.engine.close()


async def asked(rig: Rig) -> Recalled | None:
    return await rig.engine.recalls.recall(RecallRequest(ANNS, HIVES, None))


async def test_a_chat_without_its_vectors_is_answered_at_once(rig: Rig) -> None:
    assert isinstance(rig.store, ChromaStore)
    delete(rig.store, *vectors_of(rig.store, ANNS.key))
    found = await asked(rig)
    assert {memory.scope for memory in found.memories} >= {ANNS.key}
    await rig.embedded()
    assert rig.engine.incidents.snapshot() == {}
