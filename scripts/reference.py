"""The pages of docs/ that are generated: every command and every setting, in both languages."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..commands.chat.catalogue import COMMANDS
from ..commands.chat.phrases import FILES, FOLDER, Phrases, load_phrases
from ..core.text.language import Language

ROOT = Path(__file__).resolve().parent.parent

SCHEMA = ROOT / "_conf_schema.json"

_NOTE = "<!-- Written by `python -m scripts.render_docs`: edit the catalogues, not this page. -->"
_WORDS: Mapping[Language, Mapping[str, str]] = {
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


def pages() -> dict[Path, str]:
    """Each generated page and what it should say."""
    return {
        ROOT / "docs" / "commands.md": _page("命令 · Commands", _commands),
        ROOT / "docs" / "configuration.md": _page("设置 · Settings", _settings),
    }


def _page(title: str, section: Callable[[Language], Iterable[str]]) -> str:
    lines = [f"# {title}", "", _NOTE]
    for language in FILES:
        lines += ["", f"## {_WORDS[language]['language']}", *section(language)]
    return "\n".join(lines) + "\n"


def _commands(language: Language) -> Iterator[str]:
    phrases, words = load_phrases(), _WORDS[language]
    yield from ("", words["commands"], "|---|---|---|")
    for command in COMMANDS:
        whose = words["admins"] if command.admin else words["everybody"]
        usage = _cell(f"`/memory {phrases.say(language, f'usage.{command.name}')}`")
        yield f"| {usage} | {whose} | {_cell(_meaning(phrases, language, command.name))} |"


def _meaning(phrases: Phrases, language: Language, name: str) -> str:
    summary = phrases.say(language, f"summary.{name}")
    detail = phrases.say(language, f"detail.{name}")
    return f"{summary[0].upper()}{summary[1:]}{_WORDS[language]['stop']}{detail}"


def _settings(language: Language) -> Iterator[str]:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    words = json.loads((FOLDER / FILES[language]).read_text(encoding="utf-8"))["config"]
    for name, group in schema.items():
        section = words[name]
        yield from ("", f"### {section['description']} · `{name}`", "", section["hint"], "")
        yield from (_WORDS[language]["settings"], "|---|---|---|---|")
        yield from _rows(group["items"], section, name, _WORDS[language]["colon"])


def _rows(
    items: Mapping[str, Any], words: Mapping[str, Any], path: str, colon: str
) -> Iterator[str]:
    for name, item in items.items():
        text, here = words[name], f"{path}.{name}"
        if item["type"] == "object":
            yield from _rows(item["items"], text, here, colon)
            continue
        default = f"`{json.dumps(item['default'], ensure_ascii=False)}`"
        meaning = _cell(f"{text['description']}{colon}{text['hint']}")
        yield f"| `{here}` | {default} | {_values(item, text)} | {meaning} |"


def _values(item: Mapping[str, Any], words: Mapping[str, Any]) -> str:
    if "options" in item:
        pairs = zip(item["options"], words["labels"], strict=True)
        return ", ".join(f"`{option}` {label}" for option, label in pairs)
    if "slider" in item:
        return f"{item['slider']['min']}..{item['slider']['max']}"
    return "..".join(str(bound) for bound in item.get("range", ()))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
