"""What the host may cut from a history at any moment does not count as seen by the model."""

import json
import random
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.host.compression import (
    Compression,
    compression_of,
    estimated,
    surviving,
)
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import calm, recalled

WINDOW = 4_000
WORDS = "花生 海鲜 the cat sat 在 上海 😀 and Lyon 我们 quietly".split()


def history(random: random.Random) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for number in range(random.randrange(60)):
        said = " ".join(random.choices(WORDS, k=random.randrange(1, 120)))
        parts = [{"type": "text", "text": f"{number} {said}"}]
        content = parts if random.random() < 0.3 else parts[0]["text"]
        messages.append({"role": "user", "content": content})
        for answer in range(random.choice([0, 1, 1, 1, 2])):
            messages.append({"role": "assistant", "content": f"{number}.{answer} {said[:200]}"})
    return messages


@pytest.mark.parametrize("summary", ["a summary", "", None], ids=["summed", "empty", "truncated"])
@pytest.mark.parametrize("seed", range(25))
async def test_what_survives_is_there_after_the_host_s_own_compression(
    host_code: None, seed: int, summary: str | None
) -> None:
    from astrbot.core.agent.context.config import ContextConfig
    from astrbot.core.agent.context.manager import ContextManager
    from astrbot.core.agent.context.token_counter import EstimateTokenCounter
    from astrbot.core.agent.message import Message

    dice = random.Random(seed)
    contexts, prompt = history(dice), "What was it? " * dice.randrange(1, 40)
    system, used = "Be kind. " * dice.randrange(200), dice.choice([0, 0, 1_000, 3_000, 9_000])
    kept = Compression(WINDOW, dice.choice([-1, -1, 1, 3, 20]), dice.randrange(1, 4))
    added = dice.randrange(0, 1_000)
    block = "x" * int(added / 0.3)

    class Summarises:
        provider_config: ClassVar[dict[str, Any]] = {"modalities": ["text"]}

        async def text_chat(self, **_: Any) -> Any:
            return SimpleNamespace(completion_text=summary)

    config = ContextConfig(
        max_context_tokens=kept.window,
        enforce_max_turns=kept.max_turns,
        truncate_turns=kept.trim_turns,
        llm_compress_keep_recent_ratio=dice.choice([0, 0.15, 0.3]),
        llm_compress_provider=None if summary is None else Summarises(),
    )
    asked = {"role": "user", "content": prompt + block}
    told = [{"role": "system", "content": system}, *contexts, asked]
    messages = [Message.model_validate(each) for each in told]
    beside = added + estimated(prompt) + estimated(system)
    survivors = surviving(contexts, kept, beside, used)
    once = await ContextManager(config).process(messages, trusted_token_usage=used)
    usage = EstimateTokenCounter().count_tokens(messages)
    assert usage == sum(EstimateTokenCounter().count_tokens([each]) for each in messages)
    left = [each.model_dump()["content"] for each in once]
    for each in survivors:
        if each["role"] == "user":
            assert Message.model_validate(each).model_dump()["content"] in left


@pytest.mark.parametrize("used", [0, 5_000])
async def test_far_from_the_window_all_of_a_history_counts(used: int) -> None:
    said = [{"role": "user", "content": "I keep bees"}, {"role": "assistant", "content": "Oh"}]
    whole = [{"role": "system", "content": "Be kind"}, *said]
    assert surviving(whole, Compression(128_000), 200, used) == said
    assert surviving(whole, Compression(0), 10**9, 10**9) == said


async def test_near_the_window_nothing_counts() -> None:
    contexts = [{"role": "user", "content": f"{number} bees " * 40} for number in range(20)]
    assert surviving(contexts, Compression(1_500), 50) == []
    few, large = contexts[:2], Compression(9_000)
    assert surviving(few, large, 10, 1_000) == few
    assert surviving(few, large, 10, 8_000) == []


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"agent_runner": None},
        {"agent_runner": {"config": []}},
        {"agent_runner": {"config": {"compression": {"max_turns": "much"}}}},
        {"agent_runner": {"config": {"compression": {"max_turns": float("nan")}}}},
        {"provider_settings": {"max_context_length": True}},
    ],
)
async def test_settings_that_say_nothing_sound_keep_nothing(settings: dict[str, Any]) -> None:
    assert compression_of(settings, "a lot") == Compression()


async def test_settings_of_earlier_hosts_are_read_where_they_say_the_same() -> None:
    older = {"provider_settings": {"max_context_length": 8, "dequeue_context_length": 2}}
    assert compression_of(older, 9) == Compression(9, 8, 2)


@pytest.mark.parametrize(
    "history",
    [
        [{"role": "user"}],
        [{"role": "user", "content": [None, 5, {"type": "image_url"}]}],
        [{"content": "x"}, {"role": "tool", "content": {"a": 1}, "tool_calls": [1]}],
    ],
)
async def test_messages_of_any_shape_are_counted(history: list[dict[str, Any]]) -> None:
    assert surviving(history, Compression(10), 1_000) == []


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def narrow(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host with which one person alone talks: its model has a window of 32 000 tokens."""
    folder = tmp_path_factory.mktemp("narrow")
    config = {"recall": {"deadline_ms": 10_000}}
    async with bench(folder, {}, respond=calm, plugin_config=config) as running:
        yield running


async def test_what_the_host_is_about_to_sum_up_is_recalled(narrow: Bench) -> None:
    async with Webchat.login(narrow.root.dashboard_port) as owner:
        guest = await owner.api_key("guests")
        fact = "My boat Kittiwake lies in the harbour of Wells."
        await guest.chat(fact, session="sea", username="tom")
        narrow.model.clear()
        await guest.chat("Where does my boat Kittiwake lie?", session="sea", username="tom")
        (request,) = narrow.model.asked()
        assert not any("harbour of Wells" in line for line in recalled(request))
        for number in range(4):
            filler = f"Chapter {number}: " + "the ferry was late again and it rained. " * 380
            await guest.chat(filler, session="sea", username="tom")
        narrow.model.clear()
        await guest.chat("Where does my boat Kittiwake lie?", session="sea", username="tom")
        request = narrow.model.asked()[-1]
        assert fact not in json.dumps(request.messages[:-1])
        assert any("harbour of Wells" in line for line in recalled(request))
