"""The message catalogue: everything the plugin says to people, in both languages."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.text.language import Language

FOLDER = Path(__file__).resolve().parent.parent / ".astrbot-plugin" / "i18n"
FILES: Mapping[Language, str] = {"zh": "zh-CN.json", "en": "en-US.json"}


@dataclass(frozen=True, slots=True)
class Phrases:
    """Messages by language and dotted key; each is a `str.format` template."""

    messages: Mapping[Language, Mapping[str, str]]

    def say(self, language: Language, key: str, **values: object) -> str:
        """The message with its placeholders filled. Raises KeyError for an unknown key."""
        return self.messages[language][key].format(**values)


def load_phrases(folder: Path = FOLDER) -> Phrases:
    """Read the catalogues that the host's web pages use too, their `messages` section."""
    return Phrases({language: messages_in(folder / name) for language, name in FILES.items()})


def messages_in(file: Path) -> dict[str, str]:
    """The messages of one catalogue by dotted key."""
    return dict(_flat(json.loads(file.read_text(encoding="utf-8"))["messages"], ""))


def _flat(section: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in section.items():
        if isinstance(value, str):
            yield prefix + name, value
        else:
            yield from _flat(value, f"{prefix}{name}.")
