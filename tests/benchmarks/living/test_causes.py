"""The benchmark of causes at a tiny size: reasons are told where replies name them."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks import causes
from astrbot_plugin_tidemark.benchmarks.datasets.everyday import OWN
from astrbot_plugin_tidemark.benchmarks.living import causes_run


def test_every_key_is_documented_and_a_named_reason_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(causes_run, "AFTER", causes_run.DAY)
    tales = (OWN / "causes.jsonl").read_text("utf-8").rstrip("\n").split("\n")
    chosen = [tale for tale in tales if '"zh"' in tale][:2] + tales[-2:]
    written = tmp_path / "causes.jsonl"
    written.write_text("\n".join(chosen), "utf-8")
    options = ["--json", "--embedder", "hashed", "--written", str(written)]
    assert causes_run.main(options) == 0
    printed = json.loads(capsys.readouterr().out)
    named, bare = printed["named"]["all"], printed["bare"]["all"]
    assert named["n"] == bare["n"] == 4
    assert named["cause_in_five"] >= bare["cause_in_five"]
    shares = {key for group in printed["named"].values() for key in group}
    assert [key for key in {*printed, *shares} if f"`{key}`" not in (causes.__doc__ or "")] == []
