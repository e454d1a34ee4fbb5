"""A memory as a JSON object: the one mapping that every store and every export shares."""

import json
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from ..model.memory import Memory

_ADAPTER = TypeAdapter(Memory)
_OBJECT = TypeAdapter(dict[str, Any])


class NotARecord(ValueError):
    """What was read is not a memory. `field` is the dotted name of what does not fit, or ""."""

    def __init__(self, text: str, field: str = "") -> None:
        super().__init__(text)
        self.field = field


def fields_of(memory: Memory, *, exclude: Any = None, defaults: bool = False) -> dict[str, Any]:
    """The memory as JSON values; fields at their default only with `defaults`.

    `exclude` names fields to leave out, nested ones too, the way pydantic takes them.
    """
    return _ADAPTER.dump_python(memory, mode="json", exclude_defaults=not defaults, exclude=exclude)


def memory_of(fields: dict[str, Any], *, strict: bool = False) -> Memory:
    """Inverse of `fields_of`. `strict` converts no text to numbers. Raises NotARecord."""
    try:
        return _strictly(fields) if strict else _ADAPTER.validate_python(fields)
    except ValidationError as error:
        raise NotARecord(str(error), _where(error)) from error


def to_json(fields: dict[str, Any]) -> bytes:
    """Valid UTF-8 for any text: a lone surrogate cannot be encoded, but it can be escaped."""
    try:
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(fields, separators=(",", ":")).encode()


def object_of(document: bytes) -> dict[str, Any]:
    """The JSON object in a document. Raises NotARecord."""
    try:
        return _OBJECT.validate_json(document)
    except ValidationError:
        return _escaped_object(document)


def _strictly(fields: dict[str, Any]) -> Memory:
    try:
        return _ADAPTER.validate_json(to_json(fields), strict=True)
    except ValidationError as error:
        # What the fast parser cannot read is an escaped lone surrogate.
        if error.errors(include_url=False)[0]["type"] != "json_invalid":
            raise
        return _ADAPTER.validate_python(fields)


def _escaped_object(document: bytes) -> dict[str, Any]:
    """`object_of`, slower, for what the fast parser refuses: an escaped lone surrogate."""
    try:
        fields = json.loads(document)
    except (ValueError, RecursionError) as error:
        raise NotARecord(f"not readable as JSON ({error})") from error
    if not isinstance(fields, dict):
        raise NotARecord("not a JSON object")
    return cast("dict[str, Any]", fields)


def _where(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return ".".join(str(part) for part in first["loc"])
