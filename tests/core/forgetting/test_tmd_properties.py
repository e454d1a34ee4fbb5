"""What holds for every memory, every policy and every sequence of events under TMD."""

import math
from collections.abc import Sequence
from dataclasses import replace

from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import JUDGED_WINDOW, Tmd, TmdParameters, merged
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, UserFeedback, Vitality
from astrbot_plugin_tidemark.core.settings import DecayOverride, DecaySettings
from hypothesis import given
from hypothesis import strategies as st

from ...samples import memory

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
