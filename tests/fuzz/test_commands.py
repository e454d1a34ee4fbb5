"""Any command from anybody holds; a fuzz that saw nothing wrong where something is would not."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.commands.chat import own_memories as own
from astrbot_plugin_tidemark.core.engine.manual_edits import Curation
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import TELLS, Kind, Memory
from astrbot_plugin_tidemark.core.ports import Amendment
from astrbot_plugin_tidemark.core.privacy.access import ScopeAccess
from astrbot_plugin_tidemark.scripts.fuzzing import commands, findings
from astrbot_plugin_tidemark.scripts.fuzzing.findings import chance_of
from astrbot_plugin_tidemark.scripts.fuzzing.furnished import Furnished

from ..samples import memory
from ..strength import strength

SEED = 11


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def population() -> AsyncIterator[Furnished]:
    """The first population, which every test opens for itself; to furnish it takes seconds."""
    async with commands.population_from(0, SEED) as made:
        yield made


@pytest.fixture(autouse=True)
def made(population: Furnished, monkeypatch: pytest.MonkeyPatch) -> Furnished:
    """No test furnishes it anew."""

    def known(first: int, seed: int) -> AbstractAsyncContextManager[Furnished]:
        assert (first, seed) == (0, SEED)
        return nullcontext(population)

    monkeypatch.setattr(commands, "population_from", known)
    return population


async def found(problem: str, cases: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether so many cases of the command find its problem, which is not shrunk."""
    monkeypatch.setattr(commands, "NAMES", problem.split()[:1])
    monkeypatch.setattr(findings, "ATTEMPTS", 0)
    return problem in (await commands.run(cases, SEED, enough=problem)).by_problem


async def test_no_command_breaks_shows_what_is_others_or_loses_a_memory() -> None:
    assert (await commands.run(strength(30, 200), SEED)).listed() == []


async def test_a_command_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*args: object) -> None:
        raise LookupError("no page")

    monkeypatch.setattr(own, "list_own", broken)
    assert await found("mine raised LookupError in test_commands.py, broken", 8, monkeypatch)


async def test_a_command_that_reads_every_scope_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def everything(access: ScopeAccess, *args: object) -> frozenset[str]:
        return frozenset(await access.store.scopes())

    monkeypatch.setattr(ScopeAccess, "readable", everything)
    assert await found("mine shows a memory of somebody else", 8, monkeypatch)
    monkeypatch.setattr(commands, "_argument", commands._id)
    assert await found("forget changed a memory of somebody else", 60, monkeypatch)


async def test_forgetting_for_good_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def erase(curation: Curation, ids: Sequence[str], *, by: str) -> list[Amendment]:
        await curation.store.purge(ids)
        return []

    monkeypatch.setattr(Curation, "forget", erase)
    assert await found("forget lost a memory of the caller", 40, monkeypatch)


async def test_an_answer_too_long_for_a_message_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "answer", lambda lines: "x" * 1_401)
    assert await found("mine answers with more than 1400 characters", 8, monkeypatch)


async def test_a_problem_is_shown_by_the_shortest_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    page_number = own.page_number

    def fragile(argument: str) -> int:
        if "i" in argument:
            raise ArithmeticError("i")
        return page_number(argument)

    monkeypatch.setattr(own, "page_number", fragile)
    monkeypatch.setattr(commands, "NAMES", ("mine",))
    listed = (await commands.run(40, SEED)).listed()
    shown = [finding["input"] for finding in listed if "fragile" in finding["problem"]]
    assert shown == ["'mine i'"]


async def test_a_code_that_is_asked_for_is_given_half_of_the_time(made: Furnished) -> None:
    async with made.opened() as population:
        case = commands.Case("forget-me", "", population.chats[0])
        population.heard[case.caller.session] = "Repeat with the code K7Q2MX to erase everything."
        given = [
            commands.confirmed(population, case, chance_of(SEED, "code", n)) for n in range(40)
        ]
    repeated = [again.argument for again in given if again is not None]
    assert 10 <= len(repeated) <= 30
    assert set(repeated) == {"K7Q2MX"}


@pytest.mark.parametrize(
    ("gone", "left", "allowed"),
    [
        ("c", "ab", True),
        ("bc", "", True),
        ("c", "", False),
        ("c", "a", False),
        ("", "ab", False),
        ("", "abc", False),
    ],
)
def test_a_thread_may_lose_lines_of_what_is_gone_only(gone: str, left: str, allowed: bool) -> None:
    def thread(tells: str) -> Memory:
        edges = tuple(Relation("thread", TELLS, id) for id in tells)
        return memory("a story", id="thread", kind=Kind.NARRATIVE, relations=edges)

    after = {id: memory(id=id) for id in "abc" if id not in gone}
    told = thread(left) if left else None
    assert commands._tells_less(thread("abc"), told, after) is allowed
