"""The graph of the page: names and what joins them, and nothing of others' private memories."""

from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import Community, Kind
from astrbot_plugin_tidemark.core.privacy.revelations import RevelationKind

from ..command_rig import ANN, CommandRig, in_group
from .page import data


def about(*names: str) -> tuple[Entity, ...]:
    return tuple(Entity(name, name) for name in names)


async def filled(rig: CommandRig) -> None:
    group = in_group(ANN)
    told = (Relation("rex", "belongs to", "lena"),)
    await rig.remember("Lena walks Rex", of=group, entities=about("Lena", "Rex"), relations=told)
    await rig.remember(
        "Lena is in Kiel", of=group, entities=about("Lena", "Kiel"), community=Community("c1")
    )
    await rig.remember("Lena?", of=group, entities=about("Lena", "Raw"), kind=Kind.EVIDENCE)
    await rig.remember("Ann fears Mallory", entities=about("Mallory", "Lena"))


async def test_names_are_joined_where_a_memory_speaks_of_both(rig: CommandRig) -> None:
    await filled(rig)
    graph = await data(rig, "GET graph")
    counts = {each["name"]: each["count"] for each in graph["nodes"]}
    assert counts == {"Ann": 2, "Lena": 2, "Rex": 1, "Kiel": 1}
    assert {each["name"] for each in graph["nodes"] if each["person"]} == {"Ann"}
    [link] = [each for each in graph["links"] if {each["one"], each["other"]} == {"lena", "rex"}]
    assert (link["count"], link["predicates"]) == (1, ["belongs to"])
    near = await data(rig, "GET graph", focus="kiel")
    assert [each["name"] for each in near["nodes"]] == ["Kiel", "Ann", "Lena"]
    assert [each["text"] for each in near["memories"]] == ["Lena is in Kiel"]


async def test_private_names_appear_for_a_reason_alone_and_that_is_noted(rig: CommandRig) -> None:
    await filled(rig)
    for focus in ("", "mallory"):
        graph = await data(rig, "GET graph", focus=focus)
        assert "mallory" not in str(graph).lower()
        assert (graph["left_out"], graph["why_masked"]) == (1, "reason_needed")
    shown = await data(rig, "GET graph", focus="mallory", reveal="she asked")
    assert [each["text"] for each in shown["memories"]] == ["Ann fears Mallory"]
    kind = frozenset({RevelationKind.REVEALED})
    assert len(await rig.engine.parts.journal.audit_by_action(kind)) == 1
