"""A host that is killed while people talk: nothing answered is lost, nothing is done twice.

`dev.py soak` is the same for longer.
"""

from pathlib import Path

from astrbot_plugin_tidemark.scripts.endurance import endure
from astrbot_plugin_tidemark.scripts.soak import EPISODE_TURNS, soak

TURNS, KILLS, SEED = 7, 2, 20_250_611


async def test_a_host_killed_again_and_again_loses_no_turn_and_repeats_none(tmp_path: Path) -> None:
    toll = await soak(tmp_path, turns=TURNS, kills=KILLS, seed=SEED)
    assert toll.problems == ()
    assert toll.kills == KILLS
    assert toll.acknowledged >= TURNS - KILLS
    assert toll.episodes >= toll.acknowledged * 2 // EPISODE_TURNS


ENDURED = 1


async def test_sleep_going_back_a_full_disk_and_a_kill_break_no_promise(tmp_path: Path) -> None:
    found = await endure(tmp_path, seconds=0, seed=ENDURED, rounds=4, talk=3, talks=2)
    assert found["broken_promises"] == []
    assert not found["interrupted"]
    once = {"sleep", "backup", "restore", "full disk", "kill", "rule", "plans"}
    assert once <= found["deeds"].keys()
    assert found["counts"] == 1
    assert found["turns_kept"] > 0
    assert (tmp_path / "samples.jsonl").read_text("utf-8").count("\n") == 1
