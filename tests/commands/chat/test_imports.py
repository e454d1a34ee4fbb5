"""Moving in from other programs, by command."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status
from astrbot_plugin_tidemark.core.model.sleeping import JobKind
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.transfer import moving_in
from astrbot_plugin_tidemark.core.transfer.import_plan import ImportTally
from astrbot_plugin_tidemark.tests import foreign_files as made

from ...kit import Fragile, Fuse, Interruption
from ..command_rig import ANN, BEN, NOW
from ..safe import Office, office

EVERYTHING = Filter(status=None)
STORY = "Ben told how he began. | Ben keeps bees"


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Office]:
    async with office(own_folder(tmp_path)) as opened:
        yield opened


def own_folder(tmp_path: Path) -> Path:
    """The plugin's own folder among those of other plugins."""
    folder = tmp_path / "astrbot_plugin_tidemark"
    folder.mkdir()
    return folder


def neighbour(place: Office) -> Path:
    """Where livingmemory keeps its own."""
    return place.folder.parent / "astrbot_plugin_livingmemory" / "livingmemory.db"


def put(place: Office, name: str) -> Path:
    """Where a file to import belongs."""
    return place.folder / "imports" / name


async def kept(place: Office) -> list[Memory]:
    store = place.data_folder.store
    every = [memory async for memory in store.iterate(EVERYTHING)]
    return sorted(every, key=lambda memory: (memory.scope, memory.text))


async def told(place: Office) -> dict[str, str]:
    """Whose each text is."""
    return {memory.text: memory.scope for memory in await kept(place)}


def three_chats(place: Office) -> None:
    """Livingmemory with something of Ben's, of a group, and of nobody."""
    made.livingmemory(
        neighbour(place),
        [
            (STORY, made.document()),
            ("The group met.", made.document(made.GROUP, key_facts=["they meet on Fridays"])),
            ("Somebody said so.", made.document("livingmemory:global", key_facts=[])),
        ],
    )


async def test_a_preview_tells_what_would_come_for_whom_and_changes_nothing(place: Office) -> None:
    three_chats(place)
    await place.rig.say("hello", by=BEN)
    assert "livingmemory" in await place.ask("import")
    lines = (await place.ask("import", "livingmemory --dry-run")).splitlines()
    assert lines[0].startswith("livingmemory 8: 4 new memories would come, 0 are here already.")
    assert lines[1:4] == [
        "1. livingmemory:global → nobody known: 1",
        "2. qq:FriendMessage:902 → private Ben · qq/902: 2",
        "3. qq:GroupMessage:5000 → group qq/5000: 2",
    ]
    assert "  nobody known for it: 1" in lines
    assert await kept(place) == []
    assert await place.ask("imports") == (
        "Nothing has been imported yet. /memory import lists what can be."
    )


async def test_each_memory_goes_to_the_chat_it_came_from_and_once(place: Office) -> None:
    three_chats(place)
    await place.ask("import", "livingmemory")
    assert await told(place) == {
        "Ben keeps bees": "private/qq/902/default",
        "Ben told how he began.": "private/qq/902/default",
        "they meet on Fridays": "group/qq/5000/default",
        "The group met.": "group/qq/5000/default",
    }
    # And is found there, and nowhere else.
    assert "Ben keeps bees" in await place.rig.ask("mine", by=BEN)
    assert "Ben" not in await place.rig.ask("mine", by=ANN)
    before = await kept(place)
    place.rig.clock.at += 1_000
    answer = await place.ask("import", "livingmemory")
    assert answer.startswith("New memories taken in: 0; known before: 4.")
    assert await kept(place) == before
    assert "Imports: 1 " in await place.ask("imports")


async def test_what_comes_in_is_known_as_imported_and_ages_from_then_on(place: Office) -> None:
    made.livingmemory(neighbour(place), [(STORY, made.document(access_count=3))])
    await place.ask("import", "livingmemory")
    fact, story = await kept(place)
    assert (fact.source.value, fact.extractor.value, fact.trust) == ("imported", "import", 0.7)
    assert (fact.created_at, fact.access.count) == (made.SAID, 4)
    assert fact.vitality.last_decay_at == fact.vitality.settled_at == NOW
    assert fact.vitality.useful_count == 0
    assert fact.origin.session == made.PRIVATE
    assert fact.origin.episode.startswith("import:")
    assert (fact.kind, story.kind) == (Kind.SEMANTIC, Kind.EPISODIC)


