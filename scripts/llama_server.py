"""A server of one chat model, by llama.cpp, on a free port of this machine.

    python llama_server.py FILE NAME CONTEXT LONGEST

Prints its address once it answers, and ends with its standard input: with whoever started it,
however that ends. A reply has LONGEST tokens at most. It runs in an environment that has
llama.cpp and nothing of this project.
"""

import importlib
import os
import sys


def main(file: str, name: str, context: int, longest: int) -> None:
    """Serve until standard input ends."""
    # What the library prints must neither be taken for the address nor fill a pipe nobody reads.
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    llama = importlib.import_module("xllamacpp")
    wanted = llama.CommonParams()
    wanted.model.path = file
    wanted.model_alias = {name}
    wanted.hostnames, wanted.port = ["127.0.0.1"], 0
    # With two slots, replies to different prompts were seen to mix.
    wanted.n_ctx, wanted.n_parallel, wanted.n_predict = context, 1, longest
    # Prompts it has read, to go on from: by default it keeps eight gigabytes of them.
    wanted.cache_ram_mib = 512
    wanted.use_jinja = True
    server = llama.Server(wanted)
    print(server.listening_address, file=told, flush=True)
    sys.stdin.buffer.read()
    # Its own end would wait for the reply it is writing.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
