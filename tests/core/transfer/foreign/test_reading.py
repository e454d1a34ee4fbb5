"""What each program's files are read as."""

import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.transfer.foreign.opening import opened
from astrbot_plugin_tidemark.core.transfer.foreign.rows import (
    ForeignMemory,
    ForeignRow,
    NotASource,
    Skip,
    SkippedRow,
    SourceProblem,
)
from astrbot_plugin_tidemark.storage.files import LocalFiles
from astrbot_plugin_tidemark.tests import foreign_files as made

NOW = 1_750_000_000.0


def read(file: Path, **columns: str) -> list[ForeignRow]:
    """Every row of a file."""
    with opened(file, LocalFiles(file.parent).tables, columns) as source:
        return list(source.rows(NOW))


def memories(file: Path, **columns: str) -> list[ForeignMemory]:
    """Those that come."""
    return [row for row in read(file, **columns) if isinstance(row, ForeignMemory)]


def skips(file: Path) -> list[Skip]:
    """Why the others do not."""
    return [row.reason for row in read(file) if isinstance(row, SkippedRow)]


def refusal(file: Path) -> SourceProblem:
    """Why the file is refused as a whole."""
    with pytest.raises(NotASource) as caught:
        read(file)
    return caught.value.problem


STORY = "Ben told how he began. | Ben keeps bees"


@pytest.mark.parametrize("form", ["database", "json", "csv"])
def test_livingmemory_says_the_same_in_each_of_its_forms(tmp_path: Path, form: str) -> None:
    rows = [(STORY, made.document())]
    make = {
        "database": made.livingmemory,
        "json": made.livingmemory_export,
        "csv": made.livingmemory_sheet,
    }[form]
    fact, story = memories(make(tmp_path / "x", rows))
    assert (fact.text, fact.kind, fact.chat) == ("Ben keeps bees", Kind.SEMANTIC, made.PRIVATE)
    assert (story.text, story.kind) == ("Ben told how he began.", Kind.EPISODIC)
    assert (fact.speaker.id, fact.speaker.name) == ("902", "Ben")
    # When it was said, not when the summary was written.
    assert fact.created_at == 1_740_000_000.0
    assert (fact.importance, fact.cues, fact.people) == (0.7, ("bees",), frozenset({"902"}))


def test_facts_come_as_atoms_where_there_are_some(tmp_path: Path) -> None:
    atoms = [
        (1, "preference", "Ben likes honey", "active"),
        (1, "planned", "Ben wants a second hive", "active"),
        (1, "factual", "Ben has a dog", "superseded"),
        (1, "factual", "Ben has a cat", "forgotten"),
    ]
    file = made.livingmemory(tmp_path / "x.db", [(STORY, made.document())], atoms=atoms)
    found = {row.text: row.kind for row in memories(file)}
    assert found == {
        "Ben likes honey": Kind.SEMANTIC,
        "Ben wants a second hive": Kind.PROSPECTIVE,
        "Ben told how he began.": Kind.EPISODIC,
    }
    assert skips(file) == [Skip.REPLACED, Skip.DELETED]


@pytest.mark.parametrize(
    ("session", "source", "chat"),
    [
        ("livingmemory:global", made.GROUP, made.GROUP),
        ("livingmemory:user:aiocqhttp:902", made.PRIVATE, made.PRIVATE),
        (None, made.GROUP, made.GROUP),
        ("livingmemory:global", "", "livingmemory:global"),
        (made.PRIVATE, made.GROUP, made.PRIVATE),
    ],
)
def test_what_livingmemory_keeps_for_all_belongs_to_the_chat_it_came_from(
    tmp_path: Path, session: str | None, source: str, chat: str
) -> None:
    noted = made.document(session, source_session_id=source)
    found = memories(made.livingmemory(tmp_path / "x.db", [(STORY, noted)]))
    assert {row.chat for row in found} == {chat}


