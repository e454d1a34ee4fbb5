"""What a hosted Chroma takes, in one place. All that goes to a server keeps within it.

Source: https://docs.trychroma.com/cloud/quotas-limits (read 2026-11-23). Where versions of that
page differ (4 096 and 8 182 bytes of a value of metadata) the smaller number is here. A folder of
this machine has no such limits.
"""

from collections.abc import Mapping
from typing import Any

PAGE = 300
"""Results of one request, and collections in one page of a listing."""

WRITE = 300
"""Records in one request."""

RECORD_VALUE_BYTES = 4_096
"""Of one value of a record's metadata, in UTF-8."""

COLLECTION_VALUE_BYTES = 256
"""Of one value of a collection's metadata, in UTF-8."""

DOCUMENT_BYTES = 16_384

TEXT_SEARCH_BYTES = 256
"""Of what documents are searched for, in one condition."""


def pieces(key: str, text: str, size: int) -> dict[str, str]:
    """The text under `key`, what does not fit into `size` bytes under `key1`, `key2` and so on."""
    told: list[str] = []
    rest = text.encode()
    while rest or not told:
        # A piece ends where a character does: at most three bytes earlier.
        told.append(rest[:size].decode(errors="ignore"))
        rest = rest[len(told[-1].encode()) :]
    return {f"{key}{number or ''}": piece for number, piece in enumerate(told)}


def joined(key: str, metadata: Mapping[str, Any]) -> Any:
    """What `pieces` was given; whatever is there instead of text."""
    text, number = metadata[key], 1
    while isinstance(text, str) and (piece := metadata.get(f"{key}{number}")):
        text, number = text + piece, number + 1
    return text
