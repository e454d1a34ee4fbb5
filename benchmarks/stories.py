"""`python -m benchmarks.stories --data FOLDER --json`: which stories of a life become threads?

`--data` has `locomo_dev`. Its conversations are told to the product with their recorded facts, it
sleeps as it does, and the threads that it has at the end are held against stories listed by hand
(`data/stories.json`: the turns in which each is told). No model words them here.

| option | default | |
|---|---|---|
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--vectors` | none | folder in which vectors of documents are kept from run to run |
| `--seed` | `1` | |

Keys: `benchmark`, `seed`, `machine`; `lives`: by conversation `threads`, `lines` (mean of a thread)
and `stories`, by story the greatest share of its turns that one thread tells; `found` is the share
of all stories of which a thread tells at least `LEAST`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("stories_run")
