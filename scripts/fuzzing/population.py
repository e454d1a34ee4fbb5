"""People, chats and groups with memories of their own, over a real engine on disk."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from ...benchmarks.installation import FixedEmbedder
from ...benchmarks.living.installation import MovingClock
from ...commands.chat.catalogue import dispatch
from ...commands.chat.phrases import Phrases, load_phrases
from ...commands.chat.request import ChatCaller
from ...core.actions.context import Services
from ...core.embedding.hashed import HashedEmbedder
from ...core.engine.engine import MemoryEngine
from ...core.engine.parts import Parts
from ...core.engine.recalls import RecallRequest
from ...core.model.conversation import ANY_PERSONA, NewTurn, Place, Role, Scope, ScopeKind, Speaker
from ...core.model.errors import Incidents
from ...core.model.memory import Memory
from ...core.ports import Filter
from ...core.queue.job_list import JobList
from ...core.recall.trace import Recalled
from ...core.records.disclosure import owners_among
from ...core.settings import RecallSettings, ScopeSettings, Settings
from ...storage import open_journal, open_store
from ...storage.journal import FILE as JOURNAL
from ..nights import asleep, drained
from .callers import WORDS, chats_of, secret_word, with_cards
from .furnishing import ENTITIES, Furnishing
from .oracle import WITH_NAMES, Account, Oracle, Secrets, reveals, sees_all
from .stand_ins import START, AnsweringModel, no_download

DEADLINE = 10.0
HURRY = 0.4
"""Seconds that are left of the deadline when the journal is slow."""

LEAVING_HOME = (ScopeKind.GROUP, ScopeKind.PRIVATE)
"""The kinds of a place and of what may be told in it, where that is private in a group."""

SLOW = 0.08
"""Of the turns, how many meet a slow journal."""

type Everything = dict[str, Memory]


@dataclass(slots=True)
class Population:
    """The engine, who can speak where, and the secrets in what is remembered.

    `history` are the secrets that the model has been shown in each session, which it repeats as
    long as the host keeps the history. `problems` are of prompts.
    """

    engine: MemoryEngine
    services: Services
    clock: MovingClock
    phrases: Phrases
    oracle: Oracle
    chats: list[ChatCaller]
    reports: list[str]
    folder: Path
    seeded: list[Memory] = field(default_factory=list[Memory])
    secrets: Secrets = field(default_factory=Secrets)
    history: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    problems: list[str] = field(default_factory=list[str])

    def overheard(self) -> list[str]:
        """The problems that the model met since the last call."""
        found, self.problems = self.problems, []
        return found

    async def command(self, name: str, argument: str, caller: ChatCaller) -> str:
        """The answer to `/memory <name> <argument>`."""
        self.secrets.typed(name, argument, caller)
        return await dispatch(name, argument, caller, self.engine, self.phrases, self.services)

    async def say(self, text: str, caller: ChatCaller) -> int:
        """Journal a turn of the caller's a second later; its seq."""
        self.clock.at += 1
        speaker = Speaker(caller.person, caller.name)
        turn = NewTurn(place_of(caller), Role.USER, speaker, text, self.clock.at)
        return (await self.engine.observe(turn)).turn.seq

    async def answer(
        self, text: str, caller: ChatCaller, to: int, recalled: Recalled | None
    ) -> int:
        """Journal the bot's answer to the turn `to`, as the host hands it on; its seq."""
        self.clock.at += 1
        shown = () if recalled is None else recalled.memories
        turn = NewTurn(
            place_of(caller),
            Role.ASSISTANT,
            Speaker("bot", ""),
            text,
            self.clock.at,
            disclosed=owners_among(shown, caller.scope),
        )
        written = await self.engine.answer(turn, to=to)
        assert written is not None
        return written.turn.seq

    async def exchange(
        self, text: str, caller: ChatCaller, *, asked: str, reply: str, slow: bool
    ) -> Recalled | None:
        """A whole turn: message, recall, answer. What was recalled.

        With a `slow` journal the message is on disk only after the recall.
        """
        ask = RecallRequest(caller.scope, asked, None, asker=caller.person, place=place_of(caller))
        if slow:
            with locked(self.folder):
                recalled = await self.engine.recalls.recall(replace(ask, waited=DEADLINE - HURRY))
            seq = await self.say(text, caller)
        else:
            seq = await self.say(text, caller)
            recalled = await self.engine.recalls.recall(replace(ask, turn=seq))
        await self.answer(reply, caller, seq, recalled)
        return recalled

    async def talk(self, chance: Random, caller: ChatCaller) -> Recalled | None:
        """An exchange with new secrets in what is said and in what is asked."""
        token, asked = self.secret_of(chance, caller.scope), secret_word(chance)
        self.secrets.queries[asked] = caller.session
        words = " ".join([*chance.choices(WORDS, k=5), *chance.sample(ENTITIES, 2)])
        recalled = await self.exchange(
            f"{token} {words}",
            caller,
            asked=f"{asked} {words}",
            reply=f"ok {self.repetition(chance, caller)}",
            slow=chance.random() < SLOW,
        )
        if recalled is not None:
            self.note_shown(recalled.block, caller)
        await self.settled()
        return recalled

    def note_shown(self, text: str, caller: ChatCaller) -> None:
        """What the model is shown stays in the host's history."""
        known = self.history.setdefault(caller.session, [])
        known += [word for word in self.secrets.owners if word in text and word not in known]

    def repetition(self, chance: Random, caller: ChatCaller) -> str:
        """Secrets out of the host's history, some in other words that belong to the same owner.

        In a group also anybody's private ones. Not those of another persona of the same chat,
        nor in private those of an account that an alias joins for now: their people are the
        same, and the chat's history is. Nor what somebody has typed: that is said there.
        """
        owners, there = self.secrets.owners, caller.scope
        known = [
            word
            for word in self.history.get(caller.session, [])
            if self.secrets.scopes_of(word) == {owners[word]}
            and (owners[word] == there or (there.kind, owners[word].kind) == LEAVING_HOME)
        ]
        said = chance.sample(known, min(3, len(known)))
        return " ".join(self.paraphrase(word) if chance.random() < 0.5 else word for word in said)

    def paraphrase(self, word: str) -> str:
        """The secret in words that have none in common with it."""
        other = word[::-1]
        self.secrets.owners.setdefault(other, self.secrets.owners[word])
        return other

    async def reset(self, caller: ChatCaller) -> None:
        """The host forgets the conversation, and says so."""
        await self.engine.reset(caller.session)
        await self.engine.journal.history_gone(place_of(caller), whole=True)
        self.history.pop(caller.session, None)

    def secret_of(self, chance: Random, owner: Scope) -> str:
        """A new secret that belongs to the scope."""
        token = secret_word(chance)
        self.secrets.owners[token] = owner
        return token

    async def note_ids(self) -> None:
        """Make the ids of what has been learnt secrets of its scopes."""
        for memory in (await self.everything()).values():
            self.secrets.owners.setdefault(memory.id, Scope.parse(memory.scope))
            self.secrets.ids.add(memory.id)

    async def misnamed(self) -> list[str]:
        """The ids of groups' memories that hold a card of another chat."""
        found: list[str] = []
        for memory in (await self.everything()).values():
            scope, speaker = Scope.parse(memory.scope), memory.speaker
            told = " ".join((memory.text, *memory.about, "" if speaker is None else speaker.name))
            if scope.kind is ScopeKind.GROUP and self.cards_of_others(told, scope):
                found.append(memory.id)
        return found

    async def settled(self) -> None:
        """Wait until no work is due."""
        await self.engine.recalls.recorded()
        if not await drained(self.engine.worker, 30.0):
            raise TimeoutError("background work does not end")

    async def everything(self) -> Everything:
        """Every stored memory by id, in any status."""
        where = Filter(status=None)
        return {memory.id: memory async for memory in self.engine.store.iterate(where)}

    def may_see(self, owner: str, caller: ChatCaller, *, command: str = "") -> bool:
        """Whether a memory of the scope key may be seen by the caller, perhaps by a command."""
        if command and sees_all(caller, command):
            return True
        return self.oracle.may_see(Scope.parse(owner), caller.scope, account(caller))

    def foreign_in(
        self, shown: str, typed: str, caller: ChatCaller, *, command: str = ""
    ) -> list[str]:
        """Secrets in a text that the caller did not type and may not see."""
        return [
            word
            for word in self.secrets.in_text(shown, typed)
            if not self._may_read(word, caller, command, revealed=reveals(typed))
        ] + [
            card
            for card in self.cards_of_others(shown, caller.scope)
            if not self._named_to_admin(card, caller, command, revealed=reveals(typed))
        ]

    def _unveiled(self, scope: Scope, caller: ChatCaller) -> bool:
        """Whether an admin in private is told what a memory says: not if it is private to others.

        Their own are theirs under any persona.
        """
        return _common(scope) or self.oracle.may_hear(scope, caller.scope)

    def cards_of_others(self, text: str, place: Scope) -> list[str]:
        """What people are called in other chats, in a text that is read in `place`."""
        return [
            card
            for card, chat in self.secrets.cards.items()
            if card in text and not self.oracle.may_hear(chat, place)
        ]

    def _named_to_admin(
        self, card: str, caller: ChatCaller, command: str, *, revealed: bool
    ) -> bool:
        if not command or not sees_all(caller, command):
            return False
        return revealed or command == WITH_NAMES or _common(self.secrets.cards[card])

    def _may_read(self, word: str, caller: ChatCaller, command: str, *, revealed: bool) -> bool:
        session = self.secrets.queries.get(word)
        if session is not None:
            return session == caller.session
        scopes = self.secrets.scopes_of(word)
        return self.secrets.is_public(word) or any(
            self.may_see(
                scope.key,
                caller,
                command=command
                if revealed or word in self.secrets.ids or self._unveiled(scope, caller)
                else "",
            )
            for scope in scopes
        )


