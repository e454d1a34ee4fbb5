"""What is generated: the form of the settings, its texts, the pages of commands and settings."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_type_hints

from ..commands.chat.catalogue import COMMANDS
from ..commands.chat.phrases import FILES, FOLDER, Phrases, load_phrases
from ..commands.web.catalogue import ROUTES
from ..core.settings import ENTRIES, Setting
from ..core.settings.form import bounds, schema, texts
from .page_types import page_types

ROOT = Path(__file__).resolve().parent.parent

SCHEMA = ROOT / "_conf_schema.json"

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
        SCHEMA: _json(schema()),
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
    words = _WORDS[language]
    for entry in ENTRIES:
        title, hint, *labels = entry.words[language]
        if isinstance(entry, Setting):
            meaning = words["colon"].join(part for part in (title, hint) if part)
            values = _values(entry, labels[0] if labels else ())
            default = f"`{json.dumps(entry.default, ensure_ascii=False)}`"
            yield f"| `{entry.name}` | {default} | {values} | {_cell(meaning)} |"
        else:
            heading = "###" if "." not in entry.name else "####"
            yield from ("", f"{heading} {title} · `{entry.name}`", "", hint, "")
            yield from (words["settings"], "|---|---|---|---|")


def _values(setting: Setting, labels: Iterable[str]) -> str:
    if labels:
        pairs = zip(setting.wanted.choices, labels, strict=True)
        return ", ".join(f"`{choice}` {label}" for choice, label in pairs)
    return "..".join(bounds(setting.wanted) or ())


def _catalogue(language: str) -> str:
    """The host's catalogue with the settings' texts; everything else in it is written by hand."""
    file = FOLDER / FILES[language]
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return _json(known | {"config": texts(language)})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
