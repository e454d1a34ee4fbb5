"""What the page is sent of the settings. Their titles, hints and labels are in the catalogues."""

from dataclasses import dataclass

from ...core.settings import SettingOrigin, Want


@dataclass(frozen=True, slots=True)
class SettingShape:
    """One setting. A `secret` has no value here but whether there is one.

    `idle`: it has no effect until `needs` has the value `needs_value`. `by` and `at` are who
    changed it at run time, and when. `problem` is what was given in the file and is not used.
    """

    name: str
    kind: Want
    low: float | None
    high: float | None
    step: float | None
    choices: list[str]
    value: bool | float | str
    default: bool | float | str
    file: bool | float | str
    origin: SettingOrigin
    secret: bool
    changeable: bool
    basic: bool
    idle: bool
    needs: str
    needs_value: str
    by: str
    at: float
    problem: str


@dataclass(frozen=True, slots=True)
class SettingsShape:
    """Every setting in the order of the form."""

    settings: list[SettingShape]


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """What is in force now; `problem` is why nothing was changed, or "", with what is wanted."""

    settings: list[SettingShape]
    problem: str
    missing: str
