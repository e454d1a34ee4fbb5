"""The everyday turns and the changes that two hands wrote for the benchmarks."""

import json

from astrbot_plugin_tidemark.benchmarks.datasets.everyday import TurnClass, changes, everyday
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.core.model.conversation import Role

from .conftest import Write

TURN = {"id": "1", "language": "en", "class": "follow_up", "text": "And with eggs?"}
CHANGE = {
    "id": "c1",
    "language": "en",
    "slot": "residence",
    "said": [
        {"days_ago": 5, "text": "I moved to Bergen", "value": "Bergen", "state": "current"},
        {"days_ago": 90, "text": "I live in Oslo", "value": "Oslo", "state": "old"},
    ],
    "ask_now": ["Where do I live?"],
    "ask_past": [],
    "current": ["Bergen"],
    "stale": ["Oslo"],
    "listed": True,
}


def lines(*items: object) -> str:
    return "\n".join(json.dumps(item, ensure_ascii=False) for item in items)


def test_turns_have_their_hand_class_and_history(write: Write, complaints: Complaints) -> None:
    before = [{"role": "user", "text": "How do I boil rice?"}, {"role": "bot", "text": "So."}]
    write("everyday_a.jsonl", lines(TURN | {"before": before}))
    first, second = everyday(complaints, write("everyday_b.jsonl", lines(TURN)))
    assert (first.hand, second.hand, first.kind) == ("a", "b", TurnClass.FOLLOW_UP)
    assert [(one.role, one.text) for one in first.before] == [
        (Role.USER, "How do I boil rice?"),
        (Role.ASSISTANT, "So."),
    ]


def test_a_change_is_told_in_the_order_of_its_days(write: Write, complaints: Complaints) -> None:
    (change,) = changes(complaints, write("changes_a.jsonl", lines(CHANGE)))
    assert [(told.value, told.current) for told in change.told] == [
        ("Oslo", False),
        ("Bergen", True),
    ]


def test_what_is_in_the_repository_fits(complaints: Complaints) -> None:
    turns, told = everyday(complaints), changes(complaints)
    assert complaints.found == []
    assert len({(turn.hand, turn.id) for turn in turns}) == len(turns)
    assert len({(change.hand, change.id) for change in told}) == len(told)
