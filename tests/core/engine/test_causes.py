"""What a memory came of is told when somebody asks why."""

from astrbot_plugin_tidemark.core.graph.communities import CAUSED_BY
from astrbot_plugin_tidemark.core.model.knowledge import Relation

from ...rig import Rig
from ...samples import ANNS

MOVED = "Ann moved across town"
DRILLS = "Somebody above Ann drilled through walls at seven every morning"
SOLD = "The flat above Ann was sold to a young couple"


async def test_why_tells_the_reasons_though_they_share_no_word_with_the_question(rig: Rig) -> None:
    await rig.keep(SOLD, ANNS, id="sold")
    for text, id, cause in ((DRILLS, "drills", "sold"), (MOVED, "moved", "drills")):
        await rig.keep(text, ANNS, id=id, relations=(Relation(id, CAUSED_BY, cause),))
    await rig.embedded()
    texts = await rig.texts(ANNS, "Why did I move across town?")
    assert texts.index(MOVED) < texts.index(DRILLS) < texts.index(SOLD)
