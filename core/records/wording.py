"""What a memory says on the page about its person: a model's words for it, or its own. Pure."""

from dataclasses import replace
from hashlib import blake2b

from ..model.memory import Memory, unmarked
from ..model.wording import Wording


def said(memory: Memory) -> str:
    """The words of the page."""
    own = memory.wording
    return own.text if own is not None and own.text and is_worded(memory) else unmarked(memory.text)


def is_worded(memory: Memory) -> bool:
    """Whether a model was asked for words for this text, accepted or not."""
    return memory.wording is not None and memory.wording.of == _digest(memory.text)


def worded(memory: Memory, text: str, of: str) -> Memory:
    """The memory with words for the text `of`; with "" it keeps its own for good."""
    return replace(memory, wording=Wording(text, _digest(of)))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
