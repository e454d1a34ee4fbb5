"""Values from untrusted files: of the wanted type, or a stand-in; texts without markup. Pure."""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from . import split_json

EARLIEST = 946_684_800.0
"""The year 2000: what is said to be older is a mistake."""

DAY = 86_400.0
_MILLISECONDS = 1e11
_ESCAPED = "=+-@\t\r"
_MOST = 20
"""Entries that are read of a list."""

_BLOCKS = re.compile(
    r"<(system_reminder|memora-untrusted-memory|RAG-Faiss-Memory|tidemark-memories)\b[^>]*>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL,
)
_MENTION = re.compile(r"\[At:[^\]\n]{1,80}\]")
_HEADLINE = re.compile(r"\A\[[^\]\n/]{1,60}/[\d:. T-]{4,25}\]:\s*")
"""`[NAME/TIME]: `, as plugins for the context of groups put it before a message."""


def text(value: object, longest: int = 100_001) -> str:
    """The text, without what no database takes; "" for anything else."""
    if not isinstance(value, str):
        return ""
    sound = value[:longest].encode("utf-8", "replace").decode("utf-8")
    return sound.replace("\0", "").strip()


def name(value: object) -> str:
    """An id or a name: also written as a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text(value, 200)


def number(value: object) -> float | None:
    """A finite number, also written as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def count(value: object, most: int = 1 << 31) -> int:
    """A whole number from 0; 0 for anything else."""
    found = number(value)
    return 0 if found is None else int(min(max(found, 0.0), most))


def share(value: object, otherwise: float = 0.5) -> float:
    """0..1; what lies above, up to 10, is in tenths."""
    found = number(value)
    if found is None:
        return otherwise
    if 1.0 < found <= 10.0:
        found /= 10.0
    return min(max(found, 0.0), 1.0)


def time(value: object, now: float) -> float | None:
    """Unix seconds of a number (also milliseconds) or an ISO text, which without a zone is UTC.

    None for what cannot be: before 2000, or later than a day from now.
    """
    found = number(value)
    if found is None:
        found = _iso(value)
    if found is None:
        return None
    if found > _MILLISECONDS:
        found /= 1_000.0
    return found if EARLIEST <= found <= now + DAY else None


def future(value: object, now: float) -> float | None:
    """The same of a time that may lie some years ahead."""
    return time(value, now + 10 * 366 * DAY)


def parsed(value: object) -> Any:
    """JSON out of a text; what is none as it is, None for broken JSON."""
    if not isinstance(value, str):
        return value
    try:
        return split_json.loads(value)
    except (ValueError, RecursionError):
        return None


def fields(value: object) -> Mapping[str, Any]:
    """The JSON object in it; empty for anything else."""
    found = parsed(value)
    return found if isinstance(found, dict) else {}


def entries(value: object) -> Sequence[Any]:
    """The JSON list in it; empty for anything else."""
    found = parsed(value)
    return found if isinstance(found, list) else ()


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list, each once; a single text is a list of one."""
    found = parsed(value)
    if isinstance(found, str):
        found = [found]
    if found is None and isinstance(value, str):
        found = re.split(r"[;,；，、|]", value)
    if not isinstance(found, list):
        return ()
    sound = (text(each, 2_000) for each in islice(found, 5 * _MOST))
    return tuple(dict.fromkeys(each for each in sound if each))[:_MOST]


def _iso(value: object) -> float | None:
    written = text(value, 40)
    if len(written) < 8:
        return None
    try:
        found = datetime.fromisoformat(written.replace("Z", "+00:00"))
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def cleaned(said: str) -> str:
    """What somebody said, without what the host and memory plugins had put into it."""
    without = _MENTION.sub("", _BLOCKS.sub("", said))
    return re.sub(r"\n{3,}", "\n\n", _HEADLINE.sub("", without.strip())).strip()


def unescaped(value: str) -> str:
    """The value as it was before a spreadsheet was kept from running it."""
    return value[1:] if value[:1] == "'" and value[1:2] and value[1] in _ESCAPED else value
