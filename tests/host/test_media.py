"""Pictures, voices, videos and files on a real host, as OneBot sends them."""

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.knowledge import MediaType
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench

from .chat_client import group, heard, indexed, private, turns

DOT = base64.b64encode(
    base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
).decode()
PNG: dict[str, Any] = {"file": f"base64://{DOT}"}


async def test_a_picture_without_words_in_a_group_is_on_record(host: Bench) -> None:
    for number in (1, 2):
        await host.chat.say(901, "", group=6101, media=[("image", PNG | {"sub_type": 1})])
        await heard(host, group(6101), count=number)
    await host.chat.say(902, "What a cute tabby kitten", group=6101)
    await heard(host, group(6101), count=3)
    first, again, _ = await turns(host, group(6101))
    assert (first.role, first.speaker.name) == (Role.BYSTANDER, "Anna")
    (sticker,) = first.media
    assert sticker.type is MediaType.STICKER
    assert sticker.url == ""
    assert again.media == first.media
    await indexed(host)
    found = await host.chat.ask(902, "/memory search sticker kitten", group=6101)
    assert "[表情]" in found
    assert "Anna" in found


async def test_files_videos_and_voices_are_on_record_by_name_and_reference(host: Bench) -> None:
    url = "http://127.0.0.1:9/secret/report.pdf"
    media = [
        ("file", {"file": "年度报告.pdf", "url": url, "file_size": "104857600"}),
        ("video", {"file": "trip.mp4", "url": "http://127.0.0.1:9/trip.mp4"}),
    ]
    await host.chat.say(901, "Keep this for me", media=media)
    await heard(host, private(901), "Keep this for me")
    turn = next(t for t in await turns(host, private(901)) if "Keep this" in t.text)
    kinds = {one.type: one for one in turn.media}
    assert "年度报告.pdf" in turn.text
    assert kinds[MediaType.DOCUMENT].url == url


@pytest.mark.usefixtures("host_code")
async def test_no_file_is_opened_but_small_ones_among_the_hosts_own(tmp_path: Path) -> None:
    from astrbot.core.message.components import File, Image, Video
    from astrbot.core.utils.astrbot_path import get_astrbot_temp_path
    from astrbot_plugin_tidemark.core.host import media

    inside = Path(get_astrbot_temp_path())
    inside.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240
    outside, small, large = tmp_path / "key.png", inside / "a.png", inside / "b.png"
    outside.write_bytes(b"secret")
    small.write_bytes(b"picture")
    with large.open("wb") as file:
        file.truncate(media.LARGEST + 1)
    (inside / "way.png").unlink(missing_ok=True)
    (inside / "way.png").symlink_to(outside)
    (inside / "folder").mkdir(exist_ok=True)
    names = (outside, large, inside / "way.png", inside / "folder", inside / "missing.png")
    odd = [
        *(Image(file=str(path), path=str(path)) for path in names),
        Image(file="file:///etc/passwd", path="file:///etc/passwd"),
        Video(file="http://127.0.0.1:9/bomb.mp4"),
        File("a\x00b" * 999, file="../../etc/passwd", url="http://169.254.169.254/latest"),
        Image(file="base64://" + "A" * 50_000),
    ]
    found = await media.media_of(_event(*odd))
    hostile, known = found, await media.media_of(_event(Image(file="x", path=str(small))))
    assert len(hostile) == len(odd)
    assert all(len(one.url) + len(one.name) < 2_000 for one in hostile)
    assert not any(one.url.startswith("base64") for one in hostile)
    again = await media.media_of(_event(Image(file="another", path=str(small))))
    assert known[0].id == again[0].id
    assert known[0].id not in {one.id for one in hostile}


@pytest.mark.usefixtures("host_code")
async def test_a_preview_is_small_and_tells_no_more_than_the_picture() -> None:
    from astrbot.core.message.components import Image
    from astrbot.core.utils.astrbot_path import get_astrbot_temp_path
    from astrbot_plugin_tidemark.core.host import media
    from PIL import Image as Picture

    inside = Path(get_astrbot_temp_path())
    inside.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240
    photo, animation, text = inside / "p.jpg", inside / "p.gif", inside / "p.txt.png"
    place = Picture.Exif()
    place[0x010E] = "taken at home"
    Picture.effect_noise((3_000, 2_000), 90).convert("RGB").save(photo, exif=place)
    Picture.new("P", (40, 30)).save(
        animation, save_all=True, append_images=[Picture.new("P", (9, 9))]
    )
    text.write_bytes(b"no picture")
    sent = [Image(file=str(each), path=str(each)) for each in (photo, animation, text)]
    assert not any(one.preview for one in await media.media_of(_event(*sent)))
    kept = [one.preview for one in await media.media_of(_event(*sent), keep=True)]
    assert [bool(each) for each in kept] == [True, True, False]
    small = base64.b64decode(kept[0])
    assert len(kept[0]) <= 256_000
    assert b"taken at home" not in small
    with Picture.open(io.BytesIO(small)) as shown:
        assert max(shown.size) == 256


@pytest.mark.usefixtures("host_code")
async def test_a_message_of_a_thousand_pictures_has_twenty() -> None:
    from astrbot.core.message.components import Image
    from astrbot_plugin_tidemark.core.host import media

    many = [Image(file=f"https://example.com/{number}.jpg") for number in range(1_000)]
    assert len(await media.media_of(_event(*many))) == media.MOST
    from astrbot.core.agent.message import TextPart
    from astrbot_plugin_tidemark.core.host.media import captions_in

    parts = [
        TextPart(text="<system_reminder>x</system_reminder>"),
        TextPart(text="<image_caption>a tabby kitten\non a sill</image_caption>"),
    ]
    assert captions_in(parts) == ("a tabby kitten\non a sill",)


def _event(*components: Any) -> Any:
    from astrbot.core.platform.astr_message_event import AstrMessageEvent
    from astrbot.core.platform.astrbot_message import AstrBotMessage
    from astrbot.core.platform.message_type import MessageType
    from astrbot.core.platform.platform_metadata import PlatformMetadata

    message = AstrBotMessage()
    message.message = list(components)
    message.raw_message, message.type = None, MessageType.FRIEND_MESSAGE
    return AstrMessageEvent("", message, PlatformMetadata("qq", "", "qq"), "1")
