"""Short topic words, as people and models write them. Pure."""

from collections.abc import Iterable

from .normalisation import folded, normalise

MOST_TAGS = 12
"""Of one memory; the first ones stay."""

LONGEST_TAG = 40
"""Characters. What is longer is no topic word and is not taken, rather than cut."""

_EDGES = " \t#＃,，、;；.。"
_READ = 10 * LONGEST_TAG
"""Characters that are looked at: a text of any length costs no more."""


def tag_of(text: str) -> str:
    """The tag in a text: lower case, one line, without "#"; "" if it is none."""
    if len(text) > _READ:
        return ""
    tag = " ".join(normalise(text).replace("\0", " ").split()).strip(_EDGES)
    return tag if len(tag) <= LONGEST_TAG and tag.isprintable() else ""


def tag_key(text: str) -> str:
    """The form in which tags are compared: in one Chinese script; "" if the text is no tag."""
    return folded(tag_of(text))


def tags_of(texts: Iterable[str]) -> tuple[str, ...]:
    """The first `MOST_TAGS` different tags among the texts, in their order."""
    found: dict[str, str] = {}
    for text in texts:
        if tag := tag_of(text):
            found.setdefault(folded(tag), tag)
        if len(found) == MOST_TAGS:
            break
    return tuple(found.values())
