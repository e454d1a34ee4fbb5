"""Probes of isolation: nobody sees, by any way, what the rules do not let them see."""

import json
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from ...commands.chat.catalogue import COMMANDS
from ...commands.chat.request import ChatCaller
from ...core.actions import reports as report_actions
from ...core.actions import tools
from ...core.actions.answers import Refused
from ...core.actions.context import Context
from ...core.actions.tools import LookedUp, ToolContext
from ...core.model.conversation import Scope, ScopeKind, Speaker
from ...core.model.sleeping import INSTALLATION
from ...core.ports import Prompt
from ...core.recall.profile import Line
from ...core.recall.trace import Recalled
from ..nights import drained
from .callers import CONSONANTS, PLATFORMS, SUBJECTS, WORDS
from .findings import Findings, chance_of, failure
from .furnishing import ENTITIES
from .population import Population, account, place_of, population_of, settings_of
from .stand_ins import AnsweringModel

KIND = "isolation"
PROBES_A_POPULATION = 200
PEOPLE = ("ann", "ben")
"""Names of persons that aliases are made of; few, so that they often have several accounts."""

ASKING = (
    *("{}", "{}", "why {}", "为什么{}", "{} last week", "昨天{}", "what are the plans for {}"),
    *("what happened with {}", "{}后来怎么样了"),
)
"""What makes a question ask for causes, for times, for intentions or for a story."""

STEERING = frozenset(("alias", "share", "config"))
"""Commands that change who may see what; given by steps of their own, which the oracle follows."""

NAMES = tuple(command.name for command in COMMANDS if command.name not in STEERING)
MOST_NUMBERED = 90
"""Numbers of sleeps, and of what they decided, that are tried."""

_SECRET = re.compile(f"[{CONSONANTS}]{{10}}")


@dataclass(frozen=True, slots=True)
class Probe:
    """What somebody does, and the source of randomness for it."""

    population: Population
    chance: Random
    caller: ChatCaller

    def shown(self, place: str, text: str, typed: str, *, command: str = "") -> list[str]:
        """The problem of a text that shows what it must not."""
        foreign = self.population.foreign_in(text, typed, self.caller, command=command)
        return [f"{place} shows what belongs to somebody else"] * bool(foreign)

    def words(self) -> str:
        """Something to look for: words of everybody, at times a secret of somebody."""
        words = self.chance.choices(WORDS, k=self.chance.randint(1, 4))
        words += self.chance.sample(ENTITIES, self.chance.randint(0, 2))
        if self.chance.random() < 0.2:
            known = self.chance.choice(self.population.seeded)
            names = [entity.name for entity in known.entities[:1]]
            words.append(self.chance.choice([known.text.split()[0], *names]))
        return self.chance.choice(ASKING).format(" ".join(words))


type Step = Callable[[Probe], Awaitable[list[str]]]


async def run(probes: int, seed: int, *, enough: Collection[str] = ()) -> Findings:
    """Make so many probes, in one population after another.

    With `enough` no more than are needed to find all of these problems.
    """
    findings = Findings()
    for first in range(0, probes, PROBES_A_POPULATION):
        async with _population(seed, first) as population:
            for number in range(first, min(first + PROBES_A_POPULATION, probes)):
                chance = chance_of(seed, KIND, number)
                caller = chance.choice(population.chats)
                caller = replace(caller, admin=caller.admin or chance.random() < 0.2)
                step = chance.choices(tuple(STEPS), tuple(STEPS.values()))[0]
                for problem in await _tried(step, Probe(population, chance, caller)):
                    if not findings.repeated(problem):
                        findings.add(problem, number, caller)
                if enough and findings.by_problem.keys() >= {*enough}:
                    return findings
    return findings


async def recall(probe: Probe) -> list[str]:
    """A turn with its recall: block, memories, trace."""
    recalled = await probe.population.talk(probe.chance, probe.caller)
    problems = [] if recalled is None else await _recalled_problems(probe, "recall", recalled, "")
    return [*problems, *await profile(probe)]


async def profile(probe: Probe) -> list[str]:
    """The page about whoever speaks, in private chats and groups alike."""
    profiles, caller = probe.population.engine.profiles, probe.caller
    lines = await profiles.lines(caller.scope, caller.person)
    text = await profiles.text(caller.scope, caller.person, "auto")
    scopes = [line.memory.scope for line in lines]
    return [
        *probe.shown("the profile", text, ""),
        *["the profile has memories of somebody else"] * _any_foreign(probe, scopes),
        *["the profile has what another said"] * any(map(_by_another(caller), lines)),
    ]


