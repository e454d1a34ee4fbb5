"""Two hundred replies as models really write them: every shape with every content."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import ReplyMalformed
from astrbot_plugin_tidemark.core.prompts import learn

from .examples import item, reply

CONTENTS: dict[str, list[dict[str, Any]]] = {
    "nothing": [],
    "one": [item()],
    "two": [item(), item(text="Anna rows.", kind="procedural")],
    "chinese": [item(text="安娜住在柏林，说：“我喜欢这里”。", summary="住处")],
    "quotes": [item(text='Anna said "never again" to Bo\'s plan.')],
    "escapes": [item(text="Anna's path is C:\\dir\\sub, line\nbreak, tab\t, 😀")],
    "braces": [item(text="Anna writes {x: [1, 2]} and // no comment")],
    "bare": [
        {name: item()[name] for name in ("text", "turns", "kind", "importance", "confidence")}
    ],
}
"""What is learnt, by a name."""


def _written(document: Any, **how: Any) -> str:
    return json.dumps(document, ensure_ascii=False, **how)


def _single_quoted(document: Any) -> str:
    return repr(document)


def _with_commas(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return text.replace("\n}", ",\n}").replace("}\n ]", "},\n ]")


def _bare_names(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return text.replace('"memories":', "memories:").replace('"useful":', "useful:")


def _newlines_in_texts(document: Any) -> str:
    return _written(document).replace("\\n", "\n")


def _python_words(document: Any) -> str:
    return _written(document).replace(": null", ": None")


def _commented(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return text.replace('"memories":', '// what to keep\n "memories": /* all */')


SHAPES: dict[str, Callable[[Any], str]] = {
    "plain": _written,
    "indented": lambda d: _written(d, indent=2),
    "ascii": json.dumps,
    "fenced": lambda d: f"```json\n{_written(d, indent=2)}\n```",
    "fenced without a language": lambda d: f"```\n{_written(d)}\n```",
    "fenced and never closed": lambda d: f"```json\n{_written(d)}",
    "introduced": lambda d: f"Sure! Here is the JSON you asked for:\n\n{_written(d)}",
    "introduced in Chinese": lambda d: f"好的，以下是提取结果：\n{_written(d)}\n希望对你有帮助！",
    "followed by advice": lambda d: f"{_written(d)}\n\nLet me know if you need {{more}}.",
    "thought aloud": lambda d: f'<think>Maybe {{"memories": []}}?</think>\n{_written(d)}',
    "thought with a lost beginning": lambda d: f"So {{Anna}}, hm.</think>{_written(d)}",
    "reasoned": lambda d: f"<reasoning>She lives there.</reasoning>{_written(d)}",
    "trailing commas": _with_commas,
    "single quotes": _single_quoted,
    "names without quotes": _bare_names,
    "words of Python": _python_words,
    "comments": _commented,
    "line breaks in texts": _newlines_in_texts,
    "wrapped": lambda d: _written({"result": d}),
    "wrapped and fenced": lambda d: f"```json\n{_written({'output': d})}\n```",
    "an array of memories": lambda d: _written(d["memories"]) if d["memories"] else _written(d),
    "one text": lambda d: json.dumps(_written(d)),
    "a byte order mark": lambda d: f"\ufeff{_written(d)}",
    "more properties": lambda d: _written({"thoughts": "none", **d, "language": "en"}),
    "a draft before it": lambda d: f'{{"draft": true}}\n{_written(d)}',
}
"""How it is written, by a name."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("content", CONTENTS)
def test_what_is_said_is_read_however_it_is_written(shape: str, content: str) -> None:
    memories = CONTENTS[content]
    told = learn.parse(SHAPES[shape](reply(*memories)))
    assert [each.candidate.text for each in told] == [each["text"] for each in memories]


@pytest.mark.parametrize(
    "refusal",
    [
        "I'm sorry, but I can't help with that.",
        "抱歉，我无法处理这段对话。",
        "<think>They want JSON.",
        '{"error": {"message": "content_filter"}}',
        "```json\n```",
        "memories: []",
        "1. Anna lives in Berlin.\n2. Anna rows.",
    ],
)
def test_a_refusal_teaches_nothing(refusal: str) -> None:
    with pytest.raises(ReplyMalformed):
        learn.parse(refusal)
