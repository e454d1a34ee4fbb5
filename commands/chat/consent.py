"""What people decide about their memories: pause, share, keep for some days, be forgotten."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ...core.model.consent import Consent, Pause, person_in
from ...core.model.conversation import Scope, ScopeKind
from ...core.privacy.erasure import ErasureDelayed, Extent
from ...core.text.quoting import quoted
from .failure_messages import failure
from .records import answer
from .request import Request

MOST_DAYS = 36_500.0

_GROUP = frozenset(("group", "群", "群聊", "本群"))
_SWITCH = {"on": True, "开": True, "开启": True, "off": False, "关": False, "关闭": False}
_DAYS = re.compile(r"[0-9]{1,5}(\.[0-9]{1,2})?")


async def pause(request: Request) -> str:
    """Record and recall nothing of the caller any more, or of anybody in this group."""
    return await _set_pause(request, paused=True)


async def resume(request: Request) -> str:
    """The opposite of pause."""
    return await _set_pause(request, paused=False)


async def share(request: Request) -> str:
    """Whether the caller's private memories may be used in groups, in answers to the caller."""
    word, person = request.argument.lower(), _person(request)
    shared = (await request.engine.consents.of(person)).shared
    if word and word not in _SWITCH:
        return request.wrong_arguments()
    wanted = _SWITCH[word] if word else shared
    if not wanted and word:
        # Queued first, and again if it is off already: what an alias joined then may not be now.
        await request.engine.unsharing.queue(await request.engine.consents.owners(person))
        request.engine.wake()
    state = "on" if wanted else "off"
    if not word:
        state = f"is_{state}"
    elif wanted is shared:
        state = f"already_{state}"
    else:
        await _choose(request, person, lambda chosen: replace(chosen, shared=wanted))
    return request.say(f"share.{state}")


async def retention(request: Request) -> str:
    """For how many days memories are kept: the caller's private ones, in a group the group's."""
    owner, word = request.caller.scope, request.argument.lower()
    if not word:
        return await _terms(request, (await request.engine.consents.of(owner)).keep_days)
    off = _SWITCH.get(word) is False
    if not off and not (_DAYS.fullmatch(word) and 1.0 <= float(word) <= MOST_DAYS):
        return request.wrong_arguments()
    if owner.kind is ScopeKind.GROUP and not request.caller.admin:
        return request.say("retention.admins_only")
    days = None if off else float(word)
    await _choose(request, owner, lambda chosen: replace(chosen, keep_days=days))
    return await _terms(request, days)


async def forget_me(request: Request) -> str:
    """Delete everything of the caller for good, after a code was repeated."""
    confirmations, caller = request.services.confirmations, request.caller
    now = request.engine.parts.clock.now()
    if request.argument:
        if not confirmations.redeem(caller, request.command, request.argument, now=now):
            return request.say("forget-me.wrong_code")
        return await _erased(request)
    extent = await request.engine.eraser.extent(_person(request))
    if extent.memories == extent.turns == 0:
        return request.say("forget-me.nothing")
    return request.say(
        "forget-me.confirm",
        memories=extent.memories,
        turns=extent.turns,
        accounts=_accounts(request, extent),
        code=confirmations.ask(caller, request.command, now=now),
    )


async def _set_pause(request: Request, *, paused: bool) -> str:
    word, caller = request.argument.lower(), request.caller
    if word and word not in _GROUP:
        return request.wrong_arguments()
    if word and caller.scope.kind is not ScopeKind.GROUP:
        return request.say("pause.only_in_groups")
    if word and not caller.admin:
        return request.say("pause.admins_only")
    owner, whose = (caller.scope, Pause.GROUP) if word else (_person(request), Pause.PERSON)
    before = (await request.engine.consents.of(owner)).paused
    if before is not paused:
        await _choose(request, owner, lambda chosen: replace(chosen, paused=paused))
    outcome = "already" if before is paused else "done"
    said = request.say(f"pausing.{request.command}_{outcome}_{whose}")
    left = await request.engine.consents.pause(caller.scope, caller.person)
    return said if paused or left is None else answer([said, request.say(f"still_paused.{left}")])


async def _terms(request: Request, days: float | None) -> str:
    """What holds with memories kept for so many days."""
    if days is None:
        return request.say("retention.none")
    engine, scope = request.engine, request.caller.scope
    due = await engine.retention.due(scope, days, engine.parts.clock.now())
    return request.say(f"retention.{scope.kind}", days=f"{days:g}", due=due)


async def _erased(request: Request) -> str:
    keeping, person = request.services.keeping, _person(request)
    accounts = await request.engine.consents.accounts(person)
    exports: list[str] = []
    try:
        told = _done(request, await request.engine.erase(person))
    except ErasureDelayed as error:
        told = request.say("forget-me.delayed", failure=failure(request, str(error)))
    if keeping is not None:
        owners = [account.owner for account in accounts]
        await asyncio.to_thread(keeping.places.drop_own, owners)
        exports = await asyncio.to_thread(keeping.places.holding, accounts)
    paused = (await request.engine.consents.of(_person(request))).paused
    from_now_on = "paused" if paused else "recorded"
    return answer(
        [
            told,
            request.say("forget-me.not_ours"),
            *_exported(request, exports),
            request.say(f"from_now_on.{from_now_on}"),
        ]
    )


def _exported(request: Request, exports: Sequence[str]) -> list[str]:
    """That files made by admins still hold something of the person, if any does."""
    if not exports:
        return []
    return [request.say("forget-me.exports", files=quoted(", ".join(exports), 300))]


def _done(request: Request, extent: Extent) -> str:
    return request.say("forget-me.done", memories=extent.memories, turns=extent.turns)


def _accounts(request: Request, extent: Extent) -> str:
    """The accounts by name; in a group only how many, others read that."""
    if request.caller.scope.kind is ScopeKind.GROUP:
        return request.say("forget-me.accounts", count=len(extent.accounts))
    named = sorted(f"{one.platform}/{one.subject}" for one in extent.accounts)
    return f"“{quoted(', '.join(named), 200)}”"


def _person(request: Request) -> Scope:
    return person_in(request.caller.scope, request.caller.person)


async def _choose(request: Request, owner: Scope, change: Callable[[Consent], Consent]) -> None:
    await request.engine.consents.change(owner, change)