async def search(probe: Probe) -> list[str]:
    """A search through the engine."""
    engine, words = probe.population.engine, probe.words()
    scopes = await engine.access.readable(probe.caller.scope, probe.caller.person)
    found = await engine.recall_requests.search(scopes, words, limit=20)
    # Nobody is shown a search's block; `/memory search` makes its own lines of the memories.
    return await _recalled_problems(probe, "a search", replace(found, block=""), words)


async def command(probe: Probe) -> list[str]:
    """Any command that does not change the rules."""
    name, argument = probe.chance.choice(NAMES), _argument(probe)
    answer = await probe.population.command(name, argument, probe.caller)
    await probe.population.settled()
    return probe.shown(f"/memory {name}", answer, argument, command=name)


async def tool(probe: Probe) -> list[str]:
    """The chat model looks something up, or keeps something, in the caller's name."""
    caller, population = probe.caller, probe.population
    tool_context = ToolContext(caller.scope, place_of(caller), Speaker(caller.person, caller.name))
    if probe.chance.random() < 0.5:
        token = population.secret_of(probe.chance, caller.scope)
        if probe.chance.random() < 0.5:
            tool_context = replace(
                tool_context, turn=await population.say(f"{token} likes tea", caller)
            )
        told = f"{population.repetition(probe.chance, caller)} {token} likes tea".strip()
        answer = await tools.remember(told, tool_context, population.engine)
        return probe.shown("the tool remember", tools.told(answer), "")
    words = probe.words()
    found = await tools.recall_memory(words, tool_context, population.engine)
    text = tools.told(found)
    population.note_shown(text, caller)
    problems = probe.shown("the tool recall_memory", text, words)
    if isinstance(found, LookedUp):
        problems += await _recalled_problems(probe, "the tool recall_memory", found.shown, words)
    return problems


async def alias(probe: Probe) -> list[str]:
    """An account becomes one of a person's, or nobody's but its own."""
    platform, user = probe.chance.choice(PLATFORMS), _typeable(probe.chance)
    people = probe.population.oracle.people
    if probe.chance.random() < 0.5:
        person = probe.chance.choice(PEOPLE)
        people[platform, user] = person
        argument = f"add {platform} {user} {person}"
    else:
        people.pop((platform, user), None)
        argument = f"remove {platform} {user}"
    answer = await probe.population.command("alias", argument, replace(probe.caller, admin=True))
    return probe.shown("/memory alias", answer, argument)


async def share(probe: Probe) -> list[str]:
    """A person lets private memories be used in groups, or no longer."""
    on = probe.chance.random() < 0.7
    answer = await probe.population.command("share", "on" if on else "off", probe.caller)
    probe.population.oracle.share(account(probe.caller), on=on)
    return probe.shown("/memory share", answer, "")


async def sleep(probe: Probe) -> list[str]:
    """Learning from everything said so far, by a model that repeats every secret it is told."""
    answer = await probe.population.command("sleep", "", replace(probe.caller, admin=True))
    await drained(probe.population.engine.worker, 60.0)
    answer += await probe.population.command("sleep", "status", replace(probe.caller, admin=True))
    await probe.population.note_ids()
    misnamed = await probe.population.misnamed()
    return [
        *probe.shown("/memory sleep", answer, ""),
        *["a memory keeps what somebody is called elsewhere"] * bool(misnamed),
    ]


async def report(probe: Probe) -> list[str]:
    """What sleep tells of what it did, through the actions that the command asks."""
    context = Context(probe.caller, probe.population.engine, probe.population.services)
    told = await report_actions.list_reports(context, probe.chance.randint(1, 3))
    seen = [each.sleep.scope for each in told.entries]
    with suppress(Refused):
        found = await report_actions.report(context, probe.chance.randint(1, MOST_NUMBERED))
        shown = [view.memory.scope for each in found.decisions.entries for view in each.memories]
        seen += [found.sleep.scope, *shown]
    own = [scope for scope in seen if scope != INSTALLATION or not probe.caller.admin]
    return ["a report tells of somebody else's sleep"] * _any_foreign(probe, own, "reports")


async def reset(probe: Probe) -> list[str]:
    """The chat begins anew."""
    await probe.population.reset(probe.caller)
    return []


STEPS: dict[Step, int] = {
    recall: 25,
    search: 10,
    command: 40,
    tool: 12,
    alias: 6,
    share: 6,
    sleep: 2,
    report: 4,
    reset: 2,
}
"""What a probe does, with its weight."""


async def _tried(step: Step, probe: Probe) -> list[str]:
    try:
        return [*await step(probe), *probe.population.overheard()]
    except Exception as error:  # noqa: BLE001 - whatever comes out is the finding
        return [f"{step.__name__} raised {failure(error)}"]


