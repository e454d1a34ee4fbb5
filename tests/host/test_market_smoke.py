"""The market's daily check: the plugin loads in an empty root with a host that knows nothing."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROBE = Path(__file__).parent / "market_probe.py"


async def probed(root: Path) -> dict[str, Any]:
    """What the probe saw; its whole output if it saw nothing."""
    surroundings = {"ASTRBOT_ROOT": str(root), "ASTRBOT_DISABLE_METRICS": "1", "HOME": str(root)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(PROBE),
        str(ROOT),
        cwd=root,
        env={**os.environ, **surroundings},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(120):
        output, _ = await process.communicate()
    lines = output.decode("utf-8", "replace").rstrip().splitlines()
    assert process.returncode == 0, "\n".join(lines[-40:])
    return json.loads(lines[-1])


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are read from /proc")
async def test_a_host_that_knows_nothing_loads_the_plugin_and_is_left_clean(
    tmp_path: Path,
) -> None:
    seen = await probed(tmp_path)
    assert seen["loaded"], seen["problem"]
    assert seen["name"] == "astrbot_plugin_tidemark"
    assert seen["open"]
    assert seen["during"]["files"] != []
    assert seen["during"]["tasks"] != []
    assert seen["after"] == {"tasks": [], "files": []}
    assert seen["threads"] == []
