"""`python -m benchmarks.enrichment --endpoint URL --model M`: what sleep finds in what was learnt.

The memories are `benchmarks/data/enrichment.jsonl`: a hundred of eight people, in Chinese and
English, with the names in each that a hand has listed (`--file` takes another of the form).
They are asked about as sleep does it, person by person; `--most` is how many go into a call,
`--limit` how many memories of each person. The other options are those of `benchmarks.extraction`.

Keys: `benchmark`, `model`, `memories`, `calls`, `read` (replies that could be read at first),
`told` (memories that these say anything of). `entities`, over all and for `zh` and `en`: `right`
(listed and found), `wrong` (found and neither listed nor as good), `missed` (listed and not found),
`precision`, `recall`. `notes`: each memory with what is kept of it, to be read. `asked`, `kept`,
`median_tokens`, `median_seconds` of a call as in `benchmarks.extraction`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("enrichment_run")
