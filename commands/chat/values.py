"""Settings, their values and what is wrong with one, in the caller's language."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from ...core.model.redaction import masked
from ...core.settings import SETTINGS, Problem, Setting, SettingOrigin, Value, Wanted
from ...core.text.quoting import quoted
from .phrases import Words
from .request import Request

LONGEST_VALUE = 120


def words(request: Request, name: str) -> Words:
    """The description, hint and labels of a setting or a group."""
    return request.phrases.settings[request.caller.language][name]


def shown(request: Request, setting: Setting, value: Value) -> str:
    """A value as one would type it; of a secret only whether there is one."""
    if setting.secret:
        return request.say("config.secret_set") if value else request.say("config.secret_unset")
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.10g}"
        case "":
            return request.say("config.empty")
        case _:
            return quoted(masked(str(value)), LONGEST_VALUE)


def wanted(request: Request, what: Wanted) -> str:
    """What may be given."""
    if what.low is not None:
        low, high = f"{what.low:.10g}", f"{what.high:.10g}"
        return request.say(f"range.{what.kind}", low=low, high=high)
    return request.say(f"wanted.{what.kind}", choices=", ".join(what.choices))


def allowed(request: Request, setting: Setting) -> str:
    """What may be given, each choice with its label."""
    labels = words(request, setting.name).labels
    choices = tuple(
        request.say("config.choice", value=value, label=label)
        for value, label in zip(setting.wanted.choices, labels, strict=True)
    )
    return wanted(request, replace(setting.wanted, choices=choices))


def problem(request: Request, found: Problem) -> str:
    """What was wanted of a setting and what was given."""
    name = quoted(found.name, 60) or request.say("config.document")
    given = quoted(found.given, LONGEST_VALUE)
    return request.say(
        "config.problem", name=name, wanted=wanted(request, found.wanted), given=given
    )


def unused(request: Request, found: Problem) -> str:
    """The same, with what holds in its place."""
    told = problem(request, found)
    if found.origin is SettingOrigin.OVERRIDE:
        return request.say("health.override", text=told)
    return request.say("health.setting", text=told)


def typed(setting: Setting, labels: Sequence[str], text: str) -> object:
    """What a person has typed as a value of the setting; a choice may be typed as its label."""
    choices = setting.wanted.choices
    return dict(zip(labels, choices, strict=False)).get(text.strip(), setting.wanted.read(text))


def alike(asked: str) -> list[str]:
    """Names of settings that may have been meant, the likeliest first."""
    last = asked.rpartition(".")[2]
    same = [name for name in SETTINGS if name.rpartition(".")[2] == last]
    return (same + [name for name in get_close_matches(asked, SETTINGS) if name not in same])[:3]
