"""A written life: the file format of `benchmarks/data/README.md`. Pure but for the reading."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ...core.model.conversation import Role, Speaker
from ..datasets.reading import NoData
from ..living.script import Line

FOLDER = Path(__file__).resolve().parent.parent / "data" / "lives"
BOT = "bot"
MENTION = "@bot "
WORD = {True: "嗯。", False: "ok."}
"""What the bot says where the life has no answer, by whether it is written in Chinese."""

_BEGINS = re.compile(r"at (\d{4}-\d\d-\d\d) (\S+)")
_CALLED = re.compile(r"~ ([^:]+): (.+)")
_DAY = re.compile(r"# day (\d+)")
_SAID = re.compile(r"(\d\d):(\d\d) ([^:]{1,20}): (.+)")
_ESCAPED = re.compile(r"\\U([0-9a-f]{8})")
_TOLD = re.compile(r"\+ (\w+) ([^:]+): (.+)")
_ENDED = re.compile(r"= (\w+)(?: (\w+))?")
_NEEDED = re.compile(r"\? (\w+(?: \w+)*)")
_PATTERNS = re.compile(r"([!x]) (.+)")

type Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about a person, told by the message of that number, and ended by `until`, if ever.

    `successor` is the fact that took its place.
    """

    id: str
    who: str
    patterns: Patterns
    since: int
    until: int | None = None
    successor: str | None = None

    def told_by(self, text: str) -> bool:
        """Whether the text says it."""
        return any(each.search(text) for each in self.patterns)

    def holds(self, now: int) -> bool:
        """Whether it has been told and not ended by the message of that number."""
        return self.since <= now and (self.until is None or now < self.until)


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a person. `needs` is None where nothing was marked, () where nothing is needed.

    `wrong` are patterns of wrong answers, `forgets` of what is to be forgotten from here on.
    """

    number: int
    line: int
    day: int
    at: float
    who: str
    text: str
    addressed: bool
    reply: str | None = None
    needs: tuple[str, ...] | None = None
    wrong: Patterns = ()
    forgets: Patterns = ()


@dataclass(frozen=True, slots=True)
class Life:
    """Messages in their order, and the facts told in them by id.

    `called` is what else a person is called.
    """

    name: str
    zone: str
    said: tuple[Said, ...]
    facts: Mapping[str, Fact]
    called: Mapping[str, re.Pattern[str]]

    @property
    def speakers(self) -> tuple[str, ...]:
        """Who speaks, in the order of first messages."""
        return tuple(dict.fromkeys(each.who for each in self.said))

    @property
    def group(self) -> bool:
        """Whether it is a group's; the bot is then spoken to with a mention."""
        return len(self.speakers) > 1

    @property
    def people(self) -> frozenset[str]:
        """Everybody whom a fact is about, and who speaks."""
        return frozenset(self.speakers) | {fact.who for fact in self.facts.values()}

    def names(self, who: str, text: str) -> bool:
        """Whether the text names that person."""
        other = self.called.get(who)
        return who.casefold() in text.casefold() or bool(other and other.search(text))


def line_of(said: Said, silence: str = "") -> Line:
    """The message as `benchmarks.living` plays it; without an answer the bot says `silence`."""
    role = Role.USER if said.addressed else Role.BYSTANDER
    answer = (said.reply or silence) if said.addressed else ""
    return Line(said.at, Speaker(said.who, said.who), said.text, str(said.number), role, answer)


def lives(names: Sequence[str], folder: Path = FOLDER) -> list[Life]:
    """The lives of these names, or all. Raises NoData with every fault of a file, by line."""
    files = sorted(folder.glob("*.txt"))
    known = {file.stem: file for file in files}
    if missing := [name for name in names if name not in known]:
        raise NoData(f"no life {', '.join(missing)}; there are {', '.join(known)}")
    chosen = [known[name] for name in names] or files
    return [read(file.stem, file.read_text("utf-8")) for file in chosen]


def read(name: str, text: str) -> Life:
    """Raises NoData with every fault, by line."""
    reading = _Reading(name)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not reading.take(number, line.strip()):
            reading.fault(number, f"cannot be read: {line[:60]}")
    if not reading.said and not reading.faults:
        reading.fault(1, "nobody says anything")
    if reading.faults:
        raise NoData("\n".join(reading.faults))
    return reading.life()


