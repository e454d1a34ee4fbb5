"""`python -m benchmarks.nearest --json`: what is nearest, and what is quoted, must be found.

Memories of one form each (a person and a topic), Chinese and English, in scopes of their own.
Each is asked for by its person and topic, and in its own words, with the engine's search, which
is the recall of a turn without a turn. Nearest is the memory of the scope with the greatest plain
cosine between its stored vector and the question's.

| option | default | |
|---|---|---|
| `--embedder` | `local` | `local`, `hashed`, or `given` (see `nearest_run.GivenEmbedder`) |
| `--worlds` | `40x50x1,4x500x1,4x500x20` | scopes, memories in each, and of a person's topic |
| `--questions` | `500` | of each world, 0 for all |
| `--models`, `--vectors` | | the local model's folder; where vectors are kept between runs |

Keys: `benchmark`, `embedder`, `seed`, `machine`, and for each of `worlds`:

- `scopes`, `memories` (of all), `alike` (of one person and topic), `questions`
- `nearest@10`, `nearest@1`: share of questions by person and topic whose nearest memory is among
  the first 10, or first, of what is found (those that are left out do not count)
- `meant@10`, `meant@1`: the same for the memory that was meant
- `own_words@1`: share of memories that come first when asked in their own words
- `stages`: mean share of nearest memories among the first 10 of the semantic leg (`leg`) and of
  all candidates whatever became of them (`ranked`)
- `lost`: why nearest memories were not found: silence and its reason, the reason of their drop,
  `not a candidate`, or `behind` ten others
"""

from .launch import launch

if __name__ == "__main__":
    launch("nearest_run")
