"""Loopback ports for what a test or a run starts."""

import socket

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port nobody listens on, and that the system offers to nobody else for about a minute.

    A connection closed from its side keeps it: servers, which reuse addresses, can still bind
    it, while another process that asks for any free port gets a different one.
    """
    with socket.create_server((LOOPBACK, 0)) as server:
        address = server.getsockname()
        with socket.create_connection(address) as client:
            accepted, _ = server.accept()
            accepted.close()
            client.recv(1)
    return address[1]
