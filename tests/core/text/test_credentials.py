"""Credentials are dropped by name and by shape, and what is none stays."""

import pytest
from astrbot_plugin_tidemark.core.records.tool_calls import (
    HIDDEN,
    cleared,
    is_credential,
    without_credentials,
)
from hypothesis import given
from hypothesis import strategies as st

SECRET = "hunter2-Zx9"


@pytest.mark.parametrize(
    "text",
    [
        "https://ann:{}@git.example/repo.git",
        "postgres://{}@db/prod",
        "password={}",
        "PASSWORD: {}",
        'DB_PASSWORD="{} with spaces"',
        "'api_key': '{}'",
        "api-key => {}",
        "token 是 {}",
        "数据库的密码是{}，别告诉别人",
        "my password is {}",
        "mysql --password {} -h db",
        "curl -H 'Authorization: Bearer {}aaaa'",
        "https://x.example/?access_token={}&page=2",
        "https://x.example/?page=2&key={}",
        "client_secret:{}",
    ],
)
def test_a_value_that_is_named_as_a_credential_is_dropped(text: str) -> None:
    told = without_credentials(text.format(SECRET))
    assert SECRET not in told
    assert HIDDEN in told


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnop1234",
        "ghp_abcdefghijklmnopqrstuvwxyz012345",
        "xoxb-1234567890-abcdefghij",
        "AKIAIOSFODNN7EXAMPLE",
        "AIzaSyA1234567890abcdefghijklmnopqrstu",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMIIEow cut off",
    ],
)
def test_a_value_that_looks_like_a_credential_is_dropped(secret: str) -> None:
    assert without_credentials(f"used {secret} today") == f"used {HIDDEN} today" or (
        secret.endswith("cut off")
    )
    assert secret[:20] not in without_credentials(f"used {secret} today")


@pytest.mark.parametrize(
    "text",
    [
        "deployed version 2.14.0 of the shop to prod in 42 s",
        "把 nginx 配置改好了，重启后 8080 端口正常，部署到了第 3 台机器上面并且检查过 v2 没有问题",
        "https://git.example/repo.git?page=2",
        "the author is Ann; compass north; passed 12 of 12",
        "/srv/projects/shop/releases/2024-11-20/deploy.sh --env prod",
        "key ideas: three",
    ],
)
def test_what_is_no_credential_stays(text: str) -> None:
    assert without_credentials(text) == text


def test_values_deep_inside_json_are_dropped_or_cut_off() -> None:
    given = {"env": "prod", "login": {"user": "ann", "passwd": SECRET}, "keys": [1], "pin": 1234}
    assert cleared(given) == {
        "env": "prod",
        "login": {"user": "ann", "passwd": HIDDEN},
        "keys": [1],
        "pin": HIDDEN,
    }
    assert cleared({"token": [SECRET]}) == {"token": HIDDEN}
    endless: dict[str, object] = {}
    endless["again"] = endless
    assert "…" in str(cleared(endless))


@pytest.mark.parametrize("name", ["password", "X-Api-Key", "jwt", "db_key", "口令", "accessToken"])
def test_names_of_credentials(name: str) -> None:
    assert is_credential(name)


@pytest.mark.parametrize("name", ["env", "keyboard", "author", "monkey", "path"])
def test_names_of_other_things(name: str) -> None:
    assert not is_credential(name)


@given(st.text(max_size=200))
def test_any_text_is_read_and_nothing_is_dropped_twice(text: str) -> None:
    once = without_credentials(text)
    assert without_credentials(once).count(HIDDEN) <= once.count(HIDDEN) + 1


@pytest.mark.parametrize("part", ["a", "a-", "password", "http://", "?key", "-----BEGIN A-----"])
def test_a_hostile_text_is_read_to_its_end(part: str) -> None:
    assert isinstance(without_credentials(part * (4_000 // len(part))), str)
