"""Who has chosen what, for every account of a person; and who reads which scope."""

import asyncio
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.consent import Consent, Pause, person_in
from astrbot_plugin_tidemark.core.model.conversation import ANY_PERSONA, Scope, ScopeKind
from astrbot_plugin_tidemark.core.ports import Journal, MemoryStore
from astrbot_plugin_tidemark.core.privacy.consents import Consents, ScopeAccess
from astrbot_plugin_tidemark.core.settings import ScopeSettings
from astrbot_plugin_tidemark.storage import open_journal
from hypothesis import given
from hypothesis import strategies as st

from ...kit import Fragile, Fuse, Interruption
from ...samples import memory

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "pirate")
ANN_ELSEWHERE = Scope(ScopeKind.PRIVATE, "tg", "ann", "pirate")
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "pirate")


def paused(consent: Consent) -> Consent:
    return replace(consent, paused=True)


def resumed(consent: Consent) -> Consent:
    return replace(consent, paused=False)


async def joined(journal: Journal) -> None:
    """Ann's two accounts are one person."""
    await journal.set_alias("qq", "901", "ann")
    await journal.set_alias("tg", "ann", "ann")


@pytest.fixture
def consents(journal: Journal) -> Consents:
    return Consents(journal)


def test_a_person_is_the_same_in_private_and_in_a_group_by_id() -> None:
    assert person_in(ANN, "901") == person_in(GROUP, "901") == replace(ANN, persona=ANY_PERSONA)
    assert person_in(ANN, "").subject == "901"


async def test_nobody_has_chosen_what_they_did_not(consents: Consents) -> None:
    assert await consents.of(ANN) == Consent()
    assert await consents.pause(ANN, "901") is None
    assert await consents.retentions() == {}
    await consents.change(ANN, lambda consent: replace(consent, shared=True, keep_days=9.0))
    assert await consents.change(ANN, paused) == Consent(True, True, 9.0)


async def test_a_paused_person_is_paused_everywhere_and_nobody_else_is(consents: Consents) -> None:
    await consents.change(ANN, paused)
    assert await consents.pause(replace(ANN, persona="poet"), "901") is Pause.PERSON
    assert await consents.pause(GROUP, "901") is Pause.PERSON
    assert await consents.pause(GROUP, "902") is None
    assert await consents.pause(replace(GROUP, platform="tg"), "901") is None


async def test_in_a_paused_group_all_are_paused_their_own_named_first(consents: Consents) -> None:
    await consents.change(GROUP, paused)
    assert await consents.pause(GROUP, "901") is Pause.GROUP
    assert await consents.pause(replace(GROUP, persona="poet"), "902") is Pause.GROUP
    assert await consents.pause(ANN, "901") is None
    assert await consents.pause(replace(GROUP, subject="5001"), "901") is None
    await consents.change(ANN, paused)
    assert await consents.pause(GROUP, "901") is Pause.PERSON


async def test_a_choice_is_every_accounts_by_name(consents: Consents, journal: Journal) -> None:
    await joined(journal)
    await consents.change(ANN, paused)
    assert await consents.pause(ANN_ELSEWHERE, "ann") is Pause.PERSON
    await consents.change(ANN_ELSEWHERE, resumed)
    assert await consents.pause(ANN, "901") is None
    await consents.change(ANN, lambda consent: Consent(keep_days=7.0))
    await consents.change(GROUP, lambda consent: Consent(keep_days=30.0))
    await joined(journal)
    owners = {ANN.owner: 7.0, ANN_ELSEWHERE.owner: 7.0, GROUP.owner: 30.0}
    assert await consents.retentions() == owners


async def test_joined_accounts_choose_the_stricter(consents: Consents, journal: Journal) -> None:
    await consents.change(ANN, lambda consent: Consent(paused=True, keep_days=30.0))
    await consents.change(ANN_ELSEWHERE, lambda consent: Consent(keep_days=7.0))
    await joined(journal)
    assert await consents.of(ANN_ELSEWHERE) == Consent(paused=True, keep_days=7.0)
    assert set((await consents.retentions()).values()) == {7.0}
    await journal.set_alias("tg", "ann", None)
    assert await consents.of(ANN) == Consent(paused=True, keep_days=30.0)


async def test_asking_again_reads_nothing(journal: Journal) -> None:
    fuse = Fuse()
    consents = Consents(counted(journal, fuse))
    assert await consents.pause(ANN, "901") is None
    read = fuse.calls
    for _ in range(3):
        assert await consents.pause(GROUP, "902") is None
    assert fuse.calls == read


async def test_choices_made_at_the_same_time_are_all_kept(consents: Consents) -> None:
    await asyncio.gather(
        consents.change(ANN, paused),
        consents.change(ANN, lambda consent: replace(consent, shared=True)),
        consents.change(ANN, lambda consent: replace(consent, keep_days=5.0)),
        *(consents.pause(ANN, "901") for _ in range(5)),
    )
    assert await consents.of(ANN) == Consent(True, True, 5.0)


def counted(journal: Journal, fuse: Fuse) -> Any:
    return Fragile(journal, fuse)


