"""`python -m benchmarks.month --endpoint URL --model M`: months that were lived, in a real host.

Four written lives of thirty days (`benchmarks/data/lives`, two in each language's chats, one of
them a group's) are played through a real AstrBot as a messenger plays them, message by message; the
bot says what is written, and the model learns behind the plugin. Of the chat the host keeps
`turns_in_sight` in the sight of its own model. Before each message all that is due has been done,
and the product sleeps by itself at night. `--life NAME`, which may be repeated, and `--days N` play
a part. Without `--endpoint` the rehearsal model learns, which has no intelligence: that takes
minutes.

Replies and days are kept in `--resume` (by default in the user's cache): the same command goes on
after the last whole day, and what was asked is not asked again. Another version of the product's
code, another model or life is played anew, from replies that are kept where prompts are the same.
A changed mark of a life (`benchmarks/data/README.md`) is only judged anew.

Keys: `benchmark`, `model`, `turns_in_sight`, `replies` (`asked` and `kept` calls, `median_tokens`,
`median_seconds`), `seconds`, `machine` (see `benchmarks.machine`), and

- `lives`: of each `totals`, `objected` (of what is live at the end what is neither right nor other)
  and `days`: `day`, `messages`; `told` facts, of which `learnt` by its end (a live memory tells it,
  of the right person) and `missed` (their ids); `memories` live at its end: `right`, `stale` (tell
  as so what has ended), `wrong` (a wrong answer, or told of somebody else), `forgotten` (was to),
  `other` (no fact's); `asked` messages that need facts, of which `shown` (any line), `answered`
  (every needed fact stands there) and `stale` (a wrong answer, not marked as past), with means of
  `lines` and `tokens`; `idle` messages that need nothing, of which `silent`, with `idle_tokens`;
  `objections`; what was `spent` by purpose (`calls`, `tokens`; `block` are the tokens shown);
  `seconds`
- `totals`: `messages`, and {`n`, `value`, `low`, `high`} of the shares `learnt`, `shown`,
  `answered`, `needed_found`, `stale`, `silent_when_idle`, the means `tokens` and
  `tokens_when_idle`, and `objections_per_line` (the interval holds 95 of 100 resamples);
  `objections` by kind: `missing` (a needed fact), `wrong` (a wrong answer), `stale` (what has
  ended, not marked; in the words of a message `stale_quote`), `forgotten` (what somebody asked to
  forget), `another's` (what was told of one person is said of another), `before_its_successor`,
  `twice`, `needless` (a line where nothing is needed), `unrelated` (a line of no needed fact while
  one is missing)
- `worst`: the ten blocks with the weightiest objections: `life`, `day`, `line` of its file,
  `message`, `needed` and `missing` facts, `block`, `objections` as pairs of a kind and a line
"""

from .launch import launch

if __name__ == "__main__":
    launch("lived.run")