async def _recalled_problems(probe: Probe, place: str, recalled: Recalled, typed: str) -> list[str]:
    texts = [recalled.block, *(memory.text for memory in recalled.memories)]
    ids = [candidate.memory for candidate in recalled.trace.candidates]
    found = await probe.population.engine.store.find(ids)
    met = [memory.scope for memory in (*found, *recalled.memories)]
    return [
        *probe.shown(place, "\n".join(texts), typed),
        *[f"{place} meets memories of somebody else"] * _any_foreign(probe, met),
        *[f"{place} looks where it may not"] * _any_foreign(probe, recalled.trace.scopes),
    ]


def _by_another(caller: ChatCaller) -> Callable[[Line], bool]:
    """Whether in a group a line is not the caller's own word; not asked of what has no speaker."""

    def told(line: Line) -> bool:
        speaker = line.memory.speaker
        group = caller.scope.kind is ScopeKind.GROUP
        return group and (speaker is None or speaker.id != caller.person)

    return told


def _any_foreign(probe: Probe, scopes: Iterable[str], command: str = "") -> bool:
    may_see, caller = probe.population.may_see, probe.caller
    return not all(may_see(scope, caller, command=command) for scope in scopes)


def _argument(probe: Probe) -> str:
    chance, known = probe.chance, probe.chance.choice(probe.population.seeded)
    own = [m for m in probe.population.seeded if probe.population.may_see(m.scope, probe.caller)]
    mine = chance.choice(own or [known])
    scope = chance.choice(probe.population.chats).scope
    number = chance.randint(1, MOST_NUMBERED)
    match chance.randrange(8):
        case 0:
            return ""
        case 1:
            return known.id[: chance.choice((6, 8, 12, 36))]
        case 2:
            return mine.id[: chance.choice((6, 8, 36))]
        case 3:
            return f"{chance.choice((known, mine)).id} {chance.choice(('useful', 'I like tea'))}"
        case 4:
            return chance.choice((scope.key, scope.owner, scope.subject, scope.platform))
        case 5:
            return chance.choice(("1", "2", "3", "--preview 3000", "list", "on", "off", "status"))
        case 6:
            written = (f"{number}", f"#{number}", f"{number} page=2", "strike 1", f"{mine.id} off")
            return chance.choice((*written, "due", "closed", "stale", "now"))
        case _:
            return probe.words()


def _typeable(chance: Random) -> str:
    """A user id that stays one word on a command line."""
    return chance.choice([subject for subject in SUBJECTS if subject == subject.strip()])


def _repeating(prompt: Prompt, session: str) -> str:
    """A lesson of every secret it is told, as a memory each.

    Of what is asked about the first is said to have changed.
    """
    told = prompt.user
    if prompt.name == "verdict":
        return json.dumps({"used": [], "changed": ["A"]})
    item = {"summary": "", "turns": [1], "kind": "semantic", "importance": 0.9, "confidence": 0.9}
    words = list(dict.fromkeys(_SECRET.findall(told)))[:30]
    memories = [{**item, "text": f"{word} lantern festival"} for word in words]
    return json.dumps({"summary": "", "memories": memories, "useful": []})


def _mixing_up(prompt: Prompt, heard: Sequence[str]) -> str:
    """For each line of a page a secret that it was told anywhere, the oldest first."""
    count = prompt.user.count("\n") - 1
    lines = [{"number": n, "text": word} for n, word in enumerate(heard[:count], start=1)]
    return json.dumps({"lines": lines})


def _listening(population: Population) -> Callable[[Prompt, str], str]:
    """As `_repeating`; a prompt that holds a card of another chat is a problem.

    In private not one of another private chat: it comes with a memory that was shown there while
    an alias joined the two.
    """
    places = {chat.session: chat.scope for chat in population.chats}
    heard: dict[str, None] = {}

    def answer(prompt: Prompt, session: str) -> str:
        heard.update(dict.fromkeys(_SECRET.findall(prompt.user)))
        if prompt.name == "rewording":
            return _mixing_up(prompt, list(heard))
        place = places.get(session)
        if place is not None and _named_elsewhere(population, prompt, place):
            population.problems.append("a learning prompt shows what somebody is called elsewhere")
        return _repeating(prompt, session)

    return answer


def _named_elsewhere(population: Population, prompt: Prompt, place: Scope) -> bool:
    cards = population.cards_of_others(f"{prompt.system}\n{prompt.user}", place)
    chats = [population.secrets.cards[card].kind for card in cards]
    return any({chat, place.kind} != {ScopeKind.PRIVATE} for chat in chats)


@asynccontextmanager
async def _population(seed: int, first: int) -> AsyncIterator[Population]:
    with tempfile.TemporaryDirectory(prefix="tidemark-fuzz-") as folder:
        chance = chance_of(seed, "population", first)
        model, settings = AnsweringModel(_repeating), settings_of(chance)
        async with population_of(chance, Path(folder), model, settings) as population:
            model.answer = _listening(population)
            yield population
