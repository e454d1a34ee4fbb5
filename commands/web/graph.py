"""The graph of entities that memories mention."""

from ...core.actions import graph as graph_
from ...core.actions.answers import CodeNeeded, Refused
from ...core.actions.graph import EntityGraph
from .request import WebRequest, revealing


async def show(request: WebRequest) -> EntityGraph | Refused | CodeNeeded:
    """The most mentioned, or one entity and its neighbours."""
    context, owner, focus = request.context, request.text("owner"), request.text("focus")
    return await revealing(
        lambda reveal: graph_.entity_graph(context, owner, focus, reveal), request.reveal
    )
