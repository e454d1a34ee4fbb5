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
    return memory.wording is not None and memory.wording.of == text_digest(memory.text)


def worded(memory: Memory, text: str, of: str) -> Memory:
    """The memory with words for the text `of`; with "" it keeps its own for good."""
    return replace(memory, wording=Wording(text, text_digest(of)))


def text_digest(text: str) -> str:
    """What tells a text from another one, in few characters."""
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
