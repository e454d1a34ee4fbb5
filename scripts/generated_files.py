"""What is generated: the form of the settings, its texts, the pages of commands and settings."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

from ..commands.chat.catalogue import COMMANDS
from ..commands.chat.phrases import FILES, FOLDER, Phrases, Words, load_phrases
from ..commands.web.catalogue import ROUTES
from ..core.forgetting.catalogue import labels
from ..core.settings import ENTRIES, Setting
from .page_types import page_types
from .settings_form import bounds, schema

ROOT = Path(__file__).resolve().parent.parent

SCHEMA = ROOT / "_conf_schema.json"
FORM_LANGUAGE, POLICY = "zh", "forgetting.policy"
"""Of the texts in the form itself; the host has others from the catalogues."""

_NOTE = "<!-- Written by `python -m scripts.render`: edit the declarations, not this page. -->"
_WORDS: Mapping[str, Mapping[str, str]] = {
    "zh": {
        "language": "中文",
        "everybody": "所有人",
        "admins": "管理员",
        "commands": "| 命令 | 说明 |",
        "in_full": "细节：`/memory help 命令`；用法：[运维](operations.md)。",
        "stop": "。",
        "colon": "：",
    },
    "en": {
        "language": "English",
        "everybody": "Everybody",
        "admins": "Admins",
        "commands": "| Command | What it does |",
        "in_full": "In full: `/memory help COMMAND`; in use: [operations](operations.en.md).",
        "stop": ". ",
        "colon": ": ",
    },
}
_COLUMNS = "| 设置 | 默认 Default | 取值 Values | 说明 | Meaning |"


def files() -> dict[Path, str]:
    """Each generated file and what it should say."""
    return {
        SCHEMA: _json(schema(_described(FORM_LANGUAGE))),
        **{FOLDER / file: _catalogue(language) for language, file in FILES.items()},
        ROOT / "docs" / "commands.md": _page(
            "命令 · Commands", "每条 `/memory` 命令。Every `/memory` command.", _commands()
        ),
        ROOT / "docs" / "configuration.md": _page(
            "设置 · Settings", "每一项设置。Every setting.", _settings()
        ),
        ROOT / "pages" / "tidemark" / "lib" / "types.js": page_types(
            get_type_hints(route.run)["return"] for route in ROUTES
        ),
    }


def _page(title: str, purpose: str, lines: Iterable[str]) -> str:
    return "\n".join([f"# {title}", "", purpose, "", _NOTE, *lines]) + "\n"


def _commands() -> Iterator[str]:
    phrases = load_phrases()
    for language in FILES:
        words = _WORDS[language]
        yield from ("", f"## {words['language']}")
        for whose, admin in (("everybody", False), ("admins", True)):
            yield from ("", f"### {words[whose]}", "")
            yield from (words["in_full"], "") if admin else ()
            yield from (words["commands"], "|---|---|")
            for name in (each.name for each in COMMANDS if each.admin is admin):
                usage = _cell(f"`/memory {phrases.say(language, f'usage.{name}')}`")
                yield f"| {usage} | {_cell(_meaning(phrases, language, name, brief=admin))} |"


def _meaning(phrases: Phrases, language: str, name: str, *, brief: bool) -> str:
    """What a command does; the details of an admin's are told by the pages and by its help."""
    summary = phrases.say(language, f"summary.{name}")
    told = f"{summary[0].upper()}{summary[1:]}"
    return (
        told
        if brief
        else f"{told}{_WORDS[language]['stop']}{phrases.say(language, f'detail.{name}')}"
    )


def _settings() -> Iterator[str]:
    """A table for each group; what does not depend on the language is said once."""
    described = {language: _described(language) for language in FILES}
    for entry in ENTRIES:
        told = {language: words[entry.name] for language, words in described.items()}
        if isinstance(entry, Setting):
            default = f"`{json.dumps(entry.default, ensure_ascii=False)}`"
            cells = (f"`{entry.name}`", default, _values(entry, told), *map(_said, told.items()))
            yield f"| {' | '.join(cells)} |"
        else:
            heading = "##" if "." not in entry.name else "###"
            titles = " · ".join(words.description for words in told.values())
            yield from ("", f"{heading} {titles} · `{entry.name}`", "")
            yield from (f"{words.hint}  " for words in told.values())
            yield from ("", _COLUMNS, "|---|---|---|---|---|")


def _said(told: tuple[str, Words]) -> str:
    language, words = told
    return _cell(_WORDS[language]["colon"].join(filter(None, (words.description, words.hint))))


def _described(language: str) -> Mapping[str, Words]:
    """What is said of every setting; a policy is called what it says of itself."""
    told = dict(load_phrases().settings[language])
    return told | {POLICY: replace(told[POLICY], labels=labels(language))}


def _values(setting: Setting, told: Mapping[str, Words]) -> str:
    labels = [words.labels for words in told.values()]
    if all(labels):
        named = zip(setting.wanted.choices, *labels, strict=True)
        return ", ".join(f"`{choice}` {_both(names)}" for choice, *names in named)
    return "..".join(bounds(setting.wanted) or ())


def _both(names: Iterable[str]) -> str:
    """A label in each language; one that is the same in all stands once."""
    return " / ".join(dict.fromkeys(names))


def _catalogue(language: str) -> str:
    """The host's catalogue with what the policies are called, and the rest as it is written."""
    file = FOLDER / FILES[language]
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    known["config"]["forgetting"]["policy"]["labels"] = list(labels(language))
    return _json(known)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