@pytest.mark.parametrize(
    ("noted", "reason"),
    [({"status": "deleted"}, Skip.DELETED), ({"summary_quality": "low"}, Skip.DOUBTFUL)],
)
def test_what_livingmemory_deleted_or_doubts_does_not_come(
    tmp_path: Path, noted: dict[str, str], reason: Skip
) -> None:
    file = made.livingmemory(tmp_path / "x.db", [(STORY, made.document(**noted))])
    assert skips(file) == [reason]
    assert memories(file) == []


def test_the_newest_rows_are_read_from_the_log_of_a_running_bot(tmp_path: Path) -> None:
    file = made.livingmemory(tmp_path / "x.db", [(STORY, made.document())])
    with closing(sqlite3.connect(file)) as running:
        running.execute("PRAGMA wal_autocheckpoint=0")
        noted = json.dumps(made.document(key_facts=["Ben has a boat"]))
        running.execute("INSERT INTO documents (id, text, metadata) VALUES (9, ?, ?)", ("", noted))
        running.commit()
        before = file.read_bytes()
        assert "Ben has a boat" in {row.text for row in memories(file)}
        assert file.read_bytes() == before
    assert not list(tmp_path.glob("foreign-*"))


@pytest.mark.parametrize("make", [made.companion, made.companion_archive])
def test_memory_companion_says_the_same_in_its_database_and_its_archive(
    tmp_path: Path, make: Callable[..., Path]
) -> None:
    told = made.companion_row("Ben told of his hives | and more")
    told["metadata"] = {"key_facts": ["Ben keeps bees"], "persona_id": "pirate"}
    likes = made.companion_row("Ben likes honey", reality_level="real_user_fact")
    bee, story, fact = memories(make(tmp_path / "x", told, likes))
    assert (bee.text, bee.kind, bee.chat) == ("Ben keeps bees", Kind.SEMANTIC, made.PRIVATE)
    assert (story.text, story.kind) == ("Ben told of his hives | and more", Kind.EPISODIC)
    assert (fact.text, fact.kind, fact.confidence) == ("Ben likes honey", Kind.SEMANTIC, 0.9)
    assert {(row.persona, row.created_at, row.accesses) for row in (bee, story, fact)} == {
        ("pirate", made.SAID, 4)
    }
    assert (fact.speaker.id, fact.speaker.name, fact.importance) == ("902", "Ben", 0.7)


@pytest.mark.parametrize(
    ("changes", "chat"),
    [
        ({}, made.PRIVATE),
        ({"session_id": made.GROUP, "visibility": "group_public"}, made.GROUP),
        # A private matter in a group's memory is not the group's.
        ({"session_id": made.GROUP, "group_id": "5000"}, "user 902"),
        ({"session_id": "private:902"}, "user 902"),
        ({"session_id": "x", "visibility": "shareable", "group_id": "5000"}, "group 5000"),
        ({"visibility": "bot_self"}, "scope bot_self"),
        ({"visibility": "internal"}, "scope internal"),
        ({"reality_level": "bot_action"}, "scope bot_self"),
        ({"source_plugin": "bot_personal_bridge"}, "scope bot_self"),
    ],
)
def test_what_memory_companion_knows_belongs_to_the_chat_it_was_said_in(
    tmp_path: Path, changes: dict[str, str], chat: str
) -> None:
    row = made.companion_row("said", **changes)
    assert [found.chat for found in memories(made.companion(tmp_path / "x.db", row))] == [chat]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"validity_status": "superseded"}, Skip.REPLACED),
        ({"validity_status": "quarantined"}, Skip.DOUBTFUL),
        ({"review_status": "pending"}, Skip.DOUBTFUL),
        ({"validity_status": "expired"}, Skip.DELETED),
        ({"content": ""}, Skip.EMPTY),
        ({"content": "", "reality_level": "real_user_fact"}, Skip.EMPTY),
    ],
)
def test_what_memory_companion_gave_up_or_doubts_does_not_come(
    tmp_path: Path, changes: dict[str, str], reason: Skip
) -> None:
    file = made.companion(tmp_path / "x.db", {**made.companion_row("said"), **changes})
    assert (memories(file), skips(file)) == ([], [reason])
    [kept] = memories(
        made.companion(tmp_path / "y.db", made.companion_row("x", lifecycle="archived"), version="")
    )
    assert kept.archived


