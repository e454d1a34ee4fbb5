"""Every package that is needed at run time has a wheel wherever owners run the bot."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from astrbot_plugin_tidemark.scripts.wheel_search import (
    PYTHONS,
    SYSTEMS,
    Unreachable,
    found,
    needed,
)

from ..strength import only_long

NOWHERE = {("macOS x86-64", "3.14"): {"onnxruntime>=1.20,<2", "chromadb>=1.5,<2"}}
"""Without the first, which the second needs, there is no local model; without the second there is
no backend but SQLite.
"""


def test_what_is_needed_is_read_from_where_it_is_declared() -> None:
    names = " ".join(needed())
    for name in (
        "lunardate",
        "json-repair",
        "tzdata",
        "chromadb>=1.5,<2",
        "onnxruntime",
        "tokenizers",
        "numpy",
    ):
        assert name in names


@only_long
def test_every_python_finds_a_wheel_of_everything_on_every_system() -> None:
    def missing(place: tuple[str, str]) -> list[str]:
        wanted = [each for each in needed() if each not in NOWHERE.get(place, ())]
        return [each for each, version in found(wanted, *place).items() if not version]

    places = list(product(SYSTEMS, PYTHONS))
    try:
        # What the first has asked the index is kept, and not asked again by the others.
        lacking = {places[0]: missing(places[0])}
        with ThreadPoolExecutor(max_workers=4) as several:
            lacking |= zip(places[1:], several.map(missing, places[1:]), strict=True)
    except Unreachable as error:
        pytest.skip(f"the package index cannot be asked: {error}")
    assert {place: names for place, names in lacking.items() if names} == {}


@only_long
def test_what_is_published_as_source_alone_is_told() -> None:
    try:
        versions = found(["jieba", "tzdata"], "Windows x86-64", PYTHONS[0])
    except Unreachable as error:
        pytest.skip(f"the package index cannot be asked: {error}")
    assert versions["jieba"] == ""
    assert versions["tzdata"]
