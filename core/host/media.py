"""Media of a message and what pictures show. Nothing is fetched."""

import asyncio
import re
import time
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from stat import S_ISREG
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import File, Image, Record, Video
from astrbot.api.star import Context
from astrbot.core.utils.astrbot_path import get_astrbot_temp_path

from ..endpoints.replies import Breaker
from ..engine.engine import MemoryEngine
from ..model.conversation import Turn
from ..model.errors import ModelUnavailable, StorageError
from ..model.knowledge import PICTURES, Media, MediaType
from ..model.times import utc_day
from .providers import HostChatModel

MOST = 20
"""Media of one message; what comes after them is left out."""

LARGEST = 20_000_000
"""Bytes of a file that is read for its digest."""

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
MOST_PIXELS = 40_000_000
"""Of a picture that is read. A small file may unfold into one that fills the memory."""

PREVIEW_SIDE = 256
LARGEST_PREVIEW = 256_000
"""Bytes, as text. One of `PREVIEW_SIDE` pixels has a tenth of that."""

LONGEST_REFERENCE = 1_000
LONGEST_NAME = 120
LONGEST_CAPTION = 2_000

_KINDS: Sequence[tuple[type, MediaType, str]] = (
    (Image, MediaType.IMAGE, "image"),
    (Record, MediaType.AUDIO, "record"),
    (Video, MediaType.VIDEO, "video"),
    (File, MediaType.DOCUMENT, "file"),
)
_CAPTION = re.compile(r"<image_caption>(.*?)</image_caption>", re.DOTALL)
_INLINE = ("base64:", "data:")
_STICKER = "1"
"""OneBot's sub_type of a picture that is a sticker."""


def has_media(event: AstrMessageEvent) -> bool:
    """Whether anything but words came with the message."""
    kinds = tuple(kind for kind, _, _ in _KINDS)
    return any(isinstance(component, kinds) for component in event.get_messages())


async def media_of(event: AstrMessageEvent, *, keep: bool = False) -> tuple[Media, ...]:
    """The pictures, voices, videos and files of a message, in their order.

    To `keep` is a preview of each picture, not of stickers.
    """
    given = _as_given(event)
    found: list[Media] = []
    for component in event.get_messages():
        for kind, type_, name in _KINDS:
            if isinstance(component, kind) and len(found) < MOST:
                same = given.get(name, [])
                media = await _media(component, type_, same.pop(0) if same else {})
                found.append(await _with_preview(media, component) if keep else media)
    # The host has put its transcript in the place of a voice.
    spoken = event.message_str.strip()[:LONGEST_CAPTION]
    for data in given.get("record", [])[: MOST - len(found)]:
        found.append(await _media(None, MediaType.AUDIO, data, spoken))
    return tuple(found)


def captions_in(parts: Sequence[object]) -> tuple[str, ...]:
    """What the host's own caption provider has said of the pictures of a request."""
    texts = [text for part in parts if isinstance(text := getattr(part, "text", None), str)]
    said = [match.strip() for text in texts for match in _CAPTION.findall(text)]
    return tuple(one[:LONGEST_CAPTION] for one in said if one)


def _as_given(event: AstrMessageEvent) -> dict[str, list[Mapping[str, Any]]]:
    """The data of the segments of a OneBot message by their type, as the platform sent them.

    The host replaces references by files of its own, which do not last.
    """
    raw: Any = event.message_obj.raw_message
    segments = raw.get("message") if isinstance(raw, Mapping) else None
    found: dict[str, list[Mapping[str, Any]]] = {}
    for segment in segments if isinstance(segments, list) else []:
        data = segment.get("data") if isinstance(segment, Mapping) else None
        if isinstance(data, Mapping):
            found.setdefault(str(segment.get("type")), []).append(data)
    return found


async def _media(
    component: Any, type_: MediaType, given: Mapping[str, Any], caption: str = ""
) -> Media:
    reference = _reference(component, given)
    name = _name(component, given)
    if type_ is MediaType.IMAGE and str(given.get("sub_type", "")) == _STICKER:
        type_ = MediaType.STICKER
    digest = await asyncio.to_thread(_digest, component)
    id = digest or _hash(f"{name or reference}:{given.get('file_size', '')}".encode())
    return Media(id, type_, reference, caption, _shown(name))


