"""Messages and names that break programs or pose as something else."""

from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench

from .chat_client import group, heard, indexed, private, recalled, turns


async def test_a_very_long_message_is_recorded_and_found_by_its_start(host: Bench) -> None:
    text = "The saga of Ingrid begins in Trondheim. " + "And then the wind blew. " * 1_500
    assert len(text) > 30_000
    await host.chat.ask(1506, text)
    (record, _) = await turns(host, private(1506))
    assert record.role is Role.USER
    assert text.startswith(record.text)
    assert len(record.text) == 20_000
    await host.chat.ask(1506, "/new")
    await indexed(host)
    await host.chat.ask(1506, "Where does the saga of Ingrid begin?")
    assert any("Trondheim" in memory for memory in recalled(host.model.asked()[-1]))


async def spoke(host: Bench, user: int, text: str, where: int) -> None:
    """Somebody says it in the group, and it is on record."""
    await host.chat.say(user, text, group=where)

    await heard(host, group(where), text)
    await indexed(host)


async def asked(host: Bench, user: int, text: str, where: int) -> list[str]:
    await host.chat.ask(user, text, group=where, mention=True)
    return recalled(host.model.asked()[-1])


async def test_a_group_card_is_the_name_and_a_new_one_takes_its_place(host: Bench) -> None:
    host.chat.cards[2701] = "Harbour Hal"
    await spoke(host, 2701, "The buoy chain is rusty", 6502)
    (turn,) = await turns(host, group(6502))
    assert turn.speaker.name == "Harbour Hal"
    assert any("Harbour Hal" in m for m in await asked(host, 902, "Is the buoy chain rusty?", 6502))
    host.chat.cards[2701] = "Captain Hal"
    await spoke(host, 2701, "Good morning everyone", 6502)
    found = await asked(host, 902, "How rusty is that buoy chain?", 6502)
    assert any("Captain Hal" in memory and "rusty" in memory for memory in found)
    assert not any("Harbour Hal" in memory for memory in found)


async def test_a_first_command_is_answered_in_the_language_it_is_written_in(host: Bench) -> None:
    english = await host.chat.ask(2721, "/memory remember I like strong tea")
    chinese = await host.chat.ask(2722, "/memory remember 我喜欢喝浓茶")
    assert not any("\u4e00" <= character <= "\u9fff" for character in english)
    assert any("\u4e00" <= character <= "\u9fff" for character in chinese)
