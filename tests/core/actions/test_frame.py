"""What actions have in common: refusals, codes that confirm, the audit log is signed."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.commands.chat.request import ChatCaller
from astrbot_plugin_tidemark.core.actions import edits, views
from astrbot_plugin_tidemark.core.actions.answers import Caller, CodeNeeded, Refusal, Refused
from astrbot_plugin_tidemark.core.actions.context import MOST, VALID, Confirmations, Context
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Standing, Status
from astrbot_plugin_tidemark.core.records.evidence import evidence_id
from astrbot_plugin_tidemark.tests.commands.command_rig import (
    ANN,
    BEN,
    DAY,
    NOW,
    CommandRig,
    admin,
    in_group,
)

BINNED = Standing(Status.BINNED, NOW, "decayed", NOW + DAY)


def context(rig: CommandRig, caller: Caller) -> Context:
    return Context(caller, rig.engine, rig.services)


@pytest.mark.parametrize(
    ("written", "of", "reason"),
    [
        ("ffffff", ANN, Refusal.UNKNOWN_MEMORY),
        ("no id at all", ANN, Refusal.UNKNOWN_MEMORY),
        (None, in_group(BEN), Refusal.NOT_YOURS),
    ],
)
async def test_a_refusal_has_its_reason_and_changes_nothing(
    rig: CommandRig, written: str | None, of: Caller, reason: Refusal
) -> None:
    memory = await rig.remember("Ben rows", of=of)
    group = context(rig, in_group(ANN))
    with pytest.raises(Refused) as refused:
        await edits.forget(group, memory.id if written is None else written)
    assert refused.value.reason is reason
    assert await rig.engine.store.find([memory.id]) == [memory]


async def test_what_cannot_be_undone_is_done_with_the_code_alone_and_once(rig: CommandRig) -> None:
    boss = context(rig, admin(ANN))
    await rig.remember("Ann keeps bees", standing=BINNED)
    with pytest.raises(CodeNeeded) as needed:
        await edits.purge_all(boss, "")
    asked = needed.value
    with pytest.raises(Refused, match=Refusal.WRONG_CODE):
        await edits.purge_all(boss, "ABCDEF")
    assert (await edits.purge_all(boss, asked.code)).memories == 1
    await rig.remember("Ann keeps wasps", standing=BINNED)
    with pytest.raises(Refused, match=Refusal.WRONG_CODE):
        await edits.purge_all(boss, asked.code)


async def test_the_audit_log_names_whoever_asked(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    for caller, forget in ((ANN, True), (admin(ANN), False)):
        if forget:
            await edits.forget(context(rig, caller), memory.id)
        else:
            await edits.restore(context(rig, caller), memory.id)
        newest = (await rig.engine.journal.audit_of(memory.id))[-1]
        assert newest.by == caller.signature


async def test_a_reason_longer_than_is_kept_is_confirmed_by_its_code(rig: CommandRig) -> None:
    boss, secret = context(rig, admin(ANN)), await rig.remember("secret word", of=BEN)
    reason = "Ben asked me to, " * 30
    asked = await code_for(boss, secret, reason)
    kept = str(asked.told["reason"])
    assert len(kept) == views.LONGEST_REASON
    for repeated in (reason, kept):
        code = (await code_for(boss, secret, repeated)).code
        revealed = replace(boss, reveal=f"{repeated} {code.lower()}")
        (view,) = await views.seen(revealed, [secret], "show")
        assert view.memory.text == "secret word"


async def code_for(boss: Context, secret: Memory, reason: str) -> CodeNeeded:
    """The code that is asked for before the memory is shown for a reason."""
    with pytest.raises(CodeNeeded) as asked:
        await views.seen(replace(boss, reveal=reason), [secret], "show")
    return asked.value


async def test_to_forget_a_binned_one_takes_its_raw_turns_there_too(rig: CommandRig) -> None:
    turn = await rig.say("Ann keeps bees")
    raw = await rig.remember(
        "I keep bees", id=evidence_id(rig.engine.journal.id, turn), kind=Kind.EVIDENCE
    )
    memory = await rig.remember(
        "Ann keeps bees", standing=BINNED, origin=Origin("", "", "", (turn,))
    )
    done = await edits.forget(context(rig, ANN), memory.id)
    assert done.after is None
    (binned,) = await rig.engine.store.find([raw.id])
    assert binned.standing.status is Status.BINNED
    assert "in the bin already" in await rig.ask("forget", memory.id)


confirmations = pytest.fixture(lambda: Confirmations())


def test_a_code_is_six_plain_letters_and_digits(confirmations: Confirmations) -> None:
    codes = {confirmations.ask(ANN, f"purge {n}", now=NOW) for n in range(50)}
    assert len(codes) == 50
    assert all(len(code) == 6 and code.isalnum() and code == code.upper() for code in codes)
    assert not set("".join(codes)) & set("0O1IL")


def test_a_code_confirms_once_in_five_minutes_unless_renewed(confirmations: Confirmations) -> None:
    code = confirmations.ask(ANN, "purge", now=NOW)
    assert confirmations.redeem(ANN, "purge", f" {code.lower()} ", now=NOW + 1)
    assert not confirmations.redeem(ANN, "purge", code, now=NOW + 1)
    code = confirmations.ask(ANN, "purge", now=NOW)
    assert not confirmations.redeem(ANN, "purge", "", now=NOW)
    assert not confirmations.redeem(ANN, "purge", code[:-1], now=NOW)
    assert confirmations.redeem(ANN, "purge", code, now=NOW)
    code = confirmations.ask(ANN, "purge", now=NOW)
    assert not confirmations.redeem(ANN, "purge", code, now=NOW + VALID)
    assert confirmations.redeem(ANN, "purge", code, now=NOW + VALID - 1)
    first = confirmations.ask(ANN, "purge", now=NOW)
    second = confirmations.ask(ANN, "purge", now=NOW)
    assert not confirmations.redeem(ANN, "purge", first, now=NOW)
    assert confirmations.redeem(ANN, "purge", second, now=NOW)


@pytest.mark.parametrize(
    ("who", "what"),
    [
        (BEN, "purge"),
        (in_group(ANN), "purge"),
        (replace(ANN, person="902"), "purge"),
        (ANN, "forget-me"),
    ],
)
def test_a_code_is_good_for_nobody_nowhere_and_nothing_else(
    confirmations: Confirmations, who: ChatCaller, what: str
) -> None:
    code = confirmations.ask(ANN, "purge", now=NOW)
    assert not confirmations.redeem(who, what, code, now=NOW)
    assert confirmations.redeem(ANN, "purge", code, now=NOW)


def test_only_so_many_codes_are_open_the_oldest_goes(confirmations: Confirmations) -> None:
    codes = [confirmations.ask(ANN, f"purge {n}", now=NOW) for n in range(MOST + 1)]
    assert not confirmations.redeem(ANN, "purge 0", codes[0], now=NOW)
    assert confirmations.redeem(ANN, "purge 1", codes[1], now=NOW)
    assert confirmations.redeem(ANN, f"purge {MOST}", codes[MOST], now=NOW)
