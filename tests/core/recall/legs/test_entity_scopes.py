"""Nothing of another scope is touched by the entity leg or the graph."""

from collections.abc import Sequence
from dataclasses import replace

from astrbot_plugin_tidemark.core.graph.links import LINEAGE
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Mention
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ....deciding import showing
from ....samples import ANNS, memory

SCOPES = tuple(replace(ANNS, subject=subject).key for subject in ("901", "902", "903"))
NAMES = ("Rosa", "小雨", "C++", "the", "Otto")


class Watched(ReferenceStore):
    """A store that notes whose memories the questions about entities brought up."""

    def __init__(self) -> None:
        super().__init__()
        self.met: set[str] = set()

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        return await self._noted(await super().mentioning(entities, scopes, limit=limit))

    async def _noted(self, mentions: list[Mention]) -> list[Mention]:
        found = await self.find([mention.memory for mention in mentions])
        self.met |= {record.scope for record in found}
        return mentions


@st.composite
def lives(draw: st.DrawFn) -> list[Memory]:
    """Memories of several scopes, with names in common and relations across."""
    count = draw(st.integers(1, 9))
    return [
        memory(
            f"{draw(st.sampled_from(NAMES))} and bees {number}",
            id=f"m{number}",
            scope=draw(st.sampled_from(SCOPES)),
            speaker=Speaker("1", draw(st.sampled_from(NAMES))),
            entities=tuple(
                Entity(name.lower(), name)
                for name in draw(st.lists(st.sampled_from(NAMES), max_size=3))
            ),
            relations=(
                Relation(
                    f"m{number}",
                    draw(st.sampled_from(sorted(LINEAGE))),
                    f"m{draw(st.integers(0, count - 1))}",
                ),
            ),
        )
        for number in range(count)
    ]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lives(), st.frozensets(st.sampled_from(SCOPES)), st.lists(st.sampled_from(NAMES)))
async def test_only_the_scopes_asked_are_met(
    question: Question, memories: list[Memory], scopes: frozenset[str], names: list[str]
) -> None:
    store = Watched()
    await store.put(memories)
    same = {"rosa": ("otto",), "otto": ("rosa",)}
    asked = replace(question, text=f"why {' '.join(names)} bees?", scopes=scopes)
    recalled = await recall(asked, showing(store, same=same))
    owner = {record.id: record.scope for record in memories}
    assert store.met <= scopes
    assert {owner[candidate.memory] for candidate in recalled.trace.candidates} <= scopes
    assert {record.scope for record in recalled.memories} <= scopes
