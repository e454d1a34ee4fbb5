"""`python -m benchmarks.views --data FOLDER --dataset NAME`: what further views of memories bring.

The same questions are asked of the same memories once for each source of views (`embedding.views`):
`off`, `clauses`, and with `--cues FILE` also with recorded questions, `recorded` as text of the
memory alone and `cues` as views too. The file maps the digest of a memory's text to its cues.

- `madial`, `proactive`: the data sets of `benchmarks.recall_quality`; with `--cues` each turn of
  the person is a learnt memory in `proactive`, and what the bot says is left out
- `by_views`: for each source `vectors` per memory, `megabytes` (half precision), `recall@5`,
  `recall@10`, `mrr`, `evidence_in_1000_tokens`, `silent` as there, `search_ratio` (time of a search
  by meaning against that of `off`, in this run), `named` (share of questions whose first hit by
  meaning was a further view); `recall@5_more`, `recall@10_more`: the mean of what each question
  gains against `off`, and between which values .95 of the means of questions drawn lie; `gained`,
  `lost`: questions with a better and a worse recall@5 than `off`
- `memories`, `with_cues`, `questions`, `problems`, `machine`
"""

from .launch import launch

if __name__ == "__main__":
    launch("views_run")
