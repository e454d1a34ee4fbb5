"""Every schema that was ever released opens with everything in it; a newer one is left alone.

The files beside this one are what the released versions wrote, as SQL or as an export. They are
never changed; a new schema adds a new file.
"""

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.consent import Consent
from astrbot_plugin_tidemark.core.model.conversation import Injected, Place, Role, Scope
from astrbot_plugin_tidemark.core.model.errors import Fault, SchemaTooNew
from astrbot_plugin_tidemark.core.model.intentions import PENDING
from astrbot_plugin_tidemark.core.model.memory import Memory, Status
from astrbot_plugin_tidemark.core.model.sleeping import Deed, SleepCause
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, WorkKind, WorkState
from astrbot_plugin_tidemark.core.transfer.importing import import_file
from astrbot_plugin_tidemark.storage import open_journal, open_store
from astrbot_plugin_tidemark.storage.connections import APPLICATION_ID
from astrbot_plugin_tidemark.storage.journal.migrations import STEPS as JOURNAL_STEPS
from astrbot_plugin_tidemark.storage.sqlite.migrations import STEPS as MEMORY_STEPS

from ..memories import complete, memory, with_status

HERE = Path(__file__).parent
KEY = "private/qq/901/default"
JOURNALS = sorted(HERE.glob("journal-*.sql"))
STORES = sorted(HERE.glob("memories-*.sql"))
EXPORTS = sorted(HERE.glob("export-*.jsonl"))

EXPECTED = {
    "complete": replace(
        complete("complete"),
        scope=KEY,
        claim=None,
        intention=None,
        tags=(),
        parts=(),
        wording=None,
        media=tuple(replace(each, name="", preview="") for each in complete("complete").media),
        vitality=replace(
            complete("complete").vitality, sole=False, settled_at=0.0, stability=0.0, difficulty=0.0
        ),
    ),
    "plain": memory("plain", "Ann keeps bees 蜜蜂", scope=KEY, created_at=1_750_000_000.0),
    "gone": with_status(
        memory("gone", "Ann had a boat", scope=KEY), Status.ARCHIVED, since=1_750_000_000.0
    ),
}

HIVES = Claim("@", "pet:bees", "bees", 1_750_000_000.0)

named = {"ids": lambda path: path.stem}


def written(released: Path, file: Path) -> None:
    """The file as the released version left it."""
    with closing(sqlite3.connect(file)) as made:
        made.executescript(released.read_text("utf-8"))
        made.execute(f"PRAGMA application_id={APPLICATION_ID}")
        made.execute("PRAGMA journal_mode=WAL")


def future(file: Path) -> None:
    """Let a later version have been here."""
    with closing(sqlite3.connect(file)) as made:
        made.execute("INSERT INTO migration (name) VALUES ('time_travel')")
        made.commit()


