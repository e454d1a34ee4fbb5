"""Settings changed at run time: listed, explained, changed and given back to the file."""

from collections.abc import Iterator, Sequence

from ...core.forgetting.fsrs import FsrsMissing
from ...core.model.errors import INSTALL
from ...core.settings import (
    SETTINGS,
    Change,
    Configuration,
    Problem,
    Setting,
    SettingOrigin,
    Settings,
    to_json,
    value_of,
    with_value,
)
from ...core.text.quoting import quoted
from .history import signed
from .records import answer, signature
from .request import Request
from .values import alike, allowed, problem, shown, typed, unused, words

EVERYTHING = "all"

MOST_LISTED = 20
"""Settings of a group that are listed with the groups inside it; of more only its own are."""


async def config(request: Request) -> str:
    """The settings in force, one of them in full, or a change, which takes effect at once."""
    match request.argument.split(maxsplit=2):
        case ["list"]:
            return _groups(request)
        case ["list", group]:
            return _group(request, group.lower())
        case ["get", name]:
            return _get(request, name.lower())
        case ["set", name, text]:
            return await _set(request, name.lower(), text)
        case ["reset", name]:
            return await _reset(request, name.lower())
        case _:
            return request.wrong_arguments()


def _groups(request: Request) -> str:
    groups = dict.fromkeys(name.partition(".")[0] for name in SETTINGS)
    return answer([request.say("config.groups"), *(_title(request, group) for group in groups)])


def _title(request: Request, group: str) -> str:
    names, title = _within(group), words(request, group).description
    configuration = request.services.configuration
    changed = sum(configuration.origin(name) is not SettingOrigin.DEFAULT for name in names)
    if not changed:
        return request.say("config.group", group=group, title=title, count=len(names))
    return request.say(
        "config.group_changed", group=group, title=title, count=len(names), changed=changed
    )


def _group(request: Request, group: str) -> str:
    names = _within(group)
    if not names:
        return _unknown(request, group)
    if len(names) <= MOST_LISTED:
        return answer([words(request, group).hint, *(_line(request, name) for name in names)])
    own = [name for name in names if "." not in name.removeprefix(f"{group}.")]
    inner = dict.fromkeys(name.rpartition(".")[0] for name in names if name not in own)
    lines = [_line(request, name) for name in own]
    titles = [_title(request, each) for each in inner]
    return answer([words(request, group).hint, *lines, request.say("config.groups"), *titles])


def _get(request: Request, name: str) -> str:
    setting = SETTINGS.get(name)
    if setting is None:
        return _unknown(request, name)
    told = words(request, name)
    return answer(
        [
            _line(request, name),
            told.description,
            told.hint,
            request.say(
                "config.allowed",
                default=shown(request, setting, setting.default),
                wanted=allowed(request, setting),
            ),
            *_remarks(request, setting),
        ]
    )


async def _set(request: Request, name: str, text: str) -> str:
    setting = SETTINGS.get(name)
    if setting is None:
        return _unknown(request, name)
    if not setting.changeable:
        return request.say("config.fixed", name=name)
    value = typed(request, setting, text)
    if isinstance(value, Problem):
        return request.say("config.refused", text=problem(request, value))
    settings = request.services.configuration.settings
    lacking = _lacking(request, with_value(settings, name, value))
    if lacking and not _lacking(request, settings):
        return request.say("config.refused", text=lacking[0])
    change = Change(value, signature(request), request.engine.parts.clock.now())
    await request.engine.parts.journal.set_override(name, to_json(change))
    return await _in_force(request, [name])


async def _reset(request: Request, name: str) -> str:
    overrides = await request.engine.parts.journal.overrides()
    if name == EVERYTHING:
        if not overrides:
            return request.say("config.nothing_changed")
    elif name not in overrides:
        if name not in SETTINGS:
            return _unknown(request, name)
        return request.say("config.not_changed", line=_line(request, name))
    names = sorted(overrides) if name == EVERYTHING else [name]
    for changed in names:
        await request.engine.parts.journal.set_override(changed, None)
    return await _in_force(request, names)


async def _in_force(request: Request, names: Sequence[str]) -> str:
    """Put what the journal holds now into force, and tell old and new values."""
    before = request.services.configuration
    after = await request.services.reconfigure()
    known = [name for name in names if name in SETTINGS]
    return answer(
        [
            request.say("config.in_force"),
            *(_changed(request, SETTINGS[name], before, after) for name in known),
            *(_idle(request, name) for name in known if not after.matters(name)),
            *_lacking(request, after.settings),
        ]
    )


def _lacking(request: Request, settings: Settings) -> list[str]:
    """What has to be installed before a policy that these settings choose can decide."""
    try:
        settings.forgetting.policies(request.engine.policy)
    except FsrsMissing:
        return [request.say("decay.missing", command=INSTALL["fsrs"])]
    return []


def _line(request: Request, name: str) -> str:
    configuration = request.services.configuration
    value = shown(request, SETTINGS[name], value_of(configuration.settings, name))
    origin = request.say(f"origin.{configuration.origin(name)}")
    return request.say("config.line", name=name, value=value, origin=origin)


def _changed(
    request: Request, setting: Setting, before: Configuration, after: Configuration
) -> str:
    return request.say(
        "config.changed",
        name=setting.name,
        old=shown(request, setting, value_of(before.settings, setting.name)),
        new=shown(request, setting, value_of(after.settings, setting.name)),
        origin=request.say(f"origin.{after.origin(setting.name)}"),
    )


def _remarks(request: Request, setting: Setting) -> Iterator[str]:
    configuration = request.services.configuration
    change = configuration.changes.get(setting.name)
    if change is not None:
        yield request.say(
            "config.changed_by",
            who=signed(request, change.by, 80),
            time=request.time(change.at),
            value=shown(request, setting, value_of(configuration.file, setting.name)),
        )
    if not setting.changeable:
        yield request.say("config.fixed", name=setting.name)
    if not configuration.matters(setting.name):
        yield _idle(request, setting.name)
    for found in configuration.problems:
        if found.name == setting.name:
            yield unused(request, found)


def _idle(request: Request, name: str) -> str:
    other, value = SETTINGS[name].when or ("", "")
    needed = shown(request, SETTINGS[other], value)
    return request.say("config.idle", name=name, other=other, value=needed)


def _unknown(request: Request, name: str) -> str:
    names = alike(name)
    if not names:
        return request.say("config.unknown", name=quoted(name, 60))
    return request.say("config.unknown_alike", name=quoted(name, 60), names=", ".join(names))


def _within(group: str) -> list[str]:
    return [name for name in SETTINGS if name.startswith(f"{group}.")]
