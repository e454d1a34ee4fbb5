"""A proxy before a real Chroma server, and a network that fails when told to."""

import http.client
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from astrbot_plugin_tidemark.scripts.hostkit.ports import LOOPBACK


class Proxy:
    """Counts what came."""

    def __init__(self, behind: int, token: str = "") -> None:
        self.behind = behind
        self.token = token
        self.port = 0
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
