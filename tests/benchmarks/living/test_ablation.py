"""The options of forgetting, one by one, over a tiny life."""

from dataclasses import fields

from astrbot_plugin_tidemark.benchmarks.living.ablation_run import (
    AS_TMD,
    PLAIN,
    told,
    variants,
)
from astrbot_plugin_tidemark.core.forgetting.catalogue import TmdPlus
from astrbot_plugin_tidemark.core.forgetting.tmd import TmdParameters
from astrbot_plugin_tidemark.core.settings import ForgettingSettings


def test_each_variant_differs_from_plain_by_its_option_alone() -> None:
    found = variants(30.0)
    assert found[PLAIN] == ForgettingSettings()
    usual = TmdPlus()
    changed = {field.name for field in fields(TmdPlus) if field.name != "name"}
    assert TmdParameters().cycle_tier0_days == AS_TMD.cycle_days
    assert TmdParameters().consolidate_speed == AS_TMD.consolidate_speed
    for name, keeping in found.items():
        if not name.startswith("tmd+ "):
            continue
        (own,) = (each for each in keeping.own if isinstance(each, TmdPlus))
        differs = {field for field in changed if getattr(own, field) != getattr(AS_TMD, field)}
        paces = all(field.startswith("pace_") for field in differs)
        assert len(differs) <= 1 or paces
        assert own != usual


def test_a_variant_whose_figures_are_plain_ones_is_told_to_do_nothing() -> None:
    rows = {
        PLAIN: {"gone": 0.1, "seconds": 1.0},
        "rates": {"gone": 0.1, "seconds": 9.0},
        "cycle": {"gone": 0.2, "seconds": 1.0},
    }
    assert {name: row["same"] for name, row in told(rows).items()} == {
        PLAIN: True,
        "rates": True,
        "cycle": False,
    }