async def _with_preview(media: Media, component: Any) -> Media:
    file = own_file(component) if media.type is MediaType.IMAGE else None
    if file is None:
        return media
    return replace(media, preview=await asyncio.to_thread(preview_of, file))


def _reference(component: Any, given: Mapping[str, Any]) -> str:
    """Where it is, as far as the platform tells; not the file itself, which some put there."""
    own = [] if given else [getattr(component, each, None) for each in ("url", "file_")]
    for each in (given.get("url"), given.get("file"), *own):
        if isinstance(each, str) and each and not each.startswith(_INLINE):
            return each[:LONGEST_REFERENCE]
    return ""


def _name(component: Any, given: Mapping[str, Any]) -> str:
    for each in (given.get("name"), getattr(component, "name", None), given.get("file")):
        if isinstance(each, str) and each and not each.startswith(_INLINE):
            path = each.partition("?")[0].rstrip("/\\")
            return re.split(r"[/\\]", path)[-1][:LONGEST_NAME]
    return ""


def _shown(name: str) -> str:
    """A name that says something: not one that is a digest, as platforms give pictures."""
    return "" if re.fullmatch(r"[{}0-9A-Fa-f_-]{16,}(\.\w+)?", name) else name


def _local(component: Any) -> str:
    # Not `file` of a File: the host's property downloads it there and then.
    for each in (getattr(component, "path", None), getattr(component, "file_", None)):
        if isinstance(each, str) and each:
            return each
    return ""


def own_file(component: Any) -> Path | None:
    """The component's file, if it is a regular one among the host's temporary ones, not large."""
    path = _local(component)
    if not path or "://" in path:
        return None
    try:
        file = Path(path).resolve()
        if not file.is_relative_to(Path(get_astrbot_temp_path()).resolve()):
            return None
        state = file.stat()
        return file if S_ISREG(state.st_mode) and state.st_size <= LARGEST else None
    except (OSError, ValueError):
        return None


def digest_of(file: Path) -> str:
    """The id of the media that a file holds; "" if it cannot be read."""
    try:
        return _hash(file.read_bytes())
    except OSError:
        return ""


def _digest(component: Any) -> str:
    file = own_file(component)
    return "" if file is None else digest_of(file)


def _hash(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


def is_picture(file: Path) -> bool:
    """Whether it is a picture of a bearable size. Its head alone is read for that."""
    try:
        from PIL import Image
    except ImportError:
        return False
    try:
        with Image.open(file, formats=FORMATS) as picture:
            return picture.width * picture.height <= MOST_PIXELS
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False


def preview_of(file: Path) -> str:
    """A small JPEG of the picture, as base64, without what its file tells besides; "" for none."""
    if not is_picture(file):
        return ""
    from PIL import Image

    written = BytesIO()
    try:
        with Image.open(file, formats=FORMATS) as picture:
            picture.draft("RGB", (PREVIEW_SIDE, PREVIEW_SIDE))
            small = picture.convert("RGB")
        small.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE))
        # A new one: what a camera wrote beside the picture (where it was taken) stays behind.
        bare = Image.new("RGB", small.size)
        bare.paste(small)
        bare.save(written, "JPEG", quality=70)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return ""
    told = b64encode(written.getvalue()).decode("ascii")
    return told if len(told) <= LARGEST_PREVIEW else ""


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
        allowed = engine.settings.media.captions_per_day
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
            turn = None if seq is None else await engine.journal.turn(seq)
            if turn is not None:
                async with self._one:
                    found = await self._captions(turn, files, engine)
                if any(found):
                    await engine.describe(turn.seq, found)
        except (ModelUnavailable, StorageError) as error:
            engine.count_failure("captions", error)
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
        seconds = engine.settings.learning.timeout_seconds
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
    journal, today = engine.journal, utc_day(engine.clock.now())
    day, _, count = (await journal.note(SPENT) or "").partition(" ")
    spent = int(count) if day == today and count.isdecimal() else 0
    if spent >= engine.settings.media.captions_per_day:
        return False
    await journal.set_note(SPENT, f"{today} {spent + 1}")
    return True


def _is_still(path: str, digest: str) -> bool:
    """Whether the file is still the one that was sent, and a picture."""
    return bool(path) and digest_of(Path(path)) == digest and is_picture(Path(path))
