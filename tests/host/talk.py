"""People who talk while something else happens to the host."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest, Purpose, Reply

from ..kit import until
from .chat_client import NOT_USED, NOTHING, calm


class Talk:
    """Everybody says their sentences, each after the answer to the last.

    Answers come by `answer_each` only. So a turn is under way for as long as something else takes:
    one that begins and ends while the host has no plugin at all would be seen by none.
    """

    def __init__(self, host: Bench, texts: Mapping[int, Sequence[str]]) -> None:
        self.texts = texts
        self._host = host
        self._answered = dict.fromkeys(texts, 0)
        self._answers = {user: asyncio.Semaphore(0) for user in texts}

    @property
    def over(self) -> bool:
        return not self._talking()

    @asynccontextmanager
    async def under_way(self) -> AsyncIterator[None]:
        self._host.model.respond = self._respond
        try:
            async with asyncio.TaskGroup() as speaking:
                for user in self.texts:
                    speaking.create_task(self._speak(user))
                yield
        finally:
            self._host.model.respond = calm

    async def answer_each(self) -> None:
        """Everybody who has not finished is answered once."""
        wanted = {user: self._answered[user] + 1 for user in self._talking()}
        for user in wanted:
            self._answers[user].release()
        await until(lambda: all(self._answered[u] == n for u, n in wanted.items()), seconds=60.0)

    def _talking(self) -> list[int]:
        return [user for user, texts in self.texts.items() if self._answered[user] < len(texts)]

    async def _respond(self, request: ChatRequest) -> Reply:
        if request.purpose is Purpose.LEARN:
            return Reply(NOTHING)
        if request.purpose is Purpose.VERDICT:
            return Reply(NOT_USED)
        said = request.user_parts[0]
        [user] = [user for user, texts in self.texts.items() if said in texts]
        await self._answers[user].acquire()
        return Reply(f"Heard: {said}")

    async def _speak(self, user: int) -> None:
        for text in self.texts[user]:
            assert await self._host.chat.ask(user, text) == f"Heard: {text}"
            self._answered[user] += 1
