"""A host that is killed while people talk: nothing answered is lost, nothing is done twice.

`dev.py soak` is the same for longer.
"""

from pathlib import Path

from astrbot_plugin_tidemark.scripts.soak import soak

SEED, KILLS = 1, 2


async def test_sleep_going_back_a_full_disk_and_kills_break_no_promise(tmp_path: Path) -> None:
    found = await soak(tmp_path, seconds=0, seed=SEED, rounds=1, talk=3, talks=2, lives=KILLS)
    assert found["broken_promises"] == []
    assert not found["interrupted"]
    once = {"sleep", "backup", "restore", "full disk", "kill", "rule", "plans"}
    assert once <= found["deeds"].keys()
    assert found["deeds"]["kill"] == KILLS
    assert found["counts"] == 1
    assert found["turns_kept"] > 0
    assert (tmp_path / "samples.jsonl").read_text("utf-8").count("\n") == found["rounds"] == KILLS