def fingerprint(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


async def assert_everything(store: MemoryStore, claimed: bool = False) -> None:
    """What the files hold is there, whole and found; `claimed` with the claims since the fifth."""
    found = [each async for each in store.iterate(Filter(status=None))]
    expected = EXPECTED | ({"plain": replace(EXPECTED["plain"], claim=HIVES)} if claimed else {})
    assert {each.id: each for each in found} == expected
    held = [each.id for each in await store.page(Filter(slots=frozenset({HIVES.slot}), holds=True))]
    assert held == (["plain"] if claimed else [])
    vectors = await store.vectors(list(EXPECTED))
    assert {id: each.fingerprint for id, each in vectors.items()} == {"plain": "hashed:2"}
    np.testing.assert_allclose(vectors["plain"].vector, [0.6, 0.8], atol=1e-3)
    scopes = frozenset({KEY})
    assert [hit.id for hit in await store.search_text("蜜蜂", scopes)] == ["plain"]
    assert [hit.id for hit in await store.search_text("boat", scopes)] == []
    near = await store.search_vector(vectors["plain"].vector, "hashed:2", scopes)
    assert [hit.id for hit in near] == ["plain"]


def test_every_schema_there_was_is_kept() -> None:
    assert len(JOURNALS) == len(JOURNAL_STEPS)
    assert len(STORES) == len(MEMORY_STEPS)
    assert EXPORTS


@pytest.mark.parametrize("released", JOURNALS, **named)
async def test_a_released_journal_opens_with_everything(released: Path, tmp_path: Path) -> None:
    written(released, tmp_path / "journal.db")
    journal = await open_journal(tmp_path)
    try:
        [one, two, three] = await journal.last_turns("qq:FriendMessage:901", 10)
        assert [turn.text for turn in (one, two, three)] == [
            "I keep bees",
            "How many?",
            "seven, 七只",
        ]
        assert [turn.role for turn in (one, two, three)] == [Role.USER, Role.ASSISTANT, Role.USER]
        assert await journal.injected_in(one.episode) == [Injected(one.seq, 1, "a")]
        assert await journal.verdict_counts() == (1, 0)
        assert [entry.action for entry in await journal.audit_of("a")] == ["created"]
        assert await journal.aliases() == {("qq", "901"): "ann"}
        assert await journal.names() == {Scope.parse(KEY).owner: {("qq", "901"): "Ann"}}
        assert await journal.note("last_sweep") == "5.0"
        assert (await journal.usage("2025-06-15")).tokens == 30
        assert await journal.backlog() == {
            (WorkKind.INDEX_TURN, WorkState.READY): 3,
            (WorkKind.LEARN, WorkState.READY): 1,
        }
    finally:
        await journal.close()


async def test_personal_choices_of_the_second_journal_are_kept(tmp_path: Path) -> None:
    written(HERE / "journal-2.sql", tmp_path / "journal.db")
    journal = await open_journal(tmp_path)
    try:
        assert await journal.consents() == {Scope.parse(KEY).owner: Consent(shared=True)}
        assert set(await journal.overrides()) == {"recall.max_items"}
    finally:
        await journal.close()


async def test_names_of_groups_of_the_sixth_journal_are_kept(tmp_path: Path) -> None:
    written(HERE / "journal-6.sql", tmp_path / "journal.db")
    journal = await open_journal(tmp_path)
    try:
        assert await journal.chat_names() == {"group/qq/5000/%2A": "Harbour crew"}
    finally:
        await journal.close()


async def test_reports_of_the_seventh_journal_are_kept(tmp_path: Path) -> None:
    written(HERE / "journal-7.sql", tmp_path / "journal.db")
    journal = await open_journal(tmp_path)
    try:
        [sleep] = await journal.reports([KEY])
        assert (sleep.cause, sleep.decided) == (SleepCause.NIGHT, {Deed.BINNED: 1})
        [decided] = await journal.decisions(sleep.id)
        assert decided.decision.memories == ("a",)
        assert await journal.mark(KEY, "decay") == "12"
    finally:
        await journal.close()


async def test_who_wants_reminders_in_the_ninth_journal_is_known(tmp_path: Path) -> None:
    written(HERE / "journal-9.sql", tmp_path / "journal.db")
    journal = await open_journal(tmp_path)
    try:
        chosen = Consent(shared=True, reminded=True)
        assert await journal.consents() == {Scope.parse(KEY).owner: chosen}
    finally:
        await journal.close()


async def test_disclosures_of_the_third_journal_are_kept(tmp_path: Path) -> None:
    written(HERE / "journal-3.sql", tmp_path / "journal.db")
    journal = await open_journal(tmp_path)
    try:
        assert await journal.disclosed(Place("qq:GroupMessage:5000", "c1", "group/qq/5000/default"))
        assert not await journal.disclosed(Place("qq:GroupMessage:5001", "c1", KEY))
    finally:
        await journal.close()


async def test_counts_of_the_fifth_journal_are_kept(tmp_path: Path) -> None:
    written(HERE / "journal-5.sql", tmp_path / "journal.db")
    journal = await open_journal(tmp_path)
    try:
        assert await journal.statistics() == {
            "turns": 5,
            "episodes": 2,
            "open_episodes": 0,
            "recalls": 2,
        }
    finally:
        await journal.close()


@pytest.mark.parametrize("released", STORES, **named)
async def test_a_released_store_opens_with_everything(released: Path, tmp_path: Path) -> None:
    written(released, tmp_path / "memories.db")
    store = await open_store("sqlite", tmp_path)
    try:
        # The file has no text index yet: it is built behind the first turns.
        await store.settled()
        await assert_everything(store, claimed=int(released.stem.split("-")[1]) >= 5)
    finally:
        await store.close()


@pytest.mark.parametrize("released", STORES, **named)
async def test_entities_and_events_of_a_released_store_are_found(
    released: Path, tmp_path: Path
) -> None:
    written(released, tmp_path / "memories.db")
    store = await open_store("sqlite", tmp_path)
    scopes = frozenset({KEY})
    try:
        await store.settled()
        when = (EXPECTED["plain"].happened_at, EXPECTED["plain"].happened_at)
        events = await store.page(Filter(scopes=scopes, happened=when, status=None))
        assert [each.id for each in events] == ["complete", "gone", "plain"]
        assert await store.known_entities(["tea", "ben"], scopes) == {}
        await store.amend(["complete"], lambda m: with_status(m, Status.LIVE))
        assert await store.known_entities(["tea", "ben"], scopes) == {"tea": 1, "ben": 1}
    finally:
        await store.close()


async def test_intentions_of_a_store_without_their_state_are_open(tmp_path: Path) -> None:
    written(HERE / "memories-6.sql", tmp_path / "memories.db")
    with closing(sqlite3.connect(tmp_path / "memories.db")) as made:
        made.execute("UPDATE memory SET kind = 'prospective' WHERE id = 'plain'")
        made.commit()
    store = await open_store("sqlite", tmp_path)
    try:
        open_ones = await store.page(Filter(intentions=PENDING))
        assert [each.id for each in open_ones] == ["plain"]
    finally:
        await store.close()


@pytest.mark.parametrize("backend", ["sqlite", "ephemeral", "chroma"])
@pytest.mark.parametrize("released", EXPORTS, **named)
async def test_a_released_export_is_imported_into_every_backend(
    released: Path, backend: str, tmp_path: Path
) -> None:
    store = await open_store(backend, tmp_path)  # pyright: ignore[reportArgumentType]

    async def ignored(added: Sequence[Memory]) -> None:
        pass

    try:
        told = await import_file(store, released, ignored)
        assert (told.added, told.rejected, told.complete) == (3, 0, True)
        await assert_everything(store)
    finally:
        await store.close()


@pytest.mark.parametrize("released", [*JOURNALS, *STORES], **named)
async def test_a_newer_schema_is_refused_by_name_and_left_as_it_is(
    released: Path, tmp_path: Path
) -> None:
    file = tmp_path / f"{released.stem.split('-')[0]}.db"
    written(released, file)
    future(file)
    before = fingerprint(file)
    opening = open_journal(tmp_path) if file.stem == "journal" else open_store("sqlite", tmp_path)
    with pytest.raises(SchemaTooNew, match="time_travel") as caught:
        await opening
    assert (caught.value.fault, caught.value.file) == (Fault.NEWER, file.name)
    assert fingerprint(file) == before
    assert os.listdir(tmp_path) == [file.name]
