"""What everybody may ask of their own chat's memories, and who is the same person elsewhere."""

from collections.abc import Sequence

from ...core.actions import accounts
from ...core.actions.accounts import own_profile, strike
from ...core.actions.answers import MemoryView
from ...core.actions.details import revelations
from ...core.actions.explanation import SearchAnswer, search
from ...core.actions.listing import list_holding, list_own
from ...core.actions.searching import (
    communities,
    list_about,
    search_archive,
    search_events,
    search_tagged,
)
from ...core.actions.views import PAGE
from ...core.model.knowledge import SPEAKER, EventType
from ...core.recall.trace import LegState
from ...core.text.quoting import LONGEST_NAME, LONGEST_TAG, quoted, tag_of
from .explain import numbers, reranking
from .listing import answer, claimed, line, listed, page_number, relative, said
from .request import Request, WrongArguments

EXPLAIN = "--explain"
NOW = ("now", "现况")
"""What holds, in the place of a page."""

ABOUT = ("about", "关于我")
"""What others have said about the caller, in the place of a page."""

FACTS = 12
LONGEST_VALUE = 60
ARCHIVED = "--archived"
EVENT = "--event"
COMMUNITY = "--community"
TAG = "--tag"
EXPLAINED = 5
"""Memories that a search shows with all numbers."""

STRIKE = ("strike", "删", "划掉")
MOST_SOURCES = 4


async def mine(request: Request) -> str:
    """Live memories of this chat, newest first, raw turns last."""
    word, _, rest = request.argument.strip().partition(" ")
    if word in NOW:
        return await _holding(request, rest)
    if word in ABOUT:
        return await _about(request, rest)
    number = page_number(request.argument)
    page, looked_at = await list_own(request.context, number), await _looked_at(request)
    lines = (line(request, view) for view in page.entries)
    told = listed(request, "mine", page, lines, request.say("mine.footer"))
    if not page.total:
        return answer([*told, *looked_at])
    holding = (await list_holding(request.context, 1, 1)).total if number == 1 else 0
    facts = [request.say("mine.holding", total=holding)] if holding else []
    return answer([*looked_at, *facts, *told])


async def _holding(request: Request, argument: str) -> str:
    """What holds, by person and topic."""
    page = await list_holding(request.context, page_number(argument), FACTS)
    lines: list[str] = []
    for view in page.entries:
        person = _person(request, view)
        if person not in lines:
            lines.append(person)
        lines.append(_fact(request, view))
    return answer(listed(request, "holding", page, lines, request.say("mine.footer")))


async def _about(request: Request, argument: str) -> str:
    """What others have said about the caller."""
    page = await list_about(request.context, page_number(argument))
    lines = (line(request, view) for view in page.entries)
    return answer(listed(request, "about", page, lines, request.say("mine.to_correct")))


def _person(request: Request, view: MemoryView) -> str:
    """Whom a claim is of: who said it, somebody of theirs, or whoever it names."""
    claim = view.memory.claim
    assert claim is not None
    who, _, theirs = claim.subject.partition("/")
    if not who.startswith(SPEAKER):
        return f"{quoted(claim.subject, LONGEST_NAME)}:"
    name = quoted(view.speaker_name or who.lstrip(SPEAKER), LONGEST_NAME)
    if not theirs:
        return f"{name}:"
    return request.say("mine.relative", who=name, relative=relative(request, theirs))


def _fact(request: Request, view: MemoryView) -> str:
    claim = view.memory.claim
    assert claim is not None
    told = claimed(request, claim, LONGEST_VALUE) | {"id": view.id}
    return request.say("mine.denied" if claim.denied else "mine.fact", **told)


async def search_(request: Request) -> str:
    """Memories of this chat about the text, as recall would find them; or archived ones."""
    flag, _, wanted = request.argument.partition(" ")
    if other := _OTHERWISE.get(flag):
        return await other(request, wanted.strip())
    asked = request.argument.removeprefix(EXPLAIN)
    explained = asked != request.argument
    if not asked.strip() or (explained and not asked[0].isspace()):
        raise WrongArguments
    limit = EXPLAINED if explained else PAGE
    found = await search(request.context, asked.strip(), limit=limit)
    lines = [request.say("search.header", found=len(found.memories))]
    if not found.memories:
        lines = [request.say("search.nothing")]
    for number, (candidate, view) in enumerate(found.memories, start=1):
        if explained:
            told = numbers(request, candidate)
            lines.append(f"{number}. {view.id} {said(request, view)}\n    {told}")
        else:
            legs = "+".join(request.say(f"leg.{hit.leg}") for hit in candidate.hits)
            by = f"{min(1.0, candidate.relevance):.0%} {legs}"
            lines.append(f"{number}. {view.id} {by} {said(request, view)}")
    ids = " ".join(view.id for view in found.threads)
    threads = [request.say("search.threads", ids=ids)] if ids else []
    reranked = reranking(request, found.trace.rerank) if explained else []
    return answer([*lines, *threads, *reranked, *_missing(request, found)])


async def _archived(request: Request, asked: str) -> str:
    if not asked:
        raise WrongArguments
    found = await search_archive(request.context, asked)
    if not found:
        return request.say("search.nothing_archived")
    lines = [f"{view.id} {score:.0%} {said(request, view)}" for view, score in found]
    head = request.say("search.header", found=len(found))
    return answer([head, *lines, request.say("search.restorable")])


