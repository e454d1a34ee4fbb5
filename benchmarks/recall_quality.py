"""`python -m benchmarks.recall_quality --data FOLDER --dataset NAME --json`: what recall finds.

Every question goes through the engine: with default settings for ranking, silence, tokens and
latency, and a second time with a budget of 1 000 tokens and no bound on the number of memories.
No model is called. A memory counts for the turns it was learnt from; equal scores are ordered by
chance, with the seed.

- `locomo`: turns are journaled and indexed as in use, a conversation per scope; questions come a
  day after the last turn. Of `by_category`, `adversarial` is not part of the headline.
- `madial`: memories are stored as facts; a dialogue is journaled up to the turn that asks.
- `silence`: chit-chat (CDConv) and turns that need a memory, against the same memories.
- `temporal`: expressions and the intervals they mean, through the parser of times.

Keys of `locomo` and `madial`:

- `benchmark`, `dataset`, `embedder`, `seed`, `without`, `machine` (see `benchmarks.machine`)
- `questions`; `problems`: what of the data was left out, and why
- `recall@5`, `recall@10`: mean share of a question's evidence among the first 5 and 10, before
  any is left out for its relevance, for the limit or for the budget; `any@5`, `any@10`, `all@10`:
  share of questions with any, with all of it there; `mrr`, `ndcg@10`
- `by_category`: `questions` and the same figures for each
- `served`: mean share of a question's evidence in the block with default settings; `precision`:
  share of such lines that hold evidence; `precision_by_question`: the same within each question
  that shows any line, and its mean; `lines` and `tokens` of such a block, means
- `evidence_in_1000_tokens`: mean share of the evidence in a block of at most 1 000 tokens
- `silent`: share of questions for which nothing was injected
- `latency_ms`: of the recall with default settings: `p50`, `p95`, `embedding_share` (of the whole
  time, for the query's embedding), and without the embedding `rest_p50` and `rest_p95`

Keys of `silence`, besides those of the run: `chit_chat` (turns), `silent` (share of them for
which nothing was injected), `chit_chat_tokens` (mean); `mid_chat` and `mid_chat_silent`, the same
of the second turns of such chats, whose first turn and answer are indexed as in use; `true` (turns
that need a memory), `found` (share whose memory is among the first 10), `lost` (share of those for
which nothing was injected), `lost_in_talk` (the same, asked right after a remark on the topic; of
the made-up life), `latency_ms`.

Keys of `temporal`: `expressions`, `exact` (share with exactly the interval meant, or none where
none is), `false_triggers` (intervals where none is meant), `missed`, `wrong`: {`text`, `said_at`,
`meant`, `understood`} for each that is not exact.
"""

from .launch import launch

if __name__ == "__main__":
    launch("recall_quality_run")
