"""Any reply of the model is survived; learning that breaks, or loses something, would be found."""

import json
from collections.abc import AsyncIterator
from datetime import tzinfo

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.capture import learning as learner
from astrbot_plugin_tidemark.core.capture.pipeline import Capture
from astrbot_plugin_tidemark.core.model.conversation import Episode
from astrbot_plugin_tidemark.core.model.lesson import Candidate
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Extraction
from astrbot_plugin_tidemark.scripts.fuzzing import replies
from astrbot_plugin_tidemark.scripts.fuzzing.documents import DEEP
from astrbot_plugin_tidemark.scripts.fuzzing.furnished import Furnished

from ..strength import strength

EMPTY = json.dumps({"summary": "", "memories": [], "useful": []})


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def made() -> AsyncIterator[Furnished]:
    """The population of the one case, which every test opens for itself."""
    async with replies.population_for(0) as made:
        yield made


def case(reply: str) -> replies.Case:
    return replies.Case(0, reply, reply)


async def test_every_reply_is_survived_and_nothing_is_lost() -> None:
    assert (await replies.run(strength(6, 80), 13)).listed() == []


UNREADABLE = {
    "empty": "",
    "deep objects": '{"memories":' * DEEP,
    "surrogate": "\ud800\0",
    "brace": "{",
    "deep": "[" * DEEP,
    "braces": "{" * DEEP,
    "infinite": '{"memories": [1e999]}',
}
"""The last ones in the long run only: each is learnt from in a world of its own."""


@pytest.mark.parametrize("name", [*UNREADABLE][: strength(1, len(UNREADABLE))])
async def test_a_reply_nobody_can_read_is_survived(name: str, made: Furnished) -> None:
    assert await replies.problems_of(case(UNREADABLE[name]), made) == []


async def test_raising_learning_is_found(monkeypatch: pytest.MonkeyPatch, made: Furnished) -> None:
    async def broken(capture: Capture, extraction: Extraction, *rest: object) -> list[Memory]:
        raise ArithmeticError("no")

    monkeypatch.setattr(Capture, "apply", broken)
    problems = await replies.problems_of(case(EMPTY), made)
    assert "learning is not over" in problems
    assert any("ArithmeticError" in problem for problem in problems)


async def test_gone_evidence_is_found(monkeypatch: pytest.MonkeyPatch, made: Furnished) -> None:
    apply = Capture.apply

    async def losing(
        capture: Capture, extraction: Extraction, episode: Episode, where: tzinfo | None
    ) -> list[Memory]:
        stored = await capture.store.unembedded("none")
        own = [memory.id for memory in stored if memory.origin.episode == episode.id]
        await capture.store.purge(own)
        return await apply(capture, extraction, episode, where)

    monkeypatch.setattr(Capture, "apply", losing)
    assert "raw evidence is lost" in await replies.problems_of(case(EMPTY), made)


@pytest.mark.parametrize(
    ("candidate", "problem"),
    [
        (Candidate("x" * 501, "", (1,)), "a text is empty or too long"),
        (Candidate("Tea", "", (1,), confidence=7.0), "a share of a memory is not within 0..1"),
        (Candidate("Tea", "", (1,), happened_at=float("inf")), "a number of a memory is not"),
    ][: strength(1, 3)],
    ids=["long", "share", "infinite"][: strength(1, 3)],
)
async def test_a_memory_that_is_not_valid_is_found(
    monkeypatch: pytest.MonkeyPatch, made: Furnished, candidate: Candidate, problem: str
) -> None:
    monkeypatch.setattr(learner, "cited", lambda told, turns, where: [candidate])
    problems = await replies.problems_of(case(EMPTY), made)
    assert any(found.startswith(problem) for found in problems), problems
