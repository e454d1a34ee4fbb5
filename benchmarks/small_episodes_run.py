"""What a model makes of small episodes, see `benchmarks.small_episodes`."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from ..core.capture.citing import cited
from ..core.capture.dating import dated
from ..core.endpoints.chat import EndpointChatModel
from ..core.model.conversation import Place, Role, Scope, ScopeKind, Speaker, Turn
from ..core.model.errors import ModelUnavailable, ReplyMalformed
from ..core.model.lesson import Candidate, Lesson
from ..core.ports import ChatModel
from ..core.prompts import learn
from .command import printed, progress
from .datasets.reading import Complaints
from .extraction_run import endpoint_options
from .kept_replies import KeptReplies, default_folder

BOT = "bot"


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure."""
    options = _parser().parse_args(arguments)
    complaints = Complaints()
    return printed(partial(_measure, options), as_json=True, complaints=complaints)


async def _measure(options: Namespace) -> dict[str, Any]:
    episodes = json.loads(options.file.read_text("utf-8"))
    folder = options.resume or default_folder("small_episodes")
    said_at = datetime.fromisoformat(options.day).replace(hour=12, tzinfo=UTC).timestamp()
    async with KeptReplies.running(
        options.endpoint, folder, options.timeout, options.parameters
    ) as replies:
        model = EndpointChatModel(replies.url, options.key, options.model, options.timeout)
        try:
            found = [await learnt(model, each, said_at) for each in episodes]
        finally:
            await model.aclose()
    return {
        "benchmark": "small_episodes",
        "model": options.model,
        "read": sum(each["facts"] is not None for each in found),
        "episodes": found,
        "facts": sum(len(each["facts"] or ()) for each in found),
        "wanted": sum(len(each["gold"]) for each in found),
        **replies.asked.figures(),
    }


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.small_episodes")
    top.add_argument("file", type=Path)
    top.add_argument("--day", default="2026-11-25", help="ISO date on which all of it is said")
    endpoint_options(top, timeout=600.0)
    return top


async def learnt(model: ChatModel, episode: Mapping[str, Any], said_at: float) -> dict[str, Any]:
    """What is kept of one episode; `facts` None where the first reply could not be read."""
    progress(episode["name"])
    turns = _turns(episode["turns"], said_at)
    prompt = learn.build(turns, shown_time=_day, language=episode["lang"])
    facts: list[dict[str, Any]] | None = None
    try:
        told = learn.parse((await model.complete(prompt, session="benchmark")).text)
        lesson = dated(Lesson(candidates=tuple(cited(told, turns, UTC))), turns, UTC)
        facts = [_told(each) for each in lesson.candidates]
    except (ModelUnavailable, ReplyMalformed) as error:
        progress(str(error))
    return {"name": episode["name"], "gold": episode["gold"], "facts": facts}


def _turns(lines: Sequence[tuple[str, str]], said_at: float) -> list[Turn]:
    people = {who for who, _ in lines} - {BOT}
    kind = ScopeKind.GROUP if len(people) > 1 else ScopeKind.PRIVATE
    place = Place("benchmark", "", Scope(kind, "benchmark", "1").key)
    return [
        Turn(
            number,
            "episode",
            place,
            Role.ASSISTANT if who == BOT else Role.USER,
            Speaker(who, who),
            text,
            said_at + number,
        )
        for number, (who, text) in enumerate(lines, start=1)
    ]


def _told(candidate: Candidate) -> dict[str, Any]:
    claim = candidate.claim
    kind = candidate.intention or candidate.kind
    return {
        "text": candidate.text,
        "turns": list(candidate.turns),
        "kind": kind.value,
        "claim": [claim.attribute, claim.value] if claim else None,
        "due": _day(candidate.due_at) if candidate.due_at is not None else None,
        "doubt": candidate.doubt,
    }


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
