"""Pictures, voices and files among words: how a turn says them, what finds them. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from ..languages.detection import language_of
from ..languages.registry import media_wording, media_words
from ..model.knowledge import Media
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
    """The media with captions, in their order; none is overwritten, and none is put where it might
    be another's: where there are not as many captions as media without one, nothing changes.
    """
    bare = [each for each in media if not each.caption]
    if len(bare) != len(captions):
        return tuple(media)
    given = iter(captions)
    return tuple(each if each.caption else replace(each, caption=next(given)) for each in media)


def asked_by(media: Sequence[Media]) -> tuple[str, ...]:
    """Words by which people ask for such media, for the cues of a memory."""
    return tuple(dict.fromkeys(media_words(each.type) for each in media))


def _line(media: Media, line: str, told: str, label: str) -> str:
    # A caption may say anything: it must not close the bracket and go on as if it had been said.
    known = [media.caption, media.name] if media.caption else [media.name]
    text = "; ".join(quoted(each, LONGEST_TOLD) for each in known if each)
    text = text.replace("[", "(").replace("]", ")")
    return told.format(label=label, told=text) if text else line.format(label=label)
