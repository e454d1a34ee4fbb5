"""A journal written by an older version opens with everything in it."""

import os
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

from astrbot_plugin_tidemark.core.model.consent import Consent
from astrbot_plugin_tidemark.core.model.conversation import Injected, Place, Role, Scope, ScopeKind
from astrbot_plugin_tidemark.core.ports import Showing
from astrbot_plugin_tidemark.storage.connections import Database
from astrbot_plugin_tidemark.storage.journal import FILE
from astrbot_plugin_tidemark.storage.journal.migrations import STEPS
from astrbot_plugin_tidemark.storage.migrations import migrate
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say

GROUP = Scope(ScopeKind.GROUP, "qq", "g").key
PRIVATE = Scope(ScopeKind.PRIVATE, "qq", "ann").key
TURNS = (
    (1, "e1", "user", "ann", "Ann", "first"),
    (2, "e1", "assistant", "bot", "Tide", "answer"),
    (3, "e1", "bystander", "ben", "", "nameless"),
    (4, "e2", "user", "ann", "Anna", "newest"),
    (5, "e1", "user", "ann", "", "nameless"),
    (6, "e3", "user", "zoe", "Zoe", "in a scope that is no key"),
)
EPISODES = (("e1", GROUP), ("e2", PRIVATE), ("e3", "scope"))


def owner(key: str) -> str:
    return Scope.parse(key).owner


async def of_first_schema(folder: Path) -> None:
    """A journal as the first version left it: six turns, a recall, an alias, a note."""
    database = await Database.open(folder / FILE)
    await migrate(database, STEPS[:1])
    await database.close()
    with closing(connect(folder / FILE)) as file:
        file.executemany(
            "INSERT INTO episodes VALUES (?, 'session', '', ?, 0, 0, 1, 1, 1, 'size')", EPISODES
        )
        file.executemany("INSERT INTO turns VALUES (?, ?, 'session', ?, ?, ?, ?, 0, '')", TURNS)
        file.execute("INSERT INTO recalls VALUES (4, 7.5, '{}', 'block')")
        file.execute("INSERT INTO injected VALUES (4, 1, 'm1')")
        file.execute("INSERT INTO aliases VALUES ('qq', 'ann', 'person')")
        file.execute("INSERT INTO notes VALUES ('name', 'value')")
        file.commit()


async def test_a_journal_of_the_first_schema_keeps_everything(tmp_path: Path) -> None:
    await of_first_schema(tmp_path)
    async with opened(tmp_path) as journal:
        turns = [await journal.turn(seq) for seq, *_ in TURNS]
        assert [turn.text for turn in turns] == [text for *_, text in TURNS]
        assert [turn.role for turn in turns[:3]] == [Role.USER, Role.ASSISTANT, Role.BYSTANDER]
        assert await journal.injected_in("e2") == [Injected(4, 1, "m1")]
        assert await journal.showings("m1") == [Showing(4, 1, 7.5)]
        assert await journal.aliases() == {("qq", "ann"): "person"}
        assert await journal.note("name") == "value"


async def test_names_are_taken_from_the_turns_there_are(tmp_path: Path) -> None:
    await of_first_schema(tmp_path)
    async with opened(tmp_path) as journal:
        names = {owner(GROUP): {("qq", "ann"): "Ann"}, owner(PRIVATE): {("qq", "ann"): "Anna"}}
        assert await journal.names() == names
        assert await journal.consents() == {}
        assert await journal.overrides() == {}


async def test_a_name_of_which_no_turn_tells_the_chat_is_given_up(tmp_path: Path) -> None:
    await of_first_schema(tmp_path)
    database = await Database.open(tmp_path / FILE)
    await migrate(database, STEPS[:3])
    await database.close()
    with closing(connect(tmp_path / FILE)) as file:
        file.execute("INSERT INTO people VALUES ('qq', 'eve', 'Eve-HIV-support')")
        file.execute("UPDATE people SET name = 'Zoe' WHERE user = 'ann'")
        file.commit()
    async with opened(tmp_path) as journal:
        names = {name for chat in (await journal.names()).values() for name in chat.values()}
        assert names == {"Ann", "Anna"}


async def test_a_journal_of_the_first_schema_can_be_written(tmp_path: Path) -> None:
    await of_first_schema(tmp_path)
    async with opened(tmp_path) as journal:
        assert (await say(journal, scope=GROUP)).turn.seq > TURNS[-1][0]
        await journal.set_consent(GROUP, Consent(paused=True))
        assert (await journal.names())[owner(GROUP)] == {
            ("qq", "ann"): "Ann",
            ("qq", "u1"): "Ann",
        }


async def test_an_older_journal_is_copied_once_before_it_is_changed(tmp_path: Path) -> None:
    await of_first_schema(tmp_path)
    for _ in range(2):
        async with opened(tmp_path):
            pass
    names = sorted(name for name in os.listdir(tmp_path) if name.endswith(".db"))
    assert names == ["journal.before-add_personal_choices.db", "journal.db"]
    with closing(connect(tmp_path / names[0])) as file:
        assert file.execute("SELECT count(*) FROM turns").fetchone() == (len(TURNS),)
        assert not file.execute("SELECT 1 FROM sqlite_schema WHERE name = 'people'").fetchall()


async def test_earlier_answers_in_groups_are_taken_for_what_they_may_be(tmp_path: Path) -> None:
    await of_first_schema(tmp_path)
    with closing(connect(tmp_path / FILE)) as file:
        file.execute("INSERT INTO recalls VALUES (1, 7.5, '{}', 'block')")
        file.execute("INSERT INTO injected VALUES (1, 1, 'm1')")
        file.commit()
    database = await Database.open(tmp_path / FILE)
    await migrate(database, STEPS[:2])
    await database.close()
    with closing(connect(tmp_path / FILE)) as file:
        owners = [(Scope(ScopeKind.PRIVATE, "qq", "other").owner,)]
        file.executemany("INSERT INTO consents VALUES (?, 0, 1, NULL)", owners)
        file.execute("INSERT INTO aliases VALUES ('qq', 'other', 'person')")
        file.commit()
    async with opened(tmp_path) as journal:
        turns = [await journal.turn(seq) for seq, *_ in TURNS]
        assert [turn.seq for turn in turns if turn.private_reply] == [2]
        ann = Scope(ScopeKind.PRIVATE, "qq", "ann").owner
        assert [turn.seq for turn in await journal.private_replies_for(frozenset({ann}))] == [2]
        assert await journal.disclosed(Place("session", "", GROUP))


async def test_where_nobody_shared_anything_no_answer_is_reserved(tmp_path: Path) -> None:
    await of_first_schema(tmp_path)
    async with opened(tmp_path) as journal:
        turns = [await journal.turn(seq) for seq, *_ in TURNS]
        assert not any(turn.private_reply for turn in turns)
        assert await journal.every_disclosure() == []
