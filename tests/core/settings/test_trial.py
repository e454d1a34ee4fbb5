"""Parameters of the policy on trial: one policy can be compared with itself."""

import pytest
from astrbot_plugin_tidemark.core.forgetting.gauss import Gauss
from astrbot_plugin_tidemark.core.forgetting.policies import Policies
from astrbot_plugin_tidemark.core.forgetting.retention_value import CurvePolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.settings import Settings, parse


def comparing(trial: str, parameters: str, **forgetting: object) -> tuple[Settings, list[str]]:
    comparison = {"enabled": True, "trial": trial, "parameters": parameters}
    settings, problems = parse({"forgetting": {**forgetting, "comparison": comparison}})
    return settings, [str(problem) for problem in problems]


def policies(settings: Settings) -> Policies:
    return settings.forgetting.policies(Tmd(settings.decay.parameters()))


def test_tmd_is_compared_with_tmd_at_another_pace() -> None:
    settings, problems = comparing("tmd", "cycle_tier0_days=5, useful_boost=2")
    found = policies(settings)
    assert problems == []
    assert found.usual.tmd.parameters == TmdParameters()
    assert found.trial is not None
    assert found.trial.tmd.parameters == TmdParameters(cycle_tier0_days=5.0, useful_boost=2)


def test_another_policy_s_own_settings_hold_but_for_what_is_written() -> None:
    settings, problems = comparing(
        "gauss", "episodic_days=30", policy="gauss", gauss={"evidence_days": 9.0}
    )
    found = policies(settings)
    assert problems == []
    assert isinstance(found.usual, CurvePolicy)
    assert isinstance(found.trial, CurvePolicy)
    assert found.usual.curve == Gauss(evidence_days=9.0)
    assert found.trial.curve == Gauss(evidence_days=9.0, episodic_days=30.0)


@pytest.mark.parametrize("written", ["nonsense", "decay_rate=1", "cycle_tier0_days", "enabled=off"])
def test_a_parameter_that_the_policy_has_not_is_named_and_left_out(written: str) -> None:
    settings, problems = comparing("tmd", written)
    assert len(problems) == 1
    assert "forgetting.comparison.parameters" in problems[0]
    found = policies(settings).trial
    assert found is not None
    assert found.tmd.parameters == TmdParameters()


def test_a_value_out_of_range_is_named_and_left_out() -> None:
    settings, problems = comparing("gauss", "episodic_days=-3 semantic_days=100")
    assert problems == [
        "forgetting.comparison.parameters episodic_days must be a number 1..36500, not '-3'"
    ]
    found = policies(settings).trial
    assert isinstance(found, CurvePolicy)
    assert found.curve == Gauss(semantic_days=100.0)


def test_nothing_is_wrong_while_nothing_is_compared() -> None:
    comparison = {"enabled": False, "trial": "tmd", "parameters": "nonsense"}
    assert parse({"forgetting": {"comparison": comparison}})[1] == ()
