"""`python -m benchmarks.embedder --json`: the local embedder, alone and on a busy machine.

Without the installed model the weights are random ones of its shape: what a product costs does not
depend on its numbers. Busy is one process for each core that counts without end.

| option | default | |
|---|---|---|
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--queries` | `20` | of each length and turn |
| `--rounds` | `5` | turns of each |
| `--tokens` | `16,64` | lengths of the queries |
| `--busy` | one for each core | competing processes |

Keys. A spread is {n, p5, p50, p95, p99, max} in milliseconds.

- `benchmark`, `seed`, `machine` (see `benchmarks.machine`), `model` (`installed` or `random`)
- `load_seconds`
- `idle`, `busy`: `query_ms` by tokens, `query_processor_ms` (of these, those on a processor),
  `beside_documents_ms` (queries of the first length while documents are embedded),
  `documents_per_s` (spread over the turns; of 64 tokens), `documents_per_processor_s` (for each
  second on a processor) and `threads` (processor time of the process for each second of an
  embedding: 1 is one thread)
"""

from .launch import launch

if __name__ == "__main__":
    launch("embedder_speed")
