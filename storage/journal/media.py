"""What came with a turn, as its row keeps it: JSON, "" for nothing."""

import json
from dataclasses import asdict

from ...core.model.knowledge import Media, MediaType


def written(media: tuple[Media, ...]) -> str:
    """As the row keeps it."""
    return json.dumps([asdict(each) for each in media], ensure_ascii=False) if media else ""


def read(text: str) -> tuple[Media, ...]:
    """Inverse of `written`; nothing for what it cannot read: a damaged row stops nothing else."""
    try:
        return tuple(
            Media(**{**each, "type": MediaType(each["type"])}) for each in json.loads(text or "[]")
        )
    except (ValueError, TypeError, KeyError):
        return ()


def mark(id: str) -> str:
    """How media of this id begin in a row."""
    return f'"id": {json.dumps(id, ensure_ascii=False)}'
