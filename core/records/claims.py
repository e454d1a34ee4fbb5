"""What an extraction states of somebody, as a claim. Pure."""

from collections.abc import Sequence

from ..conflict.slots import LONGEST_VALUE, canonical, denied_in, is_opposite, own
from ..languages.kin import kin_at, kin_of, owned_kin
from ..languages.registry import languages, nameless
from ..model.claims import SPEAKER, Claim
from ..model.conversation import Scope, ScopeKind, Speaker
from ..model.lesson import Candidate
from ..model.memory import unmarked
from ..text.display_names import entity_id

OF_SOMEBODY = frozenset({"pet", "family", "child", "team"})
"""Slots of the speaker that name somebody: Ann's dog is a corgi."""


def claim_of(candidate: Candidate, speaker: Speaker, scope: str, at: float) -> Claim | None:
    """The claim of a candidate whose first person is `speaker`, said at the Unix time `at`.

    None where it states nothing, or under a key that tells nothing.
    """
    stated = candidate.claim
    if stated is None:
        return None
    whose, key = of_relative(stated.attribute)
    attribute = canonical(key)
    if not attribute:
        return None
    value, denied = unmarked(stated.value), stated.denied is not is_opposite(key)
    if not denied and (none := denied_in(attribute, value)) is not None:
        value, denied = none, True
    whose = stated.whose or whose or _somebody_of(speaker, candidate.text, attribute)
    return Claim(
        subject=_subject(whose, candidate.about, speaker, scope),
        attribute=attribute,
        value=value[:LONGEST_VALUE],
        valid_from=at if stated.since is None else min(stated.since, at),
        denied=denied,
    )


def of_relative(key: str) -> tuple[str, str]:
    """A key such as `best_mate_job` as whose it is and of what; ("", key) for any other."""
    words = key.split("_")
    for place in range(len(words) - 1, 0, -1):
        if relation := kin_of(" ".join(words[:place])):
            return relation, "_".join(words[place:])
    return "", key


def _somebody_of(speaker: Speaker, text: str, attribute: str) -> str:
    """The relative, friend or pet of the speaker with whom a sentence begins: "Ann's friend is
    allergic to cats", which a small model tells of Ann. "" where the slot names them.
    """
    if attribute in OF_SOMEBODY or kin_of(attribute):
        return ""
    for mark in (each for language in languages() for each in language.genitives):
        owner, _, rest = text.partition(mark)
        if owner and _is_called(speaker, owner) and (relative := kin_at(rest)):
            return kin_of(relative)
    return ""


def _subject(whose: str, about: Sequence[str], speaker: Speaker, scope: str) -> str:
    """The speaker, somebody of theirs, or whoever else alone it is about, by name."""
    # In a private chat there is one person, from whichever account.
    group = Scope.parse(scope).kind is ScopeKind.GROUP
    account = speaker.id if group else ""
    others = [name for name in about if not _is_called(speaker, name)]
    if whose or len(others) != 1 or len(others) < len(about):
        return own(account, whose)
    name = _as_theirs(speaker, others[0])
    return own(account, name) if kin_of(name) else entity_id(name).lstrip(SPEAKER)


def _as_theirs(speaker: Speaker, name: str) -> str:
    """What 林芳的姑姑 and "Ruth's aunt" are to a speaker of that name; any other name as it is."""
    theirs = (kin for owner, kin in owned_kin(name) if _is_called(speaker, owner))
    return next(theirs, name)


def _is_called(speaker: Speaker, name: str) -> bool:
    """Whether a name, with the mark that tells people apart or without, is the speaker's."""
    called = entity_id(name).partition("#")[0]
    return called in (entity_id(speaker.name), *nameless())
