"""What holds under every forgetting policy, whatever its parameters."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES
from astrbot_plugin_tidemark.core.forgetting.lifecycle import accessed
from astrbot_plugin_tidemark.core.forgetting.policy import (
    Action,
    Fate,
    Fold,
    ForgettingPolicy,
    Judgement,
    Keep,
    ToBin,
)
from astrbot_plugin_tidemark.core.forgetting.population import Population, joined
from astrbot_plugin_tidemark.core.forgetting.tmd import DAY
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status, UserFeedback
from hypothesis import given, settings
from hypothesis import strategies as st

from ...strength import strength
from .populations import NOW, archived, memories, policies

# Of each of a dozen policies.
quick = settings(max_examples=strength(6, 100))
later = st.floats(0, 4_000).map(lambda days: NOW + days * DAY)

type Property = Callable[..., None]


def of_every_policy(test: Property) -> Property:
    """Run a property of (policy, data) under each policy."""

    @pytest.mark.parametrize("name", NAMES)
    @quick
    @given(st.data())
    def run(name: str, data: st.DataObject) -> None:
        test(data.draw(policies(name)), data)

    run.__name__ = test.__name__
    return run


def action_of(fate: Fate) -> Action:
    match fate:
        case Keep():
            return Action.KEEP
        case ToBin():
            return Action.BIN
        case Fold(else_bin=True):
            return Action.FOLD_OR_BIN
        case Fold():
            return Action.FOLD
        case _:
            return Action.ARCHIVE


def after(policy: ForgettingPolicy, record: Memory, now: float) -> Memory:
    """The memory once a pass has come by; gone ones are marked binned."""
    fate = policy.fate(record, now=now)
    changed = replace(record, vitality=fate.vitality)
    match fate:
        case Keep():
            return changed
        case ToBin() | Fold():
            return replace(changed, standing=Standing(Status.BINNED, now))
        case _:
            return archived(changed)


@of_every_policy
def test_what_is_exempt_is_never_let_go(policy: ForgettingPolicy, data: Any) -> None:
    record = data.draw(memories())
    core = policy.tmd.parameters.tier1_threshold
    exempt = [
        replace(record, vitality=replace(record.vitality, pinned=True)),
        replace(record, feedback=UserFeedback(important=True)),
        replace(record, kind=Kind.PROSPECTIVE),
    ]
    extensions = getattr(policy, "extensions", None)
    if extensions is None or extensions.demote_after_days == 0:
        exempt.append(replace(record, vitality=replace(record.vitality, useful_score=core)))
    now = data.draw(later)
    for kept in [*exempt, *map(archived, exempt)]:
        assert isinstance(policy.fate(kept, now=now), Keep)
        assert policy.forgotten_at(kept) is None
        assert not policy.forgets(kept)


@of_every_policy
def test_with_the_clock_set_back_nothing_happens(policy: ForgettingPolicy, data: Any) -> None:
    record = data.draw(memories().filter(lambda memory: memory.vitality.strength > 0))
    back = record.created_at - data.draw(st.floats(1, 1e9))
    for kept in (record, archived(record)):
        assert policy.fate(kept, now=back) == Keep(kept.vitality)


@of_every_policy
def test_a_second_pass_then_changes_nothing(policy: ForgettingPolicy, data: Any) -> None:
    now = data.draw(later)
    once = after(policy, data.draw(memories()), now)
    if once.standing.status is not Status.BINNED:
        assert after(policy, once, now) == once


@of_every_policy
def test_time_alone_never_brings_back(policy: ForgettingPolicy, data: Any) -> None:
    record = data.draw(memories())
    sooner, late = sorted((data.draw(later), data.draw(later)))
    was, will = policy.fate(record, now=sooner), policy.fate(record, now=late)
    assert isinstance(was, Keep) or not isinstance(will, Keep)
    assert will.vitality.strength <= was.vitality.strength <= record.vitality.strength
    assert will.vitality.useful_score <= was.vitality.useful_score


@of_every_policy
def test_passes_in_between_do_not_change_who_is_left(policy: ForgettingPolicy, data: Any) -> None:
    record = data.draw(memories())
    stops = sorted(data.draw(st.lists(later, max_size=4)))
    end = data.draw(later.filter(lambda now: not stops or now >= stops[-1]))
    stepwise = record
    for now in stops:
        if stepwise.standing.status is not Status.BINNED:
            stepwise = after(policy, stepwise, now)
    if stepwise.standing.status is Status.BINNED:
        assert not isinstance(policy.fate(record, now=end), Keep)
    else:
        stepwise = after(policy, stepwise, end)
        at_once = after(policy, record, end)
        assert stepwise.standing.status is at_once.standing.status
        # Whole cycles of an odd length add up to within a rounding of their product.
        settled = at_once.vitality.last_decay_at
        assert stepwise.vitality.last_decay_at == pytest.approx(settled, abs=0.001)
        assert replace(stepwise.vitality, last_decay_at=settled) == at_once.vitality


@of_every_policy
def test_a_useful_verdict_never_shortens_a_life(policy: ForgettingPolicy, data: Any) -> None:
    record = data.draw(memories().filter(lambda memory: memory.vitality.strength > 0))
    useful = accessed(policy.judge(record, Judgement.USEFUL, turn=7, now=NOW), now=NOW)
    before, now = policy.forgotten_at(record), policy.forgotten_at(useful)
    assert useful.vitality.useful_score > record.vitality.useful_score
    assert now is None or (before is not None and now >= before - 1)


@of_every_policy
def test_a_verdict_of_a_turn_counts_once(policy: ForgettingPolicy, data: Any) -> None:
    verdicts = st.sampled_from([Judgement.USEFUL, Judgement.USELESS])
    once = policy.judge(data.draw(memories()), data.draw(verdicts), turn=7, now=NOW)
    assert policy.judge(once, data.draw(verdicts), turn=7, now=NOW + DAY) == once


@of_every_policy
def test_a_memory_goes_when_foretold_and_not_before(policy: ForgettingPolicy, data: Any) -> None:
    record = data.draw(memories().filter(lambda memory: memory.vitality.strength > 0))
    at = policy.forgotten_at(record)
    if at is None:
        assert isinstance(policy.fate(record, now=NOW + 4_000 * DAY), Keep)
        return
    assert math.isfinite(at)
    assert not isinstance(policy.fate(record, now=at + 0.001), Keep)
    if at - 1 > record.created_at:
        assert isinstance(policy.fate(record, now=at - 1), Keep)


@of_every_policy
def test_a_population_fares_as_each_of_its_memories(policy: ForgettingPolicy, data: Any) -> None:
    kept = data.draw(st.lists(memories(), min_size=1, max_size=8))
    if policy.archives:
        kept += map(archived, kept[:2])
    now, rows = data.draw(later), Population.of(kept)
    fates, times = policy.fates(rows, now=now), policy.forgotten_times(rows)
    for number, (record, told) in enumerate(zip(kept, policy.each(kept, now=now), strict=True)):
        fate, at = policy.fate(record, now=now), policy.forgotten_at(record)
        assert (action_of(told), told.vitality) == (action_of(fate), fate.vitality)
        assert Action(fates.action[number]) is action_of(fate)
        assert fates.strength[number] == fate.vitality.strength
        assert fates.useful_score[number] == fate.vitality.useful_score
        assert fates.last_decay_at[number] == fate.vitality.last_decay_at
        assert times[number] == (math.inf if at is None else at)


@of_every_policy
def test_verdicts_on_rows_are_verdicts_on_memories(policy: ForgettingPolicy, data: Any) -> None:
    kept = data.draw(st.lists(memories(), min_size=1, max_size=6))
    useful = data.draw(st.lists(st.booleans(), min_size=len(kept), max_size=len(kept)))
    rows = policy.judge_rows(
        Population.of(kept), np.arange(len(kept)), np.array(useful, dtype=bool), now=NOW
    )
    for number, record in enumerate(kept):
        judgement = Judgement.USEFUL if useful[number] else Judgement.USELESS
        one = accessed(policy.judge(record, judgement, turn=7, now=NOW), now=NOW)
        assert one.vitality == replace(
            one.vitality,
            strength=int(rows.strength[number]),
            useful_count=int(rows.useful_count[number]),
            useful_score=float(rows.useful_score[number]),
            last_recalled_at=float(rows.last_recalled_at[number]),
        )
        assert rows.stability[number] == pytest.approx(one.vitality.stability)
        assert rows.difficulty[number] == pytest.approx(one.vitality.difficulty)
        assert rows.recalls[number] == one.access.count - 1
        assert rows.last_access_at[number] == one.access.last_at


@of_every_policy
def test_extreme_ages_give_finite_numbers(policy: ForgettingPolicy, data: Any) -> None:
    record, now = data.draw(memories()), data.draw(st.sampled_from([1e12, 1e15, 1e300]))
    fate = policy.fate(record, now=now)
    assert math.isfinite(fate.vitality.last_decay_at)
    assert fate.vitality.strength >= 0
    if not isinstance(fate, Keep):
        assert all(math.isfinite(number) for number in fate.numbers.values())


@of_every_policy
def test_fitting_to_a_scope_is_settled_after_one_pass(policy: ForgettingPolicy, data: Any) -> None:
    rows, now = Population.of(data.draw(st.lists(memories(), min_size=1, max_size=30))), NOW + 1
    fates = policy.fitted(rows, now=now).fates(rows, now=now)
    left = replace(
        rows,
        strength=fates.strength,
        useful_score=fates.useful_score,
        last_decay_at=fates.last_decay_at,
        archived=rows.archived | (fates.action == Action.ARCHIVE),
    ).take(fates.action <= Action.ARCHIVE)
    again = policy.fitted(left, now=now).fates(left, now=now)
    assert not np.any(again.gone)
    assert np.array_equal(again.strength, left.strength)


def test_populations_are_joined_and_taken_row_by_row() -> None:
    from ...samples import memory

    first, second = Population.of([memory(id="a")]), Population.of([memory(id="b")])
    both = joined([first, second])
    assert len(both) == 2
    assert list(both.take(np.array([1])).luck) == list(second.luck)
