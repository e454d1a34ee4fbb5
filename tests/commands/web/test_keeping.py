"""Backups, imports and downloads by the page: done by a code, on record, refused with a reason."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from astrbot_plugin_tidemark.commands.web.catalogue import ROUTES, Asked, Sendable, respond
from astrbot_plugin_tidemark.core.actions.web_requests import REQUESTED, zipped

from ..command_rig import ANN, BEN, DAY
from ..safe import Office


async def asked(place: Office, resource: str, /, **params: Any) -> dict[str, Any]:
    [route] = [each for each in ROUTES if each.name == resource]
    return await respond(route, Asked("owner", params), place.rig.engine, place.rig.services)


async def data(place: Office, resource: str, /, **params: Any) -> Any:
    answer = await asked(place, resource, **params)
    assert answer["status"] == "ok", answer
    return answer["data"]


async def test_a_backup_is_made_gone_back_to_by_its_code_and_deleted(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    made = await data(place, "POST backups/make")
    assert made["memories"] == 1
    place.rig.clock.at += DAY
    await place.rig.remember("Ann has a boat")
    first = await data(place, "POST backups/restore", name=made["name"])
    assert first["code"]
    assert await place.texts() == {"Ann keeps bees", "Ann has a boat"}
    wrong = await asked(place, "POST backups/restore", name=made["name"], code="WRONG2")
    assert wrong["message"] == "refused.wrong_code"
    again = await data(place, "POST backups/restore", name=made["name"])
    done = await data(place, "POST backups/restore", name=made["name"], code=again["code"])
    assert "code" not in done
    assert await place.texts() == {"Ann keeps bees"}
    listed = (await data(place, "GET backups"))["answer"]
    assert [each["name"] for each in listed] == [done["before"]["name"], made["name"]]
    await data(place, "POST backups/delete", name=made["name"])
    assert len((await data(place, "GET backups"))["answer"]) == 1
    gone = await asked(place, "POST backups/delete", name=made["name"])
    assert gone["message"].startswith("refused.unknown_backup ")


def put(place: Office, name: str, *rows: dict[str, Any]) -> None:
    folder = place.data_folder.places.imports
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row) for row in rows]
    (folder / name).write_text("\n".join(lines) + "\n", "utf-8")


ROWS = (
    {"text": "Ann keeps bees", "user_id": "901", "platform": "qq"},
    {"text": "Ben sails at weekends", "user_id": "902", "platform": "qq"},
)


async def test_a_file_is_looked_at_moved_in_and_taken_back(place: Office) -> None:
    put(place, "old.jsonl", *ROWS)
    assert (await data(place, "GET importable"))["names"] == ["old.jsonl"]
    assert (await data(place, "GET imports"))["entries"] == []
    looked = await data(place, "POST imports/look", name="old.jsonl")
    assert (looked["new"], await place.texts()) == (2, set())
    left = {str(each["number"]): "skip" for each in looked["chats"][1:]}
    moved = await data(place, "POST imports/start", name="old.jsonl", chats=left)
    [job] = (await data(place, "GET jobs"))["answer"]
    assert (job["kind"], job["state"], job["outcome"]["added"]) == ("import", "done", 1)
    gone = await asked(place, "POST jobs/cancel", id=job["id"])
    assert gone["message"] == "refused.unknown_job"
    assert moved["batch"]
    assert len(await place.texts()) == 1
    [batch] = (await data(place, "GET imports"))["entries"]
    assert (batch["id"], batch["state"], batch["added"]) == (moved["batch"], "done", 1)
    first = await data(place, "POST imports/undo", id=batch["id"])
    assert (first["going"], len(await place.texts())) == (1, 1)
    await data(place, "POST imports/undo", id=batch["id"], code=first["code"])
    assert await place.texts() == set()


async def test_a_file_from_the_browser_has_a_name_of_its_own(place: Office, tmp_path: Path) -> None:
    came = tmp_path / "upload"
    came.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS), "utf-8")
    names = [
        (await data(place, "POST imports/upload", name="old.jsonl", path=came))["answer"]
        for _ in range(2)
    ]
    assert names == ["old.jsonl", "old-2.jsonl"]
    assert (await data(place, "POST imports/look", name="old-2.jsonl"))["new"] == 2
    for name in ("../journal.db", "livingmemory", ".hidden", "a/b"):
        wrong = await asked(place, "POST imports/upload", name=name, path=came)
        assert wrong["message"].startswith("refused.unknown_file")
    told = await asked(place, "POST imports/upload", name="x.csv", path="/etc/passwd")
    assert told["message"] == "bad_request.path"
    assert sorted((await data(place, "GET importable"))["names"]) == sorted(names)


async def test_what_is_no_export_is_refused_with_its_problem(place: Office) -> None:
    folder = place.data_folder.places.imports
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(2_000))
    refused = await asked(place, "POST imports/look", name="picture.csv")
    assert refused["message"].split()[0] in ("refused.foreign", "refused.columns")
    unknown = await asked(place, "POST imports/look", name="nothing.csv")
    assert unknown["message"].startswith("refused.unknown_file ")


@pytest.mark.parametrize("chats", [[], "all", {"1": 2}, {str(n): "skip" for n in range(600)}])
async def test_rules_that_are_none_are_refused(place: Office, chats: object) -> None:
    put(place, "old.jsonl", *ROWS)
    answer = await asked(place, "POST imports/look", name="old.jsonl", chats=chats)
    assert answer["message"] == "bad_request.chats"


async def test_memories_are_exported_of_one_person_for_a_reason(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    await place.rig.remember("Ben sails", of=BEN)
    refused = await asked(place, "POST export", owner=ANN.scope.owner)
    assert refused["message"] == "refused.reason_needed"
    done = await data(place, "POST export", owner=ANN.scope.owner, reveal="she asked for it")
    text = (Path(done["folder"]) / done["name"]).read_text("utf-8")
    assert (done["count"], "bees" in text, "sails" in text) == (1, True, False)
    unknown = await asked(place, "POST export", owner="private/qq/1/*", reveal="why not")
    assert unknown["message"] == "refused.unknown_scope"


async def test_where_memories_are_is_told_and_a_move_begins_by_its_code(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    state = await data(place, "GET storage")
    assert (state["backend"], state["count"], state["move"]) == ("sqlite", 1, None)
    same = await asked(place, "POST storage/move", target="sqlite")
    nothing = await asked(place, "POST storage/cancel")
    assert (same["message"], nothing["message"]) == ("refused.same", "refused.nothing")
    unfit = await asked(place, "POST storage/move", target="paper")
    assert unfit["message"] == "bad_request.target"


async def asked_for(place: Office, name: str, /, by: str = "owner", **params: Any) -> Sendable:
    [route] = [each for each in ROUTES if each.name == name]
    return await respond(route, Asked(by, params), place.rig.engine, place.rig.services)


async def downloaded(place: Office, name: str, /, by: str = "owner", **params: Any) -> Any:
    answer = await asked_for(place, name, by, **params)
    assert not isinstance(answer, Path)
    return answer["data"] or answer["message"]


async def exported(place: Office) -> str:
    await place.rig.remember("Ann keeps bees")
    owner, reason = ANN.scope.owner, "she asked for it"
    return (await downloaded(place, "POST export", owner=owner, reveal=reason))["name"]


async def test_a_link_works_once_and_is_on_record(place: Office) -> None:
    name = await exported(place)
    code = (await downloaded(place, "POST downloads/offer", name=name))["answer"]
    wrong = await downloaded(place, "GET downloads/<code>", name=name, code="WRONG2")
    assert wrong == "refused.wrong_code"
    sent = await asked_for(place, "GET downloads/<code>", name=name, code=code)
    assert "bees" in sent.read_text("utf-8")
    again = await downloaded(place, "GET downloads/<code>", name=name, code=code)
    assert again == "refused.wrong_code"
    noted = await place.data_folder.journal.audit_by_action(frozenset({REQUESTED}))
    assert [each.by for each in noted if each.memory == f"web:download {name}"] == [
        "owner (dashboard/owner)"
    ]


async def test_only_who_made_the_export_fetches_it_and_never_a_key(place: Office) -> None:
    name = await exported(place)
    offered = "POST downloads/offer"
    assert await downloaded(place, offered, by="somebody", name=name) == "refused.unknown_file"
    assert await downloaded(place, offered, by="api_key:7", name=name) == "refused.not_by_key"
    for other in ("../journal.db", "memories-1.jsonl", "x" * 400):
        assert await downloaded(place, offered, name=other) == "refused.unknown_file"
    code = (await downloaded(place, offered, name=name))["answer"]
    taken = await downloaded(place, "GET downloads/<code>", by="somebody", name=name, code=code)
    assert taken == "refused.unknown_file"
    await place.reopen()
    assert await downloaded(place, offered, name=name) == "refused.unknown_file"


async def test_a_backup_holds_everybody_and_leaves_for_a_reason_on_record(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    name = (await downloaded(place, "POST backups/make"))["name"]
    offered = "POST downloads/offer"
    assert await downloaded(place, offered, name=name) == "refused.reason_needed"
    assert await downloaded(place, offered, by="api_key:7", name=name) == "refused.not_by_key"
    code = (await downloaded(place, offered, name=name, reveal="the machine moves"))["answer"]
    [noted] = await place.data_folder.journal.audit_of(ANN.scope.owner)
    assert (noted.action, noted.by) == ("exported", "owner (dashboard/owner)")
    assert "the machine moves" in noted.detail
    sent = await asked_for(place, "GET downloads/<code>", name=name, code=code)
    packed = BytesIO(b"".join(zipped(sent)))
    with ZipFile(packed) as archive:
        assert archive.testzip() is None
        for each in sent.iterdir():
            assert archive.read(f"{name}/{each.name}") == each.read_bytes()
    again = await downloaded(place, "GET downloads/<code>", name=name, code=code)
    assert again == "refused.wrong_code"


async def test_what_is_from_before_somebody_was_forgotten_does_not_leave(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    offered, reason = "POST downloads/offer", "the machine moves"
    name = (await downloaded(place, "POST backups/make"))["name"]
    code = (await downloaded(place, offered, name=name, reveal=reason))["answer"]
    file = await exported(place)
    await downloaded(place, offered, name=file)
    await place.rig.engine.eraser.erase(ANN.scope)
    refused = 'refused.holds_forgotten {"n": "1"}'
    assert await downloaded(place, offered, name=name, reveal=reason) == refused
    assert await downloaded(place, "GET downloads/<code>", name=name, code=code) == refused
    assert await downloaded(place, offered, name=file) == refused
    later = (await downloaded(place, "POST backups/make"))["name"]
    await downloaded(place, offered, name=later, reveal=reason)
    told = (await downloaded(place, "GET backups"))["answer"]
    assert {each["name"]: each["forgotten"] for each in told} == {name: 1, later: 0}
