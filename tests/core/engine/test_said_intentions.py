"""What people mean to do, find out or leave open, in everyday words, and what becomes of it."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.model.intentions import Intention, IntentionStatus
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.settings import DisplaySettings

from ...rig import Rig
from ...samples import ANNS
from ...strength import strength

DATA: dict[str, Any] = json.loads(
    Path(__file__).with_name("said_intentions.json").read_text("utf-8")
)
CASES: dict[str, dict[str, Any]] = {each["said"]: each for each in DATA["cases"]}
SAID_ON = datetime.fromisoformat(DATA["said_on"])
DAY = 86_400.0
ENDS = {"done": (IntentionStatus.CLOSED, False), "dropped": (IntentionStatus.CLOSED, True)}
ENDS |= {"again": (IntentionStatus.REFERENCED, False)}


@pytest.fixture
def changes() -> dict[str, object]:
    return {"display": DisplaySettings(timezone="Asia/Shanghai")}


async def told(rig: Rig, text: str, *facts: Any, verdict: str = "") -> list[Memory]:
    """The intentions that can be recalled once an episode has said this, and the model that."""
    await rig.say(ANNS, text)
    await rig.settle()
    judged = {{"dropped": "given_up"}.get(verdict, verdict): [1]} if verdict else {}
    rig.model.answers = [{"facts": facts, "memories": []} | judged]
    await rig.pass_time()
    return [each for each in await rig.memories(Kind.PROSPECTIVE) if each.recallable]


@pytest.mark.parametrize("said", list(CASES)[:: strength(3, 1)])
async def test_it_is_kept_as_what_it_is_and_becomes_what_is_said_of_it(rig: Rig, said: str) -> None:
    case = CASES[said]
    rig.clock.at = SAID_ON.timestamp()
    [kept] = await told(rig, said, case["reply"])
    assert isinstance(kept.intention, Intention)
    expected = case["kept"] or case["reply"]["fact"], case["reply"]["kind"]
    assert (kept.text, kept.intention.type) == expected
    due = kept.intention.due_at
    day = due and datetime.fromtimestamp(due, ZoneInfo("Asia/Shanghai")).date().isoformat()
    assert day == case["due"]
    if not case["later"]:
        return
    rig.clock.at += 9 * DAY
    left = await told(rig, case["later"], verdict=case["ends"])
    after = (await rig.store.get(kept.id)).intention
    assert after is not None
    assert (after.status, after.given_up) == ENDS[case["ends"]]
    overturned = (case["reply"]["kind"], case["ends"]) == ("decision", "dropped")
    asked = [each.text for each in left if each.id != kept.id]
    assert [kept.text in each for each in asked] == [True] * overturned