async def test_others_run_while_it_is_read(place: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"memory": f"Ann sails {number}", "user_id": "ann"} for number in range(150)]
    made.mem0(put(place, "m.json"), *rows)
    before, ran = ImportTally.admitted, list[tuple[int, int]]()
    turns = 0

    async def looked(tally: Any, page: Any, gate: Any) -> Any:
        ran.append((len(page), turns))
        return await before(tally, page, gate)

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(ImportTally, "admitted", looked)
    running = asyncio.create_task(other())
    await place.ask("import", "m.json --map *=private/qq/901")
    running.cancel()
    assert sum(count for count, _ in ran) == 150
    assert max(count for count, _ in ran) <= 10
    assert len({turn for _, turn in ran}) == len(ran)


async def test_an_import_cut_short_anywhere_is_completed_by_repeating_it(
    place: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving_in, "PAGE", 2)
    three_chats(place)
    store, journal = place.data_folder.store, place.data_folder.journal
    for call in range(1, 60):
        for after in (False, True):
            fuse = Fuse(call, after=after)
            moving = place.data_folder.moving_in
            moving.store, moving.journal = Fragile(store, fuse), Fragile(journal, fuse)
            failed = False
            try:
                await place.ask("import", "livingmemory")
            except Interruption:
                failed = True
            moving.store, moving.journal = store, journal
            await place.ask("import", "livingmemory")
            assert len(await kept(place)) == 4
            [line] = [each for each in (await place.ask("imports")).splitlines() if " · " in each]
            assert "4 memories" in line
            await undo(place, line.split()[0])
            assert await kept(place) == []
            await journal.set_note("imports", "[]")
            if not failed:
                return
    raise AssertionError("never came through")


async def undo(place: Office, id: str, more: str = "") -> str:
    return await place.confirm("imports", f"undo {id} {more}".strip())


async def batch(place: Office) -> str:
    return (await place.ask("imports")).splitlines()[1].split()[0]


async def test_an_import_is_taken_back_whole_and_nothing_else(place: Office) -> None:
    own = await place.rig.remember("Ben bakes", of=BEN)
    three_chats(place)
    await place.ask("import", "livingmemory")
    asked = await place.ask("imports", f"undo {await batch(place)}")
    assert asked.startswith("4 memories from livingmemory would be deleted for good.")
    assert len(await kept(place)) == 5
    assert "Deleted for good: 4" in await undo(place, await batch(place))
    assert await kept(place) == [own]
    assert "taken back, 0 kept" in await place.ask("imports")
    # What was taken back can come again.
    assert "taken in: 4" in await place.ask("import", "livingmemory")


async def test_what_was_used_or_changed_since_stays_unless_all_is_said(place: Office) -> None:
    three_chats(place)
    await place.ask("import", "livingmemory")
    every = {memory.text: memory for memory in await kept(place)}
    place.rig.clock.at += 60
    await place.ask("feedback", f"{every['The group met.'].id} useful")
    await place.rig.ask("important", every["Ben keeps bees"].id, by=BEN)
    id = await batch(place)
    assert "2 more stay" in await place.ask("imports", f"undo {id}")
    await undo(place, id)
    stayed = {memory.text for memory in await kept(place)}
    assert stayed >= {"Ben keeps bees"}
    assert "Ben told how he began." not in stayed
    await undo(place, id, "--all")
    assert await kept(place) == []


async def test_a_wrong_code_or_an_unknown_import_deletes_nothing(place: Office) -> None:
    three_chats(place)
    await place.ask("import", "livingmemory")
    id = await batch(place)
    assert "not valid" in await place.ask("imports", f"undo {id} AAAAAA")
    assert "There is no import zzz" in await place.ask("imports", "undo zzz")
    assert "admin" in await place.rig.ask("imports", f"undo {id}", by=BEN)
    assert len(await kept(place)) == 4


