"""`python -m benchmarks.small_episodes FILE --endpoint URL --model M`: what is learnt, to be read.

FILE is JSON: a list of episodes with `name`, `lang` ("zh" or "en"), `turns` ([who, text]; "bot" is
the bot) and `gold`, the facts that a hand has listed. Each is asked for as learning asks, and what
is kept is printed beside them: whether it is right, a hand tells. `--day` is when all of it is
said. The other options are those of `benchmarks.extraction`.

Keys: `benchmark`, `model`, `read` (replies that could be read at first), `episodes`, of each
`name`, `gold` and `facts` with their `text`, `turns`, `kind`, `claim`, `due` and `doubt`; `facts`
and `wanted` (how many of each); `asked`, `kept`, `median_tokens_in`, `median_tokens_out`,
`median_seconds` as in `benchmarks.extraction`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("small_episodes_run")
