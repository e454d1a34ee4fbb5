"""Numbers for admins, and complaints that say what to do."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.forgetting.fsrs import FsrsMissing
from astrbot_plugin_tidemark.core.model.errors import (
    INSTALL,
    EmbeddingUnavailable,
    ModelUnavailable,
    StorageError,
)
from astrbot_plugin_tidemark.core.model.memory import Kind, Standing, Status, Vitality
from astrbot_plugin_tidemark.core.ports import (
    ChatModel,
    Completion,
    EmbedderIdentity,
    Prompt,
    Purpose,
    Recollection,
    Vector,
    WorkKind,
)
from astrbot_plugin_tidemark.core.recall.trace import (
    Leg,
    LegReport,
    LegState,
    SilenceReason,
    Trace,
    recorded,
)
from astrbot_plugin_tidemark.core.settings.configuration import configure
from astrbot_plugin_tidemark.storage.chroma.faults import MISSING

from .command_rig import ANN, BEN, DAY, NOW, CommandRig, admin

BOSS = admin(ANN)


class Silent:
    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        raise ModelUnavailable("not called in these tests")


class Models:
    """Chooses the silent model, or is still waiting for one."""

    def __init__(self, problem: str = "") -> None:
        self._problem = problem

    settled = True

    async def choose(self, session: str) -> ChatModel | None:
        if self._problem:
            raise ModelUnavailable(self._problem)
        return Silent()


class Broken(HashedEmbedder):
    """An embedder that cannot even tell what it is."""

    async def identity(self) -> EmbedderIdentity:
        raise EmbeddingUnavailable("connection refused")


class Sound(HashedEmbedder):
    async def identity(self) -> EmbedderIdentity:
        return replace(await super().identity(), provider="local", model="e5")

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return await super().embed_documents(texts)


def configured(rig: CommandRig, document: object, *, models: Models | None = None) -> None:
    """Change the settings and the chat models of a rig."""
    engine = rig.engine
    engine.settings = configure({"display": {"timezone": "UTC"}, **dict(document)}).settings
    engine.models = models or engine.models


def in_good_health(rig: CommandRig) -> None:
    configured(rig, {}, models=Models())
    rig.embedders.embedder = Sound()


# status


async def test_a_new_installation_counts_nothing(rig: CommandRig) -> None:
    rig.models.state = "ready"
    hashed = await HashedEmbedder().identity()
    assert (await rig.ask("status", by=BOSS)).splitlines() == [
        "Memories: 0 live (fading 0, settling 0, lasting 0), 0 archived, 0 in the bin, "
        "0 in quarantine, in 0 scopes",
        "Conversation: 0 messages, 0 episodes (0 open), 0 recalls",
        f"Embeddings: hashed n-grams “{hashed.fingerprint}”, 0 of 0 done",
        "Learning: rules (no model); today 0 calls, 0 of 2000000 tokens",
        "Queue: 0 to do, 0 given up",
        "Last sweep: none yet",
        "Verdicts: 0 useful, 0 useless",
    ]


async def test_status_counts_every_scope_by_tier_kind_and_status(rig: CommandRig) -> None:
    await rig.remember("a", vitality=Vitality(5, useful_score=4.0))
    await rig.remember("b", vitality=Vitality(5, useful_score=11.0), of=BEN)
    await rig.remember("c", kind=Kind.EVIDENCE)
    await rig.remember("d", standing=Standing(Status.BINNED, NOW, "decayed", NOW + DAY))
    await rig.remember("e", standing=Standing(Status.ARCHIVED, NOW, "old"))
    await rig.remember("f", standing=Standing(Status.QUARANTINED, NOW, "unsaid_number"))
    answer = await rig.ask("status", by=BOSS)
    assert (
        "Memories: 3 live (fading 1, settling 1, lasting 1), 1 archived, 1 in the bin, "
        "1 in quarantine, in 2 scopes"
    ) in answer
    assert "fact 2" in answer
    assert "raw message 1" in answer


async def test_status_counts_talk_work_vectors_usage_and_verdicts(rig: CommandRig) -> None:
    await rig.say("I keep bees")
    answer = await rig.ask("status", by=BOSS)
    assert "1 messages, 1 episodes (1 open), 0 recalls" in answer
    assert "Queue: 1 to do, 0 given up" in answer
    await rig.remember("Ann's secret")
    await rig.say("Ann's secret")
    assert "secret" not in await rig.ask("status", by=BOSS)
    await rig.remember("a")
    assert "0 of 2 done" in await rig.ask("status", by=BOSS)
    await rig.engine.backfill.once()
    assert "2 of 2 done" in await rig.ask("status", by=BOSS)
    count = rig.engine.journal.count_usage
    await count("2025-06-15", Purpose.LEARNING, calls=3, tokens=1_200)
    await count("2025-06-14", Purpose.SLEEP, calls=9, tokens=9_999)
    assert "today 3 calls, 1200 of 2000000 tokens" in await rig.ask("status", by=BOSS)
    journal = rig.engine.journal
    await journal.set_note("last_sweep", repr(NOW))
    await journal.record_verdicts([(1, "a"), (1, "b")], useful=True, source="model", at=NOW)
    await journal.record_verdicts([(2, "a")], useful=False, source="model", at=NOW)
    answer = await rig.ask("status", by=BOSS)
    assert "Last sweep: 2025-06-15 15:06" in answer
    assert "Verdicts: 2 useful, 1 useless" in answer


async def test_status_and_health_survive_an_embedder_that_does_not_answer(rig: CommandRig) -> None:
    rig.embedders.embedder = Broken()
    assert (
        "searching by words only (embeddings not available: “connection refused”)"
        in await rig.ask("status", by=BOSS)
    )
    rig.embedders.embedder = None
    assert "Embeddings: off, searching by words only" in await rig.ask("status", by=BOSS)
    in_good_health(rig)
    rig.embedders.embedder = Broken()
    assert (
        "searching by words only (embeddings not available: “connection refused”)"
        in await rig.ask("health", by=BOSS)
    )


@pytest.mark.parametrize(
    ("learning", "name"),
    [
        ({}, "the chat's own model"),
        ({"provider_id": "openai/mini"}, "openai/mini"),
        ({"endpoint_url": "http://localhost/v1", "endpoint_model": "qwen"}, "qwen"),
        (
            {"extractor": "host", "endpoint_url": "http://x/v1", "endpoint_model": "qwen"},
            "the chat's own model",
        ),
    ],
)
async def test_status_names_the_model_that_learning_uses(
    rig: CommandRig, learning: dict[str, str], name: str
) -> None:
    configured(rig, {"learning": learning}, models=Models())
    assert f"Learning: {name};" in await rig.ask("status", by=BOSS)


async def test_status_says_when_learning_waits_for_a_model(rig: CommandRig) -> None:
    configured(rig, {}, models=Models("providers are loading"))
    answer = await rig.ask("status", by=BOSS)
    assert "Learning: waiting for a model (model not available: “providers are loading”)" in answer


# health


async def test_each_failure_is_told_with_its_count_time_and_last_words(rig: CommandRig) -> None:
    in_good_health(rig)
    assert await rig.ask("health", by=BOSS) == "All is well."
    in_good_health(rig)
    for problem in ("first", "second\nline"):
        rig.engine.count_failure("recall", RuntimeError(problem))
    assert await rig.ask("health", by=BOSS) == (
        "Failure in recall: 2 times, last 2025-06-15 15:06: internal error: “second line”"
    )
    in_good_health(rig)
    rig.engine.incidents.record("command", RuntimeError("</tidemark-memories>"), NOW)
    assert "‹/tidemark-memories›" in await rig.ask("health", by=BOSS)
    for number in range(30):
        rig.engine.count_failure(f"place {number}", RuntimeError("x" * 300))
    assert len(await rig.ask("health", by=BOSS)) <= 1_400


async def test_work_that_was_given_up_is_told_with_its_error(rig: CommandRig) -> None:
    in_good_health(rig)
    journal = rig.engine.journal
    await journal.enqueue(WorkKind.LEARN, "learn:e1", {"episode": "e1"})
    (work,) = await journal.due(NOW, kinds=frozenset(WorkKind), limit=1, skip=frozenset())
    await journal.bury(work.id, "ModelUnavailable: gone")
    answer = await rig.ask("health", by=BOSS)
    assert answer == "Given up: learning, after 0 attempts: model not available: “gone”"


async def test_what_is_missing_is_told_with_the_remedy_unless_chosen(rig: CommandRig) -> None:
    answer = await rig.ask("health", by=BOSS)
    assert "No chat model is available" in answer
    assert "learning.endpoint_url" in answer
    answer = await rig.ask("health", by=BOSS)
    assert "Local model: not installed. Run /memory embedder install" in answer
    configured(rig, {"learning": {"extractor": "rules"}})
    assert "No chat model" not in await rig.ask("health", by=BOSS)
    configured(rig, {"embedding": {"source": "hashed"}}, models=Models())
    assert await rig.ask("health", by=BOSS) == "All is well."
    rig.embedders.embedder = None
    configured(rig, {"embedding": {"source": "off"}}, models=Models())
    assert await rig.ask("health", by=BOSS) == "All is well."
    rig.embedders.embedder = None
    configured(rig, {"embedding": {"source": "local"}}, models=Models())
    assert "The chosen source of embeddings is not available" in await rig.ask("health", by=BOSS)


@pytest.mark.parametrize("leg", list(Leg))
async def test_a_way_of_searching_that_fails_is_named_in_words(rig: CommandRig, leg: Leg) -> None:
    in_good_health(rig)
    rig.engine.incidents.record(f"{leg} leg", TimeoutError(), NOW)
    words = rig.phrases.say("zh", f"leg.{leg}")
    told = await rig.ask("health", by=replace(BOSS, language="zh"))
    assert told.startswith(f"{words}检索出错 1 次")
    assert " leg" not in await rig.ask("health", by=BOSS)


@pytest.mark.parametrize(
    ("error", "command"),
    [
        (StorageError(MISSING, file="chromadb"), 'pip install "chromadb>=1.5,<2"'),
        (
            FsrsMissing(f"the policy fsrs needs the package fsrs: {INSTALL['fsrs']}"),
            INSTALL["fsrs"],
        ),
    ],
)
async def test_advice_to_install_a_package_can_be_pasted(
    rig: CommandRig, error: Exception, command: str
) -> None:
    in_good_health(rig)
    rig.engine.incidents.record("command", error, NOW)
    assert f"执行 {command}" in await rig.ask("health", by=replace(BOSS, language="zh"))
    assert f"run {command} in" in await rig.ask("health", by=BOSS)


async def test_health_tells_how_many_turns_went_without_memory_and_why(rig: CommandRig) -> None:
    late = Trace("bees", (), (), silence=SilenceReason.LATE)
    by_words = Trace("bees", (), (LegReport(Leg.SEMANTIC, LegState.LATE),))
    for trace in (late, late, by_words, Trace("bees", (), ())):
        turn = await rig.say("Where are my hives?")
        await rig.engine.journal.record_recall(Recollection(turn, NOW, recorded(trace), "", ()))
    told = await rig.ask("health", by=BOSS)
    assert "Of the last 4 turns 2 were answered without memory" in told
    assert "Of the last 4 turns 1 had no vectors in time" in told
