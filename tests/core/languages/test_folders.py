"""A language is one folder: no other module holds words of one, and no folder needs another."""

import ast
import re

import pytest
from astrbot_plugin_tidemark.core.languages.registry import languages
from astrbot_plugin_tidemark.tests.test_architecture import Module, modules, ours

SHARED = {
    "core.conflict.numbers",
    "core.conflict.slots",
    "core.conflict.words",
    "core.host.compression",
    "core.languages.han_numerals",
    "core.languages.written_dates",
    "core.recall.selection",
    "core.text.normalisation",
    "core.text.time.festivals",
    "core.text.traditional",
}
"""Where ideographs may be besides: ranges and tables of characters, numerals and days, and what
compares claims and chooses among memories."""

DECLARED = ("core.settings", "core.forgetting")
"""Rooms that declare settings, with their names for people."""

IDEOGRAPH = re.compile("[\u4e00-\u9fff]")
CODES = [language.code for language in languages()]


def _words(module: Module) -> list[str]:
    """Its string constants but for docstrings, and for texts beside values."""
    told = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    ]


def test_words_of_chinese_are_in_its_folder() -> None:
    elsewhere = {
        module.name
        for module in modules()
        if module.name.startswith("core.")
        and module.room not in DECLARED
        and not any(module.name.startswith(f"core.languages.{code}") for code in CODES)
        and any(IDEOGRAPH.search(word) for word in _words(module))
    }
    assert elsewhere == SHARED


@pytest.mark.parametrize("code", CODES)
def test_a_language_needs_no_other(code: str) -> None:
    own = f"core.languages.{code}"
    others = {f"core.languages.{other}" for other in CODES if other != code}
    imported = {name for m in modules() if f"{m.name}.".startswith(f"{own}.") for name in ours(m)}
    assert not [name for name in imported if any(f"{name}.".startswith(f"{o}.") for o in others)]
