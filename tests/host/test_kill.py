"""A host that is killed while people talk: nothing answered is lost, nothing is done twice.

`dev.py soak` is the same for longer.
"""

from pathlib import Path

from astrbot_plugin_tidemark.scripts.soak import EPISODE_TURNS, soak

TURNS, KILLS, SEED = 7, 2, 20_250_611


async def test_a_host_killed_again_and_again_loses_no_turn_and_repeats_none(tmp_path: Path) -> None:
    toll = await soak(tmp_path, turns=TURNS, kills=KILLS, seed=SEED)
    assert toll.problems == ()
    assert toll.kills == KILLS
    assert toll.acknowledged >= TURNS - KILLS
    assert toll.episodes >= toll.acknowledged * 2 // EPISODE_TURNS
