"""What stands for pictures, voices and files, in English. Pure."""

from ...model.knowledge import MediaType
from ..language import MediaWording

MEDIA = MediaWording(
    labels={
        MediaType.IMAGE: "picture",
        MediaType.STICKER: "sticker",
        MediaType.AUDIO: "voice message",
        MediaType.VIDEO: "video",
        MediaType.DOCUMENT: "file",
        MediaType.CODE: "code",
    },
    asked={
        MediaType.IMAGE: "photo image screenshot",
        MediaType.STICKER: "emoji picture",
        MediaType.AUDIO: "recording audio",
        MediaType.VIDEO: "clip film",
        MediaType.DOCUMENT: "document attachment",
        MediaType.CODE: "",
    },
    line="[{label}]",
    told="[{label}: {told}]",
)
