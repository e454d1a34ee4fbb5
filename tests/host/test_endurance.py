"""One short life with everything that may happen in it; `dev.py soak --hours N` is the same for
hours.
"""

from pathlib import Path

from astrbot_plugin_tidemark.scripts.endurance import endure

SEED = 1


async def test_sleep_going_back_a_full_disk_and_a_kill_break_no_promise(tmp_path: Path) -> None:
    found = await endure(tmp_path, seconds=0, seed=SEED, rounds=4, talk=3, talks=2)
    assert found["broken_promises"] == []
    assert not found["interrupted"]
    once = {"sleep", "backup", "restore", "full disk", "kill", "rule", "plans"}
    assert once <= found["deeds"].keys()
    assert found["counts"] == 1
    assert found["turns_kept"] > 0
    assert (tmp_path / "samples.jsonl").read_text("utf-8").count("\n") == 1
