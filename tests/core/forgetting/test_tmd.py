"""TMD's rules by example and as properties. Algorithms, section 1."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import (
    DAY,
    BinPolicy,
    accessed,
    archived,
    restored,
    to_bin,
)
from astrbot_plugin_tidemark.core.forgetting.rates import Posterior
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import (
    JUDGED_WINDOW,
    Tmd,
    TmdParameters,
    already_judged,
    initial_strength,
    merged,
    round_half_up,
)
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Kind,
    Memory,
    Standing,
    Status,
    UserFeedback,
    Vitality,
)
from astrbot_plugin_tidemark.core.settings import DecayOverride, DecaySettings
from hypothesis import given
from hypothesis import strategies as st

from ...samples import memory

TMD = Tmd()


def test_both_forget_speeds_shorten_the_cycle_which_has_no_end() -> None:
    policy = Tmd(TmdParameters(cycle_tier0_days=12, forget_speed=2, tier0_forget_speed=3))
    assert policy.cycle_seconds == 2 * DAY
    policy = Tmd(TmdParameters(cycle_tier0_days=1e308, forget_speed=0.01, tier0_forget_speed=0.01))
    assert TMD.plan.faded(memory(), now=1e12) != memory().vitality
    assert policy.plan.faded(memory(), now=1e12) == memory().vitality


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (round_half_up, {2.5: 3, 2.49: 2, 0.5: 1, -0.5: 0, 3.0: 3}),
        (initial_strength, {0.0: 4, 0.5: 6, 1.0: 8, 0.125: 5, -3: 4, 9: 8}),
        (TMD.tier, {0.0: 0, 2.99: 0, 3.0: 1, 9.99: 1, 10.0: 2, 1e9: 2}),
    ],
    ids=["halves go upwards", "as strong as important", "a threshold is of the tier above"],
)
def test_a_number_becomes_a_whole_one(
    told: Callable[[float], int], wanted: dict[float, int]
) -> None:
    assert {given: told(given) for given in wanted} == wanted


def test_verdicts_strengthen_and_take_no_more_than_there_is() -> None:
    vitality = Vitality(4)
    for turn in range(4):
        vitality = TMD.judge(vitality, useful=True, turn=turn, now=100.0 + turn)
    assert (vitality.strength, vitality.useful_count, vitality.last_recalled_at) == (8, 4, 103.0)
    spent = Vitality(0, useful_score=5.0)
    assert TMD.judge(spent, useful=False, turn=1, now=0.0).strength == 0
    recalled = Vitality(4, last_recalled_at=500.0)
    assert TMD.judge(recalled, useful=True, turn=1, now=100.0).last_recalled_at == 500.0
    full = Vitality(4, judged=tuple(range(100, 100 + JUDGED_WINDOW)))
    assert already_judged(full, 99)
    assert not already_judged(full, 100 + JUDGED_WINDOW)
    assert not already_judged(Vitality(4, judged=(100,)), 99)


@pytest.mark.parametrize(
    "changes",
    [
        {"vitality": Vitality(4, pinned=True)},
        {"vitality": Vitality(4, useful_score=3.0)},
        {"vitality": Vitality(4, useful_score=10.0)},
        {"kind": Kind.PROSPECTIVE},
        {"feedback": UserFeedback(important=True)},
    ],
    ids=["pinned", "tier 1", "tier 2", "prospective", "important"],
)
def test_time_alone_never_takes(changes: dict) -> None:
    lasting = memory(**changes)
    assert TMD.plan.faded(lasting, now=1e6 * DAY) == lasting.vitality
    assert Tiered(TMD).forgotten_at(lasting) is None


def test_a_memory_fades_by_whole_cycles_and_is_spent_on_day_12() -> None:
    recalled = memory(vitality=Vitality(4, last_recalled_at=10 * DAY))
    assert TMD.plan.faded(recalled, now=12 * DAY).strength == 4
    assert TMD.plan.faded(recalled, now=13 * DAY).strength == 3
    faded = TMD.plan.faded(memory(), now=5 * DAY)
    assert (faded.strength, faded.last_decay_at) == (3, 3 * DAY)
    assert Tiered(TMD).forgotten_at(memory()) == 12 * DAY


def test_pinned_and_important_memories_are_never_spent_others_at_once() -> None:
    assert TMD.plan.spends(memory(vitality=Vitality(0)))
    assert not TMD.plan.spends(memory(vitality=Vitality(0, pinned=True)))
    assert not TMD.plan.spends(memory(vitality=Vitality(0), feedback=UserFeedback(important=True)))
    spent = memory(vitality=Vitality(0, last_decay_at=9 * DAY))
    assert Tiered(TMD).forgotten_at(spent) == 9 * DAY


def test_a_merge_keeps_the_best_of_each_source_and_a_windowful_of_turns() -> None:
    first = Vitality(3, 1, 2.5, False, 10.0, 20.0, (1, 5))
    second = Vitality(2, 4, 10.0, True, 30.0, 5.0, (5, 9))
    assert merged([first, second]) == Vitality(3, 4, 10.0, True, 30.0, 20.0, (1, 5, 9))
    sources = [Vitality(1, judged=tuple(range(start, start + 30))) for start in (0, 30)]
    assert merged(sources).judged == tuple(range(60 - JUDGED_WINDOW, 60))


counts = st.integers(0, 10_000)
posteriors = st.builds(Posterior, counts, counts)


@given(posteriors)
def test_a_useful_verdict_raises_the_mean_and_the_mean_is_a_probability(one: Posterior) -> None:
    assert 0 < one.mean < (one + Posterior(1, 0)).mean < 1
    assert 0 < one.deviation < 0.5


BIN = BinPolicy(30.0)


def binned(**changes: object) -> Memory:
    return to_bin(memory(**changes), now=100.0, reason="decayed", policy=BIN)


def test_only_the_binned_with_its_reason_is_restored_and_ages_anew() -> None:
    assert binned().standing == Standing(Status.BINNED, 100.0, "decayed", 100.0 + 30 * DAY)
    stored = archived(memory(), now=5.0, reason="old")
    assert to_bin(stored, now=6.0, reason="x", policy=BIN).standing.status is Status.BINNED
    assert to_bin(binned(), now=900.0, reason="again", policy=BIN) == binned()
    assert archived(memory(), now=5.0, reason="old").standing == Standing(
        Status.ARCHIVED, 5.0, "old"
    )
    assert archived(binned(), now=5.0, reason="old") == binned()
    assert restored(memory(), now=9.0, reason="by ann", strength=8) == memory()
    later = 400 * DAY
    again = restored(binned(vitality=Vitality(0)), now=later, reason="by ann", strength=4)
    assert Tmd().plan.faded(again, now=later + 1).strength == 4
    assert Tiered(Tmd()).forgotten_at(again) == later + 12 * DAY
    seen = accessed(accessed(memory(), now=50.0), now=20.0)
    assert seen.access == Access(0.0, 50.0, 3)


@pytest.mark.parametrize(("left", "given", "after"), [(0, 4, 4), (7, 4, 7)])
def test_a_restored_memory_has_the_strength_given(left: int, given: int, after: int) -> None:
    again = restored(binned(vitality=Vitality(left)), now=9.0, reason="by ann", strength=given)
    assert again.standing == Standing(Status.LIVE, 9.0, "by ann")
    assert again.vitality.strength == after


moments = st.integers(0, 10**10).map(float)
scores = st.one_of(st.floats(0, 20), st.sampled_from([0.0, 2.5, 3.0, 9.99, 10.0]))
turns = st.lists(st.integers(0, 500), max_size=JUDGED_WINDOW, unique=True)
vitalities = st.builds(
    Vitality,
    strength=st.integers(0, 60),
    useful_count=st.integers(0, 50),
    useful_score=scores,
    pinned=st.booleans(),
    last_recalled_at=moments,
    last_decay_at=moments,
    judged=turns.map(lambda seqs: tuple(sorted(seqs))),
)
memories = st.builds(
    lambda vitality, created, kind, important: memory(
        vitality=vitality, created_at=created, kind=kind, feedback=UserFeedback(important=important)
    ),
    vitalities,
    moments,
    st.sampled_from(Kind),
    st.none() | st.booleans(),
)
policies = st.builds(
    TmdParameters,
    consolidate_speed=st.floats(0.01, 20),
    cycle_tier0_days=st.floats(1, 400),
    forget_speed=st.floats(0.01, 50),
    tier0_forget_speed=st.floats(0.01, 50),
).map(Tmd)


def faded(policy: Tmd, record: Memory, now: float) -> Memory:
    return replace(record, vitality=policy.plan.faded(record, now=now))


@given(policies, vitalities, st.integers(501, 600), moments)
def test_usefulness_never_weakens(policy: Tmd, vitality: Vitality, turn: int, now: float) -> None:
    after = policy.judge(vitality, useful=True, turn=turn, now=now)
    assert after.strength > vitality.strength
    assert after.useful_score > vitality.useful_score
    assert after.last_recalled_at >= vitality.last_recalled_at
    assert policy.tier(after.useful_score) >= policy.tier(vitality.useful_score)


def judge_all(policy: Tmd, verdicts: Sequence[tuple[int, bool]]) -> Vitality:
    vitality = Vitality(50)
    for turn, useful in verdicts:
        vitality = policy.judge(vitality, useful=useful, turn=turn, now=float(turn))
    return vitality


@given(st.data())
def test_the_order_of_verdicts_does_not_decide_which_are_counted(data: st.DataObject) -> None:
    verdicts = data.draw(
        st.lists(
            st.tuples(st.integers(0, 99), st.booleans()),
            max_size=JUDGED_WINDOW,
            unique_by=lambda verdict: verdict[0],
        )
    )
    shuffled = data.draw(st.permutations(verdicts))
    one, other = judge_all(Tmd(), verdicts), judge_all(Tmd(), shuffled)
    assert one.judged == other.judged == tuple(sorted(turn for turn, _ in verdicts))
    assert one.useful_count == other.useful_count == sum(useful for _, useful in verdicts)
    assert one.useful_score == other.useful_score
    assert one.last_recalled_at == other.last_recalled_at


@given(st.lists(vitalities, min_size=1, max_size=5))
def test_a_merge_is_no_weaker_than_any_source(sources: list[Vitality]) -> None:
    result = merged(sources)
    assert all(result.strength >= source.strength for source in sources)
    assert all(result.useful_score >= source.useful_score for source in sources)
    assert result.pinned is any(source.pinned for source in sources)
    assert len(result.judged) <= JUDGED_WINDOW
    assert merged([result, *sources]) == result


@given(
    st.builds(
        DecayOverride,
        enabled=st.just(True),
        tier0_threshold=st.floats(allow_nan=False, allow_infinity=False),
        tier1_threshold=st.floats(allow_nan=False, allow_infinity=False),
        consolidate_speed=st.floats(allow_nan=False, allow_infinity=False),
        cycle_tier0_days=st.floats(allow_nan=False, allow_infinity=False),
        forget_speed=st.floats(allow_nan=False, allow_infinity=False),
        tier0_forget_speed=st.floats(allow_nan=False, allow_infinity=False),
    ),
    memories,
    moments,
)
def test_no_finite_override_breaks_it(override: DecayOverride, record: Memory, now: float) -> None:
    policy = Tmd(DecaySettings(override=override).parameters())
    assert policy.cycle_seconds >= 86_400
    assert policy.tier(math.inf) == 2
    assert 0 <= policy.plan.faded(record, now=now).strength <= record.vitality.strength
    Tiered(policy).forgotten_at(record)
