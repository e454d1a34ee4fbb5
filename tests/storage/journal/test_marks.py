"""What steps of sleep keep about scopes."""

from astrbot_plugin_tidemark.core.ports import Journal


async def test_marks_of_several_scopes_are_read_together(journal: Journal) -> None:
    await journal.set_mark("a", "linking", "[1]")
    await journal.set_mark("b", "linking", "[2]")
    await journal.set_mark("b", "profile", "{}")
    assert await journal.marks(["a", "b", "c"], "linking") == {"a": "[1]", "b": "[2]"}
    assert await journal.marks(["a"], "linking") == {"a": await journal.mark("a", "linking")}
    assert await journal.marks([], "linking") == {}
