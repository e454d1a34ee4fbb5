"""The page's requests in tests, by the dashboard's owner."""

from typing import Any

from astrbot_plugin_tidemark.commands.web.catalogue import ROUTES, Asked, respond

from ..command_rig import CommandRig


async def asked(rig: CommandRig, name: str, /, by: str = "owner", **params: Any) -> dict[str, Any]:
    """The whole answer to a request by the dashboard's owner, or whoever else the host names."""
    [route] = [each for each in ROUTES if each.name == name]
    return await respond(route, Asked(by, params), rig.engine, rig.services)


async def data(rig: CommandRig, name: str, /, **params: Any) -> Any:
    answer = await asked(rig, name, **params)
    assert answer["status"] == "ok", answer
    return answer["data"]
