"""What pictures show, asked of the host's own caption provider in the background.

The host asks for a caption only where the chat model is about to answer and cannot see. Nothing
is fetched here: a picture is one that the host has put among its own temporary files.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import Image
from astrbot.api.star import Context

from ..endpoints.circuit_breaker import Breaker
from ..engine.engine import MemoryEngine
from ..model.conversation import Turn
from ..model.errors import ModelUnavailable, StorageError
from ..model.knowledge import PICTURES, Media
from ..model.times import utc_day
from .media import LONGEST_CAPTION, MOST, digest_of, is_picture, own_file
from .providers import HostChatModel

MOST_WAITING = 20
"""Messages with pictures that wait for their captions; what comes then stays without."""

MOST_KNOWN = 500
"""Captions kept at hand, by the digest of the picture."""

SPENT = "captions"
"""Name of the note that holds the day and how many captions have been asked for on it."""


@dataclass(slots=True)
class PictureCaptions:
    """Asks for one caption at a time, in tasks that outlive the hook, see `own`."""

    context: Context
    own: Callable[[Coroutine[Any, Any, None]], object]
    _known: OrderedDict[str, str] = field(default_factory=OrderedDict)
    _breaker: Breaker = field(default_factory=Breaker)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)
    _waiting: int = 0

    def begin(
        self,
        event: AstrMessageEvent,
        recorded: Callable[[AstrMessageEvent], Awaitable[int | None]],
        engine: MemoryEngine,
    ) -> None:
        """Ask what the pictures of a message show, if anybody may be asked; returns at once.

        `recorded` gives the seq of its turn, None if it is not recorded.
        """
        files, session = _picture_files(event), event.unified_msg_origin
        allowed = engine.parts.settings.media.captions_per_day
        if not allowed or self._waiting >= MOST_WAITING or not self._provider(session)[0]:
            return
        if any(files):
            # Older hosts delete pictures once a message is dealt with; newer ones leave them.
            going: list[str] = getattr(event, "_temporary_local_files", [])
            going[:] = [each for each in going if str(Path(each).resolve()) not in files]
            self._waiting += 1
            self.own(self._describe(recorded(event), files, engine))

    async def _describe(
        self, recorded: Awaitable[int | None], files: Sequence[str], engine: MemoryEngine
    ) -> None:
        try:
            seq = await recorded
            turn = None if seq is None else await engine.parts.journal.turn(seq)
            if turn is not None:
                async with self._one:
                    found = await self._captions(turn, files, engine)
                if any(found):
                    await engine.pictures.describe(turn.seq, found)
        except (ModelUnavailable, StorageError) as error:
            engine.failed("captions", error)
        finally:
            self._waiting -= 1

    async def _captions(self, turn: Turn, files: Sequence[str], engine: MemoryEngine) -> list[str]:
        pictures = [media for media in turn.media if media.type in PICTURES]
        return [
            await self._caption(turn.place.session, media, file, engine)
            for media, file in zip(pictures, files, strict=False)
        ]

    async def _caption(self, session: str, media: Media, path: str, engine: MemoryEngine) -> str:
        """What it shows; "" if nobody says, or nobody may be asked."""
        if known := self._known.get(media.id):
            return known
        admitted = self._breaker.admits(time.monotonic())
        if not (admitted and await asyncio.to_thread(_is_still, path, media.id)):
            return ""
        if not await _may_spend(engine):
            return ""
        provider, prompt = self._provider(session)
        seconds = engine.parts.settings.learning.timeout_seconds
        model = HostChatModel(self.context, provider, seconds)
        try:
            said = await model.describe(path, prompt, session=session)
        except ModelUnavailable:
            self._breaker.failed(time.monotonic())
            raise
        self._breaker.succeeded()
        self._known[media.id] = said = said.strip()[:LONGEST_CAPTION]
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return said

    def _provider(self, session: str) -> tuple[str, str]:
        """The id of the host's caption provider, "" for none, and what it is asked."""
        told: Any = self.context.get_config(umo=session).get("provider_settings") or {}
        provider = told.get("default_image_caption_provider_id")
        prompt = told.get("image_caption_prompt") or "Please describe the image."
        return (provider if isinstance(provider, str) else "", str(prompt))


def _picture_files(event: AstrMessageEvent) -> tuple[str, ...]:
    """The files of a message's pictures among the host's own, in their order; "" for none."""
    pictures = [each for each in event.get_messages() if isinstance(each, Image)]
    return tuple(str(own_file(each) or "") for each in pictures[:MOST])


async def _may_spend(engine: MemoryEngine) -> bool:
    """Whether one more caption may be asked for today; it then counts."""
    journal, today = engine.parts.journal, utc_day(engine.parts.clock.now())
    day, _, count = (await journal.note(SPENT) or "").partition(" ")
    spent = int(count) if day == today and count.isdecimal() else 0
    if spent >= engine.parts.settings.media.captions_per_day:
        return False
    await journal.set_note(SPENT, f"{today} {spent + 1}")
    return True


def _is_still(path: str, digest: str) -> bool:
    """Whether the file is still the one that was sent, and a picture."""
    return bool(path) and digest_of(Path(path)) == digest and is_picture(Path(path))
