"""The tags of a memory: topic words given by hand or by the learning model. Pure."""

from collections.abc import Iterable
from dataclasses import replace

from ..model.memory import Memory
from ..text.normalisation import folded
from ..text.tags import MOST_TAGS, tag_key, tags_of


def has_tag(memory: Memory, tag: str) -> bool:
    """Whether the memory has the tag, in whatever case and script."""
    wanted = tag_key(tag)
    return any(folded(own) == wanted for own in memory.tags)


def too_many(memory: Memory, added: Iterable[str], removed: Iterable[str]) -> bool:
    """Whether the memory would not hold all of these tags."""
    gone = {tag_key(text) for text in removed}
    kept = {folded(tag) for tag in memory.tags} - gone
    return len(kept | {tag_key(text) for text in added}) > MOST_TAGS


def tagged(memory: Memory, added: Iterable[str], removed: Iterable[str]) -> Memory:
    """With and without these tags; the same memory if that changes nothing."""
    gone = {tag_key(text) for text in removed}
    kept = [tag for tag in memory.tags if folded(tag) not in gone]
    return replace(memory, tags=tags_of((*kept, *added)))
