"""A file through the browser: once, by whoever may, on record, and by no key."""

from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from astrbot_plugin_tidemark.commands.web.catalogue import ROUTES, Asked, Sendable, respond
from astrbot_plugin_tidemark.core.actions.web_requests import REQUESTED, zipped

from ..command_rig import ANN
from ..safe import Office


async def asked(place: Office, name: str, /, by: str = "owner", **params: Any) -> Sendable:
    [route] = [each for each in ROUTES if each.name == name]
    return await respond(route, Asked(by, params), place.rig.engine, place.rig.services)


async def data(place: Office, name: str, /, by: str = "owner", **params: Any) -> Any:
    answer = await asked(place, name, by, **params)
    assert not isinstance(answer, Path)
    return answer["data"] or answer["message"]


async def exported(place: Office) -> str:
    await place.rig.remember("Ann keeps bees")
    owner, reason = ANN.scope.owner, "she asked for it"
    return (await data(place, "POST export", owner=owner, reveal=reason))["name"]


async def test_a_link_works_once_and_is_on_record(place: Office) -> None:
    name = await exported(place)
    code = (await data(place, "POST downloads/offer", name=name))["answer"]
    wrong = await data(place, "GET downloads/<code>", name=name, code="WRONG2")
    assert wrong == "refused.wrong_code"
    sent = await asked(place, "GET downloads/<code>", name=name, code=code)
    assert "bees" in sent.read_text("utf-8")
    again = await data(place, "GET downloads/<code>", name=name, code=code)
    assert again == "refused.wrong_code"
    noted = await place.data_folder.journal.audit_by_action(frozenset({REQUESTED}))
    assert [each.by for each in noted if each.memory == f"web:download {name}"] == [
        "owner (dashboard/owner)"
    ]


async def test_only_who_made_the_export_fetches_it_and_never_a_key(place: Office) -> None:
    name = await exported(place)
    offered = "POST downloads/offer"
    assert await data(place, offered, by="somebody", name=name) == "refused.unknown_file"
    assert await data(place, offered, by="api_key:7", name=name) == "refused.not_by_key"
    for other in ("../journal.db", "memories-1.jsonl", "x" * 400):
        assert await data(place, offered, name=other) == "refused.unknown_file"
    code = (await data(place, offered, name=name))["answer"]
    taken = await data(place, "GET downloads/<code>", by="somebody", name=name, code=code)
    assert taken == "refused.unknown_file"
    await place.reopen()
    assert await data(place, offered, name=name) == "refused.unknown_file"


async def test_a_backup_holds_everybody_and_leaves_for_a_reason_on_record(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    name = (await data(place, "POST backups/make"))["name"]
    offered = "POST downloads/offer"
    assert await data(place, offered, name=name) == "refused.reason_needed"
    assert await data(place, offered, by="api_key:7", name=name) == "refused.not_by_key"
    code = (await data(place, offered, name=name, reveal="the machine moves"))["answer"]
    [noted] = await place.data_folder.journal.audit_of(ANN.scope.owner)
    assert (noted.action, noted.by) == ("exported", "owner (dashboard/owner)")
    assert "the machine moves" in noted.detail
    sent = await asked(place, "GET downloads/<code>", name=name, code=code)
    packed = BytesIO(b"".join(zipped(sent)))
    with ZipFile(packed) as archive:
        assert archive.testzip() is None
        for each in sent.iterdir():
            assert archive.read(f"{name}/{each.name}") == each.read_bytes()
    again = await data(place, "GET downloads/<code>", name=name, code=code)
    assert again == "refused.wrong_code"


async def test_what_is_from_before_somebody_was_forgotten_does_not_leave(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    offered, reason = "POST downloads/offer", "the machine moves"
    name = (await data(place, "POST backups/make"))["name"]
    code = (await data(place, offered, name=name, reveal=reason))["answer"]
    file = await exported(place)
    await data(place, offered, name=file)
    await place.rig.engine.eraser.erase(ANN.scope)
    refused = 'refused.holds_forgotten {"n": "1"}'
    assert await data(place, offered, name=name, reveal=reason) == refused
    assert await data(place, "GET downloads/<code>", name=name, code=code) == refused
    assert await data(place, offered, name=file) == refused
    later = (await data(place, "POST backups/make"))["name"]
    await data(place, offered, name=later, reveal=reason)
    told = (await data(place, "GET backups"))["answer"]
    assert {each["name"]: each["forgotten"] for each in told} == {name: 1, later: 0}
