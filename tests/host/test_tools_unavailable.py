"""The model's tools while memory is not open: an answer, not an error."""

from collections.abc import Iterator
from typing import Any

import pytest
from astrbot_plugin_tidemark.core import tools
from astrbot_plugin_tidemark.tests.host.in_process import host_classes


@pytest.fixture(scope="module", autouse=True)
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with host_classes(tmp_path_factory.mktemp("root")):
        yield


async def not_open() -> None:
    return None


async def test_while_memory_is_not_open_both_tools_say_so() -> None:
    from astrbot_plugin_tidemark.core.host.tools import ToolHooks

    nothing: Any = None
    hooks = ToolHooks(nothing, "astrbot_plugin_tidemark", not_open)
    assert await hooks.recall(nothing, "bees") == tools.NOT_AVAILABLE
    assert await hooks.remember(nothing, "Ann keeps bees") == tools.NOT_AVAILABLE