def test_memorixs_paragraphs_are_of_the_session_they_were_said_in(tmp_path: Path) -> None:
    file = made.memorix(
        tmp_path / "metadata.db",
        made.paragraph("Ben keeps bees"),
        made.paragraph("They talked of bees", "chat_summary", unified_msg_origin=made.GROUP),
        made.paragraph("a chapter", "import", chat_id="", sender_id=""),
        made.paragraph("she said", chat_id="77", sender_id="903", group_id="5000"),
        made.paragraph("I, a bot, am fond of bees", "chat_message", role="assistant"),
        {**made.paragraph("gone"), "is_deleted": 1},
    )
    found = {row.text: (row.chat, row.kind) for row in memories(file)}
    assert found == {
        "Ben keeps bees": (made.PRIVATE, Kind.SEMANTIC),
        "They talked of bees": (made.GROUP, Kind.EPISODIC),
        "a chapter": ("scope import:902", Kind.SEMANTIC),
        "she said": ("group 5000", Kind.SEMANTIC),
        "I, a bot, am fond of bees": ("scope bot_self", Kind.EPISODIC),
    }
    assert skips(file) == [Skip.DELETED]
    [bees, *_] = memories(file)
    assert (bees.speaker.id, bees.created_at) == ("902", made.SAID)


@pytest.mark.parametrize("form", ["chroma", "json", "csv"])
def test_mnemosyne_says_the_same_in_each_of_its_forms(tmp_path: Path, form: str) -> None:
    [found] = memories(made.mnemosyne(tmp_path / "x", form, "Ben keeps bees; he sells honey"))
    assert (found.text, found.kind) == ("Ben keeps bees; he sells honey", Kind.EPISODIC)
    assert (found.chat, found.persona, found.created_at) == (made.PRIVATE, "", made.SAID)


def test_rows_of_other_memory_plugins_that_do_not_fit_do_no_harm(tmp_path: Path) -> None:
    odd: dict[str, Any] = {key: ["x"] for key in made.companion_row("")}
    for file in (
        made.companion_archive(tmp_path / "a.jsonl", odd, {}, {"subject": 3, "metadata": []}),
        made.companion(tmp_path / "a.db", {**odd, "content": 5}),
        made.memorix(tmp_path / "b.db", dict.fromkeys(made.paragraph(""), b"\xff"), {"hash": None}),
        made.mnemosyne(tmp_path / "c.json", "json", {"a": 1}, ["x"]),
        made.mnemosyne(tmp_path / "c.db", "chroma", b"\xff", 5),
    ):
        assert set(skips(file)) == {Skip.EMPTY}
        assert memories(file) == []
    # Without a column that tells whose it is, or as somebody else's, a file is not one of them.
    short = {key: value for key, value in made.companion_row("x").items() if key != "visibility"}
    other = {"id": 1, "key": "page", "string_value": "x", "int_value": 0, "float_value": 0.0}
    for tables in ({"memories": [short]}, {"embedding_metadata": [other]}):
        file = tmp_path / f"{'-'.join(tables)}.db"
        assert refusal(made.database(file, **tables)) is SourceProblem.FOREIGN


