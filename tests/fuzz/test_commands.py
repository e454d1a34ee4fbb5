"""Any command from anybody holds; a fuzz that saw nothing wrong where something is would not."""

from collections.abc import Sequence

import pytest
from astrbot_plugin_tidemark.commands import own
from astrbot_plugin_tidemark.core.access import ScopeAccess
from astrbot_plugin_tidemark.core.curation import Curation
from astrbot_plugin_tidemark.core.ports import Amendment
from astrbot_plugin_tidemark.scripts.fuzzing import commands

SEED = 11


async def found(
    cases: int, monkeypatch: pytest.MonkeyPatch | None = None, *names: str
) -> list[str]:
    """The problems; with names, of these commands only."""
    if monkeypatch is not None:
        monkeypatch.setattr(commands, "NAMES", names)
    findings = await commands.run(cases, SEED)
    return [finding["problem"] for finding in findings.listed()]


async def test_no_command_breaks_shows_what_is_others_or_loses_a_memory() -> None:
    assert await found(200) == []


async def test_a_command_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*args: object) -> None:
        raise LookupError("no page")

    monkeypatch.setattr(own, "page_of", broken)
    assert "mine raised LookupError in test_commands.py, broken" in await found(
        25, monkeypatch, "mine"
    )


async def test_a_command_that_reads_every_scope_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def everything(access: ScopeAccess, *args: object) -> frozenset[str]:
        return frozenset(await access.store.scopes())

    monkeypatch.setattr(ScopeAccess, "readable", everything)
    problems = await found(60, monkeypatch, "mine", "forget")
    assert "mine shows a memory of somebody else" in problems
    assert "forget changed a memory of somebody else" in problems


async def test_forgetting_for_good_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def erase(curation: Curation, ids: Sequence[str], *, by: str) -> list[Amendment]:
        await curation.store.purge(ids)
        return []

    monkeypatch.setattr(Curation, "forget", erase)
    assert "forget lost a memory of the caller" in await found(60, monkeypatch, "forget")


async def test_an_answer_too_long_for_a_message_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "answer", lambda lines: "x" * 1_401)
    assert "mine answers with more than 1400 characters" in await found(20, monkeypatch, "mine")
