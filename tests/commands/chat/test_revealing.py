"""Who sees what others' private memories say: nobody, or an admin of whom they are told."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status
from astrbot_plugin_tidemark.core.settings import PrivacySettings
from astrbot_plugin_tidemark.core.transfer.backup import Occasion

from ...strength import only_long
from ..command_rig import ANN, BEN, CODE, DAY, NOW, ChatCaller, admin, in_group
from ..safe import BOSS, Office

SECRET = "Ben owes the quagga farm 4711 crowns"
WORDS = re.compile(r"quagga|\b4711\b|zorilla|Ekaterina|numbat", re.IGNORECASE)
"""Of the text, the summary, the cues, a tag, an entity and whom it is about."""

HIDDEN = "(private, not shown)"
SETTING = (
    "The owner of this bot does not let admins see what is in other people's private memories."
    " Counts are in /memory scopes."
)


async def secrets(place: Office) -> list[Memory]:
    """Ben's: one live, one in the bin, one raw message; all of them tell."""
    bin_ = Standing(Status.BINNED, NOW, "decayed", NOW + DAY)
    return [
        await place.rig.remember(
            f"{SECRET}{dots}",
            of=BEN,
            summary="a zorilla",
            cues=("numbat",),
            tags=("numbat",),
            entities=(Entity("quagga", "animal"),),
            about=("Ekaterina",),
            **changes,
        )
        for dots, changes in {
            ".": {"speaker": Speaker("902", "Ekaterina")},
            "..": {"standing": bin_},
            "...": {"kind": Kind.EVIDENCE},
        }.items()
    ]


def forbid(place: Office) -> None:
    """The owner of the bot lets nobody reveal anything."""
    engine = place.rig.engine
    engine.settings = replace(engine.settings, privacy=PrivacySettings(admin_reveal=False))


async def revealed(place: Office, command: str, argument: str) -> str:
    """The answer after the reason and the code."""
    return await place.confirm(command, f"{argument} --reveal Ben asked me to".strip())


def exported(folder: Path) -> str:
    return "".join(file.read_text("utf-8") for file in folder.glob("exports/*.jsonl"))


@pytest.mark.parametrize(
    ("caller", "permitted"),
    [
        (BOSS, True),
        (admin(in_group(ANN)), False),
        pytest.param(BOSS, False, marks=only_long),
        pytest.param(admin(in_group(ANN)), True, marks=only_long),
    ],
)
async def test_no_command_tells_an_admin_what_somebody_else_said_in_private(
    place: Office, tmp_path: Path, caller: ChatCaller, permitted: bool
) -> None:
    if not permitted:
        forbid(place)
    by = replace(caller, language="en" if permitted else "zh")
    await place.rig.remember("Ann keeps bees")
    for command in COMMANDS:
        for argument in await arguments(place):
            await secrets(place)
            answer = await place.rig.ask(command.name, argument, by=by)
            told = [word for word in WORDS.findall(answer) if word not in argument]
            assert told == [], (command.name, argument)
    assert WORDS.findall(exported(tmp_path)) == []


async def arguments(place: Office) -> list[str]:
    """What an admin could write after a command to get at Ben's memories."""
    ids = [memory.id for memory in await secrets(place)]
    reveal = [f"{first} --reveal curious" for first in (ids[0], "2", "all")]
    return [
        "",
        "1",
        "2",
        "2 status=all sort=oldest",
        "all",
        "all --vectors",
        "--preview 30",
        "--explain owes crowns",
        "list",
        "stop",
        "add qq 902 Somebody",
        BEN.scope.key,
        *ids,
        f"{ids[0]} useful",
        f"{ids[0]} off",
        *reveal,
        *[f"{each} ABCDEF" for each in reveal],
        "--reveal curious",
    ]


async def test_the_list_of_anothers_memories_has_days_marks_and_how_to_go_on(place: Office) -> None:
    live, _, raw = await secrets(place)
    lines = (await place.ask("list", "1")).splitlines()
    assert lines[0] == "2 memories, newest first, page 1 of 1:"
    assert sorted(lines[1:3]) == sorted(
        [
            f"{live.id[:6]} 2025-06-15 [fading 6] {HIDDEN}",
            f"{raw.id[:6]} 2025-06-15 [fading 6 · verbatim] {HIDDEN}",
        ]
    )
    assert "/memory list 1 --reveal REASON" in lines[3]


