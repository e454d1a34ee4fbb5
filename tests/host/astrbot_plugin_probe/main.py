"""A plugin for tests: a tool that takes its time, and what runs inside the host's process."""

import asyncio
import gc
import threading
from typing import Any

from astrbot.api.event import AstrMessageEvent, filter
from astrbot.api.star import Context, Star
from astrbot.api.web import json_response

LONGEST = 30.0


class ProbePlugin(Star):
    """Beside the plugin under test, in the same process."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._released = asyncio.Event()
        for name in ("release", "vitals"):
            context.register_web_api(
                f"/astrbot_plugin_probe/{name}", getattr(self, name), ["POST"], name
            )

    @filter.llm_tool(name="probe_wait")
    async def probe_wait(self, event: AstrMessageEvent, topic: str) -> str:
        """Look something up; takes until it is released.

        Args:
            topic(string): what to look up
        """
        self._released.clear()
        async with asyncio.timeout(LONGEST):
            await self._released.wait()
        return f"nothing new about {topic}"

    @filter.llm_tool(name="probe_deploy")
    async def probe_deploy(self, event: AstrMessageEvent, target: str, token: str = "") -> str:
        """Deploy something.

        Args:
            target(string): where to
            token(string): the key for it
        """
        return f"deployed to https://ann:{token}@{target}, version 42"

    async def release(self) -> Any:
        self._released.set()
        return json_response({})

    async def vitals(self) -> Any:
        gc.collect()
        tasks = [t.get_name() for t in asyncio.all_tasks() if "tidemark" in repr(t)]
        instances = [o for o in gc.get_objects() if type(o).__name__ == "MemoryEngine"]
        return json_response(
            {"threads": threading.active_count(), "tasks": tasks, "engines": len(instances)}
        )
