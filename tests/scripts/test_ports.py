"""Ports for servers of tests that run at the same time."""

import socket

from astrbot_plugin_tidemark.scripts.hostkit.ports import LOOPBACK, free_port


def test_a_server_can_take_its_free_port_at_once() -> None:
    port = free_port()
    with socket.create_server((LOOPBACK, port)) as server:
        assert server.getsockname()[1] == port


def test_no_free_port_is_given_twice() -> None:
    ports = [free_port() for _ in range(200)]
    assert len(set(ports)) == len(ports)
    assert all(1024 < port < 65_536 for port in ports)


def test_a_port_that_was_given_away_is_not_offered_to_another_process() -> None:
    given = {free_port() for _ in range(200)}
    offered: set[int] = set()
    for _ in range(500):
        with socket.socket() as other:
            other.bind((LOOPBACK, 0))
            offered.add(other.getsockname()[1])
    assert not offered & given
