"""What is generated: the form of the settings, its texts, the pages of commands and settings."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
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
        "commands": "| 命令 | 谁可以用 | 说明 |",
        "settings": "| 设置 | 默认 | 取值 | 说明 |",
        "stop": "。",
        "colon": "：",
    },
    "en": {
        "language": "English",
        "everybody": "everybody",
        "admins": "admins",
        "commands": "| Command | For | What it does |",
        "settings": "| Setting | Default | Values | Meaning |",
        "stop": ". ",
        "colon": ": ",
    },
}


def files() -> dict[Path, str]:
    """Each generated file and what it should say."""
    return {
        SCHEMA: _json(schema(_described(FORM_LANGUAGE))),
        **{FOLDER / file: _catalogue(language) for language, file in FILES.items()},
        ROOT / "docs" / "commands.md": _page("命令 · Commands", _commands),
        ROOT / "docs" / "configuration.md": _page("设置 · Settings", _settings),
        ROOT / "pages" / "tidemark" / "lib" / "types.js": page_types(
            get_type_hints(route.run)["return"] for route in ROUTES
        ),
    }


def _page(title: str, section: Callable[[str], Iterable[str]]) -> str:
    lines = [f"# {title}", "", _NOTE]
    for language in FILES:
        lines += ["", f"## {_WORDS[language]['language']}", *section(language)]
    return "\n".join(lines) + "\n"


def _commands(language: str) -> Iterator[str]:
    phrases, words = load_phrases(), _WORDS[language]
    yield from ("", words["commands"], "|---|---|---|")
    for command in COMMANDS:
        whose = words["admins"] if command.admin else words["everybody"]
        usage = _cell(f"`/memory {phrases.say(language, f'usage.{command.name}')}`")
        yield f"| {usage} | {whose} | {_cell(_meaning(phrases, language, command.name))} |"


def _meaning(phrases: Phrases, language: str, name: str) -> str:
    summary = phrases.say(language, f"summary.{name}")
    detail = phrases.say(language, f"detail.{name}")
    return f"{summary[0].upper()}{summary[1:]}{_WORDS[language]['stop']}{detail}"


def _settings(language: str) -> Iterator[str]:
    words, told = _WORDS[language], _described(language)
    for entry in ENTRIES:
        said = told[entry.name]
        if isinstance(entry, Setting):
            meaning = words["colon"].join(part for part in (said.description, said.hint) if part)
            values = _values(entry, said.labels)
            default = f"`{json.dumps(entry.default, ensure_ascii=False)}`"
            yield f"| `{entry.name}` | {default} | {values} | {_cell(meaning)} |"
        else:
            heading = "###" if "." not in entry.name else "####"
            yield from ("", f"{heading} {said.description} · `{entry.name}`", "", said.hint, "")
            yield from (words["settings"], "|---|---|---|---|")


def _described(language: str) -> Mapping[str, Words]:
    """What is said of every setting; a policy is called what it says of itself."""
    told = dict(load_phrases().settings[language])
    return told | {POLICY: replace(told[POLICY], labels=labels(language))}


def _values(setting: Setting, names: Iterable[str]) -> str:
    if names:
        pairs = zip(setting.wanted.choices, names, strict=True)
        return ", ".join(f"`{choice}` {label}" for choice, label in pairs)
    return "..".join(bounds(setting.wanted) or ())


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
