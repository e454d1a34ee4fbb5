"""Days are those of the host's time zone, wherever its machine stands, and follow its changes."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts.hostkit.bench import bench
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import ADMIN, blocks, calm, indexed
from .conftest import PATIENT

SEVEN = datetime(2026, 5, 4, 23, tzinfo=UTC).timestamp()
"""07:00 of 5 May in Shanghai, the host's own default."""


async def test_days_are_of_the_hosts_zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    running = bench(tmp_path, {}, respond=calm, began=SEVEN, plugin_config=PATIENT)
    async with running as host, Webchat.login(host.root.dashboard_port) as owner:
        await host.chat.ask(ADMIN, "提醒我明天早上八点开会")
        await host.chat.ask(ADMIN, "昨天我去看了牙医")
        await indexed(host)
        assert "2026-05-06 08:00" in await host.chat.ask(ADMIN, "/memory plans")
        host.model.clear()
        await host.chat.ask(ADMIN, "/reset")
        await host.chat.ask(ADMIN, "我哪天去看的牙医？")
        [block] = [one for request in host.model.requests for one in blocks(request)]
        assert "2026-05-04" in block
        assert "2026-05-03" not in block
        text = (host.root.path / "data" / "cmd_config.json").read_text("utf-8-sig")
        changed = json.loads(text) | {"timezone": "America/New_York"}
        saved = await owner.api("PUT", "/api/v1/system-config", changed)
        assert saved.json()["status"] == "ok", saved.text
        await host.chat.ask(ADMIN, "提醒我明天早上十点买票")
        await indexed(host)
        plans = await host.chat.ask(ADMIN, "/memory plans")
        [line] = [one for one in plans.splitlines() if "买票" in one]
        assert "2026-05-05" in line
