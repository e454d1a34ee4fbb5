"""Who asks, and from where."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from ..model.conversation import Scope, ScopeKind, signed
from ..model.recording import Utterance
from ..text.quoting import quoted

LONGEST_NAME = 40


async def _keeps_none() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Caller:
    """`person` is the sender's id on the platform of `scope`; `session` the chat it came from.

    `persona` answers there, "" if unknown. `keeps` asks the platform whether they are one of the
    group's own admins.
    """

    scope: Scope
    session: str
    person: str
    name: str
    admin: bool
    persona: str = field(default="", kw_only=True)
    keeps: Callable[[], Awaitable[bool]] = field(default=_keeps_none, kw_only=True, compare=False)

    async def keeps_group(self) -> bool:
        """Whether they may choose for the group: an admin of the bot, or of the group itself."""
        return self.admin or await self.keeps()

    @property
    def utterance(self) -> Utterance:
        """What decides whether something said in a command may be recorded."""
        return Utterance(self.scope, self.person, self.persona)

    @property
    def signature(self) -> str:
        """Who did it, for the audit log; shown by `signatures`."""
        return signed(quoted(self.name, LONGEST_NAME), (self.scope.platform, self.person))

    @property
    def sees_everything(self) -> bool:
        """Whether memories of every scope exist for the caller; see `masking` for their texts."""
        return self.admin and self.scope.kind is ScopeKind.PRIVATE
