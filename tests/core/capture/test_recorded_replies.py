"""What becomes of replies that a small model really gave: the right is kept, the bot's is refused.

Twelve small talks of our own, asked of Qwen2.5-Coder 1.5B as learning asks, and labelled by hand:
`right`, `passing` (trivial, of the moment), `wrong` (kept, and should not be), `refused` (told, and
kept by no word).
"""

import json
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from astrbot_plugin_tidemark.core.capture.citing import cited
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn
from astrbot_plugin_tidemark.core.prompts import learn

from ...for_each import for_each

BOT = "bot"
RECORDED: dict[str, Any] = json.loads(
    (Path(__file__).parent / "recorded_replies.json").read_text("utf-8")
)
TALKS: dict[str, Any] = {each["name"]: each for each in RECORDED["episodes"]}
SAID_AT = datetime.fromisoformat(RECORDED["day"]).replace(hour=12, tzinfo=UTC).timestamp()
PLACE = Place("s", "", "qq/private/901/default")


def turns_of(talk: dict[str, Any]) -> list[Turn]:
    return [
        Turn(
            number,
            "episode",
            PLACE,
            Role.ASSISTANT if who == BOT else Role.USER,
            Speaker(who, who),
            text,
            SAID_AT + number,
        )
        for number, (who, text) in enumerate(talk["turns"], start=1)
    ]


def kept(talk: dict[str, Any]) -> list[str]:
    told = learn.parse(talk["reply"])
    return [each.text for each in cited(told, turns_of(talk), UTC)]


@for_each(TALKS)
def test_what_is_kept_of_a_recorded_reply_is_what_a_hand_has_read(name: str) -> None:
    talk = TALKS[name]
    assert sorted(kept(talk)) == sorted([*talk["right"], *talk["passing"], *talk["wrong"]])


@for_each(TALKS)
def test_what_the_model_told_and_a_hand_has_refused_is_not_kept(name: str) -> None:
    talk = TALKS[name]
    told = {each.candidate.text for each in learn.parse(talk["reply"])}
    assert {*talk["refused"]} <= told
    assert {*kept(talk)}.isdisjoint(talk["refused"])


@for_each(TALKS)
def test_the_replies_are_to_the_prompt_of_their_version(name: str) -> None:
    talk = TALKS[name]
    shown = RECORDED["day"]
    prompt = learn.build(turns_of(talk), shown_time=lambda _: shown, language=talk["language"])
    digest = blake2b((prompt.system + prompt.user).encode(), digest_size=8).hexdigest()
    # Replies to an older prompt are replies still; they are recorded anew with the next figures.
    assert RECORDED["version"] < learn.VERSION or digest == talk["prompt"]


def test_of_what_is_kept_so_much_is_right_and_no_line_of_the_bot_is_anybodys() -> None:
    sorts = ("right", "passing", "wrong")
    counts = {sort: sum(len(talk[sort]) for talk in TALKS.values()) for sort in sorts}
    assert counts == {"right": 13, "passing": 4, "wrong": 4}
    for talk in TALKS.values():
        told = learn.parse(talk["reply"])
        spoken = {n for n, (who, _) in enumerate(talk["turns"], start=1) if who == BOT}
        assert not [each for each in cited(told, turns_of(talk), UTC) if spoken & {*each.turns}]
