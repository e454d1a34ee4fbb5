"""The graph of entities that memories mention."""

from ...core.actions import graph as graph_
from ...core.actions.answers import CodeNeeded, Refused
from .graph_shapes import GraphShape, LinkShape, NodeShape
from .request import WebRequest, revealing
from .shapes import browsed_shape


async def show(request: WebRequest) -> GraphShape | Refused | CodeNeeded:
    """The most mentioned, or one entity and its neighbours."""
    context, owner, focus = request.context, request.text("owner"), request.text("focus")
    found = await revealing(
        lambda reveal: graph_.entity_graph(context, owner, focus, reveal), request.reveal
    )
    if isinstance(found, Refused | CodeNeeded):
        return found
    return GraphShape(
        [NodeShape(n.id, n.name, n.count, n.community, n.person) for n in found.nodes],
        [LinkShape(e.one, e.other, e.count, list(e.predicates)) for e in found.links],
        [browsed_shape(row) for row in found.memories],
        found.total,
        found.left_out,
        found.why_masked or "",
        context.now,
    )
