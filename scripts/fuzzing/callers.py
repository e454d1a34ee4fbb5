"""Who speaks where in a population, what they are called there, and their words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from ...commands.chat.request import ChatCaller
from ...core.model.conversation import Scope, ScopeKind

CONSONANTS = "bcdfghjkmnpqrstvwxz"
"""Letters of secrets: no word, date or real id is made of them alone."""

PLATFORMS = ("qq", "telegram")
SUBJECTS = ("901", "902", "ann", "ANN", "901/902", "9%01", "*", "９０１", "901 ", "潮痕", "901/*")
"""User and group ids that are easily taken for one another."""

PERSONAS = ("default", "poet")
WORDS = (
    *("lantern", "festival", "bees", "honey", "river", "train", "tea", "guitar", "the", "I", "my"),
    *("灯笼", "蜂蜜", "火车", "喜欢", "不", "我", "下周", "生日"),
    *("on", "off", "list", "add", "remove", "status", "install", "local", "get", "set", "reset"),
    *("recall.max_items", "decay.override.enabled", "true", "false", "null", "useful", "useless"),
    *("qq", "telegram", "ann", "default", "private", "group", "1", "2", "30", "0.5", "99999"),
)

PLAIN = 0.2
"""Of the people in a chat, how many go by a name that others may have too."""

CARD = 9
"""Letters of a card: one less than of a secret, so that a model does not learn it as one."""


def chats_of(chance: Random) -> Iterator[ChatCaller]:
    """Every person in private and in two groups, under each persona, some of them admins."""
    groups = chance.sample(SUBJECTS, 3)
    for subject in chance.sample(SUBJECTS, 4):
        for platform in PLATFORMS:
            admin, name = chance.random() < 0.4, chance.choice(WORDS)
            for persona in PERSONAS:
                private = Scope(ScopeKind.PRIVATE, platform, subject, persona)
                session = f"{platform}:FriendMessage:{subject}"
                one = ChatCaller(
                    private, session, subject, name, admin, chance.choice(("zh", "en"))
                )
                yield one
                for group in chance.sample(groups, 2):
                    scope = Scope(ScopeKind.GROUP, platform, group, persona)
                    yield replace(one, scope=scope, session=f"{platform}:GroupMessage:{group}")


def secret_word(chance: Random, length: int = 10) -> str:
    """A word that occurs nowhere else."""
    return "".join(chance.choices(CONSONANTS, k=length))


def with_cards(
    chats: Sequence[ChatCaller], chance: Random
) -> tuple[list[ChatCaller], dict[str, Scope]]:
    """The chats, and the cards in them by their chat.

    Most people are called in each chat as they are nowhere else, whatever the persona.
    """
    names: dict[tuple[str, str], str] = {}
    cards: dict[str, Scope] = {}
    for chat in chats:
        key = chat.scope.owner, chat.person
        if key not in names:
            names[key] = chat.name if chance.random() < PLAIN else secret_word(chance, CARD)
            if names[key] != chat.name:
                cards[names[key]] = chat.scope
    return [replace(one, name=names[one.scope.owner, one.person]) for one in chats], cards
