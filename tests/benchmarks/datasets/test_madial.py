"""MADial's files: memories as facts of their user, dialogues up to the turn that asks."""

import json
from datetime import UTC, datetime

from astrbot_plugin_tidemark.benchmarks.datasets import madial
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.memory import Kind, Mood

from .conftest import Write

CHAT = [
    "<BOD>\n",
    '<Kim>:"我今天捡到一只海星！"\n',
    '<Assistant>:"真好看！"\n',
    '<Kim>:"可以养在家里吗？"\n',
    '<Assistant>:"你记得上次的螃蟹吗？"\n',
    '<Kim>:"记得。"\n',
    "<EOD>\n",
]


def told(label: str, text: str, user: int = 1, **more: object) -> str:
    fields = {"time": "2023-12-25", "emotion": "开心", "event": text, "user-id": user, "id": label}
    return json.dumps({label: fields | more}, ensure_ascii=False)


def asked(*relevant: int, user: int = 1, **more: object) -> str:
    fields = {"dialogue": CHAT, "test-turn": [4], "relevant-id": relevant, "user-id": user}
    return json.dumps(fields | more, ensure_ascii=False)


def data(write: Write, memories: list[str], dialogues: list[str]) -> list[madial.World]:
    write("memories.jsonl", "\n".join(memories))
    return madial.read(write("dialogues.jsonl", "\n".join(dialogues) + "\n"), Complaints())


def test_a_memory_is_a_fact_of_its_day(write: Write) -> None:
    (world,) = data(write, [told("7", "Kim捡到一只螃蟹，很开心。")], [asked(7)])
    (memory,) = world.memories
    assert (memory.id, memory.kind, memory.text) == (
        "m7",
        Kind.SEMANTIC,
        "Kim捡到一只螃蟹，很开心。",
    )
    happened = datetime.fromtimestamp(memory.happened_at, UTC)
    assert happened.date().isoformat() == "2023-12-25"
    assert memory.sentiment.mood is Mood.POSITIVE
    assert world.now > memory.happened_at


def test_a_dialogue_asks_with_the_last_turn_before_its_test(write: Write) -> None:
    (world,) = data(write, [told("7", "x")], [asked(7)])
    (probe,) = world.probes
    assert probe.text == "可以养在家里吗？"
    assert [(said.role, said.text) for said in probe.before] == [
        (Role.USER, "我今天捡到一只海星！"),
        (Role.ASSISTANT, "真好看！"),
        (Role.USER, "可以养在家里吗？"),
    ]


def test_each_user_has_a_world_of_their_own(write: Write) -> None:
    worlds = data(write, [told("1", "a"), told("2", "b", user=2)], [asked(2, user=2), asked(1)])
    assert [[memory.id for memory in world.memories] for world in worlds] == [["m1"], ["m2"]]
    assert [[probe.gold for probe in world.probes] for world in worlds] == [[{"m1"}], [{"m2"}]]


def test_a_probe_knows_what_the_companion_answers(write: Write, complaints: Complaints) -> None:
    write("memories.jsonl", told("1", "a"))
    (world,) = madial.read(write("dialogues.jsonl", asked(1)), complaints)
    assert world.probes[0].answer == "你记得上次的螃蟹吗？"
