"""`python -m benchmarks.answers --endpoint URL --model M --data FOLDER`: right answers by a model.

LoCoMo, LongMemEval-S, MADial and MemDaily, end to end with models of yours: a system hears each
life (as in `benchmarks.gate`; `--system`, by default `tidemark`; `nothing` shows nothing),
makes its block for each question, the model answers with it, and the judge (`--judge M2`) tells
whether the answer is right. Without a judge the words of the data's own answer tell it, of
questions whose answer is short and no date. Any OpenAI-compatible server will do. Its key is read
from the environment variable `ANSWERS_KEY`, or from the one that `--key-variable` names; it is
neither printed nor kept. The prompts stand in `benchmarks/answering/prompts.py` as they are sent,
the rules of the judge among them; no temperature is sent.

What it will cost is told on standard error before the first call; `--estimate` stops after that,
and nothing was called. Every block, answer and verdict is kept in `--resume` (by default
`answers_kept` in the folder of the data): the same command goes on where it was interrupted,
calls that failed are made again, and nothing is paid for twice. Another version of the system
wants another folder. After five failures in a row the run ends.

`--set`, `--lives`, `--messages`, `--questions` cut to a sample, `--most N` to N questions of a set,
drawn with `--seed`: a smaller sample is the beginning of a larger one.

LongMemEval's questions without an answer are asked, too (`unanswerable`: right is to say that it
is not known), LoCoMo's are not, as in its published figures. MADial has no questions: there the
judge tells whether the reply brings up the memory that the reference brings up.

Keys: `benchmark`, `model`, `judge`, `system`, `embedder`, `messages`, `questions`, `seed`, `lives`,
`most` (the options), `prompts` (their version), `seconds`, `problems`, `machine` (see
`benchmarks.machine`), `sizes` (questions of each set), and

- `estimate`: what is not kept yet: `questions`, for `model` and `judge` `calls` and `tokens`,
  `counted_by` (the tokenizer; a reply is taken to have 60 tokens, a verdict 10)
- `spent`: for `model` and `judge` `calls` and `tokens` of this run as billed, `without_usage`
  (calls of which the server did not tell the tokens), `kept_calls` and `kept_tokens` of earlier
  runs, `failed` calls
- `sets`: of each `right`, the share of right answers as {`n`, `value`, `low`, `high`} (questions,
  figure, and the interval that 95 of 100 resamples of the questions lie in), likewise the others as
  `unknown` (the model said so) and `wrong`, and `lines`, the number shown; `categories` (what is
  right by category), `unanswered` and `unjudged` (questions left out, for a call failed or no
  verdict could be read)
"""

from .launch import launch

if __name__ == "__main__":
    launch("answering.run")
