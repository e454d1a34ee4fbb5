"""The form of the settings as the host serves it, fitted to this installation.

The host answers its page with the schema that it read when it loaded the plugin, so that a change
of that value is seen the next time the page is opened.
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from astrbot.api.star import Context
from astrbot.core.provider.provider import EmbeddingProvider, RerankProvider

from ..model.declaration import Provider
from ..settings import ENTRIES, Configuration, Setting, SettingOrigin
from .providers import in_force

NO_CHOICE = "—"


class SettingsForm:
    """The form of one plugin's config; a config that is not the host's own has none."""

    def __init__(self, document: object, context: Context) -> None:
        self._schema: object = getattr(document, "schema", None)
        self._context = context
        self._fitted: tuple[Configuration, dict[Provider, list[str]]] | None = None

    async def fit(self, configuration: Configuration) -> None:
        """Offer the providers there are, and hide what most owners never set.

        With `display.all_settings` nothing is hidden; a group in which something was changed, in
        the file or by a command, is shown whole. Cheap where nothing has changed since.
        """
        if not isinstance(self._schema, dict):
            return
        schema = cast("dict[str, Any]", self._schema)
        offered = {kind: _providers(self._context, kind) for kind in Provider}
        if self._fitted is not None and self._fitted == (configuration, offered):
            return
        shown = _shown(configuration)
        for entry in ENTRIES:
            item = _item(schema, entry.name)
            item["invisible"] = entry.name not in shown
            if isinstance(entry, Setting) and entry.declaration.provider is not None:
                _offer(item, offered[entry.declaration.provider])
        self._fitted = configuration, offered


def _shown(configuration: Configuration) -> set[str]:
    """The names of the settings to be shown, and of the groups that they are in."""
    settings = [entry for entry in ENTRIES if isinstance(entry, Setting)]
    changed = {
        _group(setting.name)
        for setting in settings
        if configuration.origin(setting.name) is not SettingOrigin.DEFAULT
    } - {"display"}
    everything = configuration.settings.display.all_settings
    names = {
        setting.name
        for setting in settings
        if everything or setting.declaration.basic or _group(setting.name) in changed
    }
    return names | {group for name in names for group in _groups(name)}


def _group(name: str) -> str:
    return name.partition(".")[0]


def _groups(name: str) -> Iterator[str]:
    """The groups that a name is in, the outermost last."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _item(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """The part of the schema for a dotted name. Raises KeyError as a dictionary does."""
    first, *rest = name.split(".")
    item = schema[first]
    for part in rest:
        item = item["items"][part]
    return item


def _offer(item: dict[str, Any], ids: Sequence[str]) -> None:
    """A list to choose from; a line to write in where there is nothing to choose."""
    if ids:
        item |= {"options": ["", *ids], "labels": [NO_CHOICE, *ids]}
    else:
        item.pop("options", None)
        item.pop("labels", None)


def _providers(context: Context, kind: Provider) -> list[str]:
    match kind:
        case Provider.EMBEDDING:
            return in_force(context, context.get_all_embedding_providers(), EmbeddingProvider)
        case Provider.RERANK:
            every = context.provider_manager.rerank_provider_insts
            return in_force(context, every, RerankProvider)


def host_zone(context: Context) -> str:
    """The name of the time zone that the host is set to; "" for none."""
    return str(context.get_config().get("timezone") or "").strip()
