"""A person who says that an answer was right has confirmed the memories it drew on."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import trust_of
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS

SLOOP = "Ann's sloop Kittiwake lies in the harbour of Wells"
TEA = "Ann drinks oolong from a chipped mug"


async def learnt_of(rig: Rig) -> dict[str, Memory]:
    return {one.text: one for one in await rig.memories(*set(Kind) - {Kind.EVIDENCE})}


@pytest.fixture
async def asked(rig: Rig) -> Rig:
    """Two facts are known, and one of them was just asked for and answered."""
    rig.model.answers = [learnt(item(SLOOP, 1), item(TEA, 1)), learnt(), learnt()]
    await rig.exchange(ANNS, "My sloop Kittiwake lies in Wells, and I drink oolong", "Noted")
    await rig.engine.sleep(patience=20.0)
    rig.clock.at += 3_600
    await rig.exchange(
        ANNS, "Where does my sloop Kittiwake lie?", "Kittiwake lies in the harbour of Wells."
    )
    return rig


async def test_what_the_answer_drew_on_is_confirmed_and_nothing_else(asked: Rig) -> None:
    before = (await learnt_of(asked))[SLOOP]
    await asked.exchange(ANNS, "That's right!", "Good to know.")
    await asked.engine.sleep(patience=20.0)
    known = await learnt_of(asked)
    assert known[SLOOP].feedback.accurate is True
    assert known[TEA].feedback.accurate is None
    now = asked.clock.at
    assert trust_of(known[SLOOP], now) > trust_of(before, now)
    (entry,) = [e for e in await asked.journal.audit_of(known[SLOOP].id) if e.action == "confirmed"]
    assert entry.by == "learning"


async def test_thanks_confirm_nothing(asked: Rig) -> None:
    await asked.exchange(ANNS, "ok thanks", "You are welcome.")
    await asked.engine.sleep(patience=20.0)
    assert (await learnt_of(asked))[SLOOP].feedback.accurate is None


async def test_what_was_corrected_stays_wrong_whatever_is_confirmed_later(asked: Rig) -> None:
    sloop = (await learnt_of(asked))[SLOOP]
    wrong = replace(sloop.feedback, accurate=False)
    await asked.store.amend([sloop.id], lambda memory: replace(memory, feedback=wrong))
    await asked.exchange(ANNS, "Yes, exactly", "Good.")
    await asked.engine.sleep(patience=20.0)
    assert (await learnt_of(asked))[SLOOP].feedback.accurate is False