def test_an_unknown_version_is_refused(tmp_path: Path) -> None:
    rows = [(STORY, made.document())]
    older = made.livingmemory(tmp_path / "a.db", rows, version=7)
    newer = made.livingmemory(tmp_path / "b.db", rows, version=10, memora=True)
    export = made.livingmemory_export(tmp_path / "c.json", rows, version=2)
    angel = made.angel_memory(tmp_path / "d.db", {"id": "a1"}, mood="")
    others = (
        made.companion(tmp_path / "e.db", made.companion_row("x"), version="memory-atom-v3"),
        made.companion_archive(tmp_path / "e.jsonl", made.companion_row("x"), version=2),
        made.memorix(tmp_path / "f.db", made.paragraph("x"), version=24),
    )
    for file in (older, newer, export, angel, *others):
        assert refusal(file) is SourceProblem.VERSION


def test_memora_is_told_from_livingmemory_by_its_tables(tmp_path: Path) -> None:
    rows = [
        (STORY, made.document(key_facts=["Ben（QQ:902）keeps bees"], privacy_level="confidential")),
        (STORY, made.document(made.GROUP, privacy_level="confidential")),
        (STORY, made.document(quality_gate_action="mark_write")),
    ]
    file = made.livingmemory(tmp_path / "memora.db", rows, version=9, memora=True)
    assert "Benkeeps bees" in {row.text for row in memories(file)}
    # A private matter in a group's memory is nobody's.
    assert set(skips(file)) == {Skip.NO_OWNER, Skip.DOUBTFUL}
    assert {row.chat for row in memories(file)} == {made.PRIVATE}


def test_memoras_export_is_known_by_its_lines(tmp_path: Path) -> None:
    line = {"id": 1, "content": STORY, "metadata": made.document(), "exported_at": 1.0}
    file = made.written(tmp_path / "x.jsonl", f"{json.dumps(line)}\nrubbish\n")
    assert {row.text for row in memories(file)} == {"Ben keeps bees", "Ben told how he began."}
    assert skips(file) == [Skip.EMPTY]
    noted = made.document(key_facts=[])
    assert skips(made.livingmemory(tmp_path / "x.db", [("对话记录", noted)])) == [Skip.DOUBTFUL]


def test_angel_memory_has_an_owner_only_where_one_person_is_named(tmp_path: Path) -> None:
    rows = [
        {"id": "a1", "tags": ["902902902", "蜂蜜", "Ben", "事实属性"], "reasoning": "he said so"},
        {"id": "a2", "judgment": "the door is green", "tags": ["门"]},
        {"id": "a3", "judgment": "two quarrelled", "tags": ["902902902", "903903903"]},
        {"id": "a4", "judgment": "here", "tags": ["902902902"], "memory_scope": "ops"},
    ]
    found = {row.row: row for row in memories(made.angel_memory(tmp_path / "x.db", *rows))}
    chats = {id: row.chat for id, row in found.items()}
    assert chats == {
        "a1": "user 902902902",
        "a2": "scope public",
        "a3": "scope public",
        "a4": "scope ops",
    }
    assert found["a1"].about == ("蜂蜜", "Ben")
    assert found["a1"].cues == ("he said so",)


def test_angel_memorys_strength_and_tier_come_along(tmp_path: Path) -> None:
    rows = [
        {"id": "a1", "strength": 90, "is_active": 1},
        {"id": "a2", "strength": 90, "useful_count": 4, "useful_score": 10.0},
    ]
    fading, lasting = memories(made.angel_memory(tmp_path / "x.db", *rows))
    assert (fading.strength, fading.important) == (16, True)
    assert (lasting.strength, lasting.useful_count, lasting.useful_score) == (90, 4, 10.0)


def test_angel_memorys_backup_says_the_same(tmp_path: Path) -> None:
    told = {
        "schema_version": 1,
        "exported_at": 1,
        "records": [{"id": "a1", "judgment": "Ben keeps bees", "memory_scope": "public"}],
        "global_tags": [{"id": 1, "name": "902902902"}],
        "memory_tag_rel": [{"memory_id": "a1", "tag_id": 1}],
    }
    [found] = memories(made.written(tmp_path / "x.json", json.dumps(told)))
    assert (found.text, found.chat) == ("Ben keeps bees", "user 902902902")


