"""Host roots, starting and stopping hosts, and passing requests on to a real endpoint."""

import asyncio
import json
import runpy
import signal
import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts import run
from astrbot_plugin_tidemark.scripts.hostkit.clock import ClockFile
from astrbot_plugin_tidemark.scripts.hostkit.ports import free_port
from astrbot_plugin_tidemark.scripts.hostkit.process import HostFailed, HostProcess, environment
from astrbot_plugin_tidemark.scripts.hostkit.root import (
    CHECKOUT,
    PASSWORD,
    PLUGIN,
    USER,
    HostRoot,
    ModelSource,
    new_root,
)
from astrbot_plugin_tidemark.scripts.run import model_from_environment
from filelock import FileLock

MODEL = ModelSource("http://127.0.0.1:1/v1", "m")


def accepts(stored: str, password: str) -> bool:
    """The host's own check; its package is not imported, which would make folders here."""
    host = find_spec("astrbot")
    assert host.origin is not None
    rules = runpy.run_path(str(Path(host.origin).parent / "core" / "utils" / "auth_password.py"))
    return rules["verify_dashboard_password"](stored, password)


def read(path: Path) -> dict:
    return json.loads(path.read_text("utf-8-sig"))


def host_config(root: HostRoot) -> dict:
    return read(root.path / "data" / "cmd_config.json")


def test_the_plugin_folder_links_to_the_checkout_with_its_pages(tmp_path: Path) -> None:
    root = HostRoot(tmp_path, 1, 2)
    root.prepare(MODEL)
    root.prepare(MODEL)
    plugin = tmp_path / "data" / "plugins" / PLUGIN
    assert (plugin / "main.py").resolve() == CHECKOUT / "main.py"
    assert (plugin / "core").resolve() == CHECKOUT / "core"
    page = plugin / "pages" / "tidemark" / "index.html"
    # The host serves a page only if it really lies under the plugin's folder.
    assert page.resolve().is_relative_to(plugin.resolve())
    assert page.read_bytes() == (CHECKOUT / "pages" / "tidemark" / "index.html").read_bytes()


def test_what_the_host_wrote_is_kept_when_a_root_is_prepared_again(tmp_path: Path) -> None:
    root = HostRoot(tmp_path, 1, 2)
    root.prepare(MODEL)
    config = host_config(root)
    config["dashboard"]["jwt_secret"] = "kept"
    (tmp_path / "data" / "cmd_config.json").write_text(json.dumps(config), "utf-8-sig")
    root.prepare(ModelSource("http://127.0.0.1:9/v1", "other"))
    config = host_config(root)
    assert config["dashboard"]["jwt_secret"] == "kept"
    assert config["agent_runner"]["config"]["model"]["provider_id"] == "model/other"


def test_the_account_is_the_printed_one_whatever_was_made_of_it(tmp_path: Path) -> None:
    root = HostRoot(tmp_path, 1, 2)
    root.prepare(MODEL)
    config = host_config(root)
    config["dashboard"] |= {
        "username": "jane",
        "pbkdf2_password": "",
        "password": "",
        "password_change_required": True,
        "totp": {"enable": True, "secret": "s", "recovery_code_hash": "h"},
    }
    config["admins_id"] = ["jane"]
    (tmp_path / "data" / "cmd_config.json").write_text(json.dumps(config), "utf-8-sig")
    root.prepare(MODEL)
    config = host_config(root)
    dashboard = config["dashboard"]
    assert dashboard["username"] == USER
    assert USER in config["admins_id"]
    for kind in ("pbkdf2_password", "password"):
        assert accepts(dashboard[kind], PASSWORD)
    assert (dashboard["password_change_required"], dashboard["totp"]["enable"]) == (False, False)


def test_the_hosts_environment_has_no_proxy_and_writes_bytecode(tmp_path: Path) -> None:
    base = {
        "HTTPS_PROXY": "http://p",
        "all_proxy": "socks://p",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPYCACHEPREFIX": "/elsewhere",
        "OPENAI_API_KEY": "k",
        "PATH": "/bin",
    }
    made = environment(base, tmp_path, ClockFile(tmp_path / "clock"))
    assert made.keys().isdisjoint(base.keys() - {"OPENAI_API_KEY", "PATH"})
    assert made["OPENAI_API_KEY"] == "k"
    assert made["TIDEMARK_CLOCK_FILE"] == str(tmp_path / "clock")
    assert made["HOME"] == str(tmp_path / "home")


def process(folder: Path) -> HostProcess:
    return HostProcess(new_root(folder), ClockFile(folder / "clock"), folder / "logs" / "host.log")


async def test_a_host_that_ends_while_starting_is_told_in_its_words(tmp_path: Path) -> None:
    host = process(tmp_path)
    with pytest.raises(HostFailed, match="not a valid AstrBot root"):
        await host.start()
    assert not host.running


async def test_a_host_heeds_interrupts_even_where_its_starter_ignored_them(tmp_path: Path) -> None:
    told = "import signal; print(signal.getsignal(signal.SIGINT))"
    root, clock = new_root(tmp_path), ClockFile(tmp_path / "clock")
    host = HostProcess(root, clock, tmp_path / "host.log", [sys.executable, "-c", told])
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(HostFailed, match="default_int_handler"):
            await host.start()
    finally:
        signal.signal(signal.SIGINT, before)


async def test_a_taken_port_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port)
    async with server:
        assert await run.main(Namespace(port=port, fresh=False), tmp_path) == 1
    assert f"port {port} is in use" in capsys.readouterr().out


async def test_a_second_instance_in_the_same_folder_is_refused_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = new_root(tmp_path / "host")
    root.path.mkdir()
    with FileLock(root.path / "astrbot.lock"):
        assert await run.main(Namespace(port=free_port(), fresh=True), tmp_path) == 1
    assert "already runs in" in capsys.readouterr().out
    assert not (root.path / "data").exists()


def test_the_key_is_named_but_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://model/v1")
    monkeypatch.setenv("OPENAI_MODEL", "m")
    source = model_from_environment()
    assert source == ModelSource("http://model/v1", "m", "$OPENAI_API_KEY")
