"""Patterns that are compiled when they are first used."""

import re

import pytest
from astrbot_plugin_tidemark.core.languages.registry import compile_patterns, languages
from astrbot_plugin_tidemark.core.text.lazy_pattern import lazy_pattern, waiting_patterns


def test_it_does_what_a_compiled_pattern_does() -> None:
    """In every method used of one, with its flags and groups."""
    text = "Ann likes tea, ann likes rain"
    given = r"(?P<who>ann) likes (\w+)"
    lazy, compiled = lazy_pattern(given, re.I), re.compile(given, re.I)
    for name in ("match", "fullmatch", "search"):
        found, wanted = getattr(lazy, name)(text), getattr(compiled, name)(text)
        assert (found and found.groups()) == (wanted and wanted.groups())
    assert lazy.findall(text) == compiled.findall(text)
    assert [each.span() for each in lazy.finditer(text)] == [(0, 13), (15, 29)]
    assert lazy.sub("x", text, 1) == compiled.sub("x", text, 1)
    assert lazy.subn("x", text) == compiled.subn("x", text)
    assert lazy.split(text) == compiled.split(text)
    assert (lazy.pattern, lazy.flags, lazy.groups) == (given, compiled.flags, compiled.groups)
    assert lazy.groupindex == compiled.groupindex


def test_a_pattern_in_use_is_not_compiled_again() -> None:
    """What waits is what nothing has used yet."""
    lazy_pattern("used").search("used")
    unused = lazy_pattern("unused")
    waiting = [one() for one in waiting_patterns()]
    assert "unused" in [each.pattern for each in waiting]
    assert "used" not in [each.pattern for each in waiting]
    assert unused.search("an unused one")


def test_every_pattern_of_every_language_is_valid() -> None:
    """An error in one would otherwise be met by the first chat that needs it."""
    assert languages()
    compile_patterns()
    assert [*waiting_patterns()] == []
    with pytest.raises(re.error):
        lazy_pattern("(").search("")
    # It waits still: whoever opens memory in this process later would meet it.
    with pytest.raises(re.error):
        compile_patterns()