def test_mem0s_people_are_whoever_its_caller_named(tmp_path: Path) -> None:
    file = made.mem0(
        tmp_path / "x.json",
        {"memory": "Ann sails", "user_id": "ann", "created_at": "2025-02-19T13:20:00-08:00"},
        {"memory": "the bot is polite", "agent_id": "tide"},
        {"memory": "gone", "user_id": "ann", "expiration_date": "2025-01-01"},
    )
    ann, bot = memories(file)
    assert (ann.chat, ann.created_at) == ("user ann", 1_740_000_000.0)
    assert (bot.chat, bot.persona) == ("agent tide", "tide")
    assert skips(file) == [Skip.DELETED]
    bare = made.written(tmp_path / "y.json", json.dumps([{"id": "1", "memory": "Ann sails"}]))
    assert [row.text for row in memories(bare)] == ["Ann sails"]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("\ufeffmemory,user_id,platform\n'=Ben keeps bees,902,qq\n", "utf-8"),
        ("内容;用户;platform\n=Ben keeps bees;902;qq\n", "gb18030"),
        ('{"text": "=Ben keeps bees", "user": 902, "platform": "qq"}\n{"text": ""}\n', "utf-8"),
    ],
)
def test_columns_are_known_by_their_usual_names(tmp_path: Path, text: str, encoding: str) -> None:
    [found] = memories(made.written(tmp_path / "x", text, encoding))
    assert (found.text, found.chat) == ("=Ben keeps bees", made.PRIVATE)


def test_other_columns_are_named_by_the_admin(tmp_path: Path) -> None:
    file = made.written(tmp_path / "x.csv", "what,whom\nBen keeps bees,902\n")
    assert refusal(file) is SourceProblem.COLUMNS
    [found] = memories(file, text="what", person="whom")
    assert (found.text, found.chat) == ("Ben keeps bees", "user 902")


def test_of_chatgpt_comes_what_the_person_said_in_the_end(tmp_path: Path) -> None:
    told = made.conversation(
        ("system", "be kind"), ("user", "I keep bees"), ("assistant", "Lovely!"), ("user", "Bye")
    )
    hidden = told["mapping"]["n3"]["message"]
    hidden["metadata"] = {"is_visually_hidden_from_conversation": True}
    context = {"content_type": "user_editable_context", "user_profile": "I am a nurse"}
    told["mapping"]["n0"]["message"]["content"] = context
    [profile, said] = memories(made.written(tmp_path / "conversations.json", json.dumps([told])))
    assert (profile.text, profile.kind) == ("I am a nurse", Kind.SEMANTIC)
    assert (said.text, said.kind, said.chat) == ("I keep bees", Kind.EVIDENCE, "chatgpt")
    assert (said.created_at, said.conversation) == (made.SAID + 60, "c1")


def test_a_conversation_whose_parents_go_in_a_circle_ends(tmp_path: Path) -> None:
    told = made.conversation(("user", "I keep bees"))
    told["mapping"]["n0"]["parent"] = "n0"
    found = memories(made.written(tmp_path / "x.json", json.dumps([told])))
    assert {row.text for row in found} == {"I keep bees"}


def test_chatgpts_export_is_read_out_of_its_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for number in (0, 1):
            told = made.conversation(("user", f"I keep {number} bees"))
            packed.writestr(f"conversations-00{number}.json", json.dumps([told]))
        packed.writestr("chat.html", "<html>")
    found = memories(tmp_path / "export.zip")
    assert [row.text for row in found] == ["I keep 0 bees", "I keep 1 bees"]


