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


def _reason(phrases: Phrases, language: str, error: Exception) -> str:
    if not isinstance(error, StorageError):
        return phrases.say(language, f"file.{Fault.OTHER}")
    # A folder is asked through a process of its own, which is no server to the owner.
    if error.fault is Fault.UNREACHABLE and "://" not in error.file:
        return phrases.say(language, "file.not_answering", file=error.file)
    return phrases.say(language, f"file.{error.fault}", file=error.file)
