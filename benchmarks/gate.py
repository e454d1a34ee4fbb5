"""`python -m benchmarks.gate --data FOLDER [--fast]`: the one command a change is judged by.

One JSON with every figure that a change of recall, learning or sleep may move: of every set of the
data folder, and of the changes written for these benchmarks; the processor time of a turn, of its
recall and of single searches; what the embedded store does.

Every system hears the same lives, message by message with the clock of the data, and is asked the
same questions. `words` (BM25), `dense` (the embedder alone) and `fusion` (both by reciprocal rank)
are what anybody could build in an afternoon. `tidemark` is the product with everything on,
learning by rules, where a cycle of decay takes a year; `tidemark-words` and `tidemark-hashed` are
the same without the local embedder, `tidemark-recorded` learns from recorded replies. A line that
shows neighbours pays for them. With `--system` (repeatable) others are compared, and these alone:
`fusion-recorded` (with the recorded facts beside the turns), `tidemark-unlearnt`,
`tidemark-forgetting` (forgetting as it does by default), `tidemark-ranks` (fusion by the legs'
ranks), `tidemark-graphless`, and any `module:Class` of the contract in
`benchmarks/comparing/system.py`; with `--set` (repeatable) some sets alone. Then nothing else is
measured, with the vectors of `--embedder`.

Sets: `proactive` (ProactiveMemBench), `madial` (MADial-Bench), `locomo` (LoCoMo), `cdconv` (CDConv:
what contradicts itself), `longmemeval` (LongMemEval-S, `longmemeval_s*.json` in the folder
`longmemeval_s`), `beam` (BEAM, chats of 100K), `memdaily` (MemDaily), `changes`; a set whose folder
is missing is left out. Where the published ones are to be had: `benchmarks/data/README.md`. Beside
its own questions a life is asked turns that need nothing: everyday ones, openings, and questions
about other lives.

`--fast` takes a sample drawn with `--seed`, in some six minutes; without it the whole takes some
forty. `--resume FOLDER` keeps every life and part that is finished and takes it up again.
`--vectors FOLDER` keeps the vectors. `--against FILE` compares with an earlier run of the same
sample: `moved` names each figure that lies outside of the interval it had, and `worse` those of
them that moved for the worse; the exit code is then 1 if there is any.

Keys: `benchmark`, `fast`, `seed`, `commit`, `seconds`, `problems`, `machine` (see
`benchmarks.machine`); `sizes` (of each set `lives`, `messages`, `questions` and `idle` turns);
`sets` and `changes`: by set and system `axes`, `categories` and `costs`; `hashed` (the same of
vectors and fusion with hashed vectors); `turn` (see `benchmarks.turn`), `store` (see
`benchmarks.scale`); `moved`, `worse` with `--against`. An axis is {`n`, `value`, `low`, `high`}:
questions, figure, and the interval that 95 of 100 resamples of the questions lie in.

- `evidence@5`, `evidence@10`: mean share of what a question needs among the first 5 and 10 of the
  ranking; `in_200_tokens`, `in_400_tokens`, `in_1000_tokens`: in a block of at
  most so many
- `another's@10`, `shuffled@10`: controls; the same with what another question of that life needs,
  and with messages drawn by chance
- `served_precision`: of all lines shown to questions that need something, those that hold it
- `both_sides`: of questions about what contradicts itself, both statements are shown
- `gone`: of what questions need, what nothing that is remembered holds any more; `learnt`: of the
  recorded facts, those that something learnt rests on
- `silent_though_found`: nothing shown though the first 10 hold it
- `silent_when_idle`, `lines_when_idle`, `tokens_when_idle`: for turns that need nothing; `tokens`:
  for the others
- `abstention_auc`: how often a question that needs something is held for more certain to need it
  than one that does not
- `current_first`, `stale_shown`, `stale_unmarked`: after a change, of what is shown
- `categories`: by category of the questions `n`, `evidence@10` and `in_1000_tokens`, means
- `costs`: of a question `ms_p50` and `ms_p95` by the clock, `processor_ms_p50` and
  `processor_ms_p95` of the processor; `processor_ms_per_message` (hearing, learning and sleeping),
  `model_calls`, `megabytes` of the stores, `processor_seconds`
"""

from .launch import launch

if __name__ == "__main__":
    launch("comparing.gate")
