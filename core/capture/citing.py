"""The lines that a told fact rests on: its words are looked for again in what people said. Pure.

A model that is asked for numbers of lines miscounts them; half a sentence it can copy. Where the
model's own sentence says more than the line holds, the copied words are the memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from difflib import SequenceMatcher

from ..languages.markers import clauses, is_first_person
from ..languages.registry import learning_wording
from ..languages.scripts import language_of
from ..languages.terms import content_terms
from ..languages.times import times_in, without_times
from ..model.conversation import Role, Turn
from ..model.lesson import Candidate, ToldFact
from ..model.memory import Kind
from ..prompts.reading import cleaned
from ..prompts.schema import LONGEST_SUMMARY, LONGEST_TEXT
from ..text.quoting import folded
from ..text.time.calendar import Leaning
from .grounding import SENTENCE, Doubt, Grounds, Lack, doubt, grounds_of, is_of_another, local

COPIED = 0.7
"""Share of the words, in one piece, that a line must hold."""

SUPPORTED = 0.5
"""Share of a sentence's content terms that its lines hold, in the same language."""

OF_ITS_OWN = 2
"""Content terms of a clause that must share one with the lines. Of 677 observations that a good
reader made .016 have such a clause."""

SHORTEST = 3
"""Letters of words that can be looked for, at least."""

LONGEST = 2_000
"""Characters of a line in which words are looked for that are not copied exactly."""

type Texts = Mapping[int, str]
"""What people said, by the number of the turn from 1."""


def cited(told: Sequence[ToldFact], turns: Sequence[Turn], where: tzinfo | None) -> list[Candidate]:
    """The candidates, each once, with the lines that they rest on; one that has none is left out.

    People speak of days in the zone `where`. It may look into dictionaries: not on the event loop.
    """
    found: dict[tuple[str, tuple[int, ...]], Candidate] = {}
    said = {
        n: turn.text for n, turn in enumerate(turns, start=1) if turn.role is not Role.ASSISTANT
    }
    lines = {n: _plain(text) for n, text in said.items()}
    for each in told:
        if each.promise:
            continue
        places = _places(each, said, lines)
        if places:
            candidate = _without_its_day(each.candidate, turns[places[0] - 1], where)
            candidate = _borne_out(replace(candidate, turns=places), each.words, turns, where)
            if candidate is not None:
                candidate = _for_its_time(candidate, each.words, turns[places[0] - 1], where)
                found.setdefault((folded(candidate.text), places), candidate)
    planned = {n for each in found.values() if each.kind is Kind.PROSPECTIVE for n in each.turns}
    promised = (_promised(each, turns, where) for each in told if each.promise)
    # Whoever asked to be reminded has the plan already.
    kept = {each.turns: each for each in promised if each and each.turns[0] - 1 not in planned}
    return [*found.values(), *kept.values()]


def _without_its_day(candidate: Candidate, line: Turn, where: tzinfo | None) -> Candidate:
    """The candidate without the day on which its line was said behind whom it is about: a model
    copies it from the line's head, and the memory is dated by it anyway.
    """
    said_at = local(line.at, where)
    day = said_at.date().isoformat() if said_at else ""
    head, _, rest = candidate.text.partition(day) if day else ("", "", "")
    if head.strip() not in candidate.about or not _plain(rest):
        return candidate
    text = head + rest.lstrip(" :,，：")
    return replace(candidate, text=text, summary=cleaned(text, LONGEST_SUMMARY))


def _for_its_time(candidate: Candidate, words: str, line: Turn, where: tzinfo | None) -> Candidate:
    """What is to come for the one time that its words tell, where its sentence tells none: a model
    leaves it out, or writes the day on which it was said.
    """
    if candidate.kind is not Kind.PROSPECTIVE or candidate.happened_at is not None:
        return candidate
    told, own = _coming(words, line, where), _coming(candidate.text, line, where)
    missing = len(told) == 1 and told[0] > line.at and not any(start > line.at for start in own)
    return replace(candidate, happened_at=told[0]) if missing else candidate


def _coming(text: str, line: Turn, where: tzinfo | None) -> list[float]:
    """When the times begin that a text of this line tells and that are not over."""
    times = times_in(text, line.at, where, leaning=Leaning.FUTURE)
    return [each.interval.start for each in times if each.interval.end > line.at]


def _promised(told: ToldFact, turns: Sequence[Turn], where: tzinfo | None) -> Candidate | None:
    """What the bot has said that it will do, in its own words and with a time to come; else None.

    Nothing of it is anybody else's: neither a claim nor whom it is about.
    """
    sought = _plain(told.words)
    for n, line in enumerate(turns, start=1):
        if line.role is not Role.ASSISTANT or line.private_reply or sought not in _plain(line.text):
            continue
        if len(sought) < SHORTEST or not _coming(told.words, line, where):
            return None
        text = learning_wording(language_of(told.words)).bot.replace("{text}", told.words)
        plain = replace(told.candidate, text=text, summary=cleaned(text, LONGEST_SUMMARY))
        return replace(plain, turns=(n,), about=(), claim=None, entities=())
    return None