@pytest.mark.parametrize("after", [False, True], ids=["before the step", "after the step"])
async def test_a_change_cut_short_can_be_repeated(journal: Journal, after: bool) -> None:
    await joined(journal)
    for step in range(1, 5):
        await Consents(journal).change(ANN, resumed)
        fuse = Fuse(after=after)
        consents = Consents(counted(journal, fuse))
        await consents.of(ANN)
        fuse.blow_at = fuse.calls + step
        with pytest.raises(Interruption):
            await consents.change(ANN, paused)
        stored = any(choice.paused for choice in (await journal.consents()).values())
        assert (await consents.of(ANN_ELSEWHERE)).paused is stored
        await consents.change(ANN, paused)
        assert {choice.paused for choice in (await journal.consents()).values()} == {True}


scopes = st.sampled_from([ANN, ANN_ELSEWHERE, replace(ANN, subject="902"), GROUP])
changes = st.tuples(scopes, st.booleans(), st.booleans(), st.none() | st.floats(1, 99))


@given(st.lists(changes, max_size=6), st.booleans())
def test_what_is_in_memory_is_what_is_on_disk(
    made: list[tuple[Scope, bool, bool, float | None]], alias: bool
) -> None:
    async def check(journal: Journal) -> None:
        if alias:
            await joined(journal)
        consents = Consents(journal)
        for scope, *chosen in made:
            await consents.of(scope)
            await consents.change(scope, lambda _, chosen=chosen: Consent(*chosen))
            for owner in (ANN, ANN_ELSEWHERE, GROUP):
                assert await consents.of(owner) == await Consents(journal).of(owner)
            assert await consents.of(scope) == Consent(*chosen)

    asyncio.run(over_a_journal(check))


async def over_a_journal(check: Any) -> None:
    with TemporaryDirectory() as folder:
        journal = await open_journal(Path(folder))
        try:
            await check(journal)
        finally:
            await journal.close()


ROOM = Scope(ScopeKind.GROUP, "qq", "901", "pirate")
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


@pytest.mark.parametrize("scope", [ANN, ROOM], ids=["private", "group"])
async def test_a_place_reads_its_own_scope_and_what_belongs_to_no_persona(
    store: MemoryStore, journal: Journal, scope: Scope
) -> None:
    assert await readable(store, journal, scope) == {scope, replace(scope, persona=ANY_PERSONA)}


async def test_a_group_of_that_number_is_no_person(store: MemoryStore, journal: Journal) -> None:
    private = await readable(store, journal, ANN)
    assert not private & await readable(store, journal, ROOM)


async def test_all_accounts_read_alike_until_parted(store: MemoryStore, journal: Journal) -> None:
    await journal.set_alias("qq", "901", "ann")
    await journal.set_alias("tg", "ann_b", "ann")
    await journal.set_alias("tg", "bob", "bob")
    there = replace(ANN, platform="tg", subject="ann_b")
    expected = {ANN, there, *(replace(s, persona=ANY_PERSONA) for s in (ANN, there))}
    assert await readable(store, journal, ANN) == expected
    assert await readable(store, journal, there) == expected
    assert {scope.platform for scope in await readable(store, journal, ROOM)} == {"qq"}
    await journal.set_alias("tg", "ann_b", None)
    assert await readable(store, journal, ANN) == {ANN, replace(ANN, persona=ANY_PERSONA)}


async def test_without_separation_every_persona_s_memories_of_a_person_are_read(
    store: MemoryStore, journal: Journal
) -> None:
    poet = replace(ANN, persona="poet")
    bob = replace(ANN, subject="902")
    await store.put([memory(id=s.key, scope=s.key) for s in (ANN, poet, bob, ROOM)])
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
    assert await readable(store, journal, ROOM, asker="901") == alike(ROOM)
    await shares(journal, ANN)
    assert await readable(store, journal, ROOM, asker="901") == alike(ROOM, ANN)
    for asker in (None, "902", ""):
        assert await readable(store, journal, ROOM, asker=asker) == alike(ROOM)


async def test_what_is_shared_opens_no_other_chat(store: MemoryStore, journal: Journal) -> None:
    await shares(journal, ANN)
    bob = replace(ANN, subject="902")
    assert await readable(store, journal, bob, asker="901") == alike(bob)
    poet = replace(ANN, persona="poet")
    await store.put([memory(id=s.key, scope=s.key) for s in (ANN, poet)])
    assert poet not in await readable(store, journal, ROOM, asker="901")
    together = replace(ROOM, persona=ANY_PERSONA)
    assert poet in await readable(store, journal, together, TOGETHER, asker="901")


async def test_a_person_of_two_accounts_shares_both(store: MemoryStore, journal: Journal) -> None:
    await journal.set_alias("qq", "901", "ann")
    await journal.set_alias("tg", "ann_b", "ann")
    there = replace(ANN, platform="tg", subject="ann_b")
    await shares(journal, there)
    assert await readable(store, journal, ROOM, asker="901") == alike(ROOM, ANN, there)
