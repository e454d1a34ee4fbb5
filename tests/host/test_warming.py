"""Patterns are compiled in a thread before somebody waits for what they read."""

from astrbot_plugin_tidemark.core.host.warming import Warming
from astrbot_plugin_tidemark.core.languages.scripts import either_script, waiting_for_traditional


async def test_patterns_for_traditional_characters_are_ready_when_somebody_writes_in_them() -> None:
    """The first such text compiled hundreds on the event loop, for more than half a second."""
    pattern = either_script("从来没说过")
    warming = Warming()
    try:
        await warming.done("简体")
        waiting = [each() for each in waiting_for_traditional()]
        assert any("從" in each.pattern for each in waiting)
        again = either_script("从来没听过")
        await warming.done("繁體字")
        assert [*waiting_for_traditional()] == []
        assert again.search("從來沒聽過")
        assert pattern.search("從來沒說過")
    finally:
        await warming.aclose()
