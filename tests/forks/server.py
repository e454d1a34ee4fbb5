"""A process that has imported what takes long, and forks a child for each program it is sent.

Run as `python -P server.py <socket> <packages...>`, by `forking`. Linux only.
"""

import gc
import importlib
import os
import pickle
import runpy
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import Any

STREAMS = 3
"""A request carries the child's input, output and errors, and then a pipe for what is told of it:
its number, and when it is over the status it ended with.
"""
MOST = 1 << 20


def serve(control: socket.socket, packages: list[str]) -> dict[str, Any] | None:
    """Fork until nobody asks any more; in a child, the request it is to carry out.

    A package may be the file of a program, which is run.
    """
    for package in packages:
        # What is missing, or fails, is left to the programs that need it.
        with suppress(Exception):
            if package.endswith(".py"):
                runpy.run_path(package)
            else:
                importlib.import_module(package)
    gc.collect()
    gc.freeze()
    children: dict[int, tuple[int, int]] = {}
    while True:
        for ready in select.select([control.fileno(), *children], [], [])[0]:
            if ready != control.fileno():
                _buried(ready, *children.pop(ready))
                continue
            message, files, _, _ = socket.recv_fds(control, MOST, STREAMS + 1)
            if not message:
                return None
            if (pid := os.fork()) == 0:
                for inherited in (control.detach(), files[STREAMS], *children):
                    os.close(inherited)
                for _, told in children.values():
                    os.close(told)
                return pickle.loads(message) | {"files": files[:STREAMS]}
            for file in files[:STREAMS]:
                os.close(file)
            _tell(files[STREAMS], pid)
            children[os.pidfd_open(pid)] = pid, files[STREAMS]


def become(request: dict[str, Any]) -> None:
    os.setsid()
    for stream, file in enumerate(request["files"]):
        os.dup2(file, stream)
        os.close(file)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = request["arguments"]
    sys.path[:0] = request["path"]


def _buried(watch: int, pid: int, told: int) -> None:
    _tell(told, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    os.close(told)
    os.close(watch)


def _tell(told: int, number: int) -> None:
    # Nobody may be listening any more.
    with suppress(BrokenPipeError):
        os.write(told, b"%d\n" % number)


if __name__ == "__main__":
    asked = serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
    if asked is None:
        # Clearing up what was imported would take long, and is of no use.
        os._exit(0)
    become(asked)
    exec(compile(asked["program"], "<string>", "exec"), {"__name__": "__main__"})
