"""What the host knows about a `/memory` command and whether the plugin is on in its chat."""

from collections.abc import Mapping
from typing import Any

from astrbot.api import AstrBotConfig
from astrbot.api.event import AstrMessageEvent
from astrbot.api.event.filter import CustomFilter
from astrbot.core.star.session_plugin_manager import SessionPluginManager

from ..engine.engine import MemoryEngine
from ..languages.scripts import language_of
from ..model.conversation import Role

GROUP = ("memory", "mem")
RECENT = 8
DEFAULT_LANGUAGE = "zh"
"""The language of answers before anybody has spoken: that of most users of AstrBot."""

SENTENCES = frozenset({"remember", "correct", "search"})
"""Commands that are given a sentence; ids and keywords are in no language."""


async def language_for(session: str, engine: MemoryEngine, command: str, argument: str) -> str:
    """The language that is set, else the one last used in this session.

    Where nobody has spoken yet, that of a command's own sentence; without a word `UNSPOKEN`.
    """
    chosen = engine.settings.display.language
    if chosen != "auto":
        return chosen
    turns = await engine.journal.last_turns(session, RECENT)
    said = " ".join(turn.text for turn in turns if turn.role is not Role.ASSISTANT)
    return language_of(
        said, language_of(argument if command in SENTENCES else "", DEFAULT_LANGUAGE)
    )


def misspelt(event: AstrMessageEvent, config: Mapping[str, Any]) -> str | None:
    """The name after /memory in a message that no handler takes; the host would ask the model.

    "" where there is none, None for a message that is no command. It is never to be carried out:
    a command that exists and got no handler was switched off in the host. In a private chat
    commands work without a prefix, so only a message that has one is taken for a command: people
    also say "memory".
    """
    if event.get_extra("handlers_parsed_params") or not event.is_at_or_wake_command:
        return None
    raw = event.message_obj.message_str.strip()
    if not raw.startswith(tuple(filter(None, config.get("wake_prefix", ())))):
        return None
    group, name, *_ = [*event.message_str.split(maxsplit=2), "", ""]
    return name if group in GROUP else None


class BareGroup(CustomFilter):
    """Lets every message pass; `/memory` alone it makes `/memory help next`.

    The host answers a bare command group with a tree of its own, and does so while it asks the
    filters of handlers: this one has to be asked before.
    """

    def filter(self, event: AstrMessageEvent, cfg: AstrBotConfig) -> bool:
        """True."""
        if misspelt(event, cfg) == "":
            event.message_str = f"{event.message_str.strip()} help next"
        return True


async def switched_on(event: AstrMessageEvent, plugin: str) -> bool:
    """Whether `plugin` is on in the event's session: asked once, the host reads its database."""
    key, session = f"{plugin}_on", event.unified_msg_origin
    on: bool | None = event.get_extra(key)
    if on is None:
        on = await SessionPluginManager.is_plugin_enabled_for_session(session, plugin)
        event.set_extra(key, on)
    return on
