"""Resolves pronouns and names that stand for a speaker's relatives and pets. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..languages.extraction_rule import ExtractionRules
from ..languages.kin import kin_of, may_be_called

type Names = Mapping[str, Mapping[str, str]]
"""By the id of a speaker: names of relatives and pets, and what each is to the speaker."""

SHORTEST = 2
"""Characters of a name: whoever is told to be a 李 is not everybody whose name begins so."""

NEAR = 2
"""Turns of an episode after which a pronoun means nobody any more: theirs, the answer, the next."""


@dataclass(frozen=True, slots=True)
class _Spoken:
    """Somebody of the speaker's: as the speaker calls them (我女儿, "my sister"), and when last."""

    called: str
    kin: str
    number: int


@dataclass(frozen=True, slots=True)
class Bearer:
    """A name that stood in a clause, and the words that were put in its place: 我女儿."""

    name: str
    kin_word: str


@dataclass(slots=True)
class Antecedents:
    """Whom one speaker is talking about, clause by clause. `names`: of whom, as `Names`."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    _of: _Spoken | None = field(default=None)

    def nickname(self, clause: str, language: ExtractionRules) -> tuple[str, str]:
        """What somebody of theirs just spoken of is called besides, and how the speaker does."""
        found = language.they_call.fullmatch(clause) if language.they_call else None
        if found is None or self._of is None or not self._of.kin:
            return "", ""
        self.names.setdefault(found["x"], self._of.kin)
        return found["x"], self._of.called

    def by_name(self, clause: str, language: ExtractionRules) -> tuple[str, Bearer | None]:
        """The clause with whoever has the name it begins with in its place, and the name."""
        for name, kin in sorted(self.names.items(), key=lambda each: -len(each[0])):
            if len(name) < SHORTEST:
                continue
            match = re.match(rf"{re.escape(name)}(?![A-Za-z])", clause, re.IGNORECASE)
            word = language.kin_words.get(kin)
            if match is not None and word:
                own = language.own_kin.format(kin=word)
                return own + clause[match.end() :], Bearer(match.group(), word)
        return clause, None

    def resolved(self, clause: str, number: int, language: ExtractionRules) -> str:
        """The clause, of the turn `number`, with whom its opening pronoun means in its place.

        Unchanged where it opens with none, or where nobody or more than one may be meant.
        """
        if language.pronoun is None or language.somebody is None:
            return clause
        pronoun = language.pronoun.match(clause)
        if pronoun is None:
            self._hear(clause, number, language.somebody, language)
            return clause
        meant = self._meant(pronoun, number)
        if meant is None:
            self._of = None
            return clause
        self._of = _Spoken(meant.called, meant.kin, number)
        whose = language.possessed if pronoun["possessive"] else "{whose}"
        return pronoun["lead"] + whose.format(whose=meant.called) + clause[pronoun.end() :]

    def _meant(self, pronoun: re.Match[str], number: int) -> _Spoken | None:
        of = self._of
        if of is None or number - of.number > NEAR:
            return None
        said = next(name for name in ("she", "he", "it") if pronoun[name])
        return of if may_be_called(of.kin, said) else None

    @staticmethod
    def _by_title(clause: str, language: ExtractionRules) -> str:
        """Whom alone a clause is about, where only their name tells; "" for nobody."""
        if language.by_name is None or language.company is None:
            return ""
        opening = language.by_name.match(clause)
        if opening is None or language.company.search(clause[opening.end() :]):
            return ""
        return opening["named"]

    def _hear(
        self, clause: str, number: int, somebody: re.Pattern[str], language: ExtractionRules
    ) -> None:
        named = {match["kin"] for match in somebody.finditer(clause) if kin_of(match["kin"])}
        beside = language.company is not None and language.company.search(somebody.sub("", clause))
        if not named and (by_name := self._by_title(clause, language)):
            self._of = _Spoken(by_name, "", number)
        elif len(named) == 1 and not beside:
            kin = named.pop()
            self._of = _Spoken(language.own_kin.format(kin=kin), kin_of(kin), number)
        elif named or beside:
            self._of = None
