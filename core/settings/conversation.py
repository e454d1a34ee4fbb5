"""Settings of a turn: what is recalled and learnt, and the tools of the model."""

from dataclasses import dataclass
from typing import Literal

from ..model.conversation import ScopeKind
from ..model.declaration import Provider, declared
from ..prompts.instructions import OURS, Instructions


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """What is injected into a turn; `rerank_provider` is an id in the host, "" for none.

    `rerank_model` is a folder, and used where there is no provider.
    """

    enabled: bool = declared(
        True,
        basic=True,
        zh=("启用回忆", "关闭后照常记录，但不再放进提示"),
        en=(
            "Recall memories",
            "When off, everything is still recorded but nothing is put into the prompt",
        ),
    )
    deadline_ms: int = declared(
        800,
        within=(50, 10_000),
        step=50,
        zh=("回忆期限（毫秒）", "超过期限就不再等待，本轮不放记忆"),
        en=("Deadline (milliseconds)", "Past it the turn goes on without memories"),
    )
    budget_tokens: int = declared(
        800,
        basic=True,
        within=(50, 8_000),
        step=50,
        when=("enabled", True),
        zh=("词元预算", "一轮里记忆最多占用的词元"),
        en=("Token budget", "Most tokens that memories may take in one turn"),
    )
    max_items: int = declared(
        40,
        within=(1, 50),
        step=1,
        when=("enabled", True),
        zh=("条数上限", "一轮最多放进多少条记忆；越没有把握越少，最少三条"),
        en=(
            "Most memories",
            "Most memories in one turn; down to three where it is in doubt whether any is needed",
        ),
    )
    eagerness: Literal["quiet", "balanced", "eager"] = declared(
        "balanced",
        when=("enabled", True),
        zh=(
            "主动程度",
            "想起记忆需要多大的把握：谨慎时少打扰，积极时少漏掉",
            ("谨慎", "适中", "积极"),
        ),
        en=(
            "Eagerness",
            "How sure recall must be to bring anything up: quiet disturbs less, eager misses less",
            ("quiet", "balanced", "eager"),
        ),
    )
    fusion: Literal["weighted", "ranks"] = declared(
        "weighted",
        when=("enabled", True),
        zh=(
            "合并方式",
            "各路找到的记忆怎样排成一列：按各项数值加权（实测更准），或只按名次（倒数排名融合，k=60）",
            ("加权", "按名次"),
        ),
        en=(
            "Fusion",
            "How what the searches find becomes one list: by weighted numbers, which measures "
            "better, or by ranks alone (reciprocal rank fusion, k = 60)",
            ("weighted", "by ranks"),
        ),
    )
    meaning_weight: float = declared(
        1.0,
        within=(0.0, 5.0),
        step=0.1,
        when=("fusion", "weighted"),
        zh=("含义的权重（w1）", "相似度在排序里算几倍；1 是拟合出的值"),
        en=("Weight of meaning (w1)", "How many times likeness counts in the order; 1 as fitted"),
    )
    graph_weight: float = declared(
        1.0,
        within=(0.0, 5.0),
        step=0.1,
        when=("fusion", "weighted"),
        zh=("图谱的权重（w2）", "知识图谱上的接近程度在排序里算几倍；1 是拟合出的值"),
        en=(
            "Weight of the graph (w2)",
            "How many times nearness in the knowledge graph counts in the order; 1 as fitted",
        ),
    )
    profile: Literal["off", "private", "everywhere"] = declared(
        "private",
        when=("enabled", True),
        zh=(
            "个人简介",
            "把关于说话人的一页简介（最多 300 词元）放进提示。私聊里随系统提示，两次夜间整理之间"
            "逐字不变，不破坏提示缓存；"
            "群里只含此人在该群说过的，随消息发送",
            ("关闭", "仅私聊", "私聊和群聊"),
        ),
        en=(
            "Profile",
            "Put a page about the person speaking (300 tokens at most) into the prompt. In private "
            "chats with the system prompt, the same bytes between two sleeps, so that the prompt "
            "cache holds; in a group only what they said there, with the message",
            ("off", "private chats", "private chats and groups"),
        ),
    )
    rerank_provider: str = declared(
        "",
        when=("enabled", True),
        provider=Provider.RERANK,
        zh=(
            "重排模型",
            "AstrBot 的重排序服务商，逐条读过最好的候选记忆后再排序。留空则不用。记忆文本会发给它，"
            "回忆要多等它的回答，但不超过期限",
        ),
        en=(
            "Rerank provider",
            "A rerank provider of AstrBot, which reads the best candidates one by one before "
            "they are ordered; empty for none. It is sent the texts of memories, and a "
            "recall waits for it, though not past its deadline",
        ),
    )
    rerank_model: str = declared(
        "",
        when=("enabled", True),
        zh=(
            "重排模型目录",
            "自己的 ONNX 重排模型（model.onnx、tokenizer.json，输出 logits），在本机读最好的候选；"
            "写数据目录 models 里的目录名，或完整路径。没有设服务商时才用，需要 onnxruntime；"
            "期限内答不完就不算数",
        ),
        en=(
            "Reranker's folder",
            "An ONNX reranker of yours (model.onnx, tokenizer.json, logits for its output) that "
            "reads the best candidates on this machine: the name of a folder in models of the data "
            "folder, or a full path. Used where no provider is set; it needs onnxruntime, and "
            "counts for nothing past the deadline",
        ),
    )

    def tells_profile(self, kind: ScopeKind) -> bool:
        """Whether the page about whoever speaks goes into the prompts of such chats."""
        private = self.profile == "private" and kind is ScopeKind.PRIVATE
        return self.enabled and (private or self.profile == "everywhere")


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """Who turns episodes into memories, and what it may cost; `prompts` are kept by the journal."""

    extractor: Literal["auto", "host", "endpoint", "rules"] = declared(
        "auto",
        basic=True,
        zh=(
            "提取方式",
            "自动：有独立接口用接口，否则用 AstrBot 的对话模型，都没有时用规则",
            ("自动", "AstrBot 的对话模型", "独立接口", "仅规则"),
        ),
        en=(
            "Extractor",
            "Automatic: the plugin's own endpoint if set, else AstrBot's chat model, else rules",
            ("automatic", "AstrBot's chat model", "own endpoint", "rules only"),
        ),
    )
    instructions: str = declared(
        "",
        zh=("自己的要求", "写给学习模型：什么值得记、什么绝不能记、用什么语气。只影响取舍和措辞"),
        en=(
            "Your own instructions",
            "For the learning model: what to keep, what never to keep, in which tone. They only "
            "change what is chosen and how it is put",
        ),
    )
    provider_id: str = declared(
        "",
        basic=True,
        picker="select_provider",
        zh=("对话模型", "留空则用会话当前的模型"),
        en=("Chat model", "Empty for the chat's own model"),
    )
    endpoint_url: str = declared(
        "",
        zh=("独立接口地址", "OpenAI 兼容接口，例如 https://example.com/v1"),
        en=("Endpoint URL", "OpenAI-compatible, such as https://example.com/v1"),
    )
    endpoint_key: str = declared(
        "",
        secret=True,
        zh=("独立接口密钥", "没有则留空；以明文保存在配置文件里"),
        en=("Endpoint key", "Empty if there is none; kept in plain text in the configuration file"),
    )
    endpoint_model: str = declared(
        "",
        zh=("独立接口的模型名", "接口所提供的对话模型的名称"),
        en=("Endpoint model", "Name of a chat model that the endpoint offers"),
    )
    timeout_seconds: float = declared(
        120.0,
        within=(5.0, 600.0),
        step=5,
        zh=("超时（秒）", "一次调用最多等待多久"),
        en=("Time-out (seconds)", "Longest wait for one call"),
    )
    daily_calls: int = declared(
        500,
        within=(0, 100_000),
        zh=("每日调用上限", "用尽后当日由规则学习；0 表示不调用模型"),
        en=("Calls a day", "Past it rules do the learning that day; 0 for no model calls"),
    )
    daily_tokens: int = declared(
        2_000_000,
        basic=True,
        within=(0, 1_000_000_000),
        zh=("每日词元上限", "用尽后当日由规则学习"),
        en=("Tokens a day", "Past it rules do the learning that day"),
    )
    max_attempts: int = 5
    """Failures after which background work is given up: what fails so often is no passing fault."""

    concurrency: int = 2
    """Episodes learnt from at a time: the chat model answers people first."""

    prompts: Instructions = OURS


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """Which tools the chat model is offered: recall_memory, remember and forget_memory."""

    recall: bool = declared(
        True,
        zh=("检索记忆的工具", "让对话模型可以自己检索记忆（recall_memory）"),
        en=("Recall tool", "The chat model may search memories by itself (recall_memory)"),
    )
    remember: bool = declared(
        True,
        zh=("写入记忆的工具", "让对话模型可以自己记下一件事（remember）"),
        en=("Remember tool", "The chat model may write a memory by itself (remember)"),
    )
    forget: bool = declared(
        True,
        zh=(
            "遗忘的工具",
            "有人要求忘掉什么时，对话模型可以把那人自己的记忆移进回收站（forget_memory）",
        ),
        en=(
            "Forget tool",
            "Asked to forget something, the chat model may move the asker's own memories of it to"
            " the bin (forget_memory)",
        ),
    )


