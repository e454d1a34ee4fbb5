"""Who gives a command, and in which language the answer is."""

from dataclasses import dataclass

from ...core.actions.caller import Caller


@dataclass(frozen=True, slots=True)
class ChatCaller(Caller):
    """A caller who reads text."""

    language: str
