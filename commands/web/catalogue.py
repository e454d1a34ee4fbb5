"""Every resource once: its path below the plugin's, its method, and who answers it."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...core.actions import (
    accounts,
    backends,
    backups,
    configuration,
    conflicts,
    details,
    edits,
    explanation,
    imports,
    jobs,
    listing,
    reports,
    web_requests,
)
from ...core.actions import bin as bin_
from ...core.actions import forgetting as forgetting_
from ...core.actions.answers import Refused
from ...core.actions.context import Context, MemoryEngine, Services
from ...core.actions.graph import entity_graph
from ...core.actions.web_requests import Asked, Sendable, Sent, note_request
from . import keeping, memories, people, settings
from .request import (
    BadRequest,
    Resource,
    WebRequest,
    as_sent,
    asked,
    code,
    of_each,
    owner_of_dashboard,
    page,
    text,
    whole,
)

__all__ = ["ROUTES", "Asked", "Route", "Sendable", "Sent", "respond"]

GET, POST = "GET", "POST"


@dataclass(frozen=True, slots=True)
class Route:
    """A resource. Segments like `<id>` of the path are parameters."""

    method: str
    path: str
    run: Resource
    sent: Sent = Sent.JSON

    @property
    def name(self) -> str:
        """By which it is noted in the audit log."""
        return f"{self.method} {self.path}"


def _which(request: WebRequest) -> conflicts.Which:
    return request.choice("which", conflicts.Which) or conflicts.Which.OPEN


def _days(request: WebRequest) -> float:
    return float(request.number("days", 30, 1, int(jobs.MOST_DAYS)))


ROUTES: tuple[Route, ...] = (
    Route(GET, "tide", asked(reports.tide)),
    Route(GET, "health", memories.health),
    Route(GET, "ledger", asked(reports.ledger)),
    Route(POST, "ledger/price", memories.price),
    Route(POST, "embedder/install", memories.install),
    Route(POST, "embedder/later", memories.later),
    Route(GET, "owners", asked(listing.browsable)),
    Route(GET, "memories", memories.list_),
    Route(GET, "memories/<id>", asked(details.details, "id")),
    Route(POST, "memories/add", asked(edits.add, "owner", text("text", edits.LONGEST_TEXT + 1))),
    Route(POST, "memories/write", memories.write),
    Route(POST, "memories/tag", memories.tag),
    Route(POST, "memories/forget", of_each(edits.forget)),
    Route(POST, "memories/restore", of_each(bin_.restore)),
    Route(POST, "memories/purge", of_each(bin_.purge)),
    Route(POST, "memories/accept", of_each(bin_.keep)),
    Route(POST, "memories/drop", of_each(bin_.drop)),
    Route(POST, "memories/important", of_each(edits.mark, "important")),
    Route(POST, "memories/pin", of_each(edits.pin, "on")),
    Route(POST, "memories/judge", of_each(edits.judge, "useful")),
    Route(GET, "person", asked(accounts.person, "owner")),
    Route(GET, "me", asked(accounts.me)),
    Route(POST, "me/code", people.code_for_chat),
    Route(POST, "me/choose", people.choose),
    Route(POST, "me/forget", people.forget),
    Route(POST, "me/webchat", people.webchat),
    Route(POST, "accounts/join", people.join),
    Route(POST, "accounts/part", people.part),
    Route(GET, "recalls", asked(explanation.recent_recalls)),
    Route(GET, "recalls/<turn>", asked(explanation.recall_of, whole("turn"))),
    Route(POST, "recalls/trial", memories.trial),
    Route(GET, "forgetting", asked(forgetting_.policies)),
    Route(GET, "forgetting/foresight", memories.foresee),
    Route(POST, "forgetting/simulate", memories.simulate),
    Route(POST, "forgetting/stop", memories.stop),
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
    Route(
        POST, "conflicts/both", asked(conflicts.decide_both, "id", on=lambda r: not r.flag("off"))
    ),
    Route(GET, "plans", asked(conflicts.list_plans, _which, page)),
    Route(POST, "plans/close", of_each(conflicts.close, "over")),
    Route(GET, "reports", asked(reports.list_reports, page)),
    Route(GET, "reports/<number>", asked(reports.report, whole("number"), page)),
    Route(POST, "reports/undo", asked(reports.undo, whole("decision"))),
    Route(POST, "export", keeping.export),
    Route(POST, "downloads/offer", asked(web_requests.offer_download, "name")),
    Route(GET, "downloads/<code>", asked(web_requests.fetch, "name", "code"), Sent.FILE),
    Route(GET, "storage", asked(backends.storage_state)),
    Route(POST, "storage/move", keeping.move),
    Route(POST, "storage/confirm", asked(backends.confirm_move)),
    Route(POST, "storage/cancel", asked(backends.cancel_move)),
    Route(GET, "backups", keeping.list_backups),
    Route(POST, "backups/make", keeping.make_backup),
    Route(POST, "backups/delete", asked(backups.delete_backup, "name")),
    Route(POST, "backups/restore", asked(backups.restore_backup, "name", code)),
    Route(GET, "jobs", keeping.jobs),
    Route(POST, "jobs/cancel", asked(jobs.cancel_job, "id")),
    Route(GET, "jobs/events", keeping.jobs, Sent.EVENTS),
    Route(GET, "imports", keeping.list_imports),
    Route(POST, "imports/upload", keeping.upload, Sent.UPLOAD),
    Route(POST, "imports/look", keeping.look),
    Route(POST, "past", asked(jobs.learn_past, _days, code)),
    Route(POST, "imports/start", keeping.take_in),
    Route(
        POST,
        "imports/undo",
        asked(imports.undo_import, "id", code, everything=lambda r: r.flag("everything")),
    ),
)


async def respond(
    route: Route, asked: Asked, engine: MemoryEngine | None, services: Services | None
) -> Sendable:
    """What the page is sent. What breaks inside a resource propagates.

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
    except BadRequest as wrong:
        return failed(f"bad_request.{wrong}")
    except Refused as refused:
        told = {name: str(value) for name, value in refused.told.items()}
        return failed(f"refused.{refused.reason} {json.dumps(told)}".removesuffix(" {}"))
    # What is sent whenever it has changed would have changed every time.
    stamped = data if route.sent is Sent.EVENTS else data | {"now": context.now}
    return {"status": "ok", "data": json.loads(json.dumps(stamped))}


def failed(message: str) -> dict[str, Any]:
    """The envelope of an error as the host's bridge reads it."""
    return {"status": "error", "message": message, "data": None}
