"""ProactiveMemBench: half a year of one person's chat, and turns that need a memory unnamed.

FxyQwQ/ProactiveMemBench: pairs of `NAME_conversations.json` and
`NAME_proactive_questions.json`. A right memory holds one of a question's concepts literally.
Times are read as those of the wall: some carry a zone and some do not, and what is said ("eight
in the evening") is meant there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Role, Speaker
from .reading import Complaints, NoData, files, json_items
from .world import Said

TRIGGERS = {
    "时间相关记忆联想": "time",
    "实体相关记忆联想": "entity",
    "情感相关记忆联想": "emotion",
    "行为模式相关记忆联想": "behaviour",
    "多跳记忆联想": "multi-hop",
}
_CONVERSATIONS = "_conversations.json"
_QUESTIONS = "_proactive_questions.json"


@dataclass(frozen=True, slots=True)
class Concept:
    """What a right memory holds, and the turns of the person and of the bot that hold it."""

    text: str
    person: frozenset[str]
    bot: frozenset[str]

    def held_by(self, text: str) -> bool:
        """Whether a text holds it, spaces aside."""
        return literal(self.text) in literal(text)


@dataclass(frozen=True, slots=True)
class Association:
    """A turn that needs memories of its concepts. `trigger` is a value of `TRIGGERS`."""

    id: str
    text: str
    trigger: str
    difficulty: str
    concepts: tuple[Concept, ...]

    @property
    def reachable(self) -> tuple[Concept, ...]:
        """Those that some turn holds."""
        return tuple(concept for concept in self.concepts if concept.person or concept.bot)


@dataclass(frozen=True, slots=True)
class HalfYear:
    """One person's chats, oldest turn first, and the turns to ask after them."""

    name: str
    turns: tuple[Said, ...]
    associations: tuple[Association, ...]


def read(folder: Path, complaints: Complaints) -> list[HalfYear]:
    """One for each pair of files. Raises NoData if there is none."""
    found: list[HalfYear] = []
    for path in files(folder, f"*{_CONVERSATIONS}"):
        name = path.name.removesuffix(_CONVERSATIONS)
        asked = path.with_name(name + _QUESTIONS)
        turns = tuple(sorted(_turns(name, path, complaints), key=lambda said: said.at))
        if not turns or not asked.is_file():
            complaints.add(path.name, "no turns, or no file of questions")
            continue
        found.append(HalfYear(name, turns, tuple(_associations(asked, turns, complaints))))
    if not found:
        raise NoData(f"{folder} has no half year: {'; '.join(complaints.found)}")
    return found


def literal(text: str) -> str:
    """As concepts are looked for: without spaces, in small letters."""
    return "".join(text.split()).casefold()


def _turns(name: str, path: Path, complaints: Complaints) -> Iterator[Said]:
    for where, session in json_items(path, complaints):
        try:
            number, turns = session["session_id"], session["turns"]
        except (KeyError, TypeError) as error:
            complaints.add(where, repr(error))
            continue
        for turn in turns:
            try:
                yield _said(name, f"S{number}:{turn['turn_id']}", turn)
            except (KeyError, TypeError, ValueError) as error:
                complaints.add(where, repr(error))


def _said(name: str, label: str, turn: Mapping[str, Any]) -> Said:
    at = datetime.fromisoformat(turn["timestamp"]).replace(tzinfo=UTC).timestamp()
    role = Role(turn["role"])
    speaker = Speaker("bot", "") if role is Role.ASSISTANT else Speaker(name, name)
    return Said(speaker, str(turn["content"]), at, label, role)


def _associations(
    path: Path, turns: tuple[Said, ...], complaints: Complaints
) -> Iterator[Association]:
    texts = [(said.label, said.role, literal(said.text)) for said in turns]
    for where, item in json_items(path, complaints):
        try:
            concepts = [str(one["concept"]) for one in item["candidate_set"]]
            yield Association(
                id=str(item["id"]),
                text=str(item["question"]),
                trigger=TRIGGERS[item["trigger_type"]],
                difficulty=str(item["difficulty"]),
                concepts=tuple(_concept(text, texts) for text in concepts if literal(text)),
            )
        except (KeyError, TypeError) as error:
            complaints.add(where, repr(error))


def _concept(text: str, turns: list[tuple[str, Role, str]]) -> Concept:
    wanted = literal(text)
    holding = [(label, role) for label, role, said in turns if wanted in said]
    return Concept(
        text,
        person=frozenset(label for label, role in holding if role is Role.USER),
        bot=frozenset(label for label, role in holding if role is Role.ASSISTANT),
    )
