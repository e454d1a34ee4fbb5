"""Host roots: what is written, and what of the host's own is kept."""

import json
import runpy
from importlib.util import find_spec
from pathlib import Path

from astrbot_plugin_tidemark.scripts.hostkit.clock import ClockFile
from astrbot_plugin_tidemark.scripts.hostkit.process import environment
from astrbot_plugin_tidemark.scripts.hostkit.root import (
    CHECKOUT,
    PASSWORD,
    PLUGIN,
    USER,
    HostRoot,
    ModelSource,
)

MODEL = ModelSource("http://127.0.0.1:1/v1", "m")


def accepts(stored: str, password: str) -> bool:
    """The host's own check; its package is not imported, which would make folders here."""
    host = find_spec("astrbot")
    assert host is not None
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