async def _communities(request: Request, asked: str) -> str:
    """What belongs together, by its names; with text, the memories of what it is found in."""
    found = await communities(request.context, asked)
    if not found:
        return request.say("search.no_community")
    lines = [request.say("search.communities")]
    for each in found:
        names = ", ".join(quoted(name, LONGEST_NAME) for name in each.names)
        lines.append(request.say("search.community", names=names, total=each.total))
        lines += [f"  {view.id} {said(request, view)}" for view in each.memories]
    return answer(lines)


async def _tagged(request: Request, asked: str) -> str:
    tag, _, text = asked.partition(" ")
    if not tag_of(tag):
        raise WrongArguments
    found = await search_tagged(request.context, tag, text.strip())
    if not found:
        return request.say("search.nothing_tagged", tag=quoted(tag_of(tag), LONGEST_TAG))
    lines = [line(request, view) for view in found]
    return answer([request.say("search.header", found=len(found)), *lines])


async def _events(request: Request, asked: str) -> str:
    word, _, text = asked.partition(" ")
    types = {request.say(f"event.{each}").lower(): each for each in EventType}
    type = types.get(word.lower()) or next((e for e in EventType if e == word.lower()), None)
    if type is None:
        named = ", ".join(f"{each} ({name})" for name, each in types.items())
        return request.say("search.event_types", types=named)
    lines: list[str] = []
    for event in await search_events(request.context, type, text.strip()):
        first, *others = event
        day = request.date(first.memory.happened_at)
        lines.append(f"{day} {first.id} {said(request, first)}")
        lines += [f"    {each.id} {said(request, each)}" for each in others]
    name = request.say(f"event.{type}")
    if not lines:
        return request.say("search.no_events", type=name)
    return answer([request.say("search.events", type=name), *lines])


async def _looked_at(request: Request) -> list[str]:
    """That others were shown the caller's private memories, if they were."""
    entries = await revelations(request.context)
    if not entries:
        return []
    date = request.date(entries[-1].at)
    return [request.say("reveal.looked_at", times=len(entries), date=date)]


def _missing(request: Request, found: SearchAnswer) -> list[str]:
    """What did not answer of all that was asked."""
    missing = (LegState.LATE, LegState.FAILED)
    legs = [
        request.say("search.leg_missing", leg=request.say(f"leg.{report.leg}"))
        for report in found.trace.legs
        if report.state in missing
    ]
    unranked = found.trace.rerank.state in missing
    return [*legs, request.say("search.rerank_missing")] if unranked else legs


async def me(request: Request) -> str:
    """The lines of the page with their sources; or one of them is struck."""
    match request.argument.split():
        case []:
            return await _lines(request)
        case [word, number] if word.lower() in STRIKE:
            struck = await strike(request.context, page_number(number))
            return request.say("me.struck", text=struck.said)
        case _:
            raise WrongArguments


async def _lines(request: Request) -> str:
    lines = await own_profile(request.context)
    if not lines:
        return request.say("me.empty")
    told, section = [request.say("me.header")], None
    for each in lines:
        if each.section is not section:
            section = each.section
            told.append(request.say(f"section.{section}"))
        ids = " ".join(each.sources[:MOST_SOURCES])
        told.append(request.say("me.line", number=each.number, text=each.said, ids=ids))
    return answer(told)


_OTHERWISE = {ARCHIVED: _archived, EVENT: _events, COMMUNITY: _communities, TAG: _tagged}
"""Searches that are no recall, by their flag."""


MOST_ACCOUNTS = 8


async def alias(request: Request) -> str:
    """Accounts on different platforms that are one person and share their private memories."""
    match request.argument.split():
        case ["list"]:
            return await _list_aliases(request)
        case ["add", platform, user, name] if accounts.plausible([platform, user, name]):
            joined = await accounts.join_account(request.context, (platform, user), name)
            account, person = _account(platform, user), quoted(name, 40)
            told = {"account": account, "person": person, "accounts": _accounts(joined)}
            return answer([request.say("alias.added", **told)])
        case ["remove", platform, user] if accounts.plausible([platform, user]):
            await accounts.part_account(request.context, (platform, user))
            return request.say("alias.removed", account=_account(platform, user))
        case _:
            raise WrongArguments


async def link(request: Request) -> str:
    """The caller is who is logged in on the page, and has the code from there."""
    joined = await accounts.link(request.context, request.needed)
    return request.say("link.done", accounts=_accounts(joined))


async def _list_aliases(request: Request) -> str:
    people = await accounts.list_people(request.context)
    if not people:
        return request.say("alias.empty")
    listed = [
        f"{quoted(person, 40)}: {quoted(', '.join(_account(*one) for one in theirs), 300)}"
        for person, theirs in people.items()
    ]
    return answer([request.say("alias.header"), *listed])


def _accounts(joined: Sequence[tuple[str, str]]) -> str:
    return ", ".join(_account(*one) for one in joined[:MOST_ACCOUNTS])


def _account(platform: str, user: str) -> str:
    return quoted(f"{platform}/{user}", 60)