async def test_an_own_export_is_taken_back_without_what_was_here_before(place: Office) -> None:
    own = await place.rig.remember("Ann keeps bees")
    gone = await place.rig.remember("Ann has a boat")
    await place.ask("export", "all")
    await place.data_folder.store.purge([gone.id])
    name = "memories-20250615T150640Z.jsonl"
    lines = (await place.ask("import", f"{name} --dry-run")).splitlines()
    assert lines[0].startswith("tidemark: 1 new memories would come, 1 are here already.")
    await place.ask("import", name)
    await undo(place, await batch(place))
    assert await kept(place) == [own]


async def test_who_is_forgotten_is_told_of_the_file_that_an_import_came_from(place: Office) -> None:
    made.mem0(put(place, "m.json"), {"memory": "Ann sails", "user_id": "ann"})
    made.mem0(put(place, "other.json"), {"memory": "Ben bakes", "user_id": "ben"})
    await place.ask("import", "m.json --map *=private/qq/901")
    await place.ask("import", "other.json --map *=private/qq/902")
    told = await place.rig.confirm("forget-me", by=ANN)
    assert "m.json" in told
    assert "other.json" not in told


async def test_rules_say_whose_a_chat_is(place: Office) -> None:
    made.mem0(
        put(place, "m.json"),
        {"memory": "Ann sails", "user_id": "ann", "agent_id": "tide"},
        {"memory": "Ben bakes", "user_id": "ben"},
        {"memory": "Eve spies", "user_id": "eve"},
    )
    assert "nobody known for it: 3" in await place.ask("import", "m.json --dry-run")
    rules = '--map 1=private/qq/901 --map "user ben=private/qq/902/pirate" --persona tide=moon'
    await place.ask("import", f"m.json {rules} --map *=skip")
    assert await told(place) == {
        "Ann sails": "private/qq/901/moon",
        "Ben bakes": "private/qq/902/pirate",
    }


async def test_a_rule_for_all_moves_nothing_that_has_an_owner(place: Office) -> None:
    three_chats(place)
    await place.ask("import", "livingmemory --map *=private/qq/901")
    found = await told(place)
    assert found.pop("Somebody said so.") == "private/qq/901/default"
    assert set(found.values()) == {"private/qq/902/default", "group/qq/5000/default"}


async def test_a_rule_that_is_none_or_names_nobody_takes_nothing(place: Office) -> None:
    three_chats(place)
    for target in ("9=private/qq/901", "1=somebody", "1=public/qq/901", "1=77"):
        assert (await place.ask("import", f"livingmemory --map {target}")).startswith("The rule ")
    for rest in ("--map", "--map x", "--what", '--map "1=a', "--map =x"):
        assert (await place.ask("import", f"livingmemory {rest}")).startswith("Usage")
    assert await kept(place) == []


async def test_who_was_forgotten_does_not_come_back(place: Office) -> None:
    await place.rig.remember("Ben bakes", of=BEN)
    await place.rig.confirm("forget-me", by=BEN)
    three_chats(place)
    ann = {"sender_id": "901", "display_name": "Ann"}
    ben = {"sender_id": "902", "display_name": "Ben"}
    rows = [
        ("Ann and Ben met", made.document(made.GROUP, participant_identities=[ann, ben])),
        ("Ann sings", made.document(made.GROUP, participant_identities=[ann], key_facts=[])),
    ]
    made.livingmemory_export(put(place, "x.json"), rows)
    assert "of people who asked to be forgotten" in await place.ask("import", "livingmemory")
    await place.ask("import", "x.json")
    # Neither under another name that an admin gives the chat.
    made.mem0(put(place, "m.json"), {"memory": "Ben bakes", "user_id": "b"})
    await place.ask("import", "m.json --map 1=private/qq/902")
    # Nor by the account that QQ's export names.
    said = made.qq_message("902", "I bake"), made.qq_message("901", "I sail")
    made.qq(put(place, "group.json"), "group", *said)
    await place.ask("import", "group.json --map 1=group/qq/5000")
    assert set(await told(place)) == {"Ann sings", "I sail"}
    assert set((await told(place)).values()) == {"group/qq/5000/default"}


