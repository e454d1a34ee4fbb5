"""Every resource once: its path below the plugin's, its method, and who answers it."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ...core.actions import (
    accounts,
    configuration,
    conflicts,
    consents,
    details,
    edits,
    explanation,
    imports,
    installation,
    jobs,
    keeping,
    listing,
    reports,
    web_requests,
)
from ...core.actions import forgetting as forgetting_
from ...core.actions.answers import CodeNeeded, Refused
from ...core.actions.context import Context, MemoryEngine, Services
from ...core.actions.forgetting import NAMES
from ...core.actions.graph import entity_graph
from ...core.actions.listing import ListRequest, Order
from ...core.actions.views import Replaced
from ...core.actions.web_requests import Asked, Route, Sendable, Sent, note_request
from ...core.model.conversation import Account
from ...core.model.memory import Kind, Status
from . import settings
from .request import (
    BadRequest,
    ChangedMemories,
    Read,
    WebRequest,
    as_sent,
    asked,
    code,
    flag,
    number,
    of_each,
    one_of,
    owner_of_dashboard,
    page,
    text,
    whole,
)

__all__ = ["ROUTES", "Asked", "Route", "Sendable", "Sent", "respond"]

GET, POST = "GET", "POST"
EVERY_STATUS = "all"
PAGE_SIZE = 40
LARGEST_PAGE = 100
MOST_BATCHES = 50
MOST_RULES = 500
MOST_YEARS = 10


def _wanted(request: WebRequest) -> ListRequest:
    """Which memories are listed, and in which order."""
    status = request.choice("status", (EVERY_STATUS, *Status), Status.LIVE)
    tier = request.number("tier", -1, -1, 2)
    return ListRequest(
        owner=request.text("owner"),
        persona=request.text("persona"),
        kinds=_kinds(request),
        tier=None if tier < 0 else tier,
        status=None if status == EVERY_STATUS else Status(status),
        kept=True if request.flag("kept") else None,
        text=request.text("text"),
        tag=request.text("tag"),
        order=request.choice("order", Order, Order.NEWEST),
        page=page(request),
        size=request.number("size", PAGE_SIZE, 1, LARGEST_PAGE),
    )


async def write(request: WebRequest) -> edits.Edited:
    """A new text in the place of a memory."""
    id, text = request.needed("id"), request.needed("text", longest=edits.LONGEST_TEXT + 1)
    done = await edits.correct(request.context, id, text)
    if isinstance(done, Replaced):
        raise BadRequest("id")
    return done


async def tag(request: WebRequest) -> ChangedMemories:
    """Tags given to memories, and taken from them."""
    words = {name: request.text(name).split() for name in ("added", "removed")}
    return await of_each(partial(edits.tag, **words))(request)


def _kinds(request: WebRequest) -> frozenset[Kind] | None:
    named = request.text("kinds")
    try:
        return frozenset(map(Kind, named.split(","))) if named else None
    except ValueError:
        raise BadRequest("kinds") from None


def _named(name: str) -> Read:
    """What a platform, a user or a person is called."""

    def read(request: WebRequest) -> str:
        if not accounts.plausible([called := request.needed(name)]):
            raise BadRequest(name)
        return called

    return read


def _account(request: WebRequest) -> Account:
    return _named("platform")(request), _named("user")(request)


def _export(request: WebRequest) -> imports.ExportRequest:
    """Of everybody's memories, or one owner's."""
    owner, vectors = request.text("owner"), request.flag("vectors")
    return imports.ExportRequest(None, owner=owner, vectors=vectors)


def _file(request: WebRequest) -> Path:
    """What came from the browser."""
    path = request.params.get("path")
    if not isinstance(path, Path):
        raise BadRequest("path")
    return path


def _import(request: WebRequest) -> imports.ImportRequest:
    """A file that lies there, and where its chats go."""
    chats = request.params.get("chats", {})
    if not isinstance(chats, dict) or len(chats) > MOST_RULES:
        raise BadRequest("chats")
    if not all(isinstance(each, str) for pair in chats.items() for each in pair):
        raise BadRequest("chats")
    return imports.ImportRequest(request.needed("name"), chats=dict(chats))


def _experiment(request: WebRequest) -> dict[str, str]:
    """For how many years, and under which policy."""
    years = str(request.number("years", 3, 1, MOST_YEARS))
    policy = request.choice("policy", ("", *NAMES), "")
    return {"years": years, "policy": policy} if policy else {"years": years}


BUDGET = number("budget_tokens", 800, 50, 8_000)
CHOICE = one_of("name", consents.Choice)
EAGER = one_of("eagerness", explanation.EAGERNESS, "balanced")
OTHER_POLICY = one_of("other", ("", *NAMES), "")
WHICH = one_of("which", conflicts.Which, conflicts.Which.OPEN)
WITHIN = number("within", 30, 1, 365)

ROUTES: tuple[Route, ...] = (
    Route(GET, "tide", asked(reports.tide)),
    Route(GET, "health", asked(installation.health)),
    Route(GET, "ledger", asked(reports.ledger)),
    Route(POST, "ledger/price", asked(reports.set_price, number("price", 0, 0, 1_000_000_000))),
    Route(POST, "embedder/install", asked(installation.install_embedder)),
    Route(POST, "embedder/later", asked(installation.decline_embedder)),
    Route(GET, "owners", asked(listing.browsable)),
    Route(GET, "memories", asked(listing.browse, _wanted)),
    Route(GET, "memories/<id>", asked(details.details, "id")),
    Route(POST, "memories/add", asked(edits.add, "owner", text("text", edits.LONGEST_TEXT + 1))),
    Route(POST, "memories/write", write),
    Route(POST, "memories/tag", tag),
    Route(POST, "memories/forget", of_each(edits.forget)),
    Route(POST, "memories/restore", of_each(edits.restore)),
    Route(POST, "memories/purge", of_each(edits.purge)),
    Route(POST, "memories/accept", of_each(edits.keep)),
    Route(POST, "memories/drop", of_each(edits.drop)),
    Route(POST, "memories/important", of_each(edits.mark, "important")),
    Route(POST, "memories/pin", of_each(edits.pin, "on")),
    Route(POST, "memories/judge", of_each(edits.judge, "useful")),
    Route(GET, "person", asked(accounts.person, "owner")),
    Route(GET, "me", asked(accounts.me)),
    Route(POST, "me/code", asked(accounts.link_code)),
    Route(POST, "me/choose", asked(consents.choose, CHOICE, on=flag("on"))),
    Route(POST, "me/forget", asked(consents.forget_me, code)),
    Route(POST, "me/webchat", asked(accounts.link_webchat)),
    Route(POST, "accounts/join", asked(accounts.join_account, _account, _named("person"))),
    Route(POST, "accounts/part", asked(accounts.part_account, _account)),
    Route(GET, "recalls", asked(explanation.recent_recalls)),
    Route(GET, "recalls/<turn>", asked(explanation.recall_of, whole("turn"))),
    Route(POST, "recalls/trial", asked(explanation.try_recall, "owner", "text", EAGER, BUDGET)),
    Route(GET, "forgetting", asked(forgetting_.policies)),
    Route(
        GET, "forgetting/foresight", asked(forgetting_.foresee, WITHIN, OTHER_POLICY, text("owner"))
    ),
    Route(POST, "forgetting/simulate", asked(forgetting_.simulate, _experiment)),
    Route(POST, "forgetting/stop", asked(forgetting_.stop_simulation)),
    Route(GET, "graph", asked(entity_graph, text("owner"), text("focus"), text("text"))),
    Route(GET, "settings", settings.list_),
    Route(POST, "settings/change", settings.change),
    Route(POST, "settings/preset", settings.preset),
    Route(POST, "settings/reset", settings.reset),
    Route(GET, "prompts", asked(configuration.prompts)),
    Route(POST, "prompts/change", asked(configuration.change_prompt, "name", text("text", 20_000))),
    Route(POST, "prompts/try", asked(configuration.try_learning, text("text", 20_000))),
    Route(POST, "prompts/reset", asked(configuration.reset_prompt, "name")),
    Route(GET, "conflicts", asked(conflicts.list_conflicts, page)),
    Route(POST, "conflicts/decide", asked(conflicts.decide, "id")),
    Route(POST, "conflicts/both", asked(conflicts.decide_both, "id", on=flag("on"))),
    Route(GET, "plans", asked(conflicts.list_plans, WHICH, page)),
    Route(POST, "plans/close", of_each(conflicts.close, "over")),
    Route(GET, "reports", asked(reports.list_reports, page)),
    Route(GET, "reports/<number>", asked(reports.report, whole("number"), page)),
    Route(POST, "reports/undo", asked(reports.undo, whole("decision"))),
    Route(POST, "export", asked(imports.export, _export)),
    Route(POST, "downloads/offer", asked(web_requests.offer_download, "name")),
    Route(GET, "downloads/<code>", asked(web_requests.fetch, "name", "code"), Sent.FILE),
    Route(GET, "storage", asked(keeping.storage_state)),
    Route(
        POST, "storage/move", asked(keeping.move_memories, one_of("target", keeping.TARGETS), code)
    ),
    Route(POST, "storage/confirm", asked(keeping.confirm_move)),
    Route(POST, "storage/cancel", asked(keeping.cancel_move)),
    Route(GET, "backups", asked(keeping.list_backups)),
    Route(POST, "backups/make", asked(keeping.make_backup)),
    Route(POST, "backups/delete", asked(keeping.delete_backup, "name")),
    Route(POST, "backups/restore", asked(keeping.restore_backup, "name", code)),
    Route(GET, "jobs", asked(jobs.list_jobs)),
    Route(POST, "jobs/cancel", asked(jobs.cancel_job, "id")),
    Route(GET, "jobs/events", asked(jobs.list_jobs), Sent.EVENTS),
    Route(GET, "imports", asked(imports.list_imports, page, lambda _: MOST_BATCHES)),
    Route(GET, "importable", asked(imports.list_importable)),
    Route(POST, "imports/upload", asked(imports.receive, "name", _file), Sent.UPLOAD),
    Route(POST, "imports/look", asked(imports.preview, _import)),
    Route(POST, "past", asked(jobs.learn_past, number("days", 30, 1, int(jobs.MOST_DAYS)), code)),
    Route(POST, "imports/start", asked(imports.start, _import)),
    Route(
        POST, "imports/undo", asked(imports.undo_import, "id", code, everything=flag("everything"))
    ),
)


async def respond(
    route: Route, asked: Asked, engine: MemoryEngine | None, services: Services | None
) -> Sendable:
    """What the page is sent: a record by its fields, anything else as the `answer`. What breaks
    inside a resource propagates.

    An error's message is `refused.<reason>`, with what else is to be told behind a space,
    `bad_request.<parameter>`, or `closed` while memory is not open, for the page to say.
    """
    if engine is None or services is None:
        return failed("closed")
    context = Context(owner_of_dashboard(asked.username), engine, services, everywhere=True)
    if not asked.again:
        await note_request(context, route.name, changes=route.method == POST)
    try:
        reason = WebRequest(context, asked.params).text("reveal") or None
        if reason is not None:
            look = services.confirmations.look(context.caller, reason, now=context.now)
            context = replace(context, reveal=reason, look=look)
        answer = await route.run(WebRequest(context, asked.params))
        if isinstance(answer, Path):
            return answer
        data = as_sent(answer)
    except CodeNeeded as needed:
        data = as_sent({"code": needed.code, **needed.told})
    except BadRequest as wrong:
        return failed(f"bad_request.{wrong}")
    except Refused as refused:
        values = {name: str(value) for name, value in refused.told.items()}
        return failed(f"refused.{refused.reason} {json.dumps(values)}".removesuffix(" {}"))
    told = data if isinstance(data, dict) else {"answer": data}
    # What is sent whenever it has changed would have changed every time.
    stamped = told if route.sent is Sent.EVENTS else told | {"now": context.now}
    return {"status": "ok", "data": json.loads(json.dumps(stamped))}


def failed(message: str) -> dict[str, Any]:
    """The envelope of an error as the host's bridge reads it."""
    return {"status": "error", "message": message, "data": None}
