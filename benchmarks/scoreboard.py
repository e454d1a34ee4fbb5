"""`python -m benchmarks.scoreboard --data FOLDER [--system NAME] --json`: systems side by side.

Every system hears the same lives, message by message with the clock of the data, and is asked the
same questions. No model is called but where a system learns from recorded replies.

Systems: `words` (BM25), `dense` (the embedder alone), `fusion` (both by reciprocal rank),
`fusion-recorded` (with the recorded facts beside the turns), `tidemark` (everything on, learning
by rules), `tidemark-words`, `tidemark-hashed`, `tidemark-unlearnt`, `tidemark-recorded` (learning
from recorded replies), and any `module:Class` of the contract in `benchmarks/comparing/system.py`.

Sets: `proactive` (ProactiveMemBench), `madial` (MADial-Bench), `locomo` (LoCoMo), `longmemeval`
(LongMemEval-S, `longmemeval_s*.json` in the folder `longmemeval_s`), `changes` (told in chat,
written for these benchmarks). A set whose folder is missing is left out. Beside its own questions
a life is asked turns that need nothing: everyday ones, openings, and questions about other lives.

Keys: `benchmark`, `embedder`, `seed`, `problems`, `machine` (see `benchmarks.machine`), and `sets`:
by set and system `axes` and `costs`. An axis is {`n`, `value`, `low`, `high`}: questions, figure,
and the interval that 95 of 100 resamples of the questions lie in.

- `evidence@5`, `evidence@10`: mean share of what a question needs among the first 5 and 10 of the
  ranking; `in_1000_tokens`: in a block of at most so many
- `another's@10`: control; the same with what another question of that life needs
- `served_precision`: of all lines shown to questions that need something, those that hold it
- `silent_though_found`: nothing shown though the first 10 hold it
- `silent_when_idle`, `tokens_when_idle`: for turns that need nothing; `tokens`: for the others
- `abstention_auc`: how often a question that needs something is held for more certain to need it
  than one that does not
- `current_first`, `stale_shown`, `stale_unmarked`: after a change, of what is shown
- `costs`: `ms_p50`, `ms_p95` of a question, `ms_per_message` (hearing, learning and sleeping),
  `model_calls`, `megabytes` of the stores, `processor_seconds`
"""

from .launch import launch

if __name__ == "__main__":
    launch("comparing.run")
