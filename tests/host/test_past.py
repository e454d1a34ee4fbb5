"""Learning from AstrBot's own stored conversations, in a real host."""

import json
import re
import sqlite3
import time
from datetime import UTC, datetime
from uuid import uuid4

from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.tests.host.chat_client import indexed, private, said

WHO = 6301


def stored(host: Bench, session: str, *messages: dict[str, str]) -> None:
    """As the host itself would have stored it three days ago."""
    at = datetime.fromtimestamp(time.time() - 3 * 86_400, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    with sqlite3.connect(host.root.path / "data" / "data_v4.db", timeout=30) as database:
        database.execute(
            "INSERT INTO conversations (created_at, updated_at, conversation_id, platform_id,"
            " user_id, content, token_usage) VALUES (?, ?, ?, 'qq', ?, ?, 0)",
            (at, at, str(uuid4()), session, json.dumps(messages)),
        )


async def test_what_the_host_had_stored_before_is_recalled_afterwards(host: Bench) -> None:
    stored(
        host,
        private(WHO),
        {"role": "user", "content": "My telescope is a Dobsonian called Galileo"},
        {"role": "assistant", "content": "Clear skies!"},
    )
    stored(host, private(6302), {"role": "user", "content": "My telescope is a secret"})
    told = await host.chat.ask(WHO, "/memory learn --history 300")
    code = re.search(r"--history 300 (\w+)", told)
    assert code is not None
    assert await said(host, private(WHO)) == []
    done = await host.chat.ask(WHO, f"/memory learn --history 300 {code[1]}")
    assert "2" in done
    assert await said(host, private(WHO)) == [
        (Role.USER, "My telescope is a Dobsonian called Galileo"),
        (Role.ASSISTANT, "Clear skies!"),
    ]
    assert await said(host, private(6302)) == []
    await indexed(host)
    assert "Galileo" in await host.chat.ask(WHO, "/memory search telescope")
    again = await host.chat.ask(WHO, "/memory learn --history 300")
    assert re.search(r"--history 300 \w+", again) is None
