"""What is answered while memory is not open, and the way out of what keeps it from being opened."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ...core.actions.confirmations import Confirmations
from ...core.model.errors import StorageError
from ...core.model.times import local_time, zone
from ...core.settings import DisplaySettings
from ...core.text.quoting import quoted
from ...core.transfer.backup import Backup, NoSuchBackup
from ...core.transfer.recovery import FAULTS, Recovery
from .caller import ChatCaller
from .error_messages import languages, not_available, not_done
from .phrases import Phrases
from .request import Request

NAME = "recover"
BACKUP, AS_IS = "backup", "as-is"
SHOWN = 5
_CODE = 6

type Mend = Callable[[Callable[[], Awaitable[None]]], Awaitable[Exception | None]]
"""Does something to the files and opens memory anew; by what that failed, None if it is open."""


async def recover(request: Request) -> str:
    """Memory is open: nothing is to be done."""
    return request.say("recover.nothing")


@dataclass(frozen=True, slots=True)
class Closed:
    """Answers in place of the commands, by the problem that keeps memory from being opened."""

    phrases: Phrases
    display: DisplaySettings
    problem: Exception | None
    recovery: Recovery
    confirmations: Confirmations
    mend: Mend

    @property
    def chosen(self) -> str:
        """What is to be spoken."""
        return self.display.language

    async def answer(self, name: str, argument: str, caller: ChatCaller, *, now: float) -> str:
        """To `/memory <name> <argument>`."""
        broken = isinstance(self.problem, StorageError) and self.problem.fault in FAULTS
        told = not_available(self.phrases, self.chosen, self.problem)
        if not broken or not caller.admin:
            return told
        if name != NAME:
            return f"{told}\n{self.say('recover.how')}"
        match argument.split():
            case [how, *rest] if how in (BACKUP, AS_IS) and len(rest) <= 2:
                return await self._asked(how, rest, caller, now)
            case []:
                return f"{told}\n{await self._ways()}"
            case _:
                return self.say("recover.how")

    async def _asked(self, how: str, rest: list[str], caller: ChatCaller, now: float) -> str:
        name, code = _name_and_code(how, rest)
        what = f"{NAME} {how} {name}"
        if not code:
            return await self._confirm(how, name, what, caller, now)
        if not self.confirmations.redeem(caller, what, code, now=now):
            return self.say("recover.wrong_code")
        done: list[Backup] = []

        async def step() -> None:
            if how == AS_IS:
                await self.recovery.go_on()
            else:
                done.append(await self.recovery.bring_back(name, now))

        try:
            problem = await self.mend(step)
        except NoSuchBackup:
            return self.say("recover.no_backup")
        except (StorageError, OSError) as error:
            return not_done(self.phrases, self.chosen, error)
        if problem is not None:
            return not_available(self.phrases, self.chosen, problem)
        if done:
            return self.say("recover.back", name=done[0].name, time=self._time(done[0]))
        return self.say("recover.as_is")

    async def _confirm(self, how: str, name: str, what: str, caller: ChatCaller, now: float) -> str:
        if how == AS_IS:
            code = self.confirmations.ask(caller, what, now=now)
            return self.say("recover.confirm_as_is", code=code)
        found = [each for each in await self.recovery.backups() if name in ("", each.name)]
        if not found:
            return self.say("recover.no_backup")
        code, best = self.confirmations.ask(caller, what, now=now), found[0]
        return self.say(
            "recover.confirm_backup",
            name=best.name,
            time=self._time(best),
            count=best.memories,
            again=" ".join(filter(None, (BACKUP, name))),
            code=code,
        )

    async def _ways(self) -> str:
        backups = (await self.recovery.backups())[:SHOWN]
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


def _name_and_code(how: str, rest: list[str]) -> tuple[str, str]:
    """A backup's name has digits and a T; a code is six letters and digits."""
    names = [word for word in rest if how == BACKUP and len(word) > _CODE]
    codes = [word for word in rest if len(word) <= _CODE]
    return quoted("".join(names[:1]), 40), "".join(codes[:1])