async def test_who_is_forgotten_while_an_import_runs_is_forgotten_in_it(
    place: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving_in, "PAGE", 1)
    await place.rig.remember("Ben bakes", of=BEN)
    asked = await place.rig.ask("forget-me", by=BEN)
    store = place.data_folder.store
    rows = [(f"Ben said {n}", made.document(key_facts=[])) for n in range(4)]
    made.livingmemory(neighbour(place), rows)
    put_before, done = store.put, asyncio.Event()

    async def put_then_forget(memories: Any) -> frozenset[str]:
        added = await put_before(memories)
        if not done.is_set():
            done.set()
            await place.rig.ask("forget-me", asked.split()[-1], by=BEN)
        return added

    monkeypatch.setattr(store, "put", put_then_forget)
    await place.ask("import", "livingmemory")
    assert done.is_set()
    assert await kept(place) == []


async def test_nothing_comes_in_for_who_has_paused(place: Office) -> None:
    await place.rig.ask("pause", by=BEN)
    three_chats(place)
    assert "who paused memory" in await place.ask("import", "livingmemory")
    assert set(await told(place)) == set()


async def test_what_was_deleted_here_for_good_stays_deleted(place: Office) -> None:
    made.livingmemory(neighbour(place), [("Ben sings", made.document(key_facts=[]))])
    await place.ask("import", "livingmemory")
    [memory] = await kept(place)
    await place.ask("forget", memory.id)
    await place.rig.ask("forget", memory.id, by=BEN)
    [binned] = await kept(place)
    assert binned.standing.status is Status.BINNED
    await place.rig.engine.curation.purge([memory.id], by="boss")
    assert "deleted for good here before" in await place.ask("import", "livingmemory")
    assert await kept(place) == []


async def test_all_personas_share_where_they_are_not_kept_apart(tmp_path: Path) -> None:
    async with office(own_folder(tmp_path)) as place:
        await place.ask("config", "scope.persona_separation false")
        made.livingmemory(neighbour(place), [("Ben sings", made.document(persona_id="pirate"))])
        await place.ask("import", "livingmemory --persona pirate=parrot")
        separate = place.rig.engine.settings.scope.persona_separation
        wanted = "parrot" if separate else "%2A"
        assert {memory.scope for memory in await kept(place)} == {f"private/qq/902/{wanted}"}


async def test_what_was_said_to_chatgpt_is_kept_verbatim_for_its_person(place: Office) -> None:
    told = made.conversation(("user", "I keep bees on the roof"), ("user", "Why?"))
    made.written(put(place, "conversations.json"), json.dumps([told]))
    assert "nobody known for it: 2" in await place.ask("import", "conversations.json")
    await place.ask("import", "conversations.json --map 1=private/qq/902")
    fact, question = await kept(place)
    assert (fact.text, fact.kind) == ("I keep bees on the roof", Kind.EVIDENCE)
    assert fact.vitality.sole
    # What tells nothing is kept for days, as if it were said here.
    assert not question.vitality.sole
    assert fact.speaker.id == "902"
    assert "bees on the roof" in await place.rig.ask("search", "bees", by=BEN)
    again = await place.ask("import", "conversations.json --map 1=private/qq/902")
    assert "known before: 2" in again
    await undo(place, await batch(place))
    assert await kept(place) == []


async def test_what_was_said_in_a_group_of_qq_is_that_groups_by_who_said_it(place: Office) -> None:
    said = made.qq_message("902", "I keep bees on the roof"), made.qq_message("903", "I sail")
    made.qq(put(place, "group.json"), "group", *said)
    assert "Bee keepers" in await place.ask("import", "group.json --dry-run")
    await place.ask("import", "group.json --map 1=group/qq/5000")
    assert {(m.text, m.kind, m.speaker.name) for m in await kept(place)} == {
        ("I keep bees on the roof", Kind.EVIDENCE, "No. 902"),
        ("I sail", Kind.EVIDENCE, "No. 903"),
    }
    assert "known before: 2" in await place.ask("import", "group.json --map 1=group/qq/5000")


