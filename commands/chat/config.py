"""Settings and instructions: listed, explained, changed, given back to ours."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from ...core.actions import configuration
from ...core.actions.answers import Refusal, Refused
from ...core.actions.configuration import PRESETS, OwnPrompt, Prompts, SettingsChange, UnfitValues
from ...core.model.errors import masked
from ...core.settings import (
    SETTINGS,
    Configuration,
    Problem,
    Setting,
    SettingOrigin,
    Value,
    Wanted,
    value_of,
)
from ...core.text.quoting import quoted
from .listing import answer
from .phrases import Words
from .request import Request, WrongArguments
from .show import actor

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


MOST_LISTED = 20
"""Settings of a group that are listed with the groups inside it; of more only its own are."""


async def config(request: Request) -> str:
    """The settings in force, one of them in full, or a change, which takes effect at once."""
    current = await configuration.current(request.context)
    match request.argument.split(maxsplit=2):
        case ["list"]:
            return _groups(request, current)
        case ["list", group]:
            return _group(request, current, group.lower())
        case ["get", name]:
            return _get(request, current, name.lower())
        case ["set", name, text]:
            return await _set(request, name.lower(), text)
        case ["reset", name]:
            return await _reset(request, name.lower())
        case ["preset"]:
            return _presets(request, current)
        case ["preset", name]:
            return await _preset(request, name.lower())
        case _:
            raise WrongArguments


def _groups(request: Request, current: Configuration) -> str:
    groups = dict.fromkeys(name.partition(".")[0] for name in SETTINGS)
    return answer(
        [request.say("config.groups"), *(_title(request, current, group) for group in groups)]
    )


def _title(request: Request, current: Configuration, group: str) -> str:
    names, title = _within(group), words(request, group).description
    changed = sum(current.origin(name) is not SettingOrigin.DEFAULT for name in names)
    told = {"group": group, "title": title, "count": len(names), "changed": changed}
    return request.say("config.group_changed" if changed else "config.group", **told)


def _group(request: Request, current: Configuration, group: str) -> str:
    names = _within(group)
    if not names:
        return _unknown(request, group)
    if len(names) <= MOST_LISTED:
        return answer(
            [words(request, group).hint, *(_line(request, current, name) for name in names)]
        )
    own = [name for name in names if "." not in name.removeprefix(f"{group}.")]
    inner = dict.fromkeys(name.rpartition(".")[0] for name in names if name not in own)
    lines = [_line(request, current, name) for name in own]
    titles = [_title(request, current, each) for each in inner]
    return answer([words(request, group).hint, *lines, request.say("config.groups"), *titles])


def _get(request: Request, current: Configuration, name: str) -> str:
    setting = SETTINGS.get(name)
    if setting is None:
        return _unknown(request, name)
    told = words(request, name)
    return answer(
        [
            _line(request, current, name),
            told.description,
            told.hint,
            request.say(
                "config.allowed",
                default=shown(request, setting, setting.default),
                wanted=allowed(request, setting),
            ),
            *_remarks(request, current, setting),
        ]
    )


async def _set(request: Request, name: str, text: str) -> str:
    setting = SETTINGS.get(name)
    if setting is None:
        return _unknown(request, name)
    value = typed(setting, words(request, name).labels, text)
    try:
        return _in_force(request, await configuration.change_setting(request.context, name, value))
    except UnfitValues as unfit:
        return request.say("config.refused", text=problem(request, *unfit.problems))


async def _reset(request: Request, name: str) -> str:
    try:
        return _in_force(request, await configuration.reset_setting(request.context, name))
    except Refused as refused:
        if refused.reason is not Refusal.UNKNOWN_SETTING:
            raise
        return _unknown(request, name)


def _presets(request: Request, current: Configuration) -> str:
    """Each by its name and what it does, the one in force marked."""
    chosen, lines = configuration.preset_in_force(current.settings), list[str]()
    for name in PRESETS:
        told = {"name": request.say(f"preset.{name}"), "about": request.say(f"preset_about.{name}")}
        line = request.say("config.preset", **told)
        lines.append(request.say("config.preset_chosen", **told) if name == chosen else line)
    return answer([request.say("config.presets"), *lines])


async def _preset(request: Request, written: str) -> str:
    for name in PRESETS:
        if written in (name, request.say(f"preset.{name}").lower()):
            done = await configuration.apply_preset(request.context, name)
            told = request.say("config.preset_in_force", name=request.say(f"preset.{name}"))
            return answer([told, *(_changed(request, SETTINGS[each], done) for each in done.names)])
    raise WrongArguments


def _in_force(request: Request, done: SettingsChange) -> str:
    """Old and new values."""
    return answer(
        [
            request.say("config.in_force"),
            *(_changed(request, SETTINGS[name], done) for name in done.names),
            *(_idle(request, name) for name in done.names if not done.after.matters(name)),
            *([request.say("config.lacking", command=done.missing)] if done.missing else []),
        ]
    )


def _line(request: Request, current: Configuration, name: str) -> str:
    value = shown(request, SETTINGS[name], value_of(current.settings, name))
    origin = request.say(f"origin.{current.origin(name)}")
    return request.say("config.line", name=name, value=value, origin=origin)


def _changed(request: Request, setting: Setting, done: SettingsChange) -> str:
    return request.say(
        "config.changed",
        name=setting.name,
        old=shown(request, setting, value_of(done.before.settings, setting.name)),
        new=shown(request, setting, value_of(done.after.settings, setting.name)),
        origin=request.say(f"origin.{done.after.origin(setting.name)}"),
    )


def _remarks(request: Request, current: Configuration, setting: Setting) -> Iterator[str]:
    change = current.changes.get(setting.name)
    if change is not None:
        yield request.say(
            "config.changed_by",
            who=actor(request, change.by, 80),
            time=request.time(change.at),
            value=shown(request, setting, value_of(current.file, setting.name)),
        )
    if not setting.changeable:
        yield request.say("config.fixed", name=setting.name)
    if not current.matters(setting.name):
        yield _idle(request, setting.name)
    for found in current.problems:
        if found.name == setting.name:
            yield unused(request, found)


def _idle(request: Request, name: str) -> str:
    other, value = SETTINGS[name].when or ("", "")
    needed = shown(request, SETTINGS[other], value)
    return request.say("config.idle", name=name, other=other, value=needed)


def _unknown(request: Request, name: str) -> str:
    told = {"name": quoted(name, 60), "names": ", ".join(alike(name))}
    return request.say("config.unknown_alike" if told["names"] else "config.unknown", **told)


def _within(group: str) -> list[str]:
    return [name for name in SETTINGS if name.startswith(f"{group}.")]


async def prompts(request: Request) -> str:
    """The instructions of every call, those of one in full, or a change, in force at once."""
    match request.argument.split(maxsplit=2):
        case []:
            head, done = request.say("prompts.header"), await configuration.prompts(request.context)
        case ["show", name]:
            return await _whole(request, name.lower())
        case ["set", name, text]:
            head = request.say("prompts.in_force")
            done = await configuration.change_prompt(request.context, name.lower(), text)
        case ["reset", name]:
            head = request.say("prompts.in_force")
            done = await configuration.reset_prompt(request.context, name.lower())
        case _:
            raise WrongArguments
    match done:
        case Prompts(fault=None, prompts=[]):
            return request.say("prompts.not_changed")
        case Prompts(fault=None, prompts=found):
            return answer([head, *(_prompt_line(request, each) for each in found)])
        case Prompts(fault=fault, lacking=lacking):
            why = request.say(f"prompt_fault.{fault}", words=", ".join(lacking))
            return request.say("prompts.refused", why=why)


async def _whole(request: Request, name: str) -> str:
    """Uncut: it is to be copied, changed and given back."""
    known = await configuration.prompts(request.context)
    for one in known.prompts:
        if one.name == name:
            words = request.say("prompts.needed", words=", ".join(one.needed))
            who, at = actor(request, one.by, 80), request.time(one.at)
            changed = [request.say("prompts.changed_by", who=who, time=at)] if one.changed else []
            return "\n".join([_prompt_line(request, one), *changed, words, "", one.text])
    return request.say("prompts.refused", why=request.say("prompt_fault.unknown"))


def _prompt_line(request: Request, one: OwnPrompt) -> str:
    purpose = request.say(f"prompt.{one.call}")
    state = request.say("prompts.changed") if one.changed else request.say("prompts.ours")
    state = request.say("prompts.unused") if one.fault else state
    values = {"name": one.name, "purpose": purpose, "state": state, "tokens": one.tokens}
    return request.say("prompts.line", **values)
