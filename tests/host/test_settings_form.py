"""The settings page of a running host: a few settings first, providers to choose from."""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.settings import (
    ENTRIES,
    SETTINGS,
    Configuration,
    SettingsGroup,
    configure,
)
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.embeddings import PROVIDER_ID as EMBEDDER
from astrbot_plugin_tidemark.scripts.hostkit.reranking import PROVIDER_ID as RERANKER
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import ADMIN, calm

PATH = f"/api/v1/plugins/{PLUGIN}/config"
MOST_AT_FIRST = 11
"""Ten, and the switch that shows the others."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def host(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host with an embedding and a rerank provider, and a plugin with nothing changed."""
    folder = tmp_path_factory.mktemp("form")
    async with bench(folder, {}, respond=calm, embedder=True, reranker=True) as running:
        yield running


async def served(host: Bench) -> dict[str, dict[str, Any]]:
    """Every entry of the form as the host's page gets it, by dotted name."""
    async with Webchat.login(host.root.dashboard_port) as owner:
        answer = (await owner.api("GET", PATH)).raise_for_status().json()["data"]
    tree = answer["metadata"][PLUGIN]["items"]
    found: dict[str, dict[str, Any]] = {}
    for entry in ENTRIES:
        first, *rest = entry.name.split(".")
        item = tree[first]
        for part in rest:
            item = item["items"][part]
        found[entry.name] = item
    return found


def visible(form: dict[str, dict[str, Any]]) -> set[str]:
    """The settings that the page shows: neither they nor a group around them is hidden."""
    hidden = [name for name, item in form.items() if item.get("invisible")]
    return {
        name
        for name in SETTINGS
        if not any(name == other or name.startswith(f"{other}.") for other in hidden)
    }


async def test_at_first_the_page_shows_ten_settings_and_offers_the_providers(host: Bench) -> None:
    form = await served(host)
    shown = visible(form)
    assert len(shown) <= MOST_AT_FIRST
    assert {"recall.enabled", "learning.extractor", "embedding.source"} < shown
    empty = {e.name for e in ENTRIES if isinstance(e, SettingsGroup)} - {
        n.rpartition(".")[0] for n in shown
    }
    assert all(form[name]["invisible"] for name in empty)
    assert form["embedding.provider_id"]["options"] == ["", EMBEDDER]
    assert form["recall.rerank_provider"]["options"] == ["", RERANKER]


async def test_a_group_with_a_change_is_shown_whole_and_the_switch_shows_all(host: Bench) -> None:
    await host.chat.ask(ADMIN, "/memory config set backup.keep 5")
    shown = visible(await served(host))
    assert "backup.keep" in shown
    assert "capture.keep_turns_days" not in shown
    await host.chat.ask(ADMIN, "/memory config set display.all_settings on")
    assert visible(await served(host)) == set(SETTINGS)


class Read(dict[str, Any]):
    """A schema that counts how often an entry is looked up."""

    lookups = 0

    def __getitem__(self, key: str) -> Any:
        Read.lookups += 1
        return super().setdefault(key, Read(items=Read()))


async def test_the_form_is_fitted_only_when_settings_or_providers_changed(host_code: None) -> None:
    from astrbot.core.provider.provider import EmbeddingProvider
    from astrbot_plugin_tidemark.core.host.web_routes import SettingsForm

    provider = EmbeddingProvider.__new__(
        type("One", (EmbeddingProvider,), dict.fromkeys(EmbeddingProvider.__abstractmethods__))
    )
    provider.meta = lambda: SimpleNamespace(id="one")
    found: list[Any] = []
    context: Any = SimpleNamespace(
        get_all_embedding_providers=lambda: found,
        get_provider_by_id=lambda id: provider,
        provider_manager=SimpleNamespace(rerank_provider_insts=[]),
    )
    form = SettingsForm(SimpleNamespace(schema=Read()), context)

    async def looked_up(configuration: Configuration) -> bool:
        before = Read.lookups
        await form.fit(configuration)
        return Read.lookups > before

    settings = Configuration()
    assert await looked_up(settings)
    assert not await looked_up(settings)
    found.append(provider)
    assert await looked_up(settings)
    assert not await looked_up(settings)
    assert await looked_up(configure({"display": {"all_settings": True}}))
