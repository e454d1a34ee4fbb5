"""What stands for pictures, voices and files, in Chinese. Pure."""

from ...model.knowledge import MediaType
from ..language import MediaWording

MEDIA = MediaWording(
    labels={
        MediaType.IMAGE: "图片",
        MediaType.STICKER: "表情",
        MediaType.AUDIO: "语音",
        MediaType.VIDEO: "视频",
        MediaType.DOCUMENT: "文件",
        MediaType.CODE: "代码",
    },
    asked={
        MediaType.IMAGE: "照片 相片 截图",
        MediaType.STICKER: "表情包 图片",
        MediaType.AUDIO: "录音 音频",
        MediaType.VIDEO: "录像 短片",
        MediaType.DOCUMENT: "文档 附件",
        MediaType.CODE: "",
    },
    line="[{label}]",
    told="[{label}：{told}]",
)
