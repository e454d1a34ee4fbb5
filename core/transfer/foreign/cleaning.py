"""Removes what the host and memory plugins had put into a text. Pure."""

import re

_BLOCKS = re.compile(
    r"<(system_reminder|memora-untrusted-memory|RAG-Faiss-Memory|tidemark-memories)\b[^>]*>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL,
)
_MENTION = re.compile(r"\[At:[^\]\n]{1,80}\]")
_HEADLINE = re.compile(r"\A\[[^\]\n/]{1,60}/[\d:. T-]{4,25}\]:\s*")
"""`[NAME/TIME]: `, as plugins for the context of groups put it before a message."""

_BLANK_LINES = re.compile(r"\n{3,}")


def cleaned(text: str) -> str:
    """What somebody said."""
    without = _MENTION.sub("", _BLOCKS.sub("", text))
    return _BLANK_LINES.sub("\n\n", _HEADLINE.sub("", without.strip())).strip()
