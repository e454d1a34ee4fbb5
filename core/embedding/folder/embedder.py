"""An embedder over a model folder of the owner's: tokens, network, vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.errors import EmbeddingUnavailable
from ...ports import EmbedderIdentity, Vector
from ..cached import sound_text, unit_vectors
from ..calibrator import PAIRS
from ..onnx.session import Port, Session, open_session, whole_numbers
from ..threads import LoadedEmbedder, Whole, padded
from .layout import LONGEST_TOKENS, ModelLayout, Pooling, read_layout

_LONGEST_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids and types of one text."""

    ids: tuple[int, ...]
    types: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)


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


MOST_DIMENSIONS = 8_192
_KNOWN = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
VECTORS = ("sentence_embedding", "last_hidden_state", "token_embeddings")
LOGITS = ("logits",)
"""Outputs to take, if a network has them; else its first."""

LONGEST_PAIR = 256
"""Tokens of a question and a memory together."""


class FolderNetwork:
    """Tokenizer and network of a folder. Every method may run in any thread."""

    def __init__(
        self, layout: ModelLayout, answers: Sequence[str] = VECTORS, longest: int = LONGEST_TOKENS
    ) -> None:
        self.layout = layout
        self._tokenizer = FolderTokenizer(layout.tokenizer, min(layout.longest, longest))
        self._session: Session = open_session(layout.network)
        self._inputs = {port.name: _kind(port) for port in self._session.inputs}
        self._output = _answer(self._session.outputs, answers)
        if "input_ids" not in self._inputs:
            raise EmbeddingUnavailable("the network does not take token ids")

    def tokens(self, text: str, *, query: bool) -> Encoded:
        """Of a text to search with, or of one to be found."""
        layout = self.layout
        return self._tokenizer.encode(
            layout.query_prefix if query else layout.document_prefix, text
        )

    def vectors(self, texts: Sequence[Encoded]) -> NDArray[Any]:
        """One for each text, not yet of unit length."""
        made, mask = self._run(texts)
        if made.ndim == 3:
            made = _pooled(made, mask, self.layout.pooling)
        if made.ndim != 2 or made.shape[0] != len(texts):
            raise EmbeddingUnavailable(f"the network answers with the shape {made.shape}")
        if not 2 <= made.shape[1] <= MOST_DIMENSIONS:
            raise EmbeddingUnavailable(
                f"the network makes vectors of {made.shape[1]} dimensions, not 2 to "
                f"{MOST_DIMENSIONS}"
            )
        return made

    def pair(self, query: str, text: str) -> Encoded:
        """Of a question and a text that may answer it."""
        return self._tokenizer.encode("", query, text)

    def logits(self, pairs: Sequence[Encoded]) -> list[float]:
        """One for each pair: the only number, or that of the second class over the first."""
        made, _ = self._run(pairs)
        rows = made.reshape(len(pairs), -1) if made.ndim in (1, 2) else made
        if rows.ndim != 2 or len(rows) != len(pairs) or rows.shape[1] not in (1, 2):
            raise EmbeddingUnavailable(f"the network answers with the shape {made.shape}")
        return (rows[:, -1] - (rows[:, 0] if rows.shape[1] == 2 else 0)).astype(float).tolist()

    def _run(self, texts: Sequence[Encoded]) -> tuple[NDArray[Any], Whole]:
        ids, mask = padded([each.ids for each in texts], self.layout.padding)
        types, _ = padded([each.types for each in texts], 0)
        given = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": types,
            "position_ids": np.maximum(mask.cumsum(axis=1) - 1, 0),
        }
        wanted = {name: given[name].astype(kind) for name, kind in self._inputs.items()}
        return self._session.run(self._output, wanted), mask


def _kind(port: Port) -> type[np.int32] | type[np.int64]:
    kind = whole_numbers(port.kind)
    if port.name not in _KNOWN or kind is None:
        raise EmbeddingUnavailable(f"the network wants the input {port.name[:40]} ({port.kind})")
    return kind


def _answer(outputs: Sequence[Port], wanted: Sequence[str]) -> str:
    names = [port.name for port in outputs]
    if not names:
        raise EmbeddingUnavailable("the network answers nothing")
    return next((name for name in wanted if name in names), names[0])


def _pooled(state: NDArray[Any], mask: Whole, pooling: Pooling) -> NDArray[Any]:
    """[texts, tokens, width] to [texts, width]; padding is not looked at."""
    match pooling:
        case Pooling.CLS:
            return state[:, 0]
        case Pooling.LAST:
            return state[np.arange(len(state)), mask.sum(axis=1) - 1]
        case Pooling.MEAN:
            return (state * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)


PROVIDER = "folder"
SAME_VECTOR = 0.9999
AT_ONCE = 512
"""Tokens of a batch, with their padding."""

_PROBES = tuple(memory for pairs in PAIRS.values() for _, memory in pairs[:2])


class FolderEmbedder(LoadedEmbedder[Encoded, FolderNetwork]):
    """Over a model folder; named by it and a digest of its files."""

    at_once = AT_ONCE

    def __init__(self, folder: Path) -> None:
        super().__init__("tidemark-folder")
        self._folder = folder
        self.source = f"the model in {folder.name}"

    def load(self) -> tuple[FolderNetwork, EmbedderIdentity]:
        """Different texts have different vectors, and a batch gives what each gives alone."""
        network = FolderNetwork(read_layout(self._folder))
        probes = [network.tokens(text, query=False) for text in _PROBES]
        rows = np.stack(self._probed(network, probes))
        alone = np.stack([self._probed(network, [each])[0] for each in probes])
        if float((rows @ rows.T).min()) > SAME_VECTOR:
            raise EmbeddingUnavailable("the network makes the same vector of different texts")
        if float((rows * alone).sum(axis=1).min()) < 0.99:
            raise EmbeddingUnavailable("the network makes another vector of a text in a batch")
        layout = network.layout
        model = f"{layout.name}-{layout.digest}"
        return network, EmbedderIdentity(PROVIDER, model, rows.shape[1])

    def _probed(self, network: FolderNetwork, probes: Sequence[Encoded]) -> list[Vector]:
        return unit_vectors(network.vectors(probes), count=len(probes), source=self.source)
