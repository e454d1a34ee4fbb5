"""Raw turns are found by what was said before and after them, too."""

from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.scoring.columns import PLACES, Column

from ...rig import Rig
from ...samples import ANNS

CAT, OTHER, PAW = "My cat has hurt its paw", "The weather is fine here", "The paw was bandaged"
SINCE, ELSEWHERE = "Since Monday, in the garden", "Since Monday, on the stairs"
QUESTION = "What of the paw of my cat since Monday?"


async def test_a_turn_between_two_that_tell_of_it_is_found_before_one_alone(rig: Rig) -> None:
    for text in (OTHER, ELSEWHERE, OTHER):
        await rig.say(ANNS, text)
    await rig.settle()
    await rig.pass_time()
    # The turns next to it are cues of its own; these are not.
    for text in (CAT, OTHER, SINCE, OTHER, PAW):
        await rig.say(ANNS, text)
    await rig.settle()
    await rig.embedded()
    recalled = await rig.ask(ANNS, QUESTION)
    texts = {m.id: m.text for m in await rig.memories(Kind.EVIDENCE)}
    scores = {texts[each.memory]: each for each in recalled.trace.candidates}
    assert scores[SINCE].score > scores[ELSEWHERE].score
    near = PLACES[Column.NEAR_BY]
    assert scores[SINCE].columns[near] > 0.0
    assert scores[ELSEWHERE].columns[near] == 0.0


async def test_the_same_question_before_lifts_nothing_said_beside_it(rig: Rig) -> None:
    for text in (QUESTION, "The weather since Monday was fine"):
        await rig.say(ANNS, text)
    await rig.settle()
    await rig.embedded()
    recalled = await rig.ask(ANNS, QUESTION)
    assert all(each.columns[PLACES[Column.NEAR_BY]] == 0.0 for each in recalled.trace.candidates)