async def test_a_page_is_shown_for_a_reason_once_for_each_code_alone(place: Office) -> None:
    await secrets(place)
    for argument in ("1 --reveal", "1 --reveal   "):
        answer = await place.ask("list", argument)
        assert "give a reason" in answer
        assert "To confirm" not in answer
    await secrets(place)
    answer = await revealed(place, "list", "1 status=all")
    assert answer.count("quagga") == 3
    assert HIDDEN in await place.ask("list", "1 status=all")
    again = "1 status=all --reveal Ben asked me to ABCDEF"
    assert "To confirm" in await place.ask("list", again)
    await secrets(place)
    [code] = CODE.findall(await place.ask("list", "1 --reveal a complaint"))
    for command, argument in [
        ("list", f"1 status=all --reveal a complaint {code}"),
        ("list", f"1 --reveal something else {code}"),
        ("export", f"all --reveal a complaint {code}"),
    ]:
        assert "To confirm" in await place.ask(command, argument)
    other = replace(BOSS, person="903", session="qq:FriendMessage:903")
    told = await place.rig.ask("list", f"1 --reveal a complaint {code}", by=other)
    assert "quagga" not in told


async def test_the_person_reads_who_was_shown_what_and_why(place: Office) -> None:
    live, binned, _ = await secrets(place)
    nothing = await place.rig.ask("audit", by=BEN)
    assert nothing.startswith("Your private memories were not shown to any admin")
    await revealed(place, "list", "1")
    place.rig.clock.at += DAY
    await revealed(place, "show", binned.id)
    assert (await place.rig.ask("audit", by=BEN)).splitlines() == [
        "Your private memories were shown to others or exported 2 times:",
        "2025-06-15 15:06 shown to an admin · Ann (901) · memories: 2 · reason: Ben asked me to",
        "2025-06-16 15:06 shown to an admin · Ann (901) · memories: 1 · reason: Ben asked me to",
    ]
    first = (await place.rig.ask("mine", by=BEN)).splitlines()[0]
    assert first.startswith("Your private memories were shown to an admin or exported 2 times")
    assert "2025-06-16" in first
    for memory, day in ((live, "2025-06-15"), (binned, "2025-06-16")):
        lines = (await place.rig.ask("audit", memory.id, by=BEN)).splitlines()
        told = [line for line in lines if "shown to an admin" in line]
        assert told == [f"{day} 15:06 shown to an admin · Ann (901) · reason: Ben asked me to"]


async def test_it_is_read_under_every_account_and_goes_with_the_person(place: Office) -> None:
    await secrets(place)
    await revealed(place, "list", "1")
    cat = replace(BEN, scope=replace(BEN.scope, persona="cat"))
    assert "Ann (901)" in await place.rig.ask("audit", by=cat)
    abroad = replace(BEN, scope=Scope(ScopeKind.PRIVATE, "telegram", "77", "default"), person="77")
    assert "Ann (901)" not in await place.rig.ask("audit", by=abroad)
    for account in ("qq 902", "telegram 77"):
        await place.ask("alias", f"add {account} Ben")
    assert "Ben asked me to" in await place.rig.ask("audit", by=abroad)
    assert "Ann" not in await place.rig.ask("audit", by=in_group(BEN))
    assert "Ann" not in await place.rig.ask("mine", by=in_group(BEN))
    assert "not shown to any admin" in await place.ask("audit")
    await place.rig.confirm("forget-me", by=BEN)
    assert "not shown to any admin" in await place.rig.ask("audit", by=BEN)
    assert await place.data_folder.journal.audit_of(BEN.scope.owner) == []


async def test_an_export_of_others_memories_is_noted_as_well(place: Office, tmp_path: Path) -> None:
    live, *_ = await secrets(place)
    await place.rig.remember("Ann keeps bees")
    assert "--reveal REASON" in await place.ask("export", "all")
    assert exported(tmp_path) == ""
    assert (await revealed(place, "export", "all")).startswith("Memories exported: 4")
    assert SECRET in exported(tmp_path)
    line = (await place.rig.ask("audit", by=BEN)).splitlines()[-1]
    assert line.endswith(
        "exported to a file by an admin · Ann (901) · memories: 3 · reason: Ben asked me to"
    )
    assert "exported to a file" in await place.rig.ask("audit", live.id, by=BEN)
    assert "not shown to any admin" in await place.ask("audit")


