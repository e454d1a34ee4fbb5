"""What people say in a soak of hours tells where it was said; each kind of leak is noticed."""

import random
from dataclasses import replace

from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.endurance_people import (
    GROUPS,
    Cast,
    Line,
    misheard,
    misplanned,
)

from ..samples import turn

PLAN = "Turn 3 by 901 in 6001: I'm going to load ship 3 with 0badcafe tomorrow"
TURN = turn(1, PLAN, Role.BYSTANDER)


def lines(rule: str, many: int = 300) -> list[Line]:
    return [each for each, _ in _said(rule, many)]


def _said(rule: str, many: int) -> list[tuple[Line, Cast]]:
    cast = Cast(random.Random(7))
    cast.rules = dict.fromkeys(GROUPS, rule)
    return [(cast.next(), cast) for _ in range(many)]


def test_what_the_rule_of_a_group_leaves_out_is_told_apart() -> None:
    assert all(line.recorded for line in lines("all"))
    assert all(line.recorded == line.addressed for line in lines("addressed"))
    assert all(line.recorded == (line.group is None) for line in lines("none"))
    assert all(line.text.startswith("Turn ") == line.recorded for line in lines("none"))


def test_plans_of_another_chat_and_plans_told_twice_are_noticed() -> None:
    plans = {"0badcafe": "6001"}
    assert misplanned(f"1. {PLAN}", "6001", plans) == []
    assert misplanned(f"1. {PLAN}", "901", plans) == ["leaked: plan 0badcafe of 6001 in 901"]
    assert misplanned(f"{PLAN}\n{PLAN}", "6001", plans) == ["plan 0badcafe is told 2 times"]


def test_what_was_not_to_be_recorded_is_noticed() -> None:
    hushed = replace(TURN, text="Hushed 5 by 902 in 6001: the cargo is wool")
    assert misheard([hushed], [], []) == [f"recorded: {hushed.text}"]
