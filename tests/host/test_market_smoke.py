"""The market's daily check: the plugin loads in an empty root with a host that knows nothing.

What went wrong there, a crash in half of the runs, is looked for by `loads.py` as well: 200 loads
and unloads without arguments, a few here.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.scripts.package import package

from ..strength import strength

ROOT = Path(__file__).resolve().parent.parent.parent
PROBE = Path(__file__).parent / "market_probe.py"
LOADS = Path(__file__).parent / "loads.py"


async def told(root: Path, script: Path, *arguments: str) -> dict[str, Any]:
    surroundings = {"ASTRBOT_ROOT": str(root), "ASTRBOT_DISABLE_METRICS": "1", "HOME": str(root)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(script),
        *arguments,
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


seen_in_proc = pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="open files are read from /proc"
)


@seen_in_proc
async def test_a_host_that_knows_nothing_loads_the_plugin_and_is_left_clean(tmp_path: Path) -> None:
    seen = await told(tmp_path, PROBE, str(ROOT))
    assert seen["loaded"], seen["problem"]
    assert seen["name"] == "astrbot_plugin_tidemark"
    shown = seen["card"]
    assert shown.pop("short")
    assert shown.pop("platforms") > 0
    assert shown == {"unknown": [], "logo": True}
    assert seen["open"]
    assert seen["during"]["files"] != []
    assert seen["during"]["tasks"] != []
    assert seen["after"] == {"tasks": [], "files": []}
    assert seen["threads"] == []


@seen_in_proc
async def test_unloaded_at_any_moment_what_is_packed_neither_ails_nor_stays(tmp_path: Path) -> None:
    file, half = package(tmp_path), strength(2, 6)
    (tmp_path / "root").mkdir()
    ends = await told(tmp_path / "root", LOADS, str(2 * half), "7", str(file))
    assert ends == {"unloaded": half, "abandoned": half}
