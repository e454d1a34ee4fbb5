"""Settings changed at run time: listed, explained, changed and given back to the file."""

from collections.abc import Iterator

from ...core.actions import configuration
from ...core.actions.answers import Refusal, Refused
from ...core.actions.configuration import PRESETS, SettingsChange, UnfitValues
from ...core.settings import SETTINGS, Configuration, Setting, SettingOrigin, value_of
from ...core.text.quoting import quoted
from .history import actor
from .records import answer
from .request import Request, WrongArguments
from .values import alike, allowed, problem, shown, typed, unused, words

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
