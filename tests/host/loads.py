"""Loads and unloads the plugin again and again, each for a moment: `[ROUNDS] [SEED] [ZIP]`.

Run in an empty folder with ASTRBOT_ROOT and HOME set to it; prints how the rounds ended as JSON.
In the second half the loop ends under the plugin, which is not unloaded. A crash ends the process.
Every other host answers that it has no providers; the others know nothing at all.
"""

import asyncio
import json
import os
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from market_probe import PLUGIN, DummyContext, Providerless, open_files, prepare

REPOSITORY = Path(__file__).resolve().parents[2]
LONGEST = 0.1
"""Seconds; opening takes some 30 ms."""


class _WithoutProviders(Providerless, DummyContext):
    """A host that could have providers, and has none."""


async def unloaded(manager: Any, pause: float) -> str:
    from astrbot.core.star.star import star_map

    await manager.load(specified_dir_name=PLUGIN)
    star = next(star for star in star_map.values() if star.root_dir_name == PLUGIN)
    await asyncio.sleep(pause)
    await manager._terminate_plugin(star)
    return "left open" if open_files(Path.cwd()) else "unloaded"


async def abandoned(manager: Any, pause: float) -> str:
    await manager.load(specified_dir_name=PLUGIN)
    await asyncio.sleep(pause)
    return "abandoned"


def rounds(count: int, seed: int) -> Counter[str]:
    from astrbot.core import astrbot_config, db_helper
    from astrbot.core.star.star_manager import PluginManager

    random, ends = Random(seed), Counter[str]()

    async def one(number: int) -> str:
        await db_helper.initialize()
        host = _WithoutProviders() if number % 2 else DummyContext()
        manager = PluginManager(host, astrbot_config)
        ending = unloaded if number < count / 2 else abandoned
        try:
            return await ending(manager, random.uniform(0, LONGEST))
        finally:
            # The host keeps connections of one loop only.
            await db_helper.engine.dispose()

    for number in range(count):
        ends[asyncio.run(one(number))] += 1
    return ends


def main() -> None:
    root = Path.cwd()
    sys.path.insert(0, str(root))
    prepare(Path(sys.argv[3]) if len(sys.argv) > 3 else REPOSITORY, root)
    count, seed = (*map(int, sys.argv[1:3]), *(200, 1)[len(sys.argv[1:3]) :])
    sys.stdout.write("\n" + json.dumps(rounds(count, seed)) + "\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