@pytest.mark.parametrize("trap", ["ratio", "name", "link", "none", "absolute"])
def test_an_archive_that_is_not_safe_is_not_unpacked(tmp_path: Path, trap: str) -> None:
    entry = zipfile.ZipInfo("conversations.json")
    entry.compress_type = zipfile.ZIP_DEFLATED
    content = "[]"
    match trap:
        case "ratio":
            content = "[" + " " * 20_000_000 + "]"
        case "name":
            entry.filename = "../conversations.json"
        case "absolute":
            entry.filename = "/conversations.json"
        case "link":
            entry.external_attr = 0o120777 << 16
        case _:
            entry.filename = "holiday.jpg"
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as packed:
        packed.writestr(entry, content)
    wanted = SourceProblem.FOREIGN if trap == "none" else SourceProblem.BOMB
    assert refusal(tmp_path / "x.zip") is wanted


@pytest.mark.parametrize(
    "written",
    [
        "2025-02-19T21:20:00Z",
        "2025-02-19 @21h 20m 00s 123ms",
        "February 19, 2025 9:20pm",
        made.SAID * 1_000,
    ],
)
def test_what_was_said_to_a_character_is_that_personas(tmp_path: Path, written: object) -> None:
    lines = [
        {"user_name": "Ann", "character_name": "Mira", "create_date": "2025-02-19"},
        {"name": "Ann", "is_user": True, "send_date": written, "mes": "I am the queen of bees"},
        {"name": "Mira", "is_user": False, "send_date": written, "mes": "Your majesty"},
        {"name": "Ann", "is_user": True, "is_system": True, "mes": "hidden"},
    ]
    text = "\n".join(map(json.dumps, lines))
    [said] = memories(made.written(tmp_path / "chat.jsonl", text))
    assert (said.text, said.kind) == ("Ann: I am the queen of bees", Kind.EPISODIC)
    assert (said.chat, said.persona, said.created_at) == ("user Ann", "Mira", made.SAID)


@pytest.mark.parametrize(
    "head", [{"chat_metadata": {}, "user_name": "unused", "character_name": "unused"}, None]
)
def test_where_the_first_line_names_nobody_the_messages_do(
    tmp_path: Path, head: dict[str, object] | None
) -> None:
    at = "2025-02-19T21:20:00.345Z"
    lines = [
        {"name": "Ann", "is_user": True, "send_date": at, "mes": "I live in the tower"},
        {"name": "Note", "is_user": False, "is_system": True, "send_date": at, "mes": "hidden"},
        {"name": "Mira", "is_user": False, "send_date": at, "mes": "High up"},
    ]
    text = "\n".join(map(json.dumps, [head, *lines] if head else lines))
    [said] = memories(made.written(tmp_path / "chat.jsonl", text))
    assert (said.text, said.chat, said.persona) == ("Ann: I live in the tower", "user Ann", "Mira")


def test_of_a_group_of_qq_comes_what_each_member_said(tmp_path: Path) -> None:
    picture = "[图片: hive.png] look"
    file = made.qq(
        tmp_path / "group.json",
        "group",
        made.qq_message("902", "I keep bees [At:10000]"),
        made.qq_message("10000", "Lovely!"),
        made.qq_message("903", picture, ("image", {"filename": "hive.png"})),
        made.qq_message("0", "joined the group", system=True),
    )
    ben, ann = memories(file)
    assert (ben.text, ben.kind, ben.chat) == ("I keep bees", Kind.EVIDENCE, "group Bee keepers")
    assert (ben.created_at, ben.people) == (made.SAID, frozenset({"902"}))
    assert (ben.speaker.id, ben.speaker.name) == ("902", "No. 902")
    assert ann.text == "look"
    assert skips(file) == []


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (("[回复 Ann: do you\n[really]?]\nYes", "do you\n[really]?", "type_3"), "Yes"),
        (("[回复 : do you?]\nYes", "do you?", "type_3"), "Yes"),
        (("[回复消息]Yes", "do you?", "reply"), "Yes"),
        (("[回复 Ann: cut short…]\nYes", "cut shorter", "type_3"), None),
    ],
)
def test_what_somebody_answers_to_in_qq_is_not_theirs(
    tmp_path: Path, message: tuple[str, str, str], said: str | None
) -> None:
    text, quoted, sort = message
    told = made.qq_message("902", text, ("reply", {"content": quoted}), type=sort)
    found = memories(made.qq(tmp_path / "x.json", "group", told))
    assert [row.text for row in found] == ([said] if said else [])


