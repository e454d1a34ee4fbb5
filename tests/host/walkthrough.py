"""A person's walk through the plugin: what they type, what they are told, and how it reads."""

import re
from dataclasses import dataclass, field

from astrbot_plugin_tidemark.commands.chat.listing import LONGEST_ANSWER
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench

LONGEST_TALK = 600
"""Characters of the rehearsal model's own answers."""

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}")
_TECHNICAL = re.compile(r"Traceback|Exception|Error\b|\bNone\b|\bTrue\b|\bFalse\b|[{}]|0x[0-9a-f]")
_TO_TYPE = re.compile(
    r"/memory [a-z -]+(?:[A-Z0-9]{6})?|/[a-z]+|AstrBot"  # a command, with its code
    r"|“[^”]*”"  # somebody's own words
    r"|\b[a-z0-9_]+(?:\.[a-z0-9_]+)+\b|^[a-z-]+(?=（|：)"  # a setting, a command
    r"|\b[0-9a-f]{6,12}\b",  # an id
    re.MULTILINE,
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_ENGLISH = re.compile(r"[A-Za-z]{2,}")


@dataclass
class Walkthrough:
    """One person in one chat. `names` are words of any language that people brought along."""

    host: Bench
    user: int
    language: str
    group: int | None = None
    names: frozenset[str] = frozenset()
    lines: list[str] = field(default_factory=list[str])

    async def say(self, text: str) -> str:
        mention = self.group is not None and not text.startswith("/")
        answer = await self.host.chat.ask(
            self.user, text, group=self.group, mention=mention, timeout=90.0
        )
        self.lines += [f"> {text}", f"< {answer}"]
        complaints = unpleasant(answer, self.language, self.names)
        assert complaints == [], f"{complaints}\n" + "\n".join(self.lines[-2:])
        return answer

    async def another_day(self) -> None:
        """A new conversation: the model no longer sees what was said in this one."""
        await self.host.chat.ask(self.user, "/new", group=self.group)

    async def hears(self, text: str, *wanted: str) -> str:
        """Say it; every one of `wanted` is in the answer."""
        answer = await self.say(text)
        missing = [part for part in wanted if part not in answer]
        assert missing == [], f"{missing} not in\n" + "\n".join(self.lines[-2:])
        return answer

    async def id_of(self, text: str) -> str:
        """The short id under which the caller's own list shows the memory with this text."""
        for line in (await self.say("/memory mine")).splitlines():
            if text in line:
                return line.split()[0]
        raise AssertionError(f"{text} is not listed:\n" + "\n".join(self.lines[-2:]))


def unpleasant(answer: str, language: str, names: frozenset[str]) -> list[str]:
    """What a person would not like about an answer; empty if nothing."""
    said = _TO_TYPE.sub(" ", answer)
    for name in names:
        said = said.replace(name, " ")
    complaints = [
        "too long" if len(answer) > LONGEST_ANSWER else "",
        "a full id" if _UUID.search(answer) else "",
        "technical" if _TECHNICAL.search(said) else "",
    ]
    if language == "zh":
        complaints += [f"English: {word}" for word in _ENGLISH.findall(said)]
    else:
        complaints += [f"Chinese: {word}" for word in _CHINESE.findall(said)]
    return [complaint for complaint in complaints if complaint]
