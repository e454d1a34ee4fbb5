"""What a setting takes, and the report of a value that it does not take."""

import math
import re
import reprlib
import sys
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from ..model.consent import entries_in
from ..model.errors import masked
from ..model.times import zone
from ..ports.files import server_at

LONGEST_TEXT = 2_000
"""Characters of a setting that is text."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_NUMBER = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})(e[+-]?[0-9]{1,3})?")
_ON = frozenset({"true", "on", "yes", "1", "开", "开启", "打开", "启用", "是"})
_OFF = frozenset({"false", "off", "no", "0", "关", "关闭", "停用", "否"})
_HOURS = re.compile(r" *([01]?[0-9]|2[0-3]) *- *([01]?[0-9]|2[0-3]) *")
_QUOTES = ('""', "''", "“”", "‘’", "「」")


class Want(StrEnum):
    """Kinds of values. OBJECT is a group of settings.

    CHANGEABLE is asked of a name rather than of its value: that of a setting which may be
    changed at run time.
    """

    OBJECT = "object"
    SWITCH = "switch"
    TEXT = "text"
    ZONE = "zone"
    RULES = "rules"
    HOURS = "hours"
    ADDRESS = "address"
    CHOICE = "choice"
    WHOLE = "whole"
    NUMBER = "number"
    CHANGEABLE = "changeable"


class SettingOrigin(StrEnum):
    """Where a value comes from. A value in the file that equals the default is the default."""

    DEFAULT = "default"
    FILE = "file"
    OVERRIDE = "override"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A kind of value with its range (both ends allowed) or its choices."""

    kind: Want
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def accepts(self, value: object) -> bool:
        """Whether the value may be used as it is."""
        match self.kind:
            case Want.OBJECT | Want.CHANGEABLE:
                return False
            case Want.SWITCH:
                return isinstance(value, bool)
            case Want.TEXT | Want.ZONE | Want.RULES | Want.HOURS | Want.ADDRESS:
                return _is_line(value) and (
                    not value or _READERS[self.kind](str(value)) is not None
                )
            case Want.CHOICE:
                return isinstance(value, str) and value in self.choices
            case Want.WHOLE | Want.NUMBER:
                return self._in_range(value)
            case _:
                assert_never(self.kind)

    def read(self, typed: str) -> object:
        """What a person has typed as a value of this kind; the text itself where it is none.

        The result may still be out of range: ask `accepts`.
        """
        text = unicodedata.normalize("NFKC", typed).strip().casefold()
        match self.kind:
            case Want.SWITCH if text in _ON | _OFF:
                return text in _ON
            case Want.WHOLE if _WHOLE.fullmatch(text):
                return int(text)
            case Want.NUMBER if _NUMBER.fullmatch(text):
                return float(text)
            case Want.CHOICE:
                return text
            case _:
                return _unquoted(typed.strip())

    def __str__(self) -> str:
        between = "" if self.low is None else f" {self.low:.10g}..{self.high:.10g}"
        return f"{_IN_WORDS[self.kind]}{', '.join(self.choices)}{between}"

    def _in_range(self, value: object) -> bool:
        # Of a huge whole number no float can be made; of a NaN every comparison fails.
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if self.kind is Want.WHOLE and not isinstance(value, int):
            return False
        low = -sys.float_info.max if self.low is None else self.low
        high = sys.float_info.max if self.high is None else self.high
        return low <= value <= high


@dataclass(frozen=True, slots=True)
class Problem:
    """A value that is not used. `name` is dotted, "" for the whole document.

    `given` is the value, shortened; not that of a secret.
    """

    name: str
    wanted: Wanted
    given: str
    origin: SettingOrigin = SettingOrigin.FILE

    def __str__(self) -> str:
        whose = " as changed at run time" if self.origin is SettingOrigin.OVERRIDE else ""
        return f"{self.name or 'config'}{whose} must be {self.wanted}, not {self.given}"


def glimpse(value: object) -> str:
    """A value as a person would recognise it: one line, some sixty characters at most, no key."""
    shown = masked(_GLIMPSE.repr(masked(value) if isinstance(value, str) else value))
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


class _Glimpse(reprlib.Repr):
    """Python's shortened form, except that it survives whole numbers of any length."""

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to print more than some four thousand digits.
        if x.bit_length() > 64:
            return f"{'-' if x < 0 else ''}1e{int(x.bit_length() * math.log10(2))}"
        return str(x)


_GLIMPSE = _Glimpse(maxlevel=2, maxdict=3, maxlist=3, maxtuple=3, maxstring=40, maxother=40)


def hours_in(written: str) -> tuple[int, int] | None:
    """The hours of the day from and until which; None where it is no such text."""
    found = _HOURS.fullmatch(written)
    return (int(found[1]), int(found[2])) if found else None


_READERS: Mapping[Want, Callable[[str], object | None]] = {
    Want.TEXT: str,
    Want.ZONE: zone,
    Want.RULES: entries_in,
    Want.HOURS: hours_in,
    Want.ADDRESS: server_at,
}
"""Of each kind of text that is not empty, what it says; None where it says nothing."""


_IN_WORDS: Mapping[Want, str] = {
    Want.OBJECT: "an object",
    Want.SWITCH: "true or false",
    Want.TEXT: "one line of text",
    Want.ZONE: "a time zone known here",
    Want.RULES: "entries such as group:5000 or person:qq/901",
    Want.HOURS: "two hours such as 22-8",
    Want.ADDRESS: "an address such as http://localhost:8000 or https://host/tenant/database",
    Want.CHOICE: "one of ",
    Want.WHOLE: "a whole number",
    Want.NUMBER: "a number",
    Want.CHANGEABLE: "a setting that can be changed at run time",
}


def _is_line(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and value.isprintable()


def _unquoted(text: str) -> str:
    quoted = len(text) >= 2 and text[0] + text[-1] in _QUOTES
    return text[1:-1] if quoted else text
