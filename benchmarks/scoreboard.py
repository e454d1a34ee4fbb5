"""`python -m benchmarks.scoreboard --data FOLDER [--system NAME] --json`: systems side by side.

Every system hears the same lives, message by message with the clock of the data, and is asked the
same questions. No model is called but where a system learns from recorded replies.

Systems: `words` (BM25), `dense` (the embedder alone), `fusion` (both by reciprocal rank),
`fusion-recorded` (with the recorded facts beside the turns), `tidemark` (everything on, learning
by rules), `tidemark-words`, `tidemark-hashed`, `tidemark-unlearnt`, `tidemark-recorded` (learning
from recorded replies), `tidemark-forgetting` (forgetting as it does by default; in the others a
cycle of decay takes a year), `tidemark-ranks` (fusion by the legs' ranks), `tidemark-graphless`
(the graph counts nothing), and any `module:Class` of the contract in
`benchmarks/comparing/system.py`.

Sets: `proactive` (ProactiveMemBench), `madial` (MADial-Bench), `locomo` (LoCoMo), `cdconv` (CDConv:
what contradicts itself), `longmemeval` (LongMemEval-S, `longmemeval_s*.json` in the folder
`longmemeval_s`), `beam` (BEAM, chats of 100K), `memdaily` (MemDaily), `precision`
(PrecisionMemBench), `halumem` (HaluMem-Medium, where any turn of the session that a memory point
belongs to counts as its evidence), `changes` (told in chat, written for these benchmarks). A set
whose folder is missing is left out; `--download` fetches `beam`, `memdaily` and `precision` by git
and `halumem` as a file, each at one commit, checks what came and shows the licence. Beside its own
questions a life is asked turns that need nothing: everyday ones, openings, and questions about
other lives.

`--lives`, `--messages` and `--questions` cut every set to a sample drawn with `--seed`, for an
answer in minutes: `--lives 1 --messages 60 --questions 20`; `--sample locomo=1:60:20` cuts that set
alone, or otherwise than the rest. `--resume FOLDER` keeps what each
system came to over each life; the same command goes on from there, and with `--finished` it
measures nothing more and tells of the lives that all systems which have begun a set are through.
`--vectors FOLDER` keeps the vectors.

Keys: `benchmark`, `embedder`, `seed`, `lives`, `messages`, `questions` (the sample's limits),
`seconds`, `commits` (at which it was measured, "" where no git says so), `problems`,
`machine` (see `benchmarks.machine`), `samples` (limits of the sets that have their own), `sizes`
(of each set `lives`,
`messages`, `questions` and `idle` turns), and `sets`: by set and system `axes` and `costs`. An
axis is {`n`, `value`, `low`, `high`}: questions, figure, and the interval that 95 of 100 resamples
of the questions lie in.

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
    launch("comparing.run")
