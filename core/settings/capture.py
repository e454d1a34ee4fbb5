"""Settings of what is recorded."""

from dataclasses import dataclass

from ..model.declaration import declared
from ..model.recording import ANY, EntryKind, RecordingRules, entries_in


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """What is recorded, when an episode ends, and for how many days turns keep their text.

    0 days means for ever; memories are not touched.
    """

    enabled: bool = declared(
        True,
        zh=("启用记录", "关闭后不再记录新的对话"),
        en=("Record conversations", "When off, nothing new is recorded"),
    )
    group_chatter: bool = declared(
        True,
        basic=True,
        when=("enabled", True),
        zh=("记录群聊闲谈", "也记录群里没有对机器人说的话"),
        en=("Record group chatter", "Also record what is said in a group but not to the bot"),
    )
    tool_calls: bool = declared(
        True,
        when=("enabled", True),
        zh=(
            "记录工具调用",
            "机器人回答前调用了哪些工具、参数和结果，各记一行，和回答放在一起；像密码、密钥、令牌的值不记",
        ),
        en=(
            "Record tool calls",
            "Which tools the bot used for an answer, with what and with which result, a line each "
            "behind the answer; values that look like passwords, keys or tokens are dropped",
        ),
    )
    allow: str = declared(
        "",
        when=("enabled", True),
        rules=True,
        fallback=f"{EntryKind.PLATFORM}:(unreadable)",
        zh=(
            "只记录这些",
            "留空则不限。每项写作 platform:平台、group:群号、private:用户（仅私聊）、person:用户 "
            "或 persona:人格，以空格或逗号分开；号码前可加“平台/”，* 表示全部。写了哪一类，这一类里"
            "就只记录写到的：写了一个群，其他群就不记录，私聊照常。写法有误时什么都不记录",
        ),
        en=(
            "Record only these",
            "Empty for no limit. Entries platform:NAME, group:ID, private:USER (in private chats "
            "alone), person:USER or persona:NAME, apart by spaces or commas; PLATFORM/ID for one "
            "platform's, * for all. Of a kind that is named only what is named is recorded: with "
            "one group in it other groups are not, private chats are. Nothing is recorded while it "
            "cannot be read",
        ),
    )
    deny: str = declared(
        "",
        when=("enabled", True),
        rules=True,
        fallback=f"{EntryKind.PLATFORM}:{ANY}",
        zh=(
            "不记录这些",
            "写法同上，优先于“只记录这些”。已经记住的不受影响，仍会想起；写法有误时什么都不记录",
        ),
        en=(
            "Never record these",
            "Written alike, and comes before it. What is remembered already stays and is still "
            "recalled. Nothing is recorded while it cannot be read",
        ),
    )
    episode_silence_minutes: float = 30.0
    """Minutes of silence that end an episode: who returns later begins something new."""

    episode_max_turns: int = declared(
        40,
        within=(2, 400),
        step=1,
        when=("enabled", True),
        zh=("每段最多句数", "达到后结束这段对话"),
        en=("Most messages", "An episode ends at so many messages"),
    )
    episode_max_characters: int = 12_000
    """What a learning call reads at once; `episode_max_turns` ends episodes sooner."""

    keep_turns_days: float = declared(
        365.0,
        within=(0.0, 36_500.0),
        zh=("原话保留天数", "对话的原文到期后清空；记忆不受影响；0 表示一直保留"),
        en=(
            "Days to keep messages",
            "The text of recorded messages is emptied after so many days; memories are not "
            "touched; 0 for ever",
        ),
    )

    def rules(self) -> RecordingRules:
        """What may be recorded at all."""
        return RecordingRules(entries_in(self.allow) or (), entries_in(self.deny) or ())


@dataclass(frozen=True, slots=True)
class MediaSettings:
    """What is kept of pictures besides where they were, and how many are described a day."""

    captions_per_day: int = declared(
        100,
        within=(0, 10_000),
        step=10,
        zh=(
            "每日图片描述",
            "AstrBot 设了图片描述模型时，没有被描述过的图片在后台请它描述，以后按内容就找得到；"
            "一天至多这么多张，同一张只问一次，聊天不等它。0 表示不问",
        ),
        en=(
            "Captions a day",
            "If AstrBot has a model for image captions, pictures that nobody has described are "
            "described by it in the background, and are found by what they show; at most so many a "
            "day, each picture once, and no chat waits for it. 0 for none",
        ),
    )
    keep: bool = declared(
        False,
        zh=(
            "保留缩略图",
            "收到的图片（表情除外）各留一张小图（边长至多 256 像素，约 10 KB），存在那条记忆里，"
            "和它一起备份、导出、导入、删除，不含拍摄地点等附带信息。关闭时只留出处和文字",
        ),
        en=(
            "Keep previews",
            "Of each picture that comes in (not of stickers) a small one is kept in its memory (at "
            "most 256 pixels a side, about 10 KB), backed up, exported, imported and deleted with "
            "it, without what its file tells besides, such as where it was taken. When off, only "
            "where it was and words are kept",
        ),
    )
