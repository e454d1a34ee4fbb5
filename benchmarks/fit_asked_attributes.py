"""`python -m benchmarks.fit_asked_attributes --json`: the numbers that tell what is asked for.

A multinomial logistic regression on the local embedder's vectors, over topics of a life and one
more: what is asked of a life that is none of these. Fitted on questions that hand i wrote for
each topic, and on the turns of five hands of `asking_*.jsonl` that were labelled by topic
afterwards. Judged by the questions of the changes (hands a and b, neither in the fit) and by the
everyday turns, all of which need nothing.

| option | default | |
|---|---|---|
| `--written` | `benchmarks/data` | the written turns |
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--vectors` | | keep vectors in this folder |
| `--write` | off | write `core/scoring/asked_attributes.json` |

Keys: `benchmark`, `turns` (of the fit), `topics`; `changes` by hand, language and whether the
present (`now`) or the `past` is asked for: `n`, `likeliest` (the topic with the most is one that
the attribute of the change answers), `asked` (it would be brought up if something is known),
`listed` (the languages' word lists name the attribute); `idle` by hand: `n` and `asked` (some
attribute would be).
"""

from .launch import launch

if __name__ == "__main__":
    launch("fit_asked_attributes_run")
