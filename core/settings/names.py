"""Every setting by its dotted name."""

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from ..model.declaration import Declaration, declaration_of
from .groups import Settings
from .wanted import Problem, SettingOrigin, Want, Wanted, glimpse

type Value = bool | int | float | str
type When = tuple[str, Value]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. A `secret` is never shown; one that is not `changeable` is read at the start.

    With `when`, a name and a value, it matters only while the setting of that name has it.
    """

    name: str
    wanted: Wanted
    default: Value
    declaration: Declaration
    changeable: bool = True
    when: When | None = None

    @property
    def secret(self) -> bool:
        """Whether it is never shown."""
        return self.declaration.secret

    def take(self, value: Any, origin: SettingOrigin) -> Value | Problem:
        """The value as it is used, or why it is not; of a secret the problem shows nothing."""
        if not self.wanted.accepts(value):
            return Problem(self.name, self.wanted, "…" if self.secret else glimpse(value), origin)
        return float(value) if self.wanted.kind is Want.NUMBER else value


@dataclass(frozen=True, slots=True)
class SettingsGroup:
    """Settings and groups under one name, in the order of the form."""

    name: str
    when: When | None = None


type Entry = Setting | SettingsGroup


def value_of(settings: Settings, name: str) -> Value:
    """The value with this dotted name. Raises KeyError for a name that there is not."""
    found: Any = settings
    for part in name.split("."):
        found = dict(children(found))[part]
    return found


def with_values[G](group: G, values: Mapping[str, Value], path: str = "") -> G:
    """The settings below `path` with these values by their dotted names; others stay."""
    found: dict[str, Any] = {}
    for own, value in children(group):
        name = path + own
        inside = is_dataclass(value)
        found[own] = with_values(value, values, f"{name}.") if inside else values.get(name, value)
    return replace(cast("Any", group), **found)


def children(group: Any) -> Iterator[tuple[str, Any]]:
    """The values of a group of settings by their names."""
    for item, _ in declarations(group):
        yield item.name, getattr(group, item.name)


def entries(group: Any, path: str = "", when: When | None = None) -> Iterator[Entry]:
    """Every group and every setting below `group`, a group before what is in it."""
    kinds = get_type_hints(type(group))
    for item, told in declarations(group):
        value, name = getattr(group, item.name), path + item.name
        condition = (path + told.when[0], told.when[1]) if told.when else when
        if is_dataclass(value):
            yield SettingsGroup(name, condition)
            yield from entries(value, f"{name}.", condition)
        else:
            wanted = wanted_of(kinds[item.name], told)
            changeable = not name.startswith(("storage.", "privacy."))
            yield Setting(name, wanted, value, told, changeable, condition)


def declarations(shape: Any) -> Iterator[tuple[Field[Any], Declaration]]:
    """The fields of a group that are settings or groups."""
    for item in fields(shape):
        told = declaration_of(item)
        if told is not None:
            yield item, told


def wanted_of(kind: Any, told: Declaration) -> Wanted:
    """What a field of that type, so declared, takes."""
    if told.choices:
        return Wanted(Want.CHOICE, choices=told.choices)
    if get_origin(kind) is Literal:
        return Wanted(Want.CHOICE, choices=get_args(kind))
    if kind is bool:
        return Wanted(Want.SWITCH)
    if kind is str:
        return Wanted(Want(told.written))
    return Wanted(Want.WHOLE if kind is int else Want.NUMBER, told.low, told.high)


ENTRIES: tuple[Entry, ...] = tuple(entries(Settings()))
"""Groups and settings in the order of the form."""

SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {entry.name: entry for entry in ENTRIES if isinstance(entry, Setting)}
)
"""In the order of the form."""
