"""The life benchmark over a tiny life, and what each figure makes of something broken."""

from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.living import installation, noise, stages
from astrbot_plugin_tidemark.core.settings import (
    DecayOverride,
    DecaySettings,
    ForgettingSettings,
    Settings,
)

from ...strength import only_long
from ..conftest import documented, keys
from .conftest import Result, Run

FEW = ("--lives", "Kim")
"""One life, and that of the one who tells the same again and again: a third of the time."""

NAMED = {"proactive", "madial", "locomo", "a", "b"}
NAMED |= {f"recall@{depth}{kept}" for depth in (5, 10) for kept in ("", "_kept")}


@pytest.fixture(scope="module")
def few(run: Run) -> Result:
    """Months of few lives, with nothing broken."""
    return run(*FEW)


def test_a_tiny_life_is_measured_and_every_key_documented(whole: Result) -> None:
    result = whole
    assert result["months"]["needs"]["recall@10"] > 0.3
    assert result["months"]["needs"]["served_precision"] > 0.3
    assert result["months"]["needs"]["gone"] == 0.0
    assert result["months"]["needs"]["n"] == 5
    assert result["months"]["silent_when_nothing_is_needed"]["request"]["silent"] == 1.0
    assert result["changes"]["now"]["n"] == 1
    assert result["totals"]["said_again"] == {"facts": 20, "lost": 0}
    assert result["totals"]["verdicts"]["shown_right"] > 0
    lives = set(result["totals"]["left"])
    classes = {"zh", "en"} | {kind for kind in keys(result["changes"]) if "-" in kind}
    days = {key for key in keys(result) if key.isdigit()}
    assert keys(result) - NAMED - lives - classes - days <= documented("life")


@only_long
def test_forgetting_too_soon_shows(run: Run, few: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    assert few["months"]["needs"]["gone"] == 0.0
    hasty = DecaySettings(override=DecayOverride(enabled=True, cycle_tier0_days=1.0))
    _with_decay(monkeypatch, hasty)
    monkeypatch.setattr(noise, "DELAYS", (9.0,))
    result = run(*FEW)
    # What still holds does not fade, however hasty the decay.
    assert result["months"]["needs"]["gone"] > 0.3
    assert result["months"]["needs"]["n_kept"] < result["months"]["needs"]["n"]
    assert result["totals"]["said_again"]["lost"] > 0


def _with_decay(monkeypatch: pytest.MonkeyPatch, decay: DecaySettings) -> None:
    plain = stages.opened

    def other(folder: Any, embedder: Any, settings: Settings, *more: Any) -> Any:
        plainly = ForgettingSettings(patience=1.0)
        changed = Settings(
            recall=settings.recall, display=settings.display, decay=decay, forgetting=plainly
        )
        return plain(folder, embedder, changed, *more)

    monkeypatch.setattr(stages, "opened", other)


@only_long
def test_what_is_done_is_kept(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ("--resume", str(tmp_path / "kept"))
    first = run(*FEW, *kept)

    def never(*_: Any) -> Any:
        raise AssertionError("it is finished")

    monkeypatch.setattr(installation, "installed", never)
    again = run(*FEW, *kept)
    assert {key: again[key] for key in ("months", "changes", "totals")} == {
        key: first[key] for key in ("months", "changes", "totals")
    }
    with pytest.raises(AssertionError, match="finished"):
        run(*FEW, "--seed", "2", *kept)
