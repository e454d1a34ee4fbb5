"""What the fit of recall asks, keeps, and makes of questions about one's own life."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.datasets.world import PRESENT, Said, World
from astrbot_plugin_tidemark.benchmarks.fit_recall_cases import Case
from astrbot_plugin_tidemark.benchmarks.fit_recall_models import (
    as_silent,
    fitted,
    turn_logit,
)
from astrbot_plugin_tidemark.benchmarks.fit_recall_rows import kept
from astrbot_plugin_tidemark.benchmarks.fit_recall_worlds import (
    Life,
    Mix,
    Sources,
    asked_of,
    changed,
    populated,
)
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.scoring.coefficients import Footing
from astrbot_plugin_tidemark.core.scoring.columns import PLACES, Column, TurnColumn
from astrbot_plugin_tidemark.core.scoring.defaults import FITTED

MODEL = replace(
    FITTED[Footing.DENSE],
    candidate={Column.CONTRAST: 1.0},
    base=0.0,
    best=1.0,
    second=0.0,
    fifth=0.0,
    level=0.0,
)


def case(contrast: float, *, own: bool) -> Case:
    """A question with one candidate, the memory that is needed."""
    rows = np.zeros((1, len(PLACES)), np.float32)
    rows[0, PLACES[Column.CONTRAST]] = contrast
    known = {**dict.fromkeys(TurnColumn, 0.0), TurnColumn.OWN: float(own)}
    return Case(
        "life", "said", "Ann", "en", 30, "need", "", "", known, rows, np.zeros(1, np.int64), 1
    )


def test_so_many_turns_that_need_nothing_are_silent_in_stores_of_every_size() -> None:
    quiet = [
        replace(case(near / 100 + size / 1_000, own=False), kind="remark", size=size, wanted=0)
        for size in (30, 300, 3_000)
        for near in range(100)
    ]
    answered = [case(near / 10, own=True) for near in range(20, 40)]
    model = as_silent(MODEL, [*quiet, *answered], 0.9)
    for size in (30, 300, 3_000):
        silent = [turn_logit(each, model) < 0.0 for each in quiet if each.size == size]
        assert sum(silent) >= 0.9 * len(silent)


def test_a_question_of_which_nothing_was_found_is_out_of_reach() -> None:
    found_nothing = replace(case(1.0, own=True), rows=np.array([], np.float32))
    model = as_silent(MODEL, [found_nothing, replace(case(0.0, own=False), kind="remark")], 0.9)
    assert turn_logit(found_nothing, model) < 0.0


def test_of_the_written_changes_only_the_half_in_sight_is_fitted_on() -> None:
    worlds = changed(Complaints())
    assert {language for _, language, _ in worlds} == {"zh", "en"}
    labels = [said.label for _, _, world in worlds for said in world.turns]
    assert labels
    assert all(label.startswith("ca-") for label in labels)
    assert all(int(label.partition(":")[0][-3:]) % 2 for label in labels)
    golds = {label for _, _, world in worlds for probe in world.probes for label in probe.gold}
    assert golds <= set(labels)


def test_what_is_asked_of_another_s_attribute_is_not_taken_for_a_question_without_an_answer() -> (
    None
):
    lives = tuple(
        Life(family, Mix.SAID, language, world, (), {})
        for family, language, world in changed(Complaints())
    )
    others = Sources(lives, (), {}, {"zh": (), "en": ()})
    met = 0
    for life in lives:
        slots = {probe.category for probe in life.world.probes}
        asked = asked_of(life, frozenset(), others, Random(1))
        foreign = {each.probe.category for each in asked if each.kind == "foreign"}
        assert not slots & foreign
        met += len(foreign)
    assert met


def test_with_an_order_only_candidate_and_turn_are_fitted_anew() -> None:
    cases = [case(near / 10, own=False) for near in range(10)]
    quiet = Case(
        "life",
        "said",
        "Ann",
        "en",
        30,
        "opening",
        "",
        "",
        dict.fromkeys(TurnColumn, 0.0),
        cases[0].rows,
        np.full(1, -1),
        0,
    )
    model = fitted([*cases, quiet], Footing.DENSE, MODEL)
    assert (model.ranking, model.share) == (MODEL.ranking, MODEL.share)
    assert model.candidate != MODEL.candidate


def test_cases_of_a_life_are_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "local" / "life.pickle"
    assert kept(file) is None
    kept(file, [case(0.5, own=True)])
    found = kept(file)
    assert found is not None
    assert [each.text for each in found] == [""]
    assert [each.name for each in file.parent.iterdir()] == [file.name]


async def test_who_speaks_in_a_group_is_known_to_the_fit_as_it_is_in_use(tmp_path: Path) -> None:
    scope = Scope(ScopeKind.GROUP, "bench", "friends")
    said = Said(Speaker("ann", "Ann"), "I have two cats.", PRESENT)
    life = Life("locomo", Mix.SAID, "en", World("friends", scope, PRESENT, (said,)), (), {})
    others = Sources((life,), (), {"en": ()}, {"en": ()})
    async with populated(life, 30, others, tmp_path, None) as (engine, _):
        assert await engine.people.called([scope.owner]) == {"ann"}
