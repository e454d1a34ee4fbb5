"""The message catalogue: everything the plugin says to people, in both languages."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

FOLDER = Path(__file__).resolve().parents[2] / ".astrbot-plugin" / "i18n"
FILES: Mapping[str, str] = {"zh": "zh-CN.json", "en": "en-US.json"}
"""By the code of the language."""

ELSE = "en"
"""What is spoken to people of every other language."""


@dataclass(frozen=True, slots=True)
class Words:
    """How a setting or a group of settings is described; a label for each of its choices."""

    description: str
    hint: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Phrases:
    """Messages by language and dotted key; each is a `str.format` template.

    `settings` are the words of the settings form by dotted name.
    """

    messages: Mapping[str, Mapping[str, str]]
    settings: Mapping[str, Mapping[str, Words]]

    def say(self, language: str, key: str, **values: object) -> str:
        """The message with its placeholders filled. Raises KeyError for an unknown key."""
        return self.messages.get(language, self.messages[ELSE])[key].format(**values)

    def has(self, key: str) -> bool:
        """Whether there is a message of that key."""
        return key in self.messages[ELSE]


def load_phrases(folder: Path = FOLDER) -> Phrases:
    """Read the catalogues that the host's web pages use too."""
    messages: dict[str, dict[str, str]] = {}
    settings: dict[str, dict[str, Words]] = {}
    for language, name in FILES.items():
        file = json.loads((folder / name).read_text(encoding="utf-8"))
        messages[language] = dict(_flat(file["messages"], ""))
        settings[language] = dict(_described(file["config"], ""))
    return Phrases(messages, settings)


def _described(section: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Words]]:
    for name, entry in section.items():
        if isinstance(entry, dict):
            words = cast("dict[str, Any]", entry)
            labels = tuple(words.get("labels", ()))
            yield prefix + name, Words(words["description"], words["hint"], labels)
            yield from _described(words, f"{prefix}{name}.")


def _flat(section: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in section.items():
        if isinstance(value, str):
            yield prefix + name, value
        else:
            yield from _flat(value, f"{prefix}{name}.")
