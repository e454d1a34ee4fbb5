"""Which calls to a server are made again, and when none is made at all."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest
from astrbot_plugin_tidemark.core.endpoints.replies import Breaker
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.storage.chroma import client as guarded
from astrbot_plugin_tidemark.storage.chroma.client import RETRIES, Client
from chromadb.errors import InvalidArgumentError, NotFoundError

REQUEST = httpx.Request("GET", "http://chroma/")


class Api:
    """All that a client asks for by itself."""

    def get_max_batch_size(self) -> int:
        return 5_000


def status(code: int, retry_after: str = "") -> httpx.HTTPStatusError:
    headers = {"Retry-After": retry_after} if retry_after else {}
    answer = httpx.Response(code, headers=headers)
    return httpx.HTTPStatusError("", request=REQUEST, response=answer)


class Server:
    """Answers with what it is told, in turn; then with "done"."""

    def __init__(self, *failures: Exception) -> None:
        self._failures: Iterator[Exception] = iter(failures)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        for failure in self._failures:
            raise failure
        return "done"


class Clock:
    """In place of `time`: nobody waits."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    time = monotonic

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(guarded, "time", clock)
    return clock


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(guarded, "PAUSE_SECONDS", 0.0)
    return Client(Api(), "chroma:8000", ExitStack(), Breaker(4, rest_seconds=99.0))


def fails(call: Callable[[], object]) -> Fault:
    with pytest.raises(StorageError) as caught:
        call()
    return caught.value.fault


@pytest.mark.parametrize("failure", [httpx.ReadTimeout(""), httpx.ReadError(""), status(503)])
def test_a_read_is_made_again(client: Client, failure: Exception) -> None:
    server = Server(failure, failure)
    assert client.read(server) == "done"
    assert server.calls == 3


def test_a_read_is_not_made_again_without_end(client: Client) -> None:
    server = Server(*[httpx.ReadTimeout("")] * 9)
    assert fails(lambda: client.read(server)) is Fault.UNREACHABLE
    assert server.calls == RETRIES + 1


def test_a_rest_without_end_is_not_granted(clock: Clock, client: Client) -> None:
    assert fails(lambda: client.read(Server(status(503, "999999999")))) is Fault.UNREACHABLE
    clock.now += guarded.MOST_REST
    assert client.read(Server()) == "done"


@pytest.mark.parametrize("failure", [httpx.ReadTimeout(""), httpx.WriteError(""), status(502)])
def test_what_may_have_been_written_is_not_made_again(client: Client, failure: Exception) -> None:
    server = Server(failure)
    assert fails(lambda: client.write(server)) is Fault.UNREACHABLE
    assert server.calls == 1


@pytest.mark.parametrize("failure", [httpx.ConnectError(""), httpx.ConnectTimeout("")])
def test_a_write_that_was_never_sent_is_made_again(client: Client, failure: Exception) -> None:
    assert client.write(Server(failure)) == "done"


@pytest.mark.parametrize("code", [429, 503])
def test_a_write_turned_away_is_made_again_when_the_server_says(clock: Clock, code: int) -> None:
    client = Client(Api(), "chroma:8000", ExitStack(), Breaker(), patience=10.0)
    assert client.write(Server(status(code, "3"), status(code, "4"))) == "done"
    assert 7.0 <= clock.now - 1_000.0 <= 10.0


def test_what_is_made_again_waits_longer_each_time(clock: Clock) -> None:
    client = Client(Api(), "chroma:8000", ExitStack(), Breaker(99), patience=10.0)
    for _ in range(30):
        assert client.read(Server(*[httpx.ReadError("")] * RETRIES)) == "done"
    for nth in range(RETRIES):
        waits, middle = clock.slept[nth::RETRIES], guarded.PAUSE_SECONDS * 2**nth
        assert all(middle * 0.5 <= wait <= middle * 1.5 for wait in waits)
        assert len(set(waits)) == len(waits)
        assert max(waits) - min(waits) > middle * 0.4


def test_all_who_were_turned_away_do_not_come_back_at_once(clock: Clock) -> None:
    back: list[float] = []
    for _ in range(30):
        client = Client(Api(), "chroma:8000", ExitStack(), Breaker(), patience=10.0)
        began = clock.now
        assert client.write(Server(status(429, "3"))) == "done"
        back.append(clock.now - began)
    assert all(each >= 3.0 for each in back)
    assert len({*back}) == len(back)


def test_no_call_waits_beyond_its_own_time(clock: Clock) -> None:
    client = Client(Api(), "chroma:8000", ExitStack(), Breaker(99), patience=5.0)
    for call, most in ((client.read, 1.0), (client.write, 5.0)):
        began = clock.now
        for told in ("9", "4", "1"):
            server = Server(*[status(429, told)] * 9)
            assert fails(lambda call=call, server=server: call(server)) is Fault.UNREACHABLE
            clock.now += 20.0
        assert sum(clock.slept) <= 3 * most
        clock.slept.clear()
        assert clock.now >= began


def test_a_rest_asked_of_one_call_is_kept_by_all(clock: Clock, client: Client) -> None:
    assert fails(lambda: client.read(Server(status(429, "9")))) is Fault.UNREACHABLE
    server = Server()
    assert fails(lambda: client.read(server)) is Fault.UNREACHABLE
    assert server.calls == 0
    clock.now += 9.0
    assert client.read(server) == "done"


@pytest.mark.parametrize("code", [401, 403])
def test_a_refusal_is_not_argued_with(client: Client, code: int) -> None:
    server = Server(status(code))
    assert fails(lambda: client.read(server)) is Fault.REFUSED
    assert server.calls == 1


@pytest.mark.parametrize("answer", [NotFoundError("gone"), InvalidArgumentError("dimension")])
def test_an_error_of_chroma_is_an_answer(client: Client, answer: Exception) -> None:
    for _ in range(9):
        assert fails(lambda: client.read(Server(answer))) is Fault.OTHER
    assert client.read(Server()) == "done"


def test_a_server_that_fails_is_left_alone_unless_it_answers(client: Client) -> None:
    for _ in range(9):
        assert client.read(Server(httpx.ReadTimeout(""))) == "done"
    server = Server(*[httpx.ReadTimeout("")] * 99)
    for _ in range(9):
        assert fails(lambda: client.read(server)) is Fault.UNREACHABLE
    assert server.calls == 4
