"""`python -m benchmarks.life --data FOLDER --json`: months with the memory, and what came of it.

The folder holds `proactive_zh_dev`, `locomo_dev`, `madial_zh_dev`, `group_chat_zh`, `cdconv_dev`,
or some of them; everyday turns and changes are those of `benchmarks/data`. Every message goes the
way of the host's hooks: capture, recall, answer. The clock moves by the data's own times; what is
due is done before it moves on: indexing, learning, verdicts, comparison, nightly decay, purging.
The bot answers from what it is shown, and else that it does not remember.

Everybody lives at once, with default settings: two half years, MADial's facts told in the first
person, LoCoMo's pairs and a team as groups, a private chat, people who tell changes, and one who
tells 20 facts on days 0, 7, 14 and 20. In the pauses of a private chat in Chinese comes one turn of
CDConv for each line. Every question is asked once, a quarter of a day to 90 days after the last
thing it needs was said, and answered; turns that need nothing are asked a day after a life's last
line. Where nothing fades the people who tell changes are asked by `benchmarks.changes`.

What is asked at a life's end is journaled, answered by nobody and not indexed: it leaves no trace.
About `--idle` turns of each class are drawn by the seed.

Keys:

- `benchmark`, `embedder`, `learning`, `lives`, `patience` (`forgetting.patience`), `sleep` (`on`,
  as in use; `sweep`, where memories only decay and the bin is emptied; `off`, where nothing is put
  in order and nothing let go of) and `idle` (the options), `seed`
- `months`:
  - `asked`, `memories` (live ones of the scope, mean), `needs` (below), `by_source` (the same)
  - `silent_when_nothing_is_needed`: by class `n`, `silent` (share for which nothing was shown) and
    `tokens`: `opening`, `mid_chat` (second turns of CDConv), `request`, `knowledge`, `remark`,
    `follow_up`, `question_to_bot`, `unanswerable` (about a life, answered by none), `other_life`
    (what another life's chat answers), `other_person` (LoCoMo's adversarial questions)
  - `by_hand`: the same for the everyday turns of each hand; nothing is fitted on hand `b`
  - `auc` of the best candidate's score: turns that need what is among the first ten, against each
    of the last three classes in the life's own language
- `needs`: `n`, `gone` (share of what is needed and was kept, that no live memory holds any more),
  `recall@5`, `recall@10` (share of what is needed, before anything is left out for its relevance,
  the limit or the budget); `n_kept` and the keys on `_kept` are about questions of which nothing
  is gone: `recall@5_kept`, `recall@10_kept`, `served_recall_kept` (shown); over all again
  `served_precision` (share of lines that hold what is needed), `lines` and `tokens` (where anything
  was shown), `silent`, `silent_in_reach` (of those that are among the first ten), `hidden`
  (questions for which a distillation took the place of a turn whose answer no line holds)
- `gone_by_days`: `gone` by whole days from the last thing needed to the question
- `changes`: `now` (questions about the present): `n`, `current_shown`, `current_first` and
  `stale_first` (which of both comes first), `stale_shown` (a line that holds the outdated value and
  not the present one), `stale_unmarked` (with nothing beside the memory's words that says so);
  `by_form`: the same by hand, language and whether the change is said directly; `past`: questions
  about the past, and whether that is shown
- `totals`: `lines`, `recalls`, `noise` {`turns`, `silent`} as said in the stream;
  `learning` {`calls`, `tokens` by an estimate, `messages`; of what was recorded for what was said
  (`recorded`) how much the kept replies hold (`learnt`)} of the recorded model; `learning_of` each
  life;
  `verdicts` {`useful_right`, `useful_wrong`, `useless_right`, `useless_wrong`: by which memories
  held what was needed; `shown` (memories in turns), `shown_right`}; `corroborations` {`memories`,
  `corroborated`}; `false_contradictions` {`memories`, `pairs`} of people who never change anything;
  `said_again` {`facts`, `lost`} 40 days after the last time; `left`: by life its memories a day
  after its last line, by where they are (`live`, `archived`, `binned`, `quarantined`); `seconds`,
  `processor_seconds`
- `seconds`, `processor_seconds` (of this process, all threads; what was resumed not included),
  `problems` (what of the data was left out), `machine` (see `benchmarks.machine`)
"""

from .launch import launch

if __name__ == "__main__":
    launch("living.run")
