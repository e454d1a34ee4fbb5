"""Where memories are kept: backends and backups, and recovery while nothing is open."""

from dataclasses import asdict, dataclass

from ...core.actions import keeping
from ...core.actions.answers import CodeNeeded, Refusal, Refused
from ...core.actions.keeping import Backup, ClosedMemory, Disagreement, RecoveryStep, StorageState
from ...core.model.errors import StorageError
from ...core.model.sleeping import Job
from ...core.model.times import local_time, zone
from ...core.settings import DisplaySettings
from ...core.text.quoting import quoted
from .imports import begun
from .listing import answer
from .phrases import Phrases
from .request import (
    ChatCaller,
    Request,
    WrongArguments,
    failure,
    languages,
    not_available,
    not_done,
)

SHOWN = 10
_MEGABYTE = 1_000_000


async def backup(request: Request) -> str:
    """Make a backup now, list those there are, or delete one."""
    match request.argument.split():
        case []:
            made = await keeping.make_backup(request.context)
            if isinstance(made, Job):
                return begun(request, made)
            return request.say("backup.done", name=made.name, size=_size(made))
        case ["list"]:
            return await _list(request)
        case ["delete", name]:
            await keeping.delete_backup(request.context, name)
            return request.say("backup.deleted", name=name)
        case _:
            raise WrongArguments


async def restore_backup(request: Request) -> str:
    """Go back to a backup, after a code was repeated; what is now is kept as a backup."""
    match request.argument.split():
        case []:
            return await _list(request)
        case [name, *code] if len(code) <= 1:
            done = await keeping.restore_backup(request.context, name, "".join(code))
            when, before = request.time(done.backup.at), done.before.name
            held = [request.say("restore-backup.held", count=done.held)] if done.held else []
            return answer([request.say("restore-backup.done", time=when, name=before), *held])
        case _:
            raise WrongArguments


async def _list(request: Request) -> str:
    every = await keeping.list_backups(request.context)
    if not every:
        return request.say("backup.none")
    lines = [
        request.say(
            "backup.line",
            name=each.name,
            time=request.time(each.at),
            occasion=request.say(f"occasion.{each.occasion}"),
            count=each.memories,
            size=_size(each),
        )
        for each in every[:SHOWN]
    ]
    head = request.say("backup.header", count=len(every))
    return answer([head, *lines, request.say("backup.footer")])


def _size(backup: Backup) -> str:
    """In megabytes, at least a tenth of one."""
    return f"{max(0.1, backup.size / _MEGABYTE):.1f}"


async def storage(request: Request) -> str:
    """The backend in force; moving to another; settling that it is moved, or giving it up."""
    context = request.context
    match request.argument.lower().split():
        case [] | ["status"]:
            return _status(request, await keeping.storage_state(context))
        case ["migrate", target, *code] if target in keeping.TARGETS and len(code) <= 1:
            await keeping.move_memories(context, target, "".join(code))
            return request.say("storage.begun")
        case ["confirm"]:
            move = await keeping.confirm_move(context)
            return request.say("storage.confirmed", source=move.source, target=move.target)
        case ["cancel"]:
            move = await keeping.cancel_move(context)
            return request.say("storage.cancelled", source=move.source, target=move.target)
        case _:
            raise WrongArguments


def other_backend(request: Request, found: Disagreement | None) -> list[str]:
    """What is said while the settings name another backend than the one in force."""
    if found is None:
        return []
    return [request.say("storage.other", force=found.in_force, chosen=found.chosen)]


def _status(request: Request, state: StorageState) -> str:
    lines = [request.say("storage.status", backend=state.backend, count=state.count)]
    lines += other_backend(request, state.disagreement)
    if (move := state.move) is not None:
        told = asdict(move) | {"problem": failure(request, move.problem)}
        lines.append(request.say(f"move.{move.stage}", **told))
    return answer(lines)


NAME = "recover"
COPIES_SHOWN = 5
_CODE = 6


async def recover(request: Request) -> str:
    """Memory is open: nothing is to be done."""
    return request.say("recover.nothing")


@dataclass(frozen=True, slots=True)
class Closed:
    """Answers in place of the commands, by the problem that keeps memory from being opened."""

    phrases: Phrases
    display: DisplaySettings
    memory: ClosedMemory

    @property
    def chosen(self) -> str:
        """What is to be spoken."""
        return self.display.language

    async def answer(self, name: str, argument: str, caller: ChatCaller, *, now: float) -> str:
        """To `/memory <name> <argument>`."""
        told = not_available(self.phrases, self.chosen, self.memory.problem)
        if not self.memory.broken or not caller.admin:
            return told
        if name != NAME:
            return f"{told}\n{self.say('recover.how')}"
        match argument.split():
            case [how, *rest] if how in tuple(RecoveryStep) and len(rest) <= 2:
                return await self._asked(RecoveryStep(how), rest, caller, now)
            case []:
                return f"{told}\n{await self._ways()}"
            case _:
                return self.say("recover.how")

    async def _asked(
        self, way: RecoveryStep, rest: list[str], caller: ChatCaller, now: float
    ) -> str:
        name, code = _name_and_code(way, rest)
        try:
            done = await self.memory.recover(way, caller, name=name, code=code, now=now)
        except CodeNeeded as needed:
            return self._confirm(needed, name)
        except (StorageError, OSError) as error:
            return not_done(self.phrases, self.chosen, error)
        except Refused as refused:
            if refused.reason is Refusal.WRONG_CODE:
                return self.say("recover.wrong_code")
            return self.say("recover.no_backup")
        match done:
            case Backup():
                return self.say("recover.back", name=done.name, time=self._time(done))
            case None:
                return self.say("recover.as_is")
            case problem:
                return not_available(self.phrases, self.chosen, problem)

    def _confirm(self, needed: CodeNeeded, name: str) -> str:
        backup = needed.told["backup"]
        if not isinstance(backup, Backup):
            return self.say("recover.confirm_as_is", code=needed.code)
        return self.say(
            "recover.confirm_backup",
            name=backup.name,
            time=self._time(backup),
            count=backup.memories,
            again=" ".join(filter(None, (RecoveryStep.BACKUP, name))),
            code=needed.code,
        )

    async def _ways(self) -> str:
        backups = (await self.memory.backups())[:COPIES_SHOWN]
        listed = [
            self.say("recover.line", name=each.name, time=self._time(each), count=each.memories)
            for each in backups
        ]
        how = self.say("recover.how") if listed else self.say("recover.only_as_is")
        return "\n".join([*listed, how])

    def _time(self, backup: Backup) -> str:
        return local_time(backup.at, zone(self.display.timezone))

    def say(self, key: str, **values: object) -> str:
        """A message in every language that may be spoken here."""

        def told(language: str) -> str:
            return self.phrases.say(language, key, **values)

        return "\n".join(map(told, languages(self.chosen)))


def _name_and_code(way: RecoveryStep, rest: list[str]) -> tuple[str, str]:
    """A backup's name has digits and a T; a code is six letters and digits."""
    names = [word for word in rest if way is RecoveryStep.BACKUP and len(word) > _CODE]
    codes = [word for word in rest if len(word) <= _CODE]
    return quoted("".join(names[:1]), 40), "".join(codes[:1])