def _common(scope: Scope) -> bool:
    return scope.kind is not ScopeKind.PRIVATE


def settings_of(chance: Random) -> Settings:
    """The defaults without a deadline that matters; personas are apart most of the time."""
    return Settings(
        recall=RecallSettings(deadline_ms=int(DEADLINE * 1000), profile="everywhere"),
        scope=ScopeSettings(persona_separation=chance.random() < 0.8),
    )


@asynccontextmanager
async def population_of(
    chance: Random, folder: Path, model: AnsweringModel, settings: Settings
) -> AsyncIterator[Population]:
    """A population in `folder`, the same for the same source of randomness; closed on leaving."""
    chats, cards = with_cards(tuple(chats_of(chance)), chance)
    async with opened(folder, model, settings, chats, Secrets(cards=cards)) as population:
        await _furnish(population, chance)
        yield population


@asynccontextmanager
async def opened(
    folder: Path,
    model: AnsweringModel,
    settings: Settings,
    chats: list[ChatCaller],
    secrets: Secrets,
) -> AsyncIterator[Population]:
    """A population over what is in `folder`; closed on leaving."""
    async with AsyncExitStack() as stack:
        parts, clock, reports = await _parts(folder, settings, model)
        engine = MemoryEngine(parts)
        stack.push_async_callback(engine.close)
        jobs = JobList(clock)
        stack.push_async_callback(jobs.aclose)
        population = Population(
            engine,
            Services(no_download(jobs), jobs),
            clock,
            load_phrases(),
            Oracle(settings.scope.persona_separation),
            chats,
            reports,
            folder,
            secrets=secrets,
        )
        engine.start()
        yield population


