"""Whether the plugin is switched on in AstrBot for a chat.

The host calls LLM hooks and offers tools even where it is switched off.
"""

from astrbot.api.event import AstrMessageEvent
from astrbot.core.star.session_plugin_manager import SessionPluginManager


async def switched_on(event: AstrMessageEvent, plugin: str) -> bool:
    """Whether `plugin` is on in the event's session; the host reads its database for this."""
    session = event.unified_msg_origin
    return await SessionPluginManager.is_plugin_enabled_for_session(session, plugin)
