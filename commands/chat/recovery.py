"""Answers while memory is not open, and the command that recovers it."""

from dataclasses import dataclass

from ...core.actions.answers import Refusal, Refused
from ...core.actions.backups import Backup
from ...core.actions.recovery import ClosedMemory, NotOpened, Recovered, RecoveryStep
from ...core.model.errors import StorageError
from ...core.model.times import local_time, zone
from ...core.settings import DisplaySettings
from ...core.text.quoting import quoted
from .failures import languages, not_available, not_done
from .phrases import Phrases
from .request import ChatCaller, Request

NAME = "recover"
SHOWN = 5
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
        except (StorageError, OSError) as error:
            return not_done(self.phrases, self.chosen, error)
        except Refused as refused:
            if refused.reason is Refusal.WRONG_CODE:
                return self.say("recover.wrong_code")
            return self.say("recover.no_backup")
        match done:
            case NotOpened(problem):
                return not_available(self.phrases, self.chosen, problem)
            case Recovered(backup, ""):
                if backup is None:
                    return self.say("recover.as_is")
                return self.say("recover.back", name=backup.name, time=self._time(backup))
            case Recovered(backup, code):
                return self._confirm(code, backup, name)

    def _confirm(self, code: str, backup: Backup | None, name: str) -> str:
        if backup is None:
            return self.say("recover.confirm_as_is", code=code)
        return self.say(
            "recover.confirm_backup",
            name=backup.name,
            time=self._time(backup),
            count=backup.memories,
            again=" ".join(filter(None, (RecoveryStep.BACKUP, name))),
            code=code,
        )

    async def _ways(self) -> str:
        backups = (await self.memory.backups())[:SHOWN]
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
