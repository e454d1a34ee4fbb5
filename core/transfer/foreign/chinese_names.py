"""Chinese column names and values in files of other programs. Pure."""

import re

from ...model.memory import Kind

KINDS_OF_ANGEL_MEMORY = {
    "知识记忆": Kind.SEMANTIC,
    "事件记忆": Kind.EPISODIC,
    "技能记忆": Kind.PROCEDURAL,
    "任务记忆": Kind.PROSPECTIVE,
    "情感记忆": Kind.EPISODIC,
}
PROFILE_TAGS = frozenset({"用户别名", "事实属性", "技能树", "关系图谱", "活跃项目"})
ALL_HAN = re.compile(r"[㐀-䶿一-鿿]+")

PLACEHOLDER = "对话记录"
"""The text of a summary whose model answered no JSON."""

FACTS = re.compile(r"\s*[；|]\s*|\s\|\s")
"""Between the facts of one text."""

LABEL = re.compile(r"[（(]\s*QQ(?:官方)?[:：][^）)]{1,80}[）)]")
"""An account behind a name, as memora repeats it in its texts."""

TEXT_COLUMNS = ("内容", "记忆", "文本")
TIME_COLUMNS = ("时间", "创建时间")
PERSON_COLUMNS = ("用户", "用户ID")
GROUP_COLUMNS = ("群", "群号")

QUOTED = "[回复 "
"""Begins another person's words before what QQ's exporter says was answered to them."""

MEDIA = re.compile(
    r"\[(?:图片|视频|语音|文件|表情|回复消息|卡片消息|JSON消息|位置|日历|合并转发|转发消息)[^\]\n]*\]"
)
"""What it writes for a picture and whatever else is no words."""

MNEMOSYNE_COLUMNS = {
    "记忆ID": "memory_id",
    "会话ID": "session_id",
    "内容": "content",
    "创建时间": "create_time",
    "人格ID": "persona_id",
}
"""The columns of its table, as its document calls them."""
