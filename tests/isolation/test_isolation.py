"""Nobody sees what is not theirs, by recall, search or command; each way out would be noticed."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.commands.chat import explain
from astrbot_plugin_tidemark.core.actions import details, edits, reports, tools
from astrbot_plugin_tidemark.core.actions.answers import Refusal, Refused
from astrbot_plugin_tidemark.core.actions.context import Context
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest, TurnRecalls
from astrbot_plugin_tidemark.core.model.conversation import Scope, Speaker
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.privacy.consents import ScopeAccess
from astrbot_plugin_tidemark.core.recall.people import People
from astrbot_plugin_tidemark.core.recall.trace import Recalled
from astrbot_plugin_tidemark.core.sleep.steps import profile
from astrbot_plugin_tidemark.scripts.fuzzing import isolation, population
from astrbot_plugin_tidemark.scripts.fuzzing.isolation import Probe
from astrbot_plugin_tidemark.storage.journal import recalls
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ..strength import only_long, strength

SEED = 9
LEAK = "shows what belongs to somebody else"


async def in_memory(*_: object) -> ReferenceStore:
    return ReferenceStore()


async def noticed(
    problems: Collection[str],
    probes: int,
    monkeypatch: pytest.MonkeyPatch,
    *names: str,
    **weights: int,
) -> bool:
    """Whether so many probes find all of these, by these commands and weights of steps only."""
    monkeypatch.setattr(isolation, "NAMES", names)
    steps = {getattr(isolation, name): weight for name, weight in weights.items()}
    monkeypatch.setattr(isolation, "STEPS", steps)
    monkeypatch.setattr(population, "open_store", in_memory)
    findings = await isolation.run(probes, SEED, enough=problems)
    return findings.by_problem.keys() >= {*problems}


async def test_no_probe_sees_what_belongs_to_somebody_else() -> None:
    assert (await isolation.run(strength(50, 200), SEED)).listed() == []


async def test_scopes_that_are_open_to_all_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def everything(access: ScopeAccess, *args: object) -> frozenset[str]:
        return frozenset(await access.store.scopes())

    monkeypatch.setattr(ScopeAccess, "readable", everything)
    ways = ("recall", "a search", "/memory mine", "/memory search")
    problems = {f"{way} shows what belongs to somebody else" for way in ways}
    assert await noticed(problems, 60, monkeypatch, "mine", "search", recall=1, search=1, command=2)


@only_long
async def test_personas_that_are_not_kept_apart_show(monkeypatch: pytest.MonkeyPatch) -> None:
    readable = ScopeAccess.readable

    async def any_persona(access: ScopeAccess, scope: Scope, asker: Any) -> frozenset[str]:
        other = replace(scope, persona="poet" if scope.persona == "default" else "default")
        return await readable(access, scope, asker) | {other.key}

    monkeypatch.setattr(ScopeAccess, "readable", any_persona)
    # One population in five has its personas together, and then this is right.
    assert await noticed({"recall looks where it may not"}, 420, monkeypatch, recall=1, search=99)


async def test_an_alias_that_outlives_its_removal_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    readable = ScopeAccess.readable
    met: dict[tuple[ScopeAccess, Scope], frozenset[str]] = {}

    async def remembered(access: ScopeAccess, scope: Scope, asker: Any = None) -> frozenset[str]:
        known = met.get((access, scope), frozenset())
        met[access, scope] = known | await readable(access, scope, asker)
        return met[access, scope]

    monkeypatch.setattr(ScopeAccess, "readable", remembered)
    problems = {"a search looks where it may not"}
    assert await noticed(problems, 200, monkeypatch, search=1, alias=1)


async def test_a_consent_that_outlives_withdrawal_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    shared_by = ScopeAccess._shared_by
    given: set[tuple[ScopeAccess, Scope]] = set()

    async def remembered(access: ScopeAccess, person: Scope) -> frozenset[Scope]:
        now = await shared_by(access, person)
        given.update((access, person) for _ in now)
        return frozenset({person}) if (access, person) in given else now

    monkeypatch.setattr(ScopeAccess, "_shared_by", remembered)
    assert await noticed({"a search looks where it may not"}, 200, monkeypatch, search=2, share=1)


async def test_an_id_that_resolves_anywhere_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolved(context: Context, text: str) -> Memory:
        found = await context.store.find(await context.store.resolve(text, None))
        if not found:
            raise Refused(Refusal.UNKNOWN_MEMORY)
        return found[0]

    monkeypatch.setattr(details, "find", resolved)
    problems = {"/memory show shows what belongs to somebody else"}
    assert await noticed(problems, 60, monkeypatch, "show", command=1)


async def test_a_question_told_to_another_session_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    recall = TurnRecalls.recall

    async def noting(engine: TurnRecalls, ask: RecallRequest) -> object:
        asked.append(ask.text)
        return await recall(engine, ask)

    monkeypatch.setattr(TurnRecalls, "recall", noting)
    monkeypatch.setattr(explain, "quoted", lambda text, limit: asked[0])
    problems = {"/memory why shows what belongs to somebody else"}
    assert await noticed(problems, 100, monkeypatch, "why", recall=1, command=1)


async def test_reports_of_everybodys_sleep_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def everything(context: Context) -> frozenset[str]:
        return frozenset(await context.store.scopes())

    monkeypatch.setattr(reports, "_readable", everything)
    problems = {"a report tells of somebody else's sleep", f"/memory reports {LEAK}"}
    assert await noticed(problems, 300, monkeypatch, "reports", report=2, command=1)


@only_long
async def test_words_for_a_page_that_nobody_checks_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "keeps_values", lambda *args: True)
    problems = {f"the profile {LEAK}"}
    assert await noticed(problems, 100, monkeypatch, "me", recall=12, command=4, sleep=1)


@only_long
async def test_names_that_are_read_for_all_chats_show(monkeypatch: pytest.MonkeyPatch) -> None:
    names = People.names

    async def anywhere(people: People, chats: object) -> object:
        return await names(people, await people._read())

    monkeypatch.setattr(People, "names", anywhere)
    ways = ("recall", "/memory why")
    problems = {f"{way} {LEAK}" for way in ways}
    assert await noticed(problems, 300, monkeypatch, "why", recall=1, command=1)


async def test_a_correction_by_a_name_of_elsewhere_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    async def as_called_here(context: Context, scope: Scope) -> Speaker:
        return Speaker(context.caller.person, context.caller.name)

    def correction(probe: Probe) -> str:
        return f"{probe.chance.choice(probe.population.seeded).id} I like tea"

    monkeypatch.setattr(edits, "_writer", as_called_here)
    monkeypatch.setattr(isolation, "_argument", correction)
    problems = {"a memory keeps what somebody is called elsewhere"}
    assert await noticed(problems, 200, monkeypatch, "correct", command=10, sleep=1)


@only_long
async def test_an_answer_that_is_kept_as_the_groups_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalls, "is_private_reply", lambda *args: False)
    problems = {f"recall {LEAK}"}
    assert await noticed(problems, 400, monkeypatch, "mine", recall=6, share=1, search=3)


async def test_a_disclosure_that_nobody_notes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(
        recalls: TurnRecalls, ask: RecallRequest, recalled: Recalled, seconds: float
    ) -> Any:
        return recalled

    monkeypatch.setattr(TurnRecalls, "_showable", at_once)
    monkeypatch.setattr(population, "owners_among", lambda *args: frozenset())
    problems = {f"recall {LEAK}"}
    assert await noticed(problems, 400, monkeypatch, "mine", recall=6, share=1, search=3)


async def test_a_tool_that_keeps_what_the_model_says_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*args: object) -> bool:
        return False

    monkeypatch.setattr(tools, "_may_repeat", never)
    problems = {f"/memory mine {LEAK}"}
    assert await noticed(problems, 600, monkeypatch, "mine", recall=6, share=1, tool=8, command=4)