def account(caller: ChatCaller) -> Account:
    """Who the caller is on the platform."""
    return caller.scope.platform, caller.person


def place_of(caller: ChatCaller) -> Place:
    """Where the caller speaks."""
    return Place(caller.session, "c1", caller.scope.key)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """The journal in another program's transaction."""
    with closing(sqlite3.connect(folder / JOURNAL, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def _parts(
    folder: Path, settings: Settings, model: AnsweringModel
) -> tuple[Parts, MovingClock, list[str]]:
    clock, reports = MovingClock(START), list[str]()
    parts = Parts(
        store=await open_store("sqlite", folder),
        journal=await open_journal(folder),
        clock=clock,
        models=model,
        embedders=FixedEmbedder(HashedEmbedder()),
        settings=settings,
        report=lambda place, error: reports.append(f"{place}: {error!r}"),
        incidents=Incidents(),
    )
    return parts, clock, reports


async def _furnish(population: Population, chance: Random) -> None:
    scopes = {chat.scope: chat for chat in population.chats}
    common = {replace(scope, persona=ANY_PERSONA): chat for scope, chat in scopes.items()}
    for scope, chat in {**scopes, **common}.items():
        here = Furnishing(population.secrets, population.seeded, chance, scope, chat)
        population.seeded += here.memories()
    await population.engine.store.put(population.seeded)
    while await population.engine.backfill.once():
        pass
    # Due at the start: afterwards time stands still, and nothing changes by itself.
    await asleep(population.engine)
    known = {memory.id for memory in population.seeded}
    made = [m for m in (await population.everything()).values() if m.id not in known]
    # Their ids are new in every run, and their order with them.
    population.seeded += sorted(made, key=lambda memory: (memory.scope, memory.text))
    await population.note_ids()
