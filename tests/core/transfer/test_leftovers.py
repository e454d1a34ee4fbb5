"""What a killed process left half done is gone when the folder is next opened, and only that."""

from pathlib import Path

from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.places import Places

from ...kit import files_with
from ...storage.memories import memory
from .conftest import kept, names

SECRET = "Quokkaberg"
CUT_SHORT = (
    "backups/.20250615T150640Z.partial/memories.db",
    "backups/.20250615T150640Z.partial/memories.jsonl.partial",
    "restore.partial/journal.db",
    "rewrite.partial/chroma/chroma.sqlite3",
    "exports/.memories-20250615T150640Z.jsonl.partial",
    "journal.before-salts.db.partial",
)


async def test_nothing_is_left_of_what_was_cut_short(tmp_path: Path) -> None:
    async with kept(tmp_path) as data_folder:
        await data_folder.store.put([memory("a", "tea")])
        backup = await data_folder.backups.make(Occasion.ASKED, 1.0)
        await data_folder.export(data_folder.places.new(1.0), 1.0, None)
    before = {folder: names(tmp_path / folder) for folder in (".", "backups", "exports")}
    for name in CUT_SHORT:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SECRET)
    async with kept(tmp_path) as data_folder:
        assert files_with(tmp_path, SECRET) == []
        assert await data_folder.backups.every() == [backup]
        assert (await data_folder.store.get("a")).text == "tea"
    assert {folder: names(tmp_path / folder) for folder in before} == before


async def test_exports_that_hold_something_of_a_person_are_named(tmp_path: Path) -> None:
    private = Scope(ScopeKind.PRIVATE, "qq", "901", "poet")
    group = Scope(ScopeKind.GROUP, "qq", "5000")
    other = Scope(ScopeKind.PRIVATE, "qq", "9011", "default")
    ann, ben = Speaker("901", "Ann"), Speaker("902", "Ben 901")
    exported = {
        "private": memory("a", "tea", scope=private.key),
        "group": memory("b", "tea", scope=group.key, speaker=ann),
        "others": memory("c", f"tea with {private.owner}", scope=other.key, speaker=ben),
    }
    places = Places(tmp_path)
    assert places.holding([private]) == []
    for number, one in enumerate(exported.values()):
        async with kept(tmp_path / one.id) as data_folder:
            await data_folder.store.put([one])
            await data_folder.export(places.new(float(number)), float(number), None)
    first, second, _ = sorted(file.name for file in places.exports.iterdir())
    assert places.holding([Scope(ScopeKind.PRIVATE, "qq", "901")]) == [first, second]
