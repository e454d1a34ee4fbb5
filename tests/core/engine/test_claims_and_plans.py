"""What holds and what is meant to be done, told in one turn, are two memories."""

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS


@pytest.mark.parametrize(
    ("said", "taught", "value"),
    [
        (
            "I will be starting at st lukes hospice on 4 july",
            "Ann is starting at St Lukes hospice on 4 July",
            "St Lukes hospice",
        ),
        ("我打算下周一去协和医院上班", "Ann下周一去协和医院上班", "协和医院"),
    ],
)
async def test_what_holds_is_not_laid_on_the_plan_that_was_told_with_it(
    rig: Rig, said: str, taught: str, value: str
) -> None:
    """A new workplace was kept with the plan to begin there, and went stale with it."""
    await rig.say(ANNS, said)
    await rig.settle()
    [plan] = await rig.memories(Kind.PROSPECTIVE)
    await rig.learn(learnt({**item(taught, 1), "slot": "workplace", "value": value, "over": False}))
    [held] = await rig.memories(Kind.SEMANTIC)
    assert held.claim is not None
    assert (held.claim.attribute, held.claim.value) == ("workplace", value)
    [still] = await rig.memories(Kind.PROSPECTIVE)
    assert (still.id, still.claim) == (plan.id, None)
