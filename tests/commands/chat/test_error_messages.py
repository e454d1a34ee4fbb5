"""What is said where memory cannot do what was asked: the reason, in words people understand."""

import pytest
from astrbot_plugin_tidemark.commands.chat.failures import not_available, not_done
from astrbot_plugin_tidemark.commands.chat.phrases import load_phrases
from astrbot_plugin_tidemark.core.model.errors import Fault, SchemaTooNew, StorageError

PHRASES = load_phrases()
BROKEN = StorageError("journal.db is damaged (x)", file="journal.db", fault=Fault.DAMAGED)


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_of_a_file_has_a_reason_without_words_of_the_database(fault: Fault) -> None:
    error = StorageError("database disk image is malformed", file="journal.db", fault=fault)
    for told in (not_available(PHRASES, "zh", error), not_done(PHRASES, "zh", error)):
        assert "malformed" not in told
        assert "StorageError" not in told
        assert ("journal.db" in told) is (fault is not Fault.OTHER)


def test_where_the_language_is_not_known_both_are_spoken() -> None:
    chinese, english = not_available(PHRASES, "auto", BROKEN).splitlines()
    assert chinese == not_available(PHRASES, "zh", BROKEN)
    assert english == not_available(PHRASES, "en", BROKEN)
    assert not_done(PHRASES, "auto", BROKEN).count("journal.db") == 2


def test_what_can_be_done_is_said() -> None:
    error = SchemaTooNew("x", file="memories.db", fault=Fault.NEWER)
    assert "update the plugin" in not_available(PHRASES, "en", error)
    assert "升级插件" in not_available(PHRASES, "zh", error)
    assert "in a moment" in not_available(PHRASES, "en", None)
    folder = StorageError("x", file="chroma", fault=Fault.UNREACHABLE)
    server = StorageError("x", file="http://host:8000", fault=Fault.UNREACHABLE)
    assert "folder chroma" in not_available(PHRASES, "en", folder)
    assert "文件夹 chroma" in not_available(PHRASES, "zh", folder)
    assert "server" not in not_available(PHRASES, "en", folder)
    assert "server http://host:8000" in not_available(PHRASES, "en", server)


def test_what_is_not_a_files_fault_is_in_the_log() -> None:
    assert "in the log" in not_available(PHRASES, "en", ValueError("secret"))
    assert not_done(PHRASES, "en", ValueError("secret")) == not_done(PHRASES, "en", None)
    assert "secret" not in not_done(PHRASES, "en", ValueError("secret"))
