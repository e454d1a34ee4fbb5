"""Settings of what memories are kept in: vectors, stores, backups."""

from dataclasses import asdict, dataclass
from typing import Literal

from ..model.declaration import Provider, declared
from ..ports.chroma_server import ChromaServer


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Where vectors come from."""

    source: Literal["auto", "host", "endpoint", "folder", "local", "hashed", "off"] = declared(
        "auto",
        basic=True,
        zh=(
            "来源",
            "自动：AstrBot 的嵌入模型、独立接口、模型目录、本地模型、简易字符向量，取第一个可用的",
            (
                "自动",
                "AstrBot 的嵌入模型",
                "独立接口",
                "模型目录",
                "本地模型",
                "简易字符向量",
                "关闭",
            ),
        ),
        en=(
            "Source",
            "Automatic: the first available of host provider, own endpoint, model folder, local "
            "model, hashed n-grams",
            (
                "automatic",
                "AstrBot's embedding model",
                "own endpoint",
                "model folder",
                "local model",
                "hashed n-grams",
                "off",
            ),
        ),
    )
    provider_id: str = declared(
        "",
        provider=Provider.EMBEDDING,
        basic=True,
        zh=("AstrBot 的嵌入模型", "留空则用第一个"),
        en=("AstrBot's embedding provider", "Empty for the first one"),
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
        zh=("独立接口的模型名", "接口所提供的嵌入模型的名称"),
        en=("Endpoint model", "Name of an embedding model that the endpoint offers"),
    )
    folder: str = declared(
        "",
        zh=(
            "模型目录",
            "自己的 ONNX 模型，sentence-transformers 的布局（model.onnx、tokenizer.json）；写"
            "数据目录 models 里的目录名，或完整路径。"
            "需要 onnxruntime",
        ),
        en=(
            "Model folder",
            "An ONNX model of yours in the layout of sentence-transformers (model.onnx, "
            "tokenizer.json): the name of a folder in models of the data folder, or a full path. "
            "It needs onnxruntime",
        ),
    )
    timeout_seconds: float = 20.0
    """Longest wait for one embedding call; a turn goes on without it at its deadline."""


@dataclass(frozen=True, slots=True)
class ChromaSettings:
    """ChromaDB in a folder of the plugin's data, or on a server that bots may share.

    `installation` tells them apart there; "" for an id kept in the data folder.
    """

    mode: Literal["embedded", "server"] = declared(
        "embedded",
        zh=(
            "位置",
            "内置：插件数据目录下的 chroma 目录，由插件自己启动、照看的进程打开；"
            "服务器：单独运行的 Chroma",
            ("内置", "服务器"),
        ),
        en=(
            "Where",
            "Embedded: the folder chroma in the plugin's data, opened by a process that the plugin "
            "starts and looks after; server: a Chroma that runs on its own",
            ("embedded", "server"),
        ),
    )
    host: str = declared(
        "localhost",
        when=("mode", "server"),
        zh=("服务器地址", "主机名或 IP，不带 http://"),
        en=("Server", "Host name or IP address, without http://"),
    )
    port: int = declared(
        8000, within=(1, 65_535), when=("mode", "server"), zh=("端口", ""), en=("Port", "")
    )
    ssl: bool = declared(
        False,
        when=("mode", "server"),
        zh=("使用 HTTPS", "服务器在别的网络时请打开"),
        en=("Use HTTPS", "Turn it on for a server on another network"),
    )
    token: str = declared(
        "",
        when=("mode", "server"),
        secret=True,
        zh=("令牌", "留空则不发送；以 Authorization 和 X-Chroma-Token 发送"),
        en=("Token", "Empty: none is sent; goes out as Authorization and X-Chroma-Token"),
    )
    tenant: str = declared(
        "default_tenant",
        when=("mode", "server"),
        zh=("租户", "必须已在服务器上"),
        en=("Tenant", "Must exist on the server"),
    )
    database: str = declared(
        "default_database",
        when=("mode", "server"),
        zh=("数据库", "必须已在服务器上"),
        en=("Database", "Must exist on the server"),
    )
    installation: str = declared(
        "",
        when=("mode", "server"),
        zh=(
            "本机器人的名字",
            "几个机器人共用一台服务器时以此区分；留空则用保存在数据目录中的编号；换目录或重装时填"
            "原来的编号",
        ),
        en=(
            "Name of this bot",
            "Tells bots on one server apart; empty for an id kept in the data folder; after a "
            "move, enter the former id",
        ),
    )

    def server(self) -> ChromaServer | None:
        """The server that is meant; None for the folder."""
        named = asdict(self)
        return ChromaServer(**named) if named.pop("mode") == "server" else None


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where memories live. Fixed while they are open."""

    backend: Literal["sqlite", "chroma"] = declared(
        "sqlite",
        zh=("后端", "记忆存放的地方", ("SQLite 文件", "ChromaDB")),
        en=("Backend", "Where memories are kept", ("SQLite file", "ChromaDB")),
    )
    partitions_in_memory: int = 32
    """Scopes whose vectors are loaded at a time: it bounds the memory that search takes."""

    chroma: ChromaSettings = declared(
        ChromaSettings(),
        when=("backend", "chroma"),
        zh=("ChromaDB", "需要安装 chromadb 包；记忆再多也不大于一台机器时，请用 SQLite"),
        en=("ChromaDB", "Needs the package chromadb; while one machine is enough, keep SQLite"),
    )


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """Daily backups: whether, how many are kept, and one each of how many weeks and months."""

    enabled: bool = declared(
        True,
        basic=True,
        zh=("每天备份", "关闭后只有管理员发送 /memory backup 才会备份"),
        en=("Daily backups", "Off: only when an admin sends /memory backup"),
    )
    keep: int = declared(
        7,
        within=(1, 365),
        when=("enabled", True),
        zh=("保留几份", "更早的每日备份自动删除；手动备份不会自动删除"),
        en=("Backups kept", "Older daily ones are deleted; those made by hand are not"),
    )
    keep_weekly: int = 4
    """The newest backup of so many weeks stays beside the newest ones."""

    keep_monthly: int = 3
    """The same of so many months."""
