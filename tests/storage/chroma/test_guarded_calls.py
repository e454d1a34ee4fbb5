"""Which calls to a server are made again, and when none is made at all."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest
from astrbot_plugin_tidemark.core.endpoints.circuit_breaker import Breaker
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.storage.chroma import client as guarded
from astrbot_plugin_tidemark.storage.chroma.client import RETRIES, Client
from chromadb.errors import InvalidArgumentError, NotFoundError

REQUEST = httpx.Request("GET", "http://chroma/")


class Api:
    """All that a client asks for by itself."""

    def get_max_batch_size(self) -> int:
        return 5_000


def status(code: int) -> httpx.HTTPStatusError:
    return httpx.HTTPStatusError("", request=REQUEST, response=httpx.Response(code))


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


@pytest.mark.parametrize("failure", [httpx.ReadTimeout(""), httpx.WriteError(""), status(502)])
def test_a_write_that_may_have_arrived_is_not_made_again(
    client: Client, failure: Exception
) -> None:
    server = Server(failure)
    assert fails(lambda: client.write(server)) is Fault.UNREACHABLE
    assert server.calls == 1


@pytest.mark.parametrize("failure", [httpx.ConnectError(""), httpx.ConnectTimeout("")])
def test_a_write_that_was_never_sent_is_made_again(client: Client, failure: Exception) -> None:
    assert client.write(Server(failure)) == "done"


@pytest.mark.parametrize("code", [401, 403])
def test_a_refusal_is_not_argued_with(client: Client, code: int) -> None:
    server = Server(status(code))
    assert fails(lambda: client.read(server)) is Fault.REFUSED
    assert server.calls == 1


def test_a_server_that_fails_again_and_again_is_left_alone(client: Client) -> None:
    server = Server(*[httpx.ReadTimeout("")] * 99)
    for _ in range(9):
        assert fails(lambda: client.read(server)) is Fault.UNREACHABLE
    assert server.calls == 4


@pytest.mark.parametrize("answer", [NotFoundError("gone"), InvalidArgumentError("dimension")])
def test_an_error_of_chroma_is_an_answer(client: Client, answer: Exception) -> None:
    for _ in range(9):
        assert fails(lambda: client.read(Server(answer))) is Fault.OTHER
    assert client.read(Server()) == "done"


def test_an_answer_between_failures_keeps_the_way_open(client: Client) -> None:
    for _ in range(9):
        assert client.read(Server(httpx.ReadTimeout(""))) == "done"
