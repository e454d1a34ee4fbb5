"""From a memory to the thread that tells it, and back."""

from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.records.threads import composed, line_of, thread_id

from ..command_rig import ANN, BEN, CommandRig, admin
from ..web.page import data

SAID = ("Ann applied at the bakery", "Ann was asked to the bakery", "Ann works at the bakery")


async def told(rig: CommandRig) -> tuple[Memory, list[Memory]]:
    """A thread, and what it tells."""
    kept = [await rig.remember(text) for text in SAID]
    journal = rig.engine.parts.journal.id
    id = thread_id(journal, ANN.scope.key, "entity:bakery")
    thread = composed(id, "bakery", kept, [line_of(each, "2025-06-15") for each in kept])
    await rig.engine.parts.store.put([thread])
    return thread, kept


async def test_a_thread_is_shown_line_by_line_with_ids_of_its_sources(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    shown = (await rig.ask("show", thread.id)).splitlines()
    assert shown[2:5] == [f"  2025-06-15 {each.text} ({each.id[:6]})" for each in kept]


async def test_a_memory_leads_to_the_thread_that_tells_it(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    assert thread.id[:6] in await rig.ask("show", kept[0].id)
    assert thread.id[:6] in await rig.ask("search", "bakery")


async def test_who_may_not_read_a_thread_is_not_told_of_it(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    assert thread.id[:6] not in await rig.ask("search", "bakery", by=BEN)
    shown = await rig.ask("show", thread.id, by=admin(BEN))
    assert not any(text in shown for text in SAID)
    assert kept[0].id[:6] not in shown


async def test_forgetting_a_memory_takes_its_line_out_of_the_thread(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    await rig.ask("forget", kept[1].id)
    shown = await rig.ask("show", thread.id)
    assert SAID[1] not in shown
    assert SAID[2] in shown


async def test_a_correction_takes_the_line_of_the_corrected_out(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    await rig.ask("correct", f"{kept[2].id} Ann works at the mill")
    assert SAID[2] not in await rig.ask("show", thread.id)


async def test_a_thread_is_not_called_kept_for_good(rig: CommandRig) -> None:
    thread, _ = await told(rig)
    assert "kept for good" not in await rig.ask("show", thread.id)


async def test_the_page_has_a_thread_as_a_dated_timeline_and_the_way_back(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    hidden = await data(rig, "GET memories/<id>", id=thread.id)
    assert (hidden["story"], hidden["memory"]["masked"]) == ([], True)
    shown = await data(rig, "GET memories/<id>", id=thread.id, reveal="to look after it")
    assert [each["said"] for each in shown["story"]] == [f"2025-06-15 {said}" for said in SAID]
    assert [[m["id"] for m in each["memories"]] for each in shown["story"]] == [
        [each.id] for each in kept
    ]
    one = await data(rig, "GET memories/<id>", id=kept[0].id, reveal="to look after it")
    assert [each["id"] for each in one["threads"]] == [thread.id]
