"""Run in a forked host: spares each turn what takes 0.08 s of it and is nobody's to test here.

The client of OpenAI's API goes through every request and what the types of its parts say of them,
to leave it as it is; the host checks the schemas of the same tools again for every answer.
"""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
from openai import resources
from openai._utils import is_given

_validate = jsonschema.validate
_sound = set[str]()


async def _as_it_is(data: Mapping[str, Any], expected_type: object) -> dict[str, Any]:
    return {name: value for name, value in data.items() if is_given(value)}


def _validate_once(instance: Any, schema: Any, *more: Any, **options: Any) -> None:
    both = json.dumps([instance, schema], sort_keys=True, default=repr)
    if both not in _sound:
        _validate(instance, schema, *more, **options)
        _sound.add(both)


resources.chat.completions.completions.async_maybe_transform = _as_it_is
jsonschema.validate = _validate_once
