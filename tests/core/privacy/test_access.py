"""Which scopes may be read from where."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.consent import Consent
from astrbot_plugin_tidemark.core.model.conversation import ANY_PERSONA, Scope, ScopeKind
from astrbot_plugin_tidemark.core.ports import Journal, MemoryStore
from astrbot_plugin_tidemark.core.privacy.consents import Consents, ScopeAccess
from astrbot_plugin_tidemark.core.settings import ScopeSettings
from hypothesis import given
from hypothesis import strategies as st

from ...samples import memory

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "pirate")
GROUP = Scope(ScopeKind.GROUP, "qq", "901", "pirate")
APART = ScopeSettings(persona_separation=True)
TOGETHER = ScopeSettings(persona_separation=False)
odd_text = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=10)


async def readable(
    store: MemoryStore,
    journal: Journal,
    scope: Scope,
    rule: ScopeSettings = APART,
    *,
    asker: str | None = None,
) -> set[Scope]:
    keys = await ScopeAccess(store, Consents(journal), rule).readable(scope, asker)
    return {Scope.parse(key) for key in keys}


@given(st.builds(Scope, st.sampled_from(ScopeKind), odd_text, odd_text, odd_text))
def test_a_scope_is_read_back_from_its_key(scope: Scope) -> None:
    assert Scope.parse(scope.key) == scope
    assert scope.key.count("/") == 3


@pytest.mark.parametrize("key", ["", "private/qq/1", "club/qq/1/*", "private/qq/1/*/more"])
def test_other_text_is_no_scope(key: str) -> None:
    with pytest.raises(ValueError, match=r"unpack|ScopeKind"):
        Scope.parse(key)


@pytest.mark.parametrize("scope", [ANN, GROUP], ids=["private", "group"])
async def test_a_place_reads_its_own_scope_and_what_belongs_to_no_persona(
    store: MemoryStore, journal: Journal, scope: Scope
) -> None:
    assert await readable(store, journal, scope) == {scope, replace(scope, persona=ANY_PERSONA)}


async def test_a_group_of_that_number_is_no_person(store: MemoryStore, journal: Journal) -> None:
    private = await readable(store, journal, ANN)
    assert not private & await readable(store, journal, GROUP)


async def test_all_accounts_read_alike_until_parted(store: MemoryStore, journal: Journal) -> None:
    await journal.set_alias("qq", "901", "ann")
    await journal.set_alias("tg", "ann_b", "ann")
    await journal.set_alias("tg", "bob", "bob")
    there = replace(ANN, platform="tg", subject="ann_b")
    expected = {ANN, there, *(replace(s, persona=ANY_PERSONA) for s in (ANN, there))}
    assert await readable(store, journal, ANN) == expected
    assert await readable(store, journal, there) == expected
    assert {scope.platform for scope in await readable(store, journal, GROUP)} == {"qq"}
    await journal.set_alias("tg", "ann_b", None)
    assert await readable(store, journal, ANN) == {ANN, replace(ANN, persona=ANY_PERSONA)}


async def test_without_separation_every_persona_s_memories_of_a_person_are_read(
    store: MemoryStore, journal: Journal
) -> None:
    poet = replace(ANN, persona="poet")
    bob = replace(ANN, subject="902")
    await store.put([memory(id=s.key, scope=s.key) for s in (ANN, poet, bob, GROUP)])
    here = replace(ANN, persona=ANY_PERSONA)
    assert await readable(store, journal, here, TOGETHER) == {here, ANN, poet}


async def shares(journal: Journal, person: Scope) -> None:
    await journal.set_consent(person.owner, Consent(shared=True))


def alike(*scopes: Scope) -> set[Scope]:
    """The scopes, and the same of no particular persona."""
    return {*scopes, *(replace(scope, persona=ANY_PERSONA) for scope in scopes)}


async def test_a_group_reads_only_what_its_person_shared(
    store: MemoryStore, journal: Journal
) -> None:
    assert await readable(store, journal, GROUP, asker="901") == alike(GROUP)
    await shares(journal, ANN)
    assert await readable(store, journal, GROUP, asker="901") == alike(GROUP, ANN)
    for asker in (None, "902", ""):
        assert await readable(store, journal, GROUP, asker=asker) == alike(GROUP)


async def test_what_is_shared_opens_no_other_chat(store: MemoryStore, journal: Journal) -> None:
    await shares(journal, ANN)
    bob = replace(ANN, subject="902")
    assert await readable(store, journal, bob, asker="901") == alike(bob)
    poet = replace(ANN, persona="poet")
    await store.put([memory(id=s.key, scope=s.key) for s in (ANN, poet)])
    assert poet not in await readable(store, journal, GROUP, asker="901")
    together = replace(GROUP, persona=ANY_PERSONA)
    assert poet in await readable(store, journal, together, TOGETHER, asker="901")


async def test_a_person_of_two_accounts_shares_both(store: MemoryStore, journal: Journal) -> None:
    await journal.set_alias("qq", "901", "ann")
    await journal.set_alias("tg", "ann_b", "ann")
    there = replace(ANN, platform="tg", subject="ann_b")
    await shares(journal, there)
    assert await readable(store, journal, GROUP, asker="901") == alike(GROUP, ANN, there)
