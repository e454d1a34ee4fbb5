"""A code confirms one thing, once, for whom it was given, where, and not for long."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.commands.chat.request import ChatCaller
from astrbot_plugin_tidemark.core.actions.confirmations import MOST, VALID, Confirmations
from astrbot_plugin_tidemark.tests.commands.command_rig import ANN, BEN, NOW, in_group


@pytest.fixture
def confirmations() -> Confirmations:
    return Confirmations()


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