@pytest.mark.parametrize("plugin", ["memory_companion", "memorix", "mnemosyne"])
async def test_another_plugins_memory_comes_once_to_its_person(place: Office, plugin: str) -> None:
    beside = place.folder.parent / "astrbot_plugin_memory_companion" / "memory_companion.db"
    match plugin:
        case "memory_companion":
            made.companion(beside, made.companion_row("Ben keeps bees", metadata={}))
        case "memorix":
            made.memorix(put(place, plugin), made.paragraph("Ben keeps bees"))
        case _:
            made.mnemosyne(put(place, plugin), "json", "Ben keeps bees")
    assert "1 new memories would come" in await place.ask("import", f"{plugin} --dry-run")
    assert await kept(place) == []
    await place.ask("import", plugin)
    assert await told(place) == {"Ben keeps bees": "private/qq/902/default"}
    assert "known before: 1" in await place.ask("import", plugin)
    assert len(await kept(place)) == 1


async def test_the_forgotten_are_told_which_files_of_admins_hold_something(place: Office) -> None:
    await place.rig.remember("Ben bakes", of=BEN)
    await place.rig.remember("Ann keeps bees")
    await place.confirm("export", "all --reveal moving house")
    other = made.document("qq:FriendMessage:9021", participant_identities=[])
    made.livingmemory(put(place, "theirs.db"), [(STORY, made.document())])
    made.livingmemory(put(place, "others.db"), [(STORY, other)])
    answer = await place.rig.confirm("forget-me", by=BEN)
    [line] = [each for each in answer.splitlines() if "still hold something of you" in each]
    assert "memories-20250615T150640Z.jsonl, theirs.db." in line
    assert line.endswith("/memory imports delete NAME")
    assert "others.db" not in line


async def test_data_of_another_plugin_is_named_so_and_left_to_its_owner(place: Office) -> None:
    three_chats(place)
    await place.ask("import", "livingmemory")
    answer = await place.rig.confirm("forget-me", by=BEN)
    assert "from the data of other plugins" in answer
    assert "which I never change: livingmemory. Ask the bot's owner" in answer
    assert "imports delete" not in answer
    before = neighbour(place).read_bytes()
    answer = await place.ask("imports", "delete livingmemory")
    assert answer.startswith("That is the data of another plugin")
    assert "owner deletes it with that plugin" in answer
    assert neighbour(place).read_bytes() == before


@pytest.mark.parametrize("name", ["m.json", "Ben's chats (2).json", ".old", "all ABCDEF"])
async def test_an_admin_deletes_an_imported_file_after_a_code(place: Office, name: str) -> None:
    made.mem0(put(place, name), {"memory": "x", "user_id": "y"})
    asked = await place.ask("imports", f"delete {name}")
    assert put(place, name).exists()
    assert "not valid" in await place.ask("imports", f"delete {name} AAAAAA")
    line = asked.rpartition("/memory imports ")[2]
    assert await place.ask("imports", line) == f"Deleted for good: imports/{name}"
    assert not put(place, name).exists()
    [noted] = await place.data_folder.journal.audit_by_action(frozenset({"file_deleted"}))
    assert (noted.memory, noted.by) == (f"file:{name}", "Ann (qq/901)")


async def test_only_a_file_of_the_two_folders_is_deleted(place: Office, tmp_path: Path) -> None:
    secret = made.mem0(tmp_path / "secret.json", {"memory": "x", "user_id": "y"})
    put(place, "inner").mkdir(parents=True)
    put(place, "link.json").symlink_to(secret)
    put(place, "near.json").symlink_to(made.mem0(put(place, "real.json"), {"memory": "x"}))
    made.mem0(put(place, "inner/deep.json"), {"memory": "x"})
    three_chats(place)
    outside = ("../journal.db", str(secret), "link.json", "near.json", "inner", "inner/deep.json")
    for name in (*outside, "..", ".", "memora", "./real.json"):
        assert "no such file" in await place.ask("imports", f"delete {name}")
    assert "admin" in await place.rig.ask("imports", "delete real.json", by=BEN)
    assert put(place, "near.json").exists()


async def test_no_file_is_deleted_while_an_import_runs(place: Office) -> None:
    made.mem0(put(place, "m.json"), {"memory": "x", "user_id": "y"})
    going = asyncio.Event()
    jobs = place.rig.services.jobs
    jobs.start(JobKind.IMPORT, lambda _: going.wait(), by="x", outcome=lambda _: {})
    assert "Another import" in await place.ask("imports", "delete m.json")
    going.set()
