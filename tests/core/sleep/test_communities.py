"""Sleep writes to each memory the community of what it mentions."""

from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.model.sleeping import Deed

from ...rig import Rig
from ...samples import ANN, ANNS
from .conftest import slept

FAMILY = ("Mum", "Papa", "Lily")  # the ids are hex digits: "Dad" may stand in them
WORK = ("Office", "Ben", "Desk")


async def told(rig: Rig, id: str, *names: str) -> Memory:
    entities = tuple(Entity(name.casefold(), name) for name in names)
    return await rig.keep(f"{id} of {names}", ANNS, id=id, entities=entities, speaker=ANN)


async def community(rig: Rig, id: str) -> str:
    return (await rig.store.get(id)).community.id


async def test_memories_of_names_that_belong_together_keep_a_community(rig: Rig) -> None:
    for number in range(2):
        await told(rig, f"f{number}", *FAMILY)
        await told(rig, f"w{number}", *WORK)
    await told(rig, "none")
    assert await slept(rig, Deed.GROUPED) == {Deed.GROUPED: 2}
    family, work = await community(rig, "f0"), await community(rig, "w0")
    assert len({family, work, ""}) == 3
    assert await community(rig, "f1") == family
    assert await community(rig, "none") == ""
    await told(rig, "f2", "Mum", "Papa", "Aunt")
    assert await slept(rig, Deed.GROUPED) == {Deed.GROUPED: 2}
    assert await community(rig, "f2") == await community(rig, "f0") == family
    assert await slept(rig, Deed.GROUPED) == {}


async def test_an_id_tells_no_name(rig: Rig) -> None:
    for number in range(2):
        await told(rig, f"f{number}", *FAMILY)
    assert await slept(rig, Deed.GROUPED) == {Deed.GROUPED: 1}
    id = await community(rig, "f0")
    assert id
    assert not any(name.casefold() in id.casefold() for name in FAMILY)
