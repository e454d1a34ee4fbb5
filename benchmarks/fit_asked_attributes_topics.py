"""Topics of a life, the attributes that answer a question about each, and questions by topic."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.conflict.slots import canonical
from ..core.records.claims import of_relative

OTHER = "other"
"""What is asked of a life that is none of the topics."""

TOPICS: Mapping[str, tuple[str, ...]] = {
    topic: tuple(keys.split())
    for topic, keys in {
        "residence": "residence house",
        "home_town": "home_town nationality",
        "workplace": "workplace job department",
        "job": "job workplace department",
        "school": "school major course",
        "thesis": "thesis",
        "partner": "partner marital",
        "marriage_date": "marriage_date",
        "child": "child family baby pregnancy",
        "pet": "pet",
        "allergy": "allergy diet",
        "diet": "diet allergy",
        "food": "favourite:food favourite:dish favourite:cuisine favourite:breakfast favourite",
        "drink": "favourite:drink favourite:beverage favourite:coffee favourite:tea favourite",
        "alcohol": "alcohol",
        "smoking": "smoking",
        "illness": "illness health injury medication",
        "medication": "medication",
        "phone": "device:phone device",
        "computer": "device:computer device:camera device keyboard camera",
        "car": "car bike",
        "driving_licence": "driving_licence",
        "commute": "commute",
        "gym": "gym exercise",
        "exercise": "exercise sport gym",
        "hobby": "hobby club",
        "instrument": "instrument hobby",
        "language": "language",
        "music": "favourite:music favourite:singer favourite:band favourite:artist favourite",
        "game": "game favourite:game favourite",
        "film": "favourite:film favourite:movie favourite:show show favourite",
        "book": "favourite:book favourite:author reading favourite",
        "colour": "favourite:colour favourite:color favourite",
        "team": "team favourite:team club",
        "boss": "boss",
        "landlord": "landlord rent",
        "flatmate": "flatmate",
        "work_schedule": "schedule:work schedule work_hours",
        "work_mode": "work_mode",
        "sleep": "schedule:sleep bedtime wake_time sleep schedule",
        "activity_day": "schedule",
        "contact_phone": "contact:phone contact",
        "contact_email": "contact:email contact:wechat contact",
        "name": "name",
        "nickname": "nickname form_of_address instruction",
        "age": "age birthday",
        "birthday": "birthday age zodiac",
        "height": "height",
        "weight": "weight",
        "glasses": "glasses",
        "hair": "hair hairstyle",
        "debt": "debt savings",
        "bank": "bank",
        "business": "business",
        "provider": "provider subscription insurance",
        "volunteering": "volunteering",
        "tattoo": "tattoo",
        "instruction": "instruction form_of_address",
        "salary": "salary",
        "doctor": "doctor dentist",
        "religion": "religion",
        "course": "course exam school major",
        "home_detail": "garden plant house",
        OTHER: "",
    }.items()
}

LIFE = frozenset({"self", "people", "event", "plan", "talk"})
"""Classes of `asking_*.jsonl` that ask for what is remembered."""

WRITTEN_BY = "i"
LABELLED = "cdegh"


@dataclass(frozen=True, slots=True)
class Question:
    """What a hand wrote, and the topic that it asks for; `asks` is "" where it needs nothing."""

    text: str
    language: str
    hand: str
    asks: str
    attribute: str = ""
    past: bool = False


def fitted_on(folder: Path) -> list[Question]:
    """The questions of the fit."""
    return [*_written(folder), *_labelled(folder)]


def files() -> list[str]:
    """Names of what the fit is made from."""
    return [
        f"attributes_{WRITTEN_BY}",
        "attributes_asking",
        *(f"asking_{hand}" for hand in LABELLED),
    ]


def changes(folder: Path) -> list[Question]:
    """The questions of the changes, with the attribute that the change is of."""
    return [
        Question(text, item["language"], hand, "", canonical(of_relative(item["slot"])[1]), past)
        for hand in "ab"
        for item in _items(folder / f"changes_{hand}.jsonl")
        for past, texts in ((False, item["ask_now"]), (True, item["ask_past"]))
        for text in texts
    ]


def idle(folder: Path) -> list[Question]:
    """Turns that need nothing, of hands that are in no fit."""
    everyday = [
        Question(item["text"], item["language"], hand, "")
        for hand in "ab"
        for item in _items(folder / f"everyday_{hand}.jsonl")
        if item["class"] != "unanswerable"
    ]
    asking = [
        Question(item["text"], item["language"], "f", "")
        for item in _items(folder / "asking_f.jsonl")
        if item["class"] not in LIFE
    ]
    return [*everyday, *asking]


def _written(folder: Path) -> Iterator[Question]:
    for item in _items(folder / f"attributes_{WRITTEN_BY}.jsonl"):
        yield Question(item["text"], item["language"], WRITTEN_BY, item["asks"])


def _labelled(folder: Path) -> Iterator[Question]:
    """What asks for memory; what none of the topics is asked for, or nobody can tell which."""
    topics = json.loads((folder / "attributes_asking.json").read_text("utf-8"))
    for hand in LABELLED:
        for item in _items(folder / f"asking_{hand}.jsonl"):
            topic = topics.get(item["id"], OTHER)
            if item["class"] in LIFE and topic is not None:
                yield Question(item["text"], item["language"], hand, topic)


def _items(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").rstrip("\n").split("\n")]