def test_in_a_private_chat_of_qq_each_account_is_a_chat_of_its_own(tmp_path: Path) -> None:
    lines = [made.qq_message("902", "I keep bees"), made.qq_message("10000", "Lovely!")]
    file = made.qq(tmp_path / "x.json", "private", *lines)
    assert [(row.chat, row.text) for row in memories(file)] == [("user 902", "I keep bees")]
    # Its files of lines do not say which account exported them.
    part = made.written(tmp_path / "c000001.jsonl", "\n".join(map(json.dumps, lines)))
    assert {row.chat for row in memories(part)} == {"user 902", "user 10000"}
    assert [row.chat for row in memories(made.written(part, json.dumps(lines[0])))] == ["user 902"]


def test_messages_of_qq_that_are_nobodys_words_do_not_come(tmp_path: Path) -> None:
    file = made.qq(
        tmp_path / "x.json",
        "group",
        made.qq_message("902", "oops", recalled=True),
        made.qq_message("902", "[转发消息: 1条]\n  Ann: hi", ("forward", {}), type="type_1"),
        made.qq_message("902", "[卡片消息: a song]", type="type_7"),
        made.qq_message("", "who was that?"),
        made.qq_message("902", "", content=["x"], sender="Ben", timestamp="never"),
        None,
        "rubbish",
    )
    assert memories(file) == []
    assert skips(file) == [
        *(Skip.DELETED, Skip.EMPTY, Skip.EMPTY, Skip.NO_OWNER, Skip.EMPTY, Skip.EMPTY, Skip.EMPTY)
    ]
    told = {"metadata": {"name": "QQChatExporter V5"}, "messages": {"a": 1}}
    assert refusal(made.written(tmp_path / "y.json", json.dumps(told))) is SourceProblem.FOREIGN


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", SourceProblem.EMPTY),
        (b" \n\t", SourceProblem.EMPTY),
        (b"PK\x03\x04" + bytes(200), SourceProblem.FOREIGN),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), SourceProblem.FOREIGN),
        (b"# Memories\n\n- Ben keeps bees\n", SourceProblem.PROSE),
        (b"just a sentence", SourceProblem.FOREIGN),
        (b'{"a": ' * 50_000, SourceProblem.FOREIGN),
        (b"[" * 200_000, SourceProblem.FOREIGN),
        (b'{"results": []}', SourceProblem.FOREIGN),
        (b"a,a\n1,2\n", SourceProblem.FOREIGN),
        (b'"' * 3_000_000, SourceProblem.FOREIGN),
    ],
)
def test_what_is_no_file_of_memories_is_refused(
    tmp_path: Path, content: bytes, problem: SourceProblem
) -> None:
    file = tmp_path / "x"
    file.write_bytes(content)
    assert refusal(file) is problem


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as db:
        db.execute("CREATE TABLE things (id)")
        db.commit()
    assert refusal(tmp_path / "x.db") is SourceProblem.FOREIGN


def test_values_that_do_not_fit_are_left_out_and_the_row_comes(tmp_path: Path) -> None:
    noted = made.document(
        importance="very", create_time=10**400, source_time_end="yesterday", topics={"a": 1}
    )
    noted["participant_identities"] = ["x", {"sender_id": ["902"]}, None]
    noted["key_facts"] = [1, None, "Ben\0 keeps\ud800 bees"]
    found = memories(made.livingmemory_export(tmp_path / "x.json", [("told", noted)]))
    assert [row.text for row in found] == ["Ben keeps? bees", "told"]
    assert found[0].importance == 0.5
    assert found[0].created_at is None
