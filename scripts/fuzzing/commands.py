"""Any command with any argument from anybody: an answer, nothing of others, and nothing lost."""

import re
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from random import Random

from ...commands.chat.catalogue import COMMANDS
from ...commands.chat.records import LONGEST_ANSWER
from ...commands.chat.request import ChatCaller
from ...core.model.conversation import Scope, ScopeKind
from ...core.model.memory import Memory, UserFeedback
from ...core.records.threads import LEAST_LINES
from .callers import PLATFORMS, SUBJECTS
from .findings import Findings, chance_of, failure, shrunk
from .furnished import Furnished, furnished
from .population import Everything, Population, account, settings_of
from .text import WORDS, hostile_text, misspelt

KIND = "commands"
CASES_A_POPULATION = 250
TALKS = 0.1
"""Share of commands that a turn of the same chat goes before."""

NAMES = tuple(command.name for command in COMMANDS)
REMOVING = frozenset(("purge", "import"))
"""Commands that delete for good by design, and then only what the caller may see."""

FORGETTING = "forget-me"
"""The command that deletes everything of a person, wherever it lies."""

EVERYWHERE = frozenset(("sleep",))
"""Commands that change memories of every scope by design: decay spares nobody."""

_CODE = re.compile(r"\b[A-Z2-9]{6}\b")
_WORD = re.compile(r"[\w-]{4,12}")


@dataclass(frozen=True, slots=True)
class Case:
    """A command as somebody gives it."""

    name: str
    argument: str
    caller: ChatCaller


async def run(cases: int, seed: int, *, enough: str = "") -> Findings:
    """Give so many commands, in one population after another; at most until `enough` is found."""
    findings = Findings()
    for first in range(0, cases, CASES_A_POPULATION):
        async with population_from(first, seed) as made, made.opened() as population:
            case: Case | None = None
            for number in range(first, min(first + CASES_A_POPULATION, cases)):
                chance = chance_of(seed, KIND, number)
                case = confirmed(population, case, chance) or _case(population, chance)
                if chance.random() < TALKS:
                    await population.talk(chance, case.caller)
                for problem in await problems_of(population, case):
                    if not findings.repeated(problem):
                        findings.add(problem, number, await _shrunk(case, problem, made))
                if enough in findings.by_problem:
                    return findings
    return findings


async def problems_of(population: Population, case: Case) -> list[str]:
    """Give the command; what is wrong with its answer and with what it left behind."""
    before = await population.everything()
    reported = len(population.reports)
    try:
        answer = await population.command(case.name, case.argument, case.caller)
        await population.settled()
    except Exception as error:  # noqa: BLE001 - whatever comes out is the finding
        return [f"{_known(case.name)} raised {failure(error)}"]
    problems = [
        *_answer_problems(population, case, answer),
        *_loss_problems(population, case, before, await population.everything()),
        *population.reports[reported:],
    ]
    population.heard[case.caller.session] = answer
    await population.learn_rules()
    return problems


def _answer_problems(population: Population, case: Case, answer: str) -> list[str]:
    name = _known(case.name)
    problems = []
    if not answer.strip():
        problems.append(f"{name} answers nothing")
    if len(answer) > LONGEST_ANSWER:
        problems.append(f"{name} answers with more than {LONGEST_ANSWER} characters")
    if not answer.isascii() and not _encodable(answer):
        problems.append(f"{name} answers with what is no UTF-8")
    if population.foreign_in(answer, case.argument, case.caller, command=name):
        problems.append(f"{name} shows a memory of somebody else")
    return problems


def _loss_problems(
    population: Population, case: Case, before: Everything, after: Everything
) -> list[str]:
    problems, name = [], _known(case.name)
    for memory in before.values():
        whose = "the caller" if population.may_see(memory.scope, case.caller) else "somebody else"
        left = after.get(memory.id)
        if _tells_less(memory, left, after):
            continue
        if left is None and not _may_remove(population, case, memory):
            problems.append(f"{name} lost a memory of {whose}")
        elif left not in (None, memory) and not _may_change(population, case, memory, left):
            problems.append(f"{name} changed a memory of {whose}")
    if name == FORGETTING and len(after) < len(before):
        problems += _left_behind(population, case, after)
    return list(dict.fromkeys(problems))


def _tells_less(memory: Memory, left: Memory | None, after: Everything) -> bool:
    """Whether a thread has lost nothing but lines of what is gone, or all with the last few."""
    kept = [id for id in memory.tells if id in after]
    if len(kept) == len(memory.tells):
        return False
    return len(kept) < LEAST_LINES if left is None else list(left.tells) == kept


