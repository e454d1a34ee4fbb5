"""What changes per start is not done per message: the form is made again when its parts changed."""

from types import SimpleNamespace
from typing import Any

from astrbot_plugin_tidemark.core.settings import Configuration, configure


class Read(dict[str, Any]):
    """A schema that counts how often an entry is looked up."""

    lookups = 0

    def __getitem__(self, key: str) -> Any:
        Read.lookups += 1
        return super().setdefault(key, Read(items=Read()))


async def test_the_form_is_fitted_only_when_settings_or_providers_changed(host_code: None) -> None:
    from astrbot.core.provider.provider import EmbeddingProvider
    from astrbot_plugin_tidemark.core.host.settings_form import SettingsForm

    provider = EmbeddingProvider.__new__(
        type("One", (EmbeddingProvider,), dict.fromkeys(EmbeddingProvider.__abstractmethods__))
    )
    provider.meta = lambda: SimpleNamespace(id="one")  # type: ignore[method-assign]
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