@dataclass(slots=True)
class _Reading:
    name: str
    faults: list[str] = field(default_factory=list[str])
    said: list[Said] = field(default_factory=list[Said])
    facts: dict[str, Fact] = field(default_factory=dict[str, Fact])
    called: dict[str, re.Pattern[str]] = field(default_factory=dict[str, re.Pattern[str]])
    zone: str = "UTC"
    began: datetime | None = None
    day: int = 0
    clock: str = ""

    def fault(self, number: int, what: str) -> None:
        self.faults.append(f"{self.name}:{number}: {what}")

    def take(self, number: int, line: str) -> bool:
        """Whether the line is of any form."""
        if found := _BEGINS.fullmatch(line):
            self._begin(number, found[1], found[2])
        elif found := _CALLED.fullmatch(line):
            for pattern in self._patterns(number, found[2]):
                self.called[found[1]] = pattern
        elif found := _DAY.fullmatch(line):
            if int(found[1]) != self.day + 1:
                self.fault(number, f"day {found[1]} after day {self.day}")
            self.day, self.clock = int(found[1]), ""
        elif found := _SAID.fullmatch(line):
            self._message(number, found)
        elif not self.said:
            self.fault(number, "before the first message")
        else:
            return self._mark(number, line)
        return True

    def _begin(self, number: int, day: str, zone: str) -> None:
        try:
            self.zone, self.began = zone, datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone))
        except (ValueError, ZoneInfoNotFoundError) as error:
            self.fault(number, str(error))

    def _message(self, number: int, found: re.Match[str]) -> None:
        clock, who = f"{found[1]}:{found[2]}", found[3]
        text = _ESCAPED.sub(lambda escaped: chr(int(escaped[1], 16)), found[4])
        if clock < self.clock:
            self.fault(number, f"{clock} after {self.clock}")
        self.clock = clock
        if who == BOT:
            self._answer(number, text)
            return
        if self.began is None or not self.day:
            self.fault(number, "no day has begun")
            return
        hours = timedelta(days=self.day - 1, hours=int(found[1]), minutes=int(found[2]))
        at = (self.began + hours).timestamp()
        said = Said(len(self.said), number, self.day, at, who, text, text.startswith(MENTION))
        self.said.append(said)

    def _answer(self, number: int, text: str) -> None:
        """Of a group's bot to whoever addressed it last, else to the last message."""
        speakers = {one.who for one in self.said}
        to = [one for one in self.said if one.addressed or len(speakers) == 1]
        if not to:
            self.fault(number, "the bot answers nobody")
            return
        reply = text if to[-1].reply is None else f"{to[-1].reply}\n{text}"
        self.said[to[-1].number] = replace(to[-1], reply=reply)

    def _mark(self, number: int, line: str) -> bool:
        last = self.said[-1]
        if line == "0":
            self.said[-1] = replace(last, needs=())
        elif found := _TOLD.fullmatch(line):
            if found[1] in self.facts:
                self.fault(number, f"{found[1]} is told twice")
            patterns = self._patterns(number, found[3])
            self.facts[found[1]] = Fact(found[1], found[2], patterns, last.number)
        elif found := _ENDED.fullmatch(line):
            old, new = found.groups()
            if self._known(number, old, *([new] if new else [])):
                ended = replace(self.facts[old], until=last.number, successor=new)
                self.facts[old] = ended
        elif found := _NEEDED.fullmatch(line):
            needs = tuple(found[1].split())
            self._known(number, *needs)
            self.said[-1] = replace(last, needs=needs)
        elif found := _PATTERNS.fullmatch(line):
            patterns = self._patterns(number, found[2])
            of = {"wrong": patterns} if found[1] == "!" else {"forgets": patterns}
            self.said[-1] = replace(last, **of)
        else:
            return False
        return True

    def _known(self, number: int, *ids: str) -> bool:
        unknown = [each for each in ids if each not in self.facts]
        for each in unknown:
            self.fault(number, f"{each} is told nowhere before")
        return not unknown

    def _patterns(self, number: int, written: str) -> Patterns:
        try:
            return tuple(re.compile(each.strip(), re.I) for each in written.split(" | "))
        except re.error as error:
            self.fault(number, str(error))
            return ()

    def life(self) -> Life:
        """Messages of one minute are spread over it; one person is always speaking to the bot."""
        alone = len({one.who for one in self.said}) == 1
        of_minute = Counter(one.at for one in self.said)
        seen: Counter[float] = Counter()
        said: list[Said] = []
        for one in self.said:
            at = one.at + 50.0 * seen[one.at] / of_minute[one.at]
            seen[one.at] += 1
            text = one.text.removeprefix(MENTION)
            said.append(replace(one, at=at, text=text, addressed=alone or one.addressed))
        return Life(self.name, self.zone, tuple(said), self.facts, self.called)
