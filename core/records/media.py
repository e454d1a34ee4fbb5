"""Pictures, voices and files in the text of a turn, and the words that find them. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from ..languages.detection import language_of
from ..languages.registry import media_wording, media_words
from ..model.knowledge import PICTURES, Media
from ..text.quoting import quoted

LONGEST_TOLD = 400
"""Characters of what a picture shows, or a voice says, in the words of a turn."""


def worded(said: str, media: Sequence[Media], default: str) -> str:
    """What was said, and a line for all that came with it, in the language of the words at hand.

    `default` is a language for where there are none.
    """
    if not media:
        return said
    told = " ".join([said, *(each.caption or each.name for each in media)])
    wording = media_wording(language_of(told, default))
    lines = [_line(each, wording.line, wording.told, wording.labels[each.type]) for each in media]
    return "\n".join(filter(None, [said, " ".join(lines)]))


def described(media: Sequence[Media], captions: Sequence[str]) -> tuple[Media, ...]:
    """The media with captions for its pictures, in their order; none is overwritten.

    A single one for several pictures tells of all of them, as the host asks for it: it stands with
    the first. Where there are otherwise not as many as pictures without one, nothing changes.
    """
    bare = [n for n, each in enumerate(media) if each.type in PICTURES and not each.caption]
    if len(captions) not in (1, len(bare)):
        return tuple(media)
    given = dict(zip(bare, captions, strict=False))
    return tuple(
        replace(each, caption=given[n]) if n in given else each for n, each in enumerate(media)
    )


def captioned(media: Sequence[Media]) -> int:
    """How many have a caption."""
    return sum(bool(each.caption) for each in media)


def asked_by(media: Sequence[Media]) -> tuple[str, ...]:
    """Words by which people ask for such media, for the cues of a memory."""
    return tuple(dict.fromkeys(media_words(each.type) for each in media))


def _line(media: Media, line: str, told: str, label: str) -> str:
    # A caption may say anything: it must not close the bracket and go on as if it had been said.
    known = [media.caption, media.name] if media.caption else [media.name]
    text = "; ".join(quoted(each, LONGEST_TOLD) for each in known if each)
    text = text.replace("[", "(").replace("]", ")")
    return told.format(label=label, told=text) if text else line.format(label=label)