def _places(told: ToldFact, said: Texts, lines: Texts) -> tuple[int, ...]:
    """Numbers of the people's turns that hold its words.

    Without words those that the model named count, else the line that says most of its sentence.
    """
    if told.words:
        place = _line_of(told.words, lines)
        return (place,) if place else ()
    if told.candidate.turns:
        return tuple(n for n in told.candidate.turns if n in said)
    terms = content_terms(told.candidate.text)
    shares = {n: _share(terms, content_terms(text)) for n, text in said.items()}
    best = max(shares, key=lambda n: shares[n], default=0)
    return (best,) if best and shares[best] >= SUPPORTED else ()


def _line_of(words: str, lines: Texts) -> int:
    """The number of the last line that these words are copied from; 0 if none."""
    sought = _plain(words)
    if len(sought) < SHORTEST:
        return 0
    whole = [n for n, line in lines.items() if sought in line]
    if whole:
        return whole[-1]
    shares = {n: _copied(sought, line) for n, line in lines.items() if len(line) <= LONGEST}
    best = max(shares, key=lambda n: shares[n], default=0)
    return best if best and shares[best] >= COPIED else 0


def _copied(sought: str, line: str) -> float:
    match = SequenceMatcher(None, sought, line, autojunk=False).find_longest_match()
    return match.size / len(sought)


def _borne_out(
    candidate: Candidate, words: str, turns: Sequence[Turn], where: tzinfo | None
) -> Candidate | None:
    """The candidate as far as its lines hold it, or with the doubt that remains.

    None if they do not and its words tell nothing, as "hahaha" does: the turn itself is kept.
    """
    grounds = grounds_of(candidate, turns)
    line = turns[candidate.turns[0] - 1]
    another = is_of_another(candidate, line)
    found = doubt(candidate, grounds, where, words) or another
    found = found or _unsupported(candidate, words, grounds, where)
    stated = candidate.claim
    if stated is not None and not _holds(stated.value, candidate, grounds, where):
        candidate = replace(candidate, claim=None)
    if found is None and not is_first_person(candidate.text):
        return candidate
    if not words and found is not None:
        return replace(candidate, doubt=found.lack.value)
    words = words or candidate.text
    # Whom it is about stands before it.
    words = _sentence_of(words, line.text) if another else words
    # Nobody is quoted with words that they did not say.
    words = words if _plain(words) in _plain(line.text) else line.text
    if found is not None and len(content_terms(words)) < OF_ITS_OWN:
        return None
    speaker, short = line.speaker.name, cleaned(words, LONGEST_SUMMARY)
    quote = learning_wording(language_of(words)).quote
    text = quote.replace("{name}", speaker).replace("{words}", words) if speaker else words
    text = cleaned(text, LONGEST_TEXT)
    quoted = replace(candidate, text=text, summary=short)
    # In the first person it is right, but for the person that it is told in.
    return quoted if found is None else replace(quoted, claim=None, happened_at=None)


def _unsupported(
    candidate: Candidate, words: str, grounds: Grounds, where: tzinfo | None
) -> Doubt | None:
    """Whether the lines, and the words if there are any, say something else than the sentence.

    A memory in another language than its lines shares no words with them, and is none the less
    right. Days are written otherwise than they were said, and are held against them by number.
    """
    if language_of(candidate.text) != language_of(grounds.cited[0].text):
        return None
    there = content_terms("\n".join([grounds.text, *(turn.text for turn in grounds.earlier)]))
    text = without_times(candidate.text, grounds.cited[0].at, where)
    # Whom it is about does not bear out what is said of them.
    names = content_terms(" ".join([*grounds.people, *candidate.about]))
    asked = SUPPORTED if words else SUPPORTED / 2
    terms = content_terms(text) - names
    held = _share(terms, there) >= asked
    apart = words and terms.isdisjoint(content_terms(words))
    # A detail of its own, of which nothing was said.
    details = (content_terms(clause) - names for clause in clauses(text))
    alone = any(len(each) >= OF_ITS_OWN and each.isdisjoint(there) for each in details)
    return None if held and not apart and not alone else Doubt(Lack.SUPPORT)


def _share(terms: frozenset[str], there: frozenset[str]) -> float:
    return len(terms & there) / len(terms) if terms else 0.0


def _holds(value: str, candidate: Candidate, grounds: Grounds, where: tzinfo | None) -> bool:
    """Whether a value may be that of its lines: in other words, but with no other number or name.

    Of 579 recorded values 379 are worded otherwise than their line.
    """
    if folded(value) in folded(f"{candidate.text}\n{grounds.text}"):
        return True
    # A name is told by its capital within a sentence.
    alone = replace(candidate, text=f"it is {value}", about=(), entities=())
    found = doubt(alone, grounds, where)
    return found is None or found.lack not in (Lack.NUMBER, Lack.NAME)


def _sentence_of(words: str, line: str) -> str:
    sentences = (each for each in SENTENCE.split(line) if _plain(words) in _plain(each))
    return next(sentences, line).strip()


def _plain(text: str) -> str:
    return "".join(character for character in folded(text) if character.isalnum())
