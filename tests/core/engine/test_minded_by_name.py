"""What is to be minded of anybody who is named comes with whatever is shown of them."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind

from ...rig import Rig
from ...samples import ANNS

BENS = Scope(ScopeKind.PRIVATE, "qq", "902", "default")


@pytest.mark.parametrize(
    ("told", "asked", "value"),
    [
        ("刘姐海鲜过敏", "有什么东西不能给刘姐吃", "海鲜"),
        ("王磊对花生过敏，上次脸都肿了", "晚上请王磊吃饭吃什么好", "花生"),
        ("Ellie is allergic to peanuts", "what can I cook for Ellie", "peanuts"),
    ],
)
async def test_the_allergy_of_somebody_by_name_is_a_claim_of_theirs_and_comes_up(
    rig: Rig, told: str, asked: str, value: str
) -> None:
    rig.model.present = False
    await rig.say(ANNS, told)
    claims = [memory.claim for memory in await rig.learn() if memory.claim is not None]
    assert [(c.attribute, c.value) for c in claims] == [("allergy", value)]
    assert not claims[0].subject.startswith("@")
    recalled = await rig.ask(ANNS, asked)
    assert any(memory.claim is not None for memory in recalled.memories)
    assert not (await rig.ask(BENS, asked)).memories
