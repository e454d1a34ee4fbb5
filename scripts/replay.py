"""`dev.py replay`: play a recorded conversation through a real host and report what was kept."""

import argparse
import asyncio
import json
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from . import local_model, rehearsal
from .hostkit.bench import Bench, bench
from .hostkit.clock import DAY
from .hostkit.model_server import Reply, Respond
from .hostkit.process import HostFailed
from .hostkit.root import ADMIN, USER
from .hostkit.sleeping import slept
from .recording import Recording, RecordingMalformed, Step, plan, read
from .replay_report import ReplayReport, collect, lines
from .run import interruptible, model_from_environment
from .upstream import forwarding

GROUP = 5000
COMMANDS = ("/memory mine", "/memory why", "/memory bin")
PLUGIN_CONFIG = {"decay": {"bin_days": 3650.0}, "recall": {"deadline_ms": 10_000}}
"""Nothing is purged while months pass, so that the report can show all that was forgotten; what
is recalled does not depend on how busy the machine is."""

_HOUR = 3600.0
_LOOKS = 20
_EMBEDDED = re.compile(r"已完成 (\d+)/(\d+)")
"""In the Chinese status, which is what an admin who never spoke is answered with."""

_ANSWER_WITHIN = 180.0
# A group message nobody answers gives no sign that it was taken in; the clock must not be
# moved before it is.
_TAKEN_IN, _TAKEN_IN_BEFORE_GAP = 0.05, 0.5


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a recording is played: a host, and the group (None: in private)."""

    host: Bench
    group: int | None

    async def play(self, step: Step, following: Step | None) -> None:
        """Say one message at its time; waits for the answer, or until it has been taken in."""
        said = step.message
        self.host.clock.set_time(max(said.at, self.host.clock.now()))
        if not step.addressed:
            await self.host.chat.say(said.sender.number, said.text, group=self.group)
            await asyncio.sleep(_pause(step, following))
            return
        if step.reply is not None:
            self.host.model.script(Reply(step.reply))
        await self.ask(said.sender.number, said.text, mention=self.group is not None)

    async def night(self) -> str:
        """An hour later, the admin lets the memory sleep; its report."""
        self.host.clock.advance(_HOUR / DAY)
        report = await slept(self.host.chat, ADMIN, timeout=_ANSWER_WITHIN)
        await self._embedded()
        return report

    async def _embedded(self) -> None:
        """What takes seconds is done in any real night: every memory has its vector."""
        for _ in range(_LOOKS):
            status = await self.host.chat.ask(ADMIN, "/memory status", timeout=_ANSWER_WITHIN)
            progress = _EMBEDDED.search(status)
            if progress is None or progress[1] == progress[2]:
                return
            await asyncio.sleep(0.5)

    async def ask(self, user: int, text: str, *, mention: bool = False) -> str:
        """Raises HostFailed if no answer comes."""
        try:
            return await self.host.chat.ask(
                user, text, group=self.group, mention=mention, timeout=_ANSWER_WITHIN
            )
        except TimeoutError as error:
            raise HostFailed(f"no answer within {_ANSWER_WITHIN:g} s to: {text[:80]}") from error


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """0 after a whole replay; 1 with a message otherwise."""
    folder = workspace / f"replay-{os.getpid()}"
    with interruptible():
        try:
            models = workspace / "models"
            await local_model.fetch(models)
            report = await replay(arguments, folder, models)
        except RecordingMalformed as malformed:
            print("\n".join(malformed.problems[:20]), file=sys.stderr)
            return 1
        except HostFailed as failure:
            print(failure, file=sys.stderr)
            return 1
        except asyncio.CancelledError:
            print("Stopped.", file=sys.stderr)
            return 1
        finally:
            if arguments.keep:
                print(f"kept: {folder}", file=sys.stderr)
            else:
                shutil.rmtree(folder, ignore_errors=True)
    text = json.dumps(report.to_json(), ensure_ascii=False, indent=2)
    print(text if arguments.json else "\n".join(lines(report)))
    return 0


async def replay(arguments: argparse.Namespace, folder: Path, models: Path) -> ReplayReport:
    """Play the file in a new host under `folder`, with the embedding model found in `models`."""
    recording = read(arguments.file)
    steps = plan(recording, ask_every=arguments.ask_every)[: arguments.limit]
    async with staged(recording, folder, models) as stage:
        await play_all(stage, steps)
        await stage.night()
        if arguments.fast_forward:
            stage.host.clock.advance(arguments.fast_forward)
            await stage.night()
        commands = {"/memory status": await stage.host.chat.ask(ADMIN, "/memory status")}
        owner = recording.humans[0].number
        commands |= {command: await stage.ask(owner, command) for command in COMMANDS}
    return await collect(
        stage.host.root.plugin_data, name=recording.name, played=len(steps), commands=commands
    )


async def play_all(stage: Stage, steps: Sequence[Step]) -> None:
    """Every step; after the last message of a day the memory sleeps."""
    for index, step in enumerate(steps):
        following = steps[index + 1] if index + 1 < len(steps) else None
        await stage.play(step, following)
        if following is not None and _day(following) > _day(step):
            _progress(f"{index + 1} of {len(steps)} messages")
            await stage.night()
    _progress("")


@asynccontextmanager
async def staged(recording: Recording, folder: Path, models: Path) -> AsyncIterator[Stage]:
    """A running host with the recording's members connected. The first one is an admin too."""
    names = {member.number: member.name for member in recording.humans}
    admins = [USER, str(ADMIN), str(recording.humans[0].number)]
    async with (
        model() as respond,
        bench(
            folder,
            names,
            respond=respond,
            began=recording.messages[0].at,
            plugin_config=PLUGIN_CONFIG,
            overrides={"admins_id": admins},
            models=models,
        ) as host,
    ):
        yield Stage(host, None if recording.private else GROUP)


@asynccontextmanager
async def model() -> AsyncIterator[Respond]:
    """The model of OPENAI_*, else the rehearsal model."""
    configured = model_from_environment()
    if configured is None:
        yield rehearsal.respond
        return
    async with forwarding(configured) as respond:
        yield respond


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:<40}\r", end="", file=sys.stderr, flush=True)


def _pause(step: Step, following: Step | None) -> float:
    gap = following.message.at - step.message.at if following else _HOUR
    return _TAKEN_IN_BEFORE_GAP if gap >= _HOUR else _TAKEN_IN


def _day(step: Step) -> int:
    return int(step.message.at // DAY)
