"""The demo's installation, as its owner finds it."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.installation import installed
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.model.sleeping import Deed
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.scripts import demo

pytestmark = pytest.mark.anyio
NOW = 1_795_780_000.0


async def test_the_demo_is_lived_for_a_linked_owner_with_conflict_and_tale(tmp_path: Path) -> None:
    assert await demo.live(tmp_path, NOW, last_days=14)

    async with installed(tmp_path, HashedEmbedder()) as at:
        aliases = await at.parts.journal.aliases()
        nights = await at.parts.journal.reports(await at.parts.store.scopes(), limit=100)
        decided = [each for night in nights for each in await at.parts.journal.decisions(night.id)]
        threads = await at.parts.store.page(Filter(kinds=frozenset({Kind.NARRATIVE})), limit=10)

    assert {aliases[account] for account in (demo.PAGE, demo.WEBCHAT, demo.YU_ACCOUNT)} == {"小雨"}
    assert Deed.CONFLICT_FOUND in {each.decision.deed for each in decided}
    assert threads
