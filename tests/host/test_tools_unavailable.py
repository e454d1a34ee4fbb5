"""The model's tools while memory is not open: an answer, not an error."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.host.tool_answers import NOT_AVAILABLE

pytestmark = pytest.mark.usefixtures("host_code")


async def not_open() -> None:
    return None


async def test_while_memory_is_not_open_both_tools_say_so() -> None:
    from astrbot_plugin_tidemark.core.host.tools import ToolHooks

    nothing: Any = None
    hooks = ToolHooks(nothing, "astrbot_plugin_tidemark", not_open, nothing, nothing)
    assert await hooks.recall(nothing, "bees") == NOT_AVAILABLE
    assert await hooks.remember(nothing, "Ann keeps bees") == NOT_AVAILABLE