@dataclass(frozen=True, slots=True)
class ScopeSettings:
    """Whose memories are kept apart."""

    persona_separation: bool = declared(
        True,
        zh=("按人格分开", "每个人格有自己的记忆；关闭后所有人格共用"),
        en=(
            "Separate personas",
            "Each persona has its own memories; when off all personas share them",
        ),
    )


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    """What admins may see. Read from the file alone: whom it binds cannot change it in a chat."""

    admin_reveal: bool = declared(
        True,
        zh=(
            "允许管理员查看他人私聊记忆",
            "开启：管理员平时只看到条数和日期；说明理由并重复确认码之后才能看到或导出内容，每次都记下来，"
            "本人用 /memory audit 看得到。关闭：一律不能。聊天里不能更改此项",
        ),
        en=(
            "Admins may reveal private memories",
            "On: admins see counts and dates of other people's private memories; contents are "
            "shown or exported only for a reason and after a code, and each time is noted where "
            "the person reads it (/memory audit). Off: never. Cannot be changed in a chat",
        ),
    )


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """What people see. `timezone` is an IANA name, "" for the host's, or the machine's own."""

    language: Literal["auto", "zh", "en"] = declared(
        "auto",
        basic=True,
        zh=("语言", "自动：按每句话的语言", ("自动", "中文", "英文")),
        en=(
            "Language",
            "Automatic: by the language of each message",
            ("automatic", "Chinese", "English"),
        ),
    )
    timezone: str = declared(
        "",
        zone=True,
        zh=("时区", "IANA 名称，例如 Asia/Shanghai；留空则用 AstrBot 的时区"),
        en=("Time zone", "An IANA name such as Asia/Shanghai; empty for AstrBot's own"),
    )
    all_settings: bool = declared(
        False,
        basic=True,
        zh=("显示全部设置", "关闭时只列出最常用的设置，以及有改动的那些组；保存后重新打开本页生效"),
        en=(
            "Show all settings",
            "When off, this page lists what most owners set, and the groups in which something "
            "was changed; save and open the page again",
        ),
    )
