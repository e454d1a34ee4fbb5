"""What people are told when memory could not do what a command asked."""

from collections.abc import Sequence

from ...core.model.errors import Fault, StorageError
from .phrases import Phrases

BOTH: Sequence[str] = ("zh", "en")


def not_available(phrases: Phrases, chosen: str, problem: Exception | None) -> str:
    """Memory is not open: by this problem, or because it is still being opened."""

    def told(language: str) -> str:
        if problem is None:
            reason = phrases.say(language, "command.opening")
        else:
            reason = _reason(phrases, language, problem)
        return phrases.say(language, "command.unavailable", reason=reason)

    return "\n".join(map(told, languages(chosen)))


def not_done(phrases: Phrases, chosen: str, error: Exception | None) -> str:
    """A command failed by this error, or was cut short."""

    def told(language: str) -> str:
        if not isinstance(error, StorageError):
            return phrases.say(language, "command.failed")
        reason = _reason(phrases, language, error)
        return phrases.say(language, "command.failed_by", reason=reason)

    return "\n".join(map(told, languages(chosen)))


def languages(chosen: str) -> Sequence[str]:
    """What is spoken while memory cannot be asked what people speak."""
    # What people speak is read from the journal, which may be the very thing that is broken.
    return BOTH if chosen == "auto" else (chosen,)


def reason_of(phrases: Phrases, language: str, fault: Fault, file: str) -> str:
    """What is wrong with a file or a server, and what becomes of it."""
    # A folder is asked through a process of its own, which is no server to the owner.
    if fault is Fault.UNREACHABLE and "://" not in file:
        return phrases.say(language, "file.not_answering", file=file)
    return phrases.say(language, f"file.{fault}", file=file)


def _reason(phrases: Phrases, language: str, error: Exception) -> str:
    if not isinstance(error, StorageError):
        return phrases.say(language, f"file.{Fault.OTHER}")
    return reason_of(phrases, language, error.fault, error.file)
