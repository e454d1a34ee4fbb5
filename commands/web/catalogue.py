"""Every resource once: its path below the plugin's, its method, and who answers it."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from ...core.actions.answers import CodeNeeded, Refused
from ...core.actions.context import Context, MemoryEngine
from ...core.actions.downloads import Download, Sendable
from ...core.actions.services import Services
from ...core.actions.web_requests import Asked, Sent, note_request
from . import (
    backups,
    deciding,
    forgetting,
    graph,
    imports,
    jobs,
    memories,
    people,
    recalls,
    settings,
    storage,
    tide,
)
from .request import BadRequest, WebRequest, owner_of_dashboard
from .shapes import as_sent

__all__ = ["ROUTES", "Asked", "Route", "Sendable", "Sent", "respond"]

GET, POST = "GET", "POST"


@dataclass(frozen=True, slots=True)
class Route:
    """A resource. Segments like `<id>` of the path are parameters."""

    method: str
    path: str
    run: Callable[[WebRequest], Awaitable[Any]]
    sent: Sent = Sent.JSON

    @property
    def name(self) -> str:
        """By which it is noted in the audit log."""
        return f"{self.method} {self.path}"


ROUTES: tuple[Route, ...] = (
    Route(GET, "tide", tide.tide),
    Route(GET, "health", tide.health),
    Route(POST, "embedder/install", tide.install),
    Route(GET, "owners", memories.owners),
    Route(GET, "memories", memories.list_),
    Route(GET, "memories/<id>", memories.show),
    Route(POST, "memories/write", memories.write),
    Route(POST, "memories/forget", memories.forget),
    Route(POST, "memories/restore", memories.restore),
    Route(POST, "memories/purge", memories.purge),
    Route(POST, "memories/accept", memories.accept),
    Route(POST, "memories/drop", memories.drop),
    Route(POST, "memories/important", memories.mark),
    Route(POST, "memories/pin", memories.pin),
    Route(POST, "memories/judge", memories.judge),
    Route(GET, "person", people.show),
    Route(POST, "accounts/join", people.join),
    Route(POST, "accounts/part", people.part),
    Route(GET, "recalls", recalls.recent),
    Route(GET, "recalls/<turn>", recalls.show),
    Route(POST, "recalls/trial", recalls.trial),
    Route(GET, "forgetting", forgetting.policies),
    Route(GET, "forgetting/foresight", forgetting.foresee),
    Route(POST, "forgetting/simulate", forgetting.simulate),
    Route(POST, "forgetting/stop", forgetting.stop),
    Route(GET, "graph", graph.show),
    Route(GET, "settings", settings.list_),
    Route(POST, "settings/change", settings.change),
    Route(POST, "settings/reset", settings.reset),
    Route(GET, "prompts", settings.prompts),
    Route(POST, "prompts/change", settings.change_prompt),
    Route(POST, "prompts/reset", settings.reset_prompt),
    Route(GET, "conflicts", deciding.list_conflicts),
    Route(POST, "conflicts/decide", deciding.decide),
    Route(POST, "conflicts/both", deciding.both),
    Route(GET, "plans", deciding.list_plans),
    Route(POST, "plans/close", deciding.close),
    Route(GET, "reports", deciding.list_reports),
    Route(GET, "reports/<number>", deciding.report),
    Route(POST, "reports/undo", deciding.undo),
    Route(POST, "export", storage.export),
    Route(POST, "downloads/offer", storage.offer),
    Route(GET, "downloads/<code>", storage.fetch, Sent.FILE),
    Route(GET, "storage", storage.state),
    Route(POST, "storage/move", storage.move),
    Route(POST, "storage/confirm", storage.confirm),
    Route(POST, "storage/cancel", storage.cancel),
    Route(GET, "backups", backups.list_),
    Route(POST, "backups/make", backups.make),
    Route(POST, "backups/delete", backups.delete),
    Route(POST, "backups/restore", backups.restore),
    Route(GET, "jobs", jobs.list_),
    Route(POST, "jobs/cancel", jobs.cancel),
    Route(GET, "jobs/events", jobs.list_, Sent.EVENTS),
    Route(GET, "imports", imports.list_),
    Route(POST, "imports/look", imports.look),
    Route(POST, "imports/start", imports.start),
    Route(POST, "imports/undo", imports.undo),
)


async def respond(
    route: Route, asked: Asked, engine: MemoryEngine | None, services: Services | None
) -> Sendable:
    """What the page is sent. What breaks inside a resource propagates.

    An error's message is `refused.<reason>`, `bad_request.<parameter>` or `closed` while memory
    is not open, for the page to say.
    """
    if engine is None or services is None:
        return failed("closed")
    context = Context(owner_of_dashboard(asked.username), engine, services)
    if not asked.again:
        await note_request(context, route.name, changes=route.method == POST)
    try:
        answer = await route.run(WebRequest(context, asked.params))
    except BadRequest as wrong:
        return failed(f"bad_request.{wrong}")
    match answer:
        case Download():
            return answer
        case Refused():
            return failed(f"refused.{answer.reason}")
        case CodeNeeded():
            return {"status": "ok", "data": {"code": answer.code}}
        case _:
            data = as_sent(answer)
            # What is sent whenever it has changed would have changed every time.
            stamped = data if route.sent is Sent.EVENTS else data | {"now": context.now}
            return {"status": "ok", "data": json.loads(json.dumps(stamped))}


def failed(message: str) -> dict[str, Any]:
    """The envelope of an error as the host's bridge reads it."""
    return {"status": "error", "message": message, "data": None}
