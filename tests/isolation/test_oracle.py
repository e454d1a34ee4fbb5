"""The oracle says what people are told: the rules of privacy, one by one."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.commands.chat.request import ChatCaller
from astrbot_plugin_tidemark.core.model.conversation import ANY_PERSONA, Scope, ScopeKind
from astrbot_plugin_tidemark.scripts.fuzzing.oracle import Oracle, Secrets, sees_all

ANN, BEN, ANN_ABROAD = ("qq", "901"), ("qq", "902"), ("telegram", "ann")


def private(account: tuple[str, str], persona: str = "default") -> Scope:
    return Scope(ScopeKind.PRIVATE, *account, persona)


def group(name: str, persona: str = "default", platform: str = "qq") -> Scope:
    return Scope(ScopeKind.GROUP, platform, name, persona)


def test_private_and_group_memories_are_their_own() -> None:
    oracle = Oracle()
    assert oracle.may_see(private(ANN), private(ANN), ANN)
    assert not oracle.may_see(private(ANN), private(BEN), BEN)
    assert not oracle.may_see(private(ANN), private(("telegram", "901")), ("telegram", "901"))
    assert oracle.may_see(group("5000"), group("5000"), BEN)
    assert not oracle.may_see(group("5000"), group("5001"), BEN)
    assert not oracle.may_see(group("5000"), private(ANN), ANN)
    assert not oracle.may_see(group("5000"), group("5000", platform="telegram"), ANN_ABROAD)


def test_accounts_of_one_person_share_until_the_alias_goes() -> None:
    oracle = Oracle(people={ANN: "ann", ANN_ABROAD: "ann", BEN: "ben"})
    assert oracle.may_see(private(ANN), private(ANN_ABROAD), ANN_ABROAD)
    assert not oracle.may_see(private(ANN), private(BEN), BEN)
    del oracle.people[ANN_ABROAD]
    assert not oracle.may_see(private(ANN), private(ANN_ABROAD), ANN_ABROAD)


def test_a_private_memory_enters_a_group_only_by_its_persons_leave_and_question() -> None:
    oracle = Oracle()
    assert not oracle.may_see(private(ANN), group("5000"), ANN)
    oracle.share(ANN, on=True)
    assert oracle.may_see(private(ANN), group("5000"), ANN)
    assert not oracle.may_see(private(ANN), group("5000"), BEN)
    oracle.share(ANN, on=False)
    assert not oracle.may_see(private(ANN), group("5000"), ANN)


def test_a_choice_holds_for_every_account_the_person_has_and_no_other() -> None:
    oracle = Oracle(people={ANN: "ann", ANN_ABROAD: "ann", BEN: "ben"})
    oracle.share(ANN_ABROAD, on=True)
    assert oracle.sharing == {ANN, ANN_ABROAD}
    assert oracle.may_see(private(ANN), group("5000", platform="telegram"), ANN_ABROAD)
    oracle.share(ANN, on=False)
    assert oracle.sharing == set()


@pytest.mark.parametrize(
    ("owner", "place", "seen"),
    [("default", "poet", False), (ANY_PERSONA, "poet", True), ("poet", "poet", True)],
)
def test_personas_are_apart_where_that_is_set(owner: str, place: str, seen: bool) -> None:
    memory, here = private(ANN, owner), private(ANN, place)
    assert Oracle(separate=True).may_see(memory, here, ANN) is seen
    assert Oracle(separate=False).may_see(memory, here, ANN)


def test_an_admin_sees_more_only_in_private_and_only_by_commands_for_it() -> None:
    caller = ChatCaller(private(ANN), "s", "901", "Ann", admin=True, language="en")
    assert sees_all(caller, "show")
    assert not sees_all(caller, "mine")
    assert not sees_all(replace(caller, admin=False), "show")
    assert not sees_all(replace(caller, scope=group("5000")), "show")


def test_what_somebody_is_called_is_told_in_that_chat_and_to_the_same_person_in_private() -> None:
    oracle = Oracle(people={ANN: "ann", ANN_ABROAD: "ann"}, sharing={ANN})
    assert oracle.may_hear(group("5000"), group("5000", "poet"))
    assert oracle.may_hear(private(ANN), private(ANN_ABROAD))
    assert not oracle.may_hear(group("5000"), group("6000"))
    assert not oracle.may_hear(group("5000"), group("5000", platform="telegram"))
    assert not oracle.may_hear(group("5000"), private(ANN))
    assert not oracle.may_hear(private(ANN), group("5000"))
    assert not oracle.may_hear(private(ANN), private(BEN))


def test_what_somebody_has_remembered_or_told_in_secret_is_theirs_a_typed_secret_no_news() -> None:
    ann = ChatCaller(private(ANN), "s", "901", "Ann", admin=False, language="en")
    secrets = Secrets({"zkq": private(BEN)})
    secrets.typed("remember", "Ben says ZKQ", ann)
    assert secrets.scopes_of("zkq") == {private(ANN), private(BEN)}
    assert not secrets.is_public("zkq")
    ann = ChatCaller(private(ANN), "s", "901", "Ann", admin=False, language="en")
    secrets = Secrets()
    secrets.typed("remember", "ZKQ I like tea", ann)
    secrets.owners["zkq"] = private(BEN)
    assert secrets.scopes_of("zkq") == {private(ANN), private(BEN)}
    secrets = Secrets({"zkq": private(BEN), "wtr": private(BEN)})
    assert secrets.in_text("zkq and wtr", "who is ZKQ") == ["wtr"]


def test_what_is_written_into_a_memory_of_whomever_is_nobodys_secret_any_more() -> None:
    boss = ChatCaller(private(ANN), "s", "901", "Ann", admin=True, language="en")
    secrets = Secrets({"zkq": private(BEN), "wtr": private(BEN)})
    secrets.typed("correct", "zkq says wtr", boss)
    secrets.typed("show", "zkq zkq", boss)
    assert [word for word in ("zkq", "wtr") if secrets.is_public(word)] == ["wtr"]
