"""A memory as JSON: whole, or as the part of it that a store does not keep in columns."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..core.errors import StorageError
from ..core.memory import Memory

VITALITY_COLUMNS = (
    "strength",
    "useful_count",
    "useful_score",
    "pinned",
    "last_recalled_at",
    "last_decay_at",
)
"""The numbers of a vitality that are columns; `judged` stays in the body."""

_IN_COLUMNS: Any = {
    "id": True,
    "scope": True,
    "kind": True,
    "created_at": True,
    "standing": True,
    "vitality": set(VITALITY_COLUMNS),
}
_ADAPTER = TypeAdapter(Memory)
_OBJECT = TypeAdapter(dict[str, Any])


def encode(memory: Memory) -> bytes:
    """The whole memory as JSON; fields at their default are left out."""
    return _json(_ADAPTER.dump_python(memory, mode="json", exclude_defaults=True))


def decode(document: bytes) -> Memory:
    """Inverse of `encode`. Raises StorageError if it is not a memory."""
    return _memory(_object(document))


def encode_body(memory: Memory) -> bytes:
    """Everything of the memory that is in no column, as JSON."""
    return _json(
        _ADAPTER.dump_python(memory, mode="json", exclude_defaults=True, exclude=_IN_COLUMNS)
    )


def decode_body(body: bytes, columns: Mapping[str, Any], vitality: Mapping[str, Any]) -> Memory:
    """Inverse of `encode_body`, given what the columns hold. Raises StorageError if it is not."""
    fields = _object(body)
    fields.update(columns)
    fields["vitality"] = {**fields.get("vitality", {}), **vitality}
    return _memory(fields)


def _json(fields: dict[str, Any]) -> bytes:
    """Valid UTF-8 for any text: a lone surrogate cannot be encoded, but it can be escaped."""
    try:
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(fields, separators=(",", ":")).encode()


def _object(document: bytes) -> dict[str, Any]:
    try:
        return _OBJECT.validate_json(document)
    except ValidationError:
        return _escaped_object(document)


def _escaped_object(document: bytes) -> dict[str, Any]:
    """`_object`, slower, for what the fast parser refuses: an escaped lone surrogate."""
    try:
        fields = json.loads(document)
    except ValueError as error:
        raise StorageError(f"a stored memory is not readable ({error})") from error
    if not isinstance(fields, dict):
        raise StorageError("a stored memory is not a JSON object")
    return fields


def _memory(fields: dict[str, Any]) -> Memory:
    try:
        return _ADAPTER.validate_python(fields)
    except ValidationError as error:
        raise StorageError(f"a stored memory does not fit its record ({error})") from error
