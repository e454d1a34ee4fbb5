"""Whether the plugin is on in a chat: the host calls LLM hooks and offers tools where it is off."""

from astrbot.api.event import AstrMessageEvent
from astrbot.core.star.session_plugin_manager import SessionPluginManager


async def switched_on(event: AstrMessageEvent, plugin: str) -> bool:
    """Whether `plugin` is on in the event's session: asked once, the host reads its database."""
    key, session = f"{plugin}_on", event.unified_msg_origin
    on: bool | None = event.get_extra(key)
    if on is None:
        on = await SessionPluginManager.is_plugin_enabled_for_session(session, plugin)
        event.set_extra(key, on)
    return on
