"""What a model folder says of itself. Nothing is trusted."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from ...model.errors import EmbeddingUnavailable
from ..local.install import digest

LONGEST_TOKENS = 512
MOST_MODEL_BYTES = 4 << 30
MOST_TOKENIZER_BYTES = 64 << 20
_MOST_CONFIG_BYTES = 1 << 20
_LONGEST_PREFIX = 1_000
NETWORKS = ("model.onnx", "onnx/model.onnx")
_PASSED_OVER = ("Transformer", "Pooling", "Normalize")


class Pooling(StrEnum):
    """How the vectors of the tokens become one."""

    MEAN = "mean"
    CLS = "cls"
    LAST = "lasttoken"


@dataclass(frozen=True, slots=True)
class ModelLayout:
    """Everything but the network's own inputs and outputs. `size` is its files' in bytes."""

    name: str
    network: Path
    tokenizer: str
    pooling: Pooling
    query_prefix: str
    document_prefix: str
    longest: int
    padding: int
    size: int
    digest: str


def read_layout(folder: Path) -> ModelLayout:
    """The layout of a folder. Reads the whole network once, for its fingerprint.

    Raises EmbeddingUnavailable, with one sentence that says what is wrong.
    """
    try:
        return _layout(_Folder(folder.resolve(strict=True)))
    except OSError as error:
        raise EmbeddingUnavailable(f"the model folder cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class _Folder:
    root: Path

    def file(self, name: str, most: int) -> Path | None:
        """A file that really lies in the folder; None if there is none."""
        path = self.root / name
        if not path.exists():
            return None
        if not path.resolve(strict=True).is_relative_to(self.root):
            raise EmbeddingUnavailable(f"{name} is a link that leads out of the model folder")
        if not path.is_file():
            raise EmbeddingUnavailable(f"{name} is not a file")
        if path.stat().st_size > most:
            raise EmbeddingUnavailable(f"{name} is larger than {most >> 20} MB")
        return path

    def needed(self, name: str, most: int) -> Path:
        found = self.file(name, most)
        if found is None:
            raise EmbeddingUnavailable(f"the model folder has no {name}")
        return found

    def json(self, name: str) -> Any:
        """Its content; {} if there is none."""
        found = self.file(name, _MOST_CONFIG_BYTES)
        if found is None:
            return {}
        try:
            return json.loads(found.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise EmbeddingUnavailable(f"{name} is not JSON") from error

    def object(self, name: str) -> Mapping[str, Any]:
        found = self.json(name)
        if not isinstance(found, dict):
            raise EmbeddingUnavailable(f"{name} is not an object")
        return cast("Mapping[str, Any]", found)


def _layout(folder: _Folder) -> ModelLayout:
    network = _network(folder)
    tokenizer = folder.needed("tokenizer.json", MOST_TOKENIZER_BYTES)
    prompts = folder.object("config_sentence_transformers.json")
    query, document = _prefixes(prompts)
    pooling = _pooling(folder)
    config = folder.object("config.json")
    # Large networks keep their numbers beside them: model.onnx_data, model.onnx.data.
    beside = sorted(network.parent.glob(f"{network.name}?*"))
    names = (each.relative_to(folder.root).as_posix() for each in beside)
    parts = [network, tokenizer, *(folder.needed(name, MOST_MODEL_BYTES) for name in names)]
    told = "\n".join([*map(digest, parts), pooling, query, document])
    return ModelLayout(
        name=folder.root.name,
        network=network,
        tokenizer=tokenizer.read_text(encoding="utf-8", errors="replace"),
        pooling=pooling,
        query_prefix=query,
        document_prefix=document,
        longest=_longest(folder),
        padding=_whole(config.get("pad_token_id"), 0, 10_000_000, 0),
        size=sum(part.stat().st_size for part in parts),
        digest=sha256(told.encode("utf-8", "replace")).hexdigest()[:8],
    )


def _network(folder: _Folder) -> Path:
    for name in NETWORKS:
        found = folder.file(name, MOST_MODEL_BYTES)
        if found is not None:
            return found
    raise EmbeddingUnavailable("the model folder has no model.onnx")


def _pooling(folder: _Folder) -> Pooling:
    modules = folder.json("modules.json") or []
    if not isinstance(modules, list):
        raise EmbeddingUnavailable("modules.json is not a list")
    place = "1_Pooling"
    for each in cast("list[Any]", modules):
        kind = str(each.get("type", "")).rpartition(".")[2] if isinstance(each, dict) else ""
        if kind not in _PASSED_OVER:
            raise EmbeddingUnavailable(f"modules.json asks for {kind[:40] or 'something'} as well")
        if kind == "Pooling":
            place = str(each.get("path", place))
    if Path(place).is_absolute() or ".." in Path(place).parts:
        raise EmbeddingUnavailable("modules.json names a folder outside of the model folder")
    return _mode(folder.object(f"{place}/config.json"))


def _mode(told: Mapping[str, Any]) -> Pooling:
    named = {
        "pooling_mode_mean_tokens": Pooling.MEAN,
        "pooling_mode_cls_token": Pooling.CLS,
        "pooling_mode_lasttoken": Pooling.LAST,
    }
    wanted = {key for key, value in told.items() if key.startswith("pooling_mode_") and value}
    if isinstance(told.get("pooling_mode"), str):
        wanted = {f"pooling_mode_{told['pooling_mode']}"}
        named |= {f"pooling_mode_{each}": each for each in Pooling}
    if not wanted:
        return Pooling.MEAN
    if len(wanted) > 1 or not wanted <= named.keys():
        raise EmbeddingUnavailable("the pooling is none of mean, cls and last token")
    return named[wanted.pop()]


def _prefixes(told: Mapping[str, Any]) -> tuple[str, str]:
    prompts: object = told.get("prompts") or {}
    if not isinstance(prompts, dict):
        raise EmbeddingUnavailable("config_sentence_transformers.json has no usable prompts")
    known = {str(name): str(text)[:_LONGEST_PREFIX] for name, text in prompts.items()}
    default = known.get(str(told.get("default_prompt_name")), "")
    query = known.get("query", default)
    return query, next((known[n] for n in ("passage", "document") if n in known), default)


def _longest(folder: _Folder) -> int:
    told = folder.object("sentence_bert_config.json").get("max_seq_length")
    return _whole(told, 8, LONGEST_TOKENS, LONGEST_TOKENS)


def _whole(value: object, least: int, most: int, otherwise: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        return otherwise
    return min(value, most)
