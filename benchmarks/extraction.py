"""`python -m benchmarks.extraction --endpoint URL --model M`: what a model learns from chats.

Forty short episodes in messy everyday language, half Chinese and half English, by a hand that saw
nothing of the product (`benchmarks/data/episodes.jsonl`), with the keys of what is to be learnt and
patterns of what would be wrong. Each is read as the plugin reads an episode: one call, at most one
more, words found again. `--episodes N` reads the first N only, `--timeout` is the seconds of one
call. Every reply is kept in `--resume` (by default in the user's cache) by the whole prompt: the
same command goes on where it was interrupted, and a second run asks nothing.

Keys: `benchmark`, `model`, `episodes`, `read_at_first` and `read` (shares of the replies that can
be read, at once and after the second call), `facts`, `found` (share of them), `learnt` (sentences
that are believed), of which `right`, `passing` (neither) and `wrong`, `doubted` (in quarantine),
`right_of_learnt`, all of it `by_language`; `asked` and `kept` (calls of this run and of earlier
ones), `median_tokens` and `median_seconds` (of a call when it was made; tokens null where the
endpoint tells none); `sentences` to be read.
"""

from .launch import launch

if __name__ == "__main__":
    launch("extraction_run")
