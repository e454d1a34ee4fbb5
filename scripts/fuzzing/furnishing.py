"""What people of a population have in memory before anything happens, and sleep makes more of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ...commands.chat.request import ChatCaller
from ...core.conflict.slots import own
from ...core.graph.communities import LINEAGE
from ...core.model.conversation import ANY_PERSONA, Scope, ScopeKind, Speaker
from ...core.model.knowledge import Claim, Entity, Intention, IntentionType, Relation
from ...core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Source,
    Standing,
    Status,
    Succession,
    Successor,
    Vitality,
)
from ...core.model.times import day_of, zone
from ...core.text.quoting import entity_id
from .callers import WORDS, secret_word
from .oracle import Secrets
from .stand_ins import START

ENTITIES = ("Rosa", "小雨", "the mill", "C++", "\U0001f98afox", "we", "我们")
"""Names that people of several scopes mention, some of them of function words alone."""

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Furnishing:
    """One scope of a population, of which somebody tells; `seeded` is what others told before."""

    secrets: Secrets
    seeded: Sequence[Memory]
    chance: Random
    scope: Scope
    chat: ChatCaller

    def memories(self) -> list[Memory]:
        """Of every sort; what each step of sleep makes memories, lines or reports of is added."""
        found = [self._memory() for _ in range(self.chance.randint(1, 3))]
        if self.scope.persona == ANY_PERSONA:
            return found
        return [*found, *self._said_twice(), *self._intended()]

    def _secret(self) -> str:
        word = secret_word(self.chance)
        self.secrets.owners[word] = self.scope
        return word

    def _memory(self) -> Memory:
        token, friend, start = self._secret(), self._secret(), secret_word(self.chance, 6)
        self.secrets.owners[start] = self.scope
        self.secrets.ids.add(start)
        id = f"{start}-{secret_word(self.chance, 12)}"
        at = START - self.chance.uniform(0, 20 * DAY)
        told = " ".join([token, *self.chance.choices(WORDS, k=5)])
        kind = self.chance.choice(tuple(Kind))
        return Memory(
            id=id,
            scope=self.scope.key,
            kind=kind,
            intention=Intention() if kind is Kind.PROSPECTIVE else None,
            text=told,
            summary=told[:40],
            created_at=at,
            happened_at=at,
            vitality=Vitality(
                self.chance.randint(1, 9), useful_score=self.chance.choice((0.0, 4.0, 12.0))
            ),
            access=Access(at, at),
            source=self.chance.choice(tuple(Source)),
            extractor=self.chance.choice(tuple(Extractor)),
            speaker=Speaker(self.chat.person, self.chat.name),
            cues=(f"{token} lantern",),
            tags=(token.lower(),),
            entities=tuple(
                Entity(entity_id(n), n) for n in (friend, *self.chance.sample(ENTITIES, 2))
            ),
            relations=tuple(self._relations(id, friend)),
            successor=self._successor(),
            **self._standing(),
        )

    def _said_twice(self) -> list[Memory]:
        """Two memories of one hobby, a line of the page about its person: sleep merges them."""
        secret = self._secret()
        subject = own(self.chat.person if self.scope.kind is ScopeKind.GROUP else "")
        claim = Claim(subject, "hobby", secret, START - DAY)
        return [self._own(f"{told} {secret}", claim=claim) for told in ("likes", "enjoys")]

    def _intended(self) -> list[Memory]:
        """A plan for this day, an idea that sleep makes a fact of, and one it puts away."""
        kinds = (
            Intention(IntentionType.PLAN, due_at=day_of(START, zone("UTC"))[0]),
            Intention(IntentionType.IDEA, confirmed=3),
            Intention(IntentionType.QUESTION),
        )
        return [
            self._own(
                f"{self._secret()} {self.chance.choice(WORDS)}",
                kind=Kind.PROSPECTIVE,
                intention=each,
                created_at=START - (100 if each.type is IntentionType.QUESTION else 2) * DAY,
            )
            for each in kinds
        ]

    def _own(self, text: str, **changes: Any) -> Memory:
        """A live memory that the caller told of themselves there."""
        plain = self._memory()
        return replace(
            plain,
            **{
                "text": text,
                "summary": "",
                "kind": Kind.SEMANTIC,
                "vitality": Vitality(6),
                "source": Source.USER,
                "standing": Standing(),
                "successor": None,
                "relations": (),
                "cues": (),
                **changes,
            },
        )

    def _relations(self, id: str, friend: str) -> Iterator[Relation]:
        """Between entities of many scopes; now and then to a cause, of whatever scope."""
        yield Relation(friend, "knows", self.chance.choice(ENTITIES))
        if self.seeded and self.chance.random() < 0.3:
            yield Relation(
                id, self.chance.choice(sorted(LINEAGE)), self.chance.choice(self.seeded).id
            )

    def _successor(self) -> Successor | None:
        """Now and then a newer memory, of whatever scope: an alias of the two may be gone."""
        if not self.seeded or self.chance.random() < 0.85:
            return None
        return Successor(self.chance.choice(self.seeded).id, self.chance.choice(tuple(Succession)))

    def _standing(self) -> dict[str, Any]:
        if self.chance.random() < 0.75:
            return {}
        if self.chance.random() < 0.5:
            return {"standing": Standing(Status.ARCHIVED, START - DAY, "archived")}
        return {"standing": Standing(Status.BINNED, START - DAY, "decayed", START + 30 * DAY)}
