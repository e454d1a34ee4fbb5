"""Who gives a command, and from where."""

from dataclasses import dataclass

from ...core.model.conversation import Scope
from ...core.text.language import Language


@dataclass(frozen=True, slots=True)
class Caller:
    """`person` is the sender's id on the platform of `scope`; `session` the chat it came from."""

    scope: Scope
    session: str
    person: str
    name: str
    admin: bool
    language: Language
