"""`python -m benchmarks.merging --data FOLDER --json`: what would sleep merge, for the eye.

`--data` has `locomo_dev` (recorded observations, those of one speaker of one conversation belong
together) and may have `cdconv_dev` (answers that assert something, as if one person had given all
of them: many alike that differ in one thing).

| option | default | |
|---|---|---|
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--vectors` | none | folder in which vectors of documents are kept from run to run |
| `--most` | `6000` | answers taken from `cdconv_dev`, in its order |
| `--near` | `0.9` | centred cosine from which two may be merged |

Keys: `benchmark`, `near`; `sets`, for each `texts`, `near_pairs` (at least that near),
`merged_pairs` of them, `clusters`, `texts_gone` and `apart` (the other near pairs by what keeps
them apart, see `core.records.sameness.Apart`); `merges`: every cluster with its texts, to be looked
at one by one.
"""

from .launch import launch

if __name__ == "__main__":
    launch("merging_run")
