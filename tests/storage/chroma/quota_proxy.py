"""A proxy before a real Chroma server: refuses what a hosted one would, and fails when told to."""

import http.client
import json
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from astrbot_plugin_tidemark.scripts.hostkit.ports import LOOPBACK
from astrbot_plugin_tidemark.storage.chroma.client import PAGE

RECORD_KEYS, KEY_BYTES, ID_BYTES, NAME_BYTES = 32, 36, 128, 128
"""Values in a record's metadata, and UTF-8 bytes of their names, of ids and collections' names."""

VALUE_BYTES, COLLECTION_VALUE_BYTES = 4_096, 256
"""Of a value of a record's metadata, and of a collection's."""

DIMENSIONS, PREDICATES = 4_096, 8
"""Of a vector, and in one filter."""

WRITES = ("upsert", "update", "add", "delete")


class Proxy:
    """Counts what came; `refused` says what was beyond a quota."""

    def __init__(self, behind: int, token: str = "") -> None:
        self.behind = behind
        self.token = token
        self.port = 0
        self.refused: list[str] = []
        self.asked = 0
        self.drop_every = 0
        self.busy_every = 0
        self.busy_status = 429
        self.retry_after = 0
        """Seconds that it asks to be left alone for; 0 for not saying."""
        self.rests_until = 0.0
        self.early = 0
        """Requests that came before that was over."""
        self.delay = 0.0
        self.cut = False

    def fault(self) -> str:
        """What is wrong with the network as this request comes."""
        self.asked += 1
        self.early += time.monotonic() < self.rests_until
        if self.cut or (self.drop_every and self.asked % self.drop_every == 0):
            return "drop"
        if not self.busy_every or self.asked % self.busy_every:
            return ""
        self.rests_until = time.monotonic() + self.retry_after
        return "busy"


def broken(method: str, path: str, query: str, body: Any) -> str:
    """Which quota a request breaks; "" for none."""
    told = body if isinstance(body, Mapping) else {}
    last = path.rpartition("/")[2]
    if method == "GET" and last == "collections":
        asked = dict(each.partition("=")[::2] for each in query.split("&") if each)
        return _page(asked.get("limit"))
    if last == "collections":
        return _name(told["name"]) or _collection(told.get("metadata"))
    if method == "PUT":
        return _collection(told.get("new_metadata"))
    if last == "query":
        return _page(told["n_results"]) or _vectors(told["query_embeddings"])
    if last == "get":
        ids = told.get("ids")
        return (_page(told.get("limit")) if ids is None else _count(ids)) or _filter(told)
    return _records(told) if last in WRITES else ""


def _records(told: Mapping[str, Any]) -> str:
    ids = told["ids"]
    problem = _count(ids) or _vectors(told.get("embeddings") or [])
    if any(len(id.encode()) > ID_BYTES for id in ids):
        problem = "id"
    for metadata in told.get("metadatas") or []:
        problem = problem or _metadata(metadata, VALUE_BYTES)
    return problem


def _collection(metadata: Mapping[str, Any] | None) -> str:
    return _metadata(metadata, COLLECTION_VALUE_BYTES)


def _metadata(metadata: Mapping[str, Any] | None, most: int) -> str:
    for key, value in (metadata or {}).items():
        if len(key.encode()) > KEY_BYTES:
            return f"key {key}"
        if isinstance(value, str) and len(value.encode()) > most:
            return f"value of {key}"
    return "keys" if len(metadata or {}) > RECORD_KEYS else ""


def _name(name: str) -> str:
    return "name" if len(name.encode()) > NAME_BYTES else ""


def _page(limit: Any) -> str:
    return "results" if limit is None or int(limit) > PAGE else ""


def _count(ids: Sequence[str]) -> str:
    return "records" if len(ids) > PAGE else ""


def _vectors(rows: Sequence[Any]) -> str:
    long = any(isinstance(row, list) and len(row) > DIMENSIONS for row in rows)
    return "dimensions" if long else ""


def _filter(told: Mapping[str, Any]) -> str:
    return "predicates" if len(list(_leaves(told.get("where")))) > PREDICATES else ""


def _leaves(where: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    for key, value in (where or {}).items():
        if key in ("$and", "$or"):
            for each in value:
                yield from _leaves(each)
        else:
            yield {key: value}


@contextmanager
def proxied(behind: int, token: str = "", tls: ssl.SSLContext | None = None) -> Iterator[Proxy]:
    """A proxy for the server at that port, on one of its own."""
    proxy = Proxy(behind, token)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length)
            time.sleep(proxy.delay)
            match proxy.fault():
                case "drop":
                    self.close_connection = True
                    return
                case "busy":
                    self._answer(proxy.busy_status, b'{"error": "RateLimited", "message": "later"}')
                    return
            if proxy.token and self.headers.get("Authorization") != f"Bearer {proxy.token}":
                self._answer(401, b"{}")
                return
            path, _, query = self.path.partition("?")
            if problem := broken(self.command, path, query, json.loads(body) if body else None):
                proxy.refused.append(f"{self.command} {path.rpartition('/')[2]}: {problem}")
                self._answer(400, b'{"error": "QuotaExceeded", "message": "quota"}')
                return
            self._forward(body)

        def _forward(self, body: bytes) -> None:
            server = http.client.HTTPConnection(LOOPBACK, proxy.behind)
            try:
                server.request(self.command, self.path, body, {"Content-Type": "application/json"})
                answer = server.getresponse()
                self._answer(answer.status, answer.read())
            finally:
                server.close()

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            if status == proxy.busy_status and proxy.retry_after:
                self.send_header("Retry-After", str(proxy.retry_after))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    for verb in ("GET", "POST", "PUT", "DELETE"):
        setattr(Handler, f"do_{verb}", Handler._pass)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that is gone is none of our business."""

    with Server((LOOPBACK, 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        proxy.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()
