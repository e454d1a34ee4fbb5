"""Texts to token ids by the `tokenizers` library; its errors become EmbeddingUnavailable."""

from dataclasses import dataclass
from typing import Any

from ...model.errors import EmbeddingUnavailable
from ..checks import sound_text

_LONGEST_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids and types of one text."""

    ids: tuple[int, ...]
    types: tuple[int, ...]


class FolderTokenizer:
    """The tokenizer of a model folder, from the text of its `tokenizer.json`."""

    def __init__(self, text: str, longest: int) -> None:
        try:
            from tokenizers import Tokenizer
        except (ImportError, OSError) as error:
            raise EmbeddingUnavailable(f"tokenizers cannot be loaded: {error}") from error
        self._longest = longest * _LONGEST_CHARACTERS
        try:
            self._inner: Any = Tokenizer.from_str(text)
            self._inner.no_padding()
            self._inner.enable_truncation(max_length=longest)
        except BaseException as error:
            raise _told(error, "tokenizer.json is not a tokenizer") from error

    def encode(self, prefix: str, text: str, beside: str | None = None) -> Encoded:
        """A text behind its prefix, or two texts as a pair. Raises EmbeddingUnavailable."""
        first = prefix + sound_text(text, self._longest)
        second = None if beside is None else sound_text(beside, self._longest)
        try:
            made = self._inner.encode(first, second)
        except BaseException as error:
            raise _told(error, "the tokenizer fails") from error
        if not made.ids:
            raise EmbeddingUnavailable("the tokenizer makes no tokens of a text")
        return Encoded(tuple(made.ids), tuple(made.type_ids))


def _told(error: BaseException, words: str) -> BaseException:
    # A panic in the library's Rust code is no Exception.
    if isinstance(error, Exception) or type(error).__name__ == "PanicException":
        return EmbeddingUnavailable(f"{words}: {' '.join(str(error).split())[:200]}")
    return error