def _may_remove(population: Population, case: Case, memory: Memory) -> bool:
    name = _known(case.name)
    if name == FORGETTING:
        return population.oracle.goes_with(memory, account(case.caller))
    return name in REMOVING and population.may_see(memory.scope, case.caller, command=name)


def _may_change(population: Population, case: Case, memory: Memory, after: Memory) -> bool:
    name = _known(case.name)
    if name == FORGETTING:
        # What others keep may lose what it quotes, and nothing else.
        return _without_quotes(memory) == _without_quotes(after)
    return name in EVERYWHERE or population.may_see(memory.scope, case.caller, command=name)


def _without_quotes(memory: Memory) -> Memory:
    return replace(memory, cues=(), feedback=UserFeedback(important=memory.feedback.important))


def _left_behind(population: Population, case: Case, after: Everything) -> list[str]:
    """The problem of a person who is forgotten and of whom something private is left."""
    own = [
        memory
        for memory in after.values()
        if Scope.parse(memory.scope).kind is ScopeKind.PRIVATE
        and population.oracle.goes_with(memory, account(case.caller))
    ]
    return [f"{FORGETTING} left a private memory"] * bool(own)


def _known(name: str) -> str:
    wanted = name.strip().lower() or "help"
    return wanted if wanted in NAMES else "an unknown command"


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _case(population: Population, chance: Random) -> Case:
    caller = chance.choice(population.chats)
    caller = replace(caller, admin=caller.admin or chance.random() < 0.2)
    return Case(_name(chance), _argument(population, chance, caller), caller)


def confirmed(population: Population, last: Case | None, chance: Random) -> Case | None:
    """The last command with the code that its answer asks for, half of the time it does."""
    if last is None or chance.random() < 0.5:
        return None
    code = _CODE.search(population.heard.get(last.caller.session, ""))
    return code and replace(last, argument=f"{last.argument} {code[0]}".strip())


def _name(chance: Random) -> str:
    name, kind = chance.choice(NAMES), chance.random()
    if kind < 0.85:
        return name
    return misspelt(chance, name) if kind < 0.93 else hostile_text(chance)


def _argument(population: Population, chance: Random, caller: ChatCaller) -> str:
    match chance.randrange(8):
        case 0:
            return ""
        case 1 | 2:
            return _id(population, chance, caller)
        case 3:
            rest = chance.choice((hostile_text(chance), "useful", "on"))
            return f"{_id(population, chance, caller)} {rest}"
        case 4:
            return " ".join(_parts(population, chance, caller) for _ in range(chance.randint(1, 5)))
        case 5:
            heard = _WORD.findall(population.heard.get(caller.session, ""))
            return chance.choice(heard) if heard else str(chance.randint(-1, 12))
        case _:
            return hostile_text(chance)


def _id(population: Population, chance: Random, caller: ChatCaller) -> str:
    """An id, often of the caller's own, whole or only its beginning, now and then in capitals."""
    own = [memory for memory in population.seeded if population.may_see(memory.scope, caller)]
    known = chance.choice(own if own and chance.random() < 0.5 else population.seeded).id
    length = chance.choice((len(known), len(known), 4, 6, 8, 12))
    return known[:length].upper() if chance.random() < 0.1 else known[:length]


def _parts(population: Population, chance: Random, caller: ChatCaller) -> str:
    scope: Scope = chance.choice(population.chats).scope
    choices: Sequence[str] = (
        scope.key,
        scope.owner,
        chance.choice(PLATFORMS),
        chance.choice(SUBJECTS),
        _id(population, chance, caller),
        str(chance.randint(1, 90)),
        chance.choice(("strike", "off", "page=2", "due", "stale")),
        "--reveal",
        chance.choice(WORDS),
        chance.choice(WORDS),
        hostile_text(chance, 12),
    )
    return chance.choice(choices)


async def _shrunk(case: Case, problem: str, made: Furnished) -> str:
    """The command line, as short as still shows the problem in a new population."""

    async def fails(argument: str) -> bool:
        async with made.opened() as population:
            return problem in await problems_of(population, replace(case, argument=argument))

    argument = case.argument
    if await fails(argument):
        argument = await shrunk(argument, fails)
    return f"{case.name} {argument}"


def population_from(first: int, seed: int) -> AbstractAsyncContextManager[Furnished]:
    """That of the cases from `first` on."""
    chance = chance_of(seed, "population", first)
    return furnished(chance, settings_of(chance))
