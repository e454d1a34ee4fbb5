"""Every setting by its dotted name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from .tree import Settings
from .wanted import Origin, Problem, Want, Wanted, glimpse

type Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. A `secret` is never shown; one that is not `changeable` is read at the start.

    With `when`, a name and a value, it matters only while the setting of that name has it.
    """

    name: str
    wanted: Wanted
    default: Value
    secret: bool = False
    changeable: bool = True
    when: tuple[str, Value] | None = None

    def take(self, value: Any, origin: Origin) -> Value | Problem:
        """The value as it is used, or why it is not; of a secret the problem shows nothing."""
        if not self.wanted.accepts(value):
            return Problem(self.name, self.wanted, "…" if self.secret else glimpse(value), origin)
        return float(value) if self.wanted.kind is Want.NUMBER else value


def value_of(settings: Settings, name: str) -> Value:
    """The value with this dotted name. Raises AttributeError for a name that there is not."""
    return attrgetter(name)(settings)


def with_value(settings: Settings, name: str, value: Value) -> Settings:
    """The settings with another value of this dotted name."""
    return _replaced(settings, name, value)


def _replaced(group: Any, name: str, value: Value) -> Any:
    first, inside, rest = name.partition(".")
    new = _replaced(getattr(group, first), rest, value) if inside else value
    return replace(group, **{first: new})


def _every(shape: Any, path: str) -> Iterator[Setting]:
    kinds = get_type_hints(shape)
    for item in fields(shape):
        name, kind = path + item.name, kinds[item.name]
        if is_dataclass(kind):
            yield from _every(kind, f"{name}.")
        else:
            yield Setting(
                name=name,
                wanted=_wanted(kind, item.metadata),
                default=item.default,  # pyright: ignore[reportArgumentType] - each has one
                secret=item.metadata.get("secret", False),
                changeable=not name.startswith("storage."),
                when=_when(path, item.metadata.get("when")),
            )


def _when(path: str, condition: tuple[str, Value] | None) -> tuple[str, Value] | None:
    return None if condition is None else (path + condition[0], condition[1])


def _wanted(kind: Any, metadata: Mapping[str, Any]) -> Wanted:
    low, high = metadata.get("low"), metadata.get("high")
    if get_origin(kind) is Literal:
        return Wanted(Want.CHOICE, choices=get_args(kind))
    if kind is bool:
        return Wanted(Want.SWITCH)
    if kind is str:
        return Wanted(Want.ZONE if metadata.get("zone") else Want.TEXT)
    return Wanted(Want.WHOLE if kind is int else Want.NUMBER, low, high)


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {setting.name: setting for setting in _every(Settings, "")}
)
"""In the order of the form."""
