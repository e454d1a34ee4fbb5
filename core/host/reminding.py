"""Reminders by the host's own scheduler: a job that is there while somebody wants them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from astrbot.api.event import MessageChain
from astrbot.api.message_components import Plain
from astrbot.api.star import Context

from ..engine.engine import MemoryEngine
from ..engine.reminders import ReminderMessages
from ..languages.scripts import language_of
from ..model.memory import Memory, unmarked
from ..model.times import zone
from ..records.serialisation import short_id
from ..text.quoting import quoted
from .guard import Guard

NAME = "astrbot_plugin_tidemark: reminders"
FOR = "/memory remind"
EVERY = "* * * * *"
PATIENCE = 1.0
LONGEST = 300

type Say = Callable[..., str]
"""A message in a language by its key, filled with values."""


class ReminderJob:
    """The host keeps a row for each job and removes none: one that was left behind is deleted."""

    def __init__(
        self,
        context: Context,
        engine: Callable[[], Awaitable[MemoryEngine | None]],
        guard: Guard,
        say: Say,
    ) -> None:
        self._context = context
        self._engine = engine
        self._guard = guard
        self._say = say
        self._job = ""
        self._changing = asyncio.Lock()

    async def refresh(self) -> None:
        """Have the job if anybody wants to be reminded, else none. What fails is counted."""
        await self._guard.run("reminders", "", self._refresh())

    async def aclose(self) -> None:
        """Leave no job behind."""
        await self._guard.run("reminders", "", self._keep(wanted=False), patience=PATIENCE)

    async def _refresh(self) -> None:
        engine = await self._engine()
        if engine is not None:
            await self._keep(wanted=bool(await engine.consents.reminded()))

    async def _keep(self, *, wanted: bool) -> None:
        # In a host's trial run there is none.
        scheduler: Any = getattr(self._context, "cron_manager", None)
        if not scheduler:
            return
        async with self._changing:
            for job in list(await scheduler.list_jobs("basic")):
                if job.name == NAME and not (wanted and job.job_id == self._job):
                    await scheduler.delete_job(job.job_id)
            if not wanted:
                self._job = ""
            elif not self._job:
                job = await scheduler.add_basic_job(
                    name=NAME, cron_expression=EVERY, handler=self._run, description=FOR
                )
                self._job = job.job_id

    async def _run(self) -> None:
        await self._guard.run("reminders", "", self._remind())

    async def _remind(self) -> None:
        engine = await self._engine()
        if engine is None:
            return
        parts = engine.parts
        messages = ReminderMessages(
            parts.store,
            parts.journal,
            engine.consents,
            engine.reminders,
            parts.settings.reminders,
            zone(parts.settings.display.timezone),
        )

        async def send(session: str, memory: Memory) -> bool | None:
            id = await short_id(parts.store, memory.id, frozenset({memory.scope}))
            text, language = quoted(unmarked(memory.text), LONGEST), parts.settings.display.language
            if language == "auto":
                language = language_of(text)
            told = self._say(language, "remind.message", text=text, id=id)
            sending = self._context.send_message(session, MessageChain([Plain(told)]))
            return await self._guard.run("reminders", session, sending)

        await messages.deliver(send, parts.clock.now())
