"""An intention goes from state to state, and what is not one stays as it is."""

from astrbot_plugin_tidemark.core.model.knowledge import Intention, IntentionStatus, IntentionType
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.records.intentions import (
    closed,
    heard_at,
    referenced,
    reopened,
    surfaced,
)
from hypothesis import given
from hypothesis import strategies as st

from ...samples import memory

NOW = 1_750_000_000.0
intentions = st.builds(
    Intention,
    st.sampled_from(IntentionType),
    st.sampled_from(IntentionStatus),
    st.one_of(st.none(), st.floats(0, 2 * NOW)),
    st.floats(0, NOW),
    st.integers(0, 3),
    st.floats(0, NOW),
    st.floats(0, NOW),
)


def intending(intention: Intention = Intention()) -> Memory:  # noqa: B008
    return memory("Ann plans to go", kind=Kind.PROSPECTIVE, intention=intention)


def test_a_fact_is_no_intention_which_is_reminded_of_once() -> None:
    fact = memory("Ann keeps bees")
    for change in (referenced, closed, reopened, surfaced):
        assert change(fact, NOW) == fact
    once = surfaced(intending(), NOW)
    assert surfaced(once, NOW + 9) == once
    assert once.intention == Intention(surfaced_at=NOW)


@given(intentions)
def test_closing_twice_is_closing_once(intention: Intention) -> None:
    once = closed(intending(intention), NOW, by="raw", given_up=True)
    assert closed(once, NOW + 9, by="other") == once
    assert not once.intention.pending
    assert once.due_at is None


@given(intentions)
def test_what_is_meant_again_is_pending_and_may_be_reminded_of(intention: Intention) -> None:
    again = reopened(intending(intention), NOW)
    assert again.intention.pending
    assert reopened(again, NOW + 9) == again
    assert again.intention.due_at == intention.due_at


@given(intentions)
def test_what_is_over_is_not_referenced(intention: Intention) -> None:
    before, after = intending(intention), referenced(intending(intention), NOW, said_again=True)
    if not intention.pending:
        assert after == before
    else:
        assert after.intention.status is IntentionStatus.REFERENCED
        assert after.intention.confirmed == intention.confirmed + 1
        assert heard_at(after) >= max(heard_at(before), NOW)