async def test_an_export_of_a_group_and_of_ones_own_needs_no_reason(place: Office) -> None:
    await secrets(place)
    await place.rig.remember("Ann keeps bees")
    await place.rig.remember("the group meets on Friday", of=in_group(BEN))
    assert (await place.ask("export")).startswith("Memories exported: 1")
    assert (await place.ask("export", "1")).startswith("Memories exported: 1")
    assert await place.rig.ask("audit", by=BEN) == await place.ask("audit")


async def test_nothing_is_revealed_where_the_owner_forbids(place: Office, tmp_path: Path) -> None:
    live, *_ = await secrets(place)
    asked = "1 --reveal Ben asked me to"
    [code] = CODE.findall(await place.ask("list", asked))
    forbid(place)
    assert await place.ask("list", f"{asked} {code}") == SETTING
    assert await place.ask("show", f"{live.id} --reveal Ben asked me to") == SETTING
    assert await place.ask("export", "all") == SETTING
    assert await place.ask("export", "all --reveal Ben asked me to") == SETTING
    assert SETTING in (await place.ask("list", "1")).splitlines()
    assert exported(tmp_path) == ""
    assert "not shown to any admin" in await place.rig.ask("audit", by=BEN)
    answer = await place.ask("config", "set privacy.admin_reveal true")
    assert "cannot be changed at run time" in answer


async def test_what_cannot_be_noted_is_not_shown(
    place: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await secrets(place)

    async def full(entries: object) -> None:
        raise StorageError("the disk is full")

    monkeypatch.setattr(place.data_folder.journal, "audit", full)
    for command, argument in (("list", "1"), ("export", "all")):
        with pytest.raises(StorageError):
            await revealed(place, command, argument)
    assert exported(tmp_path) == ""


async def test_joining_accounts_is_noted_with_whom_it_lets_read(place: Office) -> None:
    await secrets(place)
    await place.ask("alias", "add qq 902 Both")
    assert "not shown to any admin" in await place.rig.ask("audit", by=BEN)
    await place.ask("alias", "add qq 901 Both")
    line = (await place.rig.ask("audit", by=BEN)).splitlines()[1]
    assert "accounts joined, readable from each other · 901 · " in line
    assert "qq/901, qq/902" in line


async def test_who_joins_accounts_in_a_group_is_not_told_by_their_card_there(place: Office) -> None:
    await secrets(place)
    card = replace(in_group(BOSS), name="Choir of the ill")
    for account in ("qq 902", "qq 903"):
        await place.rig.ask("alias", f"add {account} Both", by=card)
    line = (await place.rig.ask("audit", by=BEN)).splitlines()[1]
    assert "readable from each other · 901 · reason: qq/902, qq/903" in line


@pytest.mark.parametrize("order", [("901", "902"), ("902", "901")])
async def test_an_admin_who_may_reveal_nothing_joins_nobody_to_an_account_of_their_own(
    place: Office, order: tuple[str, str]
) -> None:
    await secrets(place)
    forbid(place)
    first, second = order
    await place.ask("alias", f"add qq {first} Both")
    answer = await place.ask("alias", f"add qq {second} Both")
    assert "no further account can be joined to your own" in answer
    assert "quagga" not in await place.ask("mine")
    assert "Both" in await place.ask("alias", "add telegram 77 Both") or first == "901"


async def test_an_admin_may_act_on_what_they_do_not_see_but_not_put_it_right(place: Office) -> None:
    live, binned, _ = await secrets(place)
    assert HIDDEN in await place.ask("pin", live.id)
    assert HIDDEN in await place.ask("restore", binned.id)
    assert "Only the person themselves" in await place.ask("correct", f"{live.id} nothing is owed")
    kept = await place.data_folder.store.get(live.id)
    assert kept == replace(live, vitality=replace(live.vitality, pinned=True))


async def test_going_back_to_a_backup_does_not_undo_the_note(place: Office) -> None:
    await secrets(place)
    name = (await place.data_folder.backups.make(Occasion.ASKED, place.rig.clock.now())).name
    await revealed(place, "list", "1")
    await place.confirm("restore-backup", name)
    assert "Ben asked me to" in await place.rig.ask("audit", by=BEN)
