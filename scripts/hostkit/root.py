"""An AstrBot root folder with this checkout linked in as a plugin."""

import fcntl
import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from .ports import LOOPBACK, free_port

PLUGIN = "astrbot_plugin_tidemark"
CHECKOUT = Path(__file__).resolve().parents[2]
USER = "astrbot"
PASSWORD = "Tidemark2025"
ADMIN = 900
ONEBOT_TOKEN = "loopback"
PAGES = "pages"
_NOT_THE_PLUGIN = {".git", ".venv"}
_LOCK = "astrbot.lock"
_SOURCE = "model"
# Few, because the password is published: the host reads their number from the stored hash.
_ITERATIONS = 1_000


@dataclass(frozen=True, slots=True)
class ModelSource:
    """An OpenAI-compatible endpoint. `key` may be "$NAME": the host reads that variable.

    `context` is in tokens; `timeout` is the seconds of one call; to one that has no `tools` the
    host offers none.
    """

    url: str
    model: str
    key: str = "none"
    context: int = 32_000
    timeout: int = 120
    tools: bool = True


@dataclass(frozen=True, slots=True)
class HostRoot:
    """Where a host lives and which loopback ports it takes."""

    path: Path
    dashboard_port: int
    onebot_port: int

    @property
    def onebot_url(self) -> str:
        """Where a messenger's OneBot client connects to (reverse WebSocket)."""
        return f"ws://{LOOPBACK}:{self.onebot_port}/ws"

    @property
    def plugin_data(self) -> Path:
        """The plugin's data folder."""
        return self.path / "data" / "plugin_data" / PLUGIN

    def in_use(self) -> bool:
        """Whether a host runs in this folder: it holds a lock there as long as it lives."""
        try:
            with (self.path / _LOCK).open("ab") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def prepare(
        self,
        model: ModelSource,
        *,
        plugin_config: Mapping[str, Any] | None = None,
        overrides: Mapping[str, Any] | None = None,
        providers: Sequence[Mapping[str, Any]] = (),
        plugin: Path = CHECKOUT,
        companions: Sequence[Path] = (),
    ) -> None:
        """Make or renew the folder: configuration, plugin link, plugin configuration.

        What the host has written there stays. `plugin_config` and `overrides` (of the host's
        cmd_config.json) are merged over what is found. `providers` come after the chat model;
        `companions` are folders of other plugins.
        """
        for folder in ("data/config", "data/plugins", "data/temp", "home"):
            (self.path / folder).mkdir(parents=True, exist_ok=True)
        (self.path / ".astrbot").touch()
        config = self._host_config(model)
        config["provider"] += providers
        patch = merged(config, overrides or {})
        _merge_file(self.path / "data" / "cmd_config.json", patch)
        _merge_file(self.path / "data" / "config" / f"{PLUGIN}_config.json", plugin_config or {})
        mount(self.path / "data" / "plugins" / PLUGIN, plugin)
        for companion in companions:
            link(self.path / "data" / "plugins" / companion.name, companion)

    def remove(self) -> None:
        """Delete the folder; the linked checkout is not touched."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _host_config(self, model: ModelSource) -> dict[str, Any]:
        return {
            "config_version": 5,
            "admins_id": [USER, str(ADMIN)],
            "disable_metrics": True,
            "dashboard": {"host": LOOPBACK, **_account()},
            "platform_settings": {"rate_limit": {"count": 10_000}},
            "platform": [_onebot_platform(self.onebot_port)],
            "provider_sources": [_provider_source(model)],
            "provider": [_chat_provider(model)],
            "agent_runner": {
                "runner_type": "local",
                "config": {"model": {"provider_id": provider_id(model), "request_max_retries": 1}},
            },
        }


def new_root(
    path: Path, dashboard_port: int | None = None, onebot_port: int | None = None
) -> HostRoot:
    """A root on these ports, or on free ones."""
    return HostRoot(path, dashboard_port or free_port(), onebot_port or free_port())


def provider_id(model: ModelSource) -> str:
    """The host's id of the chat model."""
    return f"{_SOURCE}/{model.model}"


def merged(document: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """`document` with `patch` laid over it, objects key by key, anything else replaced."""
    result = dict(document)
    for key, value in patch.items():
        old = result.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            value = merged(cast("Mapping[str, Any]", old), cast("Mapping[str, Any]", value))
        result[key] = value
    return result


def link(place: Path, target: Path) -> None:
    """Make `place` a symbolic link to `target`, replacing an older link."""
    if place.is_symlink():
        place.unlink()
    place.symlink_to(target.resolve(), target_is_directory=True)


def mount(place: Path, target: Path) -> None:
    """Make `place` a folder of links to all that is in `target`, its pages copied.

    The host serves no page from outside of its plugins' folder, where a link would lead.
    """
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        # Of links the links are removed, not what they lead to.
        shutil.rmtree(place)
    place.mkdir()
    for entry in target.resolve().iterdir():
        if entry.name == PAGES:
            shutil.copytree(entry, place / PAGES)
        elif entry.name not in _NOT_THE_PLUGIN:
            (place / entry.name).symlink_to(entry, target_is_directory=entry.is_dir())


def _merge_file(path: Path, patch: Mapping[str, Any]) -> None:
    document = json.loads(path.read_text("utf-8-sig")) if path.exists() else {}
    text = json.dumps(merged(document, patch), ensure_ascii=False, indent=2)
    path.write_text(text, "utf-8-sig")


def _account() -> dict[str, Any]:
    """The dashboard's account, settled: of the names and passwords the host would have made up,
    asked for at the first login or been given since, none is left.
    """
    salt = hashlib.sha256(USER.encode()).digest()[:16]
    digest = hashlib.pbkdf2_hmac("sha256", PASSWORD.encode(), salt, _ITERATIONS)
    return {
        "username": USER,
        "pbkdf2_password": f"pbkdf2_sha256${_ITERATIONS}${salt.hex()}${digest.hex()}",
        "password": hashlib.md5(PASSWORD.encode()).hexdigest(),
        "password_storage_upgraded": True,
        "password_change_required": False,
        "totp": {"enable": False},
    }


def _onebot_platform(port: int) -> dict[str, Any]:
    return {
        "id": "qq",
        "type": "aiocqhttp",
        "enable": True,
        "ws_reverse_host": LOOPBACK,
        "ws_reverse_port": port,
        "ws_reverse_token": ONEBOT_TOKEN,
    }


def _provider_source(model: ModelSource) -> dict[str, Any]:
    return {
        "id": _SOURCE,
        "provider": "openai",
        "type": "openai_chat_completion",
        "provider_type": "chat_completion",
        "enable": True,
        "key": [model.key],
        "api_base": model.url,
        "timeout": model.timeout,
        "proxy": "",
        "custom_headers": {},
    }


def _chat_provider(model: ModelSource) -> dict[str, Any]:
    return {
        "id": provider_id(model),
        "provider_source_id": _SOURCE,
        "enable": True,
        "model": model.model,
        "modalities": ["text", *(["tool_use"] if model.tools else [])],
        "custom_extra_body": {},
        "max_context_tokens": model.context,
    }
